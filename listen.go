package dynalite

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/dynalite-go/dynalite/clock"
	"github.com/dynalite-go/dynalite/server"
)

// closeTimeout is how long Close waits for requests that run.
const closeTimeout = 5 * time.Second

// listeners are the sockets that a database was asked to open.
type listeners struct {
	mu      sync.Mutex
	url     string         // guarded by mu; of the first
	servers []*http.Server // guarded by mu
	running sync.WaitGroup // goroutines that accept connections
	closed  bool           // guarded by mu
}

// Listen makes the database reachable over HTTP on an address such as "127.0.0.1:8000", and returns the URL to give
// to clients. Port 0 picks a free port. Close ends it. It may be called more than once.
//
// On a loopback address only requests for a loopback host are answered, see WithAllowedHosts.
func (db *DB) Listen(addr string) (url string, err error) {
	l := &db.listening
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return "", ErrClosed
	}
	socket, err := net.Listen("tcp", addr)
	if err != nil {
		return "", err
	}
	url = urlOf(socket.Addr())
	if l.url == "" {
		l.url = url
	}
	s := db.httpServer(isLoopback(socket.Addr()))
	patient := newPatientListener(socket, clock.Real())
	s.ConnState = patient.connState
	l.servers = append(l.servers, s)
	l.running.Go(patient.watch)
	l.running.Go(func() {
		if err := s.Serve(patient); !errors.Is(err, http.ErrServerClosed) && db.config.logger != nil {
			db.config.logger.Error("listener ended", "url", url, "error", err)
		}
	})
	return url, nil
}

// URL returns the URL of the first listener, "" when Listen wasn't called.
func (db *DB) URL() string {
	db.listening.mu.Lock()
	defer db.listening.mu.Unlock()
	return db.listening.url
}

func (db *DB) httpServer(guarded bool) *http.Server {
	handler := db.Handler()
	if guarded {
		handler = server.GuardHost(handler, db.config.hosts...)
	}
	s := &http.Server{Handler: handler}
	// Broken connections are the clients' business. Without a logger they must not reach the standard one.
	logger := db.config.logger
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	s.ErrorLog = slog.NewLogLogger(logger.Handler(), slog.LevelDebug)
	return s
}

// close stops accepting, waits for running requests, and cuts off those that don't end in time.
func (l *listeners) close() error {
	l.mu.Lock()
	servers := l.servers
	l.servers, l.closed = nil, true
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	var faults []error
	for _, s := range servers {
		err := s.Shutdown(ctx)
		if err != nil {
			err = errors.Join(err, s.Close())
		}
		faults = append(faults, err)
	}
	l.running.Wait()
	return errors.Join(faults...)
}

// urlOf returns the URL by which this machine reaches a listener.
func urlOf(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if ok && tcp.IP.IsUnspecified() {
		return "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return "http://" + addr.String()
}

func isLoopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
