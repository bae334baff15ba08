package api

import (
	"strconv"

	"github.com/dynalite-go/dynalite/attr"
)

// Error is an error that the service answers with. A check builds it once with both of its texts; which one is
// printed depends on the operation and the wording (Profile).
type Error struct {
	Code    string // exception name, "ValidationException"
	Message string // classic text
	Current string // current text, "" when it is the classic one

	// Envelope says that an operation with an enveloping profile puts "1 validation error detected: " before the
	// text. Faults of values and expressions carry it, faults of keys, paths and sizes do not (behaviours/03 §3.1).
	Envelope bool

	// Violations are member constraints. When there are any, the text is made from them.
	Violations []Violation

	Item       *attr.Item           // stored item, of a ConditionalCheckFailedException with ALL_OLD
	Reasons    []CancellationReason // of a TransactionCanceledException, one per action in order
	Throttling []ThrottlingReason   // of the throttling exceptions
}

// ThrottlingReason says what was throttled. Resource is the ARN of the table or index.
type ThrottlingReason struct {
	Reason   string
	Resource string
}

// Violation is one member constraint that a request broke.
//
// A layer of the service may check in stages and stop after the first stage with a finding: then only the
// violations of the lowest stage present are printed (behaviours/01 §1.5, "stop-early rules"). A request that lacks a
// required member never reaches the current layer, so one Missing violation makes the whole text classic.
type Violation struct {
	Text         string // classic entry, "Value … at '…' failed to satisfy constraint: …"
	Current      string // current entry, "" when it is the classic one
	Stage        uint8  // stage in the classic layer
	CurrentStage uint8  // stage in the current layer
	Missing      bool   // a required member is absent
	Whole        bool   // Text is a whole message of the classic layer, printed alone and without a count
	Bare         bool   // alone under a current profile without envelope, Current is printed without a count
}

const (
	oneError    = "1 validation error detected: "
	manyErrors  = " validation errors detected: "
	entriesStop = "; "
)

// Error returns the classic text.
func (e *Error) Error() string { return e.Text(Profile{}) }

// Text returns the text under a profile.
func (e *Error) Text(p Profile) string {
	if len(e.Violations) > 0 {
		return violationsText(e.Violations, p)
	}
	if !p.Current {
		return e.Message
	}
	text := e.Current
	if text == "" {
		text = e.Message
	}
	if e.Envelope && p.Envelope {
		return oneError + text
	}
	return text
}

// violationsText joins the entries of the lowest stage, at most MaxViolations of them. The count is that of the
// entries printed.
func violationsText(vs []Violation, p Profile) string {
	for i := range vs {
		if vs[i].Missing {
			p = Profile{}
		}
	}
	low := vs[0].stage(p)
	for i := range vs {
		low = min(low, vs[i].stage(p))
	}
	n, text, plain := 0, make([]byte, 0, 256), false
	for i := range vs {
		v := &vs[i]
		if v.stage(p) != low || n == MaxViolations {
			continue
		}
		if v.Whole && !p.Current {
			return v.Text
		}
		if n > 0 {
			text = append(text, entriesStop...)
		}
		text = append(text, v.text(p)...)
		plain = v.Bare && p.Current && !p.Envelope
		n++
	}
	switch {
	case n == 1 && plain:
		return string(text)
	case n == 1:
		return oneError + string(text)
	}
	return strconv.Itoa(n) + manyErrors + string(text)
}

func (v *Violation) stage(p Profile) uint8 {
	if p.Current {
		return v.CurrentStage
	}
	return v.Stage
}

func (v *Violation) text(p Profile) string {
	if p.Current && v.Current != "" {
		return v.Current
	}
	return v.Text
}

// Status returns the HTTP status of the error.
func (e *Error) Status() int {
	switch e.Code {
	case CodeInternalServerError, CodeInternalFailure:
		return 500
	case CodeServiceUnavailable:
		return 503
	case CodeInvalidEndpoint:
		return 421
	}
	return 400
}

// Retryable tells whether clients repeat a call that failed with this error (wire.md §5).
func (e *Error) Retryable() bool {
	switch e.Code {
	case CodeProvisionedThroughputExceeded, CodeThrottling, CodeRequestLimitExceeded, CodeLimitExceeded,
		CodeTransactionInProgress, CodeInternalServerError, CodeInternalFailure, CodeServiceUnavailable:
		return true
	}
	return false
}
