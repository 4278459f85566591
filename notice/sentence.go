package notice

import (
	"strconv"
	"strings"

	"nod/digest/visible"
)

// Sentences is what an operator reads of a notice. What is not Nod's own is
// drawn and stands last.
type Sentences struct {
	Headline string // a row of a list
	Happened string
	Means    string
	Knows    string
	Ids      string
}

// Say words a notice.
func (n *Notice) Say() Sentences {
	d := &n.Detail
	s := Sentences{Ids: d.ids(n.Code), Knows: "Only you are told."}
	switch n.Code {
	case PostureUndeclared:
		s.Headline = "no posture is set for an armed tree"
		s.Happened = "An execution ran on a target, and the configuration sets no posture."
		s.Means = "The permissive reading single_user is in force: no call is mandated."
		if d.Observed {
			s.Means = "The permissive reading single_user is in force: no call is mandated, though the tree has read outside."
		}
		s.Knows = "Only you are told, once a run."
	case RecordUnwritten:
		s.Headline = "a cross-boundary record was not written"
		s.Happened = "At " + string(d.Phase) + " the tree's record could not be written: " + `"` + draw(d.Cause) + `".`
		s.Means = "Nothing was refused for it; a resumed session may read a tree with fewer bits."
		if d.Governed {
			s.Means = "Nothing was refused for it; the tree is governed, so a call that needs the record is refused until it can be written."
		}
	case SteerUndrained, FollowUpUndrained:
		n.undrained(&s)
	}
	return s
}

func (n *Notice) undrained(s *Sentences) {
	d := &n.Detail
	whose := "Its run"
	s.Knows = "It has no parent session, so only you are told."
	switch {
	case n.IsCopy():
		whose = "The run of the child session " + draw(d.ChildSession)
		s.Knows = "This is the copy for its parent session " + draw(d.Session) + "."
	case n.Parent != "":
		s.Knows = "A copy went to its parent session " + draw(n.Parent) + "."
	}
	s.Headline = d.words(n.Code, d.Count) + " not delivered"
	end := " ended (leg_end)"
	if d.Cause == string(Crashed) {
		end = " died (crashed)"
	}
	s.Happened = whose + end + " with " + d.words(n.Code, n.Owed) + " owed and " + strconv.FormatInt(n.Carried, 10) + " carried"
	switch d.Carry {
	case InvalidContent:
		s.Happened += "; the carrier refused such content (steering.invalid_content)"
	case QueueFull:
		s.Happened += "; the carrier's queue was full (steering.queue_full)"
	}
	s.Happened += "."
	s.Means = "The agent never read them, and they are not sent again by themselves."
	if d.Count == 1 && d.Kind == "" {
		s.Means = "The agent never read it, and it is not sent again by itself."
	}
}

// words counts words of one row.
func (d *Detail) words(code string, n int64) string {
	one := "steer"
	switch {
	case d.Kind == ApprovalFeedback:
		one = "answer"
	case code == FollowUpUndrained:
		one = "follow-up"
	}
	text := strconv.FormatInt(n, 10) + " " + one
	if n != 1 {
		text += "s"
	}
	if d.Kind == ApprovalFeedback {
		return "the words of " + text
	}
	return text
}

// ids is the line of names: words first, then ids.
func (d *Detail) ids(code string) string {
	var out []string
	add := func(name, v string) {
		if v != "" {
			out = append(out, name+" "+draw(v))
		}
	}
	switch code {
	case SteerUndrained:
		add("family", string(Steer))
	case FollowUpUndrained:
		add("family", string(FollowUp))
	}
	add("kind", string(d.Kind))
	if code != RecordUnwritten { // there it is a text, and has its sentence
		add("cause", d.Cause)
	}
	add("carry", string(d.Carry))
	add("phase", string(d.Phase))
	add("task", d.Task)
	add("session", d.Session)
	add("child session", d.ChildSession)
	add("run", d.Run)
	return strings.Join(out, " · ")
}

func draw(s string) string { return visible.Draw(visible.Name, s) }
