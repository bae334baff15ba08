package request

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine"
)

// digest tells two transactions under one token apart. It covers all that the request asks for but
// ReturnConsumedCapacity (behaviours/08 §8.5). Clients write maps and sets in any order, also when they say the same
// again, so order counts for actions and lists only.
func digest(in *api.TransactWriteItemsInput, cmd *engine.TransactWrite) [32]byte {
	w := digestBuffers.Get().(*digestWriter)
	defer digestBuffers.Put(w)
	w.buf = w.buf[:0]
	for i := range in.TransactItems {
		p, _ := parts(&in.TransactItems[i])
		w.buf = append(w.buf, byte(p.kind))
		w.text(cmd.Actions[i].Table)
		w.item(cmd.Actions[i].Item)
		w.optional(p.update)
		w.optional(p.condition)
		w.names(p.names)
		w.values(p.values)
		w.optional(p.onFailure)
	}
	w.optional(in.ReturnItemCollectionMetrics)
	return sha256.Sum256(w.buf)
}

var digestBuffers = sync.Pool{New: func() any { return new(digestWriter) }}

// digestWriter gathers what a digest covers. Every part tells its own length, so that no two requests run together
// to the same bytes.
type digestWriter struct{ buf []byte }

func (w *digestWriter) count(n int) { w.buf = binary.AppendUvarint(w.buf, uint64(n)) }

func (w *digestWriter) text(s string) {
	w.count(len(s))
	w.buf = append(w.buf, s...)
}

func (w *digestWriter) optional(s api.String) {
	if !s.Set {
		w.buf = append(w.buf, 0)
		return
	}
	w.buf = append(w.buf, 1)
	w.text(s.Value)
}

func (w *digestWriter) item(it *attr.Item) {
	fields := make([]attr.Field, 0, it.Len())
	for name, v := range it.All() {
		fields = append(fields, attr.Field{Name: name, Value: v})
	}
	w.fields(fields)
}

func (w *digestWriter) fields(fields []attr.Field) {
	slices.SortFunc(fields, func(a, b attr.Field) int { return strings.Compare(a.Name, b.Name) })
	w.count(len(fields))
	for _, f := range fields {
		w.text(f.Name)
		w.value(f.Value)
	}
}

func (w *digestWriter) value(v attr.Value) {
	w.buf = append(w.buf, byte(v.Type()))
	switch v.Type() {
	case attr.M:
		var fields []attr.Field
		for name, m := range v.Members() {
			fields = append(fields, attr.Field{Name: name, Value: m})
		}
		w.fields(fields)
	case attr.L:
		w.count(v.Len())
		for e := range v.Elements() {
			w.value(e)
		}
	case attr.SS, attr.NS, attr.BS:
		members := make([]string, 0, v.Len())
		for e := range v.Elements() {
			members = append(members, e.Text())
		}
		slices.Sort(members)
		w.count(len(members))
		for _, m := range members {
			w.text(m)
		}
	default:
		w.text(v.Text())
	}
}

func (w *digestWriter) names(names []api.Name) {
	sorted := slices.SortedFunc(slices.Values(names), func(a, b api.Name) int {
		return cmp.Compare(a.Placeholder, b.Placeholder)
	})
	w.count(len(sorted))
	for _, n := range sorted {
		w.text(n.Placeholder)
		w.text(n.Target)
	}
}

func (w *digestWriter) values(values []api.NamedValue) {
	sorted := slices.SortedFunc(slices.Values(values), func(a, b api.NamedValue) int {
		return cmp.Compare(a.Name, b.Name)
	})
	w.count(len(sorted))
	for _, v := range sorted {
		w.text(v.Name)
		w.value(v.Value)
	}
}
