package engine

import (
	"context"

	"github.com/dynalite-go/dynalite/api"
)

// DescribeContinuousBackups is DescribeContinuousBackups as a command.
type DescribeContinuousBackups struct {
	Table string
}

// DescribeContinuousBackups tells that point-in-time recovery is off, which no
// operation here switches on. ContinuousBackupsStatus is ENABLED whatever that
// says (api-surface §4.4).
//
// Errors: TableNotFoundException, which this family of operations has in place
// of ResourceNotFoundException.
func (r *Region) DescribeContinuousBackups(ctx context.Context, cmd *DescribeContinuousBackups) (*api.DescribeContinuousBackupsOutput, error) {
	t, _, err := r.look(cmd.Table)
	if err != nil {
		return nil, &api.Error{Code: api.CodeTableNotFound, Message: "Table not found: " + cmd.Table}
	}
	t.mu.RUnlock()
	return &api.DescribeContinuousBackupsOutput{ContinuousBackupsDescription: api.ContinuousBackupsDescription{
		ContinuousBackupsStatus:   "ENABLED",
		PointInTimeRecoveryStatus: "DISABLED",
	}}, nil
}
