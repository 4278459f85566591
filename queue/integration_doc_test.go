package queue_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/boundary"
	"nod/digest"
	"nod/queue"
)

// TestTheExamplesOfIntegrationAreTrue plays the page's acts in their order on
// one store, and holds the answers against it.
func TestTheExamplesOfIntegrationAreTrue(t *testing.T) {
	alone(t)
	text, err := os.ReadFile("../docs/integration.md")
	if err != nil {
		t.Fatal(err)
	}
	p := &integration{world: newWorld(t, func(s *queue.Settings) { s.Targets, s.Posture = []string{"device"}, boundary.MultiTenant }), names: map[string]string{}}
	p.agent = p.q.Port(queue.Conn{Principal: digest.Principal{Agent: "fixer", User: "dev"}, Environment: "local", Role: queue.RoleRequester, Way: queue.WayRun})
	played := map[string]bool{}
	var last string // what the act before gave
	for _, block := range regexp.MustCompile("(?s)```(\\w*)\n(.*?)\n```").FindAllStringSubmatch(string(text), -1) {
		switch kind, body := block[1], block[2]; kind {
		case "act", "operator":
			var act queue.Act
			act, last = p.play(kind, body)
			played[reflect.TypeOf(act).Name()] = true
		case "gives":
			if !holds(t, last, body) {
				t.Errorf("%s\nis not what the page says:\n%s", last, body)
			}
		default:
			t.Errorf("a block is %q", kind)
		}
	}
	for _, act := range []queue.Act{
		queue.RegisterSession{}, queue.Screen{}, queue.Submit{}, queue.Wait{}, queue.Begin{}, queue.Report{}, queue.Receipt{}, queue.EndLeg{}, queue.EndSession{},
		queue.ActivateScope{}, queue.ScopeActivated{}, queue.DisposeScope{}, queue.RecoverScope{}, queue.NextCleanup{}, queue.AckCleanup{},
		queue.SubmitTransaction{}, queue.StepTransaction{}, queue.RecoverTransaction{}, queue.RestoredTransaction{},
	} {
		if name := reflect.TypeOf(act).Name(); !played[name] {
			t.Errorf("the page has no %s", name)
		}
	}
}

type integration struct {
	*world
	names map[string]string // what $NAMES are
}

// play carries out one act and gives its result's body, or its refusal.
func (p *integration) play(kind, text string) (queue.Act, string) {
	p.t.Helper()
	p.wall += 10
	names := slices.SortedFunc(maps.Keys(p.names), func(a, b string) int { return len(b) - len(a) }) // $ACTION_DIGEST before $ACTION
	for _, n := range names {
		text = strings.ReplaceAll(text, "$"+n, p.names[n])
	}
	act, err := queue.DecodeAct([]byte(text))
	if err != nil {
		p.t.Fatalf("%s: %v", text, err)
	}
	port := p.agent
	if kind == "operator" {
		port = p.operator
	}
	r, err := port.Do(p.t.Context(), act)
	if no, ok := errors.AsType[*queue.Refusal](err); ok {
		return act, fmt.Sprintf(`{"refused":%q}`, no.Code)
	}
	if err != nil {
		p.t.Fatalf("%s: %v", text, err)
	}
	switch r := r.(type) {
	case queue.Submitted:
		p.names["ASK"], p.names["TOKEN"], p.names["ACTION"] = r.Ask, r.Token, string(r.Action)
		p.names["ACTION_DIGEST"], p.names["SHOWN_DIGEST"] = string(r.ActionDigest), string(r.ShownDigest)
		if v, err := queue.Get[queue.AskView](p.t.Context(), p.operator, queue.QAsk{ID: r.Ask}); err == nil {
			p.names["CONFIRM"] = v.Confirm
		}
	case queue.ScopeStands:
		p.names["SCOPE"] = r.Scope
	case queue.Begun:
		p.names["ATTEMPT"], p.names["ATTEMPT_TOKEN"] = r.Attempt, r.Token
	}
	b, err := queue.EncodeResult(r)
	if err != nil {
		p.t.Fatal(err)
	}
	var e struct {
		Name string         `json:"name"`
		Body jsontext.Value `json:"body"`
	}
	if err := json.Unmarshal(b, &e); err != nil {
		p.t.Fatal(err)
	}
	return act, string(e.Body)
}

// holds reports whether every member that want names is there and equal.
func holds(t *testing.T, got, want string) bool {
	t.Helper()
	var g, w any
	if err := errors.Join(json.Unmarshal([]byte(got), &g), json.Unmarshal([]byte(want), &w)); err != nil {
		t.Fatalf("%s and %s: %v", got, want, err)
	}
	return within(g, w)
}

func within(got, want any) bool {
	g, isObject := got.(map[string]any)
	w, wanted := want.(map[string]any)
	if !isObject || !wanted {
		return reflect.DeepEqual(got, want)
	}
	for member, v := range w {
		if of, there := g[member]; !there || !within(of, v) {
			return false
		}
	}
	return true
}
