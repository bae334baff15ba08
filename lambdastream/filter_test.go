package lambdastream

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

// filtered is the record that patterns are tried on.
func filtered(t testing.TB) *api.Record {
	t.Helper()
	item := func(text string) *attr.Item {
		it, err := attr.ParseItem(text)
		if err != nil {
			t.Fatal(err)
		}
		return it
	}
	return &api.Record{
		EventID: "5fb05c", EventName: "MODIFY", EventVersion: "1.1", EventSource: "aws:dynamodb", AWSRegion: "us-east-1",
		ApproximateCreationDateTime: time.Unix(1791316726, 0), SequenceNumber: "300000000000000499659", SizeBytes: 15,
		StreamViewType: api.ViewBoth,
		Keys:           item(`{"id":{"S":"id_value"}}`),
		NewImage: item(`{"id":{"S":"id_value"},"state":{"S":"us-1-Paid"},"n":{"N":"42"},"on":{"BOOL":true},"none":{"NULL":true},` +
			`"empty":{"S":""},"b":{"B":"AQI="},"tags":{"SS":["red","green"]},"nums":{"NS":["1","2"]},` +
			`"lines":{"L":[{"M":{"sku":{"S":"a"},"q":{"N":"1"}}},{"M":{"sku":{"S":"b"},"q":{"N":"2"}}},{"S":"note"}]},` +
			`"nolines":{"L":[]},"deep":{"M":{"a":{"M":{"b":{"S":"c"}}}}}}`),
		OldImage:     item(`{"id":{"S":"id_value"},"state":{"S":"new"}}`),
		UserIdentity: &api.Identity{Type: "Service", PrincipalID: "dynamodb.amazonaws.com"},
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	// image puts a pattern in its place.
	image := func(p string) string { return `{"dynamodb":{"NewImage":` + p + `}}` }
	for _, tt := range []struct {
		pattern string
		want    bool
	}{
		// Members of the record.
		{`{"eventName":["INSERT"]}`, false},
		{`{"eventName":["INSERT","MODIFY"]}`, true},
		{`{"eventName":["MODIFY"],"eventSource":["aws:dynamodb"],"eventVersion":["1.1"],"awsRegion":["us-east-1"],"eventID":["5fb05c"]}`, true},
		{`{"eventName":["MODIFY"],"awsRegion":["eu-west-1"]}`, false},
		{`{"eventSourceARN":[{"suffix":"/stream"}]}`, true},
		{`{"userIdentity":{"type":["Service"],"principalId":["dynamodb.amazonaws.com"]}}`, true},
		{`{"userIdentity":{"type":["User"]}}`, false},
		{`{"dynamodb":{"Keys":{"id":{"S":["id_value"]}},"StreamViewType":["NEW_AND_OLD_IMAGES"],"SequenceNumber":[{"prefix":"3"}]}}`, true},
		{`{"dynamodb":{"OldImage":{"state":{"S":["new"]}}}}`, true},
		{`{"unknown":["x"]}`, false},
		{`{"unknown":[{"exists":false}]}`, true},

		// Exact values.
		{image(`{"state":{"S":["us-1-Paid"]}}`), true},
		{image(`{"state":{"S":["us-1-paid"]}}`), false},
		{image(`{"state":["us-1-Paid"]}`), false}, // recorded: without the type there is no match
		{image(`{"empty":{"S":[""]}}`), true},
		{image(`{"state":{"S":[""]}}`), false},
		{image(`{"n":{"N":["42"]}}`), true},
		{image(`{"n":{"N":[42]}}`), false},
		{image(`{"on":{"BOOL":[true]}}`), true},
		{image(`{"on":{"BOOL":[false]}}`), false},
		{image(`{"on":{"BOOL":["true"]}}`), false},
		{image(`{"none":{"NULL":[true]}}`), true},
		{image(`{"none":[null]}`), false}, // a NULL is an object in the JSON of a record
		{image(`{"b":{"B":["AQI="]}}`), true},
		{`{"dynamodb":{"SizeBytes":[15]}}`, true},
		{`{"dynamodb":{"SizeBytes":[15.0]}}`, false}, // numbers are compared as text

		// Text operators.
		{image(`{"state":{"S":[{"prefix":"us-1"}]}}`), true},
		{image(`{"state":{"S":[{"prefix":"eu"}]}}`), false},
		{image(`{"state":{"S":[{"suffix":"Paid"}]}}`), true},
		{image(`{"state":{"S":[{"suffix":"paid"}]}}`), false},
		{image(`{"state":{"S":[{"equals-ignore-case":"US-1-PAID"}]}}`), true},
		{image(`{"state":{"S":[{"equals-ignore-case":"US-1"}]}}`), false},
		{`{"dynamodb":{"SizeBytes":[{"prefix":"1"}]}}`, false},

		// anything-but.
		{image(`{"state":{"S":[{"anything-but":"new"}]}}`), true},
		{image(`{"state":{"S":[{"anything-but":["new","us-1-Paid"]}]}}`), false},
		{image(`{"state":{"S":[{"anything-but":{"prefix":"us"}}]}}`), false},
		{image(`{"state":{"S":[{"anything-but":{"suffix":"x"}}]}}`), true},
		{image(`{"state":{"S":[{"anything-but":{"equals-ignore-case":"us-1-paid"}}]}}`), false},
		{image(`{"missing":{"S":[{"anything-but":"new"}]}}`), false},
		{`{"dynamodb":{"SizeBytes":[{"anything-but":[15,16]}]}}`, false},
		{`{"dynamodb":{"SizeBytes":[{"anything-but":16}]}}`, true},

		// numeric, which an N is not. The first one is recorded: 101 would match neither.
		{image(`{"n":{"N":[{"numeric":[">",100]},{"anything-but":"101"}]}}`), true},
		{image(`{"n":{"N":[{"numeric":[">",1]}]}}`), false},
		{`{"dynamodb":{"ApproximateCreationDateTime":[{"numeric":[">",0]}]}}`, true},
		{`{"dynamodb":{"SizeBytes":[{"numeric":["=",15]}]}}`, true},
		{`{"dynamodb":{"SizeBytes":[{"numeric":["=",1.5e1]}]}}`, true},
		{`{"dynamodb":{"SizeBytes":[{"numeric":[">",15]}]}}`, false},
		{`{"dynamodb":{"SizeBytes":[{"numeric":[">=",15,"<",16]}]}}`, true},
		{`{"dynamodb":{"SizeBytes":[{"numeric":[">",14,"<=",15]}]}}`, true},
		{`{"dynamodb":{"SizeBytes":[{"numeric":["<",15]}]}}`, false},
		{`{"dynamodb":{"SizeBytes":[{"numeric":["<=",-15]}]}}`, false},

		// exists looks at leaves only.
		{image(`{"state":{"S":[{"exists":true}]}}`), true},
		{image(`{"missing":{"S":[{"exists":true}]}}`), false},
		{image(`{"state":[{"exists":true}]}`), false},
		{image(`{"state":[{"exists":false}]}`), true}, // recorded
		{image(`{"missing":[{"exists":false}]}`), true},
		{image(`{"state":{"S":[{"exists":false}]}}`), false},
		{image(`{"tags":{"SS":[{"exists":true}]}}`), true},
		{image(`{"lines":{"L":[{"exists":true}]}}`), false},
		{image(`{"state":{"N":[{"exists":false}]}}`), true},

		// Sets and lists: one member must match.
		{image(`{"tags":{"SS":["blue","green"]}}`), true},
		{image(`{"tags":{"SS":["blue"]}}`), false},
		{image(`{"tags":{"SS":[{"anything-but":"red"}]}}`), true},
		{image(`{"nums":{"NS":["2"]}}`), true},
		{image(`{"lines":{"L":{"M":{"sku":{"S":["b"]},"q":{"N":["2"]}}}}}`), true},
		{image(`{"lines":{"L":{"M":{"sku":{"S":["b"]},"q":{"N":["1"]}}}}}`), false}, // of one and the same
		{image(`{"lines":{"L":{"S":["note"]}}}`), true},
		{image(`{"nolines":{"L":{"S":[{"exists":false}]}}}`), true},
		{image(`{"deep":{"M":{"a":{"M":{"b":{"S":["c"]}}}}}}`), true},

		// $or.
		{`{"$or":[{"eventName":["INSERT"]},{"eventName":["MODIFY"]}]}`, true},
		{`{"$or":[{"eventName":["INSERT"]},{"eventName":["REMOVE"]}]}`, false},
		{`{"awsRegion":["eu-west-1"],"$or":[{"eventName":["INSERT"]},{"eventName":["MODIFY"]}]}`, false},
		{image(`{"$or":[{"state":{"S":["x"]}},{"n":{"N":["42"]},"$or":[{"on":{"BOOL":[true]}},{"on":{"BOOL":[false]}}]}]}`), true},
	} {
		p, err := parsePattern(tt.pattern)
		if err != nil {
			t.Errorf("%s: %v", tt.pattern, err)
			continue
		}
		if got := p.matches(filtered(t), "arn/stream"); got != tt.want {
			t.Errorf("%s matches: %v, want %v", tt.pattern, got, tt.want)
		}
	}
}

func TestWrongFilters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ pattern, reason string }{
		{`single-string`, "It is not valid JSON"}, // recorded, as the next
		{`[{"eventName": ["INSERT"=123}]`, "It is not valid JSON"},
		{`"a"`, "It must be an object"},
		{``, "It is not valid JSON"},
		{`{"a":["b"]} x`, "It is not valid JSON"},
		{`{"a":["b"]`, "It is not valid JSON"},
		{`{}`, "An object must not be empty"},
		{`{"a":{}}`, "An object must not be empty"},
		{`{"a":[]}`, `The array of "a" must not be empty`},
		{`{"a":"b"}`, `"a" must be an object or an array`},
		{`{"a":["b"],"a":["c"]}`, `"a" stands there twice`},
		{`{"a":[["b"]]}`, "A value must be a string, a number, true, false or null"},
		{`{"a":[{}]}`, "An operator is missing"},
		{`{"a":[{"wildcard":"b*"}]}`, `Unrecognized operator "wildcard"`},
		{`{"a":[{"prefix":1}]}`, `"prefix" needs a string`},
		{`{"a":[{"prefix":"b","suffix":"c"}]}`, "An operator must stand alone"},
		{`{"a":[{"exists":"yes"}]}`, `"exists" needs true or false`},
		{`{"a":[{"anything-but":[]}]}`, `The array of "anything-but" must not be empty`},
		{`{"a":[{"anything-but":["b",1]}]}`, `"anything-but" needs strings or numbers, not both`},
		{`{"a":[{"anything-but":true}]}`, `"anything-but" needs strings or numbers, not both`},
		{`{"a":[{"anything-but":{"exists":true}}]}`, `"anything-but" goes with`},
		{`{"a":[{"numeric":5}]}`, `"numeric" needs an array`},
		{`{"a":[{"numeric":[]}]}`, `"numeric" needs comparisons and numbers in turn`},
		{`{"a":[{"numeric":[">"]}]}`, `"numeric" needs comparisons and numbers in turn`},
		{`{"a":[{"numeric":[5,">"]}]}`, `"numeric" needs comparisons and numbers in turn`},
		{`{"a":[{"numeric":["!=",5]}]}`, `Unrecognized comparison "!=" of "numeric"`},
		{`{"a":[{"numeric":["<",5,">",1]}]}`, `Unrecognized comparison "< >" of "numeric"`},
		{`{"a":[{"numeric":[">",5,"<",5]}]}`, `The bottom of "numeric" must be less than the top`},
		{`{"$or":[{"a":["b"]}]}`, "$or needs two objects or more"},
		{`{"$or":["b","c"]}`, "It must be an object"},
		{strings.Repeat(`{"a":`, 900), "It has more than 4096 bytes"},
		{strings.Repeat(`{"a":`, 800), "It is not valid JSON"},
	} {
		_, err := parsePattern(tt.pattern)
		fault, ok := errors.AsType[*FilterError](err)
		if !ok || !strings.Contains(fault.Reason, tt.reason) || fault.Pattern != tt.pattern {
			t.Errorf("%.60s: got %v, want %q", tt.pattern, err, tt.reason)
		}
	}
}

func FuzzFilter(f *testing.F) {
	for _, p := range []string{
		`{"eventName":["INSERT",{"anything-but":{"prefix":"M"}}]}`,
		`{"dynamodb":{"NewImage":{"lines":{"L":{"M":{"sku":{"S":[{"suffix":"b"},{"equals-ignore-case":"A"}]}}}}}}}`,
		`{"$or":[{"dynamodb":{"SizeBytes":[{"numeric":[">",1,"<=",20.5]}]}},{"a":[null,true,1e3,{"exists":false}]}]}`,
	} {
		f.Add(p)
	}
	rec := filtered(f)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parsePattern(text)
		if err != nil {
			if _, ok := errors.AsType[*FilterError](err); !ok {
				t.Errorf("%q: %T", text, err)
			}
			return
		}
		if once, twice := p.matches(rec, "arn"), p.matches(rec, "arn"); once != twice {
			t.Errorf("%q matches %v, then %v", text, once, twice)
		}
	})
}

func BenchmarkFilter(b *testing.B) {
	p, err := parsePattern(`{"eventName":["INSERT","MODIFY"],"dynamodb":{"NewImage":{"state":{"S":[{"prefix":"us-1"}]},"n":{"N":["42"]}}}}`)
	if err != nil {
		b.Fatal(err)
	}
	rec := filtered(b)
	b.ReportAllocs()
	for b.Loop() {
		if !p.matches(rec, "arn") {
			b.Fatal("no match")
		}
	}
}
