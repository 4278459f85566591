//go:build unix && !linux

package run

import "errors"

func closeOnExecFrom(uint) error { return errors.ErrUnsupported }
