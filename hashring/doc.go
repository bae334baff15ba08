// Package hashring places partition keys in DynamoDB's hash space.
//
// A key hashes to a Position; partitions own contiguous ranges of positions,
// and so do the segments of a parallel scan. The package is pure: it knows no
// tables, locks or clocks, and its answers are the same on every run and
// machine.
//
// It is importable, but not part of the project's compatibility promise.
package hashring
