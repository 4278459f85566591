//go:build !unix

package cli

func announce(string) func() { return func() {} }

func watched(string) (is, known bool) { return false, false }
