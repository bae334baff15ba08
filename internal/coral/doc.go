// Package coral reads JSON the way the service's front end does.
//
// A Cursor walks over one JSON text, pull style: the caller says what it
// expects and gets the value, a *SyntaxError (the text is not JSON at all) or
// a *TypeError (it is JSON, but of another type) whose message is the
// service's own, see behaviours/01 §1.4. The cursor is strict: no comments, no
// trailing commas, no invalid UTF-8, and never a panic or a deep stack,
// whatever the input. Whatever it accepts, encoding/json accepts too and
// reads as the same value.
//
// A syntax error anywhere in a document wins over a type error. So a caller
// that meets a *TypeError goes back to the start of that value with Reset,
// passes over it with Skip, and reads on to the end before it reports.
package coral
