package conformance

import (
	"context"
	"fmt"
	"strings"
)

// TB is what Run needs of a test: *testing.T has it.
type TB[T any] interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Skipf(format string, args ...any)
	Logf(format string, args ...any)
	Parallel()
	Cleanup(func())
	Context() context.Context
	Run(name string, f func(T)) bool
}

// Run runs cases against a target as subtests, one for each file and below it one for each case, so that
// "go test -run" selects among them. Files run side by side, the cases of a file one after the other.
//
//	func TestConformance(t *testing.T) {
//		conformance.Run(t, conformance.Endpoint("http://127.0.0.1:8000"))
//	}
func Run[T TB[T]](t T, target Target, options ...Option) {
	t.Helper()
	r, err := NewRunner(target, options...)
	if err != nil {
		t.Fatalf("%v", err)
		return
	}
	for _, s := range r.scripts {
		selected, err := r.selected(s)
		if err != nil {
			t.Fatalf("%v", err)
			return
		}
		if len(selected) == 0 {
			continue
		}
		t.Run(strings.ReplaceAll(s.Name, "/", "-"), func(t T) {
			t.Parallel()
			runFile(t, r, s, selected)
		})
	}
}

func runFile[T TB[T]](t T, r *Runner, s *Script, selected []*instance) {
	f := r.openBoth(t.Context(), s)
	t.Cleanup(func() {
		if err := f.close(); err != nil {
			t.Errorf("clean-up: %v", err)
		}
	})
	for _, x := range selected {
		t.Run(strings.ReplaceAll(x.name, "/", "|"), func(t T) {
			res := f.runCase(t.Context(), x)
			switch res.Outcome {
			case Skipped:
				t.Skipf("%s", res.Detail)
			case Differs, Broken:
				t.Errorf("%s", res.Text())
			}
		})
	}
}

// Text tells a result to a person, with everything that is needed to understand it.
func (r Result) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "cases/%s.txt:%d: %s: %s", r.File, r.Line, r.Case, r.Outcome)
	if r.Provenance != "" {
		fmt.Fprintf(&b, "\nfrom: %s", r.Provenance)
	}
	if r.Unconfirmed {
		b.WriteString(" (unconfirmed)")
	}
	if r.Request != "" {
		fmt.Fprintf(&b, "\nsent: %s", r.Request)
	}
	if r.Received != "" {
		fmt.Fprintf(&b, "\nreceived: %s", r.Received)
	}
	switch r.Outcome {
	case Differs:
		fmt.Fprintf(&b, "\n(-want +got)\n%s", r.Detail)
	case Broken, Skipped:
		fmt.Fprintf(&b, "\n%s", r.Detail)
	}
	return b.String()
}
