// Package archtest keeps the shape of the project: its tests fail when a package imports what it must not, and when
// code breaks one of the house rules that a machine can see. The rules and their reasons are in the tests.
package archtest
