package digest

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// row is one line of a corpus in testdata.
type row struct {
	ID        string `json:"id"`
	Class     string `json:"class"`
	Input     string `json:"input"`
	InputB64  []byte `json:"input_b64"`
	LooksLike string `json:"looks_like"`
	Canonical string `json:"canonical"`
	SHA256    string `json:"sha256"`
	Rule      string `json:"rule"`
}

func (r row) bytes() []byte {
	if r.InputB64 != nil {
		return r.InputB64
	}
	return []byte(r.Input)
}

func corpus(t testing.TB, name string) []row {
	t.Helper()
	f, err := os.Open("testdata/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var rows []row
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if err := lines.Err(); err != nil || len(rows) == 0 {
		t.Fatalf("%s: %d rows, %v", name, len(rows), err)
	}
	return rows
}

func quoted(t testing.TB, s string) string {
	t.Helper()
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func codeOf(err error) string {
	if e, ok := err.(*Error); ok { //nolint:errorlint // the contract is *Error itself
		return e.Code
	}
	if err != nil {
		return "not an *Error: " + err.Error()
	}
	return ""
}

func TestJCSVectors(t *testing.T) {
	// RFC 8785 prints these; DESIGN §3 refuses them first, because the printed
	// value is another one than was sent.
	guarded := map[string]bool{"jcs-007": true, "jcs-026": true, "jcs-058": true}
	for _, r := range corpus(t, "jcs-vectors") {
		text := r.Input
		if r.Class != "json/jcs-vector" {
			bits, err := hex.DecodeString(r.Input)
			if err != nil || len(bits) != 8 {
				t.Fatal(r.ID, err)
			}
			var u uint64
			for _, b := range bits {
				u = u<<8 | uint64(b)
			}
			text = strconv.FormatFloat(math.Float64frombits(u), 'e', -1, 64)
		}
		got, err := Canonical([]byte(text), Limits{})
		switch {
		case r.Class == "json/jcs-number-error":
			if codeOf(err) != CodeBadJSON {
				t.Errorf("%s: %q: %v", r.ID, got, err)
			}
		case guarded[r.ID]:
			if codeOf(err) != CodeLossyNumber {
				t.Errorf("%s: want lossy_number, got %q, %v", r.ID, got, err)
			}
		case err != nil || string(got) != r.Canonical:
			t.Errorf("%s: got %q, %v; want %q", r.ID, got, err, r.Canonical)
		case r.SHA256 != "" && Of(got).Hex() != r.SHA256:
			t.Errorf("%s: got %s", r.ID, Of(got))
		}
	}
}

// differentials says, by the row's number, how DESIGN §3 answers: a code, or ""
// for a document that is taken.
var differentials = map[string]string{
	"001": CodeDuplicateMember, "002": CodeDuplicateMember, "003": CodeDuplicateMember,
	"006": CodeLossyNumber, "007": CodeLossyNumber, "008": CodeLossyNumber, "009": CodeLossyNumber, "010": CodeLossyNumber,
	"012": CodeLossyNumber, "013": CodeLossyNumber, "014": CodeLossyNumber,
	"020": CodeBadJSON, "021": CodeBadJSON, "022": CodeBadJSON, "023": CodeBadJSON, "024": CodeBadJSON,
	"025": CodeTrailingBytes, "026": CodeTrailingBytes, "027": CodeBadJSON,
	"028": CodeLoneSurrogate, "029": CodeLoneSurrogate,
	"042": CodeTooDeep, "047": CodeBadJSON, "048": CodeBadJSON,
}

func TestParserDifferentials(t *testing.T) {
	seen := map[string]string{}
	for _, r := range corpus(t, "json-parser-differentials") {
		number := strings.TrimPrefix(r.ID, "json-parser-differentials-")
		got, err := Canonical(r.bytes(), Limits{})
		if codeOf(err) != differentials[number] {
			t.Errorf("%s (%s): %q, %v; want %q", r.ID, r.Class, got, err, differentials[number])
		}
		seen[r.Class] = string(got)
	}
	for _, pair := range [][2]string{{"json/order-a", "json/order-b"}} {
		if seen[pair[0]] != seen[pair[1]] {
			t.Errorf("%v differ", pair)
		}
	}
	if seen["json/array-order-a"] == seen["json/array-order-b"] {
		t.Error("the order of an array is lost")
	}
	for class, want := range map[string]string{
		"json/slash-escape": `{"u":"https://x"}`, "json/unicode-escape": `{"u":"A"}`, "json/exp-form": `{"amount":100}`,
		"json/html-escape": `{"u":"<&>"}`, "json/case-fold": `{"Amount":900000,"amount":1}`,
		"json/nul-escape": `{"to":"a\u0000b"}`, "json/norm-key": "{\"cafe\u0301\":2,\"caf\u00e9\":1}",
	} {
		if seen[class] != want {
			t.Errorf("%s: got %q, want %q", class, seen[class], want)
		}
	}
}

// TestHugeInput answers in bounded work: deep and wide documents.
func TestHugeInput(t *testing.T) {
	deep := bytes.Repeat([]byte("["), 100_000)
	if _, err := Canonical(append(deep, bytes.Repeat([]byte("]"), 100_000)...), Limits{}); codeOf(err) != CodeTooDeep {
		t.Errorf("deep: %v", err)
	}
	var wide bytes.Buffer
	wide.WriteByte('{')
	for i := range 50_000 {
		if i > 0 {
			wide.WriteByte(',')
		}
		wide.WriteString(`"k` + strconv.Itoa(i) + `":` + strconv.Itoa(i))
	}
	wide.WriteByte('}')
	doc, err := Canonical(wide.Bytes(), Limits{})
	if err != nil || len(doc) != wide.Len() {
		t.Errorf("wide: %d bytes, %v", len(doc), err)
	}
}

// TestTextsHaveTheirOwnDigest: a text and its look-alike, or the text with and
// without its invisible characters, are never one action.
func TestTextsHaveTheirOwnDigest(t *testing.T) {
	of := func(s string) Digest {
		a := sampleAction(t)
		a.Tool = "t" + s
		var err error
		a.Arguments, err = Canonical([]byte(`{"command":`+quoted(t, s)+`}`), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		d, err := a.Digest()
		if err != nil {
			t.Fatal(err)
		}
		doc, err := a.Canonical()
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseAction(doc, Limits{})
		if err != nil || back.Tool != a.Tool {
			t.Fatalf("%q does not come back: %v", s, err)
		}
		return d
	}
	seen := map[Digest]string{}
	for _, name := range []string{"confusables", "invisible-unicode", "naughty-strings"} {
		for _, r := range corpus(t, name) {
			texts := []string{string(r.bytes())}
			if name == "confusables" {
				texts = append(texts, r.LooksLike)
			}
			if name == "invisible-unicode" {
				texts = append(texts, strings.Map(func(c rune) rune {
					if c > 0x7F {
						return -1
					}
					return c
				}, texts[0]))
			}
			for _, s := range texts {
				d := of(s)
				if other, taken := seen[d]; taken && other != s {
					t.Errorf("%s: %q and %q have one digest", r.ID, s, other)
				}
				seen[d] = s
			}
		}
	}
	if len(seen) < 200 {
		t.Errorf("only %d texts were compared", len(seen))
	}
}

// TestToolCalls: every call of the corpus is an action, exactly or with its
// long numbers lifted; a number written in
// two ways (2000, 2000.0) is one value, and nothing else shares a digest.
func TestToolCalls(t *testing.T) {
	seen := map[Digest]row{}
	lifts := 0
	for _, r := range corpus(t, "tool-calls") {
		a := sampleAction(t)
		var err error
		if a.Arguments, a.Lifted, err = Lift(r.bytes(), Limits{}); err != nil {
			t.Errorf("%s: %v", r.ID, err)
			continue
		}
		if len(a.Lifted) > 0 {
			lifts++
		}
		d, err := a.Digest()
		if err != nil {
			t.Errorf("%s: %v", r.ID, err)
		}
		if other, taken := seen[d]; taken && strings.Replace(r.Input, "2000.0", "2000", 1) != other.Input {
			t.Errorf("%s and %s have one digest", r.ID, other.ID)
		}
		seen[d] = r
	}
	if lifts == 0 {
		t.Error("the corpus has a number to lift")
	}
}
