package cardview

import (
	"nod/digest/visible"
	"nod/themes"
)

// Role says what a span is, for the theme to draw.
type Role uint8

// Roles of spans.
const (
	RolePad    Role = iota // layout: blanks
	RoleUnread             // layout: the gutter of a line that does not count as read
	RoleAsked              // layout: the gutter of the line whose value is asked for
	RoleWrap               // layout: the glyph in the label's place of a wrapped row
	RoleBar                // the card's bar
	RoleLabel              // a label; the dot of a continuation
	RoleText               // what a value says
	RoleQuote              // Nod's own quotes around a string
	RoleMark               // ⏎ ⇥ ␍
	RoleEscape             // an escape: the character itself is not shown
	RoleCount              // a run that is counted, not shown
	RolePoint              // the code point after a character of a name
	RoleOwn                // Nod's own words
	RoleAbsent             // what the ask leaves out
	RoleAgent              // the agent's own words
	RoleNow                // strip: lines that are on the screen
	RoleBefore             // strip: lines that were shown before
)

// Theme returns the role that a theme gives colours to.
func (r Role) Theme() themes.Role {
	switch r {
	case RoleLabel, RoleBar, RoleAgent, RoleOwn, RoleBefore:
		return themes.Muted
	case RoleWrap, RoleMark, RoleQuote, RoleAbsent:
		return themes.Faint
	case RoleUnread, RoleEscape, RoleCount, RolePoint:
		return themes.Warn
	case RoleAsked, RoleNow:
		return themes.Accent
	default:
		return themes.Text
	}
}

// Layout tells whether the span is layout, which is no part of the card.
func (r Role) Layout() bool { return r <= RoleWrap }

// glyphs are the characters that layout adds, and the card's bar.
type glyphs struct {
	unread, asked, wrap, bar, more visible.Text
	now, before                    visible.Text
}

var (
	unicodeGlyphs = glyphs{
		unread: visible.Own("░"), asked: visible.Own("▸"), wrap: visible.Own("↳"),
		bar: visible.Own("│"), more: visible.Own("·"),
		now: visible.Own("━"), before: visible.Own("─"),
	}
	asciiGlyphs = glyphs{
		unread: visible.Own("."), asked: visible.Own(">"), wrap: visible.Own(">"),
		bar: visible.Own("|"), more: visible.Own("."),
		now: visible.Own("="), before: visible.Own("-"),
	}
)
