// Package config reads the operator's configuration (DESIGN §10).
//
// The rule it keeps: one file, out of the user's own configuration directory,
// read once and only when nobody else could have written it; every key in it is
// known and every value is in its bounds, or nothing is read at all. A file
// that is not there means the defaults. Environment, user id and home directory
// are passed in: nothing comes from the working directory or a .env file.
//
// docs/configuration.md describes every key.
package config
