package request

import (
	"slices"
	"strings"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine"
)

// definitions are the AttributeDefinitions of a request. There may be far more
// than any table could use.
type definitions struct {
	list  []api.AttributeDefinition
	first map[string]int // by name, the place in list
}

func newDefinitions(list []api.AttributeDefinition) definitions {
	d := definitions{list, make(map[string]int, len(list))}
	for i := range list {
		if _, again := d.first[list[i].AttributeName.Value]; !again {
			d.first[list[i].AttributeName.Value] = i
		}
	}
	return d
}

func (d *definitions) find(name string) *api.AttributeDefinition {
	i, ok := d.first[name]
	if !ok {
		return nil
	}
	return &d.list[i]
}

func (d *definitions) names() []string {
	names := make([]string, len(d.list))
	for i := range d.list {
		names[i] = d.list[i].AttributeName.Value
	}
	return names
}

// unique refuses a second definition of an attribute, of whatever type.
func (d *definitions) unique() *api.Error {
	for i := range d.list {
		if name := d.list[i].AttributeName.Value; d.first[name] != i {
			return api.Validation("Attribute Name is duplicated: " + name)
		}
	}
	return nil
}

// defines refuses a key with an attribute that has no definition.
func (d *definitions) defines(elements []api.KeySchemaElement) *api.Error {
	for _, e := range elements {
		if d.find(e.AttributeName.Value) == nil {
			return api.Validation(invalidParameter + "Some index key attributes are not defined in AttributeDefinitions. Keys: [" +
				strings.Join(elementNames(elements), ", ") + "], AttributeDefinitions: [" + strings.Join(d.names(), ", ") + "]")
		}
	}
	return nil
}

// attributes are the definitions as the engine takes them.
func (d *definitions) attributes() []engine.KeyAttribute {
	out := make([]engine.KeyAttribute, len(d.list))
	for i := range d.list {
		out[i] = engine.KeyAttribute{Name: d.list[i].AttributeName.Value, Type: keyType(d.list[i].AttributeType.Value)}
	}
	return out
}

func keyType(name string) attr.Type {
	switch name {
	case "N":
		return attr.N
	case "B":
		return attr.B
	}
	return attr.S
}

func elementNames(elements []api.KeySchemaElement) []string {
	names := make([]string, len(elements))
	for i, e := range elements {
		names[i] = e.AttributeName.Value
	}
	return names
}

// schema is a key whose elements passed all checks.
func (d *definitions) schema(elements []api.KeySchemaElement) engine.KeySchema {
	var s engine.KeySchema
	for _, e := range elements {
		k := engine.KeyAttribute{Name: e.AttributeName.Value}
		if def := d.find(k.Name); def != nil {
			k.Type = keyType(def.AttributeType.Value)
		}
		if e.KeyType.Value == api.KeyRange {
			s.Range = append(s.Range, k)
			continue
		}
		s.Hash = append(s.Hash, k)
	}
	return s
}

// checkKey holds the key of a table or a local index to its form: one HASH
// element, then at most one RANGE element (behaviours/02 §2.1 rows 7 and 8).
func checkKey(elements []api.KeySchemaElement) *api.Error {
	if len(elements) > 1 && elements[0].AttributeName == elements[1].AttributeName {
		return errSameKeys
	}
	if len(elements) == 0 || elements[0].KeyType.Value != api.KeyHash {
		return errFirstKey
	}
	if len(elements) > 1 && elements[1].KeyType.Value != api.KeyRange {
		return api.Validation("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
	}
	return nil
}

var (
	errSameKeys = api.Validation("Both the Hash Key and the Range Key element in the KeySchema have the same name")
	errFirstKey = api.Validation("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
)

// checkGlobalKey holds the key of a global index to its form: up to four HASH
// elements, then up to four RANGE elements (api-surface §7).
func checkGlobalKey(elements []api.KeySchemaElement) *api.Error {
	if err := checkRepeated(elements); err != nil {
		return err
	}
	if len(elements) == 0 || elements[0].KeyType.Value != api.KeyHash {
		return errFirstKey
	}
	hashes, ranges := 0, 0
	for _, e := range elements {
		if e.KeyType.Value == api.KeyRange {
			ranges++
			continue
		}
		if ranges > 0 {
			return api.Validation(invalidParameter + "All HASH key attributes must precede RANGE key attributes in the KeySchema")
		}
		hashes++
	}
	switch {
	case hashes > api.MaxIndexKeyParts:
		return errKeyParts(api.KeyHash)
	case ranges > api.MaxIndexKeyParts:
		return errKeyParts(api.KeyRange)
	}
	return nil
}

// checkRepeated refuses a key that names an attribute twice. Keys of two
// elements have the old text.
func checkRepeated(elements []api.KeySchemaElement) *api.Error {
	seen := make(map[string]bool, len(elements))
	for i := range elements {
		name := elements[i].AttributeName.Value
		switch {
		case !seen[name]:
			seen[name] = true
		case len(elements) == 2:
			return errSameKeys
		default:
			return api.Validation("The KeySchema contains multiple key attributes with the same name")
		}
	}
	return nil
}

func errKeyParts(kind string) *api.Error {
	return api.Validation(invalidParameter + "The KeySchema exceeds the maximum allowed number of " + kind + " key attributes")
}

// checkProjection checks the projection of an index (behaviours/02 §2.1 rows
// 15 to 17).
func checkProjection(p *api.Projection) *api.Error {
	if p == nil || !p.ProjectionType.Set {
		return api.Validation(invalidParameter + "Unknown ProjectionType: null")
	}
	kind := p.ProjectionType.Value
	switch {
	case kind != api.ProjectInclude && p.NonKeyAttributes != nil:
		return api.Validation(invalidParameter + "ProjectionType is " + kind + ", but NonKeyAttributes is specified")
	case kind == api.ProjectInclude && p.NonKeyAttributes == nil:
		return api.Validation(invalidParameter + "ProjectionType is " + kind + ", but NonKeyAttributes is not specified")
	}
	for i, name := range p.NonKeyAttributes {
		if slices.Contains(p.NonKeyAttributes[:i], name) {
			return api.Validation(invalidParameter + "Duplicate element in NonKeyAttributes: " + name)
		}
	}
	return nil
}

// indexSpec is an index that passed all checks.
func indexSpec(name string, key engine.KeySchema, p *api.Projection) engine.IndexSpec {
	return engine.IndexSpec{Name: name, Key: key, Projection: p.ProjectionType.Value, NonKey: p.NonKeyAttributes}
}

// globalSpec is a global index that passed all checks.
func (d *definitions) globalSpec(x *api.GlobalSecondaryIndex) engine.IndexSpec {
	spec := indexSpec(x.IndexName.Value, d.schema(x.KeySchema), x.Projection)
	spec.Throughput = units(x.ProvisionedThroughput)
	spec.Ceilings = orZero(x.OnDemandThroughput)
	spec.Warm = orZero(x.WarmThroughput)
	return spec
}

// units is provisioned throughput as the engine takes it.
func units(p *api.ProvisionedThroughput) engine.Units {
	if p == nil {
		return engine.Units{}
	}
	return engine.Units{Read: p.ReadCapacityUnits.Value, Write: p.WriteCapacityUnits.Value}
}

func orZero[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
