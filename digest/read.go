package digest

import "strconv"

// eachMember calls read with the name and the canonical value of each member.
func eachMember(v []byte, read func(name string, value []byte) error) error {
	if v[0] != '{' {
		return fault(CodeWrongType)
	}
	for c := begin(v); c.next(); {
		name := c.name()
		if err := read(name, c.value); err != nil {
			return within(err, name)
		}
	}
	return nil
}

// readList reads an array with one call an element. An empty array is refused,
// because an optional list is left out instead.
func readList[T any](into *[]T, v []byte, read func(*T, []byte) error) error {
	if err := readAnyList(into, v, read); err != nil {
		return err
	}
	if len(*into) == 0 {
		return fault(CodeEmptyMember)
	}
	return nil
}

// readAnyList is readList for a required list that may be empty.
func readAnyList[T any](into *[]T, v []byte, read func(*T, []byte) error) error {
	if v[0] != '[' {
		return fault(CodeWrongType)
	}
	out := []T{}
	for c := begin(v); c.next(); {
		var e T
		if err := read(&e, c.value); err != nil {
			return withinIndex(err, len(out))
		}
		out = append(out, e)
	}
	*into = out
	return nil
}

// readText reads a string that may be empty.
func readText[S ~string](into *S, v []byte) error {
	if v[0] != '"' {
		return fault(CodeWrongType)
	}
	*into = S(unquote(v))
	return nil
}

// readString reads a string that is left out when it is empty.
func readString[S ~string](into *S, v []byte) error {
	if err := readText(into, v); err != nil {
		return err
	}
	if *into == "" {
		return fault(CodeEmptyMember)
	}
	return nil
}

// readSeconds reads a positive whole number that a double keeps.
func readSeconds(into *int64, v []byte) error {
	if v[0] != '-' && (v[0] < '0' || v[0] > '9') {
		return fault(CodeWrongType)
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil || n < 1 || n > MaxUseWithin {
		return fault(CodeBadValue)
	}
	*into = n
	return nil
}

// readKind tells an unknown kind from an absent one.
func readKind(into *string, v []byte) error {
	if err := readText(into, v); err != nil {
		return err
	}
	switch *into {
	case KindCall, KindQuestion, KindCommit:
		return nil
	}
	return fault(CodeUnknownKind)
}

// readType checks the type word.
func readType(v []byte, want string) error {
	var got string
	if err := readText(&got, v); err != nil {
		return err
	}
	if got != want {
		return fault(CodeUnknownType)
	}
	return nil
}
