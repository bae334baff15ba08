package server

import (
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/internal/coral"
	"github.com/dynalite-go/dynalite/request"
)

// operate serves a request to the API: steps 5 to 16 of behaviours/01 §1.1.
func (h *Handler) operate(w http.ResponseWriter, r *http.Request) {
	contentType, known := replyType(r.Header)
	x := newExchange(h, w, r)
	defer func() {
		if cause := recover(); cause != nil {
			x.recovered(contentType, cause)
		}
	}()
	if h.config.Secrets != nil {
		// A signature covers the bytes as they were sent, compressed or not.
		x.payload = sha256.New()
		r.Body = hashedBody{r.Body, x.payload}
	}
	body, err := readBody(r)
	switch {
	case errors.Is(err, errBodyTooLarge):
		x.refuseBody()
		return
	case errors.Is(err, errBodyEncoding):
		x.replyError(contentType, frontError(api.CodeInternalFailure, ""), nil)
		return
	case err != nil:
		// The connection broke. Nobody is likely to read this.
		x.replyError(contentType, frontError(api.CodeSerialization, ""), nil)
		return
	case body != "" && !known:
		h.unknown(w, r)
		return
	}
	out := newBuffer()
	defer out.release()
	reply, fault := x.run(body, out.b)
	if fault != nil {
		out.b = x.replyError(contentType, fault, out.b)
		return
	}
	out.b = reply
	x.reply(http.StatusOK, contentType, reply)
}

// run finds the operation, identifies the caller and carries the operation out. It appends the reply's body to dst.
func (x *exchange) run(body string, dst []byte) ([]byte, *api.Error) {
	op := x.h.operations[first(x.r.Header, "X-Amz-Target")]
	if op == nil {
		return nil, syntaxFirst(body, frontError(api.CodeUnknownOperation, ""))
	}
	x.op = op.name
	who, fault := authenticate(x.r)
	if fault == nil && x.h.config.Secrets != nil {
		fault = x.verify()
	}
	if fault != nil {
		return nil, syntaxFirst(body, fault)
	}
	x.caller = who
	if body == "" {
		return nil, frontError(api.CodeSerialization, "")
	}
	engine := x.h.config.Source.Acquire()
	if engine == nil {
		return nil, frontError(api.CodeServiceUnavailable, "The database is closed")
	}
	defer x.h.config.Source.Release()
	scope := x.h.scope(who)
	x.call = call{
		ctx:        x.r.Context(),
		compiler:   &x.h.compiler,
		statements: x.h.statements,
		scope:      scope,
		region:     engine.Region(scope.Account, scope.Region),
		host:       x.r.Host,
		body:       body,
		dst:        dst,
	}
	reply, err := op.serve(&x.call)
	if err != nil {
		return nil, serviceError(err)
	}
	return reply, nil
}

// scope returns whose tables a caller works on: those of the account that its access key names and of the region that
// its signature names, where they name one.
func (h *Handler) scope(who caller) request.Scope {
	s := request.Scope{Account: h.config.Account, Region: h.config.Region}
	if h.config.Shared {
		return s
	}
	if ValidAccount(who.accessKey) {
		s.Account = who.accessKey
	}
	if ValidRegion(who.region) {
		s.Region = who.region
	}
	return s
}

// syntaxFirst returns the error of a malformed body, which comes before the given one. Only requests that fail anyway
// pay for this look at the body; the others are decoded right away, which finds the same errors.
func syntaxFirst(body string, otherwise *api.Error) *api.Error {
	if body == "" {
		return otherwise
	}
	c := coral.New(body)
	if c.Skip() != nil || c.End() != nil {
		return frontError(api.CodeSerialization, "")
	}
	return otherwise
}

// replyType returns the reply's Content-Type, which repeats the request's, and whether the request had one that the
// API knows.
func replyType(h http.Header) (contentType []string, known bool) {
	v := first(h, "Content-Type")
	if v == valueAmzJSON[0] {
		return valueAmzJSON, true
	}
	base, _, _ := strings.Cut(v, ";")
	switch strings.TrimSpace(base) {
	case valueAmzJSON[0]:
		return valueAmzJSON, true
	case valueJSON[0]:
		return valueJSON, true
	}
	return valueJSON, false
}
