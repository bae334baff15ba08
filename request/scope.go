package request

import (
	"strings"

	"github.com/dynalite-go/dynalite/api"
)

// Scope is the account and region that a request is made in. Table ARNs are judged against it.
type Scope struct{ Account, Region string }

const arnPrefix = "arn:"

// Table returns the bare name of a table that a request names, or gives the ARN of (api-surface §6.5). op is the
// operation that asks, for the text of a refusal. The result is a part of ref.
//
// Errors: AccessDeniedException for the table of another account; ValidationException for another region, for an
// index or stream, and for what is no DynamoDB ARN.
func (s Scope) Table(op, ref string) (string, *api.Error) {
	if !strings.HasPrefix(ref, arnPrefix) {
		return ref, nil
	}
	arn, ok := ParseARN(ref)
	if !ok || arn.Kind != "table" || arn.Sub != "" || !tableNameOK(arn.Name) {
		return "", errTableARN(ref)
	}
	if arn.Account != s.Account {
		return "", errForeign(op, ref, s.Account)
	}
	if arn.Region != s.Region {
		return "", api.Validation("1 validation error detected: Invalid AWS region in '" + ref + "'")
	}
	return arn.Name, nil
}

// ARN is a parsed DynamoDB ARN: arn:<partition>:dynamodb:<region>:<account>:<kind>/<name>[/<sub>].
type ARN struct {
	Region, Account string
	Kind            string // "table", "global-table", …
	Name            string
	Sub             string // "index/<name>", "stream/<label>", "backup/<id>", …; "" for the resource itself
}

// ParseARN splits a DynamoDB ARN. ok is false for anything else.
func ParseARN(text string) (arn ARN, ok bool) {
	var part [6]string
	rest := text
	for i := range 5 {
		part[i], rest, ok = strings.Cut(rest, ":")
		if !ok {
			return ARN{}, false
		}
	}
	part[5] = rest
	if part[0] != "arn" || !strings.HasPrefix(part[1], "aws") || part[2] != "dynamodb" {
		return ARN{}, false
	}
	arn.Region, arn.Account = part[3], part[4]
	arn.Kind, rest, ok = strings.Cut(part[5], "/")
	if !ok || arn.Region == "" || arn.Account == "" {
		return ARN{}, false
	}
	arn.Name, arn.Sub, _ = strings.Cut(rest, "/")
	return arn, arn.Name != ""
}

// tableNameOK tells whether a name is made of the characters of table names and short enough. That it is too short
// is no error: there is no such table.
func tableNameOK(name string) bool {
	if name == "" || len(name) > api.MaxNameLength {
		return false
	}
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-', c == '.':
		default:
			return false
		}
	}
	return true
}

// errTableARN: the kind of error is recorded, its text is not.
func errTableARN(ref string) *api.Error {
	return api.Validation("Invalid TableArn: Invalid ResourceArn provided as input " + ref)
}

// errForeign is the usual sentence of a denied call; its text was not recorded for table ARNs.
func errForeign(op, ref, account string) *api.Error {
	return &api.Error{
		Code: api.CodeAccessDenied,
		Message: "User: arn:aws:iam::" + account + ":root is not authorized to perform: dynamodb:" + op +
			" on resource: " + ref + " because no resource-based policy allows the dynamodb:" + op + " action",
	}
}
