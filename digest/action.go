package digest

// ParseAction reads one nod.action/v1 document. What it accepts, Canonical
// writes back byte for byte. An error is an *Error.
func ParseAction(raw []byte, lim Limits) (*Action, error) {
	doc, err := Canonical(raw, lim)
	if err != nil {
		return nil, err
	}
	a := new(Action)
	if err := a.read(doc); err != nil {
		return nil, err
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	return a, nil
}

// Canonical checks the action and returns its RFC 8785 bytes.
func (a *Action) Canonical() (JSON, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	w := writer{b: make([]byte, 0, len(a.Arguments)+512)}
	w.action(a)
	return w.done()
}

// Digest is the action digest: Of the canonical bytes.
func (a *Action) Digest() (Digest, error) {
	doc, err := a.Canonical()
	if err != nil {
		return "", err
	}
	return Of(doc), nil
}

func (a *Action) read(doc []byte) error {
	typed := false
	err := eachMember(doc, func(name string, v []byte) error {
		switch name {
		case "arguments":
			a.Arguments = v
		case "effect":
			a.Effect = new(Effect)
			return a.Effect.read(v)
		case "environment":
			return a.Environment.read(v)
		case "lifted":
			return readList(&a.Lifted, v, readText)
		case "operands":
			return readList(&a.Operands, v, (*Operand).read)
		case "operation":
			return readString(&a.Operation, v)
		case "principal":
			return a.Principal.read(v)
		case "tool":
			return readText(&a.Tool, v)
		case "type":
			typed = true
			return readType(v, TypeAction)
		default:
			return fault(CodeUnknownMember)
		}
		return nil
	})
	if err == nil && !typed {
		err = fault(CodeMissingMember, "type")
	}
	return err
}

func (p *Principal) read(v []byte) error {
	return eachMember(v, func(name string, v []byte) error {
		switch name {
		case "agent":
			return readString(&p.Agent, v)
		case "host":
			return readString(&p.Host, v)
		case "user":
			return readString(&p.User, v)
		}
		return fault(CodeUnknownMember)
	})
}

func (e *Environment) read(v []byte) error {
	return eachMember(v, func(name string, v []byte) error {
		switch name {
		case "cwd":
			return readString(&e.Cwd, v)
		case "machine":
			return readString(&e.Machine, v)
		case "name":
			return readString(&e.Name, v)
		case "vars":
			return readVars(&e.Vars, v)
		}
		return fault(CodeUnknownMember)
	})
}

// readVars reads an object of strings; canonical order is Compare's order.
func readVars(into *[]Var, v []byte) error {
	err := eachMember(v, func(name string, v []byte) error {
		e := Var{Name: name}
		if err := readText(&e.Value, v); err != nil {
			return err
		}
		*into = append(*into, e)
		return nil
	})
	if err == nil && len(*into) == 0 {
		err = fault(CodeEmptyMember)
	}
	return err
}

func (e *Effect) read(v []byte) error {
	return eachMember(v, func(name string, v []byte) error {
		switch name {
		case "access":
			return readString(&e.Access, v)
		case "class":
			return readString(&e.Class, v)
		case "commit_boundary":
			return readString(&e.CommitBoundary, v)
		case "key":
			e.Key = v
			return nil
		}
		return fault(CodeUnknownMember)
	})
}

func (o *Operand) read(v []byte) error {
	return eachMember(v, func(name string, v []byte) error {
		switch name {
		case "digest":
			return readString(&o.Digest, v)
		case "name":
			return readString(&o.Name, v)
		}
		return fault(CodeUnknownMember)
	})
}
