package conformance

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Recording is a case file after a run against a target that is declared the truth.
type Recording struct {
	Script  *Script // a copy, with what was answered as what is expected
	Changed bool
	Results []Result // Passed: as expected before; Differs: rewritten; Broken or Skipped: not recorded, and why
}

// Record runs all cases against the runner's target, which is declared the truth, and returns files whose expectations
// are its answers. Where an answer is as expected, loose matches included, the expectation stays. Each case gets note as
// its provenance. Table names, the account and the region are kept as names, ids and times as loose matches.
//
// A case with a grid is one text for many answers, so it is never rewritten: a difference is told instead.
func (r *Runner) Record(ctx context.Context, note string) ([]Recording, error) {
	if r.against != nil {
		return nil, errors.New("recording and comparing don't mix")
	}
	var out []Recording
	for _, s := range r.scripts {
		selected, err := r.selected(s)
		if err != nil {
			return nil, err
		}
		if len(selected) == 0 || ctx.Err() != nil {
			continue
		}
		rec, err := r.recordFile(ctx, s, selected, note)
		if err != nil {
			return nil, err
		}
		out = append(out, *rec)
	}
	return out, nil
}

func (r *Runner) recordFile(ctx context.Context, s *Script, selected []*instance, note string) (*Recording, error) {
	copied, err := Parse(s.Name+".txt", Format(s))
	if err != nil {
		return nil, err
	}
	rec := &Recording{Script: copied}
	f := r.open(ctx, s)
	for _, x := range selected {
		c := &copied.Cases[slices.IndexFunc(copied.Cases, func(c Case) bool { return c.Name == x.c.Name })]
		res := f.recordCase(ctx, x, c)
		if ctx.Err() != nil {
			break
		}
		if res.Outcome == Passed || res.Outcome == Differs && len(c.Each) == 0 {
			c.From, c.Unconfirmed, rec.Changed = note, false, true
		}
		rec.Results = append(rec.Results, res)
		if r.observe != nil {
			r.observe(Event{File: s.Name, Result: &res, Done: len(rec.Results), Total: len(selected)})
		}
	}
	return rec, f.close()
}

// recordCase runs a case to its end, whatever is answered, and rewrites the steps of c that expect something else.
func (f *open) recordCase(ctx context.Context, x *instance, c *Case) (res Result) {
	if len(c.Each) > 0 {
		if res = f.runCase(ctx, x); res.Outcome == Differs {
			res.Detail = "not rewritten, since the case has a grid\n" + res.Detail
		}
		return res
	}
	res = x.result()
	if !f.admits(x, &res) {
		return res
	}
	ctx, cancel := context.WithTimeout(ctx, f.r.target.Deadline)
	defer cancel()
	s := f.scope(x)
	defer f.dropNew(x, s, &res)
	v := &conversation{r: f.r, scope: s}
	for i, step := range x.c.Steps {
		diff, err := v.step(ctx, step)
		if diff != "" {
			res.Outcome, res.Line, res.Detail = Differs, step.Line, res.Detail+diff
			operation, _ := s.expandText(step.Operation)
			w := v.answer.expectation(operation, aliasesOf(s, append(x.names(), "case")))
			c.Steps[i].expect(w, f.r.target.Wording)
			err = v.keep(step)
		}
		if err != nil {
			res.Outcome, res.Line, res.Detail = Broken, step.Line, reason(ctx, err)
			return res
		}
	}
	return res
}

// expect puts an expectation in the place of the one for a wording, and keeps the one for the other.
func (s *Step) expect(w Want, wording Wording) {
	w.Wording = wording
	var kept []Want
	for _, old := range s.Want {
		switch {
		case wording == AnyWording || old.Wording == wording:
		case old.Wording == AnyWording:
			old.Wording = Classic + Current - wording
			kept = append(kept, old)
		default:
			kept = append(kept, old)
		}
	}
	if len(kept) == 0 {
		w.Wording = AnyWording
	}
	s.Want = append(kept, w)
	slices.SortFunc(s.Want, func(a, b Want) int { return int(a.Wording) - int(b.Wording) })
}

// expectation is what a case would have to expect to get this answer.
func (a *Answer) expectation(operation string, names aliases) Want {
	name, message, isError := a.errorType()
	if !isError {
		w := Want{Body: looseJSON(operation, a.JSON, names)}
		if a.Status != http.StatusOK {
			w.Status = a.Status
		}
		return w
	}
	plain := func(s string) string { return names.replacer.Replace(strings.ReplaceAll(s, "${", "$${")) }
	w := Want{Error: name[strings.LastIndexByte(name, '#')+1:], HasMessage: true, Message: plain(message)}
	if strings.HasPrefix(w.Message, "~") || strings.ContainsAny(w.Message, "\r\n") {
		w.Message = fmt.Sprintf("~oneof [%s]", jsonString(w.Message))
	}
	if a.Status != http.StatusBadRequest {
		w.Status = a.Status
	}
	further := map[string]any{}
	for k, v := range a.JSON.(map[string]any) {
		if k != "__type" && k != "message" && k != "Message" {
			further[k] = v
		}
	}
	if len(further) > 0 {
		w.Body = looseJSON(operation, further, names)
	}
	return w
}
