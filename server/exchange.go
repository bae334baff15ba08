package server

import (
	"compress/gzip"
	"compress/zlib"
	"hash"
	"hash/crc32"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/wire"
)

// compressOver is the size in bytes from which on a reply is compressed for who accepts that (wire.md §2).
const compressOver = 4096

// Header values that are the same in many replies. Replies share them and nobody writes to them.
var (
	valueServer  = []string{"Server"}
	valueAnyone  = []string{"*"}
	valueGzip    = []string{"gzip"}
	valueDeflate = []string{"deflate"}
	valueJSON    = []string{"application/json"}
	valueAmzJSON = []string{"application/x-amz-json-1.0"}
)

// exchange is one request and what is known of its answer.
type exchange struct {
	h *Handler
	w http.ResponseWriter
	r *http.Request

	payload hash.Hash // of the body as sent; nil unless signatures are verified

	id     [requestIDLen]byte
	start  time.Time // zero when nobody listens to the log
	op     string
	caller caller
	call   call   // of the operation
	code   string // of the error that was answered
	status int    // zero until the reply is sent
	sent   int    // bytes of the reply's body
}

func newExchange(h *Handler, w http.ResponseWriter, r *http.Request) *exchange {
	x := &exchange{h: h, w: w, r: r}
	appendRequestID(x.id[:0])
	if h.log.Enabled(r.Context(), slog.LevelDebug) {
		x.start = time.Now()
	}
	return x
}

// reply sends the answer in one write. A nil contentType leaves that header out.
func (x *exchange) reply(status int, contentType []string, body []byte) {
	header := x.w.Header()
	if len(body) > compressOver {
		if encoding := acceptedEncoding(x.r.Header); encoding != nil {
			compressed := compressor{}
			body = compressed.compress(encoding, body)
			defer compressed.release()
			header["Content-Encoding"] = encoding
		}
	}
	// One string holds the three values that differ from reply to reply, and one array their slices.
	var buf [requestIDLen + 2*20]byte
	text := append(buf[:0], x.id[:]...)
	text = strconv.AppendUint(text, uint64(crc32.ChecksumIEEE(body)), 10)
	crcEnd := len(text)
	text = strconv.AppendInt(text, int64(len(body)), 10)
	all := string(text)
	values := &[3]string{all[:requestIDLen], all[requestIDLen:crcEnd], all[crcEnd:]}

	header["X-Amzn-Requestid"] = values[0:1:1]
	header["X-Amz-Crc32"] = values[1:2:2]
	header["Content-Length"] = values[2:3:3]
	header["Server"] = valueServer
	header["Content-Type"] = contentType // a nil value keeps net/http from guessing one
	if _, ok := x.r.Header["Origin"]; ok {
		header["Access-Control-Allow-Origin"] = valueAnyone
	}
	x.status, x.sent = status, len(body)
	x.w.WriteHeader(status)
	if len(body) > 0 {
		x.w.Write(body) // a client that went away is no business of the server
	}
	x.logRequest()
}

// replyError sends an error in the wording of the operation, which is "" before the operation is known.
func (x *exchange) replyError(contentType []string, err *api.Error, dst []byte) []byte {
	x.code = err.Code
	dst = wire.AppendError(dst[:0], err, api.ProfileOf(x.op, x.h.config.Wording))
	x.reply(err.Status(), contentType, dst)
	return dst
}

// logRequest writes the one line of a request, if anybody listens.
func (x *exchange) logRequest() {
	if x.start.IsZero() {
		return
	}
	x.h.log.LogAttrs(x.r.Context(), slog.LevelDebug, "request",
		slog.String("id", string(x.id[:])),
		slog.String("method", x.r.Method),
		slog.String("operation", x.op),
		slog.String("key", x.caller.accessKey),
		slog.String("region", x.caller.region),
		slog.Int("status", x.status),
		slog.String("error", x.code),
		slog.Int64("received", x.r.ContentLength),
		slog.Int("sent", x.sent),
		slog.Duration("took", time.Since(x.start)))
}

// recovered answers 500 for a panic, if nothing was answered yet, and logs it with its stack.
func (x *exchange) recovered(contentType []string, cause any) {
	if cause == http.ErrAbortHandler {
		panic(cause)
	}
	id := string(x.id[:])
	x.h.log.LogAttrs(x.r.Context(), slog.LevelError, "panic",
		slog.String("id", id),
		slog.String("operation", x.op),
		slog.Any("cause", cause),
		slog.String("stack", string(debug.Stack())))
	if x.status == 0 {
		x.replyError(contentType, api.Internal("Internal server error, request id "+id), nil)
	}
}

// acceptedEncoding picks the first encoding of the request's first Accept-Encoding header that we can produce, or nil.
func acceptedEncoding(h http.Header) []string {
	rest := first(h, "Accept-Encoding")
	for rest != "" {
		var coding string
		coding, rest, _ = strings.Cut(rest, ",")
		coding, params, _ := strings.Cut(coding, ";")
		if q := strings.TrimSpace(params); q == "q=0" || q == "q=0.0" {
			continue
		}
		switch strings.TrimSpace(coding) {
		case "gzip":
			return valueGzip
		case "deflate":
			return valueDeflate
		}
	}
	return nil
}

// compressor compresses one reply into a pooled buffer.
type compressor struct{ buf *buffer }

func (c *compressor) compress(encoding []string, body []byte) []byte {
	c.buf = newBuffer()
	var w interface {
		io.WriteCloser
		Reset(io.Writer)
	}
	if encoding[0] == valueGzip[0] {
		gz := gzipWriters.Get().(*gzip.Writer)
		defer gzipWriters.Put(gz)
		w = gz
	} else {
		w = zlib.NewWriter(nil)
	}
	w.Reset(c.buf)
	w.Write(body) // a buffer doesn't fail
	w.Close()
	return c.buf.b
}

func (c *compressor) release() { c.buf.release() }

// gzipWriters are big, about a megabyte each, and of speed rather than of size: the bytes mostly stay on one machine.
var gzipWriters = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	return w
}}

// buffer is a reply in the making.
type buffer struct{ b []byte }

func (b *buffer) Write(p []byte) (int, error) {
	b.b = append(b.b, p...)
	return len(p), nil
}

// maxPooledBuffer holds a page of 1 MB of items with room to spare; the rare larger reply is left to the collector.
const maxPooledBuffer = 4 << 20

var buffers = sync.Pool{New: func() any { return &buffer{b: make([]byte, 0, 2048)} }}

// newBuffer returns an empty buffer, to be released.
func newBuffer() *buffer {
	b := buffers.Get().(*buffer)
	b.b = b.b[:0]
	return b
}

func (b *buffer) release() {
	if cap(b.b) <= maxPooledBuffer {
		buffers.Put(b)
	}
}
