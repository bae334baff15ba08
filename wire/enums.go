package wire

// Enumerations in the order in which the service prints them (behaviours/01 §1.5); where no message was recorded,
// in model order.

func capacityEnum() rule { return oneOf("INDEXES", "TOTAL", "NONE") }

func metricsEnum() rule { return oneOf("SIZE", "NONE") }

func failureEnum() rule { return oneOf("ALL_OLD", "NONE") }

// returnEnum is ReturnValues. The current layer leaves out value and member, and misspells one of the values.
func returnEnum() rule {
	return oneOf("ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW").
		nameless("[ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]")
}

// operatorEnum is ConditionalOperator. The current layer reports it alone (seen on Query), with a set of its own.
func operatorEnum() rule {
	return oneOf("OR", "AND").nameless("[ALL, OR]").at(stageMain, stageEarly)
}

func comparisonEnum() rule {
	return oneOf("IN", "NULL", "BETWEEN", "LT", "NOT_CONTAINS", "EQ", "GT", "NOT_NULL", "NE", "LE", "BEGINS_WITH", "GE",
		"CONTAINS")
}

func selectEnum() rule {
	return oneOf("SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES")
}

func billingEnum() rule { return oneOf("PROVISIONED", "PAY_PER_REQUEST") }

func classEnum() rule { return oneOf("STANDARD", "STANDARD_INFREQUENT_ACCESS") }

func sseEnum() rule { return oneOf("AES256", "KMS") }

func viewEnum() rule { return oneOf("NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES", "KEYS_ONLY") }

func replicationEnum() rule { return oneOf("ENABLED", "DISABLED", "ENABLED_WITH_OVERRIDES") }
