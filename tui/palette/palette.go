// Package palette is the list of every act, found by typing (SCREENS §12).
//
// The rule it keeps: it does nothing itself. It lists what the bindings hold,
// what cannot be done now with its reason, and gives back which entry was
// chosen; what an entry does, and whether it may, is asked where its key is
// asked. What is typed or pasted is text: it filters and is drawn.
package palette

import (
	"strings"

	"nod/tui/field"
)

// Entry is one act. The words are our own.
type Entry struct {
	Act  string // as on the keys row, with "…" where more is asked
	Also string // words that find it as well; never shown
	Key  string // as the screen writes it; "" for none
	Why  string // why not now; "" when it can be done
	ID   int    // what choosing it gives
}

// Event is what a key led to.
type Event uint8

// Events.
const (
	None   Event = iota
	Choose       // the entry may be carried out
	NotNow       // the entry was chosen and cannot be done: say its Why
	Close        // Esc
)

// page is how many entries PgUp and PgDn pass.
const page = 10

// maxTyped is how many characters of a search are kept.
const maxTyped = 200

// Palette is the list, what was typed, and the selected entry.
type Palette struct {
	entries []Entry
	found   []match
	typed   field.Field
	at      int // in found
}

// New lists the entries in their order, with nothing typed.
func New(entries []Entry) *Palette {
	p := &Palette{entries: entries}
	p.search()
	return p
}

// Update replaces the entries, for instance when what can be done changed. What
// was typed stays, and the selection stays on its entry.
func (p *Palette) Update(entries []Entry) {
	e, some := p.Selected()
	p.entries = entries
	p.search()
	for i, m := range p.found {
		if some && p.entries[m.entry].ID == e.ID {
			p.at = i
		}
	}
}

// Typed is the text of the search.
func (p *Palette) Typed() string { return p.typed.Text() }

// Selected is the entry under the mark; false when nothing was found.
func (p *Palette) Selected() (Entry, bool) {
	if len(p.found) == 0 {
		return Entry{}, false
	}
	return p.entries[p.found[p.at].entry], true
}

// Key takes one key by its name, with the text that it types. Choose and
// NotNow come with the chosen entry.
func (p *Palette) Key(name, text string) (Event, Entry) {
	switch name {
	case "esc":
		return Close, Entry{}
	case "enter":
		e, some := p.Selected()
		switch {
		case !some:
			return None, Entry{}
		case e.Why != "":
			return NotNow, e
		}
		return Choose, e
	case "up", "ctrl+p":
		p.move(-1)
	case "down", "ctrl+n":
		p.move(1)
	case "pgup":
		p.move(-page)
	case "pgdown":
		p.move(page)
	case "alt+enter", "shift+enter", "ctrl+j":
		// a search has one line
	default:
		before := p.typed.Text()
		if !p.typed.Key(name) {
			p.insert(text)
		}
		if p.typed.Text() != before {
			p.search()
		}
	}
	return None, Entry{}
}

// Paste puts text into the search.
func (p *Palette) Paste(text string) {
	p.insert(text)
	p.search()
}

func (p *Palette) insert(text string) {
	text = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(text)
	if in := []rune(text); len(in)+p.typed.Len() > maxTyped {
		text = string(in[:max(maxTyped-p.typed.Len(), 0)])
	}
	p.typed.Insert(text)
}

func (p *Palette) move(n int) {
	p.at = max(min(p.at+n, len(p.found)-1), 0)
}

func (p *Palette) search() {
	p.found, p.at = find(p.entries, p.typed.Text()), 0
}
