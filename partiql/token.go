package partiql

import "strings"

// span is a byte range of a statement.
type span struct{ pos, end int }

func (s span) at() span { return s }

// token is one lexical element. Its text is lower case for keywords and
// operators, unescaped for names and strings, as written for numbers.
type token struct {
	span
	kind tokenKind
	text string
}

type tokenKind uint8

const (
	tkEOF      tokenKind = iota
	tkName               // bare identifier
	tkQuoted             // "identifier"
	tkString             // 'text'
	tkNumber             // without a sign
	tkParam              // ?
	tkKeyword            // reserved word
	tkParticle           // as, at, by, for, asc, desc: reserved words that begin no term
	tkOperator           // = <> < … and or not is in between like …
	tkStar
	tkDot
	tkComma
	tkColon
	tkSemicolon
	tkLeftParen
	tkRightParen
	tkLeftBracket
	tkRightBracket
	tkLeftCurly
	tkRightCurly
	tkLeftBag  // <<
	tkRightBag // >>
)

// is reports whether the token is the given reserved word or operator.
func (t *token) is(text string) bool {
	switch t.kind {
	case tkKeyword, tkParticle, tkOperator:
		return t.text == text
	}
	return false
}

func (t *token) isIdentifier() bool { return t.kind == tkName || t.kind == tkQuoted }

// classify returns the kind of a bare word, and the word in lower case when
// it is a reserved one.
func classify(word string) (tokenKind, string) {
	if len(word) > maxReserved {
		return tkName, word
	}
	lower := strings.ToLower(word)
	switch lower {
	case "and", "or", "not", "is", "in", "between", "like", "union", "except", "intersect":
		return tkOperator, lower
	case "as", "at", "by", "for", "asc", "desc":
		return tkParticle, lower
	}
	if reserved(lower) {
		return tkKeyword, lower
	}
	return tkName, word
}

// maxReserved is the length of the longest reserved word.
const maxReserved = len("can_lossless_cast")

// reserved reports whether a word in lower case is a keyword of PartiQL, or
// of SQL-92, which PartiQL reserves as a whole. The reserved words of
// DynamoDB's expressions have no meaning here (behaviours/09 §9.2).
func reserved(word string) bool {
	switch word {
	case "absolute", "action", "add", "all", "allocate", "alter", "any", "are", "assertion", "authorization", "avg",
		"begin", "bit", "bit_length",
		"cascade", "cascaded", "case", "cast", "catalog", "char", "character", "character_length", "char_length",
		"check", "close", "coalesce", "collate", "collation", "column", "commit", "connect", "connection",
		"constraint", "constraints", "continue", "convert", "corresponding", "count", "create", "cross", "current",
		"current_date", "current_time", "current_timestamp", "current_user", "cursor",
		"date", "date_add", "date_diff", "deallocate", "dec", "decimal", "declare", "default", "deferrable",
		"deferred", "delete", "describe", "descriptor", "diagnostics", "disconnect", "distinct", "domain", "double",
		"drop",
		"else", "end", "escape", "exception", "exec", "execute", "exists", "external", "extract",
		"false", "fetch", "first", "float", "foreign", "found", "from", "full",
		"get", "global", "go", "goto", "grant", "group", "having",
		"identity", "immediate", "indicator", "initially", "inner", "input", "insensitive", "insert", "int",
		"integer", "interval", "into", "isolation",
		"join", "key", "language", "last", "left", "level", "local", "lower",
		"match", "max", "min", "module", "names", "national", "natural", "nchar", "next", "no", "null", "nullif",
		"numeric",
		"octet_length", "of", "on", "only", "open", "option", "order", "outer", "output", "overlaps",
		"pad", "partial", "position", "precision", "prepare", "preserve", "primary", "prior", "privileges",
		"procedure", "public",
		"read", "real", "references", "relative", "restrict", "revoke", "right", "rollback", "rows",
		"schema", "scroll", "section", "select", "session", "session_user", "set", "size", "smallint", "some",
		"space", "sql", "sqlcode", "sqlerror", "sqlstate", "substring", "sum", "system_user",
		"table", "temporary", "then", "time", "timestamp", "to", "transaction", "translate", "translation", "trim",
		"true",
		"unique", "unknown", "update", "upper", "usage", "user", "using",
		"value", "values", "varchar", "varying", "view", "when", "whenever", "where", "with", "work", "write", "zone":
		return true
	case "missing", "pivot", "unpivot", "limit", "tuple", "remove", "index", "let", "integer2", "int2",
		"integer4", "int4", "integer8", "int8", "bigint", "conflict", "do", "nothing", "returning", "modified", "new",
		"old", "bool", "boolean", "string", "symbol", "clob", "blob", "struct", "list", "sexp", "bag",
		"can_cast", "can_lossless_cast":
		return true
	}
	return false
}

// functionWord reports whether a keyword may stand before a parenthesis as
// the name of a function.
func functionWord(word string) bool {
	switch word {
	case "exists", "count", "avg", "max", "min", "sum", "char_length", "character_length", "octet_length",
		"bit_length", "upper", "lower", "size", "sexp", "list", "bag":
		return true
	}
	return false
}

// aggregate reports whether a function is one of SQL's aggregates.
func aggregate(name string) bool {
	switch name {
	case "count", "avg", "max", "min", "sum":
		return true
	}
	return false
}
