package attr

import "encoding/base64"

// base64Len is the number of bytes that canonical base64 stands for.
func base64Len(s string) int {
	n := len(s) / 4 * 3
	if n > 0 && s[len(s)-1] == '=' {
		n--
		if s[len(s)-2] == '=' {
			n--
		}
	}
	return n
}

// decodeBase64 decodes canonical base64.
func decodeBase64(s string) []byte { return appendBase64Decoded(nil, s) }

func appendBase64Decoded(dst []byte, s string) []byte {
	dst, _ = base64.StdEncoding.AppendDecode(dst, []byte(s)) // canonical text always decodes
	return dst
}

// base64Byte is byte i of what s stands for.
func base64Byte(s string, i int) byte {
	group := s[i/3*4:]
	switch i % 3 {
	case 0:
		return sextet(group[0])<<2 | sextet(group[1])>>4
	case 1:
		return sextet(group[1])<<4 | sextet(group[2])>>2
	}
	return sextet(group[2])<<6 | sextet(group[3])
}

func sextet(b byte) byte {
	switch {
	case 'A' <= b && b <= 'Z':
		return b - 'A'
	case 'a' <= b && b <= 'z':
		return b - 'a' + 26
	case '0' <= b && b <= '9':
		return b - '0' + 52
	case b == '+':
		return 62
	}
	return 63
}

// compareBase64 orders two binaries by their bytes.
func compareBase64(a, b string) int {
	n, m := base64Len(a), base64Len(b)
	// Whole groups of three bytes that are the same text need no decoding.
	i := 0
	for i+4 <= len(a) && i+4 <= len(b) && a[i:i+4] == b[i:i+4] {
		i += 4
	}
	for k := i / 4 * 3; k < n && k < m; k++ {
		if x, y := base64Byte(a, k), base64Byte(b, k); x != y {
			return int(x) - int(y)
		}
	}
	return n - m
}

// hasPrefixBase64 tells whether the bytes of a begin with those of b.
func hasPrefixBase64(a, b string) bool {
	n := base64Len(b)
	if base64Len(a) < n {
		return false
	}
	whole := n / 3 * 4
	if a[:whole] != b[:whole] {
		return false
	}
	for k := n / 3 * 3; k < n; k++ {
		if base64Byte(a, k) != base64Byte(b, k) {
			return false
		}
	}
	return true
}
