package card

import (
	"bytes"
	"strings"

	"nod/digest/visible"
)

// Group says what a line is about. Groups follow one another in this order and
// may be set apart on the screen.
type Group uint8

// Groups of lines.
const (
	GroupHead      Group = iota // the first line
	GroupWhat                   // kind, question, tool, environment
	GroupEffect                 // effect key, class, access, commit boundary
	GroupReasons                // reasons, why
	GroupArguments              // arguments, operands, lifted
	GroupWho                    // agent, user, host, session, parents
	GroupDeadlines              // answer by, use within
	GroupReadings               // descriptor and its readings
	GroupOrigin                 // replaces, derived from, edited by
	GroupProvider               // the provider's contract (desk page)
	GroupAttempts               // attempts (desk page)
	GroupFacts                  // who says what happened (desk page)
	GroupIDs                    // ask id, action digest; effect id
	GroupWords                  // the agent's own words
	GroupNotStated              // what the document leaves out
)

// Form says how a value is written.
type Form uint8

// Forms of values.
const (
	FormHead   Form = iota // the first line, which has no value
	FormString             // in quotes, drawn
	FormBare               // a number, word, id, digest, time or empty container
	FormOwn                // Nod's own: a list's length, a list of words, not stated
)

// Line is one line of a card, as it lies between two line feeds.
type Line struct {
	// Start and End are the bytes of the line in the card, without its line
	// feed; Bar is where " │ " begins, or Start on the first line. The line is
	// the bytes up to Bar, " │ " when there are any, and Text.
	Start, Bar, End int
	// Label is the label as drawn and without padding; a continuation repeats
	// nothing and has an empty one.
	Label visible.Text
	// Text is what stands right of the bar (on the first line: all of it).
	Text visible.Text
	// Stem is the closed part of the label and Pointer the RFC 6901 pointer
	// that follows it, undrawn: untrusted text. A continuation has those of its
	// value.
	Stem, Pointer string
	// Value counts the values of the card from 0, and is -1 on the first line;
	// all lines of one value share it.
	Value     int
	Group     Group
	Form      Form
	Continued bool // continues the value of the line before
	Last      bool // the value ends here
}

// Quotes says whether the text begins and ends with a quote that is Nod's own.
func (l *Line) Quotes() (first, last bool) {
	return l.Form == FormString && !l.Continued, l.Form == FormString && l.Last
}

// Lines splits a card into its lines. It never fails: on a text that is no card
// the lines are the lines of the text, drawn so that they can be shown.
func Lines(card []byte) []Line {
	text := string(card)
	out := make([]Line, 0, 1+bytes.Count(card, []byte{'\n'}))
	for start, value := 0, -1; start <= len(text); {
		end := len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		l := Line{Start: start, Bar: start, End: end, Last: true, Value: -1}
		at := -1
		if start > 0 {
			at = strings.Index(text[start:end], bar)
		}
		if at < 0 {
			l.Text = visible.Drawn(text[start:end])
		} else {
			l.Bar = start + at
			l.Text = visible.Drawn(text[l.Bar+len(bar) : end])
			if _, ok := continuation(text[start:end]); ok && value >= 0 {
				before := &out[len(out)-1]
				before.Last = false
				l.Continued, l.Stem, l.Pointer = true, before.Stem, before.Pointer
				l.Group, l.Form = before.Group, before.Form
			} else {
				value++
				l.label(text[start:l.Bar])
			}
			l.Value = value
		}
		out = append(out, l)
		start = end + 1
	}
	return out
}

// label fills what follows from the label of a value's first line.
func (l *Line) label(padded string) {
	lab := strings.TrimRight(padded, " ")
	l.Label = visible.Drawn(lab)
	stem, pointer := splitLabel(lab)
	l.Stem = stem
	if p, err := visible.Undraw(visible.Label, pointer); err == nil {
		l.Pointer = p
	}
	l.Group = groupOf(stem)
	switch text := l.Text.String(); {
	case strings.HasPrefix(text, `"`):
		l.Form = FormString
	case stem == stemNotStated, strings.HasPrefix(text, owns):
		l.Form = FormOwn
	default:
		l.Form = FormBare
	}
}

// groupOf returns the group of a stem.
func groupOf(stem string) Group {
	switch stem {
	case stemKind, stemQuestion, stemSchema, stemTool, stemOperation, stemEnvironment, stemCwd, stemMachine, stemVars:
		return GroupWhat
	case stemState, stemMark, stemEffectKey, stemOrdinal, stemClass, stemAccess, stemBoundary:
		return GroupEffect
	case stemReasons, stemWhy:
		return GroupReasons
	case stemArguments, stemOperands, stemLifted:
		return GroupArguments
	case stemAgent, stemUser, stemHost, stemSession, stemParents:
		return GroupWho
	case stemAnswerBy, stemUseWithin:
		return GroupDeadlines
	case stemDescriptor, stemReadings, stemReading:
		return GroupReadings
	case stemReplaces, stemDerived, stemEditedBy:
		return GroupOrigin
	case stemLifetime, stemChanged, stemCached, stemSettled:
		return GroupProvider
	case stemAttempts:
		return GroupAttempts
	case stemFacts:
		return GroupFacts
	case stemID, stemActionDigest, stemEffectID, stemBeside, stemReadBy:
		return GroupIDs
	case stemWords:
		return GroupWords
	}
	return GroupNotStated
}
