package engine

// Schema is how a table, or an index of it, is keyed. Whoever plans commands
// from a statement needs it; the commands check the schema again, so that it
// may be out of date.
type Schema struct {
	// Key is the key of the table. It must not be changed.
	Key KeySchema
	// Index is the index that was asked for, nil when there is no such index.
	Index *IndexSchema
}

// IndexSchema is how a secondary index is keyed and what it holds.
type IndexSchema struct {
	// Key is the key of the index. It must not be changed.
	Key KeySchema
	// Global tells a global index from a local one.
	Global bool

	index *index
}

// Projects reports whether the index holds a top-level attribute.
func (s *IndexSchema) Projects(name string) bool { return s.index.projects(name) }

// Schema returns the schema of a table, and of one of its indexes unless
// index is empty. The error is the ResourceNotFoundException of operations on
// items.
func (r *Region) Schema(table, index string) (Schema, error) {
	t, err := r.table(table)
	if err != nil {
		return Schema{}, err
	}
	defer t.mu.RUnlock()
	s := Schema{Key: t.key}
	if index != "" {
		// What Projects reads of an index is fixed at its creation.
		if ix := t.index(index); ix != nil {
			s.Index = &IndexSchema{Key: ix.key, Global: ix.global(), index: ix}
		}
	}
	return s, nil
}
