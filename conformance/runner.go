package conformance

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dynalite-go/dynalite/clock"
)

// Runner runs cases against a target. It is safe for concurrent use.
type Runner struct {
	target  Target
	clock   clock.Clock
	filter  *regexp.Regexp
	tags    []string // cases must have one of them, if there are any
	without []string // cases must have none of them
	skip    map[string]string
	done    map[string]Result // of cases that an earlier run finished
	budget  *budget
	run     string // differs from run to run
	scripts []*Script
	width   int // files run side by side
	observe func(Event)
	against *Runner // the other target of a differential run
	serial  atomic.Int64
}

// Option changes how cases are run.
type Option func(*Runner)

// Only runs the cases whose "file/name" matches.
func Only(filter *regexp.Regexp) Option { return func(r *Runner) { r.filter = filter } }

// WithTags runs the cases that have one of the tags. Operations are tags too.
func WithTags(tags ...string) Option { return func(r *Runner) { r.tags = tags } }

// WithoutTags leaves out the cases that have one of the tags.
func WithoutTags(tags ...string) Option { return func(r *Runner) { r.without = tags } }

// Skip leaves out a case, by "file/name", that is known to differ, and says why.
func Skip(name, why string) Option { return func(r *Runner) { r.skip[name] = why } }

// Resume leaves out cases that an earlier run finished, by "file/name". Their results are part of the report.
func Resume(done map[string]Result) Option { return func(r *Runner) { r.done = done } }

// Parallel runs so many files side by side, 8 by default. The cases of a file always run one after the other.
func Parallel(files int) Option { return func(r *Runner) { r.width = files } }

// Observe calls f for each event of a run, one at a time.
func Observe(f func(Event)) Option { return func(r *Runner) { r.observe = f } }

// WithScripts runs these case files in place of those of this package.
func WithScripts(scripts ...*Script) Option { return func(r *Runner) { r.scripts = scripts } }

// WithClock gives the runner its time.
func WithClock(c clock.Clock) Option { return func(r *Runner) { r.clock = c } }

// MaxCost stops the run before its estimated cost, in dollars, goes beyond a limit.
func MaxCost(dollars float64) Option { return func(r *Runner) { r.budget = &budget{limit: dollars} } }

// NewRunner prepares a run. The cases are those of this package unless options give others.
func NewRunner(target Target, options ...Option) (*Runner, error) {
	r := &Runner{
		target: target.withDefaults(),
		clock:  clock.Real(),
		skip:   map[string]string{},
		width:  8,
		run:    runID(),
	}
	for _, o := range options {
		o(r)
	}
	if r.against != nil {
		r.against.clock = r.clock
	}
	if r.scripts == nil {
		scripts, err := Scripts()
		if err != nil {
			return nil, err
		}
		r.scripts = scripts
	}
	return r, nil
}

// runID is a part of names that keeps runs apart.
func runID() string { return strings.ToLower(rand.Text()[:6]) }

// Outcome is how a case ended.
type Outcome uint8

// The outcomes.
const (
	Passed  Outcome = iota
	Differs         // an answer is not the expected one
	Broken          // there was no answer to compare: network, deadline, set-up
	Skipped
)

// String returns "passed", "differs", "broken" or "skipped".
func (o Outcome) String() string {
	return [...]string{"passed", "differs", "broken", "skipped"}[o]
}

// Result tells how a case went.
type Result struct {
	File, Case  string
	Line        int // of the step that decided, or of the case
	Outcome     Outcome
	Detail      string // a diff (-want +got), or why the case is broken or skipped
	Request     string // the request of the step that decided
	Received    string // its answer
	Took        time.Duration
	Tags        []string // with operations
	Rows        []string
	Provenance  string
	Unconfirmed bool
}

// ID is "file/name".
func (r Result) ID() string { return r.File + "/" + r.Case }

// selected lists the cases of a file that the options leave.
func (r *Runner) selected(s *Script) ([]*instance, error) {
	all, err := instances(s)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(x *instance) bool { return !r.wants(x) }), nil
}

// List returns the cases that would run, as "file/name".
func (r *Runner) List() ([]string, error) {
	var ids []string
	for _, s := range r.scripts {
		selected, err := r.selected(s)
		if err != nil {
			return nil, err
		}
		for _, x := range selected {
			ids = append(ids, s.Name+"/"+x.name)
		}
	}
	return ids, nil
}

func (r *Runner) wants(x *instance) bool {
	id := x.script.Name + "/" + x.name
	if r.filter != nil && !r.filter.MatchString(id) {
		return false
	}
	if _, finished := r.done[id]; finished || x.c.Wording != AnyWording && x.c.Wording != r.target.Wording {
		return false
	}
	tags := x.tags()
	in := func(list []string) bool {
		return slices.ContainsFunc(list, func(t string) bool { return slices.Contains(tags, t) })
	}
	return (len(r.tags) == 0 || in(r.tags)) && !in(r.without) && !in(r.target.Without)
}

// tags lists the tags of the file and the case, and the operations that the case calls.
func (x *instance) tags() []string {
	tags := slices.Concat(x.script.Tags, x.c.Tags)
	s := &scope{text: x.texts()}
	for _, step := range x.c.Steps {
		if step.Kind != CallStep {
			continue
		}
		if op, err := s.expandText(step.Operation); err == nil {
			tags = append(tags, op)
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

// open is a case file whose tables exist.
type open struct {
	r       *Runner
	script  *Script
	names   map[string]string // of tables, on the target, and of builtins
	tables  []string          // to be deleted
	failed  map[string]error  // tables that could not be made, by their names in the file
	failure error             // why set-up failed as a whole
}

// open sets up the tables of a file. A failure is kept and told by each case.
func (r *Runner) open(ctx context.Context, s *Script) *open {
	serial := r.serial.Add(1)
	f := &open{r: r, script: s, names: (&instance{script: s}).texts()}
	prefix := fmt.Sprintf("%s%s-%d-", r.target.Prefix, r.run, serial)
	f.names["missing"] = prefix + "missing"
	f.names["region"] = r.target.Region
	f.names["account"] = "000000000000"
	f.names["run"] = r.run
	f.names["prefix"] = prefix
	for _, t := range s.Tables {
		f.names[t.Name] = prefix + t.Name
	}
	if f.failure = r.budget.take(s.setUpCost()); f.failure != nil {
		return f
	}
	ctx, cancel := context.WithTimeout(ctx, 2*r.target.Settle)
	defer cancel()
	m, err := r.setUp(ctx, s.Tables, &scope{text: f.names})
	f.tables, f.failed = m.tables, m.failed
	if err != nil {
		f.failure = fmt.Errorf("set-up: %w", err)
	}
	if m.account != "" {
		f.names["account"] = m.account
	}
	return f
}

// revive makes tables that went away with their endpoint, which may have been started again, so that one crash doesn't
// cost the cases that follow. Each attempt to reach it is given up after a while.
func (f *open) revive(ctx context.Context) {
	if f.failure != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, f.r.target.Settle)
	defer cancel()
	var lost []Table
	for _, t := range f.script.Tables {
		for pause := f.r.target.Poll; ; pause *= 2 {
			a, err := f.r.target.call(ctx, "DescribeTable", fmt.Sprintf(`{"TableName": %q}`, f.names[t.Name]))
			if err == nil {
				if a.code() == "ResourceNotFoundException" && f.failed[t.Name] == nil {
					lost = append(lost, t)
				}
				break
			}
			if f.r.pause(ctx, pause) != nil {
				return
			}
		}
	}
	if len(lost) > 0 {
		// What goes wrong here, the next case tells.
		_, _ = f.r.setUp(ctx, lost, &scope{text: f.names})
	}
}

// close deletes the file's tables.
func (f *open) close() error { return f.r.dropAll(f.tables) }

// missing tells why a case can't run: set-up failed, or that of a table which it names.
func (f *open) missing(x *instance) error {
	if f.failure != nil {
		return f.failure
	}
	for name, err := range f.failed {
		if x.mentions(name) {
			return fmt.Errorf("set-up: %w", err)
		}
	}
	return nil
}

// admits reports whether a case can run, and takes its cost. If it cannot, res says why.
func (f *open) admits(x *instance, res *Result) bool {
	if err := f.missing(x); err != nil {
		res.Outcome, res.Detail = Broken, err.Error()
		return false
	}
	if err := f.r.budget.take(x.cost()); err != nil {
		res.Outcome, res.Detail = Skipped, err.Error()
		return false
	}
	return true
}

// runCase runs one case.
func (f *open) runCase(ctx context.Context, x *instance) (res Result) {
	start := f.r.clock.Now()
	res = x.result()
	defer func() { res.Took = f.r.clock.Now().Sub(start) }()
	if why, ok := f.r.skip[res.ID()]; ok {
		res.Outcome, res.Detail = Skipped, why
		return res
	}
	if errors.Is(f.failure, errBudget) {
		res.Outcome, res.Detail = Skipped, f.failure.Error()
		return res
	}
	if !f.admits(x, &res) {
		return res
	}
	ctx, cancel := context.WithTimeout(ctx, f.r.target.Deadline)
	defer cancel()
	s := f.scope(x)
	defer f.dropNew(x, s, &res)
	v := &conversation{r: f.r, scope: s}
	for _, step := range x.c.Steps {
		diff, err := v.step(ctx, step)
		if err == nil && diff == "" {
			continue
		}
		res.Line, res.Request = step.Line, describe(v.request, maxCompared)
		if v.answer != nil {
			res.Received = fmt.Sprintf("HTTP %d %s", v.answer.Status, describe(string(v.answer.Raw), maxCompared))
		}
		res.Outcome, res.Detail = Differs, diff
		if err != nil {
			res.Outcome, res.Detail = Broken, reason(ctx, err)
		}
		return res
	}
	return res
}

// dropNew deletes the tables that a case made itself.
func (f *open) dropNew(x *instance, s *scope, res *Result) {
	var fresh []string
	for _, name := range x.c.New {
		fresh = append(fresh, s.text[name])
	}
	if err := f.r.dropAll(fresh); err != nil && res.Outcome == Passed {
		res.Outcome, res.Detail = Broken, "clean-up: "+err.Error()
	}
}

// scope gives a case its names: those of the file, of its grids, of its own tables.
func (f *open) scope(x *instance) *scope {
	text := make(map[string]string, len(f.names)+len(x.values)+len(x.c.New)+4)
	for k, v := range f.names {
		text[k] = v
	}
	for k, v := range x.values {
		text[k] = v
	}
	h := fnv.New32a()
	h.Write([]byte(x.script.Name + "/" + x.name))
	text["case"] = fmt.Sprintf("c%08x", h.Sum32())
	text["token"] = f.r.run + "-" + text["case"]
	for _, name := range x.c.New {
		text[name] = fmt.Sprintf("%s%s-%d", f.names["prefix"], name, f.r.serial.Add(1))
	}
	return &scope{text: text, captured: map[string]string{}}
}

// result begins the result of a case: passed, until a step says otherwise.
func (x *instance) result() Result {
	return Result{
		File: x.script.Name, Case: x.name, Line: x.c.Line, Tags: x.tags(), Rows: x.rows,
		Provenance: x.provenance(), Unconfirmed: x.unconfirmed(),
	}
}
