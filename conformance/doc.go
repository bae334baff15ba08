// Package conformance holds an endpoint against what DynamoDB does.
//
// Its cases are text files under cases/: tables, requests and the answers that the service gives, each with its
// provenance. README.md describes their format, so that a stranger can add one. Parse reads and checks a file, Format
// prints it.
//
// Run runs all cases as subtests of a Go test, against any Target: an http.RoundTripper, a URL, or the service itself.
// A Runner does the same for a program and makes a Report as text, JSON, JUnit XML or Markdown. Whatever an endpoint
// does, each case ends by its deadline with a result, and the tables that a run made are deleted, also when it is
// interrupted.
//
// Expectations never come from the endpoint that is tested. Recording them, from a target that is declared the truth,
// is a run of its own.
//
// What an application and an endpoint say to each other is captured by a Proxy, as Traffic. Replay sends it to another
// endpoint, Minimize reduces it to what it takes to differ, CaseOf makes a case file of it.
//
// The package may change from version to version.
package conformance
