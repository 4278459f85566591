//go:build unix

package run_test

import (
	"strings"
	"testing"

	"nod/ambiguity"
	"nod/descriptor"
	"nod/queue"
)

// kept lets a shell script run whose effect is kept and gives what the desk
// says of it. F is the file for its outcome.
func (d *desk) kept(t *testing.T, script string) (queue.Desk, *held, int) {
	t.Helper()
	d.flags = []string{"--effect-key", "pay_1"}
	h := d.start(t, "", "sh", "-c", "F=$NOD_OUTCOME_FILE\n"+script)
	h.begin(t)
	d.Allow(t, "")
	code := h.wait(t)
	return d.Desk(t, d.Effects(t, false)[0].ID), h, code
}

// What a command says of its outcome counts, or is refused; the command's own
// exit status tells nothing of it.
func TestWhatACommandSaysOfItsOutcome(t *testing.T) {
	const no = "does not count"
	for name, c := range map[string]struct {
		script string
		stands ambiguity.Standing
		mark   ambiguity.Mark
		says   queue.AttemptState // as filed
		told   string             // on stderr
	}{
		"nothing":       {`exit 3`, "unknown", "not_confirmed", "", ""},
		"success":       {`true`, "unknown", "not_confirmed", "", ""},
		"committed":     {`echo '{"effect_outcome":"committed","durable":true,"ref":"re_1"}' >$F; exit 1`, "committed", "", "committed", ""},
		"not durable":   {`echo '{"effect_outcome":"committed"}' >$F`, "unknown", "not_durable", "committed", ""},
		"not executed":  {`echo '{"effect_outcome":"not_executed"}' >$F; exit 1`, "unknown", "not_confirmed", "not_executed", ""},
		"as it was":     {`touch $F`, "unknown", "not_confirmed", "", ""},
		"of this one":   {`sed 's/^{/{"effect_outcome":"committed","durable":true,"ref":"r",/' $F >$F.n && mv $F.n $F`, "committed", "", "committed", ""},
		"another word":  {`echo '{"effect_outcome":"done","durable":true,"ref":"r"}' >$F`, "unknown", "not_confirmed", "", no},
		"another case":  {`echo '{"effect_outcome":"Committed","durable":true,"ref":"r"}' >$F`, "unknown", "not_confirmed", "", no},
		"a member more": {`echo '{"effect_outcome":"committed","durable":true,"ref":"r","sure":true}' >$F`, "unknown", "not_confirmed", "", no},
		"twice":         {`echo '{"effect_outcome":"unknown","effect_outcome":"committed","durable":true,"ref":"r"}' >$F`, "unknown", "not_confirmed", "", no},
		"two":           {`echo '{"effect_outcome":"committed","durable":true,"ref":"r"}' >>$F`, "unknown", "not_confirmed", "", no},
		"no reference":  {`echo '{"effect_outcome":"committed","durable":true}' >$F`, "unknown", "not_confirmed", "", no},
		"long ref":      {`echo '{"effect_outcome":"committed","durable":true,"ref":"'$(printf %0600d 1)'"}' >$F`, "unknown", "not_confirmed", "", no},
		"other effect":  {`echo '{"effect_outcome":"committed","durable":true,"ref":"r","effect_id":"pay_2"}' >$F`, "unknown", "not_confirmed", "", no},
		"other type":    {`echo '{"effect_outcome":"committed","durable":true,"ref":"r","effect_id":["pay_1"]}' >$F`, "unknown", "not_confirmed", "", no},
		"other action": {`echo '{"effect_outcome":"committed","durable":true,"ref":"r","action_digest":"sha256:` + strings.Repeat("0", 64) + `"}' >$F`,
			"unknown", "not_confirmed", "", no},
		"too much":    {`printf '%070000d' 1 >$F`, "unknown", "not_confirmed", "", no},
		"removed":     {`rm $F`, "unknown", "not_confirmed", "", ""},
		"emptied":     {`: >$F`, "unknown", "not_confirmed", "", ""},
		"a link":      {`echo '{"effect_outcome":"committed","durable":true,"ref":"r"}' >o; rm $F; ln -s $PWD/o $F`, "unknown", "not_confirmed", "", no},
		"a pipe":      {`rm $F; mkfifo $F`, "unknown", "not_confirmed", "", no},
		"a directory": {`rm $F; mkdir $F`, "unknown", "not_confirmed", "", no},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, h, _ := newDesk(t).kept(t, c.script)
			if v.Effect.Standing != c.stands || v.Effect.Mark != c.mark {
				t.Errorf("it stands %s %s, want %s %s: %s", v.Effect.Standing, v.Effect.Mark, c.stands, c.mark, h.err.String())
			}
			if f := v.Facts[1]; f.Kind != ambiguity.Report || f.Says != c.says || f.Source != ambiguity.ByTool {
				t.Errorf("filed %+v, want %q by the tool", f, c.says)
			}
			if text := h.err.String(); !strings.Contains(text, c.told) || strings.Contains(text, no) != (c.told != "") {
				t.Errorf("it says %q, want %q", text, c.told)
			}
			if text := h.err.String(); strings.Contains(text, "Do not repeat it") != (c.stands == "unknown") {
				t.Errorf("it says %q", text)
			}
		})
	}
}

// A command whose effect is not kept has no place to speak of it.
func TestNoOutcomeWithoutAnEffect(t *testing.T) {
	d := newDesk(t)
	h := d.start(t, "", "sh", "-c", "echo [$NOD_OUTCOME_FILE]")
	h.begin(t)
	d.Allow(t, "")
	if h.wait(t); h.out.String() != "[]\n" || len(d.Effects(t, false)) != 0 {
		t.Errorf("it has %q", h.out.String())
	}
}

// The last line of stderr goes to the desk, whatever is in it, and all of it to
// the caller.
func TestWhatCameBack(t *testing.T) {
	for name, c := range map[string]struct{ script, want, err string }{
		"a line":         {`echo one >&2; echo two >&2; echo >&2; exit 1`, "two", "one\ntwo\n\n"},
		"no end":         {`printf 'one\ntwo' >&2; exit 1`, "two", "one\ntwo"},
		"a progress bar": {`printf '10%%\r100%% done\r' >&2; exit 1`, "100% done", "10%\r100% done\r"},
		"hostile":        {`printf 'x\033[2J\377y\n' >&2; exit 1`, "x\x1b[2J\uFFFDy", "x\x1b[2J\xffy\n"},
		"long":           {`printf '%02000d' 7 >&2`, strings.Repeat("0", 1021) + "…", strings.Repeat("0", 1999) + "7"},
		"nothing":        {`exit 4`, "exit status 4", ""},
		"success":        {`true`, "", ""},
		"a signal":       {`kill -9 $$`, "signal: killed", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, h, _ := newDesk(t).kept(t, c.script)
			if got := v.Facts[1].Seen; got != c.want {
				t.Errorf("the desk has %q, want %q", got, c.want)
			}
			if !strings.HasPrefix(h.err.String(), c.err) {
				t.Errorf("the caller has %q, want %q first", h.err.String(), c.err)
			}
		})
	}
}

// What a command leaves in the background holds up neither caller nor report.
func TestABackgroundProcessHoldsUpNothing(t *testing.T) {
	v, h, code := newDesk(t).kept(t, `sleep 300 & echo $! >pid; echo done >&2`)
	if code != 0 || v.Attempts[0].Exit != queue.ExitSuccess || v.Facts[1].Seen != "done" {
		t.Errorf("exit %d, %+v: %s", code, v.Attempts[0], h.err.String())
	}
	end := newDesk(t)
	end.kept(t, `kill `+"$(cat "+h.cmd.Dir+"/pid)")
}

// A result proves that nothing happened only where the descriptor says so, and
// only as one whole document.
func TestAResultThatSaysNotExecuted(t *testing.T) {
	tool := descriptor.Tool{Name: "run", Effect: descriptor.Effect{NotExecuted: descriptor.Result{At: "/error/code", Is: "declined"}}}
	const declined = `echo '{"error":{"code":"declined"}}'`
	for name, c := range map[string]struct {
		script string
		tools  []descriptor.Tool
		stands ambiguity.Standing
	}{
		"declined":           {declined + "; exit 1", []descriptor.Tool{tool}, "free"},
		"declined, success":  {declined, []descriptor.Tool{tool}, "free"},
		"another error":      {`echo '{"error":{"code":"timeout"}}'; exit 1`, []descriptor.Tool{tool}, "unknown"},
		"more than that":     {declined + `; echo '{}'; exit 1`, []descriptor.Tool{tool}, "unknown"},
		"ambiguous":          {`echo '{"error":{"code":"timeout","code":"declined"}}'; exit 1`, []descriptor.Tool{tool}, "unknown"},
		"too much":           {`printf '{"error":{"code":"declined"},"x":"%01100000d"}' 1; exit 1`, []descriptor.Tool{tool}, "unknown"},
		"on stderr":          {declined + ` >&2; exit 1`, []descriptor.Tool{tool}, "unknown"},
		"not in descriptors": {declined + "; exit 1", nil, "unknown"},
		"and committed":      {declined + `; echo '{"effect_outcome":"committed"}' >$F`, []descriptor.Tool{tool}, "unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, h, _ := newDesk(t, c.tools...).kept(t, c.script)
			if v.Effect.Standing != c.stands {
				t.Errorf("it stands %s, want %s: %s", v.Effect.Standing, c.stands, h.err.String())
			}
			if out := h.out.String(); strings.HasPrefix(c.script, declined) && name != "on stderr" && !strings.HasPrefix(out, `{"error":{"code":"declined"}}`+"\n") {
				t.Errorf("the caller has %q", out)
			}
		})
	}
}

// An observer that will not be asked is refused before anything runs.
func TestObserveNothing(t *testing.T) {
	p := newProvider(t)
	plain := p.refundTool(false)
	plain.Class, plain.Effect = "", descriptor.Effect{}
	for name, c := range map[string]struct {
		tools []descriptor.Tool
		flags []string
		says  string
	}{
		"no descriptor":    {nil, []string{"--observe", "refunds", "--effect-key", "x"}, "no observer of this name"},
		"another observer": {[]descriptor.Tool{plain}, []string{"--observe", "refund", "--effect-key", "x"}, "no observer of this name"},
		"nothing is kept":  {[]descriptor.Tool{plain}, []string{"--observe", "refunds"}, "neither a key nor a class"},
	} {
		d := newDesk(t, c.tools...)
		d.flags = c.flags
		h := d.start(t, "", "touch", "marker")
		h.begin(t)
		if code := h.wait(t); code != 2 || !strings.Contains(h.err.String(), c.says) || d.exists("marker") {
			t.Errorf("%s: exit %d, %q", name, code, h.err.String())
		}
	}
}

// An observer that is named is asked though the outcome is settled.
func TestANamedObserver(t *testing.T) {
	r := newRefunding(t, false)
	r.flags = []string{"--observe", "refunds"}
	e, h, code := r.first(t, r.URL)
	if code != 0 || e.Standing != ambiguity.StandsCommitted || !strings.Contains(h.err.String(), "Observer refunds says committed") {
		t.Errorf("exit %d, %+v: %s", code, e, h.err.String())
	}
}
