package conformance

import (
	"fmt"
	"strings"
)

// path draws a document path.
func (r *request) path(label string) string {
	return r.g.pick(r.label+label, "a", "b", "c", "g", "n", "m", "m.x", "m.y", "b[0]", "c[1]", "pk")
}

// condition draws a condition of some depth.
func (r *request) condition(depth int) string {
	g, label := r.g, fmt.Sprintf("%s condition %d.%d", r.label, depth, len(r.values))
	if depth > 0 && g.chance(label+" joined", 35) {
		left, right := r.condition(depth-1), r.condition(depth-1)
		return "(" + left + ") " + g.pick(label+" join", "AND", "OR") + " (" + right + ")"
	}
	if g.chance(label+" negated", 15) {
		return "NOT (" + r.condition(0) + ")"
	}
	p := r.path(label)
	switch g.pick(label+" form", "exists", "not exists", "compare", "between", "in", "prefix", "contains", "size", "type") {
	case "exists":
		return "attribute_exists(" + p + ")"
	case "not exists":
		return "attribute_not_exists(" + p + ")"
	case "between":
		return p + " BETWEEN " + r.literal(`{"N": "-1"}`) + " AND " + r.literal(`{"N": "2"}`)
	case "in":
		return p + " IN (" + r.literal(g.value(label+" one", 0)) + ", " + r.literal(g.value(label+" two", 0)) + ")"
	case "prefix":
		return "begins_with(" + p + ", " + r.literal(g.pick(label+" prefix", `{"S": "a"}`, `{"B": "AQ=="}`, `{"S": ""}`)) + ")"
	case "contains":
		return "contains(" + p + ", " + r.literal(g.value(label+" member", 0)) + ")"
	case "size":
		return "size(" + p + ") " + g.pick(label+" size op", "=", ">", "<=") + " " + r.literal(`{"N": "1"}`)
	case "type":
		return "attribute_type(" + p + ", " + r.literal(`{"S": "`+g.pick(label+" type", "S", "N", "L", "M", "SS", "NULL")+`"}`) + ")"
	default:
		return p + " " + g.pick(label+" op", "=", "<>", "<", ">=") + " " + r.literal(g.value(label+" value", 1))
	}
}

// update draws an update expression; sections may touch one path twice, which is refused.
func (r *request) update() string {
	g := r.g
	var sections []string
	if g.chance(r.label+" sets", 70) {
		var sets []string
		for i := range 1 + len(g.pick(r.label+" more sets", "", "x", "xx")) {
			label := fmt.Sprintf("%s set %d", r.label, i)
			sets = append(sets, r.path(label)+" = "+r.operand(label))
		}
		sections = append(sections, "SET "+strings.Join(sets, ", "))
	}
	if g.chance(r.label+" removes", 25) {
		sections = append(sections, "REMOVE "+r.path(" remove"))
	}
	if g.chance(r.label+" adds", 25) {
		sections = append(sections, "ADD "+r.path(" add")+" "+r.literal(g.pick(r.label+" added", `{"N": "1"}`, `{"SS": ["a"]}`, `{"NS": ["1"]}`)))
	}
	if g.chance(r.label+" deletes", 15) || len(sections) == 0 {
		sections = append(sections, "DELETE "+r.path(" delete")+" "+r.literal(g.pick(r.label+" deleted", `{"SS": ["a"]}`, `{"NS": ["1"]}`)))
	}
	return strings.Join(sections, " ")
}

func (r *request) operand(label string) string {
	g := r.g
	switch g.pick(label+" form", "value", "path", "sum", "default", "append") {
	case "path":
		return r.path(label + " from")
	case "sum":
		return r.path(label+" from") + g.pick(label+" sign", " + ", " - ") + r.literal(g.scalar(label, "N"))
	case "default":
		return "if_not_exists(" + r.path(label+" from") + ", " + r.literal(g.value(label, 1)) + ")"
	case "append":
		return "list_append(" + r.path(label+" from") + `, ` + r.literal(`{"L": [`+g.value(label, 0)+`]}`) + ")"
	default:
		return r.literal(g.value(label, 2))
	}
}

// read draws a query or scan, and reports whether its pages are to be followed.
func (r *request) read(operation string) (pages bool) {
	g, keys := r.g, r.g.keys
	if len(g.indexes) > 0 && g.chance(r.label+" index", 40) {
		x := g.indexes[0]
		if len(g.indexes) > 1 && g.chance(r.label+" other index", 50) {
			x = g.indexes[1]
		}
		keys = x.Keys
		r.member("IndexName", jsonString(x.Name))
	}
	if operation == "Query" {
		r.member("KeyConditionExpression", jsonString(r.keyCondition(keys)))
		r.member("ScanIndexForward", g.pick(r.label+" forward", "true", "false"))
	}
	if g.chance(r.label+" filtered", 30) {
		r.member("FilterExpression", jsonString(r.condition(1)))
	}
	if g.chance(r.label+" counted", 15) {
		r.member("Select", `"COUNT"`)
	} else {
		r.projection()
	}
	if !g.chance(r.label+" limited", 30) {
		r.capacity()
		return false
	}
	r.member("Limit", g.pick(r.label+" limit", "1", "2", "3"))
	return g.chance(r.label+" pages", 70)
}

func (r *request) keyCondition(keys Keys) string {
	g := r.g
	cond := keys.Hash[0].Name + " = " + r.literal(g.scalar(r.label+" hash", keys.Hash[0].Type))
	if len(keys.Range) == 0 || !g.chance(r.label+" range", 60) {
		return cond
	}
	k := keys.Range[0]
	low := func() string { return r.literal(g.scalar(r.label+" low", k.Type)) }
	switch op := g.pick(r.label+" range op", "=", "<", ">=", "BETWEEN", "begins_with"); op {
	case "BETWEEN":
		return cond + " AND " + k.Name + " BETWEEN " + low() + " AND " + r.literal(g.scalar(r.label+" high", k.Type))
	case "begins_with":
		return cond + " AND begins_with(" + k.Name + ", " + low() + ")"
	default:
		return cond + " AND " + k.Name + " " + op + " " + low()
	}
}

// several draws a batch or transaction of a few requests.
func (r *request) several(operation string) {
	g := r.g
	var parts []string
	for i := range 1 + len(g.pick(r.label+" more", "", "x", "xx")) {
		label := fmt.Sprintf("%s part %d", r.label, i)
		sub := &request{g: g, label: label}
		switch operation {
		case "BatchWriteItem":
			if g.chance(label+" deletes", 30) {
				parts = append(parts, `{"DeleteRequest": {"Key": `+g.key(label)+`}}`)
			} else {
				parts = append(parts, `{"PutRequest": {"Item": `+g.item(label)+`}}`)
			}
		case "BatchGetItem":
			parts = append(parts, g.key(label))
		case "TransactGetItems":
			sub.member("TableName", `"${table}"`)
			sub.member("Key", g.key(label))
			sub.projection()
			parts = append(parts, `{"Get": `+sub.json()+`}`)
		case "TransactWriteItems":
			parts = append(parts, sub.action())
		}
	}
	list := "[" + strings.Join(parts, ", ") + "]"
	switch operation {
	case "BatchWriteItem":
		r.member("RequestItems", `{"${table}": `+list+`}`)
	case "BatchGetItem":
		r.member("RequestItems", `{"${table}": {"Keys": `+list+`}}`)
	default:
		r.member("TransactItems", list)
	}
}

// action draws one action of a transaction.
func (r *request) action() string {
	kind := r.g.pick(r.label+" action", "Put", "Update", "Delete", "ConditionCheck")
	r.member("TableName", `"${table}"`)
	if kind == "ConditionCheck" {
		r.member("Key", r.g.key(r.label))
		r.member("ConditionExpression", jsonString(r.condition(1)))
	} else {
		r.write(kind + "Item")
	}
	return fmt.Sprintf("{%q: %s}", kind, r.json())
}
