package conformance

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Event tells how a run goes on.
type Event struct {
	Result *Result // a case ended; nil for a file that begins or ends
	File   string
	Ended  bool  // the file ended
	Err    error // its clean-up failed
	Done   int   // cases that have ended
	Total  int
}

// Run runs all cases, several files side by side, and reports. Interrupting it through the context deletes the tables
// that it made; what ran until then is in the report.
func (r *Runner) Run(ctx context.Context) (*Report, error) {
	start := r.clock.Now()
	report := &Report{Target: r.target.Name, Wording: r.target.Wording.String(), Started: start.UTC()}
	jobs, total, err := r.plan(report)
	if err != nil {
		return nil, err
	}
	results := make([][]Result, len(jobs))
	next := make(chan int)
	s := &supervisor{r: r, total: total, results: results, jobs: jobs}
	var wg sync.WaitGroup
	for range max(1, r.width) {
		wg.Go(func() {
			for i := range next {
				s.runFile(ctx, i)
			}
		})
	}
feed:
	for i := range jobs {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
	for _, part := range results {
		report.Results = append(report.Results, part...)
	}
	report.Interrupted = ctx.Err() != nil
	report.CleanUp = s.faults
	report.Took = r.clock.Now().Sub(start).Round(time.Millisecond)
	return report, nil
}

// job is a file and the cases that are to run.
type job struct {
	script *Script
	cases  []*instance
}

// plan lists what has to run, and puts what an earlier run finished into the report.
func (r *Runner) plan(report *Report) (jobs []job, total int, err error) {
	for _, s := range r.scripts {
		all, err := instances(s)
		if err != nil {
			return nil, 0, err
		}
		j := job{script: s}
		for _, x := range all {
			if r.wants(x) {
				j.cases = append(j.cases, x)
			} else if res, ok := r.done[s.Name+"/"+x.name]; ok {
				report.Results = append(report.Results, res)
			}
		}
		if len(j.cases) > 0 {
			jobs = append(jobs, j)
			total += len(j.cases)
		}
	}
	return jobs, total, nil
}

// supervisor gathers results and tells about them.
type supervisor struct {
	r       *Runner
	total   int
	jobs    []job
	results [][]Result // by job, each written by the goroutine that runs it

	mu     sync.Mutex // guards what follows, and calls of the observer
	done   int
	faults []string
}

func (s *supervisor) runFile(ctx context.Context, i int) {
	j := s.jobs[i]
	s.tell(Event{File: j.script.Name})
	f := s.r.openBoth(ctx, j.script)
	for _, x := range j.cases {
		res := f.runCase(ctx, x)
		if ctx.Err() != nil {
			break // what it says is the interruption's doing
		}
		s.results[i] = append(s.results[i], res)
		s.tell(Event{File: j.script.Name, Result: &res})
	}
	s.tell(Event{File: j.script.Name, Ended: true, Err: f.close()})
}

func (s *supervisor) tell(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.Result != nil {
		s.done++
	}
	if e.Err != nil {
		s.faults = append(s.faults, fmt.Sprintf("%s: %v", e.File, e.Err))
	}
	e.Done, e.Total = s.done, s.total
	if s.r.observe != nil {
		s.r.observe(e)
	}
}
