package conformance

import (
	"context"
	"net/http"
	"time"
)

// Target is an endpoint that answers like DynamoDB, or claims to.
type Target struct {
	// Name stands in reports, such as "in-process" or a URL.
	Name string
	// URL is the endpoint; its path is ignored but for "/".
	URL string
	// StreamsURL is that of the streams service, where it is another one.
	StreamsURL string
	// Transport carries the requests. It must not follow redirects, or compress by itself.
	Transport http.RoundTripper
	// Sign authenticates a request whose body is given. nil sends a well-formed signature of no value.
	Sign func(ctx context.Context, r *http.Request, body []byte) error
	// Region stands in ARNs and messages.
	Region string
	// Wording is the generation of texts that the target speaks; AnyWording accepts either.
	Wording Wording
	// Prefix begins the names of all tables. "" stands for "conformance-".
	Prefix string
	// Tags are put on each table, so that one can find what an accident left behind.
	Tags map[string]string
	// Eventual is how long a read that may lag is repeated until it answers as expected. 0: never.
	Eventual time.Duration
	// Poll is the pause between two looks at a table's state, at first; it doubles up to ten times as long.
	Poll time.Duration
	// Settle is how long a table may take to reach a state.
	Settle time.Duration
	// Deadline bounds a case.
	Deadline time.Duration
	// Without are tags of cases that make no sense here.
	Without []string
	// Charges says that requests cost money, so that costs are estimated and limited.
	Charges bool
}

// InProcess is a target without a socket.
func InProcess(transport http.RoundTripper) Target {
	return Target{
		Name: "in-process", URL: "http://dynamodb.us-east-1.amazonaws.com/", Transport: transport,
		Region: "us-east-1", Wording: Current, Without: forSlowOrStrict,
		Poll: time.Millisecond, Settle: 10 * time.Second, Deadline: 20 * time.Second,
	}
}

// Endpoint is a server that speaks DynamoDB's protocol at a URL.
func Endpoint(url string) Target {
	return Target{
		Name: url, URL: url, Transport: plainTransport(),
		Region: "us-east-1", Wording: AnyWording, Without: forSlowOrStrict,
		Poll: 20 * time.Millisecond, Settle: 30 * time.Second, Deadline: 30 * time.Second,
	}
}

// forSlowOrStrict are the tags of cases that need states which last, or a check of signatures. Emulators answer at once
// and take any signature, unless told otherwise.
var forSlowOrStrict = []string{"transitions", "strict"}

// plainTransport leaves compression to the cases, which check it, and keeps enough connections open for parallel files.
func plainTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true
	t.MaxIdleConnsPerHost = 64
	t.ResponseHeaderTimeout = time.Minute
	return t
}

// withDefaults fills in what a target left empty.
func (t Target) withDefaults() Target {
	set := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	set(&t.Poll, 20*time.Millisecond)
	set(&t.Settle, 30*time.Second)
	set(&t.Deadline, 30*time.Second)
	if t.Prefix == "" {
		t.Prefix = "conformance-"
	}
	if t.Region == "" {
		t.Region = "us-east-1"
	}
	if t.Transport == nil {
		t.Transport = plainTransport()
	}
	return t
}
