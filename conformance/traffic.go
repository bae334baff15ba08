package conformance

// This file will hold the format of captured traffic: one JSON object a line, with the time, the operation, the
// request's body and the answer's status, headers and body. Signatures and credentials are never part of it. The reader
// tells file and line of a fault, and reads what stands before a line that broke off.
