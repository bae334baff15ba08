package engine

import (
	"context"
	"strconv"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/expr"
	"github.com/dynalite-go/dynalite/hashring"
)

// Scan is a Scan as a command.
type Scan struct {
	Table, Index string // Index is empty for the table
	Filter       *expr.Predicate
	Projection   *expr.Projection
	Select       api.Select
	Limit        int // items to evaluate, 0: no limit
	Consistent   bool
	Start        *attr.Item // ExclusiveStartKey, nil: from the beginning
	// Segment of TotalSegments is read; TotalSegments 0 reads everything.
	Segment, TotalSegments int
	Capacity               api.CapacityMode
}

// Scan reads a table or an index in hash order, one page of it (behaviours/06).
// Each partition is read by itself: a page is no snapshot across partitions,
// as on the service.
func (r *Region) Scan(ctx context.Context, cmd *Scan) (*api.ScanOutput, error) {
	t, err := r.table(cmd.Table)
	if err != nil {
		return nil, err
	}
	defer t.mu.RUnlock()
	src, err := t.source(cmd.Index, cmd.Consistent)
	if err != nil {
		return nil, err
	}
	span, from, shown, err := src.planScan(cmd)
	if err != nil {
		return nil, err
	}
	page := newPage(cmd.Limit)
	defer page.free()
	src.scan(page, span, from)
	res := src.finish(page, cmd.Filter, shown, cmd.Consistent, cmd.Capacity)
	return &api.ScanOutput{
		Items:            res.items,
		OmitItems:        shown.count,
		Count:            res.matched,
		ScannedCount:     res.scanned,
		LastEvaluatedKey: res.last,
		ConsumedCapacity: res.capacity,
	}, nil
}

// planScan runs Scan's checks against the table, in the order of behaviours/06
// §6.5.
func (s source) planScan(cmd *Scan) (span hashring.Range, from store.Cursor, sh shown, err *api.Error) {
	if err = s.checkStartCount(cmd.Start, errStartKeyScan); err != nil {
		return
	}
	if err = s.checkStartIndex(cmd.Start); err != nil {
		return
	}
	if sh, err = s.show(cmd.Select, cmd.Projection); err != nil {
		return
	}
	start, err := s.startRow(cmd.Start)
	if err != nil {
		return
	}
	span = hashring.Segment(cmd.Segment, cmd.TotalSegments)
	from = store.Cursor{Pos: span.First}
	if start != nil {
		pos := hashring.Hash(start.PK)
		if !span.Contains(pos) {
			return span, from, sh, api.Validation("The provided starting key is invalid: Invalid ExclusiveStartKey. " +
				"Please use ExclusiveStartKey with correct Segment. TotalSegments: " + strconv.Itoa(cmd.TotalSegments) +
				" Segment: " + strconv.Itoa(cmd.Segment))
		}
		from = store.After(pos, start.PK, start.SK)
	}
	if err = s.table.checkProjection(cmd.Projection); err != nil {
		return
	}
	err = s.table.checkCondition(cmd.Filter)
	return
}

// scan fills a page with the rows from a cursor on, partition after partition.
func (s source) scan(page *page, span hashring.Range, from store.Cursor) {
	parts := s.table.parts
	tree := itemTree
	if ix := s.index; ix != nil {
		if ix.global() {
			parts = ix.parts
		} else {
			tree = func(p *store.Partition) *store.Tree { return p.Locals[ix.local] }
		}
	}
	take := func(_ hashring.Position, row *store.Row) bool { return page.take(row) }
	for _, p := range parts {
		part := p.Range.Intersect(span)
		if part.Empty() || part.Last < from.Pos {
			continue
		}
		at := from
		if at.Pos < part.First {
			at = store.Cursor{Pos: part.First}
		}
		p.RLock()
		tree(p).Scan(at, part.Last, take)
		p.RUnlock()
		if page.full {
			return
		}
	}
}
