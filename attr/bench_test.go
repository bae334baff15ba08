package attr

import (
	"strings"
	"testing"

	"github.com/dynalite-go/dynalite/internal/coral"
)

// benchItem has ten attributes and about a thousand bytes.
var benchItem = `{"pk":{"S":"USER#0000000042"},"sk":{"S":"ORDER#2026-11-30T14:10:00Z"},"status":{"S":"SHIPPED"},` +
	`"total":{"N":"1299.95"},"count":{"N":"7"},"active":{"BOOL":true},"tags":{"SS":["red","green","blue"]},` +
	`"address":{"M":{"street":{"S":"Main Street 1"},"city":{"S":"Springfield"},"geo":{"M":{"lat":{"N":"37.2"},"lon":{"N":"-93.3"}}}}},` +
	`"lines":{"L":[{"M":{"sku":{"S":"A-1"},"qty":{"N":"2"}}},{"M":{"sku":{"S":"B-2"},"qty":{"N":"5"}}}]},` +
	`"note":{"S":"` + strings.Repeat("lorem ipsum dolor sit amet, ", 18) + `"}}`

func benchmarkItem(b *testing.B) *Item {
	b.Helper()
	it, err := ParseItem(benchItem)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	return it
}

func BenchmarkDecodeItem(b *testing.B) {
	var d Decoder
	b.SetBytes(int64(len(benchItem)))
	b.ReportAllocs()
	for b.Loop() {
		c := coral.New(benchItem)
		if _, _, err := d.Item(&c); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	it := benchmarkItem(b)
	for b.Loop() {
		if _, ok := it.Lookup("address"); !ok {
			b.Fatal("missing")
		}
	}
}

func BenchmarkResolve(b *testing.B) {
	it := benchmarkItem(b)
	p, err := ParsePath("address.geo.lon")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, ok := p.Resolve(it); !ok {
			b.Fatal("missing")
		}
	}
}

func BenchmarkProject(b *testing.B) {
	it := benchmarkItem(b)
	p := TopLevel("status", "count")
	var dst []byte
	for b.Loop() {
		dst = p.Append(dst[:0], it)
	}
}

func BenchmarkProjectNested(b *testing.B) {
	it := benchmarkItem(b)
	var paths []Path
	for _, text := range []string{"address.city", "lines[1].sku"} {
		p, err := ParsePath(text)
		if err != nil {
			b.Fatal(err)
		}
		paths = append(paths, p)
	}
	p := NewProjection(paths)
	var dst []byte
	for b.Loop() {
		dst = p.Append(dst[:0], it)
	}
}

func BenchmarkEditNumber(b *testing.B) {
	it := benchmarkItem(b)
	edits := []Edit{{NamePath("count"), Int(8)}}
	for b.Loop() {
		if _, err := it.Edit(edits); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEditNested(b *testing.B) {
	it := benchmarkItem(b)
	p, err := ParsePath("lines[1].qty")
	if err != nil {
		b.Fatal(err)
	}
	edits := []Edit{{p, Int(8)}}
	for b.Loop() {
		if _, err := it.Edit(edits); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	x, one := mustNumber(b, "1299.95"), Int(1)
	b.ReportAllocs()
	for b.Loop() {
		if _, fault := Add(x, one); fault != nil {
			b.Fatal(fault)
		}
	}
}

func BenchmarkCompareNumbers(b *testing.B) {
	x, y := mustNumber(b, "-1234.5678"), mustNumber(b, "-1234.5679")
	b.ReportAllocs()
	for b.Loop() {
		Compare(x, y)
		Equal(x, y)
	}
}

func BenchmarkAppendKey(b *testing.B) {
	for name, v := range map[string]Value{
		"S": String("ORDER#2026-11-30T14:10:00Z"), "N": mustNumber(b, "1299.95"), "B": Binary([]byte("0123456789abcdef")),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var dst []byte
			for b.Loop() {
				dst = AppendKey(dst[:0], v)
			}
		})
	}
}

func BenchmarkSize(b *testing.B) {
	it := benchmarkItem(b)
	v, _ := it.Lookup("address")
	for b.Loop() {
		v.Size()
	}
}
