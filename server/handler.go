package server

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"

	"github.com/gorilla/mux"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/clock"
	"github.com/dynalite-go/dynalite/expr"
	"github.com/dynalite-go/dynalite/partiql"
	"github.com/dynalite-go/dynalite/request"
)

// maxHeaderBytes is the most that the request line may have, and the headers together (limits.md: 16 KB each).
const maxHeaderBytes = 16 << 10

// Config says what a Handler serves.
type Config struct {
	// Source gives the engine for each request.
	Source Source
	// Region is where requests go that name no region. It also stands in the health page.
	Region string
	// Account owns what is made with access keys that are not themselves account ids of twelve digits.
	Account string
	// Shared puts every caller into the default account and region.
	Shared bool
	// Wording picks the generation of error texts.
	Wording api.Wording
	// Secrets makes the handler verify signatures with the secrets that it gives. Nil accepts any well-formed one.
	Secrets Secrets
	// Clock tells the time that signatures are judged by. Nil means clock.Real.
	Clock clock.Clock
	// Logger gets one debug record per request and an error record per panic. Nil means silence.
	Logger *slog.Logger
}

// cachedExpressions is how many parsed expressions a handler remembers. Programs use a few dozen, and generate others
// without end.
const cachedExpressions = 1024

// Handler serves the DynamoDB and DynamoDB Streams APIs. It is safe for concurrent use.
type Handler struct {
	config     Config
	log        *slog.Logger
	compiler   request.Compiler
	statements *partiql.Executor
	operations map[string]*operation // by X-Amz-Target; shared by all handlers, never written
	router     *mux.Router
}

// New returns a handler.
func New(config Config) *Handler {
	h := &Handler{
		config:     config,
		log:        config.Logger,
		compiler:   request.Compiler{Cache: expr.NewCache(cachedExpressions)},
		statements: partiql.New(cachedExpressions),
		operations: operations,
	}
	if h.config.Clock == nil {
		h.config.Clock = clock.Real()
	}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	h.router = h.routes()
	return h
}

// routes builds the router. One route serves all operations: they share the path, and the table of operations finds
// them by their target at a sixth of the cost of a route each. Matchers are functions because a path template would
// cost a regular expression, both at start and for each request.
func (h *Handler) routes() *mux.Router {
	root := func(r *http.Request, _ *mux.RouteMatch) bool { return r.URL.Path == "/" || r.URL.Path == "" }
	crossOrigin := func(r *http.Request, _ *mux.RouteMatch) bool { return first(r.Header, "Origin") != "" }
	router := mux.NewRouter()
	router.NewRoute().MatcherFunc(root).Methods(http.MethodPost).HandlerFunc(h.operate)
	router.NewRoute().MatcherFunc(root).Methods(http.MethodGet).HandlerFunc(h.health)
	router.NewRoute().MatcherFunc(crossOrigin).Methods(http.MethodOptions).HandlerFunc(h.preflight)
	router.NewRoute().HandlerFunc(h.unknown)
	return router
}

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength > api.MaxBodyBytes {
		newExchange(h, w, r).refuseBody()
		return
	}
	if headersTooLarge(r) {
		newExchange(h, w, r).reply(http.StatusBadRequest, nil, nil)
		return
	}
	// The router's own ServeHTTP would copy the request twice to pass route variables, of which there are none.
	match := matches.Get().(*mux.RouteMatch)
	h.router.Match(r, match)
	handler := match.Handler
	*match = mux.RouteMatch{Vars: match.Vars} // no route here sets any
	matches.Put(match)
	handler.ServeHTTP(w, r)
}

// matches lends the results of routing, which are needed only until the handler is found.
var matches = sync.Pool{New: func() any { return new(mux.RouteMatch) }}

// headersTooLarge reports whether the request line or the headers are longer than the service allows.
func headersTooLarge(r *http.Request) bool {
	uri := len(r.RequestURI)
	if uri == 0 { // the request didn't come over a connection
		uri = len(r.URL.Path) + len("?") + len(r.URL.RawQuery)
	}
	if len(r.Method)+uri+len(r.Proto)+len("  \r\n") > maxHeaderBytes {
		return true
	}
	n := len("Host: \r\n") + len(r.Host)
	for name, values := range r.Header {
		for _, v := range values {
			n += len(name) + len(v) + len(": \r\n")
		}
	}
	return n > maxHeaderBytes
}

// refuseBody answers a body over the limit: an empty 413, the only answer without a request id.
func (x *exchange) refuseBody() {
	if x.r.Body != nil && x.r.Header["Expect"] == nil {
		// A client that sends everything before it listens would otherwise see a broken connection.
		_, err := io.CopyN(io.Discard, x.r.Body, drainBytes)
		if !errors.Is(err, io.EOF) {
			x.w.Header().Set("Connection", "close")
		}
	}
	x.status = http.StatusRequestEntityTooLarge
	x.w.WriteHeader(x.status)
	x.logRequest()
}

// health is the page that load balancers ask for.
func (h *Handler) health(w http.ResponseWriter, r *http.Request) {
	newExchange(h, w, r).reply(http.StatusOK, nil, []byte("healthy: dynamodb."+h.config.Region+".amazonaws.com "))
}

// preflight answers a CORS preflight request: everything is allowed.
func (h *Handler) preflight(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header["Access-Control-Max-Age"] = []string{"172800"}
	if v := r.Header["Access-Control-Request-Headers"]; len(v) > 0 {
		header["Access-Control-Allow-Headers"] = v
	}
	if v := r.Header["Access-Control-Request-Method"]; len(v) > 0 {
		header["Access-Control-Allow-Methods"] = v
	}
	newExchange(h, w, r).reply(http.StatusOK, nil, nil)
}

// unknown answers whatever isn't a request to the API.
func (h *Handler) unknown(w http.ResponseWriter, r *http.Request) {
	newExchange(h, w, r).reply(http.StatusNotFound, nil, []byte("<UnknownOperationException/>\n"))
}
