package plain

import (
	"context"

	"nod/digest/visible"
	"nod/queue"
	"nod/tui/say"
)

// listLines is how many rows of a list are read out at once, and notices how
// many of them are read at all.
const (
	listLines = 20
	notices   = 50
)

// item is what one number means. Numbers stay until another list is read out.
type item struct {
	ask      string // "" for a notice, an effect or an answer
	effect   string
	notice   *queue.NoticeView
	delivery *queue.DeliveryView
}

// list is the list that was read out last.
type list struct {
	items []item
	at    int64 // effective time of its reading
	told  int   // how many that came since were announced

	// The rest of it: one of the two, or nothing.
	after   *queue.Key
	before  int64 // of the history
	effects int64 // of the effects
	find    string
	late    []queue.DeliveryView // after the asks
	rest    []queue.NoticeView   // and these
}

// inbox reads out what waits.
func (s *session) inbox(ctx context.Context) error { return s.search(ctx, "") }

// search reads out what waits and holds these words.
func (s *session) search(ctx context.Context, find string) error {
	s.open = nil
	page, err := queue.Get[queue.Inbox](ctx, s.port, queue.QInbox{Limit: listLines, Filter: queue.Filter{Find: find}})
	if err != nil {
		return s.sayFault(err)
	}
	status, err := queue.Get[queue.Status](ctx, s.port, queue.QStatus{})
	if err != nil {
		return s.sayFault(err)
	}
	s.list = list{at: page.Now, find: find}
	if err := s.alarms(&status); err != nil {
		return err
	}
	if find == "" {
		desk, err := queue.Get[queue.Effects](ctx, s.port, queue.QEffects{Open: true, Limit: listLines})
		if err != nil {
			return s.sayFault(err)
		}
		open, err := queue.Get[queue.Notices](ctx, s.port, queue.QNotices{Open: true, Limit: notices})
		if err != nil {
			return s.sayFault(err)
		}
		s.list.rest = open.Notices
		if err := s.readLate(ctx); err != nil {
			return s.sayFault(err)
		}
		if err := s.print(waiting(&page)); err != nil {
			return err
		}
		if err := s.openEffects(desk.Effects, page.Now); err != nil {
			return err
		}
	} else if len(page.Rows) == 0 {
		return s.say("Nothing that waits has these words; say \"list\" for all.")
	}
	return s.rows(&page)
}

// waiting is the first sentence: what waits, most urgent first.
func waiting(page *queue.Inbox) string {
	c := page.Counters
	c.Pending = max(c.Pending-page.Snoozed, 0)
	c.Mandated = min(c.Mandated, c.Pending) // of those that are snoozed nobody counts these apart
	var parts []string
	add := func(n int64, what string) {
		if n > 0 {
			parts = append(parts, say.Number(n)+" "+what)
		}
	}
	unknowns := "unknown outcomes"
	if c.Unknown == 1 {
		unknowns = "unknown outcome"
	}
	add(c.Unknown, unknowns)
	add(c.Mandated, "only a person may answer")
	if c.Mandated > 0 {
		add(c.Pending-c.Mandated, "more")
	} else {
		add(c.Pending, "to answer")
	}
	add(c.Undelivered, "not delivered")
	add(c.Notices, "to read")
	all := c.Pending + c.Undelivered + c.Notices + c.Unknown
	out := say.Count(all, "waits", "wait")
	if all == 0 {
		out = "Nothing waits."
	} else {
		for i, p := range parts {
			sep := ", "
			if i == 0 {
				sep = ": "
			}
			out += sep + p
		}
		out += "."
	}
	if page.Snoozed > 0 {
		out += " " + say.Number(page.Snoozed) + " snoozed, not in the list."
	}
	return out
}

// alarms says what holds everything up.
func (s *session) alarms(st *queue.Status) error {
	for _, f := range st.Freezes {
		what := "everything"
		if f.Session != "" {
			what = "one session"
		}
		if err := s.print("Frozen: " + what + " since " + say.Clock(f.Since, st.Now, s.o.Loc) + ", so nothing of it begins; \"unfreeze\" lifts it."); err != nil {
			return err
		}
	}
	if st.Held {
		return s.print("Clock: it jumped ahead, so nothing falls due until you say \"clock\".")
	}
	return nil
}

// rows reads a page of asks out, and the notices after the last one.
func (s *session) rows(page *queue.Inbox) error {
	for i := range page.Rows {
		r := &page.Rows[i]
		s.list.items = append(s.list.items, item{ask: r.ID})
		if err := s.numbered(visible.Concat(visible.Drawn(describe(r, page.Now)), s.what(r))); err != nil {
			return err
		}
	}
	s.list.after = nil
	if page.More {
		key := queue.Key{}
		switch n := len(page.Rows); {
		case page.Reached != nil:
			key = *page.Reached
		case n > 0:
			key = queue.Key{Urgency: page.Rows[n-1].Urgency, Seq: page.Rows[n-1].Seq}
		}
		s.list.after = &key
		return s.askNumber(true)
	}
	if err := s.late(page.Now); err != nil {
		return err
	}
	for i := range s.list.rest {
		n := &s.list.rest[i]
		s.list.items = append(s.list.items, item{notice: n})
		if err := s.numbered(visible.Concat(visible.Drawn("Notice, "+age(page.Now-n.At)+": "), s.draw(n.Sentence))); err != nil {
			return err
		}
	}
	return s.askNumber(false)
}

// describe is what stands before an ask's own text in the list.
func describe(r *queue.Row, now int64) string {
	out := kindOf(r) + ", " + age(now-r.CreatedAt) + ", " + age(r.AnswerBy-now) + " left"
	if !r.Waits(now) {
		out += ", nobody waits"
	}
	if r.ClaimedUntil > now {
		out += ", taken"
	}
	return out + ": "
}

// numbered prints the newest item with its number.
func (s *session) numbered(t visible.Text) error {
	return s.write(visible.Concat(visible.Drawn(itoa(len(s.list.items))+". "), t))
}

func (s *session) askNumber(more bool) error {
	switch {
	case more:
		return s.say("Say a number, \"more\" or \"help\".")
	case len(s.list.items) == 0:
		return s.say("Say \"help\", or \"list\" to look again.")
	}
	return s.say("Say a number or \"help\".")
}

// moreRows goes on with the list that was read out last.
func (s *session) moreRows(ctx context.Context) error {
	switch {
	case s.list.after != nil:
		page, err := queue.Get[queue.Inbox](ctx, s.port, queue.QInbox{After: *s.list.after, Limit: listLines, Filter: queue.Filter{Find: s.list.find}})
		if err != nil {
			return s.sayFault(err)
		}
		return s.rows(&page)
	case s.list.before > 0:
		return s.history(ctx, s.list.before)
	case s.list.effects > 0:
		return s.effects(ctx, s.list.effects)
	}
	return s.say("That was all of the list. Say a number or \"help\".")
}

// history reads out what is over, newest first, before a sequence number.
func (s *session) history(ctx context.Context, before int64) error {
	s.open = nil
	h, err := queue.Get[queue.History](ctx, s.port, queue.QHistory{BeforeSeq: before, Limit: listLines})
	if err != nil {
		return s.sayFault(err)
	}
	if before == 0 {
		s.list = list{at: h.Now}
		if len(h.Rows) == 0 {
			return s.say("Nothing was answered yet.")
		}
		if err := s.print("History, newest first."); err != nil {
			return err
		}
	}
	s.list.before = 0
	for i := range h.Rows {
		r := &h.Rows[i]
		s.list.items = append(s.list.items, item{ask: r.ID})
		text := stateOf(r, r.StateAt(h.Now)) + ", " + age(h.Now-r.MovedAt) + " ago: "
		if r.Mismatch {
			text = "MISMATCH, what ran is not what was allowed. " + text
		}
		if err := s.numbered(visible.Concat(visible.Drawn(text), s.what(r))); err != nil {
			return err
		}
		s.list.before = r.Seq
	}
	if !h.More {
		s.list.before = 0
	} else if h.Reached > 0 {
		s.list.before = h.Reached
	}
	return s.askNumber(h.More)
}

// readNotices reads out what an operator has to read.
func (s *session) readNotices(ctx context.Context) error {
	s.open = nil
	open, err := queue.Get[queue.Notices](ctx, s.port, queue.QNotices{Open: true, Limit: notices})
	if err != nil {
		return s.sayFault(err)
	}
	status, err := queue.Get[queue.Status](ctx, s.port, queue.QStatus{})
	if err != nil {
		return s.sayFault(err)
	}
	s.list = list{at: status.Now, rest: open.Notices}
	if len(open.Notices) == 0 {
		return s.say("No notice is left to read.")
	}
	return s.rows(&queue.Inbox{Now: status.Now})
}

// announce says, before a prompt and never in the middle of a card, what
// became of the open ask and how much came in since the list was read out.
func (s *session) announce(ctx context.Context) error {
	if p := s.open; p != nil {
		if p.desk != nil {
			changed, err := s.lookDesk(ctx)
			if err != nil {
				return s.sayFault(err)
			}
			if p = s.open; changed {
				return s.say("Changed: evidence came in, so the page is another one; say \"more\" to read it anew.")
			}
		}
		if p.pending() {
			if err := s.look(ctx); err != nil {
				return s.sayFault(err)
			}
			if !p.pending() {
				return s.tell(p.over)
			}
		}
		if p.at < len(p.lines) {
			return nil
		}
	}
	page, err := queue.Get[queue.Inbox](ctx, s.port, queue.QInbox{Limit: 500, Filter: queue.Filter{Since: s.list.at}})
	if err != nil {
		return s.sayFault(err)
	}
	fresh := 0
	for i := range page.Rows {
		if !s.listed(page.Rows[i].ID) {
			fresh++
		}
	}
	if fresh <= s.list.told {
		return nil
	}
	s.list.told = fresh
	return s.print(say.Count(int64(fresh), "more waits", "more wait") + "; \"list\" reads all.")
}

func (s *session) listed(ask string) bool {
	for _, it := range s.list.items {
		if it.ask == ask {
			return true
		}
	}
	return s.open != nil && s.open.row().ID == ask
}
