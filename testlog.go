package dynalite

import (
	"bytes"
	"log/slog"
)

// testLogger returns a logger that writes warnings and errors to a test's log.
func testLogger(tb TB) *slog.Logger {
	return slog.New(slog.NewTextHandler(testWriter{tb}, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// testWriter writes lines to a test's log.
type testWriter struct{ tb TB }

func (w testWriter) Write(line []byte) (int, error) {
	w.tb.Helper()
	w.tb.Logf("dynalite: %s", bytes.TrimRight(line, "\n"))
	return len(line), nil
}
