package notify

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"nod/ownfile"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	keyFile   = "notify.key"
	keyPrefix = "whsec_" // Standard Webhooks' mark of a secret
	keyBytes  = 32
)

// Key signs payloads (Standard Webhooks 1.0.0, symmetric). It prints as
// nothing of itself.
type Key struct{ secret []byte }

// String keeps the secret out of whatever prints a Key.
func (Key) String() string { return "Key" }

// GoString is String.
func (Key) GoString() string { return "Key" }

// KeyFile is where the key in a state directory is: one line, whsec_ and 32
// bytes in base64.
func KeyFile(dir string) string { return filepath.Join(dir, keyFile) }

// OpenKey reads the key in dir, which is there already, 0700, of the user uid
// (-1 where a system has none). The first one to open it makes it out of
// random; whoever else opens it at that moment gets the same key.
func OpenKey(dir string, uid int, random io.Reader) (Key, error) {
	text, err := read(KeyFile(dir), uid)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeKey(dir, random); err != nil {
			return Key{}, fmt.Errorf("make the notifier's key: %w", err)
		}
		text, err = read(KeyFile(dir), uid)
	}
	if err != nil {
		return Key{}, fmt.Errorf("read the notifier's key: %w", err)
	}
	return parseKey(strings.TrimSuffix(string(text), "\n"), KeyFile(dir))
}

func parseKey(text, name string) (Key, error) {
	coded, marked := strings.CutPrefix(text, keyPrefix)
	secret, err := base64.StdEncoding.Strict().DecodeString(coded)
	if !marked || err != nil || len(secret) < 24 || len(secret) > 64 {
		return Key{}, &Fault{Code: CodeKey, Sentence: name + " holds no key (" + keyPrefix + " and 24 to 64 bytes in base64)",
			Hint: "remove the file to get a new key, and give that to your receivers"}
	}
	return Key{secret}, nil
}

// makeKey writes a new key, unless there is one.
func makeKey(dir string, random io.Reader) error {
	secret := make([]byte, keyBytes)
	if _, err := io.ReadFull(random, secret); err != nil {
		return err
	}
	return ownfile.Once(dir, keyFile, keyPrefix+base64.StdEncoding.EncodeToString(secret)+"\n")
}

// Sign signs one attempt: HMAC-SHA256 over "id.seconds.body". id has no dot.
func (k Key) Sign(id string, seconds int64, body []byte) string {
	mac := hmac.New(sha256.New, k.secret)
	mac.Write([]byte(id + "." + strconv.FormatInt(seconds, 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
