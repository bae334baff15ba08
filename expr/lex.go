package expr

import "unicode/utf8"

// tokenKind classifies tokens. Keywords are names to the lexer, since each
// kind of expression has its own set of them.
type tokenKind uint8

const (
	tokEOF     tokenKind = iota
	tokName              // letter { letter | digit | "_" }
	tokNameRef           // "#" and a body
	tokValue             // ":" and a body
	tokNumber            // digits
	tokSymbol            // operators and punctuation; also any character that starts no token
)

// token is a piece of the text, by its byte range.
type token struct {
	kind     tokenKind
	pos, end int
}

// lexer cuts an expression into tokens (behaviours/04 §4.1). It never fails:
// a character that starts no token becomes a one-character symbol, which no
// grammar accepts.
type lexer struct {
	text string
	pos  int
}

func (lx *lexer) next() token {
	for lx.pos < len(lx.text) && isSpace(lx.text[lx.pos]) {
		lx.pos++
	}
	start := lx.pos
	kind := lx.scan()
	return token{kind, start, lx.pos}
}

// scan moves past one token.
func (lx *lexer) scan() tokenKind {
	if lx.pos == len(lx.text) {
		return tokEOF
	}
	switch c := lx.text[lx.pos]; {
	case isLetter(c):
		lx.skip(isWord)
		return tokName
	case isDigit(c):
		lx.skip(isDigit)
		return tokNumber
	case (c == '#' || c == ':') && lx.pos+1 < len(lx.text) && isWord(lx.text[lx.pos+1]):
		lx.pos++
		lx.skip(isWord)
		if c == '#' {
			return tokNameRef
		}
		return tokValue
	case lx.starts("<>"), lx.starts("<="), lx.starts(">="):
		lx.pos += 2
	default:
		_, n := utf8.DecodeRuneInString(lx.text[lx.pos:])
		lx.pos += n
	}
	return tokSymbol
}

func (lx *lexer) skip(class func(byte) bool) {
	for lx.pos < len(lx.text) && class(lx.text[lx.pos]) {
		lx.pos++
	}
}

func (lx *lexer) starts(s string) bool {
	rest := lx.text[lx.pos:]
	return len(rest) >= len(s) && rest[:len(s)] == s
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isWord(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }

// keyword is a word of one of the grammars. Each kind of expression knows its
// own: a word of another grammar is an ordinary name there, though a reserved
// one.
type keyword uint8

const (
	noKeyword keyword = iota
	kwAnd
	kwOr
	kwNot
	kwBetween
	kwIn
	kwSet
	kwRemove
	kwAdd
	kwDelete
)

// String returns the keyword as the service prints it.
func (k keyword) String() string {
	return [...]string{"", "AND", "OR", "NOT", "BETWEEN", "IN", "SET", "REMOVE", "ADD", "DELETE"}[k]
}

// keywordOf finds the keyword of the kind's grammar that s spells, in any
// case.
func keywordOf(k Kind, s string) keyword {
	if len(s) < 2 || len(s) > 7 {
		return noKeyword
	}
	first, last := kwAnd, kwIn
	switch k {
	case UpdateKind:
		first, last = kwSet, kwDelete
	case ProjectionKind:
		return noKeyword
	}
	for kw := first; kw <= last; kw++ {
		if foldEqual(s, kw.String()) {
			return kw
		}
	}
	return noKeyword
}

// foldEqual compares s with an upper-case ASCII word.
func foldEqual(s, upper string) bool {
	if len(s) != len(upper) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c != upper[i] && (!isLetter(c) || c-('a'-'A') != upper[i]) {
			return false
		}
	}
	return true
}
