package api

// Limits of the service (limits.md). Sizes are in bytes unless the name says otherwise.
const (
	MaxBodyBytes          = 16 << 20 // request body after decompression
	MaxItemBytes          = 409_600  // item, names and values
	MaxHashKeyBytes       = 2048
	MaxRangeKeyBytes      = 1024
	MaxAttributeNameBytes = 65_535
	MaxKeyNameBytes       = 255 // names of key attributes, NonKeyAttributes, TTL attribute
	MaxNameLength         = 255 // table, index and backup names
	MinNameLength         = 3
	MaxTableRefLength     = 1024 // table name or ARN
	MaxPageBytes          = 1 << 20
	MaxBatchGetKeys       = 100
	MaxBatchWrites        = 25
	MaxBatchReplyBytes    = 16 << 20
	MaxTransactActions    = 100
	MaxTransactBytes      = 4 << 20
	MaxTotalSegments      = 1_000_000
	MaxTags               = 50
	MaxTablesPage         = 100
	MaxLocalIndexes       = 5
	MaxGlobalIndexes      = 20
	MaxIndexKeyParts      = 4 // HASH elements of a global index, and as many RANGE elements
	MaxNonKeyAttributes   = 20
	MaxViolations         = 10 // entries of one constraint message
)
