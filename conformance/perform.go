package conformance

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"
)

// performance is what came of playing some turns.
type performance struct {
	results []Result // of the turns, as far as it went
	want    []map[string]any
	got     []map[string]any
	// reference are the answers of the other target, in the words of the capture; nil without one.
	reference []*Answer
	cleanUp   error
}

// maxSilence is how many requests in a row may stay without an answer before an endpoint is given up.
const maxSilence = 3

// perform plays turns on fresh tables.
func (r *replay) perform(ctx context.Context, turns []*turn) *performance {
	r.serial++
	sides := []*player{r.player(r.main)}
	if r.other != nil {
		sides = append(sides, r.player(r.other))
	}
	out := &performance{}
	silent := 0
	var gaveUp string
	for i, t := range turns {
		if ctx.Err() != nil {
			break
		}
		res := r.resultOf(t, i)
		var want, got map[string]any
		var reference *Answer
		switch why := r.skips(t); {
		case gaveUp != "":
			res.Outcome, res.Detail = Skipped, gaveUp
		case why != "":
			res.Outcome, res.Detail = Skipped, why
		default:
			want, got, reference = r.turn(ctx, sides, t, &res)
		}
		if ctx.Err() != nil {
			break // what it says is the interruption's doing
		}
		if silent++; res.Outcome != Broken {
			silent = 0
		}
		if res.Outcome == Broken && (t.Assumed || silent >= maxSilence) && gaveUp == "" {
			gaveUp = "not sent: the endpoint was given up"
		}
		out.results, out.want, out.got = append(out.results, res), append(out.want, want), append(out.got, got)
		out.reference = append(out.reference, reference)
		if r.observe != nil {
			r.observe(i+1, len(turns), res)
		}
	}
	for _, p := range sides {
		out.cleanUp = errors.Join(out.cleanUp, p.close())
	}
	return out
}

func (r *replay) player(runner *Runner) *player {
	p := &player{r: runner, tokens: map[string]string{}, ours: r.ours, from: r.from}
	if !r.inPlace {
		p.prefix = fmt.Sprintf("%s%s-%d-", runner.target.Prefix, r.run, r.serial)
		p.ours = map[string]bool{}
		for name := range r.ours {
			p.ours[name] = len(p.prefix)+len(name) <= 255
		}
	}
	return p
}

// resultOf begins the result of a turn.
func (r *replay) resultOf(t *turn, i int) Result {
	what := t.Operation
	if what == "" {
		what = t.Method + " " + t.Path
	}
	if len(t.tables) > 0 {
		what += " " + strings.Join(t.tables, ", ")
	}
	res := Result{
		File: r.traffic.Name, Case: what, Line: t.Line, Request: describe(what+" "+string(t.Request), maxCompared),
		Provenance: fmt.Sprintf("captured %s, %s", r.traffic.Info.Captured.Format(time.RFC3339), r.traffic.Info.Target),
	}
	if t.Line > 0 {
		res.Case = fmt.Sprintf("%d: %s", t.Line, what)
	} else {
		res.Case = fmt.Sprintf("#%d: %s", i+1, what)
	}
	if t.Operation != "" {
		res.Tags = []string{t.Operation}
		res.Request = describe(t.Operation+" "+string(t.Request), maxCompared)
	}
	return res
}

// skips says why a request isn't sent, "" if it is.
func (r *replay) skips(t *turn) string {
	for _, name := range t.tables {
		if r.missing[name] {
			return "table " + name + " was there before, and its key isn't known"
		}
	}
	return t.unrepeatable()
}

// unrepeatable says why an exchange can't be repeated, "" if it can.
func (t *turn) unrepeatable() string {
	switch code := t.code(); {
	case t.Assumed && t.Operation == "DescribeTable":
		return "the proxy asked, not the application"
	case t.RequestLost && t.Fault == "":
		return "the request could not be masked, so it is not captured"
	case t.RequestLost:
		return "the request is not captured: " + t.Fault
	case t.Assumed:
		return ""
	case t.Status == 0:
		return "there was no answer: " + t.Fault
	case t.Status >= 500 || isBusy(code):
		return fmt.Sprintf("the endpoint was busy: HTTP %d %s", t.Status, code)
	case isOfSignature(code):
		return "signatures are not captured: " + code
	case isOfOthers(t):
		return "it met another request: " + code
	default:
		return ""
	}
}

func isBusy(code string) bool {
	switch code {
	case "ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded", "InternalServerError",
		"TransactionInProgressException":
		return true
	}
	return false
}

func isOfSignature(code string) bool {
	switch code {
	case "MissingAuthenticationTokenException", "IncompleteSignatureException", "InvalidSignatureException",
		"UnrecognizedClientException", "AccessDeniedException", "ExpiredTokenException":
		return true
	}
	return false
}

// isOfOthers reports whether a request failed because of another one at the same moment.
func isOfOthers(t *turn) bool {
	if t.code() == "TransactionConflictException" {
		return true
	}
	reasons := t.response.member("CancellationReasons")
	return reasons != nil && slices.ContainsFunc(reasons.list, func(n *node) bool {
		code, _ := n.member("Code").str()
		return code == "TransactionConflict"
	})
}

// turn sends a request to all sides and compares the answers. It returns them as they were compared.
func (r *replay) turn(ctx context.Context, sides []*player, t *turn, res *Result) (want, got map[string]any, reference *Answer) {
	start := r.main.clock.Now()
	defer func() { res.Took = r.main.clock.Now().Sub(start) }()
	fail := func(err error) (map[string]any, map[string]any, *Answer) {
		res.Outcome, res.Detail = Broken, reason(ctx, err)
		return nil, nil, nil
	}
	if err := r.budget.take(margin * stepPrice(t.Operation, len(t.Request))); err != nil {
		res.Outcome, res.Detail = Skipped, err.Error()
		return nil, nil, nil
	}
	wanted := t.captured()
	want = normalTurn(t, wanted, aliases{strings.NewReplacer()}, func(name string) (string, bool) { return name, r.ours[name] })
	if len(sides) > 1 {
		other, err := r.ask(ctx, sides[1], t, nil)
		if err != nil {
			return fail(fmt.Errorf("%s: %w", sides[1].r.target.Name, err))
		}
		want, reference = sides[1].normal(t, other), sides[1].inTheirWords(other)
	}
	want, _ = loosen(t.Operation, r.traffic.Info.Masked, want).(map[string]any)
	diff := ""
	same := func(a *Answer) bool {
		got, _ = loosen(t.Operation, r.traffic.Info.Masked, sides[0].normal(t, a)).(map[string]any)
		diff = ""
		if !isGoneSooner(want, got) {
			diff = diffOf(want, got)
		}
		return diff == ""
	}
	a, err := r.ask(ctx, sides[0], t, same)
	if a != nil {
		res.Received = fmt.Sprintf("HTTP %d %s", a.Status, describe(string(a.Raw), maxCompared))
	}
	if err != nil {
		return fail(err)
	}
	switch {
	case t.Assumed && (a.Status != 200 || a.code() != ""):
		res.Outcome, res.Detail = Broken, "what was there before can't be made: "+res.Received
	case t.Assumed:
		return nil, nil, nil
	case t.Fault != "" && len(sides) == 1:
		res.Outcome, res.Detail = Skipped, "sent, not compared: "+t.Fault
	case isOneOfMany(t, r.many):
		res.Outcome, res.Detail = Skipped, "sent, not compared: "+oneOfMany
	case diff != "":
		res.Outcome, res.Detail = Differs, diff
		if len(sides) == 1 {
			res.Detail += r.crowd(t)
		}
	}
	return want, got, reference
}

// ask sends a request until its answer is right, as long as it may lag or the target is busy.
func (r *replay) ask(ctx context.Context, p *player, t *turn, right func(*Answer) bool) (*Answer, error) {
	deadline := p.r.clock.Now().Add(p.r.target.Eventual)
	for pause := 200 * time.Millisecond; ; pause *= 2 {
		a, err := r.once(ctx, p, t)
		if err != nil {
			return nil, err
		}
		ok := right == nil || right(a)
		again := isBusy(a.code()) || !ok && mayLag(Step{Operation: t.Operation})
		if !again || !p.r.clock.Now().Add(pause).Before(deadline) || p.r.pause(ctx, pause) != nil {
			return a, p.settle(ctx, t, a)
		}
	}
}

func (r *replay) once(ctx context.Context, p *player, t *turn) (*Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	a, err := p.send(ctx, t)
	if dial := new(net.OpError); err != nil && t.Operation == "CreateTable" && !(errors.As(err, &dial) && dial.Op == "dial") {
		p.own(t.table()) // it may exist now
	}
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("%w within %v", context.Cause(ctx), r.timeout)
	}
	return a, err
}

// crowd tells of other requests that were under way when one was captured, which may explain a difference.
func (r *replay) crowd(t *turn) string {
	n := 0
	for _, o := range r.turns {
		if o != t && !o.Assumed && o.At < t.At+t.Took && t.At < o.At+o.Took {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("\nunder way with %d others when it was captured: the order may have been another", n)
}
