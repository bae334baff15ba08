package attr_test

import (
	"fmt"

	"github.com/dynalite-go/dynalite/attr"
)

func ExampleNewItem() {
	it := attr.NewItem(
		attr.Named("pk", attr.String("USER#ana")),
		attr.Named("visits", attr.Int(41)),
		attr.Named("tags", attr.StringSet("new", "paid")),
	)
	fmt.Println(it)
	fmt.Println(it.Size(), "bytes")
	// Output:
	// {"pk":{"S":"USER#ana"},"visits":{"N":"41"},"tags":{"SS":["new","paid"]}}
	// 29 bytes
}

func ExampleParseItem() {
	it, err := attr.ParseItem(`{"price": {"N": "1.50E2"}, "colours": {"SS": ["red", "blue"]}}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	price, _ := it.Lookup("price")
	fmt.Println(price.NumberText())
	_, err = attr.ParseItem(`{"colours": {"SS": ["red", "red"]}}`)
	fmt.Println(err)
	// Output:
	// 150
	// One or more parameter values were invalid: Input collection [red, red] contains duplicates.
}

func ExampleItem_Edit() {
	it, err := attr.ParseItem(`{"log":{"L":[{"S":"a"},{"S":"b"}]},"n":{"N":"1"}}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	log := attr.NameElem("log")
	it, err = it.Edit([]attr.Edit{
		{Path: attr.Path{log, attr.IndexElem(0)}},
		{Path: attr.Path{log, attr.IndexElem(2)}, Value: attr.String("c")},
		{Path: attr.NamePath("n"), Value: attr.Int(2)},
	})
	fmt.Println(it, err)
	// Output:
	// {"log":{"L":[{"S":"b"},{"S":"c"}]},"n":{"N":"2"}} <nil>
}

func ExampleProjection() {
	it, err := attr.ParseItem(`{"l":{"L":[{"S":"zero"},{"S":"one"},{"S":"two"}]},"m":{"M":{"x":{"N":"1"},"y":{"N":"2"}}}}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := attr.NewProjection([]attr.Path{
		{attr.NameElem("l"), attr.IndexElem(2)},
		{attr.NameElem("l"), attr.IndexElem(0)},
		{attr.NameElem("m"), attr.NameElem("y")},
	})
	fmt.Println(string(p.Append(nil, it)))
	// Output:
	// {"l":{"L":[{"S":"zero"},{"S":"two"}]},"m":{"M":{"y":{"N":"2"}}}}
}
