package request

import (
	"strconv"
	"strings"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

// maxMapBytes is the most that one placeholder map may hold (limits.md §4).
const maxMapBytes = 2 << 20

// bindings are the placeholder maps of one request, or of one action of a transaction, in the form that expr reads.
// Small maps fit in; the whole is one allocation. A nil *bindings has no placeholders.
type bindings struct {
	expr.Placeholders

	names  [4]expr.Name
	values [6]expr.NamedValue
}

// bind checks the two maps and keeps them for the expressions of the request. The order is that of behaviours/04
// §4.3: names empty, names with a bad key, values empty, values with a bad key, bad values.
func bind(names []api.Name, values []api.NamedValue) (*bindings, *api.Error) {
	if names == nil && values == nil {
		return nil, nil
	}
	if err := checkNames(names); err != nil {
		return nil, err
	}
	if err := checkValues(values); err != nil {
		return nil, err
	}
	b := &bindings{}
	n, v := b.names[:0], b.values[:0]
	for i := range names {
		n = append(n, expr.Name(names[i]))
	}
	for i := range values {
		v = append(v, expr.NamedValue{Placeholder: values[i].Name, Value: values[i].Value})
	}
	b.Init(n, v)
	return b, nil
}

// placeholders is what expr binds with.
func (b *bindings) placeholders() *expr.Placeholders {
	if b == nil {
		return nil
	}
	return &b.Placeholders
}

// unused returns the error of placeholders that no expression used. It is judged once, after all expressions of
// the request were bound; names come before values.
func (b *bindings) unused() *api.Error {
	if b == nil {
		return nil
	}
	if names := b.UnusedNames(); len(names) > 0 {
		return errUnused("Names", names)
	}
	if values := b.UnusedValues(); len(values) > 0 {
		return errUnused("Values", values)
	}
	return nil
}

func errUnused(which string, keys []string) *api.Error {
	return api.ValidationEnv("Value provided in ExpressionAttribute" + which + " unused in expressions: keys: {" +
		strings.Join(keys, ", ") + "}")
}

const (
	namesMap  = "ExpressionAttributeNames"
	valuesMap = "ExpressionAttributeValues"
)

func checkNames(names []api.Name) *api.Error {
	if names == nil {
		return nil
	}
	if len(names) == 0 {
		return api.ValidationEnv(namesMap + " must not be empty")
	}
	size := 0
	for i := range names {
		size += len(names[i].Placeholder) + len(names[i].Target)
	}
	if size > maxMapBytes {
		return errMapSize(namesMap)
	}
	for i := range names {
		if err := checkPlaceholder(namesMap, '#', names[i].Placeholder); err != nil {
			return err
		}
	}
	for i := range names {
		if f := attr.NameFault(names[i].Target); f != nil {
			return api.ValidationEnv(namesMap + " contains invalid value: " + f.Error() + " for key " + names[i].Placeholder)
		}
	}
	return nil
}

func checkValues(values []api.NamedValue) *api.Error {
	if values == nil {
		return nil
	}
	if len(values) == 0 {
		return api.ValidationEnv(valuesMap + " must not be empty")
	}
	size := 0
	for i := range values {
		size += len(values[i].Name) + len(values[i].Value.Text())
	}
	if size > maxMapBytes {
		return errMapSize(valuesMap)
	}
	for i := range values {
		if err := checkPlaceholder(valuesMap, ':', values[i].Name); err != nil {
			return err
		}
	}
	for i := range values {
		if values[i].Fault != nil {
			return api.ValueFaultError(values[i].Fault, values[i].Name)
		}
	}
	return nil
}

// checkPlaceholder judges a key of a placeholder map. The text for a key that is too long comes from public
// recordings; the reference has only the limit.
func checkPlaceholder(which string, sigil byte, key string) *api.Error {
	if len(key) > expr.MaxPlaceholderBytes {
		return api.ValidationEnv(which + " contains invalid key: The expression attribute map contains a key that is " +
			"too long; size of key: " + strconv.Itoa(len(key)))
	}
	if !expr.PlaceholderKeyOK(key) || key[0] != sigil {
		return api.ValidationEnv(which + ` contains invalid key: Syntax error; key: "` + key + `"`)
	}
	return nil
}

// errMapSize: the limit is documented, the text comes from public recordings.
func errMapSize(which string) *api.Error { return api.ValidationEnv(which + " exceeds max size") }
