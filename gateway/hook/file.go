package hook

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"nod/digest"
	"nod/queue"
	"nod/run/operand"
)

// Names of the operand of a tool that changes a file. Where links lead to
// another place than the path says, the place follows: a link that is turned
// elsewhere makes another action.
const (
	fileOperand = "file"
	noFile      = "no file" // with the digest of no bytes
	atPlace     = " at "
)

// fileArgument is the argument that names the file a tool changes; "" for a
// tool that changes none. What a tool only reads is its result, not an operand.
func fileArgument(tool string) string {
	switch tool {
	case "Edit", "MultiEdit", "Write":
		return "file_path"
	case "NotebookEdit":
		return "notebook_path"
	}
	return ""
}

// operands digests the file that a call changes, as it is now, or says that
// there is none. What is not a regular file or may not be read has no operand;
// when that changes before the begin, the action is another one.
func operands(ctx context.Context, tool, cwd string, args digest.JSON) ([]queue.Operand, error) {
	name := fileArgument(tool)
	if name == "" {
		return nil, nil
	}
	path, named := textAt(args, "/"+name)
	if !named {
		return nil, nil // the host refuses it; the card shows what it is
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(cwd, path)
	}
	d, err := operand.File(ctx, path)
	o := queue.Operand{Name: fileOperand, Digest: d}
	switch {
	case err == nil:
	case errors.Is(err, operand.ErrTooLarge), ctx.Err() != nil:
		return nil, fmt.Errorf("digest the file that the call changes: %w", err)
	case errors.Is(err, fs.ErrNotExist):
		o = queue.Operand{Name: noFile, Digest: digest.Of(nil)}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, operand.ErrNotRegular):
		return nil, nil
	default:
		return nil, fmt.Errorf("digest the file that the call changes: %w", err)
	}
	if place := place(path, maxLinks); place != filepath.Clean(path) {
		o.Name += atPlace + place
	}
	return []queue.Operand{o}, nil
}

// maxLinks is how many links are followed, as by the system.
const maxLinks = 40

// place is where a path leads when every link of it is followed, also one to
// nothing, because a host that writes there makes the file.
func place(path string, links int) string {
	path = filepath.Clean(path)
	dir := filepath.Dir(path)
	if dir == path || links == 0 {
		return path
	}
	path = filepath.Join(place(dir, links), filepath.Base(path))
	target, err := os.Readlink(path)
	if err != nil { // no link, or nothing there
		return path
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(path), target)
	}
	return place(target, links-1)
}

// textAt is the text at a pointer; false for none, an empty one or another type.
func textAt(args digest.JSON, pointer string) (string, bool) {
	v, there := digest.Lookup(args, pointer)
	var text string
	if !there || json.Unmarshal(v, &text) != nil {
		return "", false
	}
	return text, text != ""
}
