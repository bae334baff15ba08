package server

import (
	"bytes"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// bare is the least that a handler can do: read the body, compute the checksum, answer fixed bytes.
func bare(reply []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		h := w.Header()
		h["Content-Type"] = valueAmzJSON
		h["Content-Length"] = []string{strconv.Itoa(len(reply))}
		h["X-Amz-Crc32"] = []string{strconv.FormatUint(uint64(crc32.ChecksumIEEE(reply)), 10)}
		w.Write(reply)
	})
}

// BenchmarkHandler compares a request of 1 KB that is echoed with the bare handler. On 2 virtual cores of an AMD EPYC
// the difference is about 1.2 µs and 9 allocations.
func BenchmarkHandler(b *testing.B) {
	body := `"` + strings.Repeat("a", 1022) + `"`
	for _, bm := range []struct {
		name    string
		handler http.Handler
	}{
		{"bare", bare([]byte(body))},
		{"dynalite", newTestHandler(Config{})},
		{"guarded", GuardHost(newTestHandler(Config{}))},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			r := signed("Echo", body)
			r.Header.Set("User-Agent", "aws-sdk-go-v2/1.48.0 ua/2.1 os/linux lang/go#1.26 md/GOOS#linux api/dynamodb#1.74.0")
			r.Header.Set("Amz-Sdk-Request", "attempt=1; max=4")
			r.Header.Set("Amz-Sdk-Invocation-Id", "0af2a1f3-58a7-4a3a-a3f5-0c1e4b1e2e6a")
			r.Header.Set("Accept-Encoding", "identity")
			r.Host = "127.0.0.1:8000"
			text := strings.NewReader(body)
			r.Body = io.NopCloser(text)
			w := &countingWriter{header: http.Header{}}
			for b.Loop() {
				text.Reset(body)
				clear(w.header)
				bm.handler.ServeHTTP(w, r)
			}
		})
	}
}

// BenchmarkLoopback is the same over a real connection.
func BenchmarkLoopback(b *testing.B) {
	body := []byte(`"` + strings.Repeat("a", 1022) + `"`)
	for _, bm := range []struct {
		name    string
		handler http.Handler
	}{
		{"bare", bare(body)},
		{"dynalite", newTestHandler(Config{})},
	} {
		b.Run(bm.name, func(b *testing.B) {
			s := httptest.NewServer(bm.handler)
			defer s.Close()
			client := s.Client()
			header := signed("Echo", "").Header
			b.ReportAllocs()
			for b.Loop() {
				r, err := http.NewRequest("POST", s.URL, bytes.NewReader(body))
				if err != nil {
					b.Fatal(err)
				}
				r.Header = header
				resp, err := client.Do(r)
				if err != nil {
					b.Fatal(err)
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
}
