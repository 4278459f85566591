package lens_test

import (
	"strings"
	"testing"

	"nod/digest"
	"nod/tui/lens"
)

type replace struct {
	Path string `json:"file_path"`
	Old  string `json:"old_string"`
	New  string `json:"new_string"`
	All  bool   `json:"replace_all,omitempty"`
}

type several struct {
	Path  string    `json:"file_path"`
	Edits []replace `json:"edits"`
}

// diffOf is the lens of a call on a file of these bytes.
func diffOf(t testing.TB, tool string, args any, f *lens.File, change ...func(*digest.Ask)) *lens.Lens {
	t.Helper()
	i := in(t, ask(t, tool, args, change...))
	i.File = f
	return lens.New(lens.Diff, i)
}

func TestWhatAnEditMakesOfAFile(t *testing.T) {
	const text = "a\nb\nc\nb\n"
	for _, c := range []struct {
		name string
		tool string
		args any
		file string
		want string
	}{
		{"one place", "Edit", replace{"/f", "a", "x y", false}, text, `
   1     -  a
       1 +  x y
   2   2    b
   3   3    c
   4   4    b
 0 of 4 lines changed, 1 added, 1 removed · whole file`},
		{"every place", "Edit", replace{"/f", "b\n", "", true}, text, `
   1   1    a
   2     -  b
   3   2    c
   4     -  b
 0 of 4 lines changed, 0 added, 2 removed · whole file`},
		{"one after another", "MultiEdit", several{"/f", []replace{{Old: "a", New: "q"}, {Old: "q\n", New: "a\nn\n"}}}, text, `
   1   1    a
       2 +  n
   2   3    b
   3   4    c
   4   5    b
 0 of 4 lines changed, 1 added, 0 removed · whole file`},
		{"not there", "Edit", replace{"/f", "zz", "y", false}, text, `
 The old text is not in the file. What follows is the call's own old and new
↳text.
   1     -  zz
            no line feed at the end
       1 +  y
            no line feed at the end
 0 of 1 line changed, 1 added, 1 removed · not the whole file`},
		{"there twice", "Edit", replace{"/f", "b", "y", false}, text, `
 The old text is in the file 2 times, and replace_all is not set. What follows
↳is the call's own old and new text.
   1     -  b
            no line feed at the end
       1 +  y
            no line feed at the end
 0 of 1 line changed, 1 added, 1 removed · not the whole file`},
		{"with other line ends", "Edit", replace{"/f", "a\nb\n", "a\n", false}, "a\r\nb\r\n", `
 The old text is in the file only with CR LF at the line ends. What follows is
↳the call's own old and new text.
   1   1    a
   2     -  b
 0 of 2 lines changed, 0 added, 1 removed · not the whole file`},
		{"the second of two is not there", "MultiEdit", several{"/f", []replace{{Old: "a", New: "q"}, {Old: "a", New: "z"}}}, text, `
 The old text of edit 2 is not in the file. What follows is the call's own old
↳and new text.
   1     -  a
   2     -  a
       1 +  q
       2 +  z
 0 of 2 lines changed, 2 added, 2 removed · not the whole file`},
		{"an empty old text", "Edit", replace{"/f", "", "z", false}, text, `
 The old text is empty, but the file is not. What follows is the call's own old
↳and new text.
       1 +  z
            no line feed at the end
 0 of 0 lines changed, 1 added, 0 removed · not the whole file`},
		{"carriage returns", "Write", write{"/f", "a\nb\r\n"}, "a\r\nb\r\n", `
   1     -  a␍
       1 +  a
   2   2    b␍
 1 of 2 lines changed, 0 added, 0 removed · whole file`},
		{"no line feed at the end", "Write", write{"/f", "a\nb"}, "a\nb\n", `
   1   1    a
   2     -  b
       2 +  b
            no line feed at the end
 1 of 2 lines changed, 0 added, 0 removed · whole file`},
		{"bytes that are no text", "Write", write{"/f", "a\\x80\nb"}, "a\x80\nb", `
 Not UTF-8: every byte beyond ASCII is drawn \xHH, every backslash twice.
   1     -  a\x80
       1 +  a\\x80
   2   2    b
            no line feed at the end
 1 of 2 lines changed, 0 added, 0 removed · whole file`},
		{"NUL bytes", "Write", write{"/f", "a\n"}, "a\n\x00\n", `
 It holds NUL bytes, so it is no text file.
   1   1    a
   2     -  \u{0}
 0 of 2 lines changed, 0 added, 1 removed · whole file`},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := diffOf(t, c.tool, c.args, file(c.file), bound(c.file))
			same(t, whole(l, look(false), 80), `
 word diff · not part of what you approve
 against the file on disk at 14:30:12, operand digest equal`+c.want)
		})
	}
}

func TestWhatADiffIsHeldAgainst(t *testing.T) {
	args := write{"/f", "a\n"}
	for _, c := range []struct {
		name string
		file *lens.File
		with []func(*digest.Ask)
		want string
	}{
		{"another file", file("b\n"), []func(*digest.Ask){bound("c\n")}, " against the file on disk at 14:30:12, operand differs\n The file is not the one that was asked about: it changed since.\n"},
		{"no operand", file("b\n"), nil, " against the file on disk at 14:30:12, no operand binds it\n"},
		{"a new file", &lens.File{At: now - 108_000, Missing: true}, nil, " new file: nothing is there at 14:30:12\n       1 +  a\n 0 of 0 lines changed, 1 added"},
		{"a file that is gone", &lens.File{At: now - 108_000, Missing: true}, []func(*digest.Ask){bound("c\n")}, " gone at 14:30:12: the file that was asked about\n The file is not the one"},
		{"not read yet", nil, nil, " against nothing: no file was read\n       1 +  a\n"},
		{"not readable", &lens.File{At: now, Err: "permission denied"}, nil, " against nothing: permission denied\n       1 +  a\n"},
		{"too large", &lens.File{At: now, Size: 5 << 20}, nil, " against nothing: the file is too large\n The file has 5,242,880 bytes, and at most 4 MiB are compared.\n       1 +  a\n"},
		{"too many lines", file(strings.Repeat("a\n", lens.MaxLines+1)), nil, "at 14:30:12, no operand binds it\n It has 100,001 lines, and at most 100,000 are compared; the card shows all.\n nothing compared"},
	} {
		if got := whole(diffOf(t, "Write", args, c.file, c.with...), look(false), 80); !strings.Contains(got, c.want) {
			t.Errorf("%s:\n%s\nwant: %s", c.name, got, c.want)
		}
	}
}

func TestWhichFileIsWanted(t *testing.T) {
	type m = map[string]any
	for _, c := range []struct {
		tool string
		args m
		want string // "" for none
	}{
		{"Write", m{"file_path": "/a/b", "content": ""}, "/a/b"},
		{"Write", m{"file_path": "../b", "content": "x"}, "/srv/shop/../b"}, // shop may be a link
		{"Write", m{"file_path": "~/b", "content": "x"}, ""},
		{"Write", m{"file_path": "~root/b", "content": "x"}, ""},
		{"Edit", m{"file_path": "b", "old_string": "x", "new_string": "y"}, "/srv/shop/b"},
		{"write_file", m{"path": "/a", "content": "x"}, "/a"},
		{"github.create_file", m{"path": "/a", "content": "x", "repo": "shop"}, ""},
		{"Write", m{"file_path": "/a"}, ""},
		{"Edit", m{"file_path": "/a", "old_string": 1, "new_string": "y"}, ""},
		{"MultiEdit", m{"file_path": "/a", "edits": []int{}}, ""},
		{"NotebookEdit", m{"notebook_path": "/a", "new_source": "x"}, ""},
		{"Bash", m{"command": "x"}, ""},
	} {
		if got, ok := lens.Wants(ask(t, c.tool, c.args)); got != c.want || ok != (c.want != "") {
			t.Errorf("%s %v: %q, %v", c.tool, c.args, got, ok)
		}
	}
	relative := ask(t, "Write", write{"b", "x"}, func(a *digest.Ask) { a.Action.Environment.Cwd = "" })
	if got, ok := lens.Wants(relative); ok {
		t.Errorf("a relative path without a directory: %q", got)
	}
}

// FuzzApply: the lens of an edit holds the file and what strings.Replace makes
// of it, or says why it does not.
func FuzzApply(f *testing.F) {
	f.Add("a\nb\n", "a", "x", false)
	f.Add("a\r\nb", "\r", "", true)
	f.Add("", "", "x", false)
	f.Add("aaa", "aa", "b", true)
	f.Add("0\r\n", "\r", "", true)
	f.Fuzz(func(t *testing.T, text, old, new string, all bool) {
		text, old, new = strings.ToValidUTF8(text, "?"), strings.ToValidUTF8(old, "?"), strings.ToValidUTF8(new, "?")
		if text != "" && !strings.HasSuffix(text, "\n") || new != "" && !strings.HasSuffix(new, "\n") || strings.ContainsRune(text+new+old, 0) {
			t.Skip()
		}
		if old != "" && !strings.HasSuffix(old, "\n") {
			old += "\n"
		}
		l := diffOf(t, "Edit", replace{"/f", old, new, all}, file(text))
		if n := strings.Count(text, old); old == "" && text != "" || n == 0 || n > 1 && !all && old != "" {
			if got := whole(l, look(false), 200); !strings.Contains(got, "not the whole file") {
				t.Fatalf("no word on an edit that cannot be made:\n%s", got)
			}
			return
		}
		want := new
		if old != "" {
			want = strings.ReplaceAll(text, old, new)
		}
		if want != "" && !strings.HasSuffix(want, "\n") {
			t.Skip() // the lens says so in a row that sides does not read
		}
		if b, a := sides(t, l, look(false)); b != text || a != want {
			t.Fatalf("file %q as %q, result %q as %q", text, b, want, a)
		}
	})
}
