package cli

import (
	"strings"

	"nod/boundary"
	"nod/digest/visible"
	"nod/queue"
)

// armed is a session's tree in a list: its bits in short words, and whether it
// shares another session's; "" where it is not armed.
func armed(s *queue.SessionView) string {
	var words []string
	for _, b := range []struct {
		since int64
		word  string
	}{{s.Armed, "armed"}, {s.Observed, "read"}, {s.Governed, "governed"}} {
		if b.since > 0 {
			words = append(words, b.word)
		}
	}
	if s.Tree != "" && len(words) > 0 {
		words = append(words, "(joins)")
	}
	return strings.Join(words, " ")
}

// tree prints the bits of a session's tree, since when and why, what follows,
// and the records that were written.
func (a *app) tree(s *queue.SessionView, records *queue.Records, now int64) error {
	t := boundary.Tree{Armed: s.Armed > 0, Observed: s.Observed > 0, Governed: s.Governed > 0}
	if !t.Armed && len(records.Records) == 0 {
		return a.printf("tree       not armed\n")
	}
	if s.Tree != "" {
		if err := a.row("tree       joins %s", s.Tree); err != nil {
			return err
		}
	}
	if s.Unreadable != "" {
		if err := a.row("strictest  because %s", s.Unreadable); err != nil {
			return err
		}
	}
	var target string
	if s.Target != "" {
		target = visible.Draw(visible.Name, s.Target)
	}
	for _, b := range []struct {
		name, why string
		since     int64
	}{{"armed", boundary.SetArmed(target), s.Armed}, {"read", boundary.SetObserved, s.Observed}, {"governed", boundary.SetGoverned, s.Governed}} {
		why := b.why
		if s.Unreadable != "" {
			why = "read as the strictest"
		}
		if b.since > 0 {
			if err := a.row("%-9s  %s, %s", b.name, clock(b.since, now), why); err != nil {
				return err
			}
		}
	}
	if err := a.printf("so         %s\n", boundary.So(t)); err != nil {
		return err
	}
	for i := range records.Records {
		r := &records.Records[i]
		what := strings.Join(r.Bits, " ")
		if r.Unreadable != "" {
			what = "read as the strictest: " + r.Unreadable
		}
		if err := a.row("record     %s, %s: %s", clock(r.At, now), visible.Draw(visible.Name, string(r.Phase)), what); err != nil {
			return err
		}
	}
	if records.More {
		return a.printf("           and older ones\n")
	}
	return nil
}
