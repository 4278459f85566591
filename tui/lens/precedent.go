package lens

import (
	"slices"
	"strconv"
	"strings"

	"nod/digest"
	"nod/digest/visible"
	"nod/queue"
	"nod/themes"
	"nod/tui/frame"
	"nod/tui/inbox"
	"nod/tui/say"
)

// precedentSheet compares a call with those of the same tool that you answered
// before: what differs first.
type precedentSheet struct {
	tool    string
	n       int
	sayings []saying
}

// saying is one row: a word in the left column, then parts.
type saying struct {
	word  string
	role  themes.Role // of the word
	quiet bool        // the text is muted too
	parts []part
}

// part is our own words, or a piece of untrusted text.
type part struct {
	own     string
	drawn   string
	pointer bool // drawn is a pointer, else a text to quote
	bare    bool // drawn is a number or a reading: no quotes
}

func own(s string) part     { return part{own: s} }
func pointer(s string) part { return part{drawn: s, pointer: true} }
func bare(s string) part    { return part{drawn: s, bare: true} }
func quote(s string) part   { return part{drawn: s} }

func newPrecedent(in In) sheet {
	s := &precedentSheet{n: len(in.Before)}
	if _, ok := arguments(in.Ask); !ok {
		return s
	}
	s.tool = in.Ask.Action.Tool
	if s.n == 0 {
		return s
	}
	c := newComparison(in)
	c.arguments()
	c.facets()
	s.sayings = append(s.sayings, c.differs...)
	s.sayings = append(s.sayings, c.within...)
	s.sayings = appendList(s.sayings, "seen", c.seen)
	s.sayings = appendList(s.sayings, "same", c.same)
	s.sayings = append(s.sayings, answered(in.Before))
	return s
}

// appendList appends one row that lists parts.
func appendList(out []saying, word string, list [][]part) []saying {
	if len(list) == 0 {
		return out
	}
	row := saying{word: word, role: themes.Muted, quiet: true}
	for i, parts := range list {
		if i > 0 {
			row.parts = append(row.parts, own(", "))
		}
		row.parts = append(row.parts, parts...)
	}
	return append(out, row)
}

// comparison is one call against earlier ones.
type comparison struct {
	ask             *digest.Ask
	before          []Case
	differs, within []saying
	seen, same      [][]part
}

func newComparison(in In) *comparison {
	c := &comparison{ask: in.Ask}
	for _, b := range in.Before {
		if _, ok := arguments(b.Ask); ok {
			c.before = append(c.before, b)
		}
	}
	return c
}

func (c *comparison) differ(parts ...part) {
	c.differs = append(c.differs, saying{word: "differs", role: themes.Warn, parts: parts})
}

// arguments compares leaf by leaf.
func (c *comparison) arguments() {
	mine, more := leavesOf(c.ask.Action.Arguments)
	olds := make([]map[string]string, len(c.before))
	var gone []string // pointers that only earlier calls have
	have := map[string]bool{}
	for _, l := range mine {
		have[l.pointer] = true
	}
	for i, b := range c.before {
		olds[i] = map[string]string{}
		list, cut := leavesOf(b.Ask.Action.Arguments)
		more = more || cut
		for _, l := range list {
			olds[i][l.pointer] = l.value
			if !have[l.pointer] {
				have[l.pointer] = true
				gone = append(gone, l.pointer)
			}
		}
	}
	for _, l := range mine {
		var then []then
		for i := range olds {
			if v, ok := olds[i][l.pointer]; ok {
				then = append(then, thenOf(l.pointer, v, c.before[i]))
			}
		}
		c.leaf(l, then)
	}
	for _, p := range gone {
		if _, ok := digest.Lookup(c.ask.Action.Arguments, p); ok {
			continue // it was empty before; what it holds now is told by itself
		}
		n := 0
		for i := range olds {
			if _, ok := olds[i][p]; ok {
				n++
			}
		}
		if n == len(olds) {
			c.differ(pointer(p), own(" is absent; it was there before"))
		} else {
			c.seen = append(c.seen, []part{pointer(p), own(" absent")})
		}
	}
	if more {
		c.differ(own("has more members than are compared: the first " + say.Number(maxLeaves) + " of each call at most"))
	}
}

// then is a value of an earlier call at the same pointer.
type then struct {
	value   string
	reading string
	agent   string
}

func thenOf(at, value string, b Case) then {
	return then{value, readingOf(b.Ask, at), b.Ask.Action.Principal.Agent}
}

// readingOf is how the descriptor reads the value at a pointer, "" for not.
func readingOf(ask *digest.Ask, at string) string {
	if ask.Descriptor != nil {
		for _, r := range ask.Descriptor.Readings {
			if r.Pointer == at {
				return r.Text
			}
		}
	}
	return ""
}

// leaf compares one value with the earlier ones at its pointer.
func (c *comparison) leaf(l leaf, before []then) {
	at := pointer(l.pointer)
	if l.pointer == "" {
		at = own("the arguments")
	}
	n := 0
	mine := false // an earlier one of the same agent has it
	read := readingOf(c.ask, l.pointer)
	for _, b := range before {
		if b.value == l.value && (b.reading == read || b.reading == "" || read == "") {
			n++
			mine = mine || b.agent == c.ask.Action.Principal.Agent
		}
	}
	switch {
	case len(before) == 0 && c.filled(l.pointer):
		c.differ(at, own(" is empty; it was not before"))
	case len(before) == 0:
		c.differ(at, own(" is there for the first time"))
	case n == len(c.before):
		c.same = append(c.same, []part{at})
	case n > 0 && (mine || valueSort(l.value) != sortText):
		c.seen = append(c.seen, []part{at, own(" in " + strconv.Itoa(n) + " of " + strconv.Itoa(len(c.before)))})
	case n > 0:
		c.differ(at, own(" is new to this agent"))
	case valueSort(l.value) == sortNumber && allOf(before, sortNumber):
		c.number(at, l, before)
	case valueSort(l.value) == sortText && allOf(before, sortText):
		c.text(at, l, before)
	case valueSort(l.value) == sortOther && allOf(before, sortOther):
		c.differ(at, own(" "), bare(l.value), own("; "), bare(before[0].value), own(" before"))
	default:
		c.differ(at, own(" is of another type than before"))
	}
}

// filled reports whether an earlier call has something at a pointer.
func (c *comparison) filled(at string) bool {
	return slices.ContainsFunc(c.before, func(b Case) bool {
		_, ok := digest.Lookup(b.Ask.Action.Arguments, at)
		return ok
	})
}

func allOf(before []then, sort int) bool {
	return !slices.ContainsFunc(before, func(b then) bool { return valueSort(b.value) != sort })
}

// longText is the length in bytes from which a text is told by its length.
const longText = 200

func (c *comparison) text(at part, l leaf, before []then) {
	if len(l.value) < longText {
		c.differ(at, own(" is new to you and to this agent"))
		return
	}
	least, most := len(before[0].value), 0
	for _, b := range before {
		least, most = min(least, len(b.value)), max(most, len(b.value))
	}
	lengths := say.Number(int64(least-2)) + " to " + say.Number(int64(most-2))
	if least == most {
		lengths = say.Number(int64(least - 2))
	}
	c.differ(at, own(" is another text: "+say.Number(int64(len(l.value)-2))+" bytes as JSON; "+lengths+" before"))
}

// number compares with the range before, in the descriptor's reading where
// every value has one.
func (c *comparison) number(at part, l leaf, before []then) {
	v := number(l.value)
	read := readingOf(c.ask, l.pointer)
	if unit := currencyOf(read); unit != "" {
		// 4800 of one currency is neither less nor more than 500 of another.
		alike := slices.DeleteFunc(slices.Clone(before), func(b then) bool { return b.reading != "" && currencyOf(b.reading) != unit })
		if len(alike) == 0 {
			c.differ(at, own(" reads "), bare(read), own("; none before is in "+unit))
			return
		}
		before = alike
	}
	least, most := before[0], before[0]
	for _, b := range before {
		if number(b.value).Cmp(number(least.value)) < 0 {
			least = b
		}
		if number(b.value).Cmp(number(most.value)) > 0 {
			most = b
		}
		if b.reading == "" {
			read = ""
		}
	}
	now, low, high := l.value, least.value, most.value
	parts := []part{at, own(" ")}
	if read != "" {
		parts = append(parts, own("reads "))
		now, low, high = read, least.reading, most.reading
		if unit := unitOf(now); unit != "" && unit == unitOf(low) && unit == unitOf(high) {
			low, high = strings.TrimSuffix(low, unit), strings.TrimSuffix(high, unit)
		}
	}
	parts = append(parts, bare(now), own("; "), bare(low))
	if low != high {
		parts = append(parts, own(" to "), bare(high))
	}
	parts = append(parts, own(" before"))
	switch {
	case v.Cmp(number(most.value)) > 0:
		how := times(v, number(most.value))
		if how == "" {
			how = "above the most"
		}
		c.differ(append(parts, own(": "+how))...)
	case v.Cmp(number(least.value)) < 0:
		c.differ(append(parts, own(": below the least"))...)
	default:
		c.within = append(c.within, saying{word: "within", role: themes.Muted, quiet: true, parts: parts})
	}
}

// currencyOf is the currency of a reading as money, "" for another reading.
func currencyOf(reading string) string {
	unit := strings.TrimPrefix(unitOf(reading), " ")
	if len(unit) != 3 || strings.Trim(unit, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || strings.Trim(strings.TrimSuffix(reading, unit), "-.0123456789 ") != "" {
		return ""
	}
	return unit
}

// unitOf is the last word of a reading with the space before it.
func unitOf(s string) string {
	if i := strings.LastIndexByte(s, ' '); i > 0 {
		return s[i:]
	}
	return ""
}

// facets compares what surrounds the arguments.
func (c *comparison) facets() {
	for _, f := range facets {
		v := f.of(c.ask)
		n := 0
		for _, b := range c.before {
			if f.of(b.Ask) == v {
				n++
			}
		}
		switch {
		case n == len(c.before):
			if v != "" {
				c.same = append(c.same, []part{own(f.name)})
			}
		case n > 0:
			c.seen = append(c.seen, []part{own(f.name + " in " + strconv.Itoa(n) + " of " + strconv.Itoa(len(c.before)))})
		case v == "":
			c.differ(own(f.name + " is not stated; it was before"))
		case f.id:
			c.differ(own(f.name + " is another one"))
		default:
			c.differ(own(f.name+" is new: "), quote(v))
		}
	}
}

// facet is a member of an ask beside its arguments.
type facet struct {
	name string
	id   bool // its value says nothing to a reader
	of   func(*digest.Ask) string
}

var facets = [...]facet{
	{"operation", false, func(a *digest.Ask) string { return a.Action.Operation }},
	{"environment", false, func(a *digest.Ask) string { return a.Action.Environment.Name }},
	{"cwd", false, func(a *digest.Ask) string { return a.Action.Environment.Cwd }},
	{"machine", false, func(a *digest.Ask) string { return a.Action.Environment.Machine }},
	{"class", false, func(a *digest.Ask) string { return effect(a).Class }},
	{"access", false, func(a *digest.Ask) string { return effect(a).Access }},
	{"commit boundary", false, func(a *digest.Ask) string { return effect(a).CommitBoundary }},
	{"agent", false, func(a *digest.Ask) string { return a.Action.Principal.Agent }},
	{"user", false, func(a *digest.Ask) string { return a.Action.Principal.User }},
	{"host", false, func(a *digest.Ask) string { return a.Action.Principal.Host }},
	{"session", true, func(a *digest.Ask) string { return a.Session }},
}

func effect(a *digest.Ask) digest.Effect {
	if a.Action.Effect == nil {
		return digest.Effect{}
	}
	return *a.Action.Effect
}

// answered counts what became of the earlier calls, in the words of the
// history.
func answered(before []Case) saying {
	var allowed, denied, edited int
	var words []string // in order of first sight
	outcomes := map[string]int{}
	for i := range before {
		switch row := &before[i].Row; row.Verdict {
		case queue.VerdictAllow:
			allowed++
			_, word, _ := inbox.Outcome(frame.Unicode(), row, row.DecidedAt)
			if row.State != queue.StateSpent {
				word = "not begun"
			}
			if outcomes[word]++; outcomes[word] == 1 {
				words = append(words, word)
			}
		case queue.VerdictDeny:
			if row.EditedTo != "" { // not refused: another call stands in its place
				edited++
			} else {
				denied++
			}
		}
	}
	text := "allowed " + strconv.Itoa(allowed) + ", denied " + strconv.Itoa(denied)
	if edited > 0 {
		text += ", edited " + strconv.Itoa(edited)
	}
	slices.SortStableFunc(words, func(a, b string) int { return outcomes[b] - outcomes[a] })
	for i, word := range words {
		if i == 0 {
			text += "; of those allowed: "
		} else {
			text += ", "
		}
		text += word + " " + strconv.Itoa(outcomes[word])
	}
	return saying{word: "answered", role: themes.Muted, parts: []part{own(text)}}
}

func (s *precedentSheet) heads(p pen, _ frame.Look) []frame.Line {
	if s.n == 0 {
		return []frame.Line{p.head("precedent")}
	}
	head := p.head("precedent", "your last "+say.Number(int64(s.n))+" of ")
	return []frame.Line{append(head, frame.T(themes.Faint, p.name(s.tool)))}
}

func (s *precedentSheet) foot(pen) frame.Line { return nil }

func (s *precedentSheet) rows(int) int { return max(len(s.sayings), 1) }

// wordCells is the column of the word, with its margin.
const wordCells = 12

func (s *precedentSheet) text(i int, p pen, _ int) (visible.Text, int) {
	if len(s.sayings) == 0 {
		return visible.Concat(visible.Own("you have not answered "), p.name(s.tool), visible.Own(" before")), 1
	}
	var out []visible.Text
	for _, part := range s.sayings[i].parts {
		out = append(out, p.part(part))
	}
	return visible.Concat(out...), wordCells
}

func (p pen) part(x part) visible.Text {
	switch {
	case x.own != "":
		return visible.Drawn(x.own)
	case x.pointer:
		return p.label(x.drawn)
	case x.bare:
		return p.line(strings.ReplaceAll(x.drawn, "\n", " "), "")
	}
	return p.quoted(x.drawn)
}

func (s *precedentSheet) dress(i int, _ pen, _ int, _ visible.Text) dressed {
	if len(s.sayings) == 0 {
		return dressed{head: frame.Line{frame.Gap(1)}, role: themes.Text}
	}
	x := s.sayings[i]
	role := themes.Text
	if x.quiet {
		role = themes.Muted
	}
	return dressed{head: frame.Line{frame.Gap(1), frame.Col(x.role, x.word, wordCells-1)}, role: role}
}
