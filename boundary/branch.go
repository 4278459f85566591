package boundary

import (
	"errors"

	"nod/digest"
)

// Standing is what the records on a branch come to.
type Standing string

// Standings.
const (
	Absent    Standing = "absent"
	Recorded  Standing = "recorded"
	Malformed Standing = "malformed"
)

// Branch is what was read of the entries of a conversation.
type Branch struct {
	Standing Standing
	Tree     Tree   // absent: none; recorded: the join of all records; malformed: the strictest
	Content  bool   // absent: content is on it; recorded: content follows the newest record
	Record   string // recorded: the newest record's id, if that is a string
	Why      string // malformed: one sentence
	Entry    string // malformed: the unreadable entry's id, if that is a string
}

// ReadBranch reads a branch's entries, each one JSON document, oldest first. An
// entry that is not an object is skipped; one unreadable record, or an entry
// that does not read at all, makes the whole branch malformed.
func ReadBranch(entries [][]byte) Branch {
	b := Branch{Standing: Absent}
	for _, raw := range entries {
		at, _, is, err := members(raw)
		if err != nil {
			return malformed("an entry of the branch is not strict JSON", "")
		}
		if !is {
			continue
		}
		switch kind, _ := at["type"].Text(); kind {
		case "message", "custom_message", "compaction":
			b.Content = true
		case "custom":
			if word, _ := at["customType"].Text(); word != RecordType {
				continue
			}
			id, _ := at["id"].Text()
			t, err := ReadRecord(at["data"])
			if err != nil {
				return malformed(sentence(err), id)
			}
			b = Branch{Standing: Recorded, Tree: b.Tree.Join(t), Record: id}
		}
	}
	return b
}

func malformed(why, id string) Branch {
	return Branch{Standing: Malformed, Tree: Strictest(), Why: why, Entry: id}
}

func sentence(err error) string {
	var e *digest.Error
	if errors.As(err, &e) {
		return e.Sentence
	}
	return err.Error()
}

// Resumed is a session's tree after its branch was read. On a governed tree,
// content that no record covers counts as an off-target read.
func Resumed(live Tree, b Branch) Tree {
	t := live.Join(b.Tree)
	t.Observed = t.Observed || t.Governed && b.Content
	return t
}
