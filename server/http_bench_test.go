package server

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/dynalite-go/dynalite/engine"
)

// BenchmarkHTTP compares operations over a keep-alive connection with the limit: a handler without a database that
// reads the body, answers fixed bytes of the same size and computes their checksum. The client is written by hand and
// takes little of the time. limit ÷ dynalite is the number to look at; docs/performance.md has it for a server process
// under load.
func BenchmarkHTTP(b *testing.B) {
	h := benchHandler(b)
	for _, bm := range []struct{ op, body string }{
		{"GetItem", `{"TableName":"bench_kv","Key":{"pk":{"S":"key-500"}}}`},
		{"PutItem", putBody("key-500", "")},
		{"PutItem if", putBody("key-500", `,"ConditionExpression":"attribute_exists(pk) AND n < :n","ExpressionAttributeValues":{":n":{"N":"100"}}`)},
		{"UpdateItem", `{"TableName":"bench_kv","Key":{"pk":{"S":"key-501"}},"UpdateExpression":"SET #c = #c + :one","ExpressionAttributeNames":{"#c":"n"},"ExpressionAttributeValues":{":one":{"N":"1"}}}`},
		{"Query 20", `{"TableName":"bench_q","KeyConditionExpression":"pk = :p AND sk > :s","ExpressionAttributeValues":{":p":{"S":"c"},":s":{"N":"300"}},"Limit":20}`},
		{"Query 1 MB", `{"TableName":"bench_q","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"c"}}}`},
		{"TransactWriteItems 4", transactBody()},
	} {
		name := bm.op
		op, _, _ := strings.Cut(bm.op, " ")
		reply := readReply(b, h, op, bm.body)
		b.Run(name+"/limit", func(b *testing.B) { benchConn(b, bare(reply), op, bm.body, len(reply)) })
		b.Run(name+"/dynalite", func(b *testing.B) { benchConn(b, h, op, bm.body, len(reply)) })
	}
}

// benchHandler returns a handler on a table of 1,000 items of 1 KB and one collection of 6,000 items of 200 bytes.
func benchHandler(b *testing.B) *Handler {
	h := New(Config{Source: Fixed(engine.New(engine.Options{})), Region: "us-east-1", Account: "123456789012"})
	readReply(b, h, "CreateTable", `{"TableName":"bench_kv","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],`+
		`"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`)
	readReply(b, h, "CreateTable", `{"TableName":"bench_q","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},`+
		`{"AttributeName":"sk","AttributeType":"N"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},`+
		`{"AttributeName":"sk","KeyType":"RANGE"}],"BillingMode":"PAY_PER_REQUEST"}`)
	for i := range 1000 {
		readReply(b, h, "PutItem", putBody(fmt.Sprint("key-", i), ""))
	}
	for i := range 6000 {
		readReply(b, h, "PutItem", fmt.Sprintf(`{"TableName":"bench_q","Item":{"pk":{"S":"c"},"sk":{"N":"%d"},"v":{"S":%q}}}`,
			i, strings.Repeat("v", 190)))
	}
	return h
}

func putBody(pk, more string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"TableName":"bench_kv","Item":{"pk":{"S":%q},"n":{"N":"7"}`, pk)
	for i := range 8 {
		fmt.Fprintf(&b, `,"attribute%d":{"S":%q}`, i, strings.Repeat("x", 110))
	}
	return b.String() + "}" + more + "}"
}

func transactBody() string {
	var puts []string
	for i := range 4 {
		puts = append(puts, fmt.Sprintf(`{"Put":{"TableName":"bench_kv","Item":{"pk":{"S":"t%d"},"v":{"S":"x"}}}}`, i))
	}
	return `{"TransactItems":[` + strings.Join(puts, ",") + `]}`
}

// readReply runs one operation and returns the reply, which must be a success.
func readReply(b *testing.B, h http.Handler, op, body string) []byte {
	b.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, signed(op, body))
	if w.Code != 200 {
		b.Fatalf("%s: %d %s", op, w.Code, w.Body.String())
	}
	return w.Body.Bytes()
}

// benchConn sends the same request over one connection again and again.
func benchConn(b *testing.B, h http.Handler, op, body string, size int) {
	s := httptest.NewServer(h)
	defer s.Close()
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	var sent bytes.Buffer
	r := signed(op, body)
	fmt.Fprintf(&sent, "POST / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nContent-Length: %d\r\n", len(body))
	r.Header.Write(&sent)
	sent.WriteString("User-Agent: aws-sdk-go-v2/1.48.0 ua/2.1 os/linux lang/go#1.26 api/dynamodb#1.74.0\r\nAccept-Encoding: identity\r\n\r\n" + body)
	received := bufio.NewReaderSize(conn, 64<<10)
	b.ReportAllocs()
	b.SetBytes(int64(size))
	for b.Loop() {
		if _, err := conn.Write(sent.Bytes()); err != nil {
			b.Fatal(err)
		}
		if err := skipResponse(received); err != nil {
			b.Fatal(err)
		}
	}
}

// skipResponse reads one response, which must be a 200 with a length.
func skipResponse(r *bufio.Reader) error {
	length := -1
	for first := true; ; first = false {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return err
		}
		if first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200")) {
			return fmt.Errorf("answer %q", line)
		}
		if len(line) == 2 {
			_, err := r.Discard(length)
			return err
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
}
