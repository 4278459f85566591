package digest

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

type written struct {
	Name  string         `json:"name"`
	Count int64          `json:"count,omitzero"`
	Raw   jsontext.Value `json:"raw,omitzero"`
	Inner struct {
		Flag bool `json:"flag,omitzero"`
	} `json:"inner,omitzero"`
}

// What is read is written back byte for byte; everything else is refused.
func TestReadWrite(t *testing.T) {
	var w written
	if err := Read([]byte(`{"raw":{"b":null,"a":1.0},"name":"n"}`), &w, Limits{}); err != nil {
		t.Fatal(err)
	}
	if doc, err := Write(w); err != nil || string(doc) != `{"name":"n","raw":{"a":1,"b":null}}` {
		t.Errorf("%s, %v", doc, err)
	}
	for doc, want := range map[string][2]string{
		`{"name":"n","other":1}`:                {CodeUnknownMember, "/other"},
		`{"Name":"n"}`:                          {CodeUnknownMember, "/Name"},
		`{"name":1}`:                            {CodeWrongType, "/name"},
		`{"name":"n","inner":{"flag":"true"}}`:  {CodeWrongType, "/inner/flag"},
		`{"name":"n","name":"n"}`:               {CodeDuplicateMember, "/name"},
		`{"name":null}`:                         {CodeBadValue, ""},
		`{}`:                                    {CodeBadValue, ""},
		`{"name":"n","count":0}`:                {CodeBadValue, ""},
		`{"name":"n","inner":{"flag":false}}`:   {CodeBadValue, ""},
		`{"name":"n","inner":{}}`:               {CodeBadValue, ""},
		`{"name":"n","count":9007199254740993}`: {CodeLossyNumber, "/count"},
		`[]`:                                    {CodeWrongType, ""},
		`null`:                                  {CodeBadValue, ""},
		`{"name":"n"} x`:                        {CodeTrailingBytes, ""},
	} {
		err := Read([]byte(doc), new(written), Limits{})
		e, ok := err.(*Error)
		if !ok || e.Code != want[0] || e.Pointer != want[1] {
			t.Errorf("%s: %v", doc, err)
		}
	}
	if _, err := Write(written{Name: "\xff"}); err == nil || err.(*Error).Code != CodeBadUTF8 {
		t.Errorf("bad UTF-8: %v", err)
	}
	if _, err := Write(func() {}); err == nil {
		t.Error("a function was written")
	}
}
