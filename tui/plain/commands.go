package plain

import (
	"context"
	"strconv"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui/say"
)

// do carries out one line.
func (s *session) do(ctx context.Context, l line) error {
	verb, rest := words(l.text)
	if verb == "" {
		return s.write(s.last)
	}
	if n, err := strconv.Atoi(verb); err == nil && rest == "" {
		return s.openItem(ctx, n)
	}
	if s.open != nil {
		if done, err := s.doOpen(ctx, l, verb, rest); done || err != nil {
			return err
		}
	} else if needsOpen(verb) {
		return s.say("Nothing is open: say the number of an ask first.")
	}
	number, _ := strconv.Atoi(rest) // 0 is no number of a list
	switch verb {
	case "list", "back", "inbox":
		return s.inbox(ctx)
	case "find":
		return s.search(ctx, rest)
	case "more":
		return s.moreRows(ctx)
	case "history":
		return s.history(ctx, 0)
	case "effects":
		return s.effects(ctx, 0)
	case "notices":
		return s.readNotices(ctx)
	case "deliveries":
		return s.deliveries(ctx)
	case "resend":
		return s.resend(ctx, number)
	case "drop":
		return s.drop(ctx, number)
	case "ack":
		return s.ack(ctx, number)
	case "freeze":
		return s.sureAct(ctx, "Freeze: nothing begins until it is lifted.", queue.Freeze{Reason: rest}, "Frozen: nothing begins, and what was allowed before is never used.")
	case "unfreeze":
		return s.sureAct(ctx, "Unfreeze: new approvals may begin again.", queue.Unfreeze{}, "Unfrozen: allows from before stay unspendable.")
	case "clock":
		return s.sureAct(ctx, "Clock: it is taken as right, so what was due falls due.", queue.ConfirmClock{}, "Clock: taken as right.")
	case "help":
		return s.help()
	case "quit", "exit":
		return errQuit
	}
	return s.tell(visible.Concat(visible.Own("Unknown: say \"help\" for the words; this is none of them: "), s.draw(cut(verb)), visible.Own(".")))
}

// cut keeps a word short enough to be repeated.
func cut(word string) string {
	if r := []rune(word); len(r) > 40 {
		return string(r[:40])
	}
	return word
}

// needsOpen reports whether a word is about the ask that is open.
func needsOpen(verb string) bool {
	switch verb {
	case "approve", "deny", "answer", "words", "skip", "top", "line", "digest", "revoke", "snooze", "claim", "hold", "edit", "card",
		"happened", "committed", "not", "unknown", "distinct", "acknowledge", "answers", "observe", "waits", "summary", "diff", "attempt", "effect", "ask":
		return true
	}
	return false
}

// doOpen carries out a line about the ask that is open; done is false for a
// word that is about none.
func (s *session) doOpen(ctx context.Context, l line, verb, rest string) (done bool, err error) {
	p := s.open
	if p.desk != nil {
		if done, err := s.doDesk(ctx, l, verb, rest); done || err != nil {
			return done, err
		}
	}
	switch verb {
	case "effect":
		if p.desk == nil {
			return true, s.itsEffect(ctx)
		}
	case "happened", "committed", "not", "unknown", "distinct", "acknowledge", "answers", "observe", "waits", "summary", "diff", "attempt", "ask":
		return true, s.say("An ask: that is for effects; \"effect\" goes to this one's, \"effects\" lists all.")
	case "more":
		if p.at >= len(p.lines) && s.list.after == nil && s.list.before == 0 && s.list.effects == 0 {
			return true, s.readOn()
		}
		if p.at >= len(p.lines) {
			return true, s.say("That was the last line. \"top\" reads it again, \"list\" goes back.")
		}
		return true, s.readOn()
	case "top", "card":
		p.at, p.off = 0, 0
		return true, s.readOn()
	case "line":
		n, _ := strconv.Atoi(rest) // 0 is no line
		if n < 1 || n > len(p.lines) {
			return true, s.say("No line: the card has " + say.Count(int64(len(p.lines)), "line", "lines") + ".")
		}
		return true, s.write(p.texts[n-1])
	case "digest":
		return true, s.say(string(p.row().ShownDigest))
	case "approve":
		return true, s.approve(ctx, l)
	case "deny":
		return true, s.deny(ctx, l, rest)
	case "answer":
		return true, s.answer(ctx, rest)
	case "words":
		return true, s.setWords(rest)
	case "skip":
		return true, s.skip(ctx)
	case "hold":
		return true, s.hold(rest)
	case "edit":
		return true, s.edit(ctx)
	case "revoke":
		return true, s.revoke(ctx)
	case "snooze":
		return true, s.snooze(ctx, rest)
	case "claim":
		return true, s.claim(ctx, rest)
	}
	return false, nil
}

// help reads the words out.
func (s *session) help() error {
	for _, text := range []string{
		"A number opens that item. \"more\" reads on. Enter repeats the last sentence.",
		"\"list\" is what waits. \"find WORDS\", \"history\", \"notices\", \"ack NUMBER\".",
		"\"deliveries\" is how far answers came; \"resend NUMBER\", \"drop NUMBER\" words.",
		"In a card: \"top\", \"line NUMBER\", \"digest\", and \"skip\" for lines not shown.",
		"To answer: \"approve\", then the code. \"deny\", or \"deny\" and your words.",
		"\"words TEXT\" goes with either answer. \"hold 10m\" comes before \"approve\".",
		"\"effects\" is what nobody may be sure of; a number opens its page.",
		"There: \"summary\", \"answers\", \"waits\", \"ask\", \"observe\", \"attempt NUMBER\".",
		"Then \"happened\", \"not happened\", \"unknown\", \"distinct\" or \"acknowledge\".",
		"A question: \"answer\", field by field, or \"answer JSON\", then the code.",
		"Also: \"revoke\", \"edit\", \"snooze 30m\", \"claim 5m\".",
		"For all: \"freeze\", \"unfreeze\", \"clock\", \"help\", \"quit\".",
		"Not here, but in nod without --plain: batches, lenses, sessions, statistics.",
		"A line counts only after its prompt. A paste of lines decides nothing.",
	} {
		if err := s.print(text); err != nil {
			return err
		}
	}
	return s.say("Say a number, \"list\" or \"quit\".")
}
