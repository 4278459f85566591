package queue

import (
	"errors"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"nod/digest"
)

// envelope is the one encoding of acts, results, queries and answers: the
// word that names the value, and the value.
type envelope struct {
	Name string         `json:"name"`
	Body jsontext.Value `json:"body"`
}

// The closed lists of what may be encoded. A new act or query gets one line.
var (
	acts = []Act{Submit{}, Decide{}, DecideBatch{}, Edit{}, Snooze{}, Claim{}, Withdraw{}, Revoke{}, Wait{}, Adopt{}, Begin{}, Report{}, Renew{}, Observe{}, Reconcile{}, AckEffect{}, OpenEffect{}, GrantDigest{}, Freeze{}, Unfreeze{}, EndSession{}, Receipt{}, EndLeg{}, AckDelivery{}, Resend{}, DropWords{}, Unasked{}, RegisterSession{}, Screen{}, AckNotice{}, ConfirmClock{},
		AttachPolicy{}, DetachPolicy{}, ActivateScope{}, ScopeActivated{}, DisposeScope{}, RecoverScope{}, NextCleanup{}, EndCleanup{}, AckCleanup{},
		SubmitTransaction{}, StepTransaction{}, RecoverTransaction{}, RestoredTransaction{}, AckTransaction{}}
	results = []Result{Submitted{}, Decided{}, BatchDecided{}, Edited{}, Moved{}, Standing{}, Begun{}, Reported{}, Renewed{}, Judged{}, Opened{}, Granted{}, Frozen{}, Ended{}, Receipted{}, LegEnded{}, Resending{}, Registered{}, Screened{}, Acked{},
		PolicySet{}, ScopeStands{}, CleanupDue{}, Transacted{}}
	queries = []Query{QInbox{}, QHistory{}, QAsk{}, QEffects{}, QEffect{}, QStanding{}, QEvents{}, QStatus{}, QNotices{}, QSessions{}, QRecords{}, QGrants{}, QPrecedent{}, QStats{}, QDeliveries{},
		QPolicies{}, QCleanups{}, QTransactions{}}
	answers = []Answer{Inbox{}, History{}, AskView{}, Effects{}, Desk{}, Standing{}, Events{}, Status{}, Notices{}, Sessions{}, Records{}, Grants{}, Precedents{}, Stats{}, Deliveries{},
		Policies{}, Cleanups{}, Transactions{}}
)

// EncodeAct writes an act as {"name":…,"body":…}.
func EncodeAct(a Act) ([]byte, error) { return encode(a.actName(), a) }

// DecodeAct reads what EncodeAct wrote, strictly: duplicate or unknown members,
// bad UTF-8 and another case of a name are refused.
func DecodeAct(b []byte) (Act, error) { return decode(b, acts, Act.actName) }

// EncodeResult writes a result.
func EncodeResult(r Result) ([]byte, error) { return encode(r.resultName(), r) }

// DecodeResult reads what EncodeResult wrote.
func DecodeResult(b []byte) (Result, error) { return decode(b, results, Result.resultName) }

// EncodeQuery writes a query.
func EncodeQuery(q Query) ([]byte, error) { return encode(q.queryName(), q) }

// DecodeQuery reads what EncodeQuery wrote.
func DecodeQuery(b []byte) (Query, error) { return decode(b, queries, Query.queryName) }

// EncodeAnswer writes an answer.
func EncodeAnswer(a Answer) ([]byte, error) { return encode(a.answerName(), a) }

// DecodeAnswer reads what EncodeAnswer wrote.
func DecodeAnswer(b []byte) (Answer, error) { return decode(b, answers, Answer.answerName) }

func encode(name string, v any) ([]byte, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, refuse(CodeBadAct, "this value does not encode").hint("its JSON members must be JSON")
	}
	return json.Marshal(envelope{Name: name, Body: body})
}

// noNull refuses null where a member's own type is meant: the json package reads
// it as the type's empty value, and an empty session is everything. Raw JSON
// keeps it.
var noNull = json.WithUnmarshalers(json.UnmarshalFromFunc(func(d *jsontext.Decoder, v any) error {
	if _, raw := v.(*jsontext.Value); !raw && d.PeekKind() == 'n' {
		return errNull
	}
	return errors.ErrUnsupported // read it as ever
}))

var errNull = errors.New("null is no value of this member")

func decode[T any](b []byte, known []T, name func(T) string) (T, error) {
	var zero T
	if _, err := digest.Canonical(b, digest.Limits{MaxBytes: digest.DefaultAskMaxBytes, MaxDepth: digest.DefaultAskMaxDepth + 4}); err != nil {
		return zero, asRefusal(err)
	}
	var e envelope
	if err := json.Unmarshal(b, &e, json.RejectUnknownMembers(true), noNull); err != nil {
		return zero, refuse(CodeBadAct, "the message is not an act or query of this version").hint("see docs/spec/acts.md for the form")
	}
	for _, k := range known {
		if name(k) != e.Name {
			continue
		}
		v := reflect.New(reflect.TypeOf(k))
		if err := json.Unmarshal(e.Body, v.Interface(), json.RejectUnknownMembers(true), noNull); err != nil {
			return zero, refuse(CodeBadAct, "the body of a %q is not of its form", e.Name).hint("members are closed; see docs/spec/acts.md")
		}
		return v.Elem().Interface().(T), nil
	}
	return zero, refuse(CodeBadAct, "the queue knows no such name").hint("see docs/spec/acts.md for the names")
}
