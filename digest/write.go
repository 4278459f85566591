package digest

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// writer appends canonical bytes. Members are written in UTF-16 order by the
// order of the calls; nested JSON is canonical already. A string that is not
// UTF-8 is remembered and refused by done.
type writer struct {
	b   []byte
	bad bool
}

func (w *writer) done() (JSON, error) {
	if w.bad {
		return nil, fault(CodeBadUTF8)
	}
	return w.b, nil
}

func (w *writer) open()  { w.b = append(w.b, '{') }
func (w *writer) close() { w.b = append(w.b, '}') }

// member starts a member. Only an object just opened ends in '{': strings end
// in a quote, and every other value is closed.
func (w *writer) member(name string) {
	if w.b[len(w.b)-1] != '{' {
		w.b = append(w.b, ',')
	}
	w.b = append(w.b, '"')
	w.b = append(w.b, name...)
	w.b = append(w.b, '"', ':')
}

func (w *writer) quote(s string) {
	b, err := jsontext.AppendQuote(w.b, s)
	w.bad = w.bad || err != nil
	w.b = b
}

func (w *writer) text(name, s string) {
	w.member(name)
	w.quote(s)
}

// optional leaves an empty string out.
func (w *writer) optional(name, s string) {
	if s != "" {
		w.text(name, s)
	}
}

func (w *writer) json(name string, v JSON) {
	w.member(name)
	w.b = append(w.b, v...)
}

// list writes an array with one call an element.
func list[T any](w *writer, name string, elements []T, write func(*writer, *T)) {
	w.member(name)
	w.b = append(w.b, '[')
	for i := range elements {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		write(w, &elements[i])
	}
	w.b = append(w.b, ']')
}

func (w *writer) element(s *string) { w.quote(*s) }

func (w *writer) action(a *Action) {
	w.open()
	w.json("arguments", a.Arguments)
	if a.Effect != nil {
		w.member("effect")
		w.effect(a.Effect)
	}
	w.member("environment")
	w.environment(&a.Environment)
	if len(a.Lifted) > 0 {
		list(w, "lifted", a.Lifted, (*writer).element)
	}
	if len(a.Operands) > 0 {
		list(w, "operands", a.Operands, (*writer).operand)
	}
	w.optional("operation", a.Operation)
	w.member("principal")
	w.principal(&a.Principal)
	w.text("tool", a.Tool)
	w.text("type", TypeAction)
	w.close()
}

func (w *writer) effect(e *Effect) {
	w.open()
	w.optional("access", e.Access)
	w.optional("class", e.Class)
	w.optional("commit_boundary", e.CommitBoundary)
	if len(e.Key) > 0 {
		w.json("key", e.Key)
	}
	w.close()
}

func (w *writer) environment(e *Environment) {
	w.open()
	w.optional("cwd", e.Cwd)
	w.optional("machine", e.Machine)
	w.text("name", e.Name)
	if len(e.Vars) > 0 {
		w.member("vars")
		w.open()
		for i, v := range e.Vars {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			w.quote(v.Name)
			w.b = append(w.b, ':')
			w.quote(v.Value)
		}
		w.close()
	}
	w.close()
}

func (w *writer) principal(p *Principal) {
	w.open()
	w.text("agent", p.Agent)
	w.optional("host", p.Host)
	w.optional("user", p.User)
	w.close()
}

func (w *writer) operand(o *Operand) {
	w.open()
	w.text("digest", string(o.Digest))
	w.text("name", o.Name)
	w.close()
}

// ask returns where the bytes of the action lie; nil when there is none. They
// stay valid, because what is written is never changed.
func (w *writer) ask(a *Ask) (action []byte) {
	w.open()
	if a.Action != nil {
		w.member("action")
		from := len(w.b)
		w.action(a.Action)
		action = w.b[from:]
	}
	w.text("action_digest", string(a.ActionDigest))
	w.optional("agent_words", a.AgentWords)
	w.text("answer_by", a.AnswerBy)
	if a.DerivedFrom != nil {
		w.member("derived_from")
		w.open()
		w.text("ask", a.DerivedFrom.Ask)
		w.text("by", a.DerivedFrom.By)
		w.close()
	}
	if a.Descriptor != nil {
		w.member("descriptor")
		w.open()
		w.text("digest", string(a.Descriptor.Digest))
		list(w, "readings", a.Descriptor.Readings, (*writer).reading)
		w.close()
	}
	w.text("id", a.ID)
	w.text("kind", a.Kind)
	list(w, "parents", a.Parents, (*writer).element)
	if a.Principal != nil {
		w.member("principal")
		w.principal(a.Principal)
	}
	if a.Question != nil {
		w.member("question")
		w.question(a.Question)
	}
	list(w, "reasons", a.Reasons, (*writer).element)
	w.optional("replaces", a.Replaces)
	w.text("session", a.Session)
	w.text("type", TypeAsk)
	w.member("use_within")
	w.b = strconv.AppendInt(w.b, a.UseWithin, 10)
	list(w, "why", a.Why, (*writer).element)
	w.close()
	return action
}

func (w *writer) reading(r *Reading) {
	w.open()
	w.text("pointer", r.Pointer)
	w.text("text", r.Text)
	w.close()
}

func (w *writer) question(q *Question) {
	w.open()
	w.json("schema", q.Schema)
	w.text("text", q.Text)
	w.close()
}
