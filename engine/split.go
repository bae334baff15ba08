package engine

import (
	"context"
	"fmt"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine/internal/store"
)

// SplitPartition divides one partition of a table in the middle of its hash
// range, as the service does for heat or size. Partitions count from zero, in
// hash order. The stream's shard of the partition is closed and goes on in two
// children.
//
// Errors: ResourceNotFoundException; ValidationException for a partition that
// does not exist or cannot be divided further.
func (r *Region) SplitPartition(ctx context.Context, table string, partition int) error {
	t, now, err := r.open(table)
	if err != nil {
		return err
	}
	defer t.mu.Unlock()
	if partition < 0 || partition >= len(t.parts) {
		return api.Validation(fmt.Sprintf("Table %s has no partition %d: it has %d", table, partition, len(t.parts)))
	}
	ring, ok := t.ring.Split(partition)
	if !ok {
		return api.Validation(fmt.Sprintf("Partition %d of table %s holds a single hash position", partition, table))
	}
	low, high := ring.Range(partition), ring.Range(partition+1)
	a, b := t.parts[partition].Split(store.ClassBase, t.number, low, high)
	parts := make([]*store.Partition, 0, len(t.parts)+1)
	parts = append(parts, t.parts[:partition]...)
	parts = append(parts, a, b)
	parts = append(parts, t.parts[partition+1:]...)
	t.ring, t.parts = ring, parts
	if t.log != nil {
		t.log.split(low, high, now)
	}
	return nil
}

// RollShards closes the open shards of a table's stream and goes on in one
// child of each, as the service does every few hours.
//
// Errors: ResourceNotFoundException; ValidationException for a table without a
// stream.
func (r *Region) RollShards(ctx context.Context, table string) error {
	t, now, err := r.open(table)
	if err != nil {
		return err
	}
	defer t.mu.Unlock()
	if t.log == nil {
		return api.Validation("Table has no stream: TableName: " + table)
	}
	t.log.roll(now)
	return nil
}

// Partitions is the number of partitions of a table.
//
// Errors: ResourceNotFoundException.
func (r *Region) Partitions(ctx context.Context, table string) (int, error) {
	t, _, err := r.look(table)
	if err != nil {
		return 0, err
	}
	defer t.mu.RUnlock()
	return len(t.parts), nil
}
