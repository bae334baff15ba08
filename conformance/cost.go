package conformance

import (
	"fmt"
	"sync"
)

// Prices of on-demand capacity in us-east-1, in dollars per unit. Other regions cost up to about twice as much, which
// the margin of an estimate covers.
const (
	writePrice = 0.625 / 1e6
	readPrice  = 0.125 / 1e6
	margin     = 2.0
)

// budget limits the estimated cost of a run. nil is no limit.
type budget struct {
	mu    sync.Mutex
	limit float64
	spent float64
}

// take reserves the cost of a case, or refuses.
func (b *budget) take(x *instance) error {
	if b == nil {
		return nil
	}
	cost := x.cost()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spent+cost > b.limit {
		return fmt.Errorf("would cost $%.6f more than the limit of $%.2f", b.spent+cost-b.limit, b.limit)
	}
	b.spent += cost
	return nil
}

// cost estimates, on the high side, what the requests of a case cost in dollars.
func (x *instance) cost() float64 {
	s := standIns(x)
	s.dry = false
	total := 0.0
	for _, step := range x.c.Steps {
		op, _ := s.expandText(step.Operation)
		body, _ := s.expandJSON(step.Body) // the file was checked: what fails here costs nothing
		total += margin * stepPrice(op, len(body))
		for _, k := range step.Keep {
			s.captured[k.Name] = `"0"`
		}
	}
	return total
}

// stepPrice prices one request by its size: a write unit per KB, twice for transactions, once more for each of a few
// indexes; reads by the largest page.
func stepPrice(op string, size int) float64 {
	units := float64(size/1024 + 1)
	switch op {
	case "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "ExecuteStatement", "BatchExecuteStatement":
		return 3 * units * writePrice
	case "TransactWriteItems", "ExecuteTransaction":
		return 4 * units * writePrice
	case "GetItem", "BatchGetItem", "TransactGetItems":
		return 2 * 100 * readPrice
	case "Query", "Scan":
		return 256 * readPrice
	default:
		return 0
	}
}

// Estimate returns what a run of the runner's cases costs on the real service, in dollars, on the high side.
func (r *Runner) Estimate() (dollars float64, cases int, err error) {
	for _, s := range r.scripts {
		selected, err := r.selected(s)
		if err != nil {
			return 0, 0, err
		}
		for _, x := range selected {
			dollars += x.cost()
			cases++
		}
	}
	return dollars, cases, nil
}
