package dynalite

import (
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dynalite-go/dynalite/clock"
)

// Time-outs of listeners. A request may take its time to arrive: a body may be 16 MB on a slow line.
const (
	requestTimeout = time.Minute
	idleTimeout    = 3 * time.Minute
	// patrol is how often connections are looked at, so a time-out may come that much late.
	patrol = 10 * time.Second
)

// patientListener closes connections that are idle, or in the middle of a request, for too long. The time-outs of
// http.Server do the same with several changes of a timer for each request, a tenth of what a GetItem costs; here a
// request costs two notes of the time.
type patientListener struct {
	net.Listener
	clock clock.Clock // a real one but in tests: sockets know no other time

	mu    sync.Mutex
	conns map[*patientConn]struct{} // guarded by mu
	stop  chan struct{}             // closed by Close
	once  sync.Once
}

// patientConn is a connection that knows since when it is in its state.
type patientConn struct {
	net.Conn
	from  *patientListener
	since atomic.Int64 // nanoseconds of the epoch
	idle  atomic.Bool
}

func newPatientListener(l net.Listener, c clock.Clock) *patientListener {
	return &patientListener{Listener: l, clock: c, conns: map[*patientConn]struct{}{}, stop: make(chan struct{})}
}

// Accept waits for the next connection.
func (l *patientListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &patientConn{Conn: conn, from: l}
	c.since.Store(l.clock.Now().UnixNano())
	l.mu.Lock()
	l.conns[c] = struct{}{}
	l.mu.Unlock()
	return c, nil
}

// Close stops accepting and watching. Open connections are the server's.
func (l *patientListener) Close() error {
	l.once.Do(func() { close(l.stop) })
	return l.Listener.Close()
}

// watch closes connections that are out of time, until the listener is closed.
func (l *patientListener) watch() {
	for {
		timer := l.clock.NewTimer(patrol)
		select {
		case <-l.stop:
			timer.Stop()
			return
		case <-timer.C():
			l.sweep()
		}
	}
}

// sweep closes the connections that are out of time.
func (l *patientListener) sweep() {
	now := l.clock.Now().UnixNano()
	var late []*patientConn
	l.mu.Lock()
	for c := range l.conns {
		limit := requestTimeout
		if c.idle.Load() {
			limit = idleTimeout
		}
		if time.Duration(now-c.since.Load()) > limit {
			late = append(late, c)
		}
	}
	l.mu.Unlock()
	for _, c := range late {
		_ = c.Close() // it was a broken one if this fails
	}
}

// Close ends the connection.
func (c *patientConn) Close() error {
	c.from.mu.Lock()
	delete(c.from.conns, c)
	c.from.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite ends the sending half, for which net/http asks before it gives up on a request.
func (c *patientConn) CloseWrite() error {
	if tcp, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return tcp.CloseWrite()
	}
	return nil
}

// connState notes when a connection becomes idle or busy; it is the server's ConnState.
func (l *patientListener) connState(conn net.Conn, state http.ConnState) {
	c, ok := conn.(*patientConn)
	if !ok || state != http.StateActive && state != http.StateIdle {
		return
	}
	c.since.Store(l.clock.Now().UnixNano())
	c.idle.Store(state == http.StateIdle)
}
