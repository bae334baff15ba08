package examples

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynalite-go/dynalite/dynalitetest"
)

func ss(v ...string) types.AttributeValue { return &types.AttributeValueMemberSS{Value: v} }
func ns(v ...string) types.AttributeValue { return &types.AttributeValueMemberNS{Value: v} }
func list(v ...types.AttributeValue) types.AttributeValue {
	return &types.AttributeValueMemberL{Value: v}
}
func document(v item) types.AttributeValue { return &types.AttributeValueMemberM{Value: v} }
func number(text string) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: text}
}

func tenTypes() item {
	return with(pair("TYPES"), item{
		"S":    s("grüße, \"世界\" 🚀\n"),
		"N":    number("-12345678901234567890123456789.012345678"),
		"B":    &types.AttributeValueMemberB{Value: []byte{0, 1, 254, 255}},
		"BOOL": &types.AttributeValueMemberBOOL{Value: true},
		"NULL": &types.AttributeValueMemberNULL{Value: true},
		"M":    document(item{"a": n(1), "b": list(s("x"), document(item{}))}),
		"L":    list(s("x"), n(2), list(), &types.AttributeValueMemberBOOL{Value: false}),
		"SS":   ss("red", "green", ""),
		"NS":   ns("1", "2.5", "-3"),
		"BS":   &types.AttributeValueMemberBS{Value: [][]byte{{1}, {2, 3}}},
	})
}

func TestSeed11TenTypes(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Types", "PK:S", "SK:S"))
	put(t, c, "Types", tenTypes())

	same(t, "GetItem", tenTypes(), get(t, c, "Types", pair("TYPES")))
	same(t, "Scan", []item{tenTypes()}, all(t, c, "Types"))
	out := query(t, c, &dynamodb.QueryInput{
		TableName: aws.String("Types"), KeyConditionExpression: aws.String("PK = :pk"),
		ExpressionAttributeValues: item{":pk": s("TYPES")},
	})
	same(t, "Query", []item{tenTypes()}, out.Items)
	for _, name := range []string{"S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"} {
		out := query(t, c, &dynamodb.QueryInput{
			TableName: aws.String("Types"), KeyConditionExpression: aws.String("PK = :pk"),
			FilterExpression:          aws.String("attribute_type(#a, :type) AND #a = :same"),
			ExpressionAttributeNames:  map[string]string{"#a": name},
			ExpressionAttributeValues: item{":pk": s("TYPES"), ":type": s(name), ":same": tenTypes()[name]},
		})
		same(t, name, int32(1), out.Count)
	}
}

// change updates the item of row 11 and returns one attribute afterwards.
func change(t testing.TB, c *dynamodb.Client, attribute, expression string, v types.AttributeValue) types.AttributeValue {
	t.Helper()
	out := must[*dynamodb.UpdateItemOutput](t)(c.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("Types"), Key: pair("TYPES"), UpdateExpression: aws.String(expression),
		ExpressionAttributeNames:  map[string]string{"#a": attribute},
		ExpressionAttributeValues: item{":v": v},
		ReturnValues:              types.ReturnValueAllNew,
	}))
	return out.Attributes[attribute]
}

func TestSeed11NumberIsIncrementedAtomically(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Types", "PK:S", "SK:S"))
	put(t, c, "Types", with(pair("TYPES"), item{"N": number("0.5")}))
	together(200, func(i int) {
		change(t, c, "N", []string{"ADD #a :v", "SET #a = #a + :v"}[i%2], number("1.01"))
	})
	same(t, "sum", number("202.5"), get(t, c, "Types", pair("TYPES"))["N"])
	same(t, "difference", number("-0.5"), change(t, c, "N", "SET #a = #a - :v", number("203")))
}

func TestSeed11Sets(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Types", "PK:S", "SK:S"))
	put(t, c, "Types", tenTypes())
	contains := func(attribute string, v types.AttributeValue) bool {
		out := query(t, c, &dynamodb.QueryInput{
			TableName: aws.String("Types"), KeyConditionExpression: aws.String("PK = :pk"),
			FilterExpression:          aws.String("contains(#a, :v)"),
			ExpressionAttributeNames:  map[string]string{"#a": attribute},
			ExpressionAttributeValues: item{":pk": s("TYPES"), ":v": v},
		})
		return out.Count == 1
	}
	same(t, "contains red, blue", []bool{true, false}, []bool{contains("SS", s("red")), contains("SS", s("blue"))})
	same(t, "contains 2.50, 2", []bool{true, false}, []bool{contains("NS", number("2.50")), contains("NS", n(2))})

	same(t, "ADD", ss("red", "green", "", "blue"), change(t, c, "SS", "ADD #a :v", ss("blue", "red")))
	same(t, "contains blue", true, contains("SS", s("blue")))
	same(t, "DELETE", ss("green", ""), change(t, c, "SS", "DELETE #a :v", ss("blue", "red", "pink")))
	same(t, "contains red", false, contains("SS", s("red")))
	same(t, "DELETE the rest", nil, change(t, c, "SS", "DELETE #a :v", ss("", "green")))
	same(t, "ADD to nothing", ss("new"), change(t, c, "SS", "ADD #a :v", ss("new")))
	same(t, "numbers", ns("2.5", "-3", "7"), func() types.AttributeValue {
		change(t, c, "NS", "ADD #a :v", ns("7"))
		return change(t, c, "NS", "DELETE #a :v", ns("1.0"))
	}())
}

// parent is a user whose children are a list inside the item, of exactly so many bytes.
func parent(children, bytes int) item {
	it := pair("USER#ada")
	// PK, SK and their values; the name of the list and 3 for it; 1 for each element.
	rest := bytes - 2*len("PK") - 2*len("USER#ada") - len("Addresses") - 3 - children
	var elements []types.AttributeValue
	for i := range children {
		size := rest / children
		if i == 0 {
			size += rest % children
		}
		elements = append(elements, s(strings.Repeat("x", size)))
	}
	it["Addresses"] = list(elements...)
	return it
}

func TestSeed18ItemSize(t *testing.T) {
	t.Parallel()
	const limit = 400 << 10
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Users", "PK:S", "SK:S"))
	for _, tt := range []struct {
		name     string
		fit, big item
	}{
		{"one attribute", sized("USER#ada", limit), sized("USER#ada", limit+1)},
		{"parent with children", parent(20, limit), parent(20, limit+1)},
	} {
		put(t, c, "Users", tt.fit)
		_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("Users"), Item: tt.big})
		wantError(t, err, "ValidationException", "Item size has exceeded the maximum allowed size")
		same(t, tt.name, tt.fit, get(t, c, "Users", pair("USER#ada")))
	}

	// Children are appended until there is room for no more.
	put(t, c, "Users", pair("USER#grace"))
	add := func() error {
		_, err := c.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
			TableName: aws.String("Users"), Key: pair("USER#grace"),
			UpdateExpression:          aws.String("SET Addresses = list_append(if_not_exists(Addresses, :none), :new)"),
			ExpressionAttributeValues: item{":none": list(), ":new": list(s(strings.Repeat("x", 100_000)))},
		})
		return err
	}
	for i := range 4 {
		if err := add(); err != nil {
			t.Fatalf("child %d: %v", i, err)
		}
	}
	wantError(t, add(), "ValidationException", "Item size to update has exceeded the maximum allowed size")
	children := get(t, c, "Users", pair("USER#grace"))["Addresses"].(*types.AttributeValueMemberL)
	same(t, "children", 4, len(children.Value))
}
