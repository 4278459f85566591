package gate

import (
	"nod/digest/visible"
	"nod/themes"
)

// report fills in what the screen shows after an event.
func (g *Gate) report(out *Outcome) {
	out.Mode = g.mode
	out.Armed = g.armed()
	if g.f.Kind == Desk {
		out.MayAllow = out.Armed && g.draft.Key != "" && (!g.draft.Full || g.refuse == nil && g.unread() == 0)
	} else {
		out.MayAllow = out.Armed && g.refuse == nil && g.unread() == 0 && (g.f.Kind != Question || g.answer != "")
	}
	out.WakeAt = g.wake()
	out.Line = Line{Message: g.message(), Fields: g.fields()}
}

// message returns the sentence of the gate row.
func (g *Gate) message() Message {
	switch {
	case g.over != nil:
		return *g.over
	case g.said != nil:
		return *g.said
	}
	switch g.mode {
	case ModeSent:
		return sent()
	case ModeDenying:
		if g.f.Kind == Desk {
			return giving(g.draft.Key)
		}
		return denying(g.f.Keys.Deny)
	case ModeSkip:
		return g.skipLine()
	case ModeValue, ModeCode:
		return g.allowLine()
	}
	return g.standing()
}

// allowLine says what the open line does.
func (g *Gate) allowLine() Message {
	if g.f.Kind == Desk {
		return g.deskLine()
	}
	once := "approve once"
	if g.f.UseBy != "" {
		once += ", to be used by " + g.f.UseBy
	}
	if g.f.Kind == Question {
		once = "answer as written"
	}
	typed := "; nothing is filled in for you."
	if len(g.f.UseBy) > len("14:42") {
		typed = "; nothing is filled in."
	}
	if g.terms != "" {
		once = "approve once, " + g.terms
	}
	switch {
	case g.f.Kind == Commit:
		return sentence(themes.Danger, "Commit", "%s%s", once, typed)
	case g.f.Irreversible:
		return sentence(themes.Danger, "Irreversible", "%s%s", once, typed)
	case g.f.Mandated:
		return warn("Mandated", "%s%s", once, typed)
	case g.f.Confirm != "":
		return sentence(themes.Text, "Typed", "%s%s", once, typed)
	}
	m := Message{Role: themes.Text, Head: visible.Own("Approve once")}
	switch {
	case g.f.Batch > 0:
		m.Head = visible.Drawn("Approve all " + count(g.f.Batch) + ", each once:")
	case g.terms != "":
		m.Rest = visible.Drawn(", " + g.terms + ":")
	case g.f.Kind == Question:
		m.Head = visible.Own("Answer as written:")
	case g.f.UseBy == "":
		m.Head = visible.Own("Approve once:")
	default:
		m.Rest = visible.Drawn(", to be used by " + g.f.UseBy + ":")
	}
	m.Rest = visible.Concat(m.Rest, visible.Own(" type the four in brackets"))
	return m
}

func (g *Gate) skipLine() Message {
	if n := g.all - g.seen; n != 1 {
		return warn("Skip", "%s lines were not shown; type %d to skip them; it is recorded.", count(n), n)
	}
	return warn("Skip", "1 line was not shown; type 1 to skip it; it is recorded.")
}

// notArmed says why no key counts now.
func (g *Gate) notArmed() Message {
	switch {
	case !g.focused:
		return warn("Not armed", "another window has the keys, so none counts here.")
	case !g.live():
		return warn("Not armed", "this frame is not confirmed yet; wait.")
	}
	return warn("Not armed", "it arms %s after the last key or change; rest.", restSpan(g.slow))
}

// standing says how the gate stands while no line is open.
func (g *Gate) standing() Message {
	if g.f.Kind == Desk {
		return g.deskStanding()
	}
	keys := g.f.Keys
	switch {
	case g.unread() > 0 && g.all > 0:
		return NotRead(g.unread(), keys.Reading())
	case !g.focused, !g.live(), !g.armed():
		return g.notArmed()
	case g.refuse != nil:
		return *g.refuse
	case g.f.Kind == Question && g.answer == "":
		return sentence(themes.OK, "Armed", "%s denies; write the answer, then %s sends it.", keys.Deny, keys.Allow)
	}
	if g.f.Batch > 0 {
		return sentence(themes.OK, "Armed", "%s approves all %s, %s denies all of them.", keys.Allow, count(g.f.Batch), keys.Deny)
	}
	verb := "approves"
	if g.f.Kind == Question {
		verb = "answers"
	}
	if n := len([]rune(g.words)); n > 0 {
		return sentence(themes.OK, "Armed", "%s %s, %s denies; your %s of words go with either.",
			keys.Allow, verb, keys.Deny, characters(n))
	}
	return sentence(themes.OK, "Armed", "%s %s, %s denies%s.", keys.Allow, verb, keys.Deny, then(keys.Words, "writes words to go with either"))
}

func characters(n int) string {
	if n == 1 {
		return "1 character"
	}
	return count(n) + " characters"
}

// fields returns the fields of the open line.
func (g *Gate) fields() []Field {
	code := Field{Typed: typedText(g.typed), Blanks: max(codeLen-len(g.typed), 0), Focus: g.mode == ModeCode}
	switch g.mode {
	case ModeSkip:
		code.Blanks, code.Focus = max(len(g.skipCount())-len(g.typed), 0), true
		return []Field{code}
	case ModeValue, ModeCode:
		if !g.f.wantsValue() && g.f.Kind != Desk {
			return []Field{code}
		}
		code.Label = visible.Own("then the four in brackets")
		label := g.f.ConfirmIs
		if label == "" {
			label = "the value of the marked line"
		}
		return []Field{{
			Label: visible.Drawn(label), Typed: typedText(g.value),
			Blanks: max(len(g.f.Confirm)-len(g.value), 0), Focus: g.mode == ModeValue,
		}, code}
	}
	return nil
}
