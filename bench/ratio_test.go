// Package bench measures the server beside the least that any server on
// net/http must spend: a handler that reads the body and answers fixed bytes
// of the same size with their checksum.
//
// Both run as processes of their own, so that only the server's CPU time
// counts; the client is in the benchmark. The figures of interest are ratios
// of one run (docs/performance.md).
package bench_test

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/dynalite-go/dynalite"
)

const serverVariable = "DYNALITE_BENCH_SERVER"

func TestMain(m *testing.M) {
	switch os.Getenv(serverVariable) {
	case "":
		os.Exit(m.Run())
	case "ours":
		db, err := dynalite.New()
		exitOn(err)
		serve(db.Handler())
	case "limit":
		serve(&limit{answers: map[string][]byte{}})
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve answers on a free port, which it prints, until its input ends. A GET
// of /cpu tells the CPU nanoseconds that the process has used.
func serve(h http.Handler) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	exitOn(err)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	fmt.Println(l.Addr())
	exitOn(http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/cpu" {
			var u syscall.Rusage
			exitOn(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
			fmt.Fprint(w, u.Utime.Nano()+u.Stime.Nano())
			return
		}
		h.ServeHTTP(w, r)
	})))
}

// limit answers each operation with the bytes that a PUT of /answer/… gave it.
type limit struct {
	mu      sync.RWMutex
	answers map[string][]byte
}

func (l *limit) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body bytes.Buffer
	body.Grow(int(max(r.ContentLength, 0)))
	_, err := io.Copy(&body, r.Body)
	exitOn(err)
	if name, ok := strings.CutPrefix(r.URL.Path, "/answer/"); ok {
		l.mu.Lock()
		l.answers[name] = body.Bytes()
		l.mu.Unlock()
		return
	}
	l.mu.RLock()
	answer := l.answers[r.Header.Get("X-Case")]
	l.mu.RUnlock()
	h := w.Header()
	h["Content-Type"] = []string{"application/x-amz-json-1.0"}
	h["X-Amz-Crc32"] = []string{strconv.FormatUint(uint64(crc32.ChecksumIEEE(answer)), 10)}
	h["X-Amzn-Requestid"] = []string{strings.Repeat("A", 52)}
	h["Content-Length"] = []string{strconv.Itoa(len(answer))}
	_, _ = w.Write(answer)
}

// process is a server in a process of its own.
type process struct {
	b    *testing.B
	addr string
}

func start(b *testing.B, kind string) *process {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serverVariable+"="+kind)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	})
	addr, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return &process{b, strings.TrimSpace(addr)}
}

func (p *process) cpu() time.Duration {
	resp, err := http.Get("http://" + p.addr + "/cpu")
	if err != nil {
		p.b.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		p.b.Fatal(err)
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		p.b.Fatal(err)
	}
	return time.Duration(n)
}

// connection speaks HTTP with as little work as possible.
type connection struct {
	conn net.Conn
	r    *bufio.Reader
	buf  []byte
}

func (p *process) connect() *connection {
	conn, err := net.Dial("tcp", p.addr)
	if err != nil {
		p.b.Fatal(err)
	}
	return &connection{conn: conn, r: bufio.NewReaderSize(conn, 64<<10)}
}

// request is one request, ready to be sent.
func request(name, op, body string) []byte {
	return fmt.Appendf(nil, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n"+
		"X-Amz-Target: DynamoDB_20120810.%s\r\nX-Case: %s\r\nX-Amz-Date: 20261130T000000Z\r\n"+
		"Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261130/us-east-1/dynamodb/aws4_request, "+
		"SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=%064d\r\n"+
		"Content-Length: %d\r\n\r\n%s", op, name, 0, len(body), body)
}

// send sends a request and returns the answer's body, which is good until the
// next one.
func (c *connection) send(req []byte) (status string, body []byte, err error) {
	if _, err := c.conn.Write(req); err != nil {
		return "", nil, err
	}
	length := -1
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return "", nil, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		if status == "" {
			status = string(line[len("HTTP/1.1 "):])
			continue
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(value)); err != nil {
				return "", nil, err
			}
		}
	}
	if cap(c.buf) < length {
		c.buf = make([]byte, length)
	}
	_, err = io.ReadFull(c.r, c.buf[:length])
	return status, c.buf[:length], err
}

const (
	kvTable, qTable = "bench_kv", "bench_q"
	kvItems         = 20_000
	qItems          = 6_000 // in one collection, 1.2 MB
)

func kvKey(i int) string { return fmt.Sprintf("user-%015d", i) }

// kvItem has ten attributes and 1,024 bytes.
func kvItem(i int) string {
	return fmt.Sprintf(`{"pk":{"S":"%s"},"name":{"S":"%040d"},"email":{"S":"%040d"},"age":{"N":"%d"},"active":{"BOOL":true},`+
		`"score":{"N":"12.5"},"tags":{"SS":["red","green","blue"]},"address":{"M":{"street":{"S":"%060d"},"zip":{"S":"12345"}}},`+
		`"history":{"L":[{"N":"1"},{"N":"2"},{"S":"three"}]},"data":{"S":"%0677d"}}`, kvKey(i), i, i, i%100, i, i)
}

func qItem(i int) string {
	return fmt.Sprintf(`{"pk":{"S":"collection"},"sk":{"S":"%06d"},"n":{"N":"%d"},"data":{"S":"%0168d"}}`, i, i, i)
}

// operation is one case: a request for each i.
type operation struct {
	name, op string
	body     func(i int) string
	status   string
}

func operations() []operation {
	list := func(n int, sep string, f func(i int) string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = f(i)
		}
		return strings.Join(parts, sep)
	}
	key := func(i int) string { return fmt.Sprintf(`{"pk":{"S":"%s"}}`, kvKey(i%kvItems)) }
	return []operation{
		{"GetItem", "GetItem", func(i int) string {
			return `{"TableName":"bench_kv","Key":` + key(i) + `}`
		}, "200 OK"},
		{"PutItem", "PutItem", func(i int) string {
			return `{"TableName":"bench_kv","Item":` + kvItem(i%kvItems) + `}`
		}, "200 OK"},
		{"UpdateItem", "UpdateItem", func(i int) string {
			return `{"TableName":"bench_kv","Key":` + key(i) + `,"UpdateExpression":"SET #c = #c + :one",` +
				`"ExpressionAttributeNames":{"#c":"age"},"ExpressionAttributeValues":{":one":{"N":"1"}}}`
		}, "200 OK"},
		{"PutItemCondition", "PutItem", func(i int) string {
			return `{"TableName":"bench_kv","Item":` + kvItem(i%kvItems) + `,"ConditionExpression":"attribute_exists(pk) AND score < :max",` +
				`"ExpressionAttributeValues":{":max":{"N":"100"}}}`
		}, "200 OK"},
		{"PutItemConditionFails", "PutItem", func(i int) string {
			return `{"TableName":"bench_kv","Item":` + kvItem(i%kvItems) + `,"ConditionExpression":"attribute_not_exists(pk)"}`
		}, "400 Bad Request"},
		{"Query20", "Query", func(i int) string {
			return fmt.Sprintf(`{"TableName":"bench_q","KeyConditionExpression":"pk = :pk AND sk >= :sk","Limit":20,`+
				`"ExpressionAttributeValues":{":pk":{"S":"collection"},":sk":{"S":"%06d"}}}`, i*31%(qItems-20))
		}, "200 OK"},
		{"Query1MB", "Query", func(int) string {
			return `{"TableName":"bench_q","KeyConditionExpression":"pk = :pk","ExpressionAttributeValues":{":pk":{"S":"collection"}}}`
		}, "200 OK"},
		{"Scan1MB", "Scan", func(int) string { return `{"TableName":"bench_kv"}` }, "200 OK"},
		{"BatchWriteItem25", "BatchWriteItem", func(i int) string {
			return `{"RequestItems":{"bench_kv":[` + list(25, ",", func(k int) string {
				return `{"PutRequest":{"Item":` + kvItem((i*25+k)%kvItems) + `}}`
			}) + `]}}`
		}, "200 OK"},
		{"BatchGetItem100", "BatchGetItem", func(i int) string {
			return `{"RequestItems":{"bench_kv":{"Keys":[` + list(100, ",", func(k int) string { return key(i*100 + k) }) + `]}}}`
		}, "200 OK"},
		{"TransactWriteItems4", "TransactWriteItems", func(i int) string {
			return `{"TransactItems":[` + list(4, ",", func(k int) string {
				return `{"Put":{"TableName":"bench_kv","Item":` + kvItem((i*4+k)%kvItems) + `}}`
			}) + `]}`
		}, "200 OK"},
	}
}

// load fills the tables of a server.
func (p *process) load() {
	c := p.connect()
	defer c.conn.Close()
	must := func(op, body string) {
		if status, answer, err := c.send(request("", op, body)); err != nil || status != "200 OK" {
			p.b.Fatalf("%s: %v %s %s", op, err, status, answer)
		}
	}
	must("CreateTable", `{"TableName":"bench_kv","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],`+
		`"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]}`)
	must("CreateTable", `{"TableName":"bench_q","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},`+
		`{"AttributeName":"sk","KeyType":"RANGE"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}]}`)
	for i := range kvItems {
		must("PutItem", `{"TableName":"bench_kv","Item":`+kvItem(i)+`}`)
	}
	for i := range qItems {
		must("PutItem", `{"TableName":"bench_q","Item":`+qItem(i)+`}`)
	}
}

// BenchmarkHTTP reports for each operation the server's CPU time per request
// (server-ns/op), ours and the limit's, and their ratio in the first.
func BenchmarkHTTP(b *testing.B) {
	ours, bare := start(b, "ours"), start(b, "limit")
	ours.load()
	for _, op := range operations() {
		requests := make([][]byte, 200)
		for i := range requests {
			requests[i] = request(op.name, op.op, op.body(i*97))
		}
		c := ours.connect()
		_, answer, err := c.send(requests[0])
		if err != nil {
			b.Fatal(err)
		}
		put, err := http.NewRequest(http.MethodPut, "http://"+bare.addr+"/answer/"+op.name, bytes.NewReader(answer))
		if err != nil {
			b.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(put)
		if err != nil {
			b.Fatal(err)
		}
		resp.Body.Close()
		c.conn.Close()
		var spent [2]time.Duration
		for k, p := range []*process{bare, ours} {
			name := [2]string{"limit", "ours"}[k]
			status := [2]string{"200 OK", op.status}[k]
			b.Run(op.name+"/"+name, func(b *testing.B) {
				spent[k] = run(b, p, requests, status)
				b.ReportMetric(float64(spent[k].Nanoseconds()), "server-ns/op")
				if k == 1 && spent[1] > 0 {
					b.ReportMetric(float64(spent[0])/float64(spent[1]), "limit/ours")
				}
			})
		}
	}
}

// run sends requests over eight connections, each a closed loop, and returns
// the server's CPU time per request.
func run(b *testing.B, p *process, requests [][]byte, status string) time.Duration {
	const connections = 8
	before := p.cpu()
	b.ResetTimer()
	var wg sync.WaitGroup
	for k := range connections {
		wg.Go(func() {
			c := p.connect()
			defer c.conn.Close()
			for i := k; i < b.N; i += connections {
				got, answer, err := c.send(requests[i%len(requests)])
				if err != nil || got != status {
					b.Errorf("%v %s %.200s", err, got, answer)
					return
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	return (p.cpu() - before) / time.Duration(b.N)
}
