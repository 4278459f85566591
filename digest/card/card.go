// Package card writes an ask as the complete text that an approver reads, and an
// effect as the page that a reconciler reads, and reads those texts back.
//
// The rule it keeps: a card is a pure function of its ask, every member of the
// ask is on it, Parse(Render(ask)) is the ask, and a text is accepted only when
// it is the card of an ask byte for byte. Width, theme, clock and toolchain do
// not enter. The same holds of a desk page and its effect. The grammar is
// docs/spec/card.md and docs/spec/desk.md; another table or another stem is
// another version.
package card

import (
	"nod/digest"
	"nod/digest/visible"
)

// Head is the first line of every card.
const Head = "nod card v1"

// MaxSize is the largest card in bytes; the texts of an ask together may not be
// longer either, whatever their drawing counts.
const MaxSize = visible.MaxText

// MaxDesk is the largest desk page in bytes. What a card could hold its page can
// hold, and what was said of it besides: an effect that has no page could never
// be answered.
const MaxDesk = 2 * MaxSize

// Codes of the errors of this package; each is a *digest.Error.
const (
	CodeTooLarge = "card_too_large" // the card would be larger than MaxSize
	CodeBadAsk   = "card_bad_ask"   // the ask is not one that digest.ParseAsk accepts
	CodeBadCard  = "card_not_read"  // the text is not a card
)

// maxColumn is the longest label, in code points, that moves the bar.
const maxColumn = 28

// shortScalar is the longest scalar, in bytes, that comes before the longer
// members directly under a stem.
const shortScalar = 200

// Parts of a line.
const (
	bar      = " │ "
	owns     = "· "
	listOf   = "· list of "
	contMark = "·"
)

// Stems of the labels, in the order of a card. They are closed.
const (
	stemKind         = "kind"
	stemQuestion     = "question"
	stemSchema       = "schema"
	stemTool         = "tool"
	stemOperation    = "operation"
	stemEnvironment  = "environment"
	stemCwd          = "cwd"
	stemMachine      = "machine"
	stemVars         = "vars"
	stemEffect       = "effect" // only as a word of stemNotStated
	stemEffectKey    = "effect key"
	stemClass        = "class"
	stemAccess       = "access"
	stemBoundary     = "commit boundary"
	stemReasons      = "reasons"
	stemWhy          = "why"
	stemArguments    = "arguments"
	stemOperands     = "operands"
	stemLifted       = "lifted"
	stemAgent        = "agent"
	stemUser         = "user"
	stemHost         = "host"
	stemSession      = "session"
	stemParents      = "parents"
	stemAnswerBy     = "answer by"
	stemUseWithin    = "use within (s)"
	stemDescriptor   = "descriptor"
	stemReadings     = "readings"
	stemReading      = "reading"
	stemReplaces     = "replaces"
	stemDerived      = "derived from"
	stemEditedBy     = "edited by"
	stemID           = "ask id"
	stemActionDigest = "action digest"
	stemWords        = "agent words"
	stemNotStated    = "not stated"
)

// ShownDigest is the digest of the card's bytes.
func ShownDigest(card []byte) digest.Digest { return digest.Of(card) }

func tooLarge() error {
	return &digest.Error{
		Code:     CodeTooLarge,
		Sentence: "the card of this ask is larger than 16 MiB",
		Hint:     "send less text, or shorter member names inside deep values",
	}
}

func badAsk() error {
	return &digest.Error{
		Code:     CodeBadAsk,
		Sentence: "the ask has no card because it is not a valid ask",
		Hint:     "see docs/spec/digest.md for the members of each kind",
	}
}

func badCard() error {
	return &digest.Error{
		Code:     CodeBadCard,
		Sentence: "the text is not a card of this version",
		Hint:     "use the bytes that were stored or shown, unchanged",
	}
}
