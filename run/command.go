package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
	"nod/queue"
	"nod/run/operand"
)

// maxFiles bounds how many files that arguments name are digested.
const maxFiles = 256

// command is one command, resolved: the files that it names are open or
// remembered, digested, and stand on the card.
type command struct {
	argv  []string
	dir   *os.File // the working directory, held: its name can lead elsewhere later
	exe   *os.File // opened for reading; what is started where the platform can
	path  string   // absolute
	env   []string
	files []seen
	call  queue.Call
}

// seen is a digested file as it was then.
type seen struct {
	path string
	info fs.FileInfo
}

// arguments are the arguments of the action.
type arguments struct {
	Argv        []string `json:"argv"`
	Executable  string   `json:"executable"`
	Interpreter []string `json:"interpreter,omitempty"` // of a script: its #! line's program, resolved
	Stdin       string   `json:"stdin"`                 // none, terminal, pipe, file, other
}

// resolve finds and digests what argv names, as it is now. The caller closes.
func (d *Deps) resolve(ctx context.Context, argv []string) (*command, error) {
	if len(argv) == 0 || argv[0] == "" {
		return nil, errors.New("no command is given")
	}
	if !filepath.IsAbs(d.Dir) {
		return nil, errors.New("the working directory is not known")
	}
	for i, a := range argv {
		if !utf8.ValidString(a) {
			return nil, &digest.Error{Code: digest.CodeBadUTF8, Pointer: "/arguments/argv/" + strconv.Itoa(i),
				Sentence: "an argument of the command is not UTF-8, so a card cannot show it", Hint: "give the command arguments that are UTF-8"}
		}
	}
	c := &command{argv: argv}
	vars, env := d.environment()
	c.env = env
	path, err := lookUp(argv[0], d.Dir, vars["PATH"])
	if err != nil {
		return nil, err
	}
	if c.dir, err = openDir(d.Dir); err != nil {
		return nil, err
	}
	c.path = path
	c.call = queue.Call{Tool: Tool, Cwd: d.Dir, Vars: vars, Effect: d.Effect}
	args := arguments{Argv: argv, Executable: path}
	if err := c.digestAll(ctx, d, &args); err != nil {
		c.close()
		return nil, err
	}
	body, err := json.Marshal(args)
	if err != nil {
		c.close()
		return nil, fmt.Errorf("write the command down: %w", err)
	}
	c.call.Arguments = jsontext.Value(body)
	return c, nil
}

// openDir opens the working directory by its name.
func openDir(name string) (*os.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open the working directory: %w", err)
	}
	if info, err := f.Stat(); err != nil || !info.IsDir() {
		_ = f.Close() // opened for reading
		return nil, fmt.Errorf("open the working directory: %q is no directory", name)
	}
	return f, nil
}

// sameDir reports whether c and other stand in one directory, and whether its
// name still leads there.
func (c *command) sameDir(other *command) bool {
	a, err := c.dir.Stat()
	if err != nil {
		return false
	}
	b, err := other.dir.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(c.dir.Name())
	return err == nil && os.SameFile(a, b) && os.SameFile(a, now)
}

func (c *command) close() {
	if c.dir != nil {
		_ = c.dir.Close() // opened for reading
	}
	if c.exe != nil {
		_ = c.exe.Close() // opened for reading
	}
}

// digestAll digests the executable, its interpreters, the files that arguments
// name and stdin when that is a file.
func (c *command) digestAll(ctx context.Context, d *Deps, args *arguments) error {
	var err error
	if c.exe, err = operand.Open(c.path); err != nil {
		return fmt.Errorf("open the executable: %w", err)
	}
	if err := c.add(ctx, "executable", c.path, c.exe); err != nil {
		return err
	}
	programs, err := interpreters(c.exe, d.Dir, c.call.Vars["PATH"])
	if err != nil {
		return fmt.Errorf("find the script's interpreter: %w", err)
	}
	for i, path := range programs {
		if err := c.addFile(ctx, "interpreter/"+strconv.Itoa(i), path); err != nil {
			return err
		}
	}
	args.Interpreter = programs
	runs := len(programs) > 0 || interprets(c.path) || interprets(c.argv[0])
	if behind, err := filepath.EvalSymlinks(c.path); err == nil {
		runs = runs || interprets(behind)
	}
	if err := c.addArguments(ctx, d.Dir, runs); err != nil {
		return err
	}
	args.Stdin, err = c.stdin(ctx, d.Stdin)
	return err
}

// skipLarge is the size from which a file that an argument names is digested
// only where the program is known to run what its arguments name: a copied disk
// image is data, and reading it twice would take minutes.
const skipLarge = 64 << 20

// addArguments digests the regular files that arguments name, also behind the
// "=" of an option: which of them a program runs, only the program knows.
func (c *command) addArguments(ctx context.Context, dir string, runs bool) error {
	for i, a := range c.argv[1:] {
		name := "argv/" + strconv.Itoa(i+1)
		if err := c.addArgument(ctx, name, a, dir, runs); err != nil {
			return err
		}
		if _, value, ok := strings.Cut(a, "="); ok {
			if err := c.addArgument(ctx, name+"/value", value, dir, runs); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *command) addArgument(ctx context.Context, name, a, dir string, runs bool) error {
	if a == "" {
		return nil
	}
	path := absolute(a, dir)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || !runs && info.Size() > skipLarge {
		return nil //nolint:nilerr // it names no file that is digested
	}
	if len(c.call.Operands) >= maxFiles {
		return fmt.Errorf("the command names more than %d files", maxFiles)
	}
	return c.addFile(ctx, name, path)
}

func (c *command) addFile(ctx context.Context, name, path string) error {
	f, err := operand.Open(path)
	if err != nil {
		return fmt.Errorf("open what the command reads: %w", err)
	}
	defer func() { _ = f.Close() }() // opened for reading
	return c.add(ctx, name, path, f)
}

func (c *command) add(ctx context.Context, name, path string, f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("look at what the command reads: %w", err)
	}
	sum, err := operand.Of(ctx, f)
	if err != nil {
		return fmt.Errorf("digest what the command reads: %w", err)
	}
	c.files = append(c.files, seen{path, info})
	c.call.Operands = append(c.call.Operands, queue.Operand{Name: name, Digest: sum})
	return nil
}

// unchanged reports whether every digested file is still the one it was.
func (c *command) unchanged() bool {
	return c.sameDir(c) && !slices.ContainsFunc(c.files, func(s seen) bool {
		info, err := os.Stat(s.path)
		return err != nil || !operand.Same(info, s.info)
	})
}

// stdin says what the command will read from; a file's rest is an operand.
func (c *command) stdin(ctx context.Context, r io.Reader) (string, error) {
	f, isFile := r.(*os.File)
	switch {
	case r == nil:
		return "none", nil
	case !isFile:
		return "pipe", nil
	}
	info, err := f.Stat()
	if err != nil {
		return "none", nil //nolint:nilerr // a closed stdin is none
	}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		at, err := f.Seek(0, io.SeekCurrent)
		if err != nil {
			return "", fmt.Errorf("look at stdin: %w", err)
		}
		sum, err := operand.Reader(ctx, io.NewSectionReader(f, at, operand.MaxBytes+1))
		if err != nil {
			return "", fmt.Errorf("digest stdin: %w", err)
		}
		c.call.Operands = append(c.call.Operands, queue.Operand{Name: "stdin", Digest: sum})
		return "file", nil
	case mode&fs.ModeNamedPipe != 0, mode&fs.ModeSocket != 0:
		return "pipe", nil
	case mode&fs.ModeCharDevice != 0:
		if null, err := os.Stat(os.DevNull); err == nil && os.SameFile(null, info) {
			return "none", nil
		}
		return "terminal", nil
	}
	return "other", nil
}
