package server

import "math/rand/v2"

// requestIDLen is the length of every x-amzn-RequestId (wire.md §2).
const requestIDLen = 52

// idAlphabet makes ids of the form that the service sends: digits and upper-case letters, five bits each.
const idAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUV"

// appendRequestID appends a new random request id. Ids only need to differ, so the source is the fast one.
func appendRequestID(dst []byte) []byte {
	for left := requestIDLen; left > 0; {
		// Twelve characters of five bits fit into one random word.
		word := rand.Uint64()
		n := min(left, 12)
		for range n {
			dst = append(dst, idAlphabet[word&31])
			word >>= 5
		}
		left -= n
	}
	return dst
}
