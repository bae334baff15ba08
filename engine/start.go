package engine

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/hashring"
)

// The checks of ExclusiveStartKey (behaviours/06 §6.6).

var (
	errStartKey       = api.Validation("The provided starting key is invalid")
	errStartKeySchema = api.Validation("The provided starting key is invalid: The provided key element does not match the schema")
	// errStartKeyScan is Scan's answer for a wrong number of members, which
	// depends on the wording.
	errStartKeyScan = &api.Error{Code: api.CodeValidation, Message: errStartKeySchema.Message, Current: errStartKey.Message}
)

// checkStartCount checks the number of members. wrong is the error for a key
// of the table.
func (s source) checkStartCount(start *attr.Item, wrong *api.Error) *api.Error {
	if start == nil {
		return nil
	}
	want := s.table.key.Len()
	if s.index != nil {
		wrong = errStartKey
		for k := range s.index.key.all {
			if !s.table.key.has(k.Name) {
				want++
			}
		}
	}
	if start.Len() != want {
		return wrong
	}
	return nil
}

// checkStartIndex checks the members that are the key of the index, for Scan.
// Query makes the same checks attribute by attribute, beside its conditions.
func (s source) checkStartIndex(start *attr.Item) *api.Error {
	if s.index == nil {
		return nil
	}
	hashes := len(s.index.key.Hash)
	i := 0
	for k := range s.index.key.all {
		if err := checkStartMember(start, k, i < hashes); err != nil {
			return err
		}
		i++
	}
	return nil
}

// checkStartMember checks one attribute of the key by which the items are read.
// A wrong type is told without the prefix that the other faults have, which the
// table in behaviours/06 §6.6 leaves out and the recordings behind it have.
func checkStartMember(start *attr.Item, k KeyAttribute, hash bool) *api.Error {
	if start == nil {
		return nil
	}
	v, ok := start.Lookup(k.Name)
	switch {
	case !ok:
		return errStartKey
	case v.Type() != k.Type:
		return errKeySchema
	}
	limit := api.MaxRangeKeyBytes
	if hash {
		limit = api.MaxHashKeyBytes
	}
	if f := checkKeyValue(k, v, limit); f != nil {
		return f.err
	}
	return nil
}

// startRow is the place of a start key in the source, as a row that need not
// exist. It checks the members that belong to the table.
func (s source) startRow(start *attr.Item) (*store.Row, *api.Error) {
	if start == nil {
		return nil, nil
	}
	var key primaryKey
	for i := range s.table.key.Len() {
		k, limit := s.table.keyAttribute(i)
		v, ok := start.Lookup(k.Name)
		if !ok || v.Type() != k.Type {
			return nil, errStartKeySchema
		}
		if f := checkKeyValue(k, v, limit); f != nil {
			return nil, api.Validation(errStartKey.Message + ": " + f.err.Message)
		}
		key.set(i, v)
	}
	row := &store.Row{PK: key.pk, SK: key.sk, Item: start}
	if s.index == nil {
		return row, nil
	}
	entry, _ := s.index.entry(row, hashring.Hash(row.PK))
	if entry == nil {
		return nil, errStartKey // an empty index key
	}
	return entry, nil
}

// checkStartInside checks that the start key lies in what the query reads.
// ranged says that the query has a condition on the sort key.
func checkStartInside(start *store.Row, plan *queryPlan, ranged bool) *api.Error {
	inside := start.SK >= plan.span.Low && (plan.span.High == "" || start.SK < plan.span.High)
	switch {
	case ranged && !inside:
		return api.Validation("The provided starting key does not match the range key predicate")
	case start.PK == plan.pk:
		return nil
	case ranged:
		return api.Validation("The query can return at most one row and cannot be restarted")
	}
	return api.Validation("The provided starting key is outside query boundaries based on provided conditions")
}
