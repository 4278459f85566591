// Package themes holds the colours and shapes of the console's roles.
//
// The rule it keeps: a theme is data, one TOML file of closed keys, and an
// unknown key or role is an error with its line. Views name roles, never
// colours, so that every view works in every theme and without colours.
package themes
