package cli_test

import "errors"

const exe = ".exe"

func ttyMain() { panic(errors.New("no pty on this system")) }
