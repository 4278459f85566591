package lens

import (
	"mvdan.cc/sh/v3/syntax"
)

// cut is a place in the source where a piece begins.
type cut struct {
	at    int
	depth int
	sort  cutSort
}

type cutSort uint8

const (
	cutRow     cutSort = iota // on a row of its own
	cutJoin                   // on the row of the piece before
	cutComment                // a comment, on a row of its own
	cutBody                   // a here-document: text, not commands
)

// cutter collects where the source of a parsed script is parted. It only says
// where: what stands between two cuts is shown as it is.
type cutter struct{ cuts []cut }

func (c *cutter) cut(at syntax.Pos, depth int, sort cutSort) {
	if at.IsValid() {
		c.cuts = append(c.cuts, cut{int(at.Offset()), depth, sort})
	}
}

// list cuts statements, each on its row; the first is joined to what stands
// before it if join is set.
func (c *cutter) list(stmts []*syntax.Stmt, last []syntax.Comment, depth int, join bool) {
	for i, s := range stmts {
		c.comments(s.Comments, depth)
		sort := cutRow
		if join && i == 0 {
			sort = cutJoin
		}
		if i > 0 && leads(stmts[i-1], s) {
			c.cut(stmts[i-1].Semicolon, depth, cutRow)
			sort = cutJoin
		}
		c.stmt(s, depth, sort)
	}
	c.comments(last, depth)
}

// leads reports whether the semicolon between two statements of one line
// begins the second one's row. An ampersand stays with its own command.
func leads(a, b *syntax.Stmt) bool {
	return a.Semicolon.IsValid() && !a.Background && !a.Coprocess && !a.Disown &&
		a.Semicolon.Line() == b.Position.Line() && len(b.Comments) == 0
}

func (c *cutter) comments(list []syntax.Comment, depth int) {
	for _, m := range list {
		c.cut(m.Hash, depth, cutComment)
	}
}

func (c *cutter) stmt(s *syntax.Stmt, depth int, sort cutSort) {
	c.cut(s.Position, depth, sort)
	if s.Cmd != nil {
		if s.Cmd.Pos() != s.Position && !isCall(s.Cmd) { // a "!" stands before it
			c.cut(s.Cmd.Pos(), depth, cutJoin)
		}
		c.command(s.Cmd, depth)
	}
	for _, r := range s.Redirs {
		c.words(r.Word, depth)
		if r.Hdoc != nil {
			c.cut(r.Hdoc.Pos(), depth+2, cutBody)
			c.cut(r.Hdoc.End(), depth, cutRow)
		}
	}
}

func isCall(cmd syntax.Command) bool { _, ok := cmd.(*syntax.CallExpr); return ok }

func (c *cutter) command(cmd syntax.Command, depth int) {
	switch x := cmd.(type) {
	case *syntax.BinaryCmd:
		// The left operand began where this does.
		c.stmt(x.X, depth, cutJoin)
		c.cut(x.OpPos, depth+1, cutRow)
		c.comments(x.Y.Comments, depth+1)
		c.stmt(x.Y, depth+1, cutJoin)
	case *syntax.Subshell:
		c.list(x.Stmts, x.Last, depth+1, false)
		c.cut(x.Rparen, depth, cutRow)
	case *syntax.Block:
		c.list(x.Stmts, x.Last, depth+1, false)
		c.cut(x.Rbrace, depth, cutRow)
	case *syntax.IfClause:
		c.ifs(x, depth)
	case *syntax.WhileClause:
		c.list(x.Cond, x.CondLast, depth+1, true)
		c.cut(x.DoPos, depth, cutRow)
		c.list(x.Do, x.DoLast, depth+1, false)
		c.cut(x.DonePos, depth, cutRow)
	case *syntax.ForClause:
		c.words(x.Loop, depth)
		c.cut(x.DoPos, depth, cutRow)
		c.list(x.Do, x.DoLast, depth+1, false)
		c.cut(x.DonePos, depth, cutRow)
	case *syntax.CaseClause:
		c.words(x.Word, depth)
		for _, item := range x.Items {
			c.comments(item.Comments, depth+1)
			c.cut(item.Pos(), depth+1, cutRow)
			c.list(item.Stmts, item.Last, depth+2, false)
		}
		c.comments(x.Last, depth+1)
		c.cut(x.Esac, depth, cutRow)
	case *syntax.FuncDecl:
		c.stmt(x.Body, depth, cutJoin)
	case *syntax.TimeClause:
		if x.Stmt != nil {
			c.stmt(x.Stmt, depth, cutJoin)
		}
	case *syntax.CoprocClause:
		c.stmt(x.Stmt, depth, cutJoin)
	default:
		c.words(cmd, depth)
	}
}

func (c *cutter) ifs(x *syntax.IfClause, depth int) {
	c.list(x.Cond, x.CondLast, depth+1, true)
	c.cut(x.ThenPos, depth, cutRow)
	c.list(x.Then, x.ThenLast, depth+1, false)
	if e := x.Else; e != nil {
		c.cut(e.Position, depth, cutRow)
		if e.ThenPos.IsValid() && len(e.Cond) > 0 {
			c.ifs(e, depth)
			return
		}
		c.list(e.Then, e.ThenLast, depth+1, false)
		c.comments(e.Last, depth)
	}
	c.cut(x.FiPos, depth, cutRow)
}

// words cuts the substitutions in a node that hold more than one command; a
// single one stays where it stands.
func (c *cutter) words(n syntax.Node, depth int) {
	if n == nil {
		return
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.CmdSubst:
			return !c.substitution(x.Stmts, x.Last, x.Right, depth)
		case *syntax.ProcSubst:
			return !c.substitution(x.Stmts, x.Last, x.Rparen, depth)
		}
		return true
	})
}

func (c *cutter) substitution(stmts []*syntax.Stmt, last []syntax.Comment, end syntax.Pos, depth int) bool {
	if len(stmts) == 0 || len(stmts) == 1 && stmts[0].Cmd != nil && isCall(stmts[0].Cmd) && len(stmts[0].Comments)+len(last) == 0 && len(stmts[0].Redirs) == 0 {
		return false
	}
	c.list(stmts, last, depth+2, false)
	c.cut(end, depth+1, cutRow)
	return true
}
