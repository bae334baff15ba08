package wire

import "github.com/dynalite-go/dynalite/api"

// AppendCreateTable prints the reply of CreateTable.
func AppendCreateTable(dst []byte, out *api.CreateTableOutput) []byte {
	return appendDescription(dst, "TableDescription", out.TableDescription)
}

// AppendUpdateTable prints the reply of UpdateTable.
func AppendUpdateTable(dst []byte, out *api.UpdateTableOutput) []byte {
	return appendDescription(dst, "TableDescription", out.TableDescription)
}

// AppendDeleteTable prints the reply of DeleteTable.
func AppendDeleteTable(dst []byte, out *api.DeleteTableOutput) []byte {
	return appendDescription(dst, "TableDescription", out.TableDescription)
}

// AppendDescribeTable prints the reply of DescribeTable.
func AppendDescribeTable(dst []byte, out *api.DescribeTableOutput) []byte {
	return appendDescription(dst, "Table", out.Table)
}

func appendDescription(dst []byte, name string, t *api.TableDescription) []byte {
	o := begin(dst)
	optStruct(&o, name, t, appendTable)
	return o.end()
}

// AppendListTables prints the reply of ListTables.
func AppendListTables(dst []byte, out *api.ListTablesOutput) []byte {
	o := begin(dst)
	o.optText("LastEvaluatedTableName", out.LastEvaluatedTableName)
	o.key("TableNames")
	o.dst = appendStrings(o.dst, out.TableNames)
	return o.end()
}

// AppendDescribeLimits prints the reply of DescribeLimits.
func AppendDescribeLimits(dst []byte, out *api.DescribeLimitsOutput) []byte {
	o := begin(dst)
	o.long("AccountMaxReadCapacityUnits", out.AccountMaxReadCapacityUnits)
	o.long("AccountMaxWriteCapacityUnits", out.AccountMaxWriteCapacityUnits)
	o.long("TableMaxReadCapacityUnits", out.TableMaxReadCapacityUnits)
	o.long("TableMaxWriteCapacityUnits", out.TableMaxWriteCapacityUnits)
	return o.end()
}

// AppendDescribeEndpoints prints the reply of DescribeEndpoints.
func AppendDescribeEndpoints(dst []byte, out *api.DescribeEndpointsOutput) []byte {
	o := begin(dst)
	o.key("Endpoints")
	o.dst = appendList(o.dst, out.Endpoints, func(dst []byte, e *api.Endpoint) []byte {
		o := begin(dst)
		o.text("Address", e.Address)
		o.long("CachePeriodInMinutes", e.CachePeriodInMinutes)
		return o.end()
	})
	return o.end()
}

// AppendUpdateTimeToLive prints the reply of UpdateTimeToLive.
func AppendUpdateTimeToLive(dst []byte, out *api.UpdateTimeToLiveOutput) []byte {
	o := begin(dst)
	optStruct(&o, "TimeToLiveSpecification", out.TimeToLiveSpecification,
		func(dst []byte, s *api.TimeToLiveSpecification) []byte {
			o := begin(dst)
			o.optString("AttributeName", s.AttributeName)
			o.optBool("Enabled", s.Enabled)
			return o.end()
		})
	return o.end()
}

// AppendDescribeTimeToLive prints the reply of DescribeTimeToLive.
func AppendDescribeTimeToLive(dst []byte, out *api.DescribeTimeToLiveOutput) []byte {
	o := begin(dst)
	o.key("TimeToLiveDescription")
	d := begin(o.dst)
	d.optText("AttributeName", out.TimeToLiveDescription.AttributeName)
	d.optText("TimeToLiveStatus", out.TimeToLiveDescription.TimeToLiveStatus)
	o.dst = d.end()
	return o.end()
}

// AppendTagResource prints the reply of TagResource: nothing at all.
func AppendTagResource(dst []byte, _ *api.TagResourceOutput) []byte { return dst }

// AppendUntagResource prints the reply of UntagResource: nothing at all.
func AppendUntagResource(dst []byte, _ *api.UntagResourceOutput) []byte { return dst }

// AppendListTagsOfResource prints the reply of ListTagsOfResource.
func AppendListTagsOfResource(dst []byte, out *api.ListTagsOfResourceOutput) []byte {
	o := begin(dst)
	o.optText("NextToken", out.NextToken)
	o.key("Tags")
	o.dst = appendList(o.dst, out.Tags, func(dst []byte, t *api.Tag) []byte {
		o := begin(dst)
		o.text("Key", t.Key.Value)
		o.text("Value", t.Value.Value)
		return o.end()
	})
	return o.end()
}
