package request

import (
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
	defer w.release()
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
// to the same bytes. The stacks are scratch space for sorting; each level of nesting uses their ends.
type digestWriter struct {
	buf     []byte
	fields  []attr.Field
	members []string
}

// release returns the writer to the pool, without what it knows of the request.
func (w *digestWriter) release() {
	clear(w.fields[:cap(w.fields)])
	clear(w.members[:cap(w.members)])
	w.buf = w.buf[:0]
	if cap(w.buf) <= maxPooledDigest {
		digestBuffers.Put(w)
	}
}

// maxPooledDigest keeps the buffers of rare large transactions out of the pool.
const maxPooledDigest = 256 << 10

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
	base := len(w.fields)
	for i := range it.Len() {
		name, v := it.At(i)
		w.fields = append(w.fields, attr.Field{Name: name, Value: v})
	}
	w.sorted(base)
}

// sorted writes the fields from base on, and takes them off the stack.
func (w *digestWriter) sorted(base int) {
	slices.SortFunc(w.fields[base:], func(a, b attr.Field) int { return strings.Compare(a.Name, b.Name) })
	end := len(w.fields)
	w.count(end - base)
	for i := base; i < end; i++ {
		w.text(w.fields[i].Name)
		w.value(w.fields[i].Value)
	}
	w.fields = w.fields[:base]
}

func (w *digestWriter) value(v attr.Value) {
	w.buf = append(w.buf, byte(v.Type()))
	switch v.Type() {
	case attr.M:
		base := len(w.fields)
		for name, m := range v.Members() {
			w.fields = append(w.fields, attr.Field{Name: name, Value: m})
		}
		w.sorted(base)
	case attr.L:
		w.count(v.Len())
		for e := range v.Elements() {
			w.value(e)
		}
	case attr.SS, attr.NS, attr.BS:
		w.set(v)
	default:
		w.text(v.Text())
	}
}

func (w *digestWriter) set(v attr.Value) {
	w.members = w.members[:0]
	for e := range v.Elements() {
		w.members = append(w.members, e.Text())
	}
	slices.Sort(w.members)
	w.count(len(w.members))
	for _, m := range w.members {
		w.text(m)
	}
}

func (w *digestWriter) names(names []api.Name) {
	w.count(len(names))
	if len(names) == 0 {
		return
	}
	sorted := slices.Clone(names)
	slices.SortFunc(sorted, func(a, b api.Name) int { return strings.Compare(a.Placeholder, b.Placeholder) })
	for _, n := range sorted {
		w.text(n.Placeholder)
		w.text(n.Target)
	}
}

func (w *digestWriter) values(values []api.NamedValue) {
	base := len(w.fields)
	for i := range values {
		w.fields = append(w.fields, attr.Field{Name: values[i].Name, Value: values[i].Value})
	}
	w.sorted(base)
}
