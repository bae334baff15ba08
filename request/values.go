package request

import (
	"strings"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

const invalidParameter = "One or more parameter values were invalid: "

// valueFault returns the error of a fault in an item or key of a request.
func valueFault(it *api.Item) *api.Error {
	if it.Fault == nil {
		return nil
	}
	return api.FaultError(it.Fault)
}

// keyItem is the item or key of a request, never nil.
func keyItem(it *api.Item) *attr.Item {
	if it.Item == nil {
		return emptyItem
	}
	return it.Item
}

var emptyItem = attr.NewItem()

// itemSize returns the error of an item to be put that is too large (behaviours/03 §3.5).
func itemSize(it *attr.Item) *api.Error {
	if it.Size() <= api.MaxItemBytes {
		return nil
	}
	return errItemSize
}

var errItemSize = api.Validation("Item size has exceeded the maximum allowed size")

// onlyOld returns the error of ReturnValues on operations that know no new image (behaviours/07 §7.2).
func onlyOld(rv api.ReturnValues) *api.Error {
	if rv == api.ReturnNone || rv == api.ReturnAllOld {
		return nil
	}
	return errOnlyOld
}

var errOnlyOld = api.ValidationEnv("ReturnValues can only be ALL_OLD or NONE")

// isAllOld tells that ReturnValuesOnConditionCheckFailure asks for the stored item.
func isAllOld(s api.String) bool { return s.Value == "ALL_OLD" }

// isSize tells that ReturnItemCollectionMetrics asks for them.
func isSize(s api.String) bool { return s.Value == "SIZE" }

// firstNull finds a NULL value of false. UpdateItem refuses it before everything else (behaviours/01 §1.6).
func firstNull(in *api.UpdateItemInput) *api.Error {
	isNull := func(f *attr.Fault) bool { return f != nil && f.Kind == attr.FaultNull }
	if isNull(in.Key.Fault) {
		return api.FaultError(in.Key.Fault)
	}
	for i := range in.AttributeUpdates {
		if f := in.AttributeUpdates[i].Value.Fault; isNull(f) {
			return api.FaultError(f)
		}
	}
	for i := range in.Expected {
		if f := expectedFault(&in.Expected[i]); isNull(f) {
			return api.FaultError(f)
		}
	}
	for i := range in.ExpressionAttributeValues {
		if v := &in.ExpressionAttributeValues[i]; isNull(v.Fault) {
			return api.ValueFaultError(v.Fault, v.Name)
		}
	}
	return nil
}

const invalidStart = "The provided starting key is invalid: "

// startFault returns the error of a value fault in ExclusiveStartKey. A Query of the current layer prints the fault
// alone; faults of numbers and duplicates in sets are alone everywhere (behaviours/06 §6.6).
func startFault(it *api.Item, scan bool) *api.Error {
	f := it.Fault
	if f == nil {
		return nil
	}
	err := &api.Error{Code: api.CodeValidation, Message: f.Error(), Current: f.Current()}
	if startFaultAlone(f) {
		return err
	}
	err.Message = invalidStart + err.Message
	if scan {
		err.Current = invalidStart + err.Current
	}
	return err
}

func startFaultAlone(f *attr.Fault) bool {
	switch f.Kind {
	case attr.FaultDuplicates, attr.FaultNotANumber, attr.FaultOverflow, attr.FaultUnderflow, attr.FaultDigits:
		return true
	case attr.FaultEmptySet:
		return strings.Contains(f.Error(), "number set")
	}
	return false
}

// duplicateName returns the error of a name that AttributesToGet holds twice (behaviours/05 §5.2).
func duplicateName(names []string) *api.Error {
	if len(names) <= fewNames {
		for i, name := range names {
			for _, other := range names[:i] {
				if name == other {
					return errDuplicateName(name)
				}
			}
		}
		return nil
	}
	seen := make(map[string]struct{}, len(names))
	for _, name := range names {
		if _, again := seen[name]; again {
			return errDuplicateName(name)
		}
		seen[name] = struct{}{}
	}
	return nil
}

// fewNames is the length up to which comparing all pairs beats a map.
const fewNames = 16

func errDuplicateName(name string) *api.Error {
	return api.Validation(invalidParameter + "Duplicate value in attribute name: " + name)
}
