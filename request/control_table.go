package request

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
)

// DescribeTable compiles a DescribeTable.
func (c *Compiler) DescribeTable(in *api.DescribeTableInput, s Scope) (*engine.DescribeTable, error) {
	table, err := s.Table("DescribeTable", in.TableName.Value)
	if err != nil {
		return nil, err
	}
	return &engine.DescribeTable{Table: table}, nil
}

// DeleteTable compiles a DeleteTable.
func (c *Compiler) DeleteTable(in *api.DeleteTableInput, s Scope) (*engine.DeleteTable, error) {
	table, err := s.Table("DeleteTable", in.TableName.Value)
	if err != nil {
		return nil, err
	}
	return &engine.DeleteTable{Table: table}, nil
}

// ListTables compiles a ListTables. Its cursor is a name, never an ARN.
func (c *Compiler) ListTables(in *api.ListTablesInput, s Scope) (*engine.ListTables, error) {
	cmd := &engine.ListTables{Start: in.ExclusiveStartTableName.Value, Limit: api.MaxTablesPage}
	if in.Limit.Set {
		cmd.Limit = int(min(max(in.Limit.Value, 1), api.MaxTablesPage))
	}
	return cmd, nil
}

// UpdateTimeToLive compiles an UpdateTimeToLive.
func (c *Compiler) UpdateTimeToLive(in *api.UpdateTimeToLiveInput, s Scope) (*engine.UpdateTimeToLive, error) {
	table, err := s.Table("UpdateTimeToLive", in.TableName.Value)
	if err != nil {
		return nil, err
	}
	spec := orZero(in.TimeToLiveSpecification)
	return &engine.UpdateTimeToLive{Table: table, Enabled: spec.Enabled.Value, Attribute: spec.AttributeName.Value}, nil
}

// DescribeTimeToLive compiles a DescribeTimeToLive.
func (c *Compiler) DescribeTimeToLive(in *api.DescribeTimeToLiveInput, s Scope) (*engine.DescribeTimeToLive, error) {
	table, err := s.Table("DescribeTimeToLive", in.TableName.Value)
	if err != nil {
		return nil, err
	}
	return &engine.DescribeTimeToLive{Table: table}, nil
}

// DescribeContinuousBackups compiles a DescribeContinuousBackups.
func (c *Compiler) DescribeContinuousBackups(in *api.DescribeContinuousBackupsInput, s Scope) (*engine.DescribeContinuousBackups, error) {
	table, err := s.Table("DescribeContinuousBackups", in.TableName.Value)
	if err != nil {
		return nil, err
	}
	return &engine.DescribeContinuousBackups{Table: table}, nil
}

// DescribeLimits compiles a DescribeLimits.
func (c *Compiler) DescribeLimits(in *api.DescribeLimitsInput, s Scope) (*engine.DescribeLimits, error) {
	return &engine.DescribeLimits{}, nil
}
