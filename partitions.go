package dynalite

import (
	"context"

	"github.com/dynalite-go/dynalite/engine"
)

// SplitPartition divides one partition of a table, counted from zero in hash order, as DynamoDB does for heat or size.
// Readers of the table's stream see a shard close and two children go on. The table is looked for in the database's
// own account and region.
//
// It fails for a table or partition that does not exist.
func (db *DB) SplitPartition(table string, partition int) error {
	return db.withRegion(func(r *engine.Region) error {
		return r.SplitPartition(context.Background(), table, partition)
	})
}

// RollShards closes the open shards of a table's stream and goes on in a child of each, as DynamoDB does every few
// hours. The table is looked for in the database's own account and region.
//
// It fails for a table that does not exist or has no stream.
func (db *DB) RollShards(table string) error {
	return db.withRegion(func(r *engine.Region) error {
		return r.RollShards(context.Background(), table)
	})
}

// Partitions is the number of partitions of a table in the database's own account and region.
func (db *DB) Partitions(table string) (n int, err error) {
	err = db.withRegion(func(r *engine.Region) error {
		n, err = r.Partitions(context.Background(), table)
		return err
	})
	return n, err
}

// withRegion runs fn on the database's own account and region.
func (db *DB) withRegion(fn func(*engine.Region) error) error {
	return db.InRegion("", "", fn)
}
