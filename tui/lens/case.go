package lens

import (
	"nod/digest"
	"nod/queue"
)

// Case is an ask that was answered before.
type Case struct {
	Ask *digest.Ask
	Row queue.Row
}
