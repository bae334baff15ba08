package server

import (
	"errors"
	"unicode/utf8"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/internal/coral"
)

// Prefixes of exception names in error bodies (wire.md §4).
const (
	prefixValidate     = "com.amazon.coral.validate#"
	prefixService      = "com.amazon.coral.service#"
	prefixAvailability = "com.amazon.coral.availability#"
	prefixDynamoDB     = "com.amazonaws.dynamodb.v20120810#"
)

// errorPrefix returns what stands before an exception's name in an error body.
func errorPrefix(code string) string {
	switch code {
	case api.CodeValidation:
		return prefixValidate
	case api.CodeSerialization, api.CodeUnknownOperation, api.CodeMissingAuthenticationToken,
		api.CodeIncompleteSignature, api.CodeInvalidSignature, api.CodeUnrecognizedClient,
		api.CodeAccessDenied, api.CodeInternalFailure:
		return prefixService
	case api.CodeThrottling:
		return prefixAvailability
	}
	return prefixDynamoDB
}

// messageKey returns the name of the message member, which isn't spelled the same in all exceptions (wire.md §4).
func messageKey(code string) string {
	switch code {
	case api.CodeSerialization, api.CodeAccessDenied, api.CodeTransactionCanceled, api.CodeTransactionInProgress,
		api.CodeIdempotentParameterMismatch, api.CodeInvalidEndpoint:
		return "Message"
	}
	return "message"
}

// appendError appends the body of an error reply.
func appendError(dst []byte, err *api.Error, p api.Profile) []byte {
	dst = append(dst, `{"__type":"`...)
	dst = append(dst, errorPrefix(err.Code)...)
	dst = append(dst, err.Code...)
	dst = append(dst, '"')
	if err.Item != nil {
		dst = append(dst, `,"Item":`...)
		dst = err.Item.AppendJSON(dst)
	}
	if err.Reasons != nil {
		dst = append(dst, `,"CancellationReasons":`...)
		dst = appendReasons(dst, err.Reasons)
	}
	if err.Throttling != nil {
		dst = append(dst, `,"`...)
		dst = append(dst, throttlingKey(err.Code)...)
		dst = append(dst, `":`...)
		dst = appendThrottling(dst, err.Throttling)
	}
	if text := err.Text(p); text != "" {
		dst = append(dst, `,"`...)
		dst = append(dst, messageKey(err.Code)...)
		dst = append(dst, `":`...)
		dst = appendString(dst, text)
	}
	return append(dst, '}')
}

// throttlingKey: the control plane's exception spells the member differently (wire.md §4).
func throttlingKey(code string) string {
	if code == api.CodeThrottling {
		return "throttlingReasons"
	}
	return "ThrottlingReasons"
}

func appendReasons(dst []byte, reasons []api.CancellationReason) []byte {
	dst = append(dst, '[')
	for i := range reasons {
		r := &reasons[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"Code":`...)
		dst = appendString(dst, r.Code)
		if r.Item != nil {
			dst = append(dst, `,"Item":`...)
			dst = r.Item.AppendJSON(dst)
		}
		if r.Message != "" {
			dst = append(dst, `,"Message":`...)
			dst = appendString(dst, r.Message)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

func appendThrottling(dst []byte, reasons []api.ThrottlingReason) []byte {
	dst = append(dst, '[')
	for i, r := range reasons {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"reason":`...)
		dst = appendString(dst, r.Reason)
		dst = append(dst, `,"resource":`...)
		dst = appendString(dst, r.Resource)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// appendString appends a JSON string. Bytes that are not UTF-8, which an error text may quote from a header, become
// replacement characters.
func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r < ' ':
			dst = append(dst, `\u00`...)
			dst = append(dst, hex[r>>4], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// serviceError turns whatever a step of an operation returned into the error to answer.
func serviceError(err error) *api.Error {
	if e, ok := err.(*api.Error); ok { // the common case, without the search of errors.As
		return e
	}
	var (
		service *api.Error
		syntax  *coral.SyntaxError
		types   *coral.TypeError
	)
	switch {
	case errors.As(err, &service):
		return service
	case errors.As(err, &syntax):
		return frontError(api.CodeSerialization, "")
	case errors.As(err, &types):
		return frontError(api.CodeSerialization, types.Message)
	}
	return api.Internal(err.Error())
}
