package dynalite

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/dynalite-go/dynalite/clock"
)

// A connection that is idle, or half way through a request, is closed when its time is over, and not before.
func TestPatience(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		send  string
		limit time.Duration
	}{
		{"silent from the start", "", requestTimeout},
		{"headers without end", "GET / HTTP/1.1\r\nHost: localhost\r\n", requestTimeout},
		{"body without end", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab", requestTimeout},
		{"idle after a request", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", idleTimeout},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l, conn, now := patientServer(t)
			if _, err := conn.Write([]byte(tt.send)); err != nil {
				t.Fatal(err)
			}
			if tt.limit == idleTimeout {
				resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, resp.Body); err != nil {
					t.Fatal(err)
				}
				waitFor(t, l, func(c *patientConn) bool { return c.idle.Load() })
			} else {
				waitFor(t, l, func(c *patientConn) bool { return !c.idle.Load() })
			}
			now.Advance(tt.limit)
			l.sweep()
			if n := l.count(); n != 1 {
				t.Fatalf("%d connections at the limit, want 1", n)
			}
			now.Advance(1)
			l.sweep()
			if err := conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
				t.Fatal(err)
			}
			// A reset is as good as an end.
			if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error("after the limit the connection is still open")
			}
		})
	}
}

// patientServer serves a page to one connection. The time stands still until the test moves it.
func patientServer(t *testing.T) (*patientListener, net.Conn, *clock.Manual) {
	t.Helper()
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	now := clock.NewManual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	l := newPatientListener(socket, now)
	s := &http.Server{ConnState: l.connState, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
	})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve(l)
	}()
	conn, err := net.Dial("tcp", socket.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = conn.Close()
		_ = s.Close()
		<-done
	})
	waitFor(t, l, func(*patientConn) bool { return true })
	return l, conn, now
}

func (l *patientListener) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.conns)
}

// waitFor waits until the server has one connection and has brought it into a state.
func waitFor(t *testing.T, l *patientListener, state func(*patientConn) bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		l.mu.Lock()
		reached := len(l.conns) == 1
		for c := range l.conns {
			reached = reached && state(c)
		}
		l.mu.Unlock()
		if reached {
			return
		}
	}
	t.Fatal("the server does not reach the state")
}
