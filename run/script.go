package run

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"nod/run/operand"
)

// What the kernel reads of a script, and how deep it follows interpreters that
// are scripts themselves (Linux fs/binfmt_script.c and exec_binprm).
const (
	kernelReads  = 256
	kernelLevels = 5
)

var (
	errLongLine = errors.New("its first line is longer than the kernel reads")
	errDeep     = errors.New("interpreters that are scripts follow each other too deep")
	errEnvLine  = errors.New("its first line gives env more than a program's name, which cannot be shown exactly")
	errPathGap  = errors.New("PATH has an empty or relative entry before it, which means another program in every directory")
)

// interpreters gives the programs that stand between an executable and its
// text, in the order the kernel finds them: each interpreter as an absolute
// path, the one that env starts included. Nil for what is no script. What
// cannot be known exactly is an error: a program that runs must be on the card.
func interpreters(f io.ReaderAt, dir, path string) ([]string, error) {
	var programs []string
	for level := 0; ; level++ {
		name, arg, ok, err := shebang(f)
		if err != nil || !ok {
			return programs, err
		}
		if level == kernelLevels {
			return nil, errDeep
		}
		next := absolute(name, dir) // a relative one is found from the working directory
		programs = append(programs, next)
		if filepath.Base(next) == "env" {
			if name, err = envProgram(arg); err != nil {
				return nil, err
			}
			if next, err = lookUpAsEnv(name, dir, path); err != nil {
				return nil, err
			}
			programs = append(programs, next)
		}
		file, err := operand.Open(next)
		if err != nil {
			return nil, err
		}
		defer func() { _ = file.Close() }() // opened for reading
		f = file
	}
}

// shebang reads a script's first line as the kernel does: after "#!" spaces and
// tabs, the interpreter up to a space, a tab or the end, and all the rest,
// trimmed of spaces and tabs, as one argument.
func shebang(f io.ReaderAt) (name, arg string, ok bool, err error) {
	buf := make([]byte, kernelReads)
	n, err := f.ReadAt(buf, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", "", false, err
	}
	line, ok := bytes.CutPrefix(buf[:n], []byte("#!"))
	if !ok {
		return "", "", false, nil
	}
	if end := bytes.IndexAny(line, "\n\x00"); end >= 0 {
		line = line[:end]
	} else if n == kernelReads {
		return "", "", false, errLongLine
	}
	const blank = " \t"
	text := strings.Trim(string(line), blank)
	if text == "" {
		return "", "", false, errors.New("its first line names no interpreter")
	}
	if at := strings.IndexAny(text, blank); at >= 0 {
		return text[:at], strings.TrimLeft(text[at:], blank), true, nil
	}
	return text, "", true, nil
}

// plainWords are words that env -S takes as they are: no quotes, no escapes, no
// variables, no assignments.
var plainWords = regexp.MustCompile(`^[A-Za-z0-9_./+][A-Za-z0-9_./+:,@%-]*( +[A-Za-z0-9_./+:,@%-]+)*$`)

// envProgram gives the program that env starts for the one argument of a
// script's first line: a name, or -S and plain words.
func envProgram(arg string) (string, error) {
	words, split := strings.CutPrefix(arg, "-S")
	words = strings.Trim(words, " ")
	if !plainWords.MatchString(words) || !split && strings.Contains(words, " ") {
		return "", errEnvLine
	}
	name, _, _ := strings.Cut(words, " ")
	return name, nil
}

// lookUpAsEnv finds what execvp finds. Where an entry of PATH means another
// directory for everybody, it refuses rather than guesses.
func lookUpAsEnv(name, dir, path string) (string, error) {
	if strings.Contains(name, "/") {
		p := absolute(name, dir)
		return p, executable(p)
	}
	for _, entry := range strings.Split(path, ":") {
		if !filepath.IsAbs(entry) {
			return "", fmt.Errorf("find %q: %w", name, errPathGap)
		}
		if p := filepath.Join(entry, name); executable(p) == nil {
			return p, nil
		}
	}
	return "", fmt.Errorf("%w: %q", errNotFound, name)
}

// absolute is the path that name stands for in dir. It is not cleaned: behind a
// link, ".." leads elsewhere than its text says.
func absolute(name, dir string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return dir + string(filepath.Separator) + strings.TrimPrefix(name, "."+string(filepath.Separator))
}
