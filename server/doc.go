// Package server is the HTTP front end of the emulator: it speaks DynamoDB's JSON protocol over any http.Server, or
// without one.
//
// A Handler answers as the service's own front end does, check by check (behaviours/01 §1.1): size of body and
// headers, health page and CORS, method and content type, JSON syntax, target, form of the signature, and then the
// operation's own decoding, constraints, checks and run. Any well-formed signature is accepted. Whatever bytes come
// in, the answer is the service's error or a 4xx status.
//
// It holds no data: each request asks for the engine that serves it. It starts no goroutines.
//
// The package may change from version to version; the stable API is the root package.
package server
