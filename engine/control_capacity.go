package engine

import (
	"strconv"
	"strings"

	"github.com/dynalite-go/dynalite/api"
)

// checkCeilings refuses OnDemandThroughput that the table cannot have. It
// comes before all other checks (api-surface §6.2).
func (u *tableUpdate) checkCeilings() *api.Error {
	if member := firstCeiling(u.Ceilings); member != "" && !u.onDemand {
		return api.Validation(invalidParameter + member +
			" for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED")
	}
	return u.t.region.checkSentCeilings(u.Ceilings, "table")
}

// Members that errors name.
const (
	maxRead   = "MaxReadRequestUnits"
	maxWrite  = "MaxWriteRequestUnits"
	warmRead  = "ReadUnitsPerSecond"
	warmWrite = "WriteUnitsPerSecond"
)

// firstCeiling is the first member that was sent, "" if there is none.
func firstCeiling(c api.OnDemandThroughput) (member string) {
	switch {
	case c.MaxReadRequestUnits.Set:
		return maxRead
	case c.MaxWriteRequestUnits.Set:
		return maxWrite
	}
	return ""
}

// checkSentCeilings checks the range of changed OnDemandThroughput: -1 removes
// a ceiling. whose is "table", or the index as the text names it.
func (r *Region) checkSentCeilings(sent api.OnDemandThroughput, whose string) *api.Error {
	if err := checkCeilingRange(sent, true, whose); err != nil {
		return err
	}
	return r.checkCeilingQuota(sent, whose)
}

// CheckNewCeilings checks the range of the OnDemandThroughput of a new table
// or index. whose is "table" or "index : <name>".
func CheckNewCeilings(sent api.OnDemandThroughput, whose string) *api.Error {
	return checkCeilingRange(sent, false, whose)
}

func checkCeilingRange(sent api.OnDemandThroughput, removable bool, whose string) *api.Error {
	inRange := func(n api.Int) bool { return !n.Set || n.Value > 0 || removable && n.Value == -1 }
	member := ""
	switch {
	case !inRange(sent.MaxReadRequestUnits):
		member = maxRead
	case !inRange(sent.MaxWriteRequestUnits):
		member = maxWrite
	default:
		return nil
	}
	return api.Validation(invalidParameter + "Requested " + member + " for OnDemandThroughput for " + whose +
		" is outside of valid range")
}

// checkThroughput checks the table's throughput and that of all indexes that
// are to change: whether the billing mode allows it, whether a switch has it
// for all indexes, and whether it changes anything.
func (u *tableUpdate) checkThroughput() *api.Error {
	if u.onDemand && !u.Throughput.isZero() {
		return errNoUnits
	}
	if u.switching && !u.onDemand {
		if missing := u.indexesWithoutThroughput(); len(missing) > 0 {
			return api.Validation(invalidParameter + "ProvisionedThroughput must be specified for index: " +
				strings.Join(missing, ","))
		}
	}
	if !u.switching {
		if !u.Throughput.isZero() && u.Throughput == u.s.throughput.Units {
			return errUnchanged("the table", "the table", u.Throughput)
		}
		for i := range u.Indexes {
			x := &u.Indexes[i]
			if ix := u.t.index(x.Name); ix != nil && !x.Throughput.isZero() && x.Throughput == ix.settings.throughput.Units {
				return errUnchanged("the index "+x.Name, "index "+x.Name, x.Throughput)
			}
		}
	}
	if err := u.t.region.checkUnits(u.Throughput, ""); err != nil {
		return err
	}
	for i := range u.Indexes {
		if err := u.t.region.checkUnits(u.Indexes[i].units(), u.Indexes[i].Name); err != nil {
			return err
		}
	}
	return nil
}

// units is the throughput that an index is to have, zero when it stays as it
// is.
func (x *IndexUpdate) units() Units {
	if x.Create != nil {
		return x.Create.Throughput
	}
	return x.Throughput
}

var errNoUnits = api.Validation(invalidParameter +
	"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")

// indexesWithoutThroughput names the indexes for which a switch to PROVISIONED
// brings none.
func (u *tableUpdate) indexesWithoutThroughput() (names []string) {
	for _, ix := range u.t.globals {
		found := false
		for i := range u.Indexes {
			found = found || u.Indexes[i].Name == ix.name && !u.Indexes[i].Throughput.isZero()
		}
		if !found {
			names = append(names, ix.name)
		}
	}
	return names
}

// errUnchanged is the error for throughput that is the present one. The
// service says "the index X" and, further on, "index X".
func errUnchanged(what, whose string, units Units) *api.Error {
	read, write := strconv.FormatInt(units.Read, 10), strconv.FormatInt(units.Write, 10)
	return api.Validation("The provisioned throughput for " + what + " will not change. " +
		"The requested value equals the current value. " +
		"Current ReadCapacityUnits provisioned for " + whose + ": " + read + ". Requested ReadCapacityUnits: " + read + ". " +
		"Current WriteCapacityUnits provisioned for " + whose + ": " + write + ". Requested WriteCapacityUnits: " + write + ". " +
		seeGuide)
}

// checkWarm refuses to lower a warm throughput.
func (u *tableUpdate) checkWarm() *api.Error {
	if err := u.t.region.checkWarm(u.Warm, &u.s.warm, "table"); err != nil {
		return err
	}
	for i := range u.Indexes {
		x := &u.Indexes[i]
		if ix := u.t.index(x.Name); ix != nil && x.Create == nil {
			if err := u.t.region.checkWarm(x.Warm, &ix.settings.warm, "index "+x.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *Region) checkWarm(sent api.WarmThroughput, w *warmth, whose string) *api.Error {
	member := lowerWarm(sent, w.Units)
	if member == "" {
		return r.checkWarmQuota(sent, whose)
	}
	return api.Validation(invalidParameter + "Requested " + member + " for WarmThroughput for " + whose +
		" is lower than current WarmThroughput, decreasing WarmThroughput is not supported")
}

// warmUnits are the units that were sent, zero where there are none.
func warmUnits(sent api.WarmThroughput) Units {
	return Units{sent.ReadUnitsPerSecond.Value, sent.WriteUnitsPerSecond.Value}
}

// lowerWarm is the first member that was sent and is lower than the least.
func lowerWarm(sent api.WarmThroughput, least Units) (member string) {
	switch {
	case sent.ReadUnitsPerSecond.Set && sent.ReadUnitsPerSecond.Value < least.Read:
		return warmRead
	case sent.WriteUnitsPerSecond.Set && sent.WriteUnitsPerSecond.Value < least.Write:
		return warmWrite
	}
	return ""
}

// CheckNewWarm refuses a WarmThroughput of a new table or index below what it
// has anyway: the start of on-demand mode, or its provisioned throughput. whose
// is "table" or "index <name>".
func CheckNewWarm(sent api.WarmThroughput, provisioned Units, onDemand bool, whose string) *api.Error {
	least := provisioned
	if onDemand {
		least = warmDefault
	}
	member := lowerWarm(sent, least)
	if member == "" {
		return nil
	}
	text := invalidParameter + "Requested " + member + " for WarmThroughput for " + whose + " is lower than "
	switch {
	case onDemand:
		text += "initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/" +
			"on-demand-capacity-mode.html#on-demand-capacity-mode-initial"
	case member == warmRead:
		text += "ReadCapacityUnits of ProvisionedThroughput"
	default:
		text += "WriteCapacityUnits of ProvisionedThroughput"
	}
	return api.Validation(text)
}
