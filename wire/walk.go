package wire

import (
	"strconv"

	"github.com/dynalite-go/dynalite/api"
)

// Stages of the constraint layers, see api.Violation. Most constraints are reported together, in stageMain.
const (
	stageName  = 1 // what is reported before anything else: table names
	stageEarly = 2
	stageMain  = 3
	stageLate  = 4
)

// maxFound bounds the violations that are collected. More than api.MaxViolations are needed, since only one
// stage is printed.
const maxFound = 64

// walker walks a request's constraints and keeps the broken ones.
type walker struct {
	path  []step
	found []api.Violation
}

// step leads from a structure or collection to a part of it.
type step struct {
	kind stepKind
	name string // of a member or map entry
	n    int    // of a list element, from 1
}

type stepKind uint8

const (
	toMember stepKind = iota
	toElement
	toEntry
)

func (w *walker) push(s step) { w.path = append(w.path, s) }
func (w *walker) pop()        { w.path = w.path[:len(w.path)-1] }
func (w *walker) full() bool  { return len(w.found) >= maxFound }

// fail records a broken rule of the current member. dump prints the value that broke it; it is called only for
// wordings that echo the value.
func (w *walker) fail(r *rule, dump func(dst []byte) []byte) {
	if w.full() {
		return
	}
	v := api.Violation{
		Stage:        r.stage,
		CurrentStage: r.currentStage,
		Missing:      r.kind == ruleRequired,
		Whole:        r.whole != "",
		Bare:         r.current == wordNameless,
	}
	switch {
	case r.whole != "":
		v.Text = r.whole
	case r.classic == wordQuiet:
		v.Text = string(w.entry(nil, nil, r.text))
	default:
		v.Text = string(w.entry(nil, dump, r.text))
	}
	switch {
	case r.current == wordNameless:
		v.Current = "Failed to satisfy constraint: " + r.currentText
	case r.current == wordQuiet:
		v.Current = string(w.entry(nil, nil, r.text))
	case r.whole != "":
		v.Current = string(w.entry(nil, dump, r.text))
	}
	w.found = append(w.found, v)
}

// entry prints one entry of a constraint message. Without dump it names the members in their own case and leaves
// the value out.
func (w *walker) entry(dst []byte, dump func([]byte) []byte, text string) []byte {
	dst = append(dst, "Value "...)
	if dump != nil {
		dst = append(dump(dst), ' ')
	}
	dst = append(dst, "at '"...)
	for i := range w.path {
		if i > 0 {
			dst = append(dst, '.')
		}
		dst = w.path[i].append(dst, dump == nil)
	}
	dst = append(dst, "' failed to satisfy constraint: "...)
	return append(dst, text...)
}

// append prints a step: members have their first letter lowered unless cased is set.
func (s *step) append(dst []byte, cased bool) []byte {
	switch s.kind {
	case toElement:
		return append(strconv.AppendInt(dst, int64(s.n), 10), ".member"...)
	case toEntry:
		return append(append(dst, s.name...), ".member"...)
	}
	if cased {
		return append(dst, s.name...)
	}
	return append(dst, lowerFirst(s.name)...)
}
