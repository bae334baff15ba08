package conformance

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed rows.txt
var rowsText string

// Row is one statement of the reference about the service: a row of a table, or a remark with a mark.
type Row struct {
	ID   string // section and number, such as "3.1.4"
	File string // "behaviours/03"
	Mark string // source of the statement, such as "C601"; "U" when nothing confirms it
	Name string // in a few words
}

// Unconfirmed reports whether no recording of the service backs the row.
func (r Row) Unconfirmed() bool { return r.Mark == "U" }

// Provenance says where the row comes from: "behaviours/03 §3.1 [C601]".
func (r Row) Provenance() string {
	section := r.ID[:strings.LastIndexByte(r.ID, '.')]
	return fmt.Sprintf("%s §%s [%s]", r.File, strings.TrimLeft(section, "LWAS"), r.Mark)
}

var rowPattern = lazyRegexp(`^[LWAS]?[0-9]+(\.[0-9]+)*\.[0-9]+[a-z]?$`)

// Rows lists the statements of the reference in its order.
func Rows() ([]Row, error) { return parseRows("rows.txt", rowsText) }

var rowIndex = sync.OnceValue(func() map[string]Row {
	index := map[string]Row{}
	rows, _ := Rows() // an error is found by the tests, and by Cover
	for _, r := range rows {
		index[r.ID] = r
	}
	return index
})

func rowByID(id string) (Row, bool) {
	r, ok := rowIndex()[id]
	return r, ok
}

// parseRows reads lines of the form "file behaviours/03" and "3.1.4 C601 what it says".
func parseRows(file, text string) ([]Row, error) {
	var rows []Row
	source := ""
	seen := map[string]bool{}
	lines, err := splitLines(file, text)
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		if strings.HasPrefix(l.text, "#") {
			continue
		}
		f := strings.Fields(l.text)
		switch {
		case f[0] == "file" && len(f) == 2:
			source = f[1]
		case len(f) >= 3 && rowPattern().MatchString(f[0]) && source != "" && !seen[f[0]]:
			seen[f[0]] = true
			rows = append(rows, Row{f[0], source, f[1], strings.Join(f[2:], " ")})
		default:
			return nil, &FormatError{file, l.no, "want a new id, a mark and a name below a file line"}
		}
	}
	return rows, nil
}

// Coverage tells how many rows of one file of the reference have a case.
type Coverage struct {
	File          string
	Rows, Covered int
	Open          []Row // without a case
}

// Cover counts the rows that the cases of scripts name. An unknown id is an error.
func Cover(scripts []*Script) ([]Coverage, error) {
	rows, err := Rows()
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, r := range rows {
		known[r.ID] = true
	}
	covered := map[string]bool{}
	for _, s := range scripts {
		all, err := instances(s)
		if err != nil {
			return nil, err
		}
		for _, x := range all {
			for _, id := range x.rows {
				if !known[id] {
					return nil, &FormatError{s.Name + ".txt", x.c.Line, fmt.Sprintf("row %s is not in rows.txt", id)}
				}
				covered[id] = true
			}
		}
	}
	var out []Coverage
	for _, r := range rows {
		i := slices.IndexFunc(out, func(c Coverage) bool { return c.File == r.File })
		if i < 0 {
			i = len(out)
			out = append(out, Coverage{File: r.File})
		}
		out[i].Rows++
		if covered[r.ID] {
			out[i].Covered++
		} else {
			out[i].Open = append(out[i].Open, r)
		}
	}
	return out, nil
}
