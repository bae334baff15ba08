// Package attr holds attribute values, items, document paths and keys.
//
// An item is an immutable string: its canonical DynamoDB JSON, together with
// the offsets of its top-level attributes and its size. A Value is a part of
// such a string. So an item costs three heap objects whatever it contains, is
// shared without copying by tables, indexes, streams and responses, and is
// encoded by copying its text.
//
// Canonical means: no white space; only quotes, backslashes and control
// characters are escaped, in the shortest way; numbers stand in the service's
// normal form (behaviours/03 §3.2); base64 is strict; attributes and set
// members keep the order in which they arrived; no name and no set member
// occurs twice. Two scalars are equal exactly when their texts are.
//
// Everything in the package is safe for concurrent use except a Decoder, and
// nothing panics on any input. The package is importable, but may change.
package attr
