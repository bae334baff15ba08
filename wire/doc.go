// Package wire turns the JSON text of DynamoDB requests into the inputs of package api and prints its outputs.
//
// Every shape of the service has one table: its members in model order, each with the place it is decoded to and
// with its constraints. One engine decodes by the table, one walks the constraints. A new operation needs a table
// and the three lines that name it.
//
// What the package promises:
//
//   - Decode functions read a body once and allocate nothing that can be avoided: strings alias the body. Their
//     errors are *coral.SyntaxError and *coral.TypeError; SerializationError makes the service's error of them.
//   - A wrong JSON type is reported for the first member in model order, depth first, wherever it stands in the
//     document; malformed JSON anywhere wins over that (behaviours/01 §1.4).
//   - A JSON null counts as absent and unknown members are ignored. A member that occurs twice is malformed: the
//     service's answer to it is unknown, and no client sends it on purpose.
//   - Faults of attribute values are no errors here. They wait in the input for the check that reports them.
//   - Check functions report the broken member constraints in the order of the service, in both wordings.
//   - Append functions print an output as the service does and never fail.
//
// The package may change from version to version; the stable API is the root package.
package wire
