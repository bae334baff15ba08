package conformance

import (
	"slices"
)

// nameMembers hold the name or the ARN of a table.
var nameMembers = []string{"TableName", "SourceTableName", "TargetTableName", "GlobalTableName", "ExclusiveStartTableName",
	"LastEvaluatedTableName", "ResourceArn", "TableArn", "StreamArn", "SourceTableArn", "LatestStreamArn", "IndexArn"}

// tableKeyed are members whose own members are named by tables.
var tableKeyed = []string{"RequestItems", "UnprocessedKeys", "UnprocessedItems"}

// renaming gives tables other names, and ARNs another home.
type renaming struct {
	name            func(string) string
	region, account string // "": as they are
}

// node replaces the names of tables in a request, or in the parts of an answer that are the same in all operations:
// values of members such as TableName, ARNs, members of RequestItems, PartiQL statements. Items are left alone.
func (r renaming) node(n *node) {
	if n == nil {
		return
	}
	for i, v := range n.list {
		if n.kind != objectNode {
			r.node(v)
			continue
		}
		name := n.names[i]
		switch {
		case v.kind != stringNode && slices.Contains(itemMembers, name):
		case v.kind == objectNode && slices.Contains(tableKeyed, name):
			for k := range v.names {
				v.names[k] = r.table(v.names[k])
				r.node(v.list[k])
			}
		case v.kind == stringNode && name == "Statement":
			v.text = statementTables(v.text, r.name)
		case v.kind == stringNode && slices.Contains(nameMembers, name):
			v.text = r.table(v.text)
		case v.kind == listNode && name == "TableNames":
			for _, e := range v.list {
				e.text = r.name(e.text)
			}
		default:
			r.node(v)
		}
	}
}

// tableARN matches the ARN of a table or of what belongs to it.
var tableARN = lazyRegexp(`^(arn:[a-z-]+:dynamodb:)([a-z0-9-]+):([0-9]{12})(:table/)([A-Za-z0-9_.-]+)(/.*)?$`)

// table renames a table that is given by its name or ARN.
func (r renaming) table(s string) string {
	m := tableARN().FindStringSubmatch(s)
	if m == nil {
		return r.name(s)
	}
	region, account := m[2], m[3]
	if r.region != "" && r.account != "" {
		region, account = r.region, r.account
	}
	return m[1] + region + ":" + account + m[4] + r.name(m[5]) + m[6]
}

// tablesNamed lists the tables that a request names, each once, in order.
func tablesNamed(request *node) []string {
	var out []string
	renaming{name: func(name string) string {
		if isTableName(name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
		return name
	}}.node(request.clone())
	return out
}

var tableNamePattern = lazyRegexp(`^[A-Za-z0-9_.-]{3,255}$`)

// isTableName reports whether a table can have a name.
func isTableName(s string) bool { return tableNamePattern().MatchString(s) }

// ofTable returns the name of a table that is given by its name or ARN.
func ofTable(nameOrARN string) string {
	if m := tableARN().FindStringSubmatch(nameOrARN); m != nil {
		return m[5]
	}
	return nameOrARN
}

// arnHome returns the account and region of the first ARN of DynamoDB in a text.
func arnHome(body []byte) (region, account string) {
	if m := homePattern().FindSubmatch(body); m != nil {
		return string(m[1]), string(m[2])
	}
	return "", ""
}

var homePattern = lazyRegexp(`arn:[a-z-]+:dynamodb:([a-z0-9-]+):([0-9]{12}):`)
