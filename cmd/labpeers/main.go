// Command labpeers is command lab with the filters of other packages beside our own.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"filterlab/cmd/lab/command"
	"filterlab/cmd/labpeers/peers"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	os.Exit(program().Run(ctx, os.Stdout, os.Stderr, os.Args[1:]))
}

// program returns the lab with the peers, and with the comparison of our own filters with them.
func program() command.Program {
	p := command.Lab()
	p.Name = "labpeers"
	p.Variants = append(p.Variants, peers.All()...)
	p.More = []command.Subcommand{{
		Name:  "bench-peers",
		Help:  "Time our own filters side by side with the packages they must beat.",
		Flags: &benchCmd{},
	}}
	return p
}
