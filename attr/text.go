package attr

import (
	"strings"
	"unicode/utf8"

	"github.com/dynalite-go/dynalite/internal/coral"
)

// The inside of a canonical string, "raw" below, differs from the string it
// stands for only by escapes, each of which stands for a single ASCII byte. So
// raw texts are equal, and begin with one another, exactly as the strings do.

// mustEscape tells the bytes that are escaped in canonical text.
func mustEscape(b byte) bool { return b < 0x20 || b == '"' || b == '\\' }

// escapeIndex is the position of the first byte of s that must be escaped, or
// len(s).
func escapeIndex(s string) int {
	for i := range len(s) {
		if mustEscape(s[i]) {
			return i
		}
	}
	return len(s)
}

func appendEscape(dst []byte, b byte) []byte {
	const hex = "0123456789abcdef"
	switch b {
	case '"', '\\':
		return append(dst, '\\', b)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
}

// appendEscaped appends the canonical form of s, which is valid UTF-8.
func appendEscaped(dst []byte, s string) []byte {
	for {
		i := escapeIndex(s)
		dst = append(dst, s[:i]...)
		if i == len(s) {
			return dst
		}
		dst = appendEscape(dst, s[i])
		s = s[i+1:]
	}
}

func validUTF8(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func escape(s string) string {
	if escapeIndex(s) == len(s) {
		return s
	}
	return string(appendEscaped(nil, s))
}

// appendCanonical appends the canonical form of the inside of any JSON string.
func appendCanonical(dst []byte, raw string) []byte {
	for {
		i := strings.IndexByte(raw, '\\')
		if i < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:i]...)
		var r rune
		if r, raw = coral.NextRune(raw[i:]); r < 0x80 && mustEscape(byte(r)) {
			dst = appendEscape(dst, byte(r))
		} else {
			dst = utf8.AppendRune(dst, r)
		}
	}
}

// nextByte is the first byte of the string that raw, which is not empty,
// stands for, and how many bytes of raw it takes.
func nextByte(raw string) (b byte, n int) {
	if raw[0] != '\\' || len(raw) < 2 {
		return raw[0], 1
	}
	switch raw[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		return hexDigit(raw[4])<<4 | hexDigit(raw[5]), 6
	}
	return raw[1], 2
}

func hexDigit(b byte) byte {
	if b >= 'a' {
		return b - 'a' + 10
	}
	return b - '0'
}

func hasEscapes(raw string) bool { return strings.IndexByte(raw, '\\') >= 0 }

// unescape is the string that raw stands for; raw itself when it holds no
// escapes.
func unescape(raw string) string {
	if !hasEscapes(raw) {
		return raw
	}
	dst := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		b, n := nextByte(raw)
		dst = append(dst, b)
		raw = raw[n:]
	}
	return string(dst)
}

// byteLen is the length in bytes of the string that raw stands for.
func byteLen(raw string) int {
	n := len(raw)
	for i := strings.IndexByte(raw, '\\'); i >= 0; i = strings.IndexByte(raw, '\\') {
		_, used := nextByte(raw[i:])
		n -= used - 1
		raw = raw[i+used:]
	}
	return n
}

// compareRaw orders two strings by their bytes.
func compareRaw(a, b string) int {
	if !hasEscapes(a) && !hasEscapes(b) {
		return strings.Compare(a, b)
	}
	for len(a) > 0 && len(b) > 0 {
		x, n := nextByte(a)
		y, m := nextByte(b)
		if x != y {
			return int(x) - int(y)
		}
		a, b = a[n:], b[m:]
	}
	return len(a) - len(b)
}
