// Package api holds the operations of the DynamoDB service as plain data: inputs, outputs, enumerations, limits
// and the service error. It decides nothing; wire fills the inputs and prints the outputs, request checks the
// inputs, engine makes the outputs.
//
// Conventions, the same in every shape:
//
//   - An optional scalar is a struct with a Set flag (String, Int, Bool, Float, Time). A JSON null counts as absent.
//   - An enumeration stays a String in an input, because a constraint echoes what was sent. request turns it into
//     one of the small types of enums.go.
//   - A list or map is a slice, in the order of the document. Nil means that the member was absent; an empty
//     slice that is not nil means that it was sent empty.
//   - A structure inside another is a pointer, nil when absent. Elements of lists are values.
//   - Strings of inputs may alias the request body. Whoever keeps one longer than the request clones it.
//   - Inputs of the data plane can be pooled: Reset forgets a request but keeps the slices' storage.
//
// The package may change from version to version; the stable API is the root package.
package api
