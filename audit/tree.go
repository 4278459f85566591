package audit

import (
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"
)

// tree is a growing RFC 6962 Merkle tree, kept as the roots of its perfect
// subtrees, largest first: one for each bit of its size.
type tree struct {
	size  int64
	peaks []tlog.Hash
}

// add appends one record.
func (t *tree) add(record []byte) {
	h := tlog.RecordHash(record)
	for n := t.size; n&1 == 1; n >>= 1 {
		last := len(t.peaks) - 1
		h = tlog.NodeHash(t.peaks[last], h)
		t.peaks = t.peaks[:last]
	}
	t.peaks = append(t.peaks, h)
	t.size++
}

// root is the tree's hash; that of no record is the hash of no bytes.
func (t *tree) root() tlog.Hash {
	if t.size == 0 {
		return emptyRoot
	}
	last := len(t.peaks) - 1
	h := t.peaks[last]
	for i := last - 1; i >= 0; i-- {
		h = tlog.NodeHash(t.peaks[i], h)
	}
	return h
}

// whole reports whether the peaks are as many as the size needs.
func (t *tree) whole() bool {
	return t.size >= 0 && len(t.peaks) == bits.OnesCount64(uint64(t.size)) //nolint:gosec // not negative
}

// emptyRoot is SHA-256 of no bytes (RFC 6962 §2.1).
var emptyRoot = tlog.Hash{
	0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
	0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
}
