package wire

import (
	"errors"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/internal/coral"
)

// SerializationError returns the service's error for an error of a Decode function: the message of a wrong type, and no
// message for malformed JSON.
func SerializationError(err error) *api.Error {
	e := &api.Error{Code: api.CodeSerialization}
	var wrong *coral.TypeError
	if errors.As(err, &wrong) {
		e.Message = wrong.Message
	}
	return e
}

// AppendError prints the body of an error under a profile (behaviours/01 §1.3, wire.md §4).
func AppendError(dst []byte, e *api.Error, p api.Profile) []byte {
	o := begin(dst)
	o.key("__type")
	o.dst = append(append(append(append(o.dst, '"'), errorPrefix(e.Code)...), e.Code...), '"')
	if message := e.Text(p); message != "" || !silent(e.Code) {
		o.text(messageKey(e.Code), message)
	}
	o.optItem("Item", e.Item)
	if len(e.Reasons) > 0 {
		o.key("CancellationReasons")
		o.dst = appendList(o.dst, e.Reasons, appendReason)
	}
	if len(e.Throttling) > 0 {
		o.key(throttlingKey(e.Code))
		o.dst = appendList(o.dst, e.Throttling, appendThrottling)
	}
	return o.end()
}

// errorPrefix is the name space of an exception.
func errorPrefix(code string) string {
	switch code {
	case api.CodeValidation:
		return "com.amazon.coral.validate#"
	case api.CodeSerialization, api.CodeUnknownOperation, api.CodeAccessDenied, api.CodeMissingAuthenticationToken,
		api.CodeIncompleteSignature, api.CodeInvalidSignature, api.CodeUnrecognizedClient, api.CodeInternalFailure:
		return "com.amazon.coral.service#"
	case api.CodeThrottling:
		return "com.amazon.coral.availability#"
	}
	return "com.amazonaws.dynamodb.v20120810#"
}

// messageKey is the name of the message member.
func messageKey(code string) string {
	switch code {
	case api.CodeSerialization, api.CodeAccessDenied, api.CodeTransactionCanceled, api.CodeTransactionInProgress,
		api.CodeIdempotentParameterMismatch, api.CodeInvalidEndpoint:
		return "Message"
	}
	return "message"
}

// silent tells the exceptions that have no message member when there is no message.
func silent(code string) bool {
	return code == api.CodeSerialization || code == api.CodeUnknownOperation
}

func throttlingKey(code string) string {
	if code == api.CodeThrottling {
		return "throttlingReasons"
	}
	return "ThrottlingReasons"
}

func appendReason(dst []byte, r *api.CancellationReason) []byte {
	o := begin(dst)
	o.text("Code", r.Code)
	o.optItem("Item", r.Item)
	o.optText("Message", r.Message)
	return o.end()
}

func appendThrottling(dst []byte, r *api.ThrottlingReason) []byte {
	o := begin(dst)
	o.text("reason", r.Reason)
	o.text("resource", r.Resource)
	return o.end()
}
