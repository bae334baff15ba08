package engine

import (
	"strings"
	"sync"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/expr"
)

// page collects the rows that one Query or Scan evaluates. It ends when Limit
// rows were taken or when they add up to 1 MB; the row that crosses the line
// still belongs to it (behaviours/06 §6.2).
type page struct {
	limit int // 0: none
	rows  []*store.Row
	bytes int
	full  bool
}

// pages lends pages, whose rows are needed only until the result is made.
var pages = sync.Pool{New: func() any { return new(page) }}

func newPage(limit int) *page {
	p := pages.Get().(*page)
	p.limit = limit
	return p
}

// free gives a page back. Its rows must not be kept alive.
func (p *page) free() {
	clear(p.rows)
	*p = page{rows: p.rows[:0]}
	pages.Put(p)
}

// take adds a row and reports whether the page has room for another.
func (p *page) take(row *store.Row) bool {
	p.rows = append(p.rows, row)
	p.bytes += int(row.Size)
	p.full = p.limit > 0 && len(p.rows) >= p.limit || p.bytes >= api.MaxPageBytes
	return !p.full
}

// source is what a Query or Scan reads: the table or one of its indexes.
type source struct {
	table *Table
	index *index // nil: the table
}

// key is the key schema by which the source is ordered.
func (s source) key() KeySchema {
	if s.index != nil {
		return s.index.key
	}
	return s.table.key
}

// shown decides what items of a page look like and whether they must be
// fetched from the table (behaviours/06 §6.3).
type shown struct {
	view  *attr.Projection // nil: whole items
	fetch bool             // a local index does not hold all that is asked for
	count bool             // Select COUNT: no items
}

// show works out what is returned. sel is the effective Select.
func (s source) show(sel api.Select, projection *expr.Projection) (shown, *api.Error) {
	ix := s.index
	sh := shown{count: sel == api.SelectCount}
	if projection != nil {
		sh.view = projection.Projection
		missing := s.unprojected(projection.Paths)
		if len(missing) == 0 {
			return sh, nil
		}
		if ix.global() {
			// The text is PartiQL's; that Query refuses is known, its own
			// text is not.
			return sh, api.Validation(invalidParameter + "Global secondary index " + ix.name + " does not project [" +
				strings.Join(missing, ", ") + "]")
		}
		sh.fetch = true
		return sh, nil
	}
	if ix == nil || ix.projection == nil {
		return sh, nil
	}
	if sel == api.SelectAllAttributes {
		if ix.global() {
			return sh, errPartialIndex(ix)
		}
		sh.fetch = true
		return sh, nil
	}
	sh.view = ix.projection
	return sh, nil
}

func errPartialIndex(ix *index) *api.Error {
	return api.Validation(invalidParameter + "Select type ALL_ATTRIBUTES is not supported for global secondary index " +
		ix.name + " because its projection type is not ALL")
}

// unprojected names the top-level attributes of paths that the index lacks,
// in the order written.
func (s source) unprojected(paths []attr.Path) []string {
	if s.index == nil {
		return nil
	}
	var missing []string
	for _, p := range paths {
		if name := p[0].Name(); !s.index.projects(name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// result is a finished page.
type result struct {
	items    []api.View
	scanned  int
	matched  int
	last     *attr.Item // LastEvaluatedKey, nil on the last page
	capacity *api.ConsumedCapacity
}

// finish filters and projects the rows of a page. No lock is needed: rows do
// not change.
func (s source) finish(p *page, filter *expr.Predicate, sh shown, consistent bool, mode api.CapacityMode) result {
	res := result{scanned: len(p.rows)}
	hidden := s.filterHides(filter)
	if !sh.count {
		res.items = []api.View{}
		if filter == nil {
			res.items = make([]api.View, 0, len(p.rows))
		}
	}
	for _, row := range p.rows {
		if filter != nil {
			item := row.Item
			if hidden {
				item = s.index.projection.Apply(item)
			}
			if !filter.Eval(item) {
				continue
			}
		}
		res.matched++
		if !sh.count {
			res.items = append(res.items, api.View{Item: row.Item, Projection: sh.view})
		}
	}
	if p.full {
		res.last = s.table.projectKey(p.rows[len(p.rows)-1].Item, s.index)
	}
	if mode != api.CapacityNone {
		res.capacity = s.readCapacity(p, sh, consistent, mode)
	}
	return res
}

// filterHides reports whether the filter reads attributes that the index does
// not hold. To the filter they are missing.
func (s source) filterHides(filter *expr.Predicate) bool {
	return filter != nil && len(s.unprojected(filter.Paths())) > 0
}

// readCapacity charges a page: what was evaluated, rounded up once, and on a
// local index a read of each item that was fetched from the table
// (behaviours/07 §7.6).
func (s source) readCapacity(p *page, sh shown, consistent bool, mode api.CapacityMode) *api.ConsumedCapacity {
	units := consistency(consistent) * readUnits(p.bytes)
	var u usage
	if s.index == nil {
		u.table = units
		return u.report(s.table.name, mode)
	}
	u.addIndex(s.index, units)
	if sh.fetch {
		for _, row := range p.rows {
			u.table += consistency(consistent) * readUnits(row.Item.Size())
		}
	}
	return u.report(s.table.name, mode)
}
