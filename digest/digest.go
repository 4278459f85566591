package digest

import (
	"crypto/sha256"
	"encoding/hex"
)

const prefix = "sha256:"

// Of is the digest of canonical bytes: "sha256:" and the lowercase hex SHA-256.
func Of(canonical []byte) Digest {
	sum := sha256.Sum256(canonical)
	var buf [len(prefix) + 2*sha256.Size]byte
	copy(buf[:], prefix)
	hex.Encode(buf[len(prefix):], sum[:])
	return Digest(buf[:])
}

// Valid reports whether d has the one written form of a digest.
func (d Digest) Valid() bool {
	if len(d) != len(prefix)+2*sha256.Size || d[:len(prefix)] != prefix {
		return false
	}
	for _, c := range []byte(d[len(prefix):]) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Hex is the 64 hex digits of a valid digest, else "".
func (d Digest) Hex() string {
	if !d.Valid() {
		return ""
	}
	return string(d[len(prefix):])
}

// Short is the first 12 hex digits, for lists and messages; it identifies
// nothing and binds nothing. A digest that is not valid has none.
func (d Digest) Short() string {
	if !d.Valid() {
		return ""
	}
	return string(d[len(prefix) : len(prefix)+12])
}
