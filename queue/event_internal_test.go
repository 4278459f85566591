package queue

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"testing"

	"nod/digest"
)

// full gives an event in which every member is set.
func full(t *testing.T) Event {
	t.Helper()
	var e Event
	v := reflect.ValueOf(&e).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString("w\"ö\n" + v.Type().Field(i).Name)
		case reflect.Int64:
			f.SetInt(int64(i) + 1)
		case reflect.Bool:
			f.SetBool(true)
		default:
			t.Fatalf("%s has a kind that the event does not write", v.Type().Field(i).Name)
		}
	}
	return e
}

func TestAnEventIsItsCanonicalBytes(t *testing.T) {
	for name, e := range map[string]Event{"every member": full(t), "few members": {Act: "submit", Effective: 1}} {
		t.Run(name, func(t *testing.T) {
			got := e.chain(Head{StoreID: "s", Seq: 7})
			canonical, err := digest.Canonical(got.Body, digest.NoLimits())
			if err != nil {
				t.Fatal(err)
			}
			if string(canonical) != string(got.Body) {
				t.Errorf("written\n%s\ncanonical\n%s", got.Body, canonical)
			}
			sum := sha256.Sum256(got.Body)
			if got.Hash != hex.EncodeToString(sum[:]) || got.Seq != 8 {
				t.Errorf("hash %s, seq %d", got.Hash, got.Seq)
			}
		})
	}
}

func TestEveryMemberOfAnEventCounts(t *testing.T) {
	whole := full(t)
	want := whole.chain(Head{}).Hash
	v := reflect.ValueOf(&whole).Elem()
	for i := range v.NumField() {
		e := whole
		reflect.ValueOf(&e).Elem().Field(i).SetZero()
		if e.chain(Head{}).Hash == want {
			t.Errorf("%s is not in the event", v.Type().Field(i).Name)
		}
	}
	other := Head{Hash: [32]byte{31: 1}}
	if whole.chain(other).Hash == want {
		t.Error("prev is not in the event")
	}
}
