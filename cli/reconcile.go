package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"nod/ambiguity"
	"nod/digest"
	"nod/queue"
)

// reconciling is one answer on an effect's outcome.
type reconciling struct {
	answering
	committed, notExecuted, unknown bool
	evidence                        string
	durable, correct                bool
	number                          int64
}

func (a *app) reconcileCmd() *cobra.Command {
	r := &reconciling{answering: answering{app: a}}
	cmd := &cobra.Command{
		Use:   "reconcile EFFECT --committed|--not-executed|--unknown --reason TEXT",
		Short: "Say what became of an effect whose outcome is unknown; with --correct, say otherwise",
		Long: `Answers what became of an effect: --committed (it happened), --not-executed (it did
not) or --unknown (still nobody knows). The answer is appended, never edited; with
--correct another one is put on top. It is of the newest attempt that is unknown,
or with --correct of the newest that is settled; --attempt names another.

--committed and --not-executed want --evidence: what it rests on.

--not-executed lets one new attempt begin. It needs a terminal, prints the whole
page, and asks for the last part of the effect key and the first four characters
of the page digest.` + answeringHelp,
		Args: cobra.ExactArgs(1), RunE: r.run,
	}
	set := cmd.Flags()
	set.BoolVar(&r.committed, "committed", false, "it happened")
	set.BoolVar(&r.notExecuted, "not-executed", false, "it did not happen")
	set.BoolVar(&r.unknown, "unknown", false, "still nobody knows")
	set.StringVar(&r.evidence, "evidence", "", "what the answer rests on: a case, a record, who looked")
	set.BoolVar(&r.durable, "durable", false, "the evidence can be looked up again")
	set.BoolVar(&r.correct, "correct", false, "say otherwise of what was settled")
	set.Int64Var(&r.number, "attempt", 0, "the attempt of this number")
	takes(cmd, "evidence", "TEXT")
	takes(cmd, "attempt", "N")
	r.flags(cmd, "why you say so; not blank")
	return cmd
}

func (r *reconciling) outcome() (queue.AttemptState, error) {
	var said []queue.AttemptState
	for _, o := range []struct {
		flag bool
		says queue.AttemptState
	}{{r.committed, queue.AttemptCommitted}, {r.notExecuted, queue.AttemptNotExecuted}, {r.unknown, queue.AttemptUnknown}} {
		if o.flag {
			said = append(said, o.says)
		}
	}
	if len(said) != 1 {
		return "", &fault{Code: "usage", Sentence: "an answer is one of --committed, --not-executed, --unknown", Hint: "nod reconcile --help"}
	}
	return said[0], nil
}

func (r *reconciling) run(cmd *cobra.Command, args []string) error {
	outcome, err := r.outcome()
	if err != nil {
		return err
	}
	if err := queue.CheckReason(outcome, r.reason, r.evidence); err != nil { // before anybody reads
		return err
	}
	if _, ok := r.app.terminal(); !ok && outcome == queue.AttemptNotExecuted { // no configuration lets a script say it
		return &fault{Code: queue.CodeNeedsPerson, Sentence: "only a person at a terminal says that an effect did not happen", Hint: "open nod"}
	}
	d, err := r.open(cmd, args[0])
	if err != nil {
		return err
	}
	defer d.close()
	at, err := r.attempt(&d.desk)
	if err != nil {
		return err
	}
	act := queue.Reconcile{Attempt: at.ID, Outcome: outcome, Correct: r.correct, Reason: r.reason, Evidence: r.evidence, Durable: r.durable,
		Page: d.desk.Digest}
	if at.State == queue.AttemptUnknown || r.correct && at.State != queue.AttemptExecuting { // else the queue says who was first
		p, err := r.prove(cmd, d, at, outcome)
		if err != nil {
			return err
		}
		act.Page, act.Confirm = p.shown, p.confirm
		act.LinesSeen, act.LinesAll, act.DwellMS = p.seen, p.all, p.dwellMS
	}
	got, err := queue.As[queue.Judged](cmd.Context(), d.port, act)
	if err != nil {
		return err
	}
	return r.app.say(got, "%s", keptWord(&got, outcome))
}

// attempt is the one that is answered.
func (r *reconciling) attempt(d *queue.Desk) (*queue.DeskAttempt, error) {
	if len(d.Attempts) == 0 {
		return nil, &fault{Code: queue.CodeNothingOpen, Sentence: "nothing of this effect began, so nothing is to be answered"}
	}
	for i := len(d.Attempts) - 1; i >= 0; i-- {
		at := &d.Attempts[i]
		settled := at.State == queue.AttemptCommitted || at.State == queue.AttemptNotExecuted
		if r.number == at.Number || r.number == 0 && (r.correct && settled || !r.correct && at.State == queue.AttemptUnknown) {
			return at, nil
		}
	}
	if r.number != 0 {
		return nil, &fault{Code: queue.CodeUnknownID, Sentence: fmt.Sprintf("the effect has no attempt %d", r.number),
			Hint: "nod effects show lists its attempts"}
	}
	return &d.Attempts[len(d.Attempts)-1], nil
}

// prove lets the person read the page and say it: for what lets a retry begin,
// with all that an approval wants.
func (r *reconciling) prove(cmd *cobra.Command, d *desked, at *queue.DeskAttempt, outcome queue.AttemptState) (proof, error) {
	v := d.desk.Answer(string(outcome), at.ID)
	switch {
	case v == nil:
		return proof{}, &fault{Code: queue.CodeReconciled, Sentence: "it is said to be " + string(outcome) + " already", Hint: "nod effects show tells by whom"}
	case !v.Open && v.At > 0:
		return proof{}, &fault{Code: queue.CodeTooSoon, Sentence: "it is too soon to say that: " + v.Why, At: v.At,
			Hint: "from " + clock(v.At, d.desk.Now) + " on"}
	case !v.Open:
		return proof{}, &fault{Code: queue.CodeTooSoon, Sentence: "it cannot be said now: " + v.Why, Hint: "confirm the clock in nod"}
	case outcome != queue.AttemptNotExecuted:
		return r.once(cmd, d, "To say that "+saidWord(outcome), v.Unlocks)
	}
	read := r.reading(cmd, d, "To say that "+saidWord(outcome), v.Unlocks)
	read.confirm = "It lets it be tried again: type " + confirmEffect(&d.desk) + " as it stands on the page: "
	return read.read()
}

// confirmEffect names what "did not happen" types.
func confirmEffect(d *queue.Desk) string {
	if ambiguity.LastPart(digest.JSON(d.Effect.Key)) == d.Confirm {
		return "the last part of the effect key"
	}
	return "the tool's name"
}

func saidWord(outcome queue.AttemptState) string {
	switch outcome {
	case queue.AttemptCommitted:
		return "it happened"
	case queue.AttemptNotExecuted:
		return "it did not happen"
	default:
		return "nobody knows yet"
	}
}

// keptWord says what an answer came to.
func keptWord(j *queue.Judged, outcome queue.AttemptState) string {
	out := "Kept: " + saidWord(outcome) + "." + repeatsGet(j)
	if j.Open {
		out += "\nIt is still on the desk: " + standsWhole(&queue.EffectView{Standing: j.Standing, Mark: j.Mark}) + "."
	}
	return out
}
