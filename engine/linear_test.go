package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

// Two counters are raised one by one, both together in transactions, and read
// one by one or together. Whatever the interleaving, the answers must be those
// of some order of whole operations.

type counterOp struct {
	kind string // "add", "read", "transfer", "both"
	item int    // of add and read
}

// counterResult holds what was seen of each counter; -1 where it was not
// looked at.
type counterResult [2]int

var counterModel = porcupine.Model{
	Init: func() any { return counterResult{} },
	Step: func(state, input, output any) (bool, any) {
		s, op, out := state.(counterResult), input.(counterOp), output.(counterResult)
		switch op.kind {
		case "add":
			s[op.item]++
			return out[op.item] == s[op.item], s
		case "transfer":
			s[0]++
			s[1]--
			return true, s
		case "both":
			return out == s, s
		default:
			return out[op.item] == s[op.item], s
		}
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprint(input, output) },
}

func TestLinearizable(t *testing.T) {
	t.Parallel()
	for _, parts := range []int{1, 8} {
		t.Run(strconv.Itoa(parts), func(t *testing.T) {
			t.Parallel()
			history := runCounters(t, parts)
			if porcupine.CheckOperationsTimeout(counterModel, history, time.Minute) == porcupine.Illegal {
				t.Error("the history of concurrent operations is not linearizable")
			}
		})
	}
}

func runCounters(t *testing.T, parts int) []porcupine.Operation {
	const clients, rounds = 4, 60
	r := testRegion(newTestEngine(t, Options{}))
	addTable(r, "counters", hashKey("id", attr.N), parts)
	c := counters{t, r}
	for i := range 2 {
		c.put(i)
	}
	var mu sync.Mutex
	var history []porcupine.Operation
	var wg sync.WaitGroup
	begin := time.Now()
	for client := range clients {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(1, uint64(client)))
			for range rounds {
				op := counterOp{[]string{"add", "read", "transfer", "both"}[rnd.IntN(4)], rnd.IntN(2)}
				call := time.Since(begin).Nanoseconds()
				out := c.run(op)
				ret := time.Since(begin).Nanoseconds()
				mu.Lock()
				history = append(history, porcupine.Operation{ClientId: client, Input: op, Call: call, Output: out, Return: ret})
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	slices.SortFunc(history, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
	return history
}

type counters struct {
	t *testing.T
	r *Region
}

func counterKey(i int) *attr.Item {
	return attr.NewItem(attr.Field{Name: "id", Value: attr.Int(int64(i))})
}

func (c counters) put(i int) {
	it := attr.NewItem(attr.Field{Name: "id", Value: attr.Int(int64(i))}, attr.Field{Name: "n", Value: attr.Int(0)})
	if _, err := c.r.Put(context.Background(), &Put{Table: "counters", Item: it}); err != nil {
		c.t.Fatal(err)
	}
}

func count(v api.View) int {
	n, _ := v.Item.Lookup("n")
	i, _ := strconv.Atoi(n.NumberText())
	return i
}

// run does one operation through the engine. It may not fail.
func (c counters) run(op counterOp) counterResult {
	out := counterResult{-1, -1}
	switch op.kind {
	case "add":
		res, err := c.r.Update(context.Background(), &Update{Table: "counters", Key: counterKey(op.item),
			Update: update(c.t, "SET n = n + :one", ":one", `{"N":"1"}`), Return: api.ReturnAllNew})
		if err != nil {
			c.t.Error(err)
			return out
		}
		out[op.item] = count(res.Attributes)
	case "read":
		res, err := c.r.Get(context.Background(), &Get{Table: "counters", Key: counterKey(op.item), Consistent: true})
		if err != nil {
			c.t.Error(err)
			return out
		}
		out[op.item] = count(res.Item)
	case "transfer":
		_, err := c.r.TransactWrite(context.Background(), &TransactWrite{Actions: []TransactAction{
			{Kind: ActionUpdate, Table: "counters", Item: counterKey(1), Update: update(c.t, "ADD n :x", ":x", `{"N":"-1"}`)},
			{Kind: ActionUpdate, Table: "counters", Item: counterKey(0), Update: update(c.t, "ADD n :x", ":x", `{"N":"1"}`)},
		}})
		if err != nil {
			c.t.Error(err)
		}
	case "both":
		res, err := c.r.TransactGet(context.Background(), &TransactGet{Items: []TransactGetItem{
			{Table: "counters", Key: counterKey(0)}, {Table: "counters", Key: counterKey(1)},
		}})
		if err != nil {
			c.t.Error(err)
			return out
		}
		out = counterResult{count(res.Responses[0]), count(res.Responses[1])}
	}
	return out
}

// A token that is sent by many goroutines at once is applied once. Who comes
// while the first is under way is told to wait, as the service does.
func TestTokenIsAppliedOnce(t *testing.T) {
	t.Parallel()
	r := testRegion(newTestEngine(t, Options{}))
	addTable(r, "counters", hashKey("id", attr.N), 4)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for {
				_, err := r.TransactWrite(context.Background(), &TransactWrite{Token: "token", Actions: []TransactAction{
					{Kind: ActionUpdate, Table: "counters", Item: counterKey(0), Update: update(t, "ADD n :x", ":x", `{"N":"1"}`)},
				}})
				var e *api.Error
				if errors.As(err, &e) && e.Code == api.CodeTransactionInProgress {
					continue
				}
				if err != nil {
					t.Error(err)
				}
				return
			}
		})
	}
	wg.Wait()
	res, err := r.Get(context.Background(), &Get{Table: "counters", Key: counterKey(0)})
	if err != nil {
		t.Fatal(err)
	}
	if got := count(res.Item); got != 1 {
		t.Errorf("the transaction was applied %d times", got)
	}
}

// Forks taken while writers run are snapshots: the two counters that every
// transaction moves in opposite directions always add up to zero in them.
func TestForkIsASnapshot(t *testing.T) {
	t.Parallel()
	e := newTestEngine(t, Options{})
	r := testRegion(e)
	addTable(r, "counters", hashKey("id", attr.N), 8)
	c := counters{t, r}
	for i := range 2 {
		c.put(i)
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					c.run(counterOp{kind: "transfer"})
				}
			}
		})
	}
	for range 50 {
		f := e.Fork()
		got := counters{t, testRegion(f)}.run(counterOp{kind: "both"})
		if got[0]+got[1] != 0 {
			t.Fatalf("a fork shows half a transaction: %v", got)
		}
		counters{t, testRegion(f)}.run(counterOp{kind: "add"})
		if err := f.CheckInvariants(); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	wg.Wait()
}
