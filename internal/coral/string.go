package coral

import (
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// ReadString reads a string. It is a substring of the text when it holds no
// escapes.
func (c *Cursor) ReadString() (string, error) {
	raw, escaped, err := c.ReadRawString()
	if escaped {
		raw = Unescape(raw)
	}
	return raw, err
}

// ReadRawString is ReadString without unescaping: raw is what stands between
// the quotes, valid UTF-8 with valid escapes.
func (c *Cursor) ReadRawString() (raw string, escaped bool, err error) {
	if c.space() != '"' {
		return "", false, c.scalarMismatch("String")
	}
	return c.rawString()
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// rawString reads the string whose opening quote is the next byte. It looks at
// eight bytes at a time for one that needs a look: a quote, a backslash or a
// control character.
func (c *Cursor) rawString() (raw string, escaped bool, err error) {
	s := c.text
	start := c.pos + 1
	var high uint64 // gathers the high bits of all bytes: any set, and it is not ASCII
	for i := start; i < len(s); {
		if i+8 <= len(s) {
			w := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
				uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
			found := specials(w)
			if found == 0 {
				high |= w
				i += 8
				continue
			}
			n := bits.TrailingZeros64(found) &^ 7
			high |= w & (1<<n - 1)
			i += n / 8
		}
		switch b := s[i]; {
		case b == '"':
			c.pos = i + 1
			raw = s[start:i]
			if high&highs != 0 && !utf8.ValidString(raw) {
				c.pos = start
				return "", false, c.syntax()
			}
			return raw, escaped, nil
		case b == '\\':
			n := escapeLen(s[i:])
			if n == 0 {
				c.pos = i
				return "", false, c.syntax()
			}
			escaped = true
			i += n
		case b < 0x20:
			c.pos = i
			return "", false, c.syntax()
		default:
			high |= uint64(b)
			i++
		}
	}
	c.pos = len(s)
	return "", false, c.syntax()
}

// specials sets the high bit of each of eight bytes that is a quote, a
// backslash or a control character. It may set more above the lowest such
// byte, but none below it.
func specials(w uint64) uint64 {
	quote, slash := w^ones*'"', w^ones*'\\'
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*0x20)&^w) & highs
}

// escapeLen is the length of the escape that s starts with, 0 for a bad one.
func escapeLen(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if hex4(s[2:]) >= 0 {
			return 6
		}
	}
	return 0
}

// hex4 is the value of the four hexadecimal digits that s starts with, or -1.
func hex4(s string) rune {
	if len(s) < 4 {
		return -1
	}
	var r rune
	for i := range 4 {
		switch b := s[i]; {
		case '0' <= b && b <= '9':
			r = r<<4 | rune(b-'0')
		case 'a' <= b|0x20 && b|0x20 <= 'f':
			r = r<<4 | rune(b|0x20-'a'+10)
		default:
			return -1
		}
	}
	return r
}

// NextRune takes the first character off raw, the inside of a string as
// ReadRawString returns it. A surrogate that has no partner becomes U+FFFD:
// Java can hold it, but it has no UTF-8 form, and the stored string must be
// UTF-8. encoding/json does the same.
func NextRune(raw string) (r rune, rest string) {
	if raw[0] != '\\' {
		r, n := utf8.DecodeRuneInString(raw)
		return r, raw[n:]
	}
	switch raw[1] {
	case 'b':
		return '\b', raw[2:]
	case 'f':
		return '\f', raw[2:]
	case 'n':
		return '\n', raw[2:]
	case 'r':
		return '\r', raw[2:]
	case 't':
		return '\t', raw[2:]
	case 'u':
		r, rest := hex4(raw[2:]), raw[6:]
		if !utf16.IsSurrogate(r) {
			return r, rest
		}
		if len(rest) >= 6 && rest[0] == '\\' && rest[1] == 'u' {
			if pair := utf16.DecodeRune(r, hex4(rest[2:])); pair != utf8.RuneError {
				return pair, rest[6:]
			}
		}
		return utf8.RuneError, rest
	}
	return rune(raw[1]), raw[2:] // a quote, a slash, a backslash
}

// Unescape turns the inside of a string into the string it stands for.
func Unescape(raw string) string {
	dst := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		var r rune
		r, raw = NextRune(raw)
		dst = utf8.AppendRune(dst, r)
	}
	return string(dst)
}
