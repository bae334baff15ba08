package partiql

import (
	"strconv"
	"unicode/utf8"

	"github.com/dynalite-go/dynalite/api"
)

// SyntaxError is a statement that the parser can't read (behaviours/09 §9.4).
type SyntaxError struct {
	// Detail says what is wrong. It is empty for text that makes no tokens.
	Detail string
	// Pos and End are the byte range at which reading stopped.
	Pos, End int
}

// Error returns the service's text. The colon and the space stay when there
// is no detail.
func (e *SyntaxError) Error() string {
	return "Statement wasn't well formed, can't be processed: " + e.Detail
}

func syntaxError(at span, detail string) *SyntaxError {
	return &SyntaxError{Detail: detail, Pos: at.pos, End: at.end}
}

// position is where a span stands, as texts print it: line, column and
// length, in characters from 1.
func position(text string, at span) string {
	line, column := 1, 1
	for i := 0; i < at.pos; {
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		switch {
		case r == '\n', r == '\r' && (i == len(text) || text[i] != '\n'):
			line++
			column = 1
		case r != '\r':
			column++
		}
	}
	length := utf8.RuneCountInString(text[at.pos:at.end])
	return strconv.Itoa(line) + ":" + strconv.Itoa(column) + ":" + strconv.Itoa(length)
}

// invalidParameter is the prefix of most errors about values.
const invalidParameter = "One or more parameter values were invalid: "

// Refusals that do not depend on the statement.
var (
	errAlias          = api.Validation("Aliasing is not supported")
	errEmptyComponent = api.Validation("Path component cannot be an empty string")
	errLongSource     = api.Validation("A path may contain at most 2 components in the FROM clause")
	errEmptyBag       = api.Validation("Empty bags are not supported")
	errParameters     = api.Validation("Number of parameters in request and statement don't match.")
	errNoIndex        = api.Validation("The table does not have the specified index")
	errOnIndex        = api.Validation("This operation is not supported on an index")
	errConsistent     = api.Validation("Strongly consistent read is not supported on Global Secondary Indexes")
	errMultiAttribute = api.Validation("PartiQL statements cannot be executed on tables with multi-attribute HASH keys " +
		"or multi-attribute RANGE keys.")
	errOverlap   = api.Validation("Overlapping conditions with range keys are not supported in where clause")
	errWholeKey  = api.Validation("Where clause does not contain a mandatory equality on all key attributes")
	errItemSize  = api.Validation("Item size has exceeded the maximum allowed size")
	errToken     = api.Validation("Invalid NextToken")
	errOther     = api.Validation("NextToken does not match request")
	errDuplicate = &api.Error{Code: api.CodeDuplicateItem, Message: "Duplicate primary key exists in table"}
)

// The service refuses the following, but how it says so was not recorded.
var (
	errManyReads   = api.Validation("The WHERE clause names more than 50 partition key values, which is the limit of one statement.")
	errNoWhere     = api.Validation("ORDER BY needs a WHERE clause with a condition on the partition key.")
	errOrderScan   = api.Validation("ORDER BY needs an equality or IN condition on the partition key in the WHERE clause.")
	errOrderHashes = api.Validation("ORDER BY must begin with the partition key when the WHERE clause names more than one value of it.")
	errExists      = api.Validation("EXISTS is accepted only among the writes of an ExecuteTransaction.")
	errInList      = api.Validation("The right side of IN must be a list with at least one value")
)
