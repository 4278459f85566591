package cli_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"nod/digest/visible"
)

// ours is the closed list of what the console may write besides drawn text: the
// control sequences of Bubble Tea's start, frames and end, with counts and
// places written n. TestTheListIsWhatTheConsoleWrites holds it against a run on
// harmless asks.
var ours = map[string]string{
	"\r": "line start", "\n": "line feed", "\b": "back", "\t": "tab on",
	"CSI n;n H": "cursor to", "CSI H": "cursor home", "CSI n A": "up", "CSI A": "up", "CSI n B": "down", "CSI B": "down",
	"CSI n C": "right", "CSI C": "right", "CSI n D": "left", "CSI D": "left", "CSI n G": "to column", "CSI G": "to column", "CSI n d": "to row",
	"CSI K": "erase line", "CSI n K": "erase line", "CSI J": "erase screen", "CSI n J": "erase screen",
	"CSI n X": "erase cells", "CSI X": "erase cells", "CSI n L": "insert lines", "CSI L": "insert lines", "CSI n M": "delete lines", "CSI M": "delete lines",
	"CSI n @": "insert cells", "CSI @": "insert cells", "CSI n P": "delete cells", "CSI P": "delete cells",
	"CSI n;n r": "scroll region", "CSI r": "scroll region off", "CSI n S": "scroll up", "CSI S": "scroll up", "CSI n T": "scroll down", "CSI T": "scroll down", "ESC M": "reverse index",
	"CSI n b": "repeat", "CSI n I": "tab on", "CSI I": "tab on", "CSI n Z": "tab back", "CSI Z": "tab back",
	"CSI ?25 h": "cursor shown", "CSI ?25 l": "cursor hidden", "CSI ?1049 h": "alternate screen", "CSI ?1049 l": "alternate screen off",
	"CSI ?2004 h": "bracketed paste", "CSI ?2004 l": "bracketed paste off", "CSI ?1004 h": "focus events", "CSI ?1004 l": "focus events off",
	"CSI ?2026 h": "synchronised frame", "CSI ?2026 l": "frame done", "CSI ?2026 $p": "is that known?", "CSI ?2027 $p": "are clusters known?", "CSI ?2027 h": "clusters", "CSI ?2027 l": "clusters off",
	"CSI 6 n": "where is the cursor?", "CSI >4;1 m": "key modifiers", "CSI >4;2 m": "key modifiers", "CSI >4;0 m": "key modifiers off", "CSI >4 m": "key modifiers off",
	"CSI >1 u": "key reports", "CSI >3 u": "key reports with repeats", "CSI =1;1 u": "key reports", "CSI =0;1 u": "key reports off", "CSI <1 u": "key reports off", "CSI < u": "key reports off", "CSI ? u": "which key reports?",
	"CSI n SP q": "cursor shape", "CSI ?5 W": "tab stops", "CSI n `": "to column",
	"CSI 22;2 t": "keep the title", "CSI 23;2 t": "give it back", "OSC 2": "the title, our own words and counts",
	"CSI ?7 h": "wrap at the edge", "CSI ?7 l": "no wrap at the edge", "CSI 4 h": "insert", "CSI 4 l": "insert off",
}

// styles are the SGR numbers that a theme uses: no blink, no conceal, no font.
var styles = regexp.MustCompile(`^(0?|1|2|3|4|7|2[23479]|3[0-79]|4[0-79]|9[0-7]|10[0-7]|[34]8;5;\d{1,3}|[34]8;2;\d{1,3};\d{1,3};\d{1,3})$`)

var (
	title = regexp.MustCompile(`^\x1b\]2;(nod(: (nobody watches, )?[0-9]+ (wait(, [0-9]+ mandated)?|to read|unknown))?)?(\a|\x1b\\)$`)
	csi   = regexp.MustCompile(`^\x1b\[([<=>?]?)([0-9;]*)( ?\$?)([@-~])$`)
	split = regexp.MustCompile(`[34]8;5;\d+|[34]8;2;\d+;\d+;\d+|\d*`)
)

// shape gives a sequence the form in which ours has it, "" for a known style.
func shape(seq string) string {
	m := csi.FindStringSubmatch(seq)
	switch {
	case title.MatchString(seq):
		return "OSC 2"
	case m == nil && len(seq) == 2 && seq[0] == '\x1b':
		return "ESC " + seq[1:]
	case m == nil:
		return seq
	case m[1] == "" && m[3] == "" && m[4] == "m":
		for _, s := range split.FindAllString(m[2], -1) {
			if !styles.MatchString(s) {
				return "SGR " + s
			}
		}
		return ""
	}
	params := m[2]
	if m[1] == "" && seq != "\x1b[6n" && m[4] != "h" && m[4] != "l" && m[4] != "n" && m[4] != "t" {
		params = regexp.MustCompile(`\d+`).ReplaceAllString(params, "n")
	}
	words := []string{"CSI"}
	for _, w := range []string{m[1] + params, strings.ReplaceAll(m[3], " ", "SP ") + m[4]} {
		if w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// scan tells used each shape of a stream, and gives the first thing in it that
// is neither of our list nor drawn text.
func scan(stream string, used func(shape string)) error {
	state, text := byte(0), 0 // text is where a run of it began
	for at := 0; at < len(stream); {
		seq, width, n, next := ansi.DecodeSequence(stream[at:], state, nil)
		state = next
		if control := width == 0 && (seq[0] < ' ' || seq[0] == 0x7f); !control && at+n < len(stream) {
			at += n
			continue
		} else if !control {
			return scanText(stream[text:])
		}
		if err := scanText(stream[text:at]); err != nil {
			return err
		}
		s := shape(seq)
		if _, ok := ours[s]; s != "" && !ok {
			return fmt.Errorf("a foreign sequence %q (%s), after %q", seq, s, stream[max(at-60, 0):at])
		}
		used(s)
		at += n
		text = at
	}
	return nil
}

// scanText refuses text that draw would have written otherwise: controls, bidi
// and zero-width characters, tags, what is no UTF-8.
func scanText(s string) error {
	for _, r := range s { // said here too, so that a fault of the drawing is seen
		if unicode.In(r, unicode.C, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			return fmt.Errorf("%U reaches the terminal", r)
		}
	}
	if visible.Drawn(s).String() != s {
		return fmt.Errorf("text that no drawing holds: %s", strconv.QuoteToASCII(s))
	}
	return nil
}

func TestScanFindsWhatIsNotOurs(t *testing.T) {
	for _, s := range []string{
		"\x1b]0;title\x07", "\x1b]52;c;aGk=\x07", "\x1b]8;;http://x\x1b\\link", "\x1bP1$r\x1b\\", "\x1b_Ga=T\x1b\\", "\x1b^x\x1b\\",
		"\x1b[8m", "\x1b[5m", "\x1b[30;8m", "\x1b[11m", "\x1b[?1003h", "\x1b[?47h", "\x1b[5i", "\x1b[21t", "\x1b[5n", "\x1b[c", "\x1b[>c", "\x1bc", "\x1b#8", "\x1b(0",
		"\u009b31m", "\u009d0;x\u009c", "a\x07", "\x00", "\x0e", "\x7f", "a\u202eb", "\u2066", "\u200b", "\u200d", "\u00ad", "\U000e0041", "\ufe0f", "\u3164", "\x80", "\xff",
		"\x1b[?25$p", "\x1b[!p", "\x1b[1\"q", "\x1b[20h", "\x1b[?69h",
	} {
		if scan(s, func(string) {}) == nil {
			t.Errorf("%q passes", s)
		}
	}
	for _, s := range []string{"\x1b[?25l\x1b[1;1H\x1b[7;36mtext\x1b[m\r\n\x1b[K\x1b[6n", "\x1b[38;2;1;22;255;1;48;5;17m│ ⏎\x1b[0m", "n\u0303"} {
		if err := scan(s, func(string) {}); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
}
