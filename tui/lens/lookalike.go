package lens

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// looksLike gives the ASCII text that a character beyond ASCII is easily read
// as, "" for none that is known. Compatibility forms (full-width, mathematical,
// circled letters) come from Unicode's own table, the others from the one here.
func looksLike(r rune) string {
	if r < 0x80 {
		return ""
	}
	if s := inTable(r); s != "" {
		return s
	}
	s := norm.NFKC.String(string(r))
	if s == string(r) || s == "" || len(s) > 4 {
		return ""
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return ""
		}
	}
	return s
}

// inTable looks r up among the letters and marks of other scripts. Each group
// is a text and the characters that look like it.
func inTable(r rune) string {
	for _, g := range [...]struct{ ascii, like string }{
		{"a", "аαɑ"}, {"b", "Ьƅ"}, {"c", "сϲᴄⅽ"}, {"d", "ԁɗ"}, {"e", "еҽє"}, {"f", "ƒẝ"}, {"g", "ɡց"}, {"h", "һհ"},
		{"i", "іıιɩӏ"}, {"j", "јϳ"}, {"k", "кκ"}, {"l", "ӏׁاן"}, {"m", "м"}, {"n", "ոռп"}, {"o", "оοօסه០ഠ"}, {"p", "рρ"},
		{"q", "ԛգ"}, {"r", "гᴦ"}, {"s", "ѕꜱ"}, {"t", "тτ"}, {"u", "υսцᴜ"}, {"v", "νѵᴠ"}, {"w", "ԝѡա"}, {"x", "хχ×"},
		{"y", "уүγ"}, {"z", "ᴢ"},
		{"A", "АΑᎪ"}, {"B", "ВΒᏴ"}, {"C", "СϹᏟ"}, {"D", "Ꭰ"}, {"E", "ЕΕᎬ"}, {"F", "ϜᖴҒ"}, {"G", "ԌᏀ"}, {"H", "НΗᎻ"},
		{"I", "ІΙӀ"}, {"J", "ЈᎫͿ"}, {"K", "КΚᏦ"}, {"L", "Ꮮ"}, {"M", "МΜᎷ"}, {"N", "Ν"}, {"O", "ОΟՕ"}, {"P", "РΡᏢ"},
		{"Q", "Ԛ"}, {"R", "ᎡᏒ"}, {"S", "ЅՏᏚ"}, {"T", "ТΤᎢ"}, {"U", "Սሀ"}, {"V", "ѴᏙ"}, {"W", "ԜᎳ"}, {"X", "ХΧ"},
		{"Y", "ΥҮУ"}, {"Z", "ΖᏃ"},
		{"0", "۰०০"}, {"1", "۱١"}, {"3", "ЗӠ"}, {"6", "б"}, {"8", "Ȣ"},
		{"-", "‐‑‒–—−﹘―ー"}, {"/", "⁄∕⧸╱丿"}, {`\`, "∖⧵＼"}, {"|", "│∣ǀ┃¦"}, {".", "。․｡٠"}, {"..", "‥"}, {",", "‚٫"},
		{";", "\u037e"}, {":", "։׃∶ː꞉"}, {"'", "‘’ʼ′ʹ´"}, {`"`, "“”″ʺ"}, {"`", "\u1fef‵ˋ"}, {"~", "∼˜〜"}, {"!", "ǃ"},
		{"*", "∗⁎٭"}, {"<", "‹˂"}, {">", "›˃"}, {"=", "═゠"}, {"#", "♯"}, {"_", "ˍ"}, {"&", "ꝸ"}, {"$", "＄"},
		{"(", "❨﴾"}, {")", "❩﴿"}, {"K", "\u212a"}, {"s", "\u017f"},
	} {
		if strings.ContainsRune(g.like, r) {
			return g.ascii
		}
	}
	return ""
}
