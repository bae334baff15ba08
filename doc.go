// Package dynalite is an in-memory DynamoDB for tests and development. It runs inside the process that uses it, and
// any DynamoDB client talks to it: through an http.RoundTripper without a socket, through an http.Handler, or over
// HTTP on an address of your choice.
//
// A test starts a database and has it closed at its end:
//
//	func TestOrders(t *testing.T) {
//		db := dynalite.Start(t)
//		client := dynalitetest.Client(t, db) // a *dynamodb.Client of aws-sdk-go-v2
//		...
//	}
//
// Package dynalitetest makes clients of the official SDK. This package doesn't import the SDK: whoever uses another
// client gives it Transport or the URL that Listen returns.
//
// Any number of databases can live in one process; nothing is global. Accounts and regions are separate worlds
// inside one database: the account is the access key id if that is twelve digits, the region is that of the
// signature. Any well-formed signature is accepted.
//
// Time comes from package clock. With a manual clock a test decides what time it is, and with the real one a test
// inside a testing/synctest bubble does, since Transport starts no goroutine and opens no socket.
//
// This package, clock and fault are the project's stable API.
package dynalite
