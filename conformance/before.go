package conformance

import (
	"slices"
	"strings"
)

// turn is an exchange with its bodies read.
type turn struct {
	*Exchange
	request  *node // nil if it is no JSON
	response *node
	tables   []string
}

func turnsOf(t *Traffic) []*turn {
	var out []*turn
	for i := range t.Exchanges {
		out = append(out, newTurn(&t.Exchanges[i]))
	}
	return out
}

func newTurn(e *Exchange) *turn {
	t := &turn{Exchange: e}
	if isJSONBody(e.Request) {
		t.request, _ = parseNode(e.Request)
		t.tables = tablesNamed(t.request)
	}
	if isJSONBody(e.Response) {
		t.response, _ = parseNode(e.Response)
	}
	return t
}

// code is the error type of the captured answer, "" for a success.
func (t *turn) code() string {
	name, _ := t.response.member("__type").str()
	return name[strings.LastIndexByte(name, '#')+1:]
}

func (t *turn) succeeded() bool { return t.Status == 200 && t.code() == "" && t.Operation != "" }

// table is the table that the request names in TableName, "" if it names none.
func (t *turn) table() string {
	s, _ := t.request.member("TableName").str()
	return ofTable(s)
}

// before finds out what existed before traffic began, as far as it shows: tables that were used and not created, and
// items that were read and not written. It returns the requests that make them, and notes about what it can't tell.
//
// schemas are CreateTable requests for tables about which somebody knows more, by name.
func before(turns []*turn, schemas map[string]*node) (assumed []Exchange, notes []string) {
	var seeds []Exchange
	for _, name := range tablesBefore(turns) {
		create, note := schemas[name], ""
		if create == nil {
			create = describedSchema(turns, name)
		}
		if create == nil {
			create, note = guessedSchema(turns, name)
		}
		if note != "" {
			notes = append(notes, note)
		}
		if create == nil {
			continue
		}
		assumed = append(assumed, assume("CreateTable", create))
		for _, item := range itemsBefore(turns, name, keyNames(create)) {
			seeds = append(seeds, assume("PutItem", newObject().set("TableName", text(name)).set("Item", item)))
		}
	}
	return append(assumed, seeds...), notes
}

func assume(operation string, request *node) Exchange {
	return Exchange{Operation: operation, Method: "POST", Path: "/", Request: request.compact(), Assumed: true}
}

// tablesBefore lists the tables that answer before they are created.
func tablesBefore(turns []*turn) []string {
	var out []string
	made := map[string]bool{}
	for _, t := range turns {
		switch {
		case t.Assumed && t.Operation == "DescribeTable": // the proxy may have asked while the table was being made
			continue
		case t.Operation == "ListTables", t.Operation == "ListStreams", t.Operation == "BatchExecuteStatement":
			continue // they answer without the table
		}
		for _, name := range t.tables {
			switch {
			case made[name] || t.Status == 0 || t.code() == "ResourceNotFoundException" || slices.Contains(out, name):
			case t.Operation == "CreateTable" && t.code() != "ResourceInUseException":
				made[name] = t.succeeded()
			case t.succeeded() || t.Operation == "CreateTable" || len(t.tables) == 1 && isOfTable(t.code()):
				out = append(out, name)
			}
		}
	}
	return out
}

// isOfTable reports whether an error says that the table is there.
func isOfTable(code string) bool {
	return code == "ConditionalCheckFailedException" || code == "TransactionCanceledException" || code == "ResourceInUseException"
}

// describedSchema makes a CreateTable request of a description of the table, nil if there is none.
func describedSchema(turns []*turn, name string) *node {
	for _, t := range turns {
		if t.table() != name || t.Operation == "CreateTable" && t.succeeded() {
			continue
		}
		for _, member := range []string{"Table", "TableDescription"} {
			if d := t.response.member(member); d.member("KeySchema") != nil {
				return creation(d)
			}
		}
		if t.Operation == "CreateTable" && t.code() == "ResourceInUseException" {
			return t.request.clone()
		}
	}
	return nil
}

// creation picks from a table's description what CreateTable takes.
func creation(d *node) *node {
	out := newObject()
	copyMembers(out, d, "TableName", "AttributeDefinitions", "KeySchema", "StreamSpecification")
	provisioned := units(d)
	if provisioned == nil {
		out.set("BillingMode", text("PAY_PER_REQUEST"))
	} else {
		out.set("BillingMode", text("PROVISIONED")).set("ProvisionedThroughput", provisioned)
	}
	for _, member := range []string{"LocalSecondaryIndexes", "GlobalSecondaryIndexes"} {
		indexes := d.member(member)
		if indexes == nil {
			continue
		}
		list := &node{kind: listNode}
		for _, x := range indexes.list {
			index := newObject()
			copyMembers(index, x, "IndexName", "KeySchema", "Projection")
			if u := units(x); u != nil && provisioned != nil {
				index.set("ProvisionedThroughput", u)
			}
			list.list = append(list.list, index)
		}
		out.set(member, list)
	}
	return out
}

func copyMembers(to, from *node, names ...string) {
	for _, name := range names {
		if v := from.member(name); v != nil {
			to.set(name, v.clone())
		}
	}
}

// units is the provisioned throughput of a table or index, nil on demand.
func units(d *node) *node {
	read, write := d.member("ProvisionedThroughput", "ReadCapacityUnits"), d.member("ProvisionedThroughput", "WriteCapacityUnits")
	if read == nil || write == nil || read.text == "0" || write.text == "0" {
		return nil
	}
	return newObject().set("ReadCapacityUnits", read.clone()).set("WriteCapacityUnits", write.clone())
}

// keyNames are the key attributes of a CreateTable request.
func keyNames(create *node) []string {
	var out []string
	if schema := create.member("KeySchema"); schema != nil {
		for _, e := range schema.list {
			if name, ok := e.member("AttributeName").str(); ok {
				out = append(out, name)
			}
		}
	}
	return out
}

// itemsBefore lists the items of a table that were read before they were written, in the order in which they were
// first seen. Of an item of which only parts were read, the parts are known.
func itemsBefore(turns []*turn, table string, keys []string) []*node {
	w := &watch{table: table, keys: keys, written: map[string]bool{}, seen: map[string]int{}}
	for _, t := range turns {
		if w.lost {
			break
		}
		if t.succeeded() || t.code() == "ConditionalCheckFailedException" || t.code() == "TransactionCanceledException" {
			w.reads(t)
		}
		if t.succeeded() {
			w.writes(t)
		}
	}
	return w.items
}

// watch follows what becomes of a table's items.
type watch struct {
	table   string
	keys    []string
	written map[string]bool // keys that requests wrote
	seen    map[string]int  // keys of items
	items   []*node
	whole   []bool
	lost    bool // the table changed in a way that can't be followed
}

// key identifies an item, "" if its key isn't all there.
func (w *watch) key(item *node) string {
	var parts []string
	for _, name := range w.keys {
		v := item.member(name)
		if v == nil || len(v.list) != 1 || v.kind != objectNode {
			return ""
		}
		s := string(v.compact())
		if n, ok := v.member("N").str(); ok {
			if d, ok := parseDecimal(n); ok {
				s = d.String()
			}
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "\x00")
}

// found notes an item that was read. whole says that all its attributes were.
func (w *watch) found(item *node, whole bool) {
	if item == nil || item.kind != objectNode {
		return
	}
	key := w.key(item)
	if key == "" || w.written[key] {
		return
	}
	i, known := w.seen[key]
	if !known {
		w.seen[key] = len(w.items)
		w.items = append(w.items, item.clone())
		w.whole = append(w.whole, whole)
		return
	}
	if w.whole[i] {
		return
	}
	if w.whole[i] = whole; whole {
		w.items[i] = item.clone()
		return
	}
	for k, name := range item.names {
		w.items[i].set(name, item.list[k].clone())
	}
}

func (w *watch) wrote(key *node) {
	if k := w.key(key); k != "" {
		w.written[k] = true
	}
}

// isWhole reports whether a read asks for all attributes.
func isWhole(request *node) bool {
	sel, _ := request.member("Select").str()
	return request.member("ProjectionExpression") == nil && request.member("AttributesToGet") == nil &&
		(request.member("IndexName") == nil || sel == "ALL_ATTRIBUTES")
}

// reads notes the items that an answer shows.
func (w *watch) reads(t *turn) {
	q, a := t.request, t.response
	if t.table() == w.table {
		w.found(a.member("Item"), t.Operation != "GetItem" || isWhole(q)) // of a failed condition too
		if items := a.member("Items"); items != nil {
			for _, item := range items.list {
				w.found(item, isWhole(q))
			}
		}
		w.oldImage(t)
	}
	switch t.Operation {
	case "BatchGetItem":
		for _, list := range listsByTable(a.member("Responses"), w.table) {
			for _, item := range list.list {
				w.found(item, isWhole(keysAsked(q, w.table)))
			}
		}
	case "TransactGetItems":
		w.transactReads(t)
	case "TransactWriteItems":
		w.cancelled(t)
	case "ExecuteStatement":
		if s, _ := q.member("Statement").str(); slices.Contains(t.tables, w.table) && a.member("Items") != nil {
			whole := strings.HasPrefix(strings.ToUpper(strings.Join(strings.Fields(s), " ")), "SELECT * ")
			for _, item := range a.member("Items").list {
				w.found(item, whole)
			}
		}
	}
}

// oldImage notes what a write returned of the item before it.
func (w *watch) oldImage(t *turn) {
	what, _ := t.request.member("ReturnValues").str()
	attributes := t.response.member("Attributes")
	switch {
	case attributes == nil:
	case what == "ALL_OLD":
		w.found(attributes, true)
	case what == "UPDATED_OLD":
		item := t.request.member("Key").clone()
		for i, name := range attributes.names {
			item.set(name, attributes.list[i].clone())
		}
		w.found(item, false)
	}
}

func (w *watch) transactReads(t *turn) {
	asked, got := t.request.member("TransactItems"), t.response.member("Responses")
	if asked == nil || got == nil {
		return
	}
	for i, e := range asked.list {
		if name, _ := e.member("Get", "TableName").str(); ofTable(name) == w.table && i < len(got.list) {
			w.found(got.list[i].member("Item"), isWhole(e.member("Get")))
		}
	}
}

// cancelled notes the items that cancellation reasons show.
func (w *watch) cancelled(t *turn) {
	asked, reasons := t.request.member("TransactItems"), t.response.member("CancellationReasons")
	if asked == nil || reasons == nil {
		return
	}
	for i, e := range asked.list {
		for _, action := range e.list {
			if name, _ := action.member("TableName").str(); ofTable(name) == w.table && i < len(reasons.list) {
				w.found(reasons.list[i].member("Item"), true)
			}
		}
	}
}

// writes notes the keys that a request that succeeded wrote.
func (w *watch) writes(t *turn) {
	q := t.request
	switch t.Operation {
	case "PutItem", "UpdateItem", "DeleteItem":
		if t.table() == w.table {
			w.wrote(q.member("Item"))
			w.wrote(q.member("Key"))
		}
	case "BatchWriteItem":
		for _, list := range listsByTable(q.member("RequestItems"), w.table) {
			for _, e := range list.list {
				w.wrote(e.member("PutRequest", "Item"))
				w.wrote(e.member("DeleteRequest", "Key"))
			}
		}
	case "TransactWriteItems":
		if items := q.member("TransactItems"); items != nil {
			for _, e := range items.list {
				for i, action := range e.list {
					if name, _ := action.member("TableName").str(); ofTable(name) == w.table && e.names[i] != "ConditionCheck" {
						w.wrote(action.member("Item"))
						w.wrote(action.member("Key"))
					}
				}
			}
		}
	case "CreateTable", "DeleteTable":
		w.lost = w.lost || t.table() == w.table
	case "ExecuteStatement", "ExecuteTransaction", "BatchExecuteStatement":
		w.lost = w.lost || slices.Contains(t.tables, w.table) && !onlySelects(q)
	}
}

// onlySelects reports whether no statement of a request writes.
func onlySelects(q *node) bool {
	if s, ok := q.member("Statement").str(); ok {
		return strings.HasPrefix(strings.ToUpper(strings.TrimSpace(s)), "SELECT")
	}
	for _, member := range []string{"Statements", "TransactStatements"} {
		if list := q.member(member); list != nil {
			return !slices.ContainsFunc(list.list, func(e *node) bool { return !onlySelects(e) })
		}
	}
	return false
}

// listsByTable returns the members of an object that belong to a table, by name or ARN.
func listsByTable(byTable *node, table string) []*node {
	var out []*node
	if byTable != nil && byTable.kind == objectNode {
		for i, name := range byTable.names {
			if ofTable(name) == table {
				out = append(out, byTable.list[i])
			}
		}
	}
	return out
}

// keysAsked is what a BatchGetItem asks of a table.
func keysAsked(q *node, table string) *node {
	for _, n := range listsByTable(q.member("RequestItems"), table) {
		return n
	}
	return nil
}
