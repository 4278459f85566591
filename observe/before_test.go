package observe

import (
	"testing"

	"nod/digest"
)

// Which operand is of which file: the names that the gateways give.
func TestAnOperandsFile(t *testing.T) {
	args := digest.JSON(`{"argv":["cp","/a","--to=/b","c"],"executable":"/bin/cp","file_path":"/w/x/../f","notebook_path":"/n"}`)
	for _, c := range []struct {
		operand, path string
		want          bool
	}{
		{"file", "/w/f", true}, {"no file", "/w/f", true}, {"file", "/n", true}, {"file", "/a", false},
		{"file at /else/f", "/else/f", true}, {"file at /else/f", "/w/f", false}, {"no file at /else/f", "/else/f", true},
		{"argv/1", "/a", true}, {"argv/1", "/b", false}, {"argv/2/value", "/b", true}, {"argv/2", "/b", false},
		{"argv/3", "/c", false}, {"argv/9", "/a", false}, {"executable", "/bin/cp", true}, {"stdin", "/a", false}, {"argv", "/a", false},
		{"", "/a", false},
	} {
		if got := names(c.operand, args, c.path); got != c.want {
			t.Errorf("operand %q of %q: %v", c.operand, c.path, got)
		}
	}
}
