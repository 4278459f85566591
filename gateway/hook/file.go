package hook

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"nod/digest"
	"nod/queue"
	"nod/run/operand"
)

// fileOperand is the name of the operand of a tool that changes a file.
const fileOperand = "file"

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

// operands digests the file that a call changes, as it is now. A file that is
// not there, is not a regular one or may not be read has no operand; when that
// changes before the begin, the action is another one.
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
	switch {
	case err == nil:
		return []queue.Operand{{Name: fileOperand, Digest: d}}, nil
	case errors.Is(err, operand.ErrTooLarge), ctx.Err() != nil:
		return nil, fmt.Errorf("digest the file that the call changes: %w", err)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, operand.ErrNotRegular):
		return nil, nil
	default:
		return nil, fmt.Errorf("digest the file that the call changes: %w", err)
	}
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
