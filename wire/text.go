package wire

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// appendString prints a JSON string. Only what must be escaped is; malformed UTF-8 is replaced.
func appendString(dst []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return append(appendEscaped(append(dst, '"'), s), '"')
}

// appendEscaped appends valid UTF-8 with JSON's escapes.
func appendEscaped(dst []byte, s string) []byte {
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			const hex = "0123456789abcdef"
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(dst, s[from:]...)
}

// appendDouble prints a double as the service does: 1.0, 0.5.
func appendDouble(dst []byte, f float64) []byte {
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	for _, c := range dst[start:] {
		if c == '.' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

// appendTime prints epoch seconds with at most three decimals, none when they are zero.
func appendTime(dst []byte, t time.Time) []byte {
	ms := t.UnixMilli()
	if ms < 0 {
		dst, ms = append(dst, '-'), -ms
	}
	dst = strconv.AppendInt(dst, ms/1000, 10)
	if ms %= 1000; ms == 0 {
		return dst
	}
	dst = append(dst, '.', byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10))
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}
