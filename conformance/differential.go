package conformance

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"
)

// Against makes the run differential: each case is sent to another target too, and the answers of the two are compared
// with each other, not with what the case expects. Differences show the other target's answer as wanted.
//
// Table names, accounts, regions, ids, times, and the order of what has none are left out of the comparison.
func Against(other Target) Option {
	return func(r *Runner) { r.against = &Runner{target: other.withDefaults(), run: runID()} }
}

// pair is a case file whose tables exist on two targets.
type pair struct{ one, other *open }

// openBoth sets up a file's tables on both targets.
func (r *Runner) openBoth(ctx context.Context, s *Script) *pair {
	p := &pair{one: r.open(ctx, s)}
	if r.against != nil {
		p.other = r.against.open(ctx, s)
	}
	return p
}

func (p *pair) close() error {
	if p.other == nil {
		return p.one.close()
	}
	err := p.other.close()
	if first := p.one.close(); first != nil {
		return first
	}
	return err
}

// runCase runs a case on one target, or on both side by side.
func (p *pair) runCase(ctx context.Context, x *instance) (res Result) {
	if p.other == nil {
		res = p.one.runCase(ctx, x)
	} else {
		start := p.one.r.clock.Now()
		res = p.compare(ctx, x)
		res.Took = p.one.r.clock.Now().Sub(start)
	}
	if res.Outcome == Broken && ctx.Err() == nil {
		p.one.revive(ctx)
		if p.other != nil {
			p.other.revive(ctx)
		}
	}
	return res
}

// compare runs the steps of a case on both targets until their answers differ.
func (p *pair) compare(ctx context.Context, x *instance) (res Result) {
	res = x.result()
	for _, f := range []*open{p.one, p.other} {
		if err := f.missing(x); err != nil {
			res.Outcome, res.Detail = Broken, f.r.target.Name+": "+err.Error()
			return res
		}
	}
	ctx, cancel := context.WithTimeout(ctx, p.one.r.target.Deadline+p.other.r.target.Deadline)
	defer cancel()
	var sides [2]*conversation
	for i, f := range []*open{p.one, p.other} {
		s := f.scope(x)
		sides[i] = &conversation{r: f.r, scope: s}
		defer f.dropNew(x, s, &res)
	}
	for _, step := range x.c.Steps {
		diff, err := compareStep(ctx, sides, step, x)
		if diff == "" && err == nil {
			continue
		}
		res.Line, res.Request = step.Line, describe(sides[0].request, maxCompared)
		if a := sides[0].answer; a != nil {
			res.Received = fmt.Sprintf("HTTP %d %s", a.Status, describe(string(a.Raw), maxCompared))
		}
		res.Outcome, res.Detail = Differs, diff
		if err != nil {
			res.Outcome, res.Detail = Broken, reason(ctx, err)
		}
		return res
	}
	return res
}

// compareStep sends one step to both targets and compares their answers.
func compareStep(ctx context.Context, sides [2]*conversation, step Step, x *instance) (diff string, err error) {
	var got [2]map[string]any
	for i, v := range sides {
		if step.Kind == WaitStep {
			if err := v.r.waitFor(ctx, v.scope.text[step.Table], step.Index, step.State); err != nil {
				return "", fmt.Errorf("%s: %w", v.r.target.Name, err)
			}
			continue
		}
		v.answer = nil
		if v.answer, err = v.send(ctx, step); err != nil {
			return "", fmt.Errorf("%s: %w", v.r.target.Name, err)
		}
		operation, _ := v.scope.expandText(step.Operation)
		got[i] = v.answer.normalised(operation, aliasesOf(v.scope, x.names()))
	}
	if !equal(got[0], got[1]) {
		return describe(cmp.Diff(clipped(got[1]), clipped(got[0])), maxDiff), nil
	}
	for _, v := range sides {
		if step.Kind != WaitStep && v.keep(step) != nil {
			return "", nil // what isn't there, isn't there on either side
		}
	}
	return "", nil
}

// names lists what stands for something else on each target.
func (x *instance) names() []string {
	names := []string{"missing", "account", "region", "token"}
	for _, t := range x.script.Tables {
		names = append(names, t.Name)
	}
	return slices.Concat(names, x.c.New)
}
