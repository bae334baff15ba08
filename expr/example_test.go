package expr_test

import (
	"fmt"

	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

func ExampleCache_Condition() {
	cache := expr.NewCache(0)
	p := expr.NewPlaceholders(
		[]expr.Name{{Placeholder: "#s", Target: "status"}},
		[]expr.NamedValue{{Placeholder: ":open", Value: attr.String("OPEN")}, {Placeholder: ":spare", Value: attr.Int(1)}},
	)
	cond, err := cache.Condition(expr.Condition, "attribute_exists(pk) AND #s = :open", p)
	if err != nil {
		fmt.Println(err)
		return
	}
	it, _ := attr.ParseItem(`{"pk":{"S":"ISSUE#7"},"status":{"S":"OPEN"}}`)
	fmt.Println(cond.Eval(it), cond.Eval(nil), p.UnusedValues())
	_, err = cache.Condition(expr.Condition, "status = :open", p)
	fmt.Println(err)
	// Output:
	// true false [:spare]
	// Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: status
}

func ExampleCache_Update() {
	cache := expr.NewCache(0)
	p := expr.NewPlaceholders(nil, []expr.NamedValue{{Placeholder: ":one", Value: attr.Int(1)}})
	update, err := cache.Update("SET hits = if_not_exists(hits, :one) + :one REMOVE draft", p)
	if err != nil {
		fmt.Println(err)
		return
	}
	old, _ := attr.ParseItem(`{"pk":{"S":"p"},"hits":{"N":"41"},"draft":{"BOOL":true}}`)
	it, err := update.Apply(old, nil)
	fmt.Println(it, err)
	// Output:
	// {"pk":{"S":"p"},"hits":{"N":"42"}} <nil>
}

func ExampleCompare() {
	status, total := attr.NamePath("status"), attr.NamePath("total")
	cond := expr.And(
		expr.Compare(status, expr.In, attr.String("OPEN"), attr.String("NEW")),
		expr.Not(expr.Compare(total, expr.Null)),
	)
	it, _ := attr.ParseItem(`{"status":{"S":"NEW"},"total":{"N":"3"}}`)
	fmt.Println(cond.Eval(it))
	// Output:
	// true
}
