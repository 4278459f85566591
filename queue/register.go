package queue

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"nod/boundary"
	"nod/digest"
	"nod/policy/clamp"
)

// RegisterSession says what a host knows of a session before it acts: who
// started it, what its level clamps, and the conversation that it goes on with.
// Registering again changes nothing where it says the same, and else only
// tightens. Result: Registered.
type RegisterSession struct {
	Session string         `json:"session"`          // the host's session id, not blank
	Parent  string         `json:"parent,omitzero"`  // the host's id of the parent session
	Source  string         `json:"source,omitzero"`  // where it comes from, as the host calls it; shown, and part of no judgement
	Clamps  jsontext.Value `json:"clamps,omitempty"` // what its level declares (docs/spec/policy.md §6)
	Branch  []string       `json:"branch,omitempty"` // the entries of a resumed conversation, each one JSON document, oldest first
}

// Registered answers RegisterSession.
type Registered struct {
	Session  string            `json:"session"` // Nod's id
	Parent   string            `json:"parent,omitzero"`
	Clamps   jsontext.Value    `json:"clamps"`             // in force: the operator's level, the parents', its own
	Travels  jsontext.Value    `json:"travels"`            // to a child of it
	Carried  jsontext.Value    `json:"carried"`            // in force, of the rows that are the host's to keep
	Loosened []string          `json:"loosened,omitempty"` // cells that it states more loosely than what holds; not honoured
	Bits     []string          `json:"bits"`               // of its tree
	Standing boundary.Standing `json:"standing,omitzero"`  // of the branch, where one was sent
	// Unreadable is why the tree is read as the strictest; Entry the id of the
	// branch's entry that does not read, where it has one.
	Unreadable string `json:"unreadable,omitzero"`
	Entry      string `json:"entry,omitzero"`
	// Record is the entry that the host writes on its branch now: of an armed tree.
	Record jsontext.Value `json:"record,omitempty"`
}

func (RegisterSession) actName() string { return "register_session" }
func (Registered) resultName() string   { return "registered" }

// Bounds of what a host registers.
const (
	maxSource    = 128
	maxClamps    = 64 << 10
	maxDenyRules = 64      // of one session
	maxBranch    = 4 << 20 // bytes of all entries
)

// TypeRegistered is the type word of what a register event's said_digest is of.
const TypeRegistered = "nod.registered/v1"

// registration is a RegisterSession, read.
type registration struct {
	act    RegisterSession
	sub    submission
	clamps clamp.Declaration
	branch *boundary.Branch
}

func (q *Queue) prepareRegister(c *Conn, a RegisterSession) (job, error) {
	r := &registration{act: a, sub: submission{act: Submit{Session: a.Session, Parent: a.Parent}, principal: c.Principal}}
	for _, t := range []string{a.Session, a.Parent, a.Source} {
		if !utf8.ValidString(t) {
			return nil, refuse(digest.CodeBadUTF8, "a text of the registration is not UTF-8").hint("send UTF-8")
		}
	}
	if err := r.sub.act.bounds(); err != nil {
		return nil, err
	}
	if strings.TrimSpace(a.Session) == "" {
		return nil, refuse(CodeBadInput, "the registration names no session").hint("send the host's session id")
	}
	if len(a.Source) > maxSource || strings.TrimSpace(a.Source) != a.Source || strings.ContainsFunc(a.Source, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return nil, refuse(CodeBadInput, "the source is not a name of at most %d printable bytes", maxSource).hint("name it in one short word")
	}
	r.sub.session = sessionID(&c.Principal, a.Session)
	if a.Parent != "" && a.Parent != a.Session {
		r.sub.parent = sessionID(&c.Principal, a.Parent)
	}
	if len(a.Clamps) > 0 {
		var err error
		if r.clamps, err = q.declaration(a.Clamps); err != nil {
			return nil, err
		}
	}
	if len(a.Branch) > 0 {
		size := 0
		entries := make([][]byte, len(a.Branch))
		for i, e := range a.Branch {
			size += len(e)
			entries[i] = []byte(e)
		}
		if size > maxBranch {
			return nil, tooLong("the branch").hint("of an entry only type, customType, id and data count")
		}
		b := boundary.ReadBranch(entries)
		r.branch = &b
	}
	return func(tx Tx, m moment) (Result, error) { return q.register(tx, m, c, r) }, nil
}

// declaration reads what a level declares. A rule in it must be one: a
// misspelled deny would deny nothing.
func (q *Queue) declaration(raw []byte) (clamp.Declaration, error) {
	if len(raw) > maxClamps {
		return clamp.Declaration{}, refuse(clamp.CodeInvalid, "the clamps have more than %d bytes", maxClamps).hint("send less of them")
	}
	d, err := clamp.Read(raw)
	if err != nil {
		return d, err
	}
	rules := d.DenyRules()
	if len(rules) > maxDenyRules {
		return d, refuse(clamp.CodeInvalid, "the clamps name more than %d rules", maxDenyRules).hint("name those that this level adds")
	}
	for _, r := range rules {
		err := errNoRules
		if q.settings.DenyRules != nil {
			err = q.settings.DenyRules.Reads(r)
		}
		if err != nil {
			return d, refuse(clamp.CodeInvalid, "the rule %s of denyRules is none: %s", quoted(r.Name), err.Error()).
				hint("name a rule of the operator's configuration, or send one whole")
		}
		if named, err := digest.Write(r.Name); err == nil && r.Document.IsObject() && q.settings.DenyRules.Reads(clamp.Rule{Name: r.Name, Document: named}) == nil {
			return d, sameName(r.Name)
		}
	}
	return d, nil
}

// sameName refuses a rule that would deny nothing, because its name stands for
// another one: rules are joined by name, and the earlier stays.
func sameName(name string) *Refusal {
	return refuse(clamp.CodeInvalid, "the rule %s of denyRules has the name of another rule", quoted(name)).hint("give it a name of its own")
}

func (q *Queue) register(tx Tx, m moment, c *Conn, r *registration) (Result, error) {
	a, err := q.arrive(tx, m, &r.sub)
	if err != nil {
		return nil, err
	}
	s := a.session
	if r.sub.parent != "" && s.Parent != r.sub.parent {
		return nil, refuse(CodeBadInput, "this session has another parent already").hint("a session keeps the parent that it named first")
	}
	changed, loosened, err := q.tighten(tx, s, r)
	if err != nil {
		return nil, err
	}
	now, err := q.clamps(tx, s)
	if err != nil {
		return nil, err
	}
	t, err := q.join(tx, m, a)
	if err != nil {
		return nil, err
	}
	grew, err := q.resume(t, m, s, r.branch)
	if err != nil {
		return nil, err
	}
	phase := boundary.Phase("")
	if a.born || a.child || grew {
		phase = boundary.Prepare
	}
	if no, err := q.passes(tx, m, t, s, phase, boundary.Act{}, ""); err != nil || no != nil {
		return nil, orRefusal(no, err)
	}
	changed = changed || a.born || a.child
	if a.dirty || changed {
		t.touch(s)
	}
	if err := t.put(tx); err != nil {
		return nil, err
	}
	result, err := q.registered(t, s, r, now)
	if err != nil {
		return nil, err
	}
	result.Loosened = loosened
	if !changed {
		return result, nil
	}
	said, err := RegisteredDigest(s.ID, s.Source, jsontext.Value(s.Clamps))
	if err != nil {
		return nil, err
	}
	return result, q.append(tx, m, Event{Act: "register", Actor: c.Principal.Agent, Way: c.Way, Session: s.ID, Said: said, Count: int64(len(loosened))})
}

// resume joins what the records of a branch say to the tree of s.
func (q *Queue) resume(t *trees, m moment, s *Session, b *boundary.Branch) (grew bool, err error) {
	if b == nil {
		return false, nil
	}
	root, err := t.root(s)
	if err != nil {
		return false, err
	}
	was := root.tree()
	// Governed first: on a governed tree what no record covers counts as a read.
	next := boundary.Resumed(boundary.Next(was.Join(b.Tree), q.settings.Posture, boundary.Act{}), *b)
	if b.Standing == boundary.Malformed && root.Unreadable == "" {
		root.Unreadable = b.Why
		t.touch(root)
		grew = true
	}
	if next != was {
		root.grow(next, m.now)
		t.touch(root)
	}
	return grew || next != was, nil
}

// tighten writes source and clamps of a registration into s. What holds already
// stands: cells that the new declaration loosens are named and not honoured.
func (q *Queue) tighten(tx ReadTx, s *Session, r *registration) (changed bool, loosened []string, err error) {
	if s.Source == "" && r.act.Source != "" {
		s.Source, changed = r.act.Source, true
	}
	if len(r.act.Clamps) == 0 {
		return changed, nil, nil
	}
	given, err := q.given(tx, s.Parent)
	if err != nil {
		return changed, nil, err
	}
	was, err := s.declared()
	if err != nil {
		return changed, nil, err
	}
	holds := clamp.Compose(given, was)
	for _, rule := range r.clamps.DenyRules() {
		for _, other := range holds.DenyRules() {
			if rule.Name == other.Name && string(rule.Document) != string(other.Document) {
				return changed, nil, sameName(rule.Name)
			}
		}
	}
	loosened = clamp.Loosened(holds, r.clamps)
	own := clamp.Compose(was, r.clamps)
	if len(own.DenyRules()) > maxDenyRules {
		return changed, nil, refuse(clamp.CodeInvalid, "the clamps of this session would name more than %d rules", maxDenyRules).
			hint("rules of a session are only added to")
	}
	if now := string(own.JSON()); now != s.Clamps && (now != "{}" || s.Clamps != "") {
		if len(now) > maxClamps {
			return changed, nil, refuse(clamp.CodeInvalid, "the clamps of this session would have more than %d bytes", maxClamps)
		}
		s.Clamps, changed = now, true
	}
	return changed, loosened, nil
}

func (q *Queue) registered(t *trees, s *Session, r *registration, d clamp.Declaration) (Registered, error) {
	root, err := t.root(s)
	if err != nil {
		return Registered{}, err
	}
	out := Registered{Session: s.ID, Parent: s.Parent, Clamps: jsontext.Value(d.JSON()), Travels: jsontext.Value(d.Project().JSON()),
		Carried: jsontext.Value(d.Carried()), Bits: root.tree().Bits(), Unreadable: root.Unreadable}
	if r.branch != nil {
		out.Standing, out.Entry = r.branch.Standing, r.branch.Entry
	}
	if entry, armed := boundary.WriteEntry(q.edge.NewID(), root.tree()); armed {
		out.Record = entry
	}
	return out, nil
}

// RegisteredDigest names what a session was registered with: Nod's id, its
// source and its own declaration, "" and empty where it has none.
func RegisteredDigest(session, source string, clamps jsontext.Value) (digest.Digest, error) {
	doc := map[string]any{"type": TypeRegistered, "session": session}
	if source != "" {
		doc["source"] = source
	}
	if len(clamps) > 0 {
		doc["clamps"] = clamps
	}
	body, err := digest.Write(doc)
	if err != nil {
		return "", err
	}
	return digest.Of(body), nil
}
