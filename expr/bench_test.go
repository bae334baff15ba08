package expr

import (
	"testing"

	"github.com/dynalite-go/dynalite/attr"
)

const benchItem = `{"pk":{"S":"USER#alice"},"sk":{"S":"ORDER#2fKJH3hkjh2"},"status":{"S":"SHIPPED"},"price":{"N":"129.95"},
	"created":{"S":"2026-11-02T10:15:00Z"},"items":{"L":[{"S":"a"},{"S":"b"}]},"address":{"M":{"city":{"S":"Lisboa"},"zip":{"S":"1000"}}},
	"tags":{"SS":["gift","express"]},"count":{"N":"41"},"active":{"BOOL":true}}`

func benchPlaceholders(b *testing.B) ([]Name, []NamedValue) {
	return []Name{{"#s", "status"}, {"#c", "count"}},
		[]NamedValue{{":s", value(b, `{"S":"SHIPPED"}`)}, {":t", value(b, `{"N":"100"}`)}, {":one", attr.Int(1)}}
}

// A condition that the cache knows: find, bind, check.
func BenchmarkBindCondition(b *testing.B) {
	c := NewCache(0)
	names, values := benchPlaceholders(b)
	b.ReportAllocs()
	for b.Loop() {
		p := NewPlaceholders(names, values)
		if _, err := c.Condition(Condition, "attribute_exists(pk) AND #s = :s AND price > :t", p); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBindStaticCondition(b *testing.B) {
	c := NewCache(0)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Condition(Condition, "attribute_not_exists(pk)", nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBindUpdate(b *testing.B) {
	c := NewCache(0)
	names, values := benchPlaceholders(b)
	b.ReportAllocs()
	for b.Loop() {
		p := NewPlaceholders(names, values)
		if _, err := c.Update("SET #c = #c + :one, #s = :s REMOVE price", p); err != nil {
			b.Fatal(err)
		}
	}
}

// The same without a cache: all four stages.
func BenchmarkCompileCondition(b *testing.B) {
	names, values := benchPlaceholders(b)
	b.ReportAllocs()
	for b.Loop() {
		p := NewPlaceholders(names, values)
		if _, err := (*Cache)(nil).Condition(Condition, "attribute_exists(pk) AND #s = :s AND price > :t", p); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEvalFilter(b *testing.B) {
	names, values := benchPlaceholders(b)
	pred, err := (*Cache)(nil).Condition(Filter, "#s = :s AND price > :t AND attribute_exists(active)", NewPlaceholders(names, values))
	if err != nil {
		b.Fatal(err)
	}
	it := item(b, benchItem)
	b.ReportAllocs()
	for b.Loop() {
		if !pred.Eval(it) {
			b.Fatal("false")
		}
	}
}

func BenchmarkApplyIncrement(b *testing.B) {
	names, values := benchPlaceholders(b)
	u, err := (*Cache)(nil).Update("SET #c = #c + :one", NewPlaceholders(names, values))
	if err != nil {
		b.Fatal(err)
	}
	it := item(b, benchItem)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := u.Apply(it, nil); err != nil {
			b.Fatal(err)
		}
	}
}
