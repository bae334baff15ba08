// Package request turns an api input into an engine command. It makes every check that needs the request alone:
// parameters that exclude each other, attribute values, placeholders, expressions, sizes. What needs a table is the
// engine's.
//
// A method of [Compiler] exists for each operation. It looks at the input in the order in which the service does
// (behaviours/01 §1.6) and returns the first fault as an *api.Error, which carries both wordings; the caller picks
// one when it prints it. Member constraints (required, length, enumeration) are package wire's and come before; an
// input that broke them gives an error or a harmless command, never a panic.
//
// A command may alias the input and the request body. It is to be run, and its output printed, before either is used
// again.
//
// The package may change from version to version; the stable API is the root package.
package request
