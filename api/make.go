package api

import (
	"strings"

	"github.com/dynalite-go/dynalite/attr"
)

// Validation returns a ValidationException that no profile envelopes.
func Validation(msg string) *Error { return &Error{Code: CodeValidation, Message: msg} }

// ValidationEnv returns a ValidationException that an enveloping profile puts "1 validation error detected: "
// before.
func ValidationEnv(msg string) *Error {
	return &Error{Code: CodeValidation, Message: msg, Envelope: true}
}

// ValidationBoth is ValidationEnv with a text of its own for the current wording.
func ValidationBoth(classic, current string) *Error {
	return &Error{Code: CodeValidation, Message: classic, Current: current, Envelope: true}
}

// Constraints returns the ValidationException of member constraints, or nil when there are none.
func Constraints(vs []Violation) *Error {
	if len(vs) == 0 {
		return nil
	}
	return &Error{Code: CodeValidation, Violations: vs}
}

// ResourceNotFound returns a ResourceNotFoundException; an empty msg stands for the text of the data plane
// (behaviours/01 §1.7).
func ResourceNotFound(msg string) *Error {
	if msg == "" {
		msg = "Requested resource not found"
	}
	return &Error{Code: CodeResourceNotFound, Message: msg}
}

// TableNotFound returns the ResourceNotFoundException of the control plane for a table.
func TableNotFound(table string) *Error {
	return ResourceNotFound("Requested resource not found: Table: " + table + " not found")
}

// ResourceInUse returns a ResourceInUseException.
func ResourceInUse(msg string) *Error { return &Error{Code: CodeResourceInUse, Message: msg} }

// LimitExceeded returns a LimitExceededException.
func LimitExceeded(msg string) *Error { return &Error{Code: CodeLimitExceeded, Message: msg} }

// ConditionFailed returns a ConditionalCheckFailedException. item is the stored item if the request asked for it
// and there is one, else nil.
func ConditionFailed(item *attr.Item) *Error {
	return &Error{Code: CodeConditionalCheckFailed, Message: "The conditional request failed", Item: item}
}

// TransactionCanceled returns the TransactionCanceledException for the reasons, one per action in order.
func TransactionCanceled(reasons []CancellationReason) *Error {
	codes := make([]string, len(reasons))
	for i := range reasons {
		codes[i] = reasons[i].Code
	}
	return &Error{
		Code: CodeTransactionCanceled,
		Message: "Transaction cancelled, please refer cancellation reasons for specific reasons [" +
			strings.Join(codes, ", ") + "]",
		Reasons: reasons,
	}
}

// Throttled returns a throttling exception of the given code with its reasons.
func Throttled(code, msg string, reasons ...ThrottlingReason) *Error {
	return &Error{Code: code, Message: msg, Throttling: reasons}
}

// Internal returns an InternalServerError.
func Internal(msg string) *Error { return &Error{Code: CodeInternalServerError, Message: msg} }

// FaultError returns the error of a fault in an item, a key or a legacy value (behaviours/03 §3.1).
func FaultError(f *attr.Fault) *Error {
	return &Error{Code: CodeValidation, Message: f.Error(), Current: f.Current(), Envelope: !f.Bare()}
}

// ValueFaultError returns the error of a fault in ExpressionAttributeValues. The classic text names the placeholder,
// the current one is the fault's alone.
func ValueFaultError(f *attr.Fault, placeholder string) *Error {
	return &Error{
		Code:     CodeValidation,
		Message:  "ExpressionAttributeValues contains invalid value: " + f.Error() + " for key " + placeholder,
		Current:  f.Current(),
		Envelope: !f.Bare(),
	}
}
