package install

import (
	"strconv"
	"strings"
)

// oddType gives the first member whose type the host does not read; "" for none.
func oddType(root *node) string {
	for _, m := range []struct {
		path []string
		kind string
	}{
		{[]string{"permissions"}, "{"}, {[]string{"hooks"}, "{"}, {[]string{"env"}, "{"},
		{[]string{"permissions", "allow"}, "["}, {[]string{"permissions", "deny"}, "["}, {[]string{"permissions", "ask"}, "["},
		{[]string{"permissions", "additionalDirectories"}, "["}, {[]string{"permissions", "defaultMode"}, `"`},
		{[]string{"permissions", "denyInsteadOfPrompting"}, "tf"}, {[]string{"disableAllHooks"}, "tf"},
	} {
		n := root.at(m.path...)
		if n == nil {
			continue
		}
		if !strings.ContainsRune(m.kind, rune(n.kind)) {
			return pointerTo(m.path)
		}
		if m.kind == "[" {
			for i, e := range n.elements {
				if e.kind != '"' {
					return pointerTo(m.path) + "/" + strconv.Itoa(i)
				}
			}
		}
	}
	return ""
}
