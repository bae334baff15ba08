package partiql

import "github.com/dynalite-go/dynalite/api"

// addCapacity adds what one command consumed to what others of the same table
// did. Either may be nil; the sum may be written to sum.
func addCapacity(sum, c *api.ConsumedCapacity) *api.ConsumedCapacity {
	if sum == nil || c == nil {
		if c == nil {
			return sum
		}
		return c
	}
	sum.CapacityUnits += c.CapacityUnits
	if sum.Table != nil && c.Table != nil {
		sum.Table.CapacityUnits += c.Table.CapacityUnits
	}
	sum.LocalSecondaryIndexes = addIndexes(sum.LocalSecondaryIndexes, c.LocalSecondaryIndexes)
	sum.GlobalSecondaryIndexes = addIndexes(sum.GlobalSecondaryIndexes, c.GlobalSecondaryIndexes)
	return sum
}

func addIndexes(sum, list []api.IndexCapacity) []api.IndexCapacity {
	for _, c := range list {
		known := false
		for i := range sum {
			if sum[i].Index == c.Index {
				sum[i].CapacityUnits += c.CapacityUnits
				known = true
			}
		}
		if !known {
			sum = append(sum, c)
		}
	}
	return sum
}

// tableCapacity reports units that one table was charged.
func tableCapacity(table string, mode api.CapacityMode, units float64) *api.ConsumedCapacity {
	switch mode {
	case api.CapacityTotal:
		return &api.ConsumedCapacity{TableName: table, CapacityUnits: units}
	case api.CapacityIndexes:
		return &api.ConsumedCapacity{TableName: table, CapacityUnits: units, Table: &api.Capacity{CapacityUnits: units}}
	}
	return nil
}
