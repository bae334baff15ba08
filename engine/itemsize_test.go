package engine

import (
	"context"
	"strings"
	"testing"

	"github.com/dynalite-go/dynalite/attr"
)

// An item and its entries in local indexes share the 400 KB.
func TestItemSizeWithLocalIndexes(t *testing.T) {
	t.Parallel()
	r := testRegion(newTestEngine(t, Options{}))
	addTable(r, "T", hashRange("pk", attr.S, "sk", attr.S), 1,
		testIndex{name: "all", key: hashRange("pk", attr.S, "a", attr.S), all: true, isLocal: true},
		testIndex{name: "keys", key: hashRange("pk", attr.S, "b", attr.S), isLocal: true})
	// pk, sk and a count 3 bytes each, b 3 and data 4: 10 and 13 besides the text.
	put := func(bytes int, extra ...attr.Field) error {
		fields := append([]attr.Field{attr.Named("pk", attr.String("p")), attr.Named("sk", attr.String("s")),
			attr.Named("data", attr.String(strings.Repeat("x", bytes)))}, extra...)
		_, err := r.Put(context.Background(), &Put{Table: "T", Item: attr.NewItem(fields...)})
		return err
	}
	const limit, base = 409_600, 3 + 3 + 4
	a, b := attr.Named("a", attr.String("a")), attr.Named("b", attr.String("b"))
	for _, tt := range []struct {
		name  string
		bytes int
		extra []attr.Field
		fails bool
	}{
		{"in no index", limit - base, nil, false},
		{"twice", limit/2 - base - 2, []attr.Field{a}, false},
		{"twice, one byte over", limit/2 - base - 1, []attr.Field{a}, true},
		{"with keys", limit - base - 2 - (3 + 3 + 2), []attr.Field{b}, false},
		{"with keys, one byte over", limit - base - 2 - (3 + 3 + 2) + 1, []attr.Field{b}, true},
	} {
		err := put(tt.bytes, tt.extra...)
		if (err != nil) != tt.fails || err != nil && err.Error() != "Item size has exceeded the maximum allowed size" {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	_, err := r.Update(context.Background(), &Update{Table: "T",
		Key:    item(t, `{"pk":{"S":"p"},"sk":{"S":"s"}}`),
		Update: update(t, "SET a = :a", ":a", `{"S":"a"}`)})
	if want := "Item size to update has exceeded the maximum allowed size"; err == nil || err.Error() != want {
		t.Errorf("update into the index: %v, want %s", err, want)
	}
}
