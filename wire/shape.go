package wire

import (
	"strings"
	"sync"

	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/internal/coral"

	"github.com/dynalite-go/dynalite/api"
)

// shape is the table of a structure.
type shape[T any] struct {
	name    string      // name of the type in the service's model
	members []member[T] // in model order
	report  []string    // order in which broken constraints are reported; nil means model order

	java  string // class name for errors
	order []int  // report as positions
}

// member is one row of a shape. The functions get the structure that holds the member.
type member[T any] struct {
	name   string
	decode func(d *decoder, in *T) error  // reads the value, which is not null
	check  func(w *walker, in *T)         // nil when unconstrained
	dump   func(dst []byte, in *T) []byte // the value as the service's Java code prints it
}

// newShape completes a table. It panics on a wrong report order, which any test finds.
func newShape[T any](name string, members []member[T], report ...string) *shape[T] {
	s := &shape[T]{name: name, members: members, report: report, java: coral.Package + name}
	if len(members) > 64 {
		panic("wire: " + name + " has too many members")
	}
	listed := make([]bool, len(members))
	for _, r := range report {
		i := s.index(r)
		if i < 0 || listed[i] {
			panic("wire: " + name + " has no member " + r + " to report")
		}
		listed[i] = true
		s.order = append(s.order, i)
	}
	for i := range members {
		if !listed[i] {
			s.order = append(s.order, i)
		}
	}
	return s
}

// index finds a member by its exact name. Shapes are small, so that comparing beats hashing.
func (s *shape[T]) index(name string) int {
	for i := range s.members {
		if s.members[i].name == name {
			return i
		}
	}
	return -1
}

// decode reads an object. The document is in any order, but the error of the first member in model order is the one
// to report. So a wrong type only ends the member: its value is skipped, which still finds malformed JSON.
func (s *shape[T]) decode(d *decoder, in *T) error {
	if err := d.c.BeginObject(); err != nil {
		return err
	}
	var wrong *coral.TypeError
	first, seen := len(s.members), uint64(0)
	for {
		key, ok, err := d.c.NextKey()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		i := s.index(key)
		if i < 0 {
			if err := d.c.Skip(); err != nil {
				return err
			}
			continue
		}
		null, err := d.c.ReadNull()
		if err != nil {
			return err
		}
		if null {
			continue
		}
		if seen&(1<<i) != 0 {
			return d.twice()
		}
		seen |= 1 << i
		start := d.c.Offset()
		err = s.members[i].decode(d, in)
		if err == nil {
			continue
		}
		te, ok := err.(*coral.TypeError)
		if !ok {
			return err
		}
		if i < first {
			first, wrong = i, te
		}
		d.c.Reset(start)
		if err := d.c.Skip(); err != nil {
			return err
		}
	}
	if wrong != nil {
		return wrong
	}
	return nil
}

// check reports the broken constraints of the structure's members.
func (s *shape[T]) check(w *walker, in *T) {
	for _, i := range s.order {
		if c := s.members[i].check; c != nil && !w.full() {
			c(w, in)
		}
	}
}

// dump prints the structure as Java's toString does: Type(member=value, …).
func (s *shape[T]) dump(dst []byte, in *T) []byte {
	dst = append(append(dst, s.name...), '(')
	for i := range s.members {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(append(dst, lowerFirst(s.members[i].name)...), '=')
		dst = s.members[i].dump(dst, in)
	}
	return append(dst, ')')
}

// decoder holds what decoding one request needs.
type decoder struct {
	c    coral.Cursor
	attr attr.Decoder
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// decodeBody reads a whole request body. Anything but an object is malformed.
func decodeBody[T any](text string, s *shape[T], in *T) error {
	d := decoders.Get().(*decoder)
	d.c = coral.New(text)
	err := decodeAll(d, s, in)
	d.c = coral.Cursor{}
	decoders.Put(d)
	return err
}

func decodeAll[T any](d *decoder, s *shape[T], in *T) error {
	if d.c.Peek() != coral.Object {
		return &coral.SyntaxError{Offset: d.c.Offset()}
	}
	wrong := s.decode(d, in)
	if _, ok := wrong.(*coral.TypeError); wrong != nil && !ok {
		return wrong
	}
	if err := d.c.End(); err != nil {
		return err
	}
	return wrong
}

// twice is the error of a name that an object holds twice.
func (d *decoder) twice() error { return &coral.SyntaxError{Offset: d.c.Offset()} }

var walkers = sync.Pool{New: func() any { return new(walker) }}

// checkInput walks the constraints of a request. It returns nil when none is broken.
func checkInput[T any](s *shape[T], in *T) []api.Violation {
	w := walkers.Get().(*walker)
	s.check(w, in)
	found := w.found
	w.found = nil
	clear(w.path[:cap(w.path)]) // names of map entries alias the body
	walkers.Put(w)
	return found
}

// lowerFirst lower-cases the first letter of a member's name.
func lowerFirst(name string) string {
	return strings.ToLower(name[:1]) + name[1:]
}
