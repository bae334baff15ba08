package conformance_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/conformance"
)

// recorder is a proxy behind a server, and what it writes.
type recorder struct {
	*conformance.Proxy
	url string
	out *lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func record(t *testing.T, c conformance.ProxyConfig) *recorder {
	t.Helper()
	r := &recorder{out: &lockedBuffer{}}
	p, err := conformance.NewProxy(c, conformance.NewTrafficWriter(r.out, c.Head(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC))))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	r.Proxy, r.url = p, server.URL
	return r
}

// end closes the proxy and reads what it wrote.
func (r *recorder) end(t *testing.T) (*conformance.Traffic, conformance.ProxyStats) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	stats := r.Close(ctx)
	traffic, err := conformance.ReadTraffic("capture.jsonl", strings.NewReader(r.out.String()))
	if err != nil {
		t.Fatal(err)
	}
	return traffic, stats
}

// ask sends an operation. Its signature has the form of one.
func ask(t *testing.T, url, operation, body string) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	service := "DynamoDB_20120810."
	if strings.Contains(operation, "Stream") || strings.Contains(operation, "Shard") || operation == "GetRecords" {
		service = "DynamoDBStreams_20120810."
	}
	r.Header.Set("X-Amz-Target", service+operation)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Date", "20261130T120000Z")
	r.Header.Set("X-Amz-Security-Token", "SESSIONTOKENSESSIONTOKEN")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=AKIAVERYSECRETKEYX/20261130/us-east-1/dynamodb/aws4_request, "+
		"SignedHeaders=host;x-amz-date, Signature=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatalf("%s: %v", operation, err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s: %v", operation, err)
	}
	return resp.StatusCode, string(b)
}

const createOrders = `{"TableName": "orders", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}`

func served(t *testing.T, opts ...dynalite.Option) string {
	t.Helper()
	url, err := dynalite.Start(t, opts...).Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return url
}

func TestProxyCaptures(t *testing.T) {
	t.Parallel()
	target := served(t)
	ask(t, target, "CreateTable", strings.Replace(createOrders, "orders", "was-there", 1))
	p := record(t, conformance.ProxyConfig{Target: target})
	ask(t, p.url, "CreateTable", createOrders)
	ask(t, p.url, "PutItem", `{"TableName": "was-there", "Item": {"pk": {"S": "a"}}}`)
	if status, body := ask(t, p.url, "GetItem", `{"TableName": "orders", "Key": {"pk": {"N": "1"}}}`); status != 400 || !strings.Contains(body, "ValidationException") {
		t.Errorf("%d %s", status, body)
	}
	resp, err := http.Get(p.url + "/?X-Amz-Signature=0123456789abcdef0123&a=b")
	if err != nil {
		t.Fatal(err)
	}
	health, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	ask(t, p.url, "Nonsense", `not JSON`)
	traffic, stats := p.end(t)
	if stats.Lost+stats.Partial > 0 || len(traffic.Faults) > 0 {
		t.Errorf("%+v, %v", stats, traffic.Faults)
	}
	var got []string
	for _, e := range traffic.Exchanges {
		if e.Assumed {
			if e.Operation != "DescribeTable" || !strings.Contains(string(e.Response), `"TableName":"was-there"`) {
				t.Errorf("the proxy asked %s %s", e.Operation, e.Response)
			}
			continue
		}
		got = append(got, fmt.Sprintf("%s %s %s %d", e.Operation, e.Method, e.Path, e.Status))
	}
	want := "CreateTable POST / 200, PutItem POST / 200, GetItem POST / 400,  GET /?a=b 200, Nonsense POST / 400"
	if strings.Join(got, ", ") != want || len(traffic.Exchanges) != 6 {
		t.Errorf("captured %s\nwant     %s", strings.Join(got, ", "), want)
	}
	text := p.out.String()
	for _, secret := range []string{"AKIAVERYSECRETKEYX", "00112233", "SESSIONTOKEN", "Signature", "0123456789abcdef0123"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s is in the capture", secret)
		}
	}
	if !strings.Contains(text, strings.TrimSpace(string(health))) || !strings.Contains(text, `"requestText":"not JSON"`) {
		t.Errorf("captured:\n%s", text)
	}
	if info := traffic.Info; info.Target != target || !info.Captured.Equal(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("head %+v", info)
	}
}

// TestProxyHidesEchoedSecrets: an endpoint that won't accept a signature repeats it.
func TestProxyHidesEchoedSecrets(t *testing.T) {
	t.Parallel()
	p := record(t, conformance.ProxyConfig{Target: served(t, dynalite.WithStrictAuth(map[string]string{"AKIDAKIDAKIDAKID": "secret"})), Quiet: true})
	for _, auth := range []string{
		"AWS4-HMAC-SHA256 Credential=AKIAVERYSECRETKEYX/20261130/us-east-1/dynamodb/aws4_request, Signature=00112233445566778899aabbccddeeff",
		"AWS4-HMAC-SHA256 Credential=AKIDAKIDAKIDAKID/20261130/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=00112233445566778899aabbccddeeff",
	} {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url, strings.NewReader("{}"))
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("X-Amz-Date", time.Now().UTC().Format("20060102T150405Z"))
		r.Header.Set("X-Amz-Security-Token", "SESSIONTOKENSESSIONTOKEN")
		r.Header.Set("Authorization", strings.ReplaceAll(auth, "20261130", time.Now().UTC().Format("20060102")))
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	traffic, _ := p.end(t)
	if len(traffic.Exchanges) != 2 || traffic.Exchanges[0].Status != 400 {
		t.Errorf("captured:\n%s", p.out)
	}
	for _, secret := range []string{"AKIAVERYSECRETKEYX", "00112233", "SESSIONTOKEN"} {
		if strings.Contains(p.out.String(), secret) {
			t.Errorf("%s is in the capture:\n%s", secret, p.out)
		}
	}
}

// signed sends an operation with a real signature.
func signed(t *testing.T, url, keyID, secret, operation, body string, edit func(*http.Request)) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	sum := sha256.Sum256([]byte(body))
	err = v4.NewSigner().SignHTTP(t.Context(), aws.Credentials{AccessKeyID: keyID, SecretAccessKey: secret}, r,
		hex.EncodeToString(sum[:]), "dynamodb", "eu-west-1", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if edit != nil {
		edit(r)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b)
}

type fixedKeys struct{ id, secret string }

func (k fixedKeys) Retrieve(context.Context) (aws.Credentials, error) {
	if k.id == "" {
		return aws.Credentials{}, errors.New("no keys today")
	}
	return aws.Credentials{AccessKeyID: k.id, SecretAccessKey: k.secret, SessionToken: "PROXYSTOKENPROXYSTOKEN"}, nil
}

// TestProxySignatures: a signature passes through unharmed, Host header and all, or is made anew.
func TestProxySignatures(t *testing.T) {
	t.Parallel()
	target := served(t, dynalite.WithStrictAuth(map[string]string{"AKIDAKIDAKIDAKID": "secret"}))
	through := record(t, conformance.ProxyConfig{Target: target, Quiet: true})
	if status, body := signed(t, through.url, "AKIDAKIDAKIDAKID", "secret", "ListTables", "{}", nil); status != 200 {
		t.Errorf("passed through: %d %s", status, body)
	}
	if status, _ := signed(t, through.url, "AKIDAKIDAKIDAKID", "wrong", "ListTables", "{}", nil); status == 200 {
		t.Error("a wrong signature became a right one")
	}
	anew := record(t, conformance.ProxyConfig{Target: target, Keys: fixedKeys{"AKIDAKIDAKIDAKID", "secret"}})
	if status, body := signed(t, anew.url, "local", "local", "ListTables", "{}", nil); status != 200 {
		t.Errorf("signed anew: %d %s", status, body)
	}
	if status, body := signed(t, anew.url, "local", "local", "CreateTable", createOrders, nil); status != 200 || !strings.Contains(body, ":eu-west-1:") {
		t.Errorf("signed anew: %d %s", status, body)
	}
	for name, edit := range map[string]func(*http.Request){
		"a page":      func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
		"a form":      func(r *http.Request) { r.Header.Del("Authorization") },
		"a navigator": func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
	} {
		if status, body := signed(t, anew.url, "local", "local", "ListTables", "{}", edit); status != http.StatusForbidden {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	if status, body := ask(t, anew.url, "PutItem", strings.Repeat(" ", 21<<20)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a long request: %d %s", status, body)
	}
	if traffic, stats := anew.end(t); len(traffic.Exchanges) != 3 || len(stats.Notes) != 3 || strings.Contains(anew.out.String(), "PROXYSTOKEN") {
		t.Errorf("%+v\n%s", stats, anew.out)
	}
	none := record(t, conformance.ProxyConfig{Target: target, Keys: fixedKeys{}})
	if status, body := ask(t, none.url, "ListTables", "{}"); status != http.StatusBadGateway || !strings.Contains(body, "no keys today") {
		t.Errorf("%d %s", status, body)
	}
	if traffic, _ := none.end(t); len(traffic.Exchanges) != 1 || !strings.Contains(traffic.Exchanges[0].Fault, "no keys today") {
		t.Errorf("%s", none.out)
	}
}

// badly answers in ways that endpoints shouldn't.
func badly(t *testing.T) string {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		switch _, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), "."); operation {
		case "Truncates":
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"Item": {`)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case "Closes":
			panic(http.ErrAbortHandler)
		case "Hangs":
			select {
			case <-release:
			case <-r.Context().Done():
			}
		case "Dribbles":
			_, _ = io.WriteString(w, `{"a":`)
			w.(http.Flusher).Flush()
			select {
			case <-release:
			case <-r.Context().Done():
			}
		case "Packs":
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("X-Amz-Crc32", "1")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, `{"packed": true}`)
			z.Close()
		case "Lies":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = io.WriteString(w, `{"packed": false}`)
		case "Long":
			_, _ = io.WriteString(w, strings.Repeat("x", 5000))
		default:
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, "<html>no</html>")
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(release) })
	return server.URL
}

// TestProxyOfBadEndpoints: whatever an endpoint does, the application gets an answer or loses its connection, and the
// exchange is written.
func TestProxyOfBadEndpoints(t *testing.T) {
	t.Parallel()
	p := record(t, conformance.ProxyConfig{Target: badly(t), MaxBody: 4096})
	send := func(ctx context.Context, operation, body string) (int, string, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("Accept-Encoding", "identity")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0, "", err
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		return resp.StatusCode, string(b), err
	}
	if status, body, err := send(t.Context(), "Html", "{}"); status != 503 || body != "<html>no</html>" || err != nil {
		t.Errorf("HTML: %d %s %v", status, body, err)
	}
	if _, _, err := send(t.Context(), "Truncates", "{}"); err == nil {
		t.Error("a truncated answer arrived whole")
	}
	if status, body, err := send(t.Context(), "Closes", "{}"); status != 502 || !strings.Contains(body, "EOF") || err != nil {
		t.Errorf("closed: %d %s %v", status, body, err)
	}
	if status, body, err := send(t.Context(), "Long", strings.Repeat("y", 5001)); status != 200 || len(body) != 5000 || err != nil {
		t.Errorf("long: %d %d bytes %v", status, len(body), err)
	}
	if status, _, err := send(t.Context(), "Packs", "{}"); status != 200 || err != nil {
		t.Errorf("packed: %d %v", status, err)
	}
	if status, _, err := send(t.Context(), "Lies", "{}"); status != 200 || err != nil {
		t.Errorf("wrongly packed: %d %v", status, err)
	}
	impatient, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, _, err := send(impatient, "Hangs", "{}"); err == nil {
		t.Error("no timeout")
	}
	dribbling := make(chan error, 1)
	go func() {
		_, _, err := send(t.Context(), "Dribbles", "{}")
		dribbling <- err
	}()
	for deadline := time.Now().Add(5 * time.Second); p.Stats().Exchanges < 7 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond) // for Dribbles to begin
	traffic, stats := p.end(t)
	if err := <-dribbling; err == nil {
		t.Error("an answer that was cut off arrived whole")
	}
	faults := map[string]string{}
	for _, e := range traffic.Exchanges {
		faults[e.Operation] = fmt.Sprintf("%d %s %s", e.Status, e.Response, e.Fault)
	}
	for operation, want := range map[string]string{
		"Html":      "503 <html>no</html> ",
		"Truncates": `200 {"Item": { the answer broke off after 10 bytes: unexpected EOF`,
		"Closes":    "0  no answer: EOF",
		"Long":      "200  the request of 5001 bytes is too long to keep; the answer of 5000 bytes is too long to keep",
		"Packs":     `200 {"packed":true} `,
		"Lies":      `200 {"packed":false} the answer is no gzip: gzip: invalid header`,
		"Hangs":     "0  no answer: context canceled",
		"Dribbles":  `200 {"a": the answer broke off after 5 bytes: `,
	} {
		if got := faults[operation]; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", operation, got, want)
		}
	}
	if stats.Exchanges != 8 || stats.Partial != 6 {
		t.Errorf("%+v", stats)
	}
}

func TestProxyOfNobody(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	p := record(t, conformance.ProxyConfig{Target: "http://" + l.Addr().String()})
	if status, body := ask(t, p.url, "ListTables", "{}"); status != 502 || !strings.Contains(body, "connection refused") {
		t.Errorf("%d %s", status, body)
	}
	if traffic, _ := p.end(t); len(traffic.Exchanges) != 1 || !strings.Contains(traffic.Exchanges[0].Fault, "connection refused") {
		t.Errorf("captured:\n%s", p.out)
	}
	if status, body := ask(t, p.url, "ListTables", "{}"); status != 503 {
		t.Errorf("after the end: %d %s", status, body)
	}
}

func TestProxyMasks(t *testing.T) {
	t.Parallel()
	c := conformance.ProxyConfig{Target: served(t), Mask: conformance.NewMask("", conformance.NumbersHidden)}
	p := record(t, c)
	ask(t, p.url, "CreateTable", createOrders)
	ask(t, p.url, "PutItem", `{"TableName": "orders", "Item": {"pk": {"S": "alice"}, "n": {"N": "12345"}}}`)
	if _, body := ask(t, p.url, "GetItem", `{"TableName": "orders", "Key": {"pk": {"S": "alice"}}}`); !strings.Contains(body, "12345") {
		t.Errorf("the application got %s", body)
	}
	traffic, stats := p.end(t)
	if !traffic.Info.Masked || len(traffic.Exchanges) != 3 || len(stats.Notes) > 0 {
		t.Errorf("%+v %+v", traffic.Info, stats)
	}
	if text := p.out.String(); strings.Contains(text, "alice") || strings.Contains(text, "12345") || !strings.Contains(text, "orders") {
		t.Errorf("captured:\n%s", text)
	}
}

// full is a disk without room for some writes.
type full struct {
	out    lockedBuffer
	writes int
	bad    map[int]bool
}

func (f *full) Write(p []byte) (int, error) {
	f.writes++
	if f.bad[f.writes] {
		_, _ = f.out.Write(p[:len(p)/2])
		return len(p) / 2, errors.New("no space left on device")
	}
	return f.out.Write(p)
}

// TestProxySurvivesFullDisk: the application goes on, the loss is told, and what follows is readable.
func TestProxySurvivesFullDisk(t *testing.T) {
	t.Parallel()
	disk := &full{bad: map[int]bool{3: true, 4: true}}
	c := conformance.ProxyConfig{Target: served(t), Quiet: true}
	p, err := conformance.NewProxy(c, conformance.NewTrafficWriter(disk, c.Head(time.Now())))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(p)
	defer server.Close()
	for range 5 {
		if status, body := ask(t, server.URL, "ListTables", "{}"); status != 200 {
			t.Fatalf("%d %s", status, body)
		}
	}
	stats := p.Close(t.Context())
	if stats.Exchanges != 3 || stats.Lost != 2 || stats.Err == nil {
		t.Errorf("%+v", stats)
	}
	traffic, err := conformance.ReadTraffic("x.jsonl", strings.NewReader(disk.out.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, disk.out.String())
	}
	if len(traffic.Exchanges) != 3 || len(traffic.Faults) != 2 || !strings.HasPrefix(traffic.Faults[0].Error(), "x.jsonl:3: the line breaks off after ") {
		t.Errorf("%d exchanges, %v", len(traffic.Exchanges), traffic.Faults)
	}
	if _, err := conformance.NewProxy(c, conformance.NewTrafficWriter(&full{bad: map[int]bool{1: true}}, c.Head(time.Now()))); err == nil {
		t.Error("a proxy that can't write")
	}
}

func TestProxyAtOnce(t *testing.T) {
	t.Parallel()
	p := record(t, conformance.ProxyConfig{Target: served(t)})
	ask(t, p.url, "CreateTable", createOrders)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			for k := range 10 {
				ask(t, p.url, "PutItem", fmt.Sprintf(`{"TableName": "orders", "Item": {"pk": {"S": "%d-%d"}}}`, i, k))
			}
		})
	}
	wg.Wait()
	if traffic, stats := p.end(t); len(traffic.Exchanges) != 201 || stats.Exchanges != 201 || stats.Partial > 0 {
		t.Errorf("%+v", stats)
	}
}

func TestProxyConfigErrors(t *testing.T) {
	for _, c := range []conformance.ProxyConfig{
		{Target: ""}, {Target: "127.0.0.1:8000"}, {Target: "ftp://x"}, {Target: "http://x", Streams: "nope"}, {Target: "http://\x00"},
	} {
		if _, err := conformance.NewProxy(c, conformance.NewTrafficWriter(io.Discard, conformance.TrafficInfo{})); err == nil {
			t.Errorf("%q %q: no error", c.Target, c.Streams)
		}
	}
	for target, want := range map[string]string{
		"https://dynamodb.eu-west-1.amazonaws.com":               "eu-west-1",
		"https://dynamodb.us-gov-west-1.amazonaws.com/":          "us-gov-west-1",
		"https://123456789012.ddb.ap-southeast-2.amazonaws.com":  "ap-southeast-2",
		"https://dynamodb.cn-north-1.amazonaws.com.cn":           "cn-north-1",
		"http://user:password@127.0.0.1:8000":                    "",
		"https://dynamodb.eu-west-1.amazonaws.com.evil.example/": "",
	} {
		head := conformance.ProxyConfig{Target: target}.Head(time.Now())
		if head.Region != want || strings.Contains(head.Target, "password") {
			t.Errorf("%s: %+v", target, head)
		}
	}
}
