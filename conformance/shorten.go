package conformance

import (
	"context"
	"fmt"
	"slices"
)

// shorten leaves steps of a script's only case out, as long as its last step still differs, and returns the shortened
// script and its last result. Each attempt runs the case on fresh tables. attempts bounds them. The steps after the
// first difference are cut off to begin with.
func (r *Runner) shorten(ctx context.Context, s *Script, attempts int) (*Script, Result, error) {
	res, err := r.try(ctx, s)
	if err != nil {
		return nil, res, err
	}
	if res.Outcome != Differs {
		return nil, res, fmt.Errorf("nothing differs: %s", res.Outcome)
	}
	steps := s.Cases[0].Steps
	last := slices.IndexFunc(steps, func(step Step) bool { return step.Line == res.Line })
	steps = steps[:last+1]
	for size := len(steps) / 2; size > 0; size /= 2 {
		for at := 0; at+size < len(steps) && attempts > 0; {
			fewer := slices.Concat(steps[:at], steps[at+size:])
			attempt, err := r.try(ctx, s.withSteps(fewer))
			if attempts--; err != nil {
				return nil, res, err
			}
			if attempt.Outcome == Differs && attempt.Line == res.Line {
				steps, res = fewer, attempt
			} else {
				at += size
			}
		}
	}
	return s.withSteps(steps).trimmed(), res, ctx.Err()
}

// try runs a script's only case.
func (r *Runner) try(ctx context.Context, s *Script) (Result, error) {
	all, err := instances(s)
	if err != nil {
		return Result{}, err
	}
	if len(all) != 1 {
		return Result{}, fmt.Errorf("%d cases in place of one", len(all))
	}
	f := r.openBoth(ctx, s)
	res := f.runCase(ctx, all[0])
	if err := f.close(); err != nil {
		return res, err
	}
	return res, ctx.Err()
}

// withSteps returns a copy of the script whose case has other steps.
func (s *Script) withSteps(steps []Step) *Script {
	out := *s
	out.Cases = slices.Clone(s.Cases)
	out.Cases[0].Steps = steps
	return &out
}

// trimmed leaves out the tables that no step names any more.
func (s *Script) trimmed() *Script {
	out := *s
	x := &instance{script: s, c: &s.Cases[0]}
	used := x.mentions
	out.Tables = slices.DeleteFunc(slices.Clone(s.Tables), func(t Table) bool { return !used(t.Name) })
	out.Cases = slices.Clone(s.Cases)
	out.Cases[0].New = slices.DeleteFunc(slices.Clone(s.Cases[0].New), func(n string) bool { return !used(n) })
	if len(out.Tables) == 0 {
		out.Tables = s.Tables[:min(1, len(s.Tables))] // ${account} needs one
	}
	return &out
}
