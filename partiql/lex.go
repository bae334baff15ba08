package partiql

import (
	"math"
	"strconv"
	"strings"
)

// lex reads all tokens of a statement, the end of the text included. What
// makes no token is a fault without a detail, and comes before every fault of
// the parser.
func lex(text string) ([]token, *SyntaxError) {
	l := lexer{text: text, tokens: make([]token, 0, len(text)/5+4)}
	for {
		if err := l.skip(); err != nil {
			return nil, err
		}
		if l.pos == len(text) {
			l.tokens = append(l.tokens, token{span: span{l.pos, l.pos}})
			return l.tokens, nil
		}
		if err := l.next(); err != nil {
			return nil, err
		}
	}
}

type lexer struct {
	text   string
	pos    int
	tokens []token
}

// peek returns the byte n places on, or 0.
func (l *lexer) peek(n int) byte {
	if l.pos+n < len(l.text) {
		return l.text[l.pos+n]
	}
	return 0
}

func (l *lexer) fault(from int) *SyntaxError {
	return syntaxError(span{from, min(l.pos+1, len(l.text))}, "")
}

func (l *lexer) add(kind tokenKind, n int, text string) {
	l.tokens = append(l.tokens, token{span{l.pos, l.pos + n}, kind, text})
	l.pos += n
}

// skip passes over white space and comments.
func (l *lexer) skip() *SyntaxError {
	for l.pos < len(l.text) {
		switch c := l.text[l.pos]; {
		case c == ' ' || '\t' <= c && c <= '\r':
			l.pos++
		case c == '-' && l.peek(1) == '-':
			end := strings.IndexAny(l.text[l.pos:], "\r\n")
			if end < 0 {
				end = len(l.text) - l.pos
			}
			l.pos += end
		case c == '/' && l.peek(1) == '*':
			end := strings.Index(l.text[l.pos+2:], "*/")
			if end < 0 {
				return syntaxError(span{l.pos, len(l.text)}, "")
			}
			l.pos += end + 4
		default:
			return nil
		}
	}
	return nil
}

func (l *lexer) next() *SyntaxError {
	c := l.text[l.pos]
	switch {
	case isWordStart(c):
		l.word()
		return nil
	case isDigit(c), c == '.' && isDigit(l.peek(1)):
		return l.number()
	case c == '\'':
		return l.quoted(tkString, c)
	case c == '"':
		return l.quoted(tkQuoted, c)
	}
	if kind, ok := punctuation(c); ok {
		l.add(kind, 1, l.text[l.pos:l.pos+1])
		return nil
	}
	return l.operator(c)
}

// punctuation returns the kind of a token of one byte that begins no longer
// one.
func punctuation(c byte) (tokenKind, bool) {
	switch c {
	case '(':
		return tkLeftParen, true
	case ')':
		return tkRightParen, true
	case '[':
		return tkLeftBracket, true
	case ']':
		return tkRightBracket, true
	case '{':
		return tkLeftCurly, true
	case '}':
		return tkRightCurly, true
	case ',':
		return tkComma, true
	case ':':
		return tkColon, true
	case ';':
		return tkSemicolon, true
	case '?':
		return tkParam, true
	case '*':
		return tkStar, true
	case '.':
		return tkDot, true
	case '=', '+', '-', '/', '%', '@', '~':
		return tkOperator, true
	}
	return 0, false
}

// operator reads a token that may have two bytes.
func (l *lexer) operator(c byte) *SyntaxError {
	pair := ""
	if l.pos+2 <= len(l.text) {
		pair = l.text[l.pos : l.pos+2]
	}
	switch {
	case pair == "<<":
		l.add(tkLeftBag, 2, pair)
	case pair == ">>":
		l.add(tkRightBag, 2, pair)
	case pair == "!=":
		l.add(tkOperator, 2, "<>")
	case pair == "<=", pair == ">=", pair == "<>", pair == "||":
		l.add(tkOperator, 2, pair)
	case c == '<', c == '>':
		l.add(tkOperator, 1, l.text[l.pos:l.pos+1])
	default:
		return l.fault(l.pos)
	}
	return nil
}

func (l *lexer) word() {
	end := l.pos + 1
	for end < len(l.text) && (isWordStart(l.text[end]) || isDigit(l.text[end])) {
		end++
	}
	kind, text := classify(l.text[l.pos:end])
	l.add(kind, end-l.pos, text)
}

// quoted reads a string or a quoted name. The quote is written twice inside.
func (l *lexer) quoted(kind tokenKind, quote byte) *SyntaxError {
	start := l.pos + 1
	doubled := false
	for end := start; end < len(l.text); end++ {
		if l.text[end] != quote {
			continue
		}
		if end+1 < len(l.text) && l.text[end+1] == quote {
			doubled = true
			end++
			continue
		}
		text := l.text[start:end]
		if doubled {
			q := string(quote)
			text = strings.ReplaceAll(text, q+q, q)
		}
		l.add(kind, end+1-l.pos, text)
		return nil
	}
	return syntaxError(span{l.pos, len(l.text)}, "")
}

// number reads digits with an optional point and an optional exponent. It
// refuses what does not fit a decimal with an exponent and a scale of 32 bits.
func (l *lexer) number() *SyntaxError {
	end, fraction := l.pos, 0
	for end < len(l.text) && isDigit(l.text[end]) {
		end++
	}
	if end < len(l.text) && l.text[end] == '.' {
		end++
		for end < len(l.text) && isDigit(l.text[end]) {
			end++
			fraction++
		}
	}
	if end < len(l.text) && l.text[end]|0x20 == 'e' {
		digits := end + 1
		if digits < len(l.text) && (l.text[digits] == '+' || l.text[digits] == '-') {
			digits++
		}
		stop := digits
		for stop < len(l.text) && isDigit(l.text[stop]) {
			stop++
		}
		exponent, err := strconv.ParseInt(l.text[end+1:stop], 10, 32)
		if scale := int64(fraction) - exponent; err != nil || scale < math.MinInt32 || scale > math.MaxInt32 {
			return syntaxError(span{l.pos, stop}, "")
		}
		end = stop
	}
	l.add(tkNumber, end-l.pos, l.text[l.pos:end])
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWordStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '$'
}
