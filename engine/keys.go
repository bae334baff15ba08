package engine

import (
	"slices"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/expr"
	"github.com/dynalite-go/dynalite/hashring"
)

// primaryKey is an item's place in a table.
type primaryKey struct {
	pos    hashring.Position
	pk, sk string     // order-preserving form; sk is empty without a sort key
	source *attr.Item // what the key was read from; pk and sk may be parts of its text
}

// invalidParameter is the prefix of most errors about values.
const invalidParameter = "One or more parameter values were invalid: "

var errKeySchema = api.Validation("The provided key element does not match the schema")

// keyFault is an error about the key of a request. In a transaction most of
// them cancel it (behaviours/08 §8.4); the others are answered at once.
type keyFault struct {
	err      *api.Error
	topLevel bool
}

// keyOfItem checks and encodes the key of an item that is to be written
// (behaviours/03 §3.3, put-shaped).
func (t *Table) keyOfItem(item *attr.Item) (primaryKey, *keyFault) {
	key := primaryKey{source: item}
	for i := range t.key.Len() {
		k, max := t.keyAttribute(i)
		v, ok := item.Lookup(k.Name)
		if !ok {
			return key, &keyFault{err: api.Validation(invalidParameter + "Missing the key " + k.Name + " in the item")}
		}
		if v.Type() != k.Type {
			return key, &keyFault{err: api.Validation(invalidParameter + "Type mismatch for key " + k.Name +
				" expected: " + k.Type.String() + " actual: " + v.Type().String())}
		}
		if f := checkKeyValue(k, v, max); f != nil {
			return key, f
		}
		key.set(i, v)
	}
	key.pos = hashring.Hash(key.pk)
	return key, nil
}

// keyOfKey checks and encodes a Key member (behaviours/03 §3.3, key-shaped).
func (t *Table) keyOfKey(item *attr.Item) (primaryKey, *keyFault) {
	key := primaryKey{source: item}
	if item.Len() != t.key.Len() {
		return key, &keyFault{err: errKeySchema}
	}
	for i := range t.key.Len() {
		k, max := t.keyAttribute(i)
		v, ok := item.Lookup(k.Name)
		if !ok || v.Type() != k.Type {
			return key, &keyFault{err: errKeySchema}
		}
		if f := checkKeyValue(k, v, max); f != nil {
			return key, f
		}
		key.set(i, v)
	}
	key.pos = hashring.Hash(key.pk)
	return key, nil
}

// keyAttribute is the i-th attribute of the primary key and the most bytes it
// may have.
func (t *Table) keyAttribute(i int) (KeyAttribute, int) {
	if i == 0 {
		return t.key.Hash[0], api.MaxHashKeyBytes
	}
	return t.key.Range[0], api.MaxRangeKeyBytes
}

func (key *primaryKey) set(i int, v attr.Value) {
	if i == 0 {
		key.pk = attr.Key(v)
		return
	}
	key.sk = attr.Key(v)
}

// checkKeyValue refuses a key value that is empty or too long. The value has
// the type of the schema.
func checkKeyValue(k KeyAttribute, v attr.Value, max int) *keyFault {
	switch n := attr.KeyBytes(v); {
	case n == 0:
		return &keyFault{topLevel: true, err: api.Validation("One or more parameter values are not valid. " +
			"The AttributeValue for a key attribute cannot contain an empty " + emptyKind(v) + " value. Key: " + k.Name)}
	case n > max:
		return &keyFault{err: errKeySize(max)}
	}
	return nil
}

func emptyKind(v attr.Value) string {
	if v.Type() == attr.B {
		return "binary"
	}
	return "string"
}

// errKeySize is the error for a key value above its limit. The missing space
// is the service's.
func errKeySize(max int) *api.Error {
	if max == api.MaxHashKeyBytes {
		return api.Validation(invalidParameter + "Size of hashkey has exceeded the maximum size limit of2048 bytes")
	}
	return api.Validation(invalidParameter + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
}

// tooLarge reports whether an item is over the size limit together with its
// entries in local secondary indexes (limits.md §3). Package request has seen
// to items without them.
func (t *Table) tooLarge(item *attr.Item) bool {
	size := item.Size()
	for _, ix := range t.locals {
		if ix.fits(item) {
			size += ix.size(item)
		}
	}
	return size > api.MaxItemBytes
}

// checkIndexKeys refuses an item whose attributes do not fit the keys of the
// indexes (behaviours/03 §3.4, writes of whole items), or which is too large
// together with its entries in local ones.
func (t *Table) checkIndexKeys(item *attr.Item) *keyFault {
	for i := range t.checks {
		c := &t.checks[i]
		v, ok := item.Lookup(c.key.Name)
		if !ok {
			continue
		}
		if f := c.check(v); f != nil {
			return f
		}
	}
	if len(t.locals) > 0 && t.tooLarge(item) {
		return &keyFault{topLevel: true, err: api.Validation("Item size has exceeded the maximum allowed size")}
	}
	return nil
}

func (c *indexKeyCheck) check(v attr.Value) *keyFault {
	if v.Type() != c.key.Type {
		return &keyFault{err: c.mismatch(v.Type())}
	}
	n := attr.KeyBytes(v)
	if n == 0 {
		return &keyFault{topLevel: true, err: api.Validation("One or more parameter values are not valid. " +
			"A value specified for a secondary index key is not supported. The AttributeValue for a key attribute " +
			"cannot contain an empty " + emptyKind(v) + " value. IndexName: " + c.index + ", IndexKey: " + c.key.Name)}
	}
	if max := c.max(); n > max {
		// That such a write is refused is known, its text is not; this is
		// the one for table keys.
		return &keyFault{err: errKeySize(max)}
	}
	return nil
}

func (c *indexKeyCheck) max() int {
	if c.hash {
		return api.MaxHashKeyBytes
	}
	return api.MaxRangeKeyBytes
}

func (c *indexKeyCheck) mismatch(actual attr.Type) *api.Error {
	return api.Validation(invalidParameter + "Type mismatch for Index Key " + c.key.Name + " Expected: " + c.key.Type.String() +
		" Actual: " + actual.String() + " IndexName: " + c.index)
}

// checkUpdate refuses an update, before the item is read, that writes a key
// attribute, gives an index key a literal of the wrong type, or goes below a
// key (behaviours/04 §4.8 rows 11 and 12).
func (t *Table) checkUpdate(u *expr.Update) *api.Error {
	if u == nil {
		return nil
	}
	for _, path := range u.Targets() {
		if name := path[0].Name(); t.key.has(name) {
			return api.Validation(invalidParameter + "Cannot update attribute " + name + ". This attribute is part of the key")
		}
	}
	for i := range t.checks {
		c := &t.checks[i]
		for name, typ := range u.KnownTypes() {
			if c.key.Name == name && typ != c.key.Type {
				return c.mismatch(typ)
			}
		}
	}
	for i := range t.checks {
		c := &t.checks[i]
		for name, v := range u.Literals() {
			if c.key.Name == name && attr.KeyBytes(v) == 0 {
				return errUpdateEmptyKey(v)
			}
		}
	}
	return t.checkNested(u.Paths())
}

func errUpdateEmptyKey(v attr.Value) *api.Error {
	return api.Validation("One or more parameter values are not valid. The update expression attempted to update a secondary " +
		"index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty " +
		emptyKind(v) + " value.")
}

// checkUpdatedKeys refuses the result of an update whose new values do not fit
// the keys of the indexes. Only what the update changed is judged, since an
// item may be older than an index.
func (t *Table) checkUpdatedKeys(old, new *attr.Item) *api.Error {
	for i := range t.checks {
		c := &t.checks[i]
		v, ok := new.Lookup(c.key.Name)
		if !ok {
			continue
		}
		if before, had := old.Lookup(c.key.Name); had && before.Text() == v.Text() {
			continue
		}
		if v.Type() != c.key.Type {
			return api.Validation("The update expression attempted to update the secondary index key to unsupported type")
		}
		n := attr.KeyBytes(v)
		if n == 0 {
			return errUpdateEmptyKey(v)
		}
		if max := c.max(); n > max {
			return errKeySize(max)
		}
	}
	return nil
}

// projectKey is the item that holds the primary key of an item and the key
// attributes of an index, if one is given. It is what cursors show.
func (t *Table) projectKey(item *attr.Item, ix *index) *attr.Item {
	if ix == nil {
		return projectSchema(item, t.key)
	}
	return projectSchema(item, t.key, ix.key)
}

// projectSchema is the item that holds the key attributes of an item.
func projectSchema(item *attr.Item, schemas ...KeySchema) *attr.Item {
	fields := make([]attr.Field, 0, 4)
	for _, s := range schemas {
		for k := range s.all {
			if slices.ContainsFunc(fields, func(f attr.Field) bool { return f.Name == k.Name }) {
				continue
			}
			if v, ok := item.Lookup(k.Name); ok {
				fields = append(fields, attr.Field{Name: k.Name, Value: v})
			}
		}
	}
	return attr.NewItem(fields...)
}

// checkNested refuses a path that goes below a key attribute of the table or
// of one of its indexes (behaviours/04 §4.7).
func (t *Table) checkNested(paths []attr.Path) *api.Error {
	for _, p := range paths {
		if len(p) < 2 {
			continue
		}
		kind := ""
		switch name := p[0].Name(); {
		case t.key.has(name):
			kind = "Key: " + name
		case slices.ContainsFunc(t.checks, func(c indexKeyCheck) bool { return c.key.Name == name }):
			kind = "IndexKey: " + name
		default:
			continue
		}
		return api.Validation("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: " + kind)
	}
	return nil
}

// checkCondition refuses a condition or filter that goes below a key
// attribute.
func (t *Table) checkCondition(p *expr.Predicate) *api.Error {
	if p == nil {
		return nil
	}
	return t.checkNested(p.Paths())
}

// checkProjection refuses a projection that goes below a key attribute.
func (t *Table) checkProjection(p *expr.Projection) *api.Error {
	if p == nil {
		return nil
	}
	return t.checkNested(p.Paths)
}

// findRow is the stored row of a key, or nil. The caller holds the
// partition's lock.
func findRow(p *store.Partition, key primaryKey) *store.Row {
	return p.Items.Get(key.pos, key.pk, key.sk)
}

// itemOf is the row's item, or nil without a row.
func itemOf(row *store.Row) *attr.Item {
	if row == nil {
		return nil
	}
	return row.Item
}
