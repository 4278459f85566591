//go:build !linux

package faults

import "errors"

func refuseSync() error { return errors.New("only Linux can refuse its own fsync") }
