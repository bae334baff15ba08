package request

import (
	"testing"

	"github.com/dynalite-go/dynalite/api"
)

// TestMissingMembers: an input whose constraints were not checked gives an error or a command, but no panic.
func TestMissingMembers(t *testing.T) {
	var c Compiler
	compile(c.Get, api.GetItemInput{})
	compile(c.Put, api.PutItemInput{})
	compile(c.Delete, api.DeleteItemInput{})
	compile(c.Update, api.UpdateItemInput{AttributeUpdates: []api.NamedUpdate{{}}})
	compile(c.Put, api.PutItemInput{Expected: []api.NamedExpected{{}}})
	compile(c.Query, api.QueryInput{KeyConditions: []api.NamedCondition{{}}, QueryFilter: []api.NamedCondition{{}}})
	compile(c.Query, api.QueryInput{KeyConditionExpression: some("pk = :v")})
	compile(c.Scan, api.ScanInput{ScanFilter: []api.NamedCondition{{}}})
	compile(c.Scan, api.ScanInput{Segment: api.SomeInt(-1), TotalSegments: api.SomeInt(-1)})
	compile(c.BatchGet, api.BatchGetItemInput{RequestItems: []api.TableKeys{{KeysAndAttributes: api.KeysAndAttributes{Keys: []api.Item{{}, {}}}}}})
	compile(c.BatchWrite, api.BatchWriteItemInput{RequestItems: []api.TableWrites{{Requests: []api.WriteRequest{
		{PutRequest: &api.PutRequest{}}, {DeleteRequest: &api.DeleteRequest{}}}}}})
	compile(c.TransactGet, api.TransactGetItemsInput{TransactItems: []api.TransactGetItem{{}}})
	compile(c.TransactWrite, api.TransactWriteItemsInput{ClientRequestToken: some(""), TransactItems: []api.TransactWriteItem{
		{Put: &api.Put{}}, {Update: &api.Update{}}, {Delete: &api.Delete{}}, {ConditionCheck: &api.ConditionCheck{}}}})
}
