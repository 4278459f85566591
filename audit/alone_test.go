package audit_test

import "testing"

// alone leaves a test out under the race detector's short run: it acts from one
// goroutine, one act after the other.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("acts from one goroutine")
	}
}
