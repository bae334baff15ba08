package server

import (
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"strings"
	"unsafe"

	"github.com/dynalite-go/dynalite/api"
)

// drainBytes is how much of a refused body is read away, so that a client which sends before it listens still sees
// the answer.
const drainBytes = 16 << 20

var (
	errBodyTooLarge = errors.New("request body is larger than 16 MiB")
	errBodyEncoding = errors.New("request body has an unknown or broken content encoding")
)

// readBody returns the whole body of a request, decompressed. The string is made for this request and never changes,
// so that decoded strings may point into it.
//
// The errors are errBodyTooLarge, errBodyEncoding and those of the connection.
func readBody(r *http.Request) (string, error) {
	if r.ContentLength > api.MaxBodyBytes {
		return "", errBodyTooLarge
	}
	encoding := r.Header["Content-Encoding"]
	if len(encoding) > 0 && encoding[0] != "" && encoding[0] != "identity" {
		return readCompressed(r, encoding[0])
	}
	if r.ContentLength == 0 || r.Body == nil {
		return "", nil
	}
	if r.ContentLength < 0 {
		return readAll(r.Body)
	}
	buf := make([]byte, r.ContentLength)
	if _, err := io.ReadFull(r.Body, buf); err != nil {
		return "", err
	}
	// buf is not used again, which is what makes the conversion sound and the copy unnecessary.
	return unsafe.String(unsafe.SliceData(buf), len(buf)), nil
}

// readCompressed accepts gzip of one or more members, and deflate, which means the zlib format here.
func readCompressed(r *http.Request, encoding string) (string, error) {
	raw := &cappedReader{r: r.Body, left: api.MaxBodyBytes}
	var plain io.Reader
	var err error
	switch encoding {
	case "gzip":
		plain, err = gzip.NewReader(raw)
	case "deflate":
		plain, err = zlib.NewReader(raw)
	default:
		return "", errBodyEncoding
	}
	var text string
	if err == nil {
		text, err = readAll(plain)
	}
	if err != nil && !errors.Is(err, errBodyTooLarge) {
		return "", errBodyEncoding
	}
	return text, err
}

// readAll reads a body of unknown length.
func readAll(r io.Reader) (string, error) {
	var b strings.Builder
	if _, err := io.Copy(&b, &cappedReader{r: r, left: api.MaxBodyBytes}); err != nil {
		return "", err
	}
	return b.String(), nil
}

// cappedReader fails with errBodyTooLarge once more than left bytes were there to read.
type cappedReader struct {
	r    io.Reader
	left int64
}

func (c *cappedReader) Read(p []byte) (int, error) {
	if int64(len(p)) > c.left+1 {
		p = p[:c.left+1]
	}
	n, err := c.r.Read(p)
	if int64(n) > c.left {
		return int(c.left), errBodyTooLarge
	}
	c.left -= int64(n)
	return n, err
}
