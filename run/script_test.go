//go:build unix

package run

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestShebangIsReadAsTheKernelDoes(t *testing.T) {
	for text, want := range map[string]struct {
		name, arg string
		script    bool
		err       bool
	}{
		"#!/bin/sh\n":               {name: "/bin/sh", script: true},
		"#! \t/bin/sh \t -e  x \n":  {name: "/bin/sh", arg: "-e  x", script: true},
		"#!/bin/sh":                 {name: "/bin/sh", script: true},
		"#!/bin/sh\x00-e\n":         {name: "/bin/sh", script: true},
		"#!/tmp/sh\r\n":             {name: "/tmp/sh\r", script: true}, // the \r is part of the name
		"#!/tmp/sh\u00a0x\n":        {name: "/tmp/sh\u00a0x", script: true},
		"#!/tmp/sh\vx\n":            {name: "/tmp/sh\vx", script: true},
		"#!python3\n":               {name: "python3", script: true},
		"#!/usr/bin/env -S a=1 x\n": {name: "/usr/bin/env", arg: "-S a=1 x", script: true},
		"#!\n":                      {err: true},
		"#!  ":                      {err: true},
		"#!/bin/" + strings.Repeat("x", 300) + "\n": {err: true},
		"\x7fELF":     {},
		"":            {},
		"# /bin/sh\n": {},
		" #!/bin/sh":  {},
	} {
		name, arg, script, err := shebang(strings.NewReader(text))
		if name != want.name || arg != want.arg || script != want.script || (err != nil) != want.err {
			t.Errorf("shebang(%.30q) = %q, %q, %v, %v", text, name, arg, script, err)
		}
	}
}

func TestEnvStartsWhatIsShownOrNothing(t *testing.T) {
	for arg, want := range map[string]string{
		"python3": "python3", "./tool": "./tool", "-Sdeno run": "deno", "-S node --flag": "node", "-S  sh": "sh",
		"": "", "python3 -x": "", "-i sh": "", "-u A sh": "", "-S A=1 sh": "", "-S PATH=/x sh": "", "-S -i sh": "",
		"A=1": "", "--split-string=sh": "", `-S "sh"`: "", `-S s\_h`: "", "-S ${X}": "", "-vS sh": "", "-S": "", "-C dir sh": "",
	} {
		got, err := envProgram(arg)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("envProgram(%q) = %q, %v, want %q", arg, got, err, want)
		}
	}
}

func TestEveryInterpreterIsNamed(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	t.Chdir(dir)
	write := func(path, text string) string {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	native := write(filepath.Join(bin, "native"), "\x7fELF")
	env := write(filepath.Join(bin, "env"), "\x7fELF")
	one := write(filepath.Join(bin, "one"), "#!"+native+"\n")
	two := write(filepath.Join(bin, "two"), "#!"+one+" x\n")
	here := write(filepath.Join(dir, "here"), "\x7fELF")
	for level, from := 0, two; level < 4; level++ {
		from = write(filepath.Join(bin, "deep"+strings.Repeat("r", level)), "#!"+from+"\n")
	}
	for text, c := range map[string]struct {
		path string
		want []string
		err  error
	}{
		"\x7fELF":                                   {},
		"#!" + native + "\n":                        {want: []string{native}},
		"#!" + two + "\n":                           {want: []string{two, one, native}},
		"#!here\n":                                  {path: bin, want: []string{here}}, // never by PATH
		"#!native\n":                                {path: bin, err: os.ErrNotExist},  // the kernel looks into the directory
		"#!" + env + " native\n":                    {path: bin, want: []string{env, native}},
		"#!" + env + " two\n":                       {path: bin, want: []string{env, two, one, native}},
		"#!" + env + " -S native -x\n":              {path: bin, want: []string{env, native}},
		"#!" + env + " here\n":                      {path: ":" + bin, err: errPathGap},
		"#!" + env + " native\n#":                   {path: bin + ":", want: []string{env, native}}, // found before the gap
		"#!" + env + " native\n##":                  {path: ".:" + bin, err: errPathGap},
		"#!" + env + " -S A=1 native\n":             {path: bin, err: errEnvLine},
		"#!" + env + " gone\n":                      {path: bin, err: errNotFound},
		"#!" + filepath.Join(bin, "deeprrr") + "\n": {err: errDeep},
	} {
		got, err := interpreters(strings.NewReader(text), dir, c.path)
		if !slices.Equal(got, c.want) || !errors.Is(err, c.err) {
			t.Errorf("%q in %q: %q, %v; want %q, %v", text, c.path, got, err, c.want, c.err)
		}
	}
}
