package examples

import (
	"fmt"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynalite-go/dynalite/dynalitetest"
)

// next raises a project's counter and returns the new number.
func next(t testing.TB, c *dynamodb.Client, project, expression string) (int, error) {
	out, err := c.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("Issues"), Key: pair("PROJECT#" + project),
		UpdateExpression:          aws.String(expression),
		ExpressionAttributeNames:  map[string]string{"#count": "IssueCount"},
		ExpressionAttributeValues: item{":incr": n(1)},
		ReturnValues:              types.ReturnValueUpdatedNew,
	})
	if err != nil {
		return 0, err
	}
	same(t, "returned", []string{"IssueCount"}, attributes(out.Attributes))
	return sInt(out.Attributes, "IssueCount"), nil
}

const (
	setCount = "SET #count = #count + :incr"
	addCount = "ADD #count :incr"
)

func TestSeed06SequentialIDs(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Issues", "PK:S", "SK:S"))
	put(t, c, "Issues", with(pair("PROJECT#a"), item{"IssueCount": n(0), "Name": s("A")}))

	for want := 1; want <= 3; want++ {
		number := must[int](t)(next(t, c, "a", setCount))
		same(t, "number", want, number)
		put(t, c, "Issues", item{"PK": s("PROJECT#a"), "SK": s(fmt.Sprintf("ISSUE#%05d", number)), "Number": n(number)})
	}
	same(t, "ADD", 4, must[int](t)(next(t, c, "a", addCount)))
	same(t, "counter", with(pair("PROJECT#a"), item{"IssueCount": n(4), "Name": s("A")}),
		get(t, c, "Issues", pair("PROJECT#a")))
	issues := query(t, c, &dynamodb.QueryInput{
		TableName: aws.String("Issues"), KeyConditionExpression: aws.String("PK = :pk AND begins_with(SK, :prefix)"),
		ExpressionAttributeValues: item{":pk": s("PROJECT#a"), ":prefix": s("ISSUE#")},
	})
	same(t, "issues", []string{"ISSUE#00001", "ISSUE#00002", "ISSUE#00003"}, each(issues.Items, "SK"))

	// Where there is no counter yet, SET has nothing to add to and ADD starts at zero.
	_, err := next(t, c, "b", setCount)
	wantError(t, err, "ValidationException",
		"The provided expression refers to an attribute that does not exist in the item")
	if got := get(t, c, "Issues", pair("PROJECT#b")); got != nil {
		t.Errorf("a failed SET left %v", got)
	}
	same(t, "ADD on a new item", 1, must[int](t)(next(t, c, "b", addCount)))
	same(t, "SET afterwards", 2, must[int](t)(next(t, c, "b", setCount)))
}

func TestSeed06ThousandAtOnce(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, expression string }{{"SET", setCount}, {"ADD", addCount}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := dynalitetest.Client(t, nil)
			create(t, c, tableInput("Issues", "PK:S", "SK:S"))
			put(t, c, "Issues", with(pair("PROJECT#a"), item{"IssueCount": n(0)}))
			const calls = 1000
			numbers := make([]int, calls)
			together(calls, func(i int) {
				number, err := next(t, c, "a", tt.expression)
				if err != nil {
					t.Error(err)
				}
				numbers[i] = number
			})
			slices.Sort(numbers)
			for i, number := range numbers {
				if number != i+1 {
					t.Fatalf("number %d in place of %d", number, i+1)
				}
			}
		})
	}
}
