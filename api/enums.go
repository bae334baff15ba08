package api

// CapacityMode is a parsed ReturnConsumedCapacity.
type CapacityMode uint8

// Values of CapacityMode: NONE or absent, TOTAL, INDEXES.
const (
	CapacityNone CapacityMode = iota
	CapacityTotal
	CapacityIndexes
)

// ParseCapacityMode returns the mode of a ReturnConsumedCapacity that passed its constraint.
func ParseCapacityMode(s String) CapacityMode {
	switch s.Value {
	case "TOTAL":
		return CapacityTotal
	case "INDEXES":
		return CapacityIndexes
	}
	return CapacityNone
}

// ReturnValues is a parsed ReturnValues.
type ReturnValues uint8

// Values of ReturnValues; NONE is the default.
const (
	ReturnNone ReturnValues = iota
	ReturnAllOld
	ReturnUpdatedOld
	ReturnAllNew
	ReturnUpdatedNew
)

// ParseReturnValues returns the value of a ReturnValues that passed its constraint.
func ParseReturnValues(s String) ReturnValues {
	switch s.Value {
	case "ALL_OLD":
		return ReturnAllOld
	case "UPDATED_OLD":
		return ReturnUpdatedOld
	case "ALL_NEW":
		return ReturnAllNew
	case "UPDATED_NEW":
		return ReturnUpdatedNew
	}
	return ReturnNone
}

// Select is a parsed Select of Query and Scan.
type Select uint8

// Values of Select. SelectDefault stands for an absent member.
const (
	SelectDefault Select = iota
	SelectAllAttributes
	SelectAllProjectedAttributes
	SelectSpecificAttributes
	SelectCount
)

// ParseSelect returns the value of a Select that passed its constraint.
func ParseSelect(s String) Select {
	switch s.Value {
	case "ALL_ATTRIBUTES":
		return SelectAllAttributes
	case "ALL_PROJECTED_ATTRIBUTES":
		return SelectAllProjectedAttributes
	case "SPECIFIC_ATTRIBUTES":
		return SelectSpecificAttributes
	case "COUNT":
		return SelectCount
	}
	return SelectDefault
}

// Values of TableStatus and IndexStatus.
const (
	StatusCreating = "CREATING"
	StatusUpdating = "UPDATING"
	StatusDeleting = "DELETING"
	StatusActive   = "ACTIVE"
)

// Values of BillingMode.
const (
	BillingProvisioned   = "PROVISIONED"
	BillingPayPerRequest = "PAY_PER_REQUEST"
)

// Values of KeyType.
const (
	KeyHash  = "HASH"
	KeyRange = "RANGE"
)

// Values of ProjectionType.
const (
	ProjectAll      = "ALL"
	ProjectKeysOnly = "KEYS_ONLY"
	ProjectInclude  = "INCLUDE"
)

// Values of StreamViewType.
const (
	ViewNewImage = "NEW_IMAGE"
	ViewOldImage = "OLD_IMAGE"
	ViewBoth     = "NEW_AND_OLD_IMAGES"
	ViewKeysOnly = "KEYS_ONLY"
)
