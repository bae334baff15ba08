package conformance

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dynalite-go/dynalite/clock"
)

// ReplayOption changes how traffic is replayed.
type ReplayOption func(*replay) error

// InPlace uses tables by the names that they have in the traffic, with the items that are in them. Nothing is made
// before and nothing deleted after.
func InPlace() ReplayOption { return replayOption(func(r *replay) { r.inPlace = true }) }

// ComparedWith sends each request to another target too, and takes its answers for right, not the captured ones.
func ComparedWith(other Target) ReplayOption {
	return replayOption(func(r *replay) { r.other = r.runner(other) })
}

// RequestTimeout bounds each request, 30 seconds by default.
func RequestTimeout(d time.Duration) ReplayOption {
	return replayOption(func(r *replay) { r.timeout = d })
}

// ReplayBudget stops before the estimated cost goes beyond a limit, in dollars.
func ReplayBudget(dollars float64) ReplayOption {
	return replayOption(func(r *replay) { r.budget = &budget{limit: dollars} })
}

// ObserveReplay calls f after each request.
func ObserveReplay(f func(done, total int, res Result)) ReplayOption {
	return replayOption(func(r *replay) { r.observe = f })
}

// WithTables describes tables that were there before and whose keys the traffic doesn't show. A description is a table
// line of a case file without the word table, such as "orders pk S, sk N"; lines for its indexes may follow.
func WithTables(descriptions ...string) ReplayOption {
	return func(r *replay) error {
		for _, d := range descriptions {
			s, err := Parse("table", "topic tables\ntable "+d+"\n")
			if err != nil {
				return fmt.Errorf("table %q: %w", d, err)
			}
			for _, t := range s.Tables {
				js, err := t.createRequest(&scope{}, t.Name, nil)
				if err != nil {
					return err
				}
				if r.schemas[t.Name], err = parseNode([]byte(js)); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

func replayOption(f func(*replay)) ReplayOption {
	return func(r *replay) error {
		f(r)
		return nil
	}
}

// Replayed is the outcome of a replay. Its results are those of the requests, in order; their File is the traffic's
// name, and their Line that of the request.
type Replayed struct {
	Report
	// Notes say what the traffic doesn't tell, and what was assumed.
	Notes []string
}

// replay is traffic that is ready to be played.
type replay struct {
	traffic *Traffic
	turns   []*turn // with those that are assumed in front
	notes   []string
	main    *Runner
	other   *Runner // nil: compare with what was captured
	inPlace bool
	schemas map[string]*node
	timeout time.Duration
	trials  int // of Minimize
	budget  *budget
	observe func(done, total int, res Result)
	serial  int
	run     string
	ours    map[string]bool
	many    map[string]bool // see manyShards
	missing map[string]bool // tables that were there before and can't be made
	from    home
}

func (r *replay) runner(t Target) *Runner {
	return &Runner{target: t.withDefaults(), clock: clock.Real()}
}

// newReplay finds out what traffic needs to be replayed.
func newReplay(target Target, traffic *Traffic, options []ReplayOption) (*replay, error) {
	r := &replay{
		traffic: traffic, schemas: map[string]*node{}, timeout: 30 * time.Second, trials: 300,
		run: strings.ToLower(rand.Text()[:6]), ours: map[string]bool{}, missing: map[string]bool{},
	}
	r.main = r.runner(target)
	for _, o := range options {
		if err := o(r); err != nil {
			return nil, err
		}
	}
	for _, fault := range traffic.Faults {
		r.notes = append(r.notes, fault.Error())
	}
	turns := turnsOf(traffic)
	r.many = manyShards(turns)
	for _, t := range turns {
		for _, name := range t.tables {
			r.ours[name] = true
		}
		if r.from.account == "" {
			r.from.region, r.from.account = arnHome(t.Response)
		}
	}
	if r.inPlace {
		r.turns = turns
		return r, nil
	}
	if !slices.ContainsFunc(turns, func(t *turn) bool { return t.Assumed && t.Operation != "DescribeTable" }) {
		assumed, notes := before(turns, r.schemas)
		r.notes = append(r.notes, notes...)
		for i := range assumed {
			r.turns = append(r.turns, newTurn(&assumed[i]))
		}
	}
	for _, name := range tablesBefore(turns) {
		r.missing[name] = !slices.ContainsFunc(slices.Concat(r.turns, turns), func(t *turn) bool {
			return t.Assumed && t.Operation == "CreateTable" && t.table() == name
		})
	}
	r.turns = append(r.turns, turns...)
	return r, nil
}

// Replay sends captured requests to a target, one after the other, and compares its answers with those captured. Ids,
// times, the order of what has none, the names of tables, account and region don't count, nor do states that pass by
// themselves.
//
// It uses tables of its own: those that the traffic makes, and those that it shows to have been there before, with the
// items that were read and not written. All are deleted at the end, also when the context ends. An endpoint that doesn't
// answer is given up after a few requests.
func Replay(ctx context.Context, target Target, traffic *Traffic, options ...ReplayOption) (*Replayed, error) {
	r, err := newReplay(target, traffic, options)
	if err != nil {
		return nil, err
	}
	return r.replayed(ctx, r.turns), nil
}

// replayed plays turns and reports.
func (r *replay) replayed(ctx context.Context, turns []*turn) *Replayed {
	start := r.main.clock.Now()
	out := &Replayed{Notes: r.notes}
	out.Target, out.Wording, out.Started = r.main.target.Name, r.main.target.Wording.String(), start.UTC()
	p := r.perform(ctx, turns)
	for i, res := range p.results {
		if !turns[i].Assumed || res.Outcome == Broken {
			out.Results = append(out.Results, res)
		}
	}
	out.Interrupted = ctx.Err() != nil
	if p.cleanUp != nil {
		out.CleanUp = []string{p.cleanUp.Error()}
	}
	out.Took = r.main.clock.Now().Sub(start).Round(time.Millisecond)
	return out
}
