// Package install puts Nod's gate into a host's configuration, takes it out
// again, and looks for what goes around it.
//
// The rule it keeps: a host's file stays its owner's. Only the members that the
// gate needs change, the rest keeps its bytes, its order and its layout; the
// change is shown before it is made; what was there before is remembered, so
// that an uninstall puts it back; and a file that is not plain JSON, not the
// user's own or not the one that was shown is refused and not touched.
package install
