// Package engine is the database: tables and their life cycle, items, indexes,
// queries, batches, transactions and what they cost.
//
// It takes commands (Put, Query, TransactWrite, …), which package request
// compiles from API inputs, so nothing unchecked gets in: items are canonical,
// expressions are compiled, table names are bare. It answers with the outputs
// and the errors of package api. Whatever needs the key schema, the indexes or
// the stored item is decided here, in the order in which the service decides
// it (behaviours/06 §6.5, 07 §7.1, 08 §8.3).
//
// # Shape
//
// An Engine holds Regions, one for each account and region that was spoken
// to. A Region has a catalog of Tables. A Table has a ring, which assigns hash
// positions to partitions, and the partitions hold rows in B-trees (package
// store). Entries of a local secondary index stand in the partition of their
// item and change under its lock; a global secondary index has a ring and
// partitions of its own. Entries point to the whole item, and what an index
// does not project is left out when it is read.
//
// # Locks
//
// A goroutine takes a lock only when it holds none that comes later:
//
//  1. Engine.mu: the regions.
//  2. Region.mu: the catalog, from name to table.
//  3. Table.mu, by table number: schema, status, ring, indexes. Operations on
//     items hold it for reading to their end, changes of the table and Fork
//     hold it for writing. An operation over several tables takes it once for
//     each, since a second read lock behind a waiting writer deadlocks.
//  4. Partitions of base tables, by table number, then by hash range. A
//     transaction holds all of its own at once.
//  5. Partitions of global secondary indexes, one at a time.
//  6. Leaves: the table of transaction tokens, the list of streams, then one
//     stream.
//
// Under a lock of 4 and below rows are found, conditions and updates are
// evaluated, trees are changed. Nothing is decoded, compiled or encoded there,
// nothing is logged, and no code of the user runs.
//
// The package is importable, but not part of the project's compatibility
// promise.
package engine
