package cli

import (
	"strings"
	"time"

	"nod/descriptor"
	"nod/digest"
)

// outcomeRows is what a descriptor says of its tool's effect and outcome; what
// is not stated has no row.
func outcomeRows(d *descriptor.Descriptor) [][2]string {
	var rows [][2]string
	if family, parts := d.Template(); family != "" {
		key := family
		for _, p := range parts {
			key += ", " + p.At + " (" + p.Type + ")"
		}
		rows = append(rows, [2]string{"effect key", key})
	}
	for _, t := range []struct {
		name string
		ms   int64
	}{{"lease", d.LeaseMS()}, {"settle", d.SettleMS()}} {
		if t.ms > 0 {
			rows = append(rows, [2]string{t.name, (time.Duration(t.ms) * time.Millisecond).String()})
		}
	}
	if d.SuccessClaims() {
		rows = append(rows, [2]string{"success claims", descriptor.ClaimsCommitted})
	}
	p := d.Provider()
	for _, r := range [][2]string{{"provider keeps keys", p.KeyLifetime}, {"changed parameters", p.Changed}, {"a repeat gets", p.Cached}} {
		if r[1] != "" {
			rows = append(rows, r)
		}
	}
	for _, o := range d.Observers() {
		when := "when it is asked for"
		if o.Auto {
			when = "by itself after a report"
		}
		rows = append(rows, [2]string{"observer/" + o.Name, o.Kind + ", " + when + ", within " + o.Limit().String()})
	}
	return rows
}

// asksView is how an observer would look whether a call's effect happened.
type asksView struct {
	Observer string   `json:"observer"`
	Kind     string   `json:"kind"`
	URL      string   `json:"url,omitzero"`
	Argv     []string `json:"argv,omitempty"`
	Path     string   `json:"path,omitzero"`
	Not      string   `json:"not,omitzero"` // why it would not be asked
}

func asks(o *descriptor.Observer, args digest.JSON) asksView {
	v := asksView{Observer: o.Name, Kind: o.Kind}
	var err error
	switch o.Kind {
	case descriptor.KindHTTP:
		var origin, path string
		if origin, path, err = o.Address(args); err == nil {
			v.URL = origin + path
		}
	case descriptor.KindCommand:
		v.Argv, err = o.Command(args)
	default:
		v.Path, err = o.File(args)
	}
	if err != nil {
		v.Not = err.Error()
	}
	return v
}

func (v *asksView) line() string {
	switch {
	case v.Not != "":
		return "nobody: " + v.Not
	case v.URL != "":
		return "GET " + v.URL
	case v.Argv != nil:
		return strings.Join(v.Argv, " ")
	}
	return v.Path
}
