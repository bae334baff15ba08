package partiql

import (
	"slices"
	"strings"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

// merge brings the reads of one partition together. Ranges of sort keys must
// not overlap; the service refuses them rather than to look for repeats. A
// read of the whole partition overlaps with every range, unless its condition
// on the sort key is negated: then the partition is read once and all
// alternatives are filters (behaviours/09 §9.6).
func (pl *plan) merge() *api.Error {
	if len(pl.reads) < 2 {
		return nil
	}
	// Equal keys have equal text.
	at := make(map[string]int, len(pl.reads))
	var groups [][]read
	for _, r := range pl.reads {
		i, known := at[r.hash.Text()]
		if !known {
			i = len(groups)
			at[r.hash.Text()] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	pl.reads = pl.reads[:0]
	for _, group := range groups {
		group, err := mergePartition(group)
		if err != nil {
			return err
		}
		pl.reads = append(pl.reads, group...)
	}
	return nil
}

func mergePartition(group []read) ([]read, *api.Error) {
	ranges, whole, exempt := 0, 0, 0
	for i := range group {
		switch {
		case group[i].clause != nil:
			ranges++
		case group[i].exempt:
			exempt++
		default:
			whole++
		}
	}
	switch {
	case ranges == len(group):
		return group, sortRanges(group)
	case ranges > 0 && whole > 0:
		return nil, errOverlap
	}
	return []read{union(group)}, nil
}

// sortRanges puts disjoint ranges in order.
func sortRanges(group []read) *api.Error {
	slices.SortStableFunc(group, func(a, b read) int { return strings.Compare(a.span.low, b.span.low) })
	for i := 1; i < len(group); i++ {
		if group[i-1].span.overlaps(group[i].span) {
			return errOverlap
		}
	}
	return nil
}

// union is one read of a whole partition for several alternatives.
func union(group []read) read {
	all := read{hash: group[0].hash}
	for _, r := range group {
		for _, alternative := range r.filter {
			if r.clause != nil {
				alternative = slices.Concat(alternative, []*condition{r.condition()})
			}
			all.filter = append(all.filter, alternative)
		}
	}
	return all
}

// condition is the clause of a read as a condition.
func (r *read) condition() *condition {
	c := &condition{kind: condCompare, op: r.clause.Op, args: []operand{{path: attr.NamePath(r.clause.Name)}}}
	switch r.clause.Op {
	case expr.Between:
		c.kind = condBetween
	case expr.BeginsWith:
		c.kind = condBeginsWith
	}
	for _, v := range r.clause.Values[:r.clause.N] {
		c.args = append(c.args, operand{kind: operandValue, value: v})
	}
	return c
}

// order applies ORDER BY, which can ask for the order of the keys or its
// reverse.
func (p *planner) order(pl *plan) *api.Error {
	if len(p.statement.order) == 0 {
		return nil
	}
	if p.where == nil {
		return errNoWhere
	}
	var byHash *ordering
	for i := range p.statement.order {
		o := &p.statement.order[i]
		switch o.name {
		case p.hash.Name:
			byHash = o
		case p.sort.Name:
			pl.backward = o.desc
		default:
			return api.Validation("ORDER BY accepts only key attributes of what is read, and " + o.name + " is none")
		}
	}
	if pl.reads == nil {
		return errOrderScan
	}
	several := slices.ContainsFunc(pl.reads, func(r read) bool { return !attr.Equal(r.hash, pl.reads[0].hash) })
	if several && byHash == nil {
		return errOrderHashes
	}
	slices.SortStableFunc(pl.reads, func(a, b read) int {
		if c := strings.Compare(attr.Key(a.hash), attr.Key(b.hash)); c != 0 {
			if byHash != nil && byHash.desc {
				return -c
			}
			return c
		}
		if pl.backward {
			a, b = b, a
		}
		return strings.Compare(a.span.low, b.span.low)
	})
	return nil
}
