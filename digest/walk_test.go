package digest

import (
	"slices"
	"testing"
)

func TestWalk(t *testing.T) {
	v, err := Canonical([]byte(`{"b":[1,"x\n",{}],"a/":null,"c":"ü"}`), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var names, values []string
	for name, m := range v.Members() {
		names, values = append(names, name), append(values, string(m))
	}
	if !slices.Equal(names, []string{"a/", "b", "c"}) || !slices.Equal(values, []string{`null`, `[1,"x\n",{}]`, `"ü"`}) {
		t.Errorf("%q %q", names, values)
	}
	list, ok := v.Member("b")
	if !ok || !list.IsArray() || list.IsObject() {
		t.Errorf("b is %s", list)
	}
	var elements []string
	for i, e := range list.Elements() {
		if i != len(elements) {
			t.Errorf("index %d", i)
		}
		elements = append(elements, string(e))
	}
	if !slices.Equal(elements, []string{`1`, `"x\n"`, `{}`}) {
		t.Errorf("%q", elements)
	}
	if s, ok := JSON(elements[1]).Text(); !ok || s != "x\n" {
		t.Errorf("%q %v", s, ok)
	}
	for range v.Members() { // a loop may end early
		break
	}
	for range list.Elements() {
		break
	}
	if null, there := v.Member("a/"); !there || string(null) != "null" {
		t.Error("a member that is null is there")
	}
	for _, not := range []JSON{nil, JSON(`[]`), JSON(`1`), JSON(`"{"`), JSON(`null`), JSON(`{}`)} {
		for range not.Members() {
			t.Errorf("%s has a member", not)
		}
		for range not.Elements() {
			t.Errorf("%s has an element", not)
		}
		if _, there := not.Member("a"); there {
			t.Errorf("%s has a", not)
		}
	}
	if _, ok := v.Text(); ok {
		t.Error("an object is no text")
	}
}
