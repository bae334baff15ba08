package conformance

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Progress shows how a run goes on: a bar with what runs on a terminal, plain lines elsewhere. Its Event method is for
// Observe.
type Progress struct {
	w        io.Writer
	terminal bool
	width    int
	running  []string // files
	differ   int
	broken   int
	shown    bool // a bar stands on the last line
	percent  int  // last plain line
}

// NewProgress writes to w. terminal says that it is one, width columns wide.
func NewProgress(w io.Writer, terminal bool, width int) *Progress {
	if width < 40 {
		width = 80
	}
	return &Progress{w: w, terminal: terminal, width: width, percent: -1}
}

// Event takes note of an event and shows it.
func (p *Progress) Event(e Event) {
	switch {
	case e.Result == nil && !e.Ended:
		p.running = append(p.running, e.File)
	case e.Ended:
		if i := slices.Index(p.running, e.File); i >= 0 {
			p.running = slices.Delete(p.running, i, i+1)
		}
		if e.Err != nil {
			p.print("clean-up of %s: %v", e.File, e.Err)
		}
	case e.Result.Outcome == Differs:
		p.differ++
		p.print("differs: %s", e.Result.ID())
	case e.Result.Outcome == Broken:
		p.broken++
		p.print("could not run: %s: %s", e.Result.ID(), describe(oneLine(e.Result.Detail), 200))
	}
	if p.terminal {
		p.bar(e)
	} else {
		p.plain(e)
	}
}

// Close ends the bar.
func (p *Progress) Close() { p.clear() }

// print writes a line above the bar.
func (p *Progress) print(format string, args ...any) {
	p.clear()
	fmt.Fprintf(p.w, format+"\n", args...)
}

func (p *Progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// barWidth is the length of the bar itself, in characters.
const barWidth = 24

func (p *Progress) bar(e Event) {
	if e.Total == 0 {
		return
	}
	full := barWidth * e.Done / e.Total
	line := fmt.Sprintf("[%s%s] %d/%d", strings.Repeat("#", full), strings.Repeat(".", barWidth-full), e.Done, e.Total)
	if p.differ > 0 {
		line += fmt.Sprintf(", %d differ", p.differ)
	}
	if p.broken > 0 {
		line += fmt.Sprintf(", %d could not run", p.broken)
	}
	line += "  " + strings.Join(p.running, " ")
	if utf8.RuneCountInString(line) > p.width-1 {
		line = string([]rune(line)[:p.width-2]) + "…"
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", line)
	p.shown = true
}

// plain writes a line at every tenth of the way.
func (p *Progress) plain(e Event) {
	if e.Total == 0 || e.Result == nil {
		return
	}
	if tenth := 10 * e.Done / e.Total; tenth > p.percent {
		p.percent = tenth
		fmt.Fprintf(p.w, "%3d%%  %d of %d cases, %d differ\n", 10*tenth, e.Done, e.Total, p.differ)
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
