package server

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// Requests that are almost right find more than noise does: they get past the decoder and break rules one at a time.
// Each is sent to a fork of the same database. Whatever it holds, the answer is a success or a client's error of the
// service's kind; an error changes nothing and comes again when the request is sent again; and after a success the
// indexes still agree with their tables.

// mutationRun is a database with the requests that are changed.
type mutationRun struct {
	*tester
	m        *mutator
	requests []validRequest
	nodes    []*node
}

func newMutationRun(t testing.TB) *mutationRun {
	r := &mutationRun{tester: newWorld(t), m: newMutator(t)}
	for _, v := range validRequests {
		if operations[v.target()] != nil {
			r.requests = append(r.requests, v)
			r.nodes = append(r.nodes, parseNode(t, r.vars.Replace(v.body)))
		}
	}
	return r
}

// try sends a few changed requests, one after the other, to a fork of the database.
func (r *mutationRun) try(t testing.TB, base string, c *choices) {
	root := r.engine
	defer func() { r.engine = root }()
	r.engine = root.Fork()
	before := base
	for range 1 + c.below(3) {
		i := c.below(len(r.requests))
		target := r.requests[i].target()
		body := r.m.mutate(c, r.nodes[i])
		before = r.check(t, target, body, before)
	}
}

// check sends one request and returns the state of the database after it.
func (r *mutationRun) check(t testing.TB, target, body, before string) (after string) {
	t.Helper()
	got := r.send(target, body)
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s %s\nanswers %d %.2000s", target, shorten(body), got.status, got.body)
		t.Fatalf(format, args...)
	}
	if fault := wrongAnswer(target, got); fault != "" {
		fail("%s", fault)
	}
	after = r.state(t)
	if err := r.engine.CheckInvariants(); err != nil {
		fail("invariants: %v", err)
	}
	if got.status == 200 && !reads(target) {
		return after
	}
	if after != before {
		fail("the database changed:\n%s", firstDifference(before, after))
	}
	if got.status == 200 {
		return after
	}
	for range 2 {
		if again := r.send(target, body); again != got {
			fail("sent again, it answers %d %.2000s", again.status, again.body)
		}
	}
	if classic := sendTo(r.classic, target, body); classic.status != got.status || errorType(classic) != errorType(got) {
		fail("in the older wording it answers %d %.2000s", classic.status, classic.body)
	}
	if again := r.state(t); again != before {
		fail("the database changed when it was sent again:\n%s", firstDifference(before, again))
	}
	return after
}

// wrongAnswer tells what is wrong with an answer, "" when nothing is.
func wrongAnswer(target string, got answer) string {
	switch got.status {
	case 200:
		if strings.HasSuffix(target, "agResource") {
			return not(got.body == "", "the answer should be empty")
		}
		return not(json.Valid([]byte(got.body)), "the answer is no JSON")
	case 413:
		return not(got.body == "", "the answer should be empty")
	case 400:
	default:
		return "a status that no request may cause"
	}
	prefix, code, ok := strings.Cut(errorType(got), "#")
	known := ok && code != "" && code != "UnknownOperationException" && !strings.Contains(code, "Internal") &&
		(prefix == "com.amazon.coral.service" || prefix == "com.amazon.coral.validate" || strings.HasPrefix(prefix, "com.amazonaws.dynamodb."))
	return not(known, "an error of no kind that a request may cause")
}

// errorType is the type of an error, "" when the answer is none.
func errorType(a answer) string {
	var fault struct {
		Type string `json:"__type"`
	}
	if err := json.Unmarshal([]byte(a.body), &fault); err != nil {
		return ""
	}
	return fault.Type
}

func not(ok bool, fault string) string {
	if ok {
		return ""
	}
	return fault
}

// shorten keeps a body readable in a message.
func shorten(body string) string {
	const most = 5000
	if len(body) <= most {
		return body
	}
	return body[:most] + "… (" + strings.Repeat("#", 3) + " cut)"
}

// TestMutations tries requests that differ from run to run of the list, but not of the test.
func TestMutations(t *testing.T) {
	t.Parallel()
	tries := 2000
	if testing.Short() {
		tries = 200
	}
	r := newMutationRun(t)
	base := r.state(t)
	random := rand.New(rand.NewPCG(20, 12))
	for range tries {
		data := make([]byte, 40+random.IntN(60))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		r.try(t, base, &choices{data})
	}
}

// FuzzMutations lets the fuzzer make the decisions.
func FuzzMutations(f *testing.F) {
	r := newMutationRun(f)
	base := r.state(f)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range r.requests {
		data := []byte{0, byte(i)}
		for range 40 {
			data = append(data, byte(random.Uint32()))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { r.try(t, base, &choices{data}) })
}
