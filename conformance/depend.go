package conformance

import "slices"

// dependencies returns the turns on which the answer of the last one may depend: those that make or change its tables,
// that wrote the items it is about, and whose answers gave it ids. It errs on the side of keeping.
func dependencies(turns []*turn) map[*turn]bool {
	d := &dependence{keys: map[string][]string{}, needs: map[string]*need{}}
	for _, t := range turns {
		if t.Operation == "CreateTable" {
			d.keys[t.table()] = keyNames(t.request)
		}
	}
	kept := map[*turn]bool{}
	last := turns[len(turns)-1]
	d.needAll(last)
	for i := len(turns) - 2; i >= 0; i-- {
		if t := turns[i]; d.matters(t) {
			kept[t] = true
			d.needOf(t)
		}
	}
	return kept
}

// need is what of a table matters: all of it, or some items.
type need struct {
	all   bool
	items map[string]bool
}

type dependence struct {
	keys  map[string][]string // key attributes by table
	needs map[string]*need
	ids   []string // texts in the requests that matter, outside of items
}

// touched is an item that a request reads or writes.
type touched struct {
	table, key string // key "": one that isn't known
}

func (d *dependence) of(table string, item *node) touched {
	w := &watch{keys: d.keys[table]}
	if len(w.keys) == 0 || item == nil || item.kind != objectNode {
		return touched{table: table}
	}
	return touched{table, w.key(item)}
}

// items lists the items of a request about single items. ok is false for one about tables as a whole.
func (d *dependence) items(t *turn) (out []touched, ok bool) {
	q := t.request
	switch t.Operation {
	case "PutItem":
		return []touched{d.of(t.table(), q.member("Item"))}, true
	case "GetItem", "UpdateItem", "DeleteItem":
		return []touched{d.of(t.table(), q.member("Key"))}, true
	case "BatchGetItem", "BatchWriteItem":
		byTable := q.member("RequestItems")
		if byTable == nil || byTable.kind != objectNode {
			return nil, false
		}
		for i, name := range byTable.names {
			entries := byTable.list[i]
			if keys := entries.member("Keys"); keys != nil {
				entries = keys
			}
			for _, e := range entries.list {
				if t.Operation == "BatchWriteItem" && len(e.list) == 1 && len(e.list[0].list) == 1 {
					e = e.list[0].list[0]
				}
				out = append(out, d.of(ofTable(name), e))
			}
		}
		return out, true
	case "TransactGetItems", "TransactWriteItems":
		actions := q.member("TransactItems")
		if actions == nil {
			return nil, false
		}
		for _, e := range actions.list {
			for _, action := range e.list {
				name, _ := action.member("TableName").str()
				item := action.member("Key")
				if item == nil {
					item = action.member("Item")
				}
				out = append(out, d.of(ofTable(name), item))
			}
		}
		return out, true
	}
	return nil, false
}

// needAll notes what a request is about.
func (d *dependence) needAll(t *turn) {
	items, ok := d.items(t)
	for _, name := range t.tables {
		n := d.needs[name]
		if n == nil {
			n = &need{items: map[string]bool{}}
			d.needs[name] = n
		}
		n.all = n.all || !ok
	}
	for _, it := range items {
		if n := d.needs[it.table]; n != nil {
			n.all = n.all || it.key == ""
			n.items[it.key] = true
		}
	}
	d.ids = append(d.ids, textsOf(t.request)...)
}

// needOf notes what a request that matters depends on itself. An item that it wrote as a whole doesn't matter before it.
func (d *dependence) needOf(t *turn) {
	d.needAll(t)
	if t.Operation != "PutItem" && t.Operation != "DeleteItem" || t.request.member("ConditionExpression") != nil || t.request.member("Expected") != nil {
		return
	}
	if items, ok := d.items(t); ok && items[0].key != "" && !d.needs[t.table()].all {
		delete(d.needs[t.table()].items, items[0].key)
	}
}

// matters reports whether what is needed may depend on a request.
func (d *dependence) matters(t *turn) bool {
	switch t.Operation {
	case "CreateTable", "UpdateTable", "DeleteTable", "UpdateTimeToLive", "TagResource", "UntagResource", "UpdateContinuousBackups":
		return slices.ContainsFunc(t.tables, func(name string) bool { return d.needs[name] != nil })
	}
	if slices.ContainsFunc(idsOf(t), func(id string) bool { return slices.Contains(d.ids, id) }) {
		return true
	}
	if !t.Assumed && !t.succeeded() || !writes(t) {
		return false
	}
	items, ok := d.items(t)
	for _, name := range t.tables {
		if n := d.needs[name]; n != nil && (n.all || !ok) {
			return true
		}
	}
	return slices.ContainsFunc(items, func(it touched) bool {
		n := d.needs[it.table]
		return n != nil && (it.key == "" || n.items[it.key])
	})
}

// writes reports whether a request may change items.
func writes(t *turn) bool {
	switch t.Operation {
	case "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems":
		return true
	case "ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction":
		return !onlySelects(t.request)
	}
	return false
}

// textsOf lists the texts of a request outside of items.
func textsOf(n *node) []string {
	var out []string
	if n == nil {
		return nil
	}
	if n.kind == stringNode {
		return []string{n.text}
	}
	for i, v := range n.list {
		if n.kind == objectNode && slices.Contains(itemMembers, n.names[i]) {
			continue
		}
		out = append(out, textsOf(v)...)
	}
	return out
}

// idsOf lists the ids that an answer gives.
func idsOf(t *turn) []string {
	var out []string
	var walk func(name string, n *node)
	walk = func(name string, n *node) {
		if n == nil {
			return
		}
		if _, ok := isVolatile(name, n.text); n.kind == stringNode && len(n.text) > 3 && (ok || slices.Contains(tokenNames, name)) {
			out = append(out, n.text)
		}
		for i, v := range n.list {
			if n.kind == objectNode {
				name = n.names[i]
			}
			walk(name, v)
		}
	}
	walk("", t.response)
	return out
}
