package config

import (
	"reflect"

	"github.com/go-json-experiment/json"

	"nod/boundary"
	"nod/descriptor"
	"nod/digest"
	"nod/queue"
)

// Settings are what the configuration fixes for a queue.
func (c *Config) Settings() queue.Settings {
	s := queue.Settings{
		AnswerWithinMS: int64(c.Defaults.AnswerWithin), UseWithinMS: int64(c.Defaults.UseWithin),
		LeaseMS: int64(c.Defaults.Lease), HostLeaseMS: int64(c.Defaults.HostLease),
		WaiterMS: int64(c.Defaults.Waiter), SessionMS: int64(c.Defaults.Session),
		HoldIrreversibleMS: int64(c.Defaults.HoldIrreversible),

		MaxPending:   c.Limits.MaxPending,
		ConfigDigest: c.digest,
		Descriptors:  c.said,
		Posture:      boundary.Posture(c.Posture),
		Limits:       digest.Limits{MaxDepth: int(c.Limits.MaxDepth), MaxBytes: int(c.Limits.MaxBytes)},
	}
	s.DenyRules, s.Denied, s.NoRuling = c.rules, c.Compliance.denied(), c.Screening.NoRuling
	s.Clamps, _ = c.File.Clamps.declaration() //nolint:errcheck // its words were checked
	if c.rules.Len() > 0 {
		s.Rules = c.rules
	}
	if len(c.Targets) > 0 {
		s.Targets = c.Targets
	}
	if len(c.legs) > 0 {
		s.PerCall = c.legs
	}
	return s
}

// Digest names the effective configuration: what is written and every default
// that stands in for what is not. Where a key stands and how a duration is
// written do not count.
func (c *Config) Digest() digest.Digest { return c.digest }

// TypeConfig is the type word of the digested document: the keys of the file,
// times in milliseconds, and where tools are described "descriptors", a list of
// the descriptors' digests in the order of the tools' names.
const TypeConfig = "nod.config/v1"

func (f *File) digest(said *descriptor.Set) digest.Digest {
	doc, _ := plain(reflect.ValueOf(f).Elem()).(map[string]any)
	doc["type"] = TypeConfig
	if said != nil {
		list := []digest.Digest{}
		for _, d := range said.All() {
			list = append(list, d.Digest())
		}
		doc["descriptors"] = list
	}
	raw, err := json.Marshal(doc)
	if err != nil {
		return "" // text out of TOML is UTF-8, and nothing else can fail
	}
	canonical, err := digest.Canonical(raw, digest.NoLimits())
	if err != nil {
		return ""
	}
	return digest.Of(canonical)
}

func plain(v reflect.Value) any {
	if t, ok := v.Interface().(ThemeChoice); ok {
		if t.Name != "" {
			return t.Name
		}
		return map[string]any{"light": t.Light, "dark": t.Dark}
	}
	switch v.Kind() {
	case reflect.Struct:
		m := map[string]any{}
		for i := range v.NumField() {
			m[v.Type().Field(i).Tag.Get("toml")] = plain(v.Field(i))
		}
		return m
	case reflect.Map:
		m := map[string]any{}
		for _, k := range v.MapKeys() {
			m[k.String()] = plain(v.MapIndex(k))
		}
		return m
	case reflect.Slice:
		list := make([]any, 0, v.Len())
		for i := range v.Len() {
			list = append(list, plain(v.Index(i)))
		}
		return list
	case reflect.Int64:
		return v.Int()
	default:
		return v.Interface()
	}
}
