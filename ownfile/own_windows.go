package ownfile

import "io/fs"

// NoFollow has no flag here: look at the file before it is opened.
const NoFollow = 0

// private looks at the kind of file only: a user's profile is closed to others
// by its access control list, which file modes do not show.
func private(info fs.FileInfo, _ int) bool { return info.Mode().IsRegular() }
