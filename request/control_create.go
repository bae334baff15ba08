package request

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
)

// CreateTable compiles a CreateTable. The checks and their order are those of
// behaviours/02 §2.1, stage C.
func (c *Compiler) CreateTable(in *api.CreateTableInput, s Scope) (*engine.CreateTable, error) {
	table, err := s.Table("CreateTable", in.TableName.Value)
	if err != nil {
		return nil, err
	}
	n := newTable{
		CreateTableInput: in,
		defs:             newDefinitions(in.AttributeDefinitions),
		onDemand:         in.BillingMode.Value == api.BillingPayPerRequest,
		names:            map[string]bool{},
	}
	for _, check := range []func() *api.Error{
		n.checkSupported,
		n.checkCapacity,
		n.checkSchema,
		n.checkDefinitionsUsed,
		n.checkLocals,
		n.checkGlobals,
		n.checkStream,
		n.checkNonKeyTotal,
		n.checkRest,
	} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return n.command(table), nil
}

// newTable is a CreateTable under way.
type newTable struct {
	*api.CreateTableInput
	defs     definitions
	onDemand bool
	names    map[string]bool // of the indexes seen
}

// checkSupported refuses what this database does not have. The texts are our
// own.
func (n *newTable) checkSupported() *api.Error {
	switch {
	case n.GlobalTableSourceARN.Set:
		return errUnsupported("Global tables")
	case len(n.VectorIndexes) > 0:
		return errUnsupported("Vector indexes")
	}
	return nil
}

func errUnsupported(what string) *api.Error {
	return api.Validation(invalidParameter + what + " are not supported by this endpoint")
}

func (n *newTable) checkCapacity() *api.Error {
	if err := checkBilling(n.onDemand, n.ProvisionedThroughput); err != nil {
		return err
	}
	if err := checkBounds(n.ProvisionedThroughput); err != nil {
		return err
	}
	ceilings := orZero(n.OnDemandThroughput)
	if member := firstMember(ceilings); member != "" && !n.onDemand {
		return api.Validation(invalidParameter + member +
			" for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.")
	}
	if err := engine.CheckNewCeilings(ceilings, "table"); err != nil {
		return err
	}
	return engine.CheckNewWarm(orZero(n.WarmThroughput), units(n.ProvisionedThroughput), n.onDemand, "table")
}

// checkBilling: on-demand tables have no provisioned throughput, the others
// have both units.
func checkBilling(onDemand bool, p *api.ProvisionedThroughput) *api.Error {
	switch {
	case onDemand && p != nil:
		return api.Validation(invalidParameter +
			"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
	case !onDemand && (p == nil || p.ReadCapacityUnits.Value == 0 || p.WriteCapacityUnits.Value == 0):
		return api.Validation(invalidParameter +
			"ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED")
	}
	return nil
}

// maxUnits bounds throughput long before any quota is looked at.
const maxUnits = 1_000_000_000_000

func checkBounds(p *api.ProvisionedThroughput) *api.Error {
	if p == nil {
		return nil
	}
	for _, m := range []struct {
		name  string
		units int64
	}{
		{"ReadCapacityUnits", p.ReadCapacityUnits.Value},
		{"WriteCapacityUnits", p.WriteCapacityUnits.Value},
	} {
		if m.units > maxUnits {
			return api.Validation("Given value " + strconv.FormatInt(m.units, 10) + " for " + m.name + " is out of bounds")
		}
	}
	return nil
}

// firstMember is the first member of OnDemandThroughput that was sent.
func firstMember(o api.OnDemandThroughput) string {
	switch {
	case o.MaxReadRequestUnits.Set:
		return "MaxReadRequestUnits"
	case o.MaxWriteRequestUnits.Set:
		return "MaxWriteRequestUnits"
	}
	return ""
}

// checkSchema checks the table's own key.
func (n *newTable) checkSchema() *api.Error {
	if err := n.defs.unique(); err != nil {
		return err
	}
	if len(n.KeySchema) > len(n.defs.list) {
		return api.Validation("Invalid KeySchema: Some index key attribute have no definition")
	}
	if err := n.defs.defines(n.KeySchema); err != nil {
		return err
	}
	if err := checkKey(n.KeySchema); err != nil {
		return err
	}
	if n.LocalSecondaryIndexes == nil && n.GlobalSecondaryIndexes == nil && len(n.KeySchema) != len(n.defs.list) {
		return api.Validation(invalidParameter +
			"Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions")
	}
	return nil
}

// checkDefinitionsUsed refuses definitions that no key uses. That stands
// before the rules of indexes, as was measured in October 2026.
func (n *newTable) checkDefinitionsUsed() *api.Error {
	if len(n.LocalSecondaryIndexes)+len(n.GlobalSecondaryIndexes) == 0 {
		return nil
	}
	used := elementNames(n.KeySchema)
	for i := range n.LocalSecondaryIndexes {
		used = append(used, elementNames(n.LocalSecondaryIndexes[i].KeySchema)...)
	}
	for i := range n.GlobalSecondaryIndexes {
		used = append(used, elementNames(n.GlobalSecondaryIndexes[i].KeySchema)...)
	}
	slices.Sort(used)
	used = slices.Compact(used)
	defined := n.defs.names()
	slices.Sort(defined)
	for _, name := range defined {
		if _, found := slices.BinarySearch(used, name); !found {
			return api.Validation(invalidParameter + "Some AttributeDefinitions are not used. AttributeDefinitions: [" +
				strings.Join(defined, ", ") + "], keys used: [" + strings.Join(used, ", ") + "]")
		}
	}
	return nil
}

func (n *newTable) checkLocals() *api.Error {
	if n.LocalSecondaryIndexes == nil {
		return nil
	}
	switch {
	case len(n.LocalSecondaryIndexes) == 0:
		return api.Validation(invalidParameter + "List of LocalSecondaryIndexes is empty")
	case len(n.KeySchema) != 2:
		return api.Validation(invalidParameter + "Table KeySchema does not have a range key, " +
			"which is required when specifying a LocalSecondaryIndex")
	}
	for i := range n.LocalSecondaryIndexes {
		if err := n.checkLocal(&n.LocalSecondaryIndexes[i]); err != nil {
			return err
		}
	}
	if len(n.LocalSecondaryIndexes) > api.MaxLocalIndexes {
		return api.Validation(invalidParameter + "Number of LocalSecondaryIndexes exceeds per-table limit of 5")
	}
	return nil
}

func (n *newTable) checkLocal(x *api.LocalSecondaryIndex) *api.Error {
	if err := n.defs.defines(x.KeySchema); err != nil {
		return err
	}
	if err := checkKey(x.KeySchema); err != nil {
		return err
	}
	if len(x.KeySchema) != 2 {
		return api.Validation(invalidParameter + "Index KeySchema does not have a range key for index: " + x.IndexName.Value)
	}
	if hash, own := x.KeySchema[0].AttributeName.Value, n.KeySchema[0].AttributeName.Value; hash != own {
		return api.Validation(invalidParameter +
			"Index KeySchema does not have the same leading hash key as table KeySchema for index: " + x.IndexName.Value +
			". index hash key: " + hash + ", table hash key: " + own)
	}
	if err := checkProjection(x.Projection); err != nil {
		return err
	}
	return n.claim(x.IndexName.Value)
}

// claim refuses an index name that another index of the table has.
func (n *newTable) claim(name string) *api.Error {
	if n.names[name] {
		return api.Validation(invalidParameter + "Duplicate index name: " + name)
	}
	n.names[name] = true
	return nil
}

func (n *newTable) checkGlobals() *api.Error {
	if n.GlobalSecondaryIndexes == nil {
		return nil
	}
	if len(n.GlobalSecondaryIndexes) == 0 {
		return api.Validation(invalidParameter + "List of GlobalSecondaryIndexes is empty")
	}
	for i := range n.GlobalSecondaryIndexes {
		if err := n.checkGlobal(&n.GlobalSecondaryIndexes[i]); err != nil {
			return err
		}
	}
	if len(n.GlobalSecondaryIndexes) > api.MaxGlobalIndexes {
		return api.Validation(invalidParameter + "GlobalSecondaryIndex count exceeds the per-table limit of 20")
	}
	return nil
}

func (n *newTable) checkGlobal(x *api.GlobalSecondaryIndex) *api.Error {
	if err := n.defs.defines(x.KeySchema); err != nil {
		return err
	}
	if err := checkGlobalKey(x.KeySchema); err != nil {
		return err
	}
	if err := checkProjection(x.Projection); err != nil {
		return err
	}
	if err := n.checkGlobalCapacity(x); err != nil {
		return err
	}
	return n.claim(x.IndexName.Value)
}

func (n *newTable) checkGlobalCapacity(x *api.GlobalSecondaryIndex) *api.Error {
	name := x.IndexName.Value
	switch {
	case n.onDemand && x.ProvisionedThroughput != nil:
		return api.Validation(invalidParameter + "ProvisionedThroughput should not be specified for index: " + name +
			" when BillingMode is PAY_PER_REQUEST")
	case !n.onDemand && x.ProvisionedThroughput == nil:
		return api.Validation(invalidParameter + "ProvisionedThroughput is not specified for index: " + name)
	}
	ceilings := orZero(x.OnDemandThroughput)
	if member := firstMember(ceilings); member != "" && !n.onDemand {
		return api.Validation(invalidParameter + member + " for OnDemandThroughput for index: " + name +
			" cannot be specified when table BillingMode is PROVISIONED.")
	}
	if err := engine.CheckNewCeilings(ceilings, "index : "+name); err != nil {
		return err
	}
	return engine.CheckNewWarm(orZero(x.WarmThroughput), units(x.ProvisionedThroughput), n.onDemand, "index "+name)
}

func (n *newTable) checkStream() *api.Error {
	spec := n.StreamSpecification
	if spec == nil {
		return nil
	}
	switch on, view := spec.StreamEnabled.Value, spec.StreamViewType.Set; {
	case !on && view:
		return api.Validation(invalidParameter +
			"Table is being created with a stream disabled, UpdateViewType should not be specified")
	case on && !view:
		return api.Validation(invalidParameter + "Table is being created with a stream enabled, UpdateViewType is required")
	}
	return nil
}

// maxNonKeyTotal is how many NonKeyAttributes all indexes of a table may have
// together (limits.md §5).
const maxNonKeyTotal = 100

// checkNonKeyTotal: that there is a limit is documented, its text is not.
func (n *newTable) checkNonKeyTotal() *api.Error {
	total := 0
	for i := range n.LocalSecondaryIndexes {
		total += len(orZero(n.LocalSecondaryIndexes[i].Projection).NonKeyAttributes)
	}
	for i := range n.GlobalSecondaryIndexes {
		total += len(orZero(n.GlobalSecondaryIndexes[i].Projection).NonKeyAttributes)
	}
	if total > maxNonKeyTotal {
		return api.Validation(invalidParameter + "Number of NonKeyAttributes exceeds per-table limit of 100")
	}
	return nil
}

// checkRest checks what has nothing to do with keys and capacity.
func (n *newTable) checkRest() *api.Error {
	if _, err := encryption(n.SSESpecification); err != nil {
		return err
	}
	if len(n.ResourcePolicy.Value) > maxPolicyBytes {
		return api.Validation(invalidParameter + "Maximum policy size of 20480 bytes exceeded")
	}
	if err := checkTags(n.Tags); err != nil {
		return err
	}
	if len(n.Tags) > api.MaxTags {
		return engine.ErrTooManyTags()
	}
	return nil
}

const maxPolicyBytes = 20480

// command is the command of an input that passed all checks.
func (n *newTable) command(table string) *engine.CreateTable {
	cmd := &engine.CreateTable{
		Table:       table,
		Key:         n.defs.schema(n.KeySchema),
		Definitions: n.defs.attributes(),
		OnDemand:    n.onDemand,
		Throughput:  units(n.ProvisionedThroughput),
		Ceilings:    orZero(n.OnDemandThroughput),
		Warm:        orZero(n.WarmThroughput),
		StreamView:  orZero(n.StreamSpecification).StreamViewType.Value,
		Class:       n.TableClass.Value,
		Protected:   n.DeletionProtectionEnabled.Value,
		Policy:      n.ResourcePolicy.Value,
		Tags:        n.Tags,
	}
	cmd.Encryption, _ = encryption(n.SSESpecification)
	for i := range n.LocalSecondaryIndexes {
		x := &n.LocalSecondaryIndexes[i]
		cmd.Locals = append(cmd.Locals, indexSpec(x.IndexName.Value, n.defs.schema(x.KeySchema), x.Projection))
	}
	for i := range n.GlobalSecondaryIndexes {
		cmd.Globals = append(cmd.Globals, n.defs.globalSpec(&n.GlobalSecondaryIndexes[i]))
	}
	return cmd
}

// encryption checks an SSESpecification, which may be nil (api-surface §6.2,
// texts as measured in October 2026). A type without Enabled switches it on.
func encryption(spec *api.SSESpecification) (engine.Encryption, *api.Error) {
	if spec == nil {
		return engine.Encryption{}, nil
	}
	refuse := func(text string) (engine.Encryption, *api.Error) {
		return engine.Encryption{}, api.Validation(invalidParameter + text)
	}
	off := spec.Enabled.Set && !spec.Enabled.Value
	switch {
	case off && spec.SSEType.Set:
		return refuse("SSEType can not be specified if Enabled is false")
	case off && spec.KMSMasterKeyID.Set:
		return refuse("KMSMasterKeyId can not be specified if Enabled is false")
	case spec.SSEType.Value == "AES256":
		return refuse("SSEType AES256 is not supported")
	case spec.KMSMasterKeyID.Set && !spec.SSEType.Set:
		return refuse("SSEType KMS is required if KMSMasterKeyId is specified")
	}
	return engine.Encryption{Enabled: spec.Enabled.Value || spec.SSEType.Set, Key: spec.KMSMasterKeyID.Value}, nil
}
