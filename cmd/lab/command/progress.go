package command

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"filterlab/harness"
)

// A progress shows how far a run is: a bar on a terminal, a plain line now and then where standard
// error goes to a file, nothing when quiet.
type progress interface {
	update(harness.Progress)
	close()
}

func newProgress(errOut io.Writer, quiet bool) progress {
	file, isFile := errOut.(*os.File)
	switch {
	case quiet:
		return silent{}
	case isFile && term.IsTerminal(int(file.Fd())):
		return newBarProgress(errOut)
	default:
		return &lineProgress{out: errOut, last: time.Now()}
	}
}

type silent struct{}

func (silent) update(harness.Progress) {}
func (silent) close()                  {}

// A barProgress is redrawn only when it is updated, which is between trials: a redraw by a clock of
// its own would fall into timed regions.
type barProgress struct {
	pool   *mpb.Progress
	bar    *mpb.Bar
	redraw chan any
	at     string
}

func newBarProgress(errOut io.Writer) *barProgress {
	redraw := make(chan any)
	pool := mpb.New(mpb.WithOutput(errOut), mpb.WithWidth(40), mpb.WithManualRefresh(redraw))
	return &barProgress{pool: pool, redraw: redraw}
}

func (p *barProgress) update(s harness.Progress) {
	if p.bar == nil {
		p.bar = p.pool.AddBar(int64(s.Total),
			mpb.PrependDecorators(decor.Percentage(decor.WC{W: 5}), decor.Name(" ")),
			mpb.AppendDecorators(decor.AverageETA(decor.ET_STYLE_GO, decor.WC{W: 7}), decor.Any(func(decor.Statistics) string { return "  " + p.at })),
			mpb.BarRemoveOnComplete())
	}
	p.at = s.Case
	p.bar.SetCurrent(int64(s.Done))
	p.redraw <- time.Now()
}

func (p *barProgress) close() {
	if p.bar != nil {
		p.bar.Abort(true)
	}
	p.pool.Wait()
}

// lineEvery is how often a line of progress goes to a log.
const lineEvery = 10 * time.Second

type lineProgress struct {
	out  io.Writer
	last time.Time
}

func (p *lineProgress) update(s harness.Progress) {
	if time.Since(p.last) < lineEvery {
		return
	}
	p.last = time.Now()
	fmt.Fprintf(p.out, "%3.0f %%  %s\n", 100*float64(s.Done)/float64(max(s.Total, 1)), s.Case)
}

func (p *lineProgress) close() {}
