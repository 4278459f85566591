package config

import (
	"fmt"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Bounds of [notify] and of the console's calls for attention.
const (
	maxRungs    = 10
	maxWebhooks = 8
	maxArgs     = 32
	maxURL      = 2048
	maxArg      = 4096
)

// alerts are the words of ui.alert (package tui/alert, which a test holds
// against this list).
func alerts() []string { return []string{"title", "bell", "osc9", "osc777", "osc99"} }

// calls checks how the console calls for attention.
func (f *filler) calls(u *UI) {
	for i, word := range u.Alert {
		if !slices.Contains(alerts(), word) || slices.Index(u.Alert, word) != i {
			f.bad([]string{"ui", "alert", strconv.Itoa(i)}, "a list of "+strings.Join(alerts(), ", ")+", each at most once")
		}
	}
	if u.SlowBelow > minute {
		f.bad([]string{"ui", "slow_below"}, `at most "1m"`)
	}
}

// notify checks who is told, and when.
func (f *filler) notify(n *Notify) {
	if n.When != NotifyUnwatched && n.When != NotifyAlways {
		f.bad([]string{"notify", "when"}, "one of unwatched, always")
	}
	if len(n.After) == 0 || len(n.After) > maxRungs {
		f.bad([]string{"notify", "after"}, fmt.Sprintf("a list of 1 to %d times", maxRungs))
	}
	for i, d := range n.After {
		if int64(d) > maxTime || i > 0 && d <= n.After[i-1] {
			f.bad([]string{"notify", "after", strconv.Itoa(i)}, "a list of times that grow, up to a year")
		}
	}
	if len(n.Webhooks) > maxWebhooks {
		f.bad([]string{"notify", "webhooks"}, fmt.Sprintf("a list of at most %d addresses", maxWebhooks))
	}
	for i, w := range n.Webhooks {
		if !webhook(w) || slices.Index(n.Webhooks, w) != i {
			f.bad([]string{"notify", "webhooks", strconv.Itoa(i)}, "a list of https addresses (http only of this machine), without user and fragment, each once")
		}
	}
	if !argv(n.Command) {
		f.bad([]string{"notify", "command"}, "a list: the absolute path of a program, then its arguments")
	}
	for i, v := range n.Env {
		if !variable(v) || slices.Index(n.Env, v) != i {
			f.bad([]string{"notify", "env", strconv.Itoa(i)}, "a list of environment variables' names, each once")
		}
	}
}

// webhook reports whether a payload may be sent there: over TLS, or to this
// machine. A user in it would go out in the clear of a log on the way.
func webhook(s string) bool {
	u, err := url.Parse(s)
	if err != nil || len(s) > maxURL || u.Hostname() == "" || u.User != nil || u.Fragment != "" || u.Opaque != "" {
		return false
	}
	switch u.Scheme {
	case "https":
		return true
	case "http":
		return Loopback(u.Hostname())
	}
	return false
}

// Loopback reports whether a host's name is this machine's own: localhost, or
// an address of the loopback device.
func Loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

func argv(args []string) bool {
	if len(args) == 0 {
		return true
	}
	whole := func(a string) bool { return len(a) <= maxArg && !strings.ContainsRune(a, 0) }
	return filepath.IsAbs(args[0]) && len(args) <= maxArgs && !slices.ContainsFunc(args, func(a string) bool { return !whole(a) })
}
