package dynalite

import (
	"bytes"
	"errors"
	"net/http"
	"strconv"
)

// errCutOff is what a client sees of a connection that the server drops.
var errCutOff = errors.New("dynalite: the connection was cut off")

// Transport returns an http.RoundTripper that answers requests to whatever host from the database, in the goroutine
// of the caller. It opens no socket and starts no goroutine, which makes it fast and fit for testing/synctest.
//
// It asks for no compression on its own, and its replies have no Date header.
func (db *DB) Transport() http.RoundTripper { return transport{db} }

type transport struct{ db *DB }

// RoundTrip answers one request. A context that has ended fails it.
func (t transport) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	ctx := r.Context()
	if r.Body != nil {
		defer r.Body.Close()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	defer func() {
		// The way of a handler to drop a connection.
		if cause := recover(); cause != nil {
			if cause != http.ErrAbortHandler {
				panic(cause)
			}
			resp, err = nil, errCutOff
		}
	}()
	w := &reply{header: make(http.Header, 8)}
	t.db.handler.ServeHTTP(w, forServer(r))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return w.response(r), nil
}

// forServer turns a client's request into what a server would have received. Clients leave the length at zero when
// they don't know it.
func forServer(r *http.Request) *http.Request {
	if r.ContentLength != 0 || r.Body == nil || r.Body == http.NoBody {
		return r
	}
	s := r.WithContext(r.Context()) // a copy, since a RoundTripper must not change the request
	s.ContentLength = -1
	return s
}

// reply is the writer that the handler fills, the response that comes of it, and that response's body: one allocation.
type reply struct {
	bytes.Reader // of data, once that is complete

	header http.Header
	data   []byte
	result http.Response
}

var _ http.ResponseWriter = (*reply)(nil)

// Header returns the headers of the response.
func (w *reply) Header() http.Header { return w.header }

// WriteHeader sets the status. Informational ones are dropped.
func (w *reply) WriteHeader(status int) {
	if w.result.StatusCode == 0 && status >= http.StatusOK {
		w.result.StatusCode = status
	}
}

// Write keeps a copy, because the handler uses its buffer again. The handler writes once.
func (w *reply) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	w.data = append(w.data, b...)
	return len(b), nil
}

// Close ends the reading of the response. There is nothing to do.
func (w *reply) Close() error { return nil }

// response returns what the handler wrote as the response to r.
func (w *reply) response(r *http.Request) *http.Response {
	w.WriteHeader(http.StatusOK)
	w.Reader.Reset(w.data)
	status := w.result.StatusCode
	w.result = http.Response{
		Status:        statusLine(status),
		StatusCode:    status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        w.header,
		Body:          w,
		ContentLength: int64(len(w.data)),
		Request:       r,
	}
	return &w.result
}

// statusLine is the form of http.Response.Status.
func statusLine(status int) string {
	if status == http.StatusOK {
		return "200 OK"
	}
	return strconv.Itoa(status) + " " + http.StatusText(status)
}
