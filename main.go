// Nod is an approval console for AI agents, in a terminal.
package main

import (
	"context"
	"os"

	"nod/cli"
)

func main() {
	os.Exit(cli.Run(context.Background(), world()))
}
