package conformance

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTrafficRoundTrip(t *testing.T) {
	begun := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	traffic := &Traffic{
		Name: "x.jsonl",
		Info: TrafficInfo{Version: 1, Captured: begun, Target: "http://127.0.0.1:8000", Region: "eu-west-1", Masked: true},
		Exchanges: []Exchange{
			{At: time.Microsecond, Took: 1500 * time.Microsecond, Operation: "GetItem", Method: "POST", Path: "/", Request: []byte(`{"z":"<&>","a":1.0,"a":2}`),
				Status: 200, Response: []byte(`{}`), Header: map[string]string{"X-Amzn-Requestid": "R"}, Line: 2},
			{At: time.Hour, Method: "GET", Path: "/x?y", Status: 404, Response: []byte("\"text\" \u2028 é"), Line: 3},
			{Operation: "Nonsense", Method: "POST", Path: "/", RequestHeader: map[string]string{"Content-Type": "text/plain"},
				Request: []byte{0xff, 0}, Response: []byte{0, 0xfe}, Status: 500, Line: 4},
			{Operation: "ListTables", Method: "POST", Path: "/", Request: []byte("{}"), Fault: "no answer: refused", RequestLost: true, Line: 5},
			{Operation: "CreateTable", Method: "POST", Path: "/", Request: []byte(`["x"]`), Assumed: true, Line: 6},
			{Operation: "GetItem", Method: "PUT", Path: "/", Request: []byte("17"), Line: 7},
		},
	}
	var b bytes.Buffer
	if _, err := traffic.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(b.String(), "\n")
	if want := `{"traffic":1,"captured":"2026-11-30T12:00:00Z","target":"http://127.0.0.1:8000","region":"eu-west-1","masked":true}`; first != want {
		t.Errorf("head %s\nwant %s", first, want)
	}
	if want := `{"at":0.000001,"op":"GetItem","request":{"z":"<&>","a":1.0,"a":2},"status":200,"response":{},"headers":{"X-Amzn-Requestid":"R"},"took":0.0015}`; !strings.Contains(b.String(), want) {
		t.Errorf("no %s in\n%s", want, b.String())
	}
	again, err := ReadTraffic("x.jsonl", bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(traffic, again, cmp.Transformer("body", func(b []byte) string { return string(b) })); diff != "" {
		t.Errorf("(-written +read)\n%s", diff)
	}
}

func TestReadTraffic(t *testing.T) {
	const head = `{"traffic":1,"captured":"2026-11-30T12:00:00Z"}` + "\n"
	const good = `{"at":1,"op":"ListTables","request":{},"status":200,"response":{}}` + "\n"
	for _, tt := range []struct {
		name, text string
		exchanges  int
		faults     string // in Traffic.Faults
		err        string
	}{
		{name: "empty"},
		{name: "no head", text: good, exchanges: 1},
		{name: "comments and blank lines", text: head + "\n# about it\n" + good + "   \r\n", exchanges: 1},
		{name: "no end of line", text: head + strings.TrimSuffix(good, "\n"), exchanges: 1},
		{name: "last line cut", text: head + good + good[:30], exchanges: 1, faults: "t.jsonl:3: the line breaks off after 30 bytes"},
		{name: "line cut, then another capture", text: head + good + good[:30] + "\n" + head + good, exchanges: 2, faults: "t.jsonl:3: the line breaks off"},
		{name: "cut in the head", text: head[:10], faults: "t.jsonl:1: the line breaks off"},
		{name: "garbage", text: head + "garbage\n", err: `t.jsonl:2: want a JSON object, found "garbage"`},
		{name: "bad JSON", text: head + "{]\n", err: "t.jsonl:2: invalid character ']'"},
		{name: "unknown member", text: `{"at":1,"op":"X","color":"red"}`, err: `t.jsonl:1: json: unknown field "color"`},
		{name: "no operation", text: head + good + `{"at":1}`, err: "t.jsonl:3: neither op nor http"},
		{name: "http line", text: `{"http":"GET"}`, err: `t.jsonl:1: http "GET": want a method and a path`},
		{name: "another version", text: `{"traffic":2}`, err: "t.jsonl:1: traffic of version 2; this program reads version 1"},
		{name: "body twice", text: `{"op":"X","request":{},"requestText":"x"}`, err: "t.jsonl:1: request: a body is given twice"},
		{name: "scalar body", text: `{"op":"X","response":17}`, err: "t.jsonl:1: response: want an object or a list"},
		{name: "a program", text: "\x7fELF\x00\x00", err: "t.jsonl:1: want a JSON object"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			traffic, err := ReadTraffic("t.jsonl", strings.NewReader(tt.text))
			if tt.err != "" {
				var fault *FormatError
				if err == nil || !strings.Contains(err.Error(), tt.err) || !errors.As(err, &fault) {
					t.Errorf("got error %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			faults := errors.Join(traffic.Faults...)
			if len(traffic.Exchanges) != tt.exchanges || (faults == nil) != (tt.faults == "") || faults != nil && !strings.Contains(faults.Error(), tt.faults) {
				t.Errorf("%d exchanges, faults %v", len(traffic.Exchanges), faults)
			}
		})
	}
}

// TestReadTrafficOfTwoCaptures: times go on where a file was continued.
func TestReadTrafficOfTwoCaptures(t *testing.T) {
	traffic, err := ReadTraffic("t.jsonl", strings.NewReader(`{"traffic":1,"captured":"2026-11-30T12:00:00Z"}
{"at":1,"op":"ListTables"}
{"traffic":1,"captured":"2026-11-30T13:00:00Z","masked":true}
{"at":1,"op":"ListTables"}`))
	if err != nil {
		t.Fatal(err)
	}
	if at := traffic.Exchanges[1].At; at != time.Hour+time.Second || !traffic.Info.Masked {
		t.Errorf("at %v, %+v", at, traffic.Info)
	}
}

func FuzzReadTraffic(f *testing.F) {
	f.Add(`{"traffic":1,"captured":"2026-11-30T12:00:00Z"}` + "\n" + `{"at":1,"op":"ListTables","request":{},"status":200,"response":{}}`)
	f.Add(`{"http":"GET /","responseBase64":"/w=="}`)
	f.Fuzz(func(t *testing.T, text string) {
		traffic, err := ReadTraffic("f", strings.NewReader(text))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if _, err := traffic.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		again, err := ReadTraffic("f", bytes.NewReader(b.Bytes()))
		if err != nil || len(again.Exchanges) != len(traffic.Exchanges) {
			t.Fatalf("%v of\n%s", err, b.String())
		}
	})
}

func FuzzMask(f *testing.F) {
	f.Add(`{"Item":{"pk":{"S":"a"},"n":{"N":"1"}},"Statement":"SELECT 1"}`, `{"message":"a"}`)
	m := NewMask("fuzz", NumbersHidden)
	f.Fuzz(func(t *testing.T, request, response string) {
		e := &Exchange{Request: []byte(request), Response: []byte(response)}
		m.Exchange(e)
		for _, body := range [][]byte{e.Request, e.Response} {
			if len(body) > 0 && !isJSONBody(body) {
				t.Errorf("masked: %s", body)
			}
		}
	})
}
