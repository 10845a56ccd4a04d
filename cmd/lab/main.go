// Command lab measures membership filters on synthetic and replayed workloads, holds what it
// observes against the formulas and draws the result for a design review.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"filterlab/cmd/lab/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	os.Exit(command.Lab().Run(ctx, os.Stdout, os.Stderr, os.Args[1:]))
}
