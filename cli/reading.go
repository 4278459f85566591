package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"nod/digest"
	"nod/queue"
)

// codeLen is how many hex digits of the shown digest are typed.
const codeLen = 4

// proof says which card or page was read, and what of it was on the screen.
type proof struct {
	shown     digest.Digest
	confirm   string
	seen, all int64 // lines
	dwellMS   int64 // from the first page on
}

// reading is a person who reads one card, or one desk page, at a terminal before
// an act.
type reading struct {
	app   *app
	ctx   context.Context
	in    *os.File
	lines *bufio.Reader
	what  string // card or page
	text  string
	shown digest.Digest
	// to names the act in the question for the code; confirm asks for what has
	// to be typed before it.
	to      string
	confirm string
	note    string // what else the act means, before the question
	// early lets the code come before the last page: a refusal needs no whole
	// reading.
	early bool
	code  string // from the flag, instead of the question
	// plain asks for yes instead of the code: for an act that lets nothing run.
	plain bool
}

// read shows the card page by page and takes what has to be typed.
func (r *reading) read() (proof, error) {
	if r.text == "" {
		return proof{}, &fault{Code: queue.CodeContentMissing, Sentence: "its contents were pruned, so there is no " + r.what + " to read",
			Hint: "decide on the next ask of this call"}
	}
	s, err := r.app.sheet(r.text)
	if err != nil {
		return proof{}, err
	}
	r.lines = bufio.NewReader(r.in)
	began := r.app.Edge.WallMS()
	var got proof
	for asked := false; !asked; {
		if err := s.next(); err != nil {
			return proof{}, err
		}
		if !s.done() && !r.early {
			if err := r.more(s.where()); err != nil {
				return proof{}, err
			}
			continue
		}
		if asked, got.confirm, err = r.ask(s); err != nil {
			return proof{}, err
		}
	}
	got.shown = r.shown
	got.seen, got.all = int64(s.read.Seen()), int64(s.read.All())
	got.dwellMS = max(r.app.Edge.WallMS()-began, 0)
	return got, nil
}

// more asks whether to go on to the next page.
func (r *reading) more(where string) error {
	for {
		typed, err := r.prompt(where + "; Enter shows more, q stops: ")
		if err != nil {
			return err
		}
		switch strings.TrimSpace(typed) {
		case "":
			return nil
		case "q", "Q":
			return stopped()
		}
	}
}

func stopped() error {
	return &fault{Code: "stopped", Sentence: "you stopped reading, so nothing was decided", Hint: "run the command again, or read it in nod"}
}

// ask takes what has to be typed and the code. It reports false when the person
// would rather read on.
func (r *reading) ask(s *sheet) (asked bool, confirm string, err error) {
	hex := r.shown.Hex()
	if err := r.app.printf("\nshown sha256:[%s]%s\n", hex[:codeLen], hex[codeLen:]); err != nil {
		return false, "", err
	}
	if r.note != "" {
		if err := r.app.printf("%s\n", r.note); err != nil {
			return false, "", err
		}
	}
	if r.confirm != "" {
		if confirm, err = r.prompt(r.confirm); err != nil {
			return false, "", err
		}
	}
	code := r.code
	if code == "" {
		question := r.to + ", type the four characters in brackets: "
		if r.plain {
			question = r.to + ", type yes: "
		}
		if !s.done() {
			question = s.where() + "; Enter shows more, q stops\n" + question
		}
		if code, err = r.prompt(question); err != nil {
			return false, "", err
		}
		switch typed := strings.TrimSpace(code); {
		case s.done():
		case typed == "":
			return false, "", nil
		case strings.EqualFold(typed, "q"):
			return false, "", stopped()
		}
	}
	switch {
	case r.plain && code != "yes":
		return false, "", &fault{Code: "stopped", Sentence: "that is not yes, so nothing was said", Hint: "run the command again"}
	case !r.plain && code != hex[:codeLen]:
		return false, "", &fault{Code: "wrong_code", Sentence: "that is not the code of this " + r.what + ", so nothing was decided",
			Hint: "read the " + r.what + " and run the command again"}
	}
	return true, confirm, nil
}

// prompt asks and reads one line. What was typed before is thrown away.
func (r *reading) prompt(text string) (string, error) {
	ahead := r.lines.Buffered() > 0
	if _, err := r.lines.Discard(r.lines.Buffered()); err != nil {
		return "", fmt.Errorf("read the terminal: %w", err)
	}
	if flushInput(r.in) || ahead {
		if err := r.app.printf("(what was typed before this question was thrown away)\n"); err != nil {
			return "", err
		}
	}
	if err := r.app.printf("%s", text); err != nil {
		return "", err
	}
	type input struct {
		line string
		err  error
	}
	got := make(chan input, 1)
	go func() {
		line, err := r.lines.ReadString('\n')
		got <- input{line, err}
	}()
	var typed input
	select {
	case typed = <-got:
	case <-r.ctx.Done(): // the read ends with the process
		return "", &fault{Code: "stopped", Sentence: "the command was stopped, so nothing was decided", Hint: "run the command again"}
	}
	if errors.Is(typed.err, io.EOF) && typed.line == "" {
		return "", &fault{Code: "no_answer", Sentence: "the terminal closed, so nothing was decided", Hint: "run the command again"}
	}
	if typed.err != nil && !errors.Is(typed.err, io.EOF) {
		return "", fmt.Errorf("read the terminal: %w", typed.err)
	}
	return strings.TrimRight(typed.line, "\r\n"), nil
}
