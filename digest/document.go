package digest

// The closed documents of DESIGN §3. A zero string means "not stated": an
// optional member that is present and empty is refused on reading, so that
// reading and writing are inverse.

// Type words of the documents; each names kind and version.
const (
	TypeAction   = "nod.action/v1"
	TypeAsk      = "nod.ask/v1"
	TypeQuestion = "nod.question/v1"
)

// Kinds of an ask.
const (
	KindCall     = "call"
	KindQuestion = "question"
	KindCommit   = "commit"
)

// Digest is "sha256:" and 64 lowercase hex digits.
type Digest string

// JSON is one JSON value as RFC 8785 canonical bytes. It is made only by
// Canonical (or by reading a document) and never changed.
type JSON []byte

// Action is the exact call (nod.action/v1).
type Action struct {
	Tool        string
	Operation   string
	Arguments   JSON // any JSON value; required
	Principal   Principal
	Environment Environment
	Effect      *Effect
	Operands    []Operand // sorted by name, names unique
	Lifted      []string  // RFC 6901 pointers into Arguments, sorted; the value there is a string of a number's digits
}

// Principal is who asks, as the connection and its configuration state it.
type Principal struct {
	Agent string // required
	User  string
	Host  string
}

// Environment is where the action runs.
type Environment struct {
	Name    string // required; from the configuration
	Cwd     string
	Machine string
	Vars    []Var // sorted by UTF-16 order of name; a JSON object of strings on the wire; absent when empty
}

// Var is one stated environment variable; the value may be empty.
type Var struct{ Name, Value string }

// Effect is the declared effect. Key is a JSON array [environment, family,
// parts…]. At least one member is stated.
type Effect struct {
	Key            JSON
	Class          string // reversible compensatable irreversible
	Access         string // read write idempotent
	CommitBoundary string
}

// Operand is something the action reads by reference when it runs.
type Operand struct {
	Name   string
	Digest Digest
}

// Ask is one request for a person's answer (nod.ask/v1).
type Ask struct {
	ID           string // UUIDv7, lowercase
	Kind         string
	Action       *Action    // call, commit: required; question: nil
	Principal    *Principal // question: required; else nil (the action names it)
	ActionDigest Digest
	Reasons      []string // sorted, unique, at least one; closed words [a-z_]+
	Why          []string // fixed sentences with data; at least one
	Session      string
	Parents      []string // nearest first
	AnswerBy     string   // RFC 3339 UTC with seconds: 2026-12-01T14:30:12Z
	UseWithin    int64    // seconds, > 0
	Descriptor   *Descriptor
	Question     *Question // kind question only
	AgentWords   string
	Replaces     string // ask id
	DerivedFrom  *Derived
}

// Descriptor is the operator's own text about the tool, as it stood when the
// ask was made.
type Descriptor struct {
	Digest   Digest
	Readings []Reading
}

// Reading is one raw value of the arguments as the descriptor reads it.
type Reading struct {
	Pointer string // RFC 6901, into the arguments
	Text    string
}

// Question is what a question ask wants answered.
type Question struct {
	Text   string
	Schema JSON // a JSON schema (object or boolean)
}

// Derived says which ask an edit came from, and who edited it.
type Derived struct {
	Ask string
	By  string
}
