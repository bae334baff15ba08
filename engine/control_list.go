package engine

import (
	"context"
	"slices"

	"github.com/dynalite-go/dynalite/api"
)

// ListTables is ListTables as a command.
type ListTables struct {
	Start string // names after this one; "": from the first
	Limit int    // at most so many names, 1 to 100
}

// ListTables lists the names of tables in byte order, those that are being
// created or deleted included. It never fails.
func (r *Region) ListTables(ctx context.Context, cmd *ListTables) (*api.ListTablesOutput, error) {
	out := &api.ListTablesOutput{TableNames: r.names(cmd.Start)}
	if cmd.Limit > 0 && len(out.TableNames) > cmd.Limit {
		out.TableNames = out.TableNames[:cmd.Limit]
		out.LastEvaluatedTableName = out.TableNames[cmd.Limit-1]
	}
	return out, nil
}

// names lists the tables behind a name, in order.
func (r *Region) names(start string) []string {
	r.mu.RLock()
	tables := make([]*Table, 0, len(r.tables))
	for name, t := range r.tables {
		if name > start {
			tables = append(tables, t)
		}
	}
	r.mu.RUnlock()
	names := make([]string, 0, len(tables))
	for _, t := range tables {
		if !r.isGone(t) {
			names = append(names, t.name)
		}
	}
	slices.Sort(names)
	return names
}

// isGone reports whether the deletion of a table is over. Without a delay a
// deleted table leaves the catalog at once, and no lock is taken here.
func (r *Region) isGone(t *Table) bool {
	if r.engine.opts.CreateDelay == 0 {
		return false
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.settings.gone(r.now())
}
