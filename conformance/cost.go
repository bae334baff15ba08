package conformance

import (
	"errors"
	"fmt"
	"strings"
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

// errBudget is why a case or a file was left out.
var errBudget = errors.New("it would cost more than the limit")

// take reserves an amount of dollars, or refuses.
func (b *budget) take(dollars float64) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spent+dollars > b.limit {
		return fmt.Errorf("%w: $%.6f, with $%.6f of $%.2f spent", errBudget, dollars, b.spent, b.limit)
	}
	b.spent += dollars
	return nil
}

// provisionedHour is the price of a provisioned table of a case for the hour that is charged at least: up to about ten
// units of each kind, indexes included.
const provisionedHour = 0.01

// setUpCost estimates what a file's tables and their items cost.
func (s *Script) setUpCost() float64 {
	names := standIns(&instance{script: s, c: &Case{}})
	names.dry = false
	total := 0.0
	for _, t := range s.Tables {
		if strings.Contains(t.With, "PROVISIONED") {
			total += provisionedHour
		}
		for _, f := range t.Items {
			js, _ := names.expandJSON(f.Item)
			arms := 1 + len(t.Local) + len(t.Global)
			total += margin * float64(max(1, f.Count)*arms*(len(js)/1024+1)) * writePrice
		}
	}
	return total
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
		if op == "CreateTable" && strings.Contains(body, "ProvisionedThroughput") {
			total += provisionedHour
		}
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
		if len(selected) > 0 {
			dollars += s.setUpCost()
		}
		for _, x := range selected {
			dollars += x.cost()
			cases++
		}
	}
	return dollars, cases, nil
}
