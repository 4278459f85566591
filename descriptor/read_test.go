package descriptor_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"nod/descriptor"
	"nod/digest"
)

// reader compiles one reading.
func reader(t testing.TB, r descriptor.Reading) *descriptor.Descriptor {
	t.Helper()
	set, err := descriptor.Compile([]descriptor.Tool{{Name: "x", Reading: []descriptor.Reading{r}}})
	if err != nil {
		t.Fatal(err)
	}
	return set.Tool("x")
}

// read gives the readings of arguments as "pointer = text", a line each.
func read(t testing.TB, d *descriptor.Descriptor, arguments string) string {
	t.Helper()
	v, err := digest.Canonical([]byte(arguments), digest.NoLimits())
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, r := range d.Read(v) {
		lines = append(lines, r.Pointer+" = "+r.Text)
	}
	return strings.Join(lines, "\n")
}

const (
	notWhole = "not read as money: not a whole number of minor units"
	noCode   = "not read as money: the stated currency is no code of ISO 4217"
)

func TestMoney(t *testing.T) {
	fixed := func(code string) descriptor.Reading {
		return descriptor.Reading{At: "/amount", As: descriptor.AsMoney, Currency: code}
	}
	stated := fixed("/currency")
	for _, c := range []struct {
		reading   descriptor.Reading
		arguments string
		want      string
	}{
		{fixed("EUR"), `{"amount":4800}`, "48.00 EUR"},
		{fixed("EUR"), `{"amount":4800,"currency":"JPY"}`, "48.00 EUR"}, // the operator's word
		{fixed("EUR"), `{"amount":0}`, "0.00 EUR"},
		{fixed("EUR"), `{"amount":5}`, "0.05 EUR"},
		{fixed("EUR"), `{"amount":-5}`, "-0.05 EUR"},
		{fixed("EUR"), `{"amount":-4800}`, "-48.00 EUR"},
		{fixed("JPY"), `{"amount":4800}`, "4800 JPY"},
		{fixed("JPY"), `{"amount":-1}`, "-1 JPY"},
		{fixed("KWD"), `{"amount":4800}`, "4.800 KWD"},
		{fixed("CLF"), `{"amount":1}`, "0.0001 CLF"},
		{fixed("EUR"), `{"amount":9007199254740991}`, "90071992547409.91 EUR"},
		{fixed("EUR"), `{"amount":4800.0}`, "48.00 EUR"}, // the canonical form is 4800
		{fixed("EUR"), `{"amount":48e2}`, "48.00 EUR"},   // and here
		{fixed("EUR"), `{"amount":100000000000000000000}`, "1000000000000000000.00 EUR"},
		{fixed("EUR"), `{"amount":1e21}`, notWhole},
		{fixed("EUR"), `{"amount":48.5}`, notWhole},
		{fixed("EUR"), `{"amount":1e-7}`, notWhole},
		{fixed("EUR"), `{"amount":"4800"}`, notWhole}, // a lifted number is a string too
		{fixed("EUR"), `{"amount":"٤٨٠٠"}`, notWhole},
		{fixed("EUR"), `{"amount":true}`, notWhole},
		{fixed("EUR"), `{"amount":null}`, notWhole},
		{fixed("EUR"), `{"amount":[4800]}`, notWhole},
		{fixed("EUR"), `{"amount":{}}`, notWhole},
		{stated, `{"amount":4800,"currency":"EUR"}`, "48.00 EUR"},
		{stated, `{"amount":4800,"currency":"eur"}`, "48.00 EUR"},
		{stated, `{"amount":4800,"currency":"JPY"}`, "4800 JPY"},
		{stated, `{"amount":4800,"currency":"Eur"}`, noCode},
		{stated, `{"amount":4800,"currency":"ЕUR"}`, noCode}, // a Cyrillic Е
		{stated, `{"amount":4800,"currency":"EUR "}`, noCode},
		{stated, `{"amount":4800,"currency":" EU"}`, noCode},
		{stated, `{"amount":4800,"currency":"R F"}`, noCode},
		{stated, `{"amount":4800,"currency":"XAU"}`, noCode},
		{stated, `{"amount":4800,"currency":""}`, noCode},
		{stated, `{"amount":4800,"currency":978}`, noCode},
		{stated, `{"amount":4800,"currency":["EUR"]}`, noCode},
		{stated, `{"amount":4800}`, "not read as money: no currency is stated"},
		{stated, `{"amount":4800,"Currency":"EUR"}`, "not read as money: no currency is stated"},
	} {
		if got := read(t, reader(t, c.reading), c.arguments); got != "/amount = "+c.want {
			t.Errorf("%s by %s: %q, want %q", c.arguments, c.reading.Currency, got, c.want)
		}
	}
	for _, odd := range []string{"-0", "007", "-", "", "+1", "0x10", "1_0"} { // no canonical form; another reader's
		if got := reader(t, fixed("EUR")).Read(digest.JSON(`{"amount":` + odd + `}`)); len(got) == 1 && got[0].Text != notWhole {
			t.Errorf("%s is read as %q", odd, got[0].Text)
		}
	}
	for _, nothing := range []string{`{}`, `{"Amount":4800}`, `4800`, `[]`, `null`, `"amount"`} {
		if got := read(t, reader(t, fixed("EUR")), nothing); got != "" {
			t.Errorf("%s is read as %q", nothing, got)
		}
	}
}

// FuzzMoney: a reading is exact for every whole number, and there is a value
// for nothing else.
func FuzzMoney(f *testing.F) {
	for _, s := range []string{"4800", "-4800", "0", "9223372036854775807", "-9223372036854775808", "1e21", `"4800"`, "48.5", "[4800]", "{}"} {
		for _, code := range []string{"EUR", "JPY", "KWD", "CLF"} {
			f.Add(s, code)
		}
	}
	digits := map[string]int{"EUR": 2, "JPY": 0, "KWD": 3, "CLF": 4}
	f.Fuzz(func(t *testing.T, amount, code string) {
		n, known := digits[code]
		if !known {
			return
		}
		whole, isWhole := new(big.Int).SetString(amount, 10)
		if isWhole && (whole.String() != amount || whole.BitLen() > 63) {
			return // written otherwise, or no int64
		}
		v, err := digest.Canonical([]byte(`{"amount":`+amount+`}`), digest.NoLimits())
		if isWhole && err != nil { // JSON refuses what a double does not hold: the digits are lifted, or tried as they are
			v, err = digest.JSON(`{"amount":`+amount+`}`), nil
		}
		if err != nil {
			return
		}
		got := reader(t, descriptor.Reading{At: "/amount", As: descriptor.AsMoney, Currency: code}).Read(v)
		if len(got) != 1 {
			return // another member of that name, or none
		}
		raw, _ := digest.Lookup(v, "/amount")
		whole, isWhole = new(big.Int).SetString(string(raw), 10)
		if !isWhole {
			if got[0].Text != notWhole {
				t.Fatalf("%s reads %q", raw, got[0].Text)
			}
			return
		}
		number, of, _ := strings.Cut(got[0].Text, " ")
		value, ok := new(big.Rat).SetString(number)
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
		if !ok || of != code || value.Mul(value, new(big.Rat).SetInt(scale)).Cmp(new(big.Rat).SetInt(whole)) != 0 {
			t.Fatalf("%s reads %q", raw, got[0].Text)
		}
		if _, after, _ := strings.Cut(number, "."); len(after) != n {
			t.Fatalf("%s reads %q, without %d digits behind the point", raw, got[0].Text, n)
		}
	})
}

func TestName(t *testing.T) {
	d := reader(t, descriptor.Reading{At: "/customer", As: descriptor.AsName,
		Names: map[string]string{"C-20417": "Example Ltd", "77": "Seven"}})
	const none, other = "no name: the descriptor has none for this value", "no name: neither a text nor a whole number"
	for value, want := range map[string]string{
		`"C-20417"`:        "Example Ltd",
		`"\u0043-20417"`:   "Example Ltd", // the same text
		`"С-20417"`:        none,          // a Cyrillic С
		`"C‑20417"`:        none,          // a hyphen that does not break
		`"C-20417\u200b"`:  none,
		`"c-20417"`:        none,
		`" C-20417"`:       none,
		`"Example Ltd"`:    none,
		`""`:               none,
		`"77"`:             "Seven",
		`77`:               "Seven",
		`7.7e1`:            "Seven", // the canonical form is 77
		`-77`:              none,
		`77.5`:             other,
		`1e21`:             other,
		`true`:             other,
		`null`:             other,
		`["C-20417"]`:      other,
		`{"C-20417":"77"}`: other,
	} {
		if got := read(t, d, `{"customer":`+value+`}`); got != "/customer = "+want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}

func TestTime(t *testing.T) {
	const none, far = "not read as a time: not a whole number", "not read as a time: no year of four digits"
	for _, c := range []struct{ unit, value, want string }{
		{"s", "1800000000", "2027-01-15T08:00:00Z"},
		{"ms", "1800000000123", "2027-01-15T08:00:00.123Z"},
		{"s", "0", "1970-01-01T00:00:00Z"},
		{"ms", "-1", "1969-12-31T23:59:59.999Z"},
		{"s", "253402300799", "9999-12-31T23:59:59Z"},
		{"s", "253402300800", far},
		{"ms", "253402300799999", "9999-12-31T23:59:59.999Z"},
		{"ms", "253402300800000", far},
		{"s", "-62135596800", "0001-01-01T00:00:00Z"},
		{"s", "-62135596801", far},
		{"s", "1800000000123", far}, // milliseconds where seconds are meant
		{"s", "100000000000000000000", far},
		{"s", "1e21", none},
		{"s", "1.5", none},
		{"s", `"1800000000"`, none},
		{"s", "null", none},
	} {
		d := reader(t, descriptor.Reading{At: "/due", As: descriptor.AsTime, Unit: c.unit})
		if got := read(t, d, `{"due":`+c.value+`}`); got != "/due = "+c.want {
			t.Errorf("%s %s: %q, want %q", c.value, c.unit, got, c.want)
		}
	}
}

func TestEveryElement(t *testing.T) {
	d := reader(t, descriptor.Reading{At: "/items/*/price", As: descriptor.AsMoney, Currency: "/items/*/currency"})
	for _, c := range []struct{ arguments, want string }{
		{`{"items":[{"price":100,"currency":"EUR"},{"currency":"EUR"},{"price":300,"currency":"JPY"},{"price":1}]}`,
			"/items/0/price = 1.00 EUR\n/items/2/price = 300 JPY\n/items/3/price = not read as money: no currency is stated"},
		{`{"items":[]}`, ""},
		{`{"items":{"0":{"price":1,"currency":"EUR"}}}`, ""}, // no list
		{`{"items":{"*":{"price":1,"currency":"EUR"}}}`, "/items/*/price = 0.01 EUR"},
		{`{"items":[[{"price":1}]]}`, ""},
		{`{"items":"*"}`, ""},
	} {
		if got := read(t, d, c.arguments); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.arguments, got, c.want)
		}
	}
	whole := reader(t, descriptor.Reading{At: "/*/*", As: descriptor.AsMoney, Currency: "EUR"})
	if got, want := read(t, whole, `[[1],[2,3]]`), "/0/0 = 0.01 EUR\n/1/0 = 0.02 EUR\n/1/1 = 0.03 EUR"; got != want {
		t.Errorf("nested lists: %q", got)
	}
	escaped := reader(t, descriptor.Reading{At: "/a~1b/~0/*", As: descriptor.AsMoney, Currency: "EUR"})
	if got := read(t, escaped, `{"a/b":{"~":[7]}}`); got != "/a~1b/~0/0 = 0.07 EUR" {
		t.Errorf("escaped steps: %q", got)
	}
}

// A long list is not read in part: it is said to be unread.
func TestALongListIsNotReadInPart(t *testing.T) {
	d := reader(t, descriptor.Reading{At: "/prices/*", As: descriptor.AsMoney, Currency: "EUR"})
	list := func(n int) string { return `{"prices":[` + strings.TrimSuffix(strings.Repeat("1,", n), ",") + `]}` }
	if got := read(t, d, list(200)); strings.Count(got, "0.01 EUR") != 200 {
		t.Errorf("of 200 are read %d", strings.Count(got, "0.01 EUR"))
	}
	if got, want := read(t, d, list(201)), "/prices = not read: more than 200 values"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	deep := reader(t, descriptor.Reading{At: "/*/prices/*", As: descriptor.AsMoney, Currency: "EUR"})
	for n, want := range map[int]int{100: 200, 101: 1} {
		got := read(t, deep, "["+list(100)+","+list(n)+","+"{}"+"]")
		if strings.Count(got, "\n")+1 != want || want == 1 && got != " = not read: more than 200 values" {
			t.Errorf("lists of 100 and %d: %q", n, got)
		}
	}
}

// What an agent sends never becomes text of a reading.
func TestNoTextOfTheArgumentsIsInAReading(t *testing.T) {
	const mark = "sent-by-the-agent"
	d, err := descriptor.Compile([]descriptor.Tool{{Name: "x", Reading: []descriptor.Reading{
		{At: "/a", As: descriptor.AsMoney, Currency: "/b"}, {At: "/b", As: descriptor.AsMoney, Currency: "EUR"},
		{At: "/c", As: descriptor.AsName, Names: map[string]string{"k": "Known"}}, {At: "/d", As: descriptor.AsTime, Unit: "s"},
		{At: "/e/*/x", As: descriptor.AsName, Names: map[string]string{"k": "Known"}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	v := `"` + mark + `"`
	got := read(t, d.Tool("x"), fmt.Sprintf(`{"a":1,"b":%s,"c":%s,"d":%s,"e":[{"x":%s,%s:1}]}`, v, v, v, v, v))
	if strings.Count(got, "\n") != 4 || strings.Contains(got, mark) {
		t.Errorf("readings:\n%s", got)
	}
}
