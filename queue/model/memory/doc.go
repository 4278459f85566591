// Package memory is a queue.Store in plain values, for tests that go back in
// time: what it holds is one State, which can be taken, kept and put back.
//
// It keeps queue/store.go's contract and adds no rule. It is for one goroutine:
// a Store carries out one act at a time and shares no commit.
package memory
