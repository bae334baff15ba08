// Package expr reads, checks and runs DynamoDB's expressions: condition,
// filter, key condition, update and projection.
//
// An expression goes through four stages, each with its own type:
//
//	text     -> tokens              lex.go, with byte positions
//	tokens   -> tree                parse*.go, syntax faults
//	tree     -> program             check.go, compile.go: faults that no placeholder can mend
//	program  -> Predicate, KeyCondition, Update or Projection
//	                                bind: placeholders, operand types, paths
//
// The first three depend on the text alone. A [Cache] keeps their result, so
// that a client which sends the same text again pays only for the last stage.
// Faults are found in the service's own order (behaviours/04) and carry its
// exact text.
//
// Programs and what is bound from them are immutable and safe for concurrent
// use. A bound expression aliases the placeholder maps it was bound with and
// must not outlive them. Running one is pure: no locks, no maps, no
// reflection, and in the common case no allocation.
//
// The legacy request parameters (behaviours/05) are built from the
// constructors in legacy.go and run on the same evaluator.
//
// The package knows nothing of tables: what needs a key schema is the
// engine's. It is importable, but not part of the project's compatibility
// promise.
package expr
