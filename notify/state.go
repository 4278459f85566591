package notify

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/notify/ladder"
)

// stateFile holds what was told; it is beside the store.
func stateFile(store string) string { return store + ".notified" }

// typeState is the type word of the state's document.
const typeState = "nod.notified/v1"

// Bounds of what is kept.
const (
	maxOutbox = 64
	maxLost   = 20
)

// parcel is one payload for one receiver, from when it is told until it is
// delivered or given up.
type parcel struct {
	ID     string         `json:"id"`
	Target string         `json:"target"` // its mark
	Event  ladder.Kind    `json:"event"`
	Body   jsontext.Value `json:"body"` // canonical
	Text   string         `json:"text"`
	Asks   []string       `json:"asks"` // what it is about; when all of them are answered it is not sent any more
	Tries  int            `json:"tries"`
	NextAt int64          `json:"next_at"`        // effective Unix ms
	Begun  bool           `json:"begun,omitzero"` // a try whose end nobody saw may have arrived: it is never sent again
}

// Lost is a telling that was given up.
type Lost struct {
	At     int64       `json:"at"` // effective Unix ms
	Event  ladder.Kind `json:"event"`
	Target string      `json:"target"` // webhook 1, command
	Why    string      `json:"why"`
}

// state is all that a notifier remembers.
type state struct {
	Type   string       `json:"type"`
	Store  string       `json:"store"`
	Ladder ladder.State `json:"ladder"`
	Outbox []parcel     `json:"outbox"`
	SentAt int64        `json:"sent_at,omitzero"` // the newest delivery
	Lost   []Lost       `json:"lost"`             // newest last
}

// load reads the state of a store. One of another store, put in the file's
// place with it, counts as none.
func load(store, id string, uid int) (*state, error) {
	fresh := &state{Type: typeState, Store: id}
	text, err := read(stateFile(store), uid)
	if errors.Is(err, fs.ErrNotExist) {
		return fresh, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what was told: %w", err)
	}
	var s state
	if err := json.Unmarshal(text, &s, json.RejectUnknownMembers(true)); err != nil || s.Type != typeState || !s.sound() {
		return nil, &Fault{Code: CodeState, Sentence: stateFile(store) + " is not what a notifier wrote",
			Hint: "remove it; then what waits now is told once more", Err: err}
	}
	if s.Store != id {
		return fresh, nil
	}
	return &s, nil
}

// sound reports whether what was read is what a notifier can have written: it
// is sent and printed as it stands, and counted with.
func (s *state) sound() bool {
	if len(s.Outbox) > maxOutbox || len(s.Lost) > maxLost {
		return false
	}
	for _, p := range s.Outbox { // the last try is one more than there are waits
		if !plainID.MatchString(p.ID) || !ours(string(p.Event)) || !ours(p.Text) || p.Body.Kind() != '{' ||
			p.Tries < 0 || p.Tries > len(backoff())+1 {
			return false
		}
	}
	for _, l := range s.Lost {
		if !ours(string(l.Event)) || !ours(l.Target) || !ours(l.Why) {
			return false
		}
	}
	return !slices.ContainsFunc(s.Ladder.Told, func(t ladder.Told) bool { return t.Rungs < 0 })
}

// maxOwn is longer than any word or sentence of a notifier.
const maxOwn = 400

// ours reports whether a text can be one of a notifier's own.
func ours(s string) bool {
	return len(s) <= maxOwn && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

func (s *state) save(store string, uid int) error {
	text, err := json.Marshal(s)
	if err == nil {
		err = replace(stateFile(store), append(text, '\n'), uid)
	}
	if err != nil {
		return fmt.Errorf("write what was told: %w", err)
	}
	return nil
}

func (s *state) lose(l Lost) {
	all := append(slices.Clip(s.Lost), l)
	s.Lost = all[max(len(all)-maxLost, 0):]
}

// Standing is how a store's notifier stands.
type Standing struct {
	Running bool  // a process tells of this store
	SentAt  int64 // effective Unix ms; 0 for never
	Waiting int   // tellings that are to be tried again
	Lost    []Lost
}

// Stand looks at the notifier of the store with this id.
func Stand(store, id string, uid int) (Standing, error) {
	release, taken, err := hold(store, uid)
	if err != nil {
		return Standing{}, err
	}
	if taken {
		if err := release(); err != nil {
			return Standing{}, err
		}
	}
	s, err := load(store, id, uid)
	if err != nil {
		return Standing{}, err
	}
	return Standing{Running: !taken, SentAt: s.SentAt, Waiting: len(s.Outbox), Lost: s.Lost}, nil
}
