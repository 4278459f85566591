package queue

import (
	"nod/digest"
)

// TypeBatch names the document that a batch's code is typed for.
const TypeBatch = "nod.batch/v1"

// BatchDigest is the digest of {"shown":[…],"type":"nod.batch/v1"}: the shown
// digests of a batch, in order. Its first four characters are the batch's code.
func BatchDigest(shown []digest.Digest) digest.Digest {
	b := append(make([]byte, 0, 64+80*len(shown)), `{"shown":[`...)
	for i, d := range shown {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = append(b, d...)
		b = append(b, '"')
	}
	b = append(b, `],"type":"`...)
	b = append(b, TypeBatch...)
	return digest.Of(digest.JSON(append(b, `"}`...)))
}
