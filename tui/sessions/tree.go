package sessions

import (
	"cmp"
	"slices"

	"nod/queue"
)

// node is one session's place in the trees. Nodes stand in the order in which
// they are drawn: a parent, then everything below it.
type node struct {
	of    int  // index of the session
	up    int  // index of the parent's node, -1 for a root
	below int  // how many nodes hang below it
	last  bool // the last child of its parent
	depth int
}

// Branch is a session and how many forebears of it stand above it in its tree.
type Branch struct {
	queue.SessionView
	Depth int
}

// Tree puts sessions into trees, in the order in which they are drawn: a parent,
// then everything below it. Each stands there once. Whose parent is not among
// them is a root, and so is the newest of a ring of parents, such as one that is
// its own. Trees go by the newest act in them, children by their start, so that
// an act moves no child.
func Tree(read []queue.SessionView) []Branch {
	all, nodes := plant(read)
	out := make([]Branch, len(nodes))
	for i, n := range nodes {
		out[i] = Branch{SessionView: all[n.of], Depth: n.depth}
	}
	return out
}

// plant is Tree with what drawing its lines needs.
func plant(read []queue.SessionView) ([]queue.SessionView, []node) {
	index := make(map[string]int, len(read))
	all := make([]queue.SessionView, 0, len(read))
	for _, s := range read {
		if _, twice := index[s.ID]; !twice {
			index[s.ID] = len(all)
			all = append(all, s)
		}
	}
	children := make(map[int][]int, len(all))
	var roots, rest []int
	for i, s := range all {
		if p, ok := index[s.Parent]; ok {
			children[p] = append(children[p], i)
			rest = append(rest, i)
		} else {
			roots = append(roots, i)
		}
	}
	for _, c := range children {
		slices.SortStableFunc(c, func(a, b int) int {
			return cmp.Or(cmp.Compare(all[a].Started, all[b].Started), cmp.Compare(all[a].ID, all[b].ID))
		})
	}
	w := walk{children: children, seen: make([]bool, len(all))}
	trees := make([]tree, 0, len(roots))
	grow := func(root int) {
		if w.seen[root] {
			return
		}
		w.nodes = nil
		w.visit(root, -1, 0, true)
		t := tree{nodes: w.nodes, id: all[root].ID}
		for _, n := range t.nodes {
			t.act = max(t.act, all[n.of].LastAct)
		}
		trees = append(trees, t)
	}
	for _, r := range roots {
		grow(r)
	}
	// What no root reaches hangs on a ring of parents.
	slices.SortStableFunc(rest, func(a, b int) int { return cmp.Compare(all[b].LastAct, all[a].LastAct) })
	for _, r := range rest {
		grow(r)
	}
	slices.SortStableFunc(trees, func(a, b tree) int {
		return cmp.Or(cmp.Compare(b.act, a.act), cmp.Compare(a.id, b.id))
	})
	nodes := make([]node, 0, len(all))
	for _, t := range trees {
		base := len(nodes)
		for _, n := range t.nodes {
			if n.up >= 0 {
				n.up += base
			}
			nodes = append(nodes, n)
		}
	}
	return all, nodes
}

type tree struct {
	nodes []node
	act   int64 // the newest in it
	id    string
}

type walk struct {
	children map[int][]int
	seen     []bool
	nodes    []node
}

// visit adds a session and what hangs below it. A page is at most some hundred
// sessions, so the depth of the calls is bounded.
func (w *walk) visit(of, up, depth int, last bool) {
	w.seen[of] = true
	at := len(w.nodes)
	w.nodes = append(w.nodes, node{of: of, up: up, depth: depth, last: last})
	var open []int
	for _, c := range w.children[of] {
		if !w.seen[c] {
			open = append(open, c)
		}
	}
	for i, c := range open {
		w.visit(c, at, depth+1, i == len(open)-1)
	}
	w.nodes[at].below = len(w.nodes) - at - 1
}

// rows are the nodes that no fold hides, in order.
func (l *List) rows() []int {
	out := make([]int, 0, len(l.nodes))
	for i := 0; i < len(l.nodes); i++ {
		out = append(out, i)
		if l.folded[l.all[l.nodes[i].of].ID] {
			i += l.nodes[i].below
		}
	}
	return out
}

// shown is the outermost folded node above a node, or the node itself.
func (l *List) shown(at int) int {
	for up := l.nodes[at].up; up >= 0; up = l.nodes[up].up {
		if l.folded[l.all[l.nodes[up].of].ID] {
			at = up
		}
	}
	return at
}
