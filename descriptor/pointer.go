package descriptor

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

// star is the step that stands for every element of a list. In an object it is
// the member of that name, as RFC 6901 has it.
const star = "*"

// maxPlaces bounds what one reading finds.
const maxPlaces = 200

// isPointer reports whether s is an RFC 6901 pointer that is not the whole.
func isPointer(s string) bool {
	if len(s) < 2 || s[0] != '/' || len(s) > 256 {
		return false
	}
	for _, step := range strings.Split(s[1:], "/") {
		rest := strings.NewReplacer("~0", "", "~1", "").Replace(step)
		if strings.Contains(rest, "~") {
			return false
		}
	}
	return true
}

// isPlace reports whether s is the pointer of one value.
func isPlace(s string) bool { return isPointer(s) && stars(s) == 0 }

// stars counts the steps that stand for every element.
func stars(pointer string) (n int) {
	for _, step := range strings.Split(pointer, "/") {
		if step == star {
			n++
		}
	}
	return n
}

// below reports whether other can be found beside what at finds: each * of it
// lies on the way of at, so that it is the same element.
func below(other, at string) bool {
	if !isPointer(other) {
		return false
	}
	last := strings.LastIndex(other+"/", "/"+star+"/")
	return last < 0 || strings.HasPrefix(at+"/", (other + "/")[:last+len(star)+2])
}

// place is one value that a pointer with stars finds.
type place struct {
	pointer string // without stars, but for a member of that name
	value   digest.JSON
	many    bool // more are inside than are read
}

// find gives the places of at in v, in order. Nothing there is no place; too
// many are one, where their first list is: a part would be taken for the whole.
func find(v digest.JSON, at string) []place {
	out := walk(nil, v, "", at)
	if len(out) <= maxPlaces {
		return out
	}
	before, _, _ := cutStar(at)
	list, _ := digest.Lookup(v, before)
	return []place{{pointer: before, value: list, many: true}}
}

func walk(out []place, v digest.JSON, done, rest string) []place {
	before, after, found := cutStar(rest)
	v, there := digest.Lookup(v, before)
	if !there {
		return out
	}
	done += before
	if !found {
		return append(out, place{pointer: done, value: v})
	}
	if v[0] != '[' {
		if v, there = digest.Lookup(v, "/"+star); !there {
			return out
		}
		return walk(out, v, done+"/"+star, after)
	}
	for i, e := range elementsOf(v) {
		if len(out) > maxPlaces {
			return out
		}
		out = walk(out, e, done+"/"+strconv.Itoa(i), after)
	}
	return out
}

// cutStar parts a pointer at its first star.
func cutStar(pointer string) (before, after string, found bool) {
	i := strings.Index(pointer+"/", "/"+star+"/")
	if i < 0 {
		return pointer, "", false
	}
	return pointer[:i], pointer[i+1+len(star):], true
}

// beside is the pointer of other next to the place that at found.
func beside(other, found string) string {
	last := strings.LastIndex(other+"/", "/"+star+"/")
	if last < 0 {
		return other
	}
	steps := strings.Count(other[:last], "/") + 1 // of found, that are the same
	end := 0
	for range steps {
		if i := strings.IndexByte(found[end+1:], '/'); i >= 0 {
			end += 1 + i
		} else {
			end = len(found)
		}
	}
	return found[:end] + other[last+1+len(star):]
}

// elementsOf gives the elements of a canonical list.
func elementsOf(list digest.JSON) []digest.JSON {
	d := jsontext.NewDecoder(bytes.NewReader(list))
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	var out []digest.JSON
	for d.PeekKind() != ']' {
		v, err := d.ReadValue()
		if err != nil {
			return out
		}
		out = append(out, digest.JSON(v.Clone()))
	}
	return out
}
