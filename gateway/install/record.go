package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"

	"nod/digest"
)

// record is what an installation remembers. It lies in Nod's own directory,
// one file for each settings file.
type record struct {
	Settings string        `json:"settings"`
	Existed  bool          `json:"existed"`
	Before   *string       `json:"before,omitzero"` // the whole text without the gate, good while the file is After
	After    digest.Digest `json:"after"`           // of the text that was written
	Was      was           `json:"was"`
}

// recordOf names the record of a settings file: base's name with a digest of
// the file's own absolute path in it.
func recordOf(base, target string) string {
	ext := filepath.Ext(base)
	_, sum, _ := strings.Cut(string(digest.Of([]byte(target))), ":")
	return strings.TrimSuffix(base, ext) + "-" + sum[:recordDigits] + ext
}

// recordDigits is how much of the digest a name has: settings files are few.
const recordDigits = 16

// remembered reads the record of the plan's settings; nil without one. Older
// versions had one record, base, for whatever was installed last: it counts
// when it is of these settings, and then it goes when the plan is carried out.
func (p *Plan) remembered(base string) (*record, error) {
	p.record = recordOf(base, p.Target)
	r, err := readRecord(p.record)
	if err != nil || r != nil {
		return r, err
	}
	if r, err = readRecord(base); err != nil || r == nil || r.Settings != p.Target {
		return nil, err
	}
	p.older = base
	return r, nil
}

func readRecord(path string) (*record, error) {
	body, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	r := new(record)
	if err == nil {
		err = json.Unmarshal(body, r)
	}
	if err != nil {
		return nil, &Error{
			Code: CodeRecord, Sentence: "what an earlier installation remembered cannot be read", Err: err,
			Hint: "remove " + path + " to go on without it; an uninstall then cannot put the earlier settings back",
		}
	}
	return r, nil
}

// keep writes the record, or takes it away when there is nothing to remember.
func (p *Plan) keep() error {
	if p.write == nil {
		return p.forget(p.record)
	}
	body, err := json.Marshal(p.write)
	if err == nil {
		err = writeWhole(p.record, body, 0o600, 0o700)
	}
	if err != nil {
		return notWritten(p.record, err)
	}
	return nil
}

func (p *Plan) forget(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return notWritten(path, err)
	}
	return nil
}
