package api

// Capacity is what one arm of an operation consumed, in capacity units. The read and write members appear only
// in transactional operations (behaviours/07 §7.5).
type Capacity struct {
	ReadCapacityUnits  Float
	WriteCapacityUnits Float
	CapacityUnits      float64
}

// IndexCapacity is one entry of a map from index name to Capacity.
type IndexCapacity struct {
	Index string
	Capacity
}

// VectorCapacity counts bytes of vector indexes.
type VectorCapacity struct {
	VectorSearchRequestBytes Float
	VectorWriteRequestBytes  Float
}

// IndexVectorCapacity is one entry of a map from index name to VectorCapacity.
type IndexVectorCapacity struct {
	Index string
	VectorCapacity
}

// ConsumedCapacity is what an operation consumed on one table, in capacity units. CapacityUnits is the sum of all
// arms. Table and the indexes are filled for ReturnConsumedCapacity INDEXES only; index lists hold the indexes that
// were charged and are absent when empty.
type ConsumedCapacity struct {
	TableName              string
	CapacityUnits          float64
	ReadCapacityUnits      Float
	WriteCapacityUnits     Float
	Table                  *Capacity
	LocalSecondaryIndexes  []IndexCapacity
	GlobalSecondaryIndexes []IndexCapacity
	VectorIndexes          []IndexVectorCapacity
}
