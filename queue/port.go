package queue

import (
	"context"

	"nod/digest"
)

// Port is all that a console, a command or a gateway sees of the queue: acts
// change it, queries read it, Watch says that something changed. A Port
// belongs to one connection; who acts is the connection's, never the act's.
type Port interface {
	// Do carries out one act. It returns after the commit is durable. A
	// refusal is a *Refusal and changes nothing but what the clock had due.
	Do(ctx context.Context, act Act) (Result, error)
	// Read answers one query from committed state.
	Read(ctx context.Context, q Query) (Answer, error)
	// Watch returns a channel that gets the newest event number after each
	// change noticed, in this process or another; changes may be folded. The
	// channel is closed when ctx ends.
	Watch(ctx context.Context) (<-chan int64, error)
}

// Role says what a connection may do. In local mode the command that opened
// the connection gives it; on a socket the peer's credentials do.
type Role uint8

const (
	// RoleRequester submits, waits, begins, reports and withdraws its own.
	RoleRequester Role = 1 << iota
	// RoleOperator decides, revokes, grants, freezes and reads everything.
	RoleOperator
	// RoleObserver says what an observer of the operator's configuration saw.
	RoleObserver
)

// Conn is one connection's identity. A caller states none of it in an act.
type Conn struct {
	Principal   digest.Principal // who asks; for an operator, User is the name recorded
	Environment string           // environment.name of what this connection runs
	Machine     string
	Role        Role
	Way         string // console, command, hook, run, demo: recorded with each event
}

// As asks p for one act and gives its result typed.
func As[R Result](ctx context.Context, p Port, act Act) (R, error) {
	var zero R
	r, err := p.Do(ctx, act)
	if err != nil {
		return zero, err
	}
	typed, ok := r.(R)
	if !ok {
		return zero, refuse(CodeBadAct, "the queue answered an act with another act's result")
	}
	return typed, nil
}

// Get asks p one query and gives its answer typed.
func Get[A Answer](ctx context.Context, p Port, q Query) (A, error) {
	var zero A
	a, err := p.Read(ctx, q)
	if err != nil {
		return zero, err
	}
	typed, ok := a.(A)
	if !ok {
		return zero, refuse(CodeBadAct, "the queue answered a query with another query's answer")
	}
	return typed, nil
}
