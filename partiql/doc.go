// Package partiql runs PartiQL statements: ExecuteStatement,
// BatchExecuteStatement and ExecuteTransaction (behaviours/09).
//
// A statement goes through these stages, each with its own type:
//
//	text       -> tokens       lex.go, with byte positions
//	tokens     -> tree         parse*.go, syntax faults
//	tree       -> Statement    lower*.go: names, paths, literals, functions
//	Statement  -> command      bind.go, plan*.go, write.go: parameters and the
//	                           key schema of the table
//
// The first three depend on the text alone; an [Executor] keeps their result
// in a bounded cache. The last one yields the commands of the native API, so
// there is no second executor: a whole primary key becomes an engine.Get, an
// equality on the partition key an engine.Query, several of them several
// queries, everything else an engine.Scan. Conditions become predicates of
// package expr and run on its evaluator.
//
// The parser reads the grammar of the open PartiQL parser that the service
// uses, because its refusals are told by where that parser stops.
//
// A page of a SELECT ends in an opaque token that holds all there is to know
// to go on, so tokens outlive the client and the server.
//
// The package is importable, but not part of the project's compatibility
// promise.
package partiql
