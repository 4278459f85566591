package field

import (
	"strings"
	"testing"

	"nod/tui/frame"
)

func TestEditing(t *testing.T) {
	var f Field
	f.Insert("helo wörld")
	for range 7 {
		f.Key("left")
	}
	f.Insert("l")
	f.Key("end")
	f.Key("ctrl+w")
	if f.Text() != "hello " {
		t.Fatalf("%q", f.Text())
	}
	f.Key("home")
	f.Key("delete")
	f.Key("backspace")
	f.Insert("J")
	f.Key("ctrl+k")
	f.Insert("\r\nx\ry")
	if f.Text() != "J\nx\ny" {
		t.Fatalf("%q", f.Text())
	}
	f.Key("ctrl+u")
	if f.Text() != "" || f.Key("a") || f.Key("enter") || f.Key("esc") {
		t.Error("a letter, Enter or Esc is no editing key")
	}
}

func TestALongPasteIsCutAtTheLimitAndSaysSo(t *testing.T) {
	var f Field
	if f.Insert(strings.Repeat("é", Max)) || len(f.Text()) > Max {
		t.Errorf("%d bytes", len(f.Text()))
	}
	if f.Insert("x") {
		t.Error("still room")
	}
}

func TestWhatIsPastedIsDrawn(t *testing.T) {
	var f Field
	f.Insert("a\x1b[2Jb\u202Ec\nd" + strings.Repeat("界", 60))
	for w := 1; w < 90; w++ {
		s, at := f.Render(w)
		text := s.Text.String()
		if strings.ContainsAny(text, "\x1b\u202E\n") {
			t.Fatalf("%q", text)
		}
		if frame.Width(s.Text) > w || at >= w || at < 0 {
			t.Fatalf("width %d: %d cells, cursor %d", w, frame.Width(s.Text), at)
		}
	}
}

// TestWhereOnlyASCIIIsDrawn: the text is in ASCII before it is measured, so that
// the cursor stands on its character.
func TestWhereOnlyASCIIIsDrawn(t *testing.T) {
	var f Field
	f.Insert("é界x")
	f.Key("left")
	s, at := f.RenderIn(frame.Look{Glyphs: frame.ASCII()}, 40)
	if text := s.Text.String(); !strings.HasPrefix(text, `\u{E9}\u{754C}x`) || at != len(`\u{E9}\u{754C}`) {
		t.Errorf("%q, cursor %d", text, at)
	}
	if s, at = f.RenderIn(frame.Look{Glyphs: frame.Unicode()}, 40); !strings.HasPrefix(s.Text.String(), "é界x") || at != 3 {
		t.Errorf("%q, cursor %d", s.Text, at)
	}
}
