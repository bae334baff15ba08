package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dynalite-go/dynalite"
)

// Minimal is traffic that differs, and of which little can be left out.
type Minimal struct {
	// Traffic ends with the request whose answer differs. What was there before stands in front, as assumed requests.
	Traffic *Traffic
	// Result is the difference.
	Result Result
	// From and Trials count the requests in the beginning and the attempts.
	From, Trials int
	// Complete says that the search ended by itself, not because its budget did.
	Complete bool
	// Judge says whose answers are taken for right.
	Judge string
	Notes []string
}

// ErrNoDifference is returned when there is nothing to minimise.
var ErrNoDifference = errors.New("no answer differs")

// MinimizeTrials bounds the attempts of Minimize, 300 by default. Each plays what is left on fresh tables.
func MinimizeTrials(n int) ReplayOption { return replayOption(func(r *replay) { r.trials = n }) }

// Minimize replays traffic and reduces it to the fewest requests, and the fewest members of them, whose last one still
// differs in the same way. The first request that differs counts. The search is deterministic.
//
// Leaving out a request changes what is right. So somebody has to judge: the target of ComparedWith, or else a database
// of this package's module, if it answers as was captured. Where neither does, only requests go that don't touch the
// items and tables in question, and members stay.
func Minimize(ctx context.Context, target Target, traffic *Traffic, options ...ReplayOption) (*Minimal, error) {
	r, err := newReplay(target, traffic, options)
	if err != nil {
		return nil, err
	}
	if r.inPlace {
		return nil, errors.New("minimising takes fresh tables for each attempt, so it can't be done in place")
	}
	m := &minimizer{r: r, ctx: ctx, observe: r.observe, tried: map[string]bool{}}
	r.observe = nil
	first := r.perform(ctx, r.turns)
	if err := m.begin(first); err != nil {
		return nil, err
	}
	if err := m.judge(first); err != nil {
		return nil, err
	}
	m.requests()
	if r.other != nil {
		m.members()
	}
	return m.finish()
}

// minimizer searches for the smallest traffic that differs.
type minimizer struct {
	r       *replay
	ctx     context.Context
	observe func(done, total int, res Result)
	turns   []*turn // what is left; the last one differs
	kind    differenceKind
	got     map[string]any // without a judge: the answer that must come again
	kept    map[*turn]bool // without a judge: requests that the last one depends on
	from    int
	trials  int
	tried   map[string]bool
	close   func() error
	name    string // of the judge
	spent   bool   // the budget is used up
	last    *performance
}

// begin finds the first difference.
func (m *minimizer) begin(p *performance) error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	at := slices.IndexFunc(p.results, func(res Result) bool { return res.Outcome == Differs })
	if at < 0 {
		for _, res := range p.results {
			if res.Outcome == Broken {
				return fmt.Errorf("%w, but there was no answer to compare: %s", ErrNoDifference, res.Detail)
			}
		}
		return ErrNoDifference
	}
	m.from = at + 1
	for i, t := range m.r.turns[:at+1] {
		if m.r.skips(t) == "" && p.results[i].Outcome != Skipped || i == at {
			m.turns = append(m.turns, t)
		}
	}
	m.kind, m.got = kindOf(p.want[at], p.got[at]), p.got[at]
	m.last = p
	return nil
}

// judge finds somebody who answers as was captured, and makes sure that the difference comes again.
func (m *minimizer) judge(first *performance) error {
	m.close = func() error { return nil }
	want := first.want[len(first.want)-1]
	if at := m.from - 1; at < len(first.want) {
		want = first.want[at]
	}
	switch {
	case m.r.other != nil:
		m.name = m.r.other.target.Name
	default:
		for _, wording := range []dynalite.Wording{dynalite.CurrentWording, dynalite.ClassicWording} {
			if m.tryJudge(wording, want) {
				break
			}
		}
	}
	if m.r.other == nil {
		m.name = "the captured answers; what the last request depends on is kept"
		m.kept = dependencies(m.turns)
	}
	m.trials++
	p := m.r.perform(m.ctx, m.turns)
	if m.r.other != nil && len(p.results) == len(m.turns) {
		m.kind = kindOf(p.want[len(p.want)-1], p.got[len(p.got)-1])
	}
	if !m.same(p, len(m.turns)) {
		return errors.Join(errors.New("the difference doesn't come again: it depends on time, or on order among requests that were under way together"),
			m.ctx.Err(), m.close())
	}
	m.last = p
	return nil
}

// tryJudge takes a database for the judge if it answers the last request as was captured.
func (m *minimizer) tryJudge(wording dynalite.Wording, want map[string]any) bool {
	db, err := dynalite.New(dynalite.WithWording(wording))
	if err != nil {
		return false
	}
	target := InProcess(db.Transport())
	aside := *m.r
	aside.main, aside.budget = aside.runner(target), nil
	p := aside.perform(m.ctx, m.turns)
	m.r.serial = aside.serial
	if len(p.got) < len(m.turns) || !equal(p.got[len(m.turns)-1], want) {
		_ = db.Close() // nothing was listening
		return false
	}
	m.r.other, m.close = m.r.runner(target), db.Close
	m.name = "dynalite-go, which answers the whole as captured (wording " + wording.String() + ")"
	return true
}

// same reports whether the last of n turns differs as in the beginning.
func (m *minimizer) same(p *performance, n int) bool {
	if len(p.results) < n || p.results[n-1].Outcome != Differs {
		return false
	}
	if m.r.other == nil {
		return equal(p.got[n-1], m.got)
	}
	return m.kind.like(kindOf(p.want[n-1], p.got[n-1]))
}

// test plays some turns and keeps them if they still differ.
func (m *minimizer) test(turns []*turn) bool {
	for t := range m.kept {
		if !slices.Contains(turns, t) {
			return false
		}
	}
	var key strings.Builder
	for _, t := range turns {
		fmt.Fprintf(&key, "%p ", t)
	}
	if m.tried[key.String()] || m.spent {
		return false
	}
	m.tried[key.String()] = true
	if m.trials >= m.r.trials || m.ctx.Err() != nil {
		m.spent = true
		return false
	}
	m.trials++
	p := m.r.perform(m.ctx, turns)
	if p.cleanUp != nil {
		m.r.notes = append(m.r.notes, "left behind: "+p.cleanUp.Error())
	}
	if m.observe != nil && len(p.results) > 0 {
		m.observe(m.trials, m.r.trials, p.results[len(p.results)-1])
	}
	if !m.same(p, len(turns)) || len(turns) == len(m.turns) && !m.succeedAlike(p) {
		return false
	}
	m.turns, m.last = turns, p
	return true
}

// succeedAlike reports whether the same requests succeed as before: half a request that fails shows less than a whole one.
func (m *minimizer) succeedAlike(p *performance) bool {
	for i := range m.turns[:len(m.turns)-1] {
		before, now := m.last.reference[i], p.reference[i]
		if (before == nil) != (now == nil) || before != nil && (before.Status == 200) != (now.Status == 200) {
			return false
		}
	}
	return true
}

// requests leaves out requests: halves, then quarters, and so on, until none can go (delta debugging).
func (m *minimizer) requests() {
	last := m.turns[len(m.turns)-1]
	if m.test(append(m.keptTurns(), last)) && len(m.kept) == 0 {
		return
	}
	for parts := 2; len(m.turns) > 1; {
		rest := m.turns[:len(m.turns)-1]
		size := max(1, len(rest)/parts)
		reduced := false
		// From the end, since what comes late depends on what came early, and not the other way round.
		for end := len(rest); end > 0 && !m.spent; end -= size {
			begin := max(0, end-size)
			if m.test(append(slices.Concat(rest[:begin], rest[end:]), last)) {
				reduced = true
				break
			}
		}
		switch {
		case m.spent || !reduced && size == 1:
			return
		case reduced:
			parts = max(2, parts-1)
		default:
			parts = min(2*parts, len(rest))
		}
	}
}

func (m *minimizer) keptTurns() []*turn {
	var out []*turn
	for _, t := range m.turns[:len(m.turns)-1] {
		if m.kept[t] {
			out = append(out, t)
		}
	}
	return out
}

// members leaves out members and elements of requests, of the last one first.
func (m *minimizer) members() {
	for i := len(m.turns) - 1; i >= 0; i-- {
		for m.shrink(i, nil) && !m.spent {
		}
	}
}

// shrink leaves out one part of the i-th request, at a path or below, large ones first.
func (m *minimizer) shrink(i int, path []int) bool {
	n := at(m.turns[i].request, path)
	if n == nil {
		return false
	}
	for k := len(n.list) - 1; k >= 0; k-- {
		if m.spent {
			return false
		}
		if m.test(m.withRequest(i, replaceAt(m.turns[i].request, path, n.without(k)))) {
			return true
		}
	}
	for k := range n.list {
		if m.shrink(i, append(slices.Clone(path), k)) {
			return true
		}
	}
	return false
}

// withRequest is what is left with another i-th request.
func (m *minimizer) withRequest(i int, request *node) []*turn {
	e := *m.turns[i].Exchange
	e.Request = request.compact()
	turns := slices.Clone(m.turns)
	turns[i] = &turn{Exchange: &e, request: request, response: m.turns[i].response, tables: tablesNamed(request)}
	return turns
}

// at returns what is at a path of positions.
func at(n *node, path []int) *node {
	for _, k := range path {
		if n == nil || k >= len(n.list) {
			return nil
		}
		n = n.list[k]
	}
	return n
}

// replaceAt returns a copy of n with another value at a path. What isn't on the path is shared.
func replaceAt(n *node, path []int, v *node) *node {
	if len(path) == 0 {
		return v
	}
	c := *n
	c.list = slices.Clone(n.list)
	c.list[path[0]] = replaceAt(n.list[path[0]], path[1:], v)
	return &c
}

// finish gives the exchanges the judge's answers, since the captured ones are those to other requests.
func (m *minimizer) finish() (*Minimal, error) {
	if err := m.close(); err != nil {
		return nil, err
	}
	out := &Minimal{
		Traffic: &Traffic{Name: m.r.traffic.Name, Info: m.r.traffic.Info}, Result: m.last.results[len(m.turns)-1],
		From: m.from, Trials: m.trials, Complete: !m.spent, Judge: m.name, Notes: m.r.notes,
	}
	if m.r.other != nil {
		out.Traffic.Info.Note = fmt.Sprintf("reduced from %d requests, with the answers of %s", m.from, m.name)
	}
	for i, t := range m.turns {
		e := *t.Exchange
		if a := m.last.reference[i]; a != nil && !e.Assumed {
			e.Status, e.Response, e.Fault = a.Status, a.Raw, ""
			e.Header = nil
		}
		out.Traffic.Exchanges = append(out.Traffic.Exchanges, e)
	}
	return out, m.ctx.Err()
}

// differenceKind says in what two answers differ, roughly.
type differenceKind struct {
	outcome string   // statuses and types, if they differ
	members []string // of the answers, if those don't
}

func kindOf(want, got map[string]any) differenceKind {
	if !equal(want["status"], got["status"]) || !equal(want["type"], got["type"]) {
		return differenceKind{outcome: fmt.Sprint(want["status"], want["type"], got["status"], got["type"])}
	}
	k := differenceKind{members: differing(want, got)}
	w, isMap := want["body"].(map[string]any)
	g, areMaps := got["body"].(map[string]any)
	if isMap && areMaps {
		k.members = append(slices.DeleteFunc(k.members, func(s string) bool { return s == "body" }), differing(w, g)...)
	}
	return k
}

func differing(a, b map[string]any) []string {
	var out []string
	for name, v := range a {
		if w, ok := b[name]; !ok || !equal(v, w) {
			out = append(out, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// like reports whether two differences may be the same one.
func (k differenceKind) like(o differenceKind) bool {
	if k.outcome != "" || o.outcome != "" {
		return k.outcome == o.outcome
	}
	return slices.ContainsFunc(k.members, func(s string) bool { return slices.Contains(o.members, s) })
}
