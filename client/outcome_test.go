package client

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// actionOf is an action with an effect key that ends in these parts.
func actionOf(key string) jsontext.Value {
	return jsontext.Value(`{"arguments":{},"effect":{"key":["test",` + key + `]},"environment":{"name":"test"},"principal":{"agent":"a"},"tool":"t","type":"nod.action/v1"}`)
}

func TestEffectID(t *testing.T) {
	for key, want := range map[string]string{
		`"tool:t","pay_1"`: `"pay_1"`, `"tool:t",42`: `42`, `"refund","eu","pay_1"`: `"pay_1"`,
	} {
		if got := EffectID(actionOf(key)); string(got) != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
	if got := EffectID(jsontext.Value(`{"tool":"t"}`)); got != nil {
		t.Errorf("without a key: %s", got)
	}
}

// A word on another effect, or under another type of the same id, is no word on
// this one.
func TestWhoseOutcome(t *testing.T) {
	action := actionOf(`"tool:t",42`)
	told := ToSay(action)
	for doc, ok := range map[string]bool{
		`{"effect_outcome":"committed"}`:                                                     true,
		`{"effect_outcome":"committed","effect_id":42}`:                                      true,
		`{"effect_outcome":"committed","effect_id":42.0}`:                                    true,
		`{"effect_outcome":"committed","effect_id":"42"}`:                                    false,
		`{"effect_outcome":"committed","effect_id":43}`:                                      false,
		`{"effect_outcome":"committed","effect_id":null}`:                                    false,
		`{"effect_outcome":"committed","action_digest":"` + string(told.ActionDigest) + `"}`: true,
		`{"effect_outcome":"committed","action_digest":"sha256:0"}`:                          false,
		`{}`: true, `[]`: false, `"committed"`: false, ``: false, `{"effect_outcome":1}`: false,
	} {
		o, err := ReadOutcome([]byte(doc), action)
		if (err == nil) != ok || err != nil && !errors.Is(err, ErrOutcome) {
			t.Errorf("%s: %v", doc, err)
		}
		if err != nil && (o.Says != "" || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: %+v, %q", doc, o, err)
		}
	}
}
