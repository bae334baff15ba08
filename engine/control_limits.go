package engine

import (
	"context"
	"strconv"

	"github.com/dynalite-go/dynalite/api"
)

// Quotas of an account (limits.md §7), in units per second.
const (
	maxAccountUnits = 80_000
	maxTableUnits   = 40_000
)

// DescribeLimits is DescribeLimits as a command, which has no parameters.
type DescribeLimits struct{}

// DescribeLimits tells the quotas of an account, which are fixed.
func (r *Region) DescribeLimits(ctx context.Context, cmd *DescribeLimits) (*api.DescribeLimitsOutput, error) {
	return &api.DescribeLimitsOutput{
		AccountMaxReadCapacityUnits:  maxAccountUnits,
		AccountMaxWriteCapacityUnits: maxAccountUnits,
		TableMaxReadCapacityUnits:    maxTableUnits,
		TableMaxWriteCapacityUnits:   maxTableUnits,
	}, nil
}

// DescribeEndpoints is DescribeEndpoints as a command.
type DescribeEndpoints struct {
	// Address is where the caller reached the database: host, and port
	// unless it is the scheme's own, without scheme.
	Address string
}

// DescribeEndpoints names the one endpoint there is.
func (r *Region) DescribeEndpoints(ctx context.Context, cmd *DescribeEndpoints) (*api.DescribeEndpointsOutput, error) {
	return &api.DescribeEndpointsOutput{
		Endpoints: []api.Endpoint{{Address: cmd.Address, CachePeriodInMinutes: 1440}},
	}, nil
}

// checkUnits refuses provisioned throughput above the quota. index is the name
// of the index it is for, "" for the table.
func (r *Region) checkUnits(u Units, index string) *api.Error {
	if u.Read > maxTableUnits {
		return r.errUnits("ReadCapacityUnits", u.Read, index)
	}
	if u.Write > maxTableUnits {
		return r.errUnits("WriteCapacityUnits", u.Write, index)
	}
	return nil
}

func (r *Region) errUnits(member string, n int64, index string) *api.Error {
	what, owner := "", "table"
	if index != "" {
		what, owner = " for index "+index, "index"
	}
	return api.LimitExceeded("The requested " + member + what + ", " + strconv.FormatInt(n, 10) + ", is above the per " +
		owner + " maximum for the account in " + r.name + ". Per " + owner + " maximum: " +
		strconv.Itoa(maxTableUnits) + ". " + seeGuide)
}

const seeGuide = "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."

// checkNewQuotas checks all capacity of a new table or index. index is its
// name, "" for a table.
func (r *Region) checkNewQuotas(u Units, ceilings api.OnDemandThroughput, warm api.WarmThroughput, index string) *api.Error {
	if err := r.checkUnits(u, index); err != nil {
		return err
	}
	if index == "" {
		if err := r.checkCeilingQuota(ceilings, "table"); err != nil {
			return err
		}
		return r.checkWarmQuota(warm, "table")
	}
	if err := r.checkCeilingQuota(ceilings, "index : "+index); err != nil {
		return err
	}
	return r.checkWarmQuota(warm, "index "+index)
}

// checkCeilingQuota refuses OnDemandThroughput above the quota. whose is
// "table", or the index as the text names it.
func (r *Region) checkCeilingQuota(sent api.OnDemandThroughput, whose string) *api.Error {
	if sent.MaxReadRequestUnits.Value > maxTableUnits {
		return r.errQuota(maxRead+" for OnDemandThroughput for "+whose, "Read")
	}
	if sent.MaxWriteRequestUnits.Value > maxTableUnits {
		return r.errQuota(maxWrite+" for OnDemandThroughput for "+whose, "Write")
	}
	return nil
}

// checkWarmQuota refuses WarmThroughput above the quota.
func (r *Region) checkWarmQuota(sent api.WarmThroughput, whose string) *api.Error {
	if sent.ReadUnitsPerSecond.Value > maxTableUnits {
		return r.errQuota(warmRead+" for WarmThroughput for "+whose, "Read")
	}
	if sent.WriteUnitsPerSecond.Value > maxTableUnits {
		return r.errQuota(warmWrite+" for WarmThroughput for "+whose, "Write")
	}
	return nil
}

func (r *Region) errQuota(what, kind string) *api.Error {
	return api.LimitExceeded("Subscriber limit exceeded: Requested " + what + " exceeds TableMax" + kind +
		"CapacityUnits of the account in region " + r.name)
}
