package form

import (
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// Event is what a key led to. None of them decides anything.
type Event uint8

// Events.
const (
	None   Event = iota
	Done         // Enter on the last field, or Ctrl+S: back to the ask
	Cancel       // Esc: back to the ask, what was typed stays in the form
)

// Form is the fields of one question and what was entered.
type Form struct {
	question string // the agent's words
	object   bool   // the answer is an object, else the one field's value
	groups   []head
	entries  []*entry
	whole    *jsonschema.Resolved
	at       int // the field in use
}

// New makes the form of a question; false when its schema has anything that a
// form cannot show. Both the text and the schema are the agent's.
func New(text string, schema jsontext.Value) (*Form, bool) {
	f := &Form{question: text}
	if !f.read(schema) {
		return nil, false
	}
	for _, e := range f.entries {
		e.settle()
	}
	return f, true
}

// At gives which field is in use, from 1, and how many there are.
func (f *Form) At() (field, of int) { return f.at + 1, len(f.entries) }

// Options reports whether one, or some, of several options are chosen in the
// field in use; in every other field the keys are text.
func (f *Form) Options() (one, some bool) {
	e := f.entries[f.at]
	return e.options != nil && e.kind != kindSome, e.kind == kindSome
}

// Touched reports whether anything was entered.
func (f *Form) Touched() bool {
	for _, e := range f.entries {
		if e.given() {
			return true
		}
	}
	return false
}

// Key takes one key by its name, with the text that it types.
func (f *Form) Key(name, text string) Event {
	e := f.entries[f.at]
	e.long = false
	switch name {
	case "esc":
		return Cancel
	case "ctrl+s":
		return Done
	case "enter":
		if f.at == len(f.entries)-1 {
			return Done
		}
		f.at++
		return None
	case "tab":
		f.at = (f.at + 1) % len(f.entries)
		return None
	case "shift+tab":
		f.at = (f.at + len(f.entries) - 1) % len(f.entries)
		return None
	}
	if e.options != nil {
		e.choose(name)
	} else if !f.neighbour(name) {
		e.write(name, text)
	}
	e.settle()
	return None
}

// neighbour moves between fields where the arrows have nothing to choose.
func (f *Form) neighbour(name string) bool {
	switch name {
	case "up":
		f.at = max(f.at-1, 0)
	case "down":
		f.at = min(f.at+1, len(f.entries)-1)
	default:
		return false
	}
	return true
}

// Paste puts text into a field that is written; it chooses nothing and moves
// nowhere.
func (f *Form) Paste(text string) {
	e := f.entries[f.at]
	if e.options != nil || text == "" {
		return
	}
	e.long = !e.line.Insert(text)
	e.settle()
}

// write takes a key of a text or number.
func (e *entry) write(name, text string) {
	switch {
	case name == "ctrl+n":
		e.empty = e.line.Len() == 0 && !e.empty
	case e.line.Key(name):
		if name == "ctrl+u" && e.line.Len() == 0 {
			e.empty = false
		}
	case text != "":
		e.long = !e.line.Insert(text)
	}
	if e.line.Len() > 0 {
		e.empty = false
	}
}

// choose takes a key of a field with options.
func (e *entry) choose(name string) {
	last := len(e.options) - 1
	to := e.at
	switch name {
	case "up", "left":
		to--
	case "down", "right":
		to++
	case "home", "pgup":
		to = 0
	case "end", "pgdown":
		to = last
	case "space":
		if e.kind == kindSome {
			e.marked[e.at] = !e.marked[e.at]
			e.stated = true
			return
		}
	case "ctrl+u", "backspace", "delete":
		clear(e.marked)
		e.stated = false
		return
	case "ctrl+n":
		if e.kind == kindSome {
			clear(e.marked)
			e.stated = !e.stated
		}
		return
	default:
		return
	}
	if e.kind == kindSome {
		e.at = max(min(to, last), 0)
		return
	}
	if !e.stated { // the first key chooses where the mark stands
		to = e.at
		if name == "end" || name == "pgdown" {
			to = last
		}
	}
	clear(e.marked)
	e.at = max(min(to, last), 0)
	e.marked[e.at], e.stated = true, true
}
