//go:build unix

package claudetest

import (
	"fmt"
	"os"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// recordsMark makes the test binary an MCP server that marks each call.
const recordsMark = "NOD_CLAUDETEST_RECORDS"

func TestMain(m *testing.M) {
	mark := os.Getenv(recordsMark)
	if mark == "" {
		os.Exit(m.Run())
	}
	err := ServeRecords(os.Stdin, os.Stdout, func(arguments jsontext.Value) error {
		return os.WriteFile(mark, arguments, 0o600)
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
