package digest

import "iter"

// Members gives the members of a canonical object in canonical order, the
// values sharing v's bytes; of any other value none.
func (v JSON) Members() iter.Seq2[string, JSON] {
	return func(yield func(string, JSON) bool) {
		if !v.IsObject() {
			return
		}
		for c := begin(v); c.next(); {
			if !yield(c.name(), c.value) {
				return
			}
		}
	}
}

// Elements gives the elements of a canonical array with their index; of any
// other value none.
func (v JSON) Elements() iter.Seq2[int, JSON] {
	return func(yield func(int, JSON) bool) {
		if !v.IsArray() {
			return
		}
		c := begin(v)
		for i := 0; c.next(); i++ {
			if !yield(i, c.value) {
				return
			}
		}
	}
}

// Member is the value of one member of a canonical object; ok is false where
// there is none, or v is no object. A member that is null is there.
func (v JSON) Member(name string) (value JSON, ok bool) {
	for n, m := range v.Members() {
		if n == name {
			return m, true
		}
	}
	return nil, false
}

// Text is a canonical string's text; ok is false for any other value.
func (v JSON) Text() (s string, ok bool) {
	if len(v) == 0 || v[0] != '"' {
		return "", false
	}
	return unquote(v), true
}

// IsObject reports whether v is an object.
func (v JSON) IsObject() bool { return len(v) > 0 && v[0] == '{' }

// IsArray reports whether v is an array.
func (v JSON) IsArray() bool { return len(v) > 0 && v[0] == '[' }
