package engine

import (
	"context"
	"testing"

	"github.com/dynalite-go/dynalite/attr"
)

// TestStartKeyFaults holds the answers to faulty start keys against recordings
// of the service: which attribute is looked at first, and which text has the
// prefix (behaviours/06 §6.5 and §6.6).
func TestStartKeyFaults(t *testing.T) {
	r := testRegion(newTestEngine(t, Options{}))
	addTable(r, "t", hashRange("a", attr.S, "b", attr.S), 2,
		testIndex{name: "local", key: hashRange("a", attr.S, "c", attr.S), all: true, isLocal: true},
		testIndex{name: "global", key: hashRange("c", attr.S, "d", attr.S), all: true})
	const (
		invalid = "The provided starting key is invalid"
		schema  = "The provided key element does not match the schema"
	)
	for _, test := range []struct {
		name, index, start, cond string
		query, scan              string
	}{
		{"hash missing", "", `{"b":{"S":"a"},"c":{"S":"b"}}`, "z = :v", invalid, invalid + ": " + schema},
		{"hash of a wrong type", "", `{"a":{"N":"1"},"z":{"S":"a"}}`, "z = :v", schema, invalid + ": " + schema},
		{"hash without a condition", "", `{"a":{"S":"a"},"b":{"N":"1"}}`, "z = :v",
			"Query condition missed key schema element: a", invalid + ": " + schema},
		{"range missing", "", `{"a":{"S":"a"},"z":{"S":"1"}}`, "a = :v", invalid, invalid + ": " + schema},
		{"range of a wrong type", "", `{"a":{"S":"a"},"b":{"N":"1"}}`, "a = :v", schema, invalid + ": " + schema},
		{"range empty", "", `{"a":{"S":"b"},"b":{"S":""}}`, "a = :v",
			"One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: b",
			invalid + ": One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: b"},
		{"too many conditions", "", `{"z":{"S":"a"},"b":{"S":"b"}}`, "x = :v AND y = :v AND z = :v", invalid, invalid + ": " + schema},
		{"local range of a wrong type", "local", `{"a":{"S":"a"},"b":{"N":"1"},"c":{"N":"1"}}`, "a = :v", schema, schema},
		{"table range of a wrong type", "local", `{"a":{"S":"1"},"b":{"N":"1"},"c":{"S":"a"}}`, "a = :v", invalid + ": " + schema, invalid + ": " + schema},
		{"global hash of a wrong type", "global", `{"x":{"S":"1"},"y":{"S":"1"},"c":{"N":"1"},"d":{"S":"a"}}`, "z = :v", schema, schema},
		{"global range missing", "global", `{"a":{"N":"1"},"b":{"N":"1"},"c":{"S":"1"},"e":{"N":"1"}}`, "c = :v", invalid, invalid},
		{"table key missing", "global", `{"x":{"N":"1"},"y":{"N":"1"},"c":{"S":"a"},"d":{"S":"a"}}`, "c = :v", invalid + ": " + schema, invalid + ": " + schema},
	} {
		t.Run(test.name, func(t *testing.T) {
			start := item(t, test.start)
			cond := keyCondition(t, test.cond, ":v", `{"S":"b"}`)
			_, err := r.Query(context.Background(), &Query{Table: "t", Index: test.index, Key: cond, Start: start})
			if err == nil || err.Error() != test.query {
				t.Errorf("Query: got %v, want %s", err, test.query)
			}
			_, err = r.Scan(context.Background(), &Scan{Table: "t", Index: test.index, Start: start})
			if err == nil || err.Error() != test.scan {
				t.Errorf("Scan: got %v, want %s", err, test.scan)
			}
		})
	}
}
