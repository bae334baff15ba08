package partiql

import (
	"context"
	"strings"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/expr"
)

// reader runs one page of a SELECT.
type reader struct {
	ctx        context.Context
	region     *engine.Region
	table      string // bare name
	consistent bool
	limit      int // rows to evaluate, 0: no limit
	capacity   api.CapacityMode
}

// place is where a page begins: in which read of the plan, behind which item.
type place struct {
	read  int
	start *attr.Item // nil: at the beginning
}

// page is what one page of a SELECT found, or what a write returns.
type page struct {
	items    []api.View
	only     api.View // instead of items: one row, or none
	next     *place   // nil on the last page
	capacity *api.ConsumedCapacity
}

// rows appends the rows to dst, or takes them as they are when dst is empty.
func (pg *page) rows(dst []api.View) []api.View {
	switch {
	case pg.only.Item != nil:
		return append(dst, pg.only)
	case len(dst) == 0:
		return pg.items
	}
	return append(dst, pg.items...)
}

// run checks a SELECT against the table and reads one page of it.
func (r *reader) run(b bound, from place) (page, error) {
	if pg, ok, err := r.shortcut(&b); ok {
		return pg, err
	}
	schema, err := b.schema(r.region, r.table)
	if err != nil {
		return page{}, err
	}
	if err := b.checkSelect(schema, r.consistent); err != nil {
		return page{}, err
	}
	p := newPlanner(b, schema)
	pl, refused := p.plan()
	switch {
	case refused != nil:
		return page{}, refused
	case pl.reads == nil:
		return r.scan(p, from)
	case from.read >= len(pl.reads):
		return page{}, errToken
	case len(pl.reads) == 1 && b.index == "" && p.exact(&pl.reads[0]) && from.start == nil:
		only := &pl.reads[0]
		return r.get(b, p.key(only), p.filter(only))
	}
	return r.queries(p, &pl, from)
}

// schema finds the table of a SELECT, and the index it names. A column that
// is no path comes before both, unless the index is one that PartiQL can't
// read at all (behaviours/09 §9.3).
func (b *bound) schema(r *engine.Region, table string) (engine.Schema, error) {
	s, err := r.Schema(table, b.index)
	if b.columnsErr != nil && !multiAttribute(s.Index) {
		return s, b.columnsErr
	}
	return s, err
}

// multiAttribute reports whether an index is keyed by several attributes of
// one kind.
func multiAttribute(ix *engine.IndexSchema) bool {
	return ix != nil && (len(ix.Key.Hash) > 1 || len(ix.Key.Range) > 1)
}

// shortcut takes the most common statement, nothing but equalities, for a
// read by primary key, and lets the engine judge whether it is one. ok is
// false when it isn't: then the long way finds out what it is.
func (r *reader) shortcut(b *bound) (pg page, ok bool, err error) {
	if !b.simple {
		return page{}, false, nil
	}
	var buf [2]attr.Field
	for i := range b.equalities {
		e := &b.equalities[i]
		v, refused := b.value(&e.value)
		if refused != nil {
			return page{}, false, nil
		}
		buf[i] = attr.Field{Name: e.name, Value: v}
	}
	pg, err = r.get(*b, attr.NewItem(buf[:len(b.equalities)]...), nil)
	return pg, err == nil || asError(err).Code != api.CodeValidation, err
}

// isSimple reports whether a SELECT may be a read by primary key at first
// sight.
func (st *statement) isSimple() bool {
	n := len(st.equalities)
	if st.index != "" || st.columnsErr != nil || len(st.order) > 0 || n == 0 || n > 2 {
		return false
	}
	return n == 1 || st.equalities[0].name != st.equalities[1].name
}

func keyAttribute(key engine.KeySchema, i int) engine.KeyAttribute {
	if i < len(key.Hash) {
		return key.Hash[i]
	}
	return key.Range[i-len(key.Hash)]
}

// checkSelect checks a SELECT against the index it reads, in the service's
// order (behaviours/09 §9.3).
func (b *bound) checkSelect(s engine.Schema, consistent bool) error {
	ix := s.Index
	switch {
	case b.index != "" && ix == nil:
		return errNoIndex
	case multiAttribute(ix):
		return errMultiAttribute
	case ix != nil && ix.Global && consistent:
		return errConsistent
	case ix == nil:
		return nil
	}
	if ix.Global {
		var missing []string
		for _, c := range b.columns {
			if name := c.path[0].Name(); !ix.Projects(name) {
				missing = append(missing, name)
			}
		}
		if missing != nil {
			return api.Validation(invalidParameter + "Global secondary index " + b.index + " does not project [" +
				strings.Join(missing, ", ") + "]")
		}
	}
	return b.checkFilter(ix)
}

// checkFilter refuses conditions on attributes that an index lacks, when the
// read is keyed. A scan of the index takes them for missing.
func (b *bound) checkFilter(ix *engine.IndexSchema) error {
	if b.where == nil {
		return nil
	}
	conds := []*condition{b.where}
	if b.where.kind == condAnd {
		conds = b.where.subs
	}
	keyed := false
	var missing []string
	for _, c := range conds {
		keyed = keyed || equalTo(c, ix.Key.Hash[0].Name) != nil
		missing = unprojected(c, ix, missing)
	}
	if !keyed || missing == nil {
		return nil
	}
	return api.Validation(invalidParameter + "Secondary index " + b.index +
		" does not project one or more filter attributes: [" + strings.Join(missing, ", ") + "]")
}

// unprojected adds the attributes of a condition that the index lacks.
func unprojected(c *condition, ix *engine.IndexSchema, names []string) []string {
	for i := range c.args {
		o := &c.args[i]
		if o.kind != operandPath {
			continue
		}
		name := o.path[0].Name()
		known := ix.Projects(name)
		for _, other := range names {
			known = known || other == name
		}
		if !known {
			names = append(names, name)
		}
	}
	for _, sub := range c.subs {
		names = unprojected(sub, ix, names)
	}
	return names
}

// key is the primary key that an exact read of the table asks for.
func (p *planner) key(r *read) *attr.Item {
	fields := []attr.Field{{Name: p.hash.Name, Value: r.hash}}
	if r.clause != nil {
		fields = append(fields, attr.Field{Name: p.sort.Name, Value: r.clause.Values[0]})
	}
	return attr.NewItem(fields...)
}

// filter is what is left of the WHERE for the rows of a read, nil for
// nothing.
func (p *planner) filter(r *read) *expr.Predicate {
	alternatives := make([]*expr.Predicate, len(r.filter))
	for i, conds := range r.filter {
		if len(conds) == 0 {
			return nil
		}
		alternatives[i] = p.all(conds)
	}
	if len(alternatives) == 1 {
		return alternatives[0]
	}
	return expr.Or(alternatives...)
}

// get reads one item by its primary key.
func (r *reader) get(b bound, key *attr.Item, filter *expr.Predicate) (page, error) {
	out, err := r.region.Get(r.ctx, &engine.Get{
		Table: r.table, Key: key, Projection: b.projection, Consistent: r.consistent, Capacity: r.capacity,
	})
	if err != nil {
		return page{}, err
	}
	pg := page{capacity: out.ConsumedCapacity}
	if out.Found && (filter == nil || filter.Eval(out.Item.Item)) {
		pg.only = b.show(out.Item)
	}
	return pg, nil
}

func (r *reader) scan(p *planner, from place) (page, error) {
	cmd := &engine.Scan{
		Table: r.table, Index: p.index, Projection: p.projection, Limit: r.limit, Consistent: r.consistent,
		Start: from.start, Capacity: r.capacity,
	}
	if p.where != nil {
		cmd.Filter = p.predicate(p.where)
	}
	out, err := r.region.Scan(r.ctx, cmd)
	if err != nil {
		return page{}, err
	}
	pg := page{items: p.showAll(out.Items), capacity: out.ConsumedCapacity}
	if out.LastEvaluatedKey != nil {
		pg.next = &place{start: out.LastEvaluatedKey}
	}
	return pg, nil
}

// queries runs the reads of a plan one after the other until the page is
// full.
func (r *reader) queries(p *planner, pl *plan, from place) (page, error) {
	limit := r.limit
	if pl.fan && (limit == 0 || limit > fanPageItems) {
		limit = fanPageItems
	}
	pg := page{}
	rows, bytes := 0, 0
	for i := from.read; i < len(pl.reads); i++ {
		if limit > 0 && rows >= limit || bytes >= api.MaxPageBytes {
			pg.next = &place{read: i}
			break
		}
		cmd := r.query(p, &pl.reads[i])
		cmd.Backward = pl.backward
		if limit > 0 {
			cmd.Limit = limit - rows
		}
		if i == from.read {
			cmd.Start = from.start
		}
		out, err := r.region.Query(r.ctx, cmd)
		if err != nil {
			return page{}, err
		}
		rows += out.ScannedCount
		for _, v := range out.Items {
			bytes += v.Item.Size()
		}
		pg.items = append(pg.items, p.showAll(out.Items)...)
		pg.capacity = addCapacity(pg.capacity, out.ConsumedCapacity)
		exact := p.index == "" && p.exact(&pl.reads[i])
		if out.LastEvaluatedKey != nil && (!exact || len(pl.reads) == 1) {
			pg.next = &place{read: i, start: out.LastEvaluatedKey}
			break
		}
	}
	return pg, nil
}

func (r *reader) query(p *planner, rd *read) *engine.Query {
	key := &expr.KeyCondition{Clauses: make([]expr.KeyClause, 1, 2)}
	key.Clauses[0] = expr.KeyClause{Name: p.hash.Name, Op: expr.EQ, Values: [2]attr.Value{rd.hash}, N: 1}
	if rd.clause != nil {
		key.Clauses = append(key.Clauses, *rd.clause)
	}
	return &engine.Query{
		Table: r.table, Index: p.index, Key: key, Filter: p.filter(rd), FilterKeys: true, Projection: p.projection,
		Consistent: r.consistent, Capacity: r.capacity,
	}
}

func (b *bound) showAll(items []api.View) []api.View {
	if b.flat {
		return items
	}
	for i := range items {
		items[i] = b.show(items[i])
	}
	return items
}

// show makes the row that a SELECT returns of an item. Only columns that are
// parts of attributes change the item's form.
func (b *bound) show(v api.View) api.View {
	if b.flat {
		return v
	}
	fields := make([]attr.Field, 0, len(b.columns))
	for _, c := range b.columns {
		if value, ok := c.path.Resolve(v.Item); ok {
			fields = append(fields, attr.Field{Name: c.name, Value: value})
		}
	}
	return api.View{Item: attr.NewItem(fields...)}
}
