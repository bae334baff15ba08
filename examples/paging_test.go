package examples

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynalite-go/dynalite/dynalitetest"
)

// ksuid is a K-sortable unique identifier: 4 bytes of time in seconds, 16 random bytes, in 27 characters of base 62.
func ksuid(at time.Time, random *rand.Rand) string {
	var id [20]byte
	binary.BigEndian.PutUint32(id[:], uint32(at.Unix()-1_400_000_000))
	binary.BigEndian.PutUint64(id[4:], random.Uint64())
	binary.BigEndian.PutUint64(id[12:], random.Uint64())
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	text := make([]byte, 27)
	rest, sixtyTwo, digit := new(big.Int).SetBytes(id[:]), big.NewInt(62), new(big.Int)
	for i := range text {
		rest.DivMod(rest, sixtyTwo, digit)
		text[len(text)-1-i] = digits[digit.Int64()]
	}
	return string(text)
}

func TestSeed07NewestFirst(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Orders", "PK:S", "SK:S"))
	random := rand.New(rand.NewPCG(7, 7))
	start := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	var newestFirst []string
	for i := range 13 {
		id := "ORDER#" + ksuid(start.Add(time.Duration(i)*time.Hour), random)
		newestFirst = append([]string{id}, newestFirst...)
	}
	for _, i := range random.Perm(len(newestFirst)) {
		put(t, c, "Orders", item{"PK": s("USER#ada"), "SK": s(newestFirst[i]), "Amount": n(i)})
		put(t, c, "Orders", item{"PK": s("USER#grace"), "SK": s(newestFirst[i])})
	}
	page := func(before string, start item) *dynamodb.QueryOutput {
		return query(t, c, &dynamodb.QueryInput{
			TableName:                 aws.String("Orders"),
			KeyConditionExpression:    aws.String("#pk = :pk AND #sk < :sk"),
			ExpressionAttributeNames:  map[string]string{"#pk": "PK", "#sk": "SK"},
			ExpressionAttributeValues: item{":pk": s("USER#ada"), ":sk": s(before)},
			ScanIndexForward:          aws.Bool(false),
			Limit:                     aws.Int32(5),
			ExclusiveStartKey:         start,
		})
	}
	const afterAll = "ORDER$" // the character after '#'
	want := [][]string{newestFirst[:5], newestFirst[5:10], newestFirst[10:]}

	var byKey, byCursor [][]string
	for before := afterAll; ; {
		out := page(before, nil)
		ids := each(out.Items, "SK")
		byKey = append(byKey, ids)
		if out.LastEvaluatedKey == nil {
			break
		}
		before = ids[len(ids)-1]
	}
	for start := item(nil); ; {
		out := page(afterAll, start)
		byCursor = append(byCursor, each(out.Items, "SK"))
		if out.LastEvaluatedKey == nil {
			break
		}
		last := out.Items[len(out.Items)-1]
		same(t, "cursor", item{"PK": last["PK"], "SK": last["SK"]}, out.LastEvaluatedKey)
		start = out.LastEvaluatedKey
	}
	same(t, "pages by the last seen sort key", want, byKey)
	same(t, "pages by ExclusiveStartKey", want, byCursor)
}

// TestSeed07FullLastPage: a page that stopped at Limit has a cursor even when nothing follows it.
func TestSeed07FullLastPage(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Orders", "PK:S", "SK:S"))
	for i := range 5 {
		put(t, c, "Orders", item{"PK": s("USER#ada"), "SK": s(fmt.Sprint("ORDER#", i))})
	}
	in := &dynamodb.QueryInput{
		TableName: aws.String("Orders"), KeyConditionExpression: aws.String("PK = :pk"),
		ExpressionAttributeValues: item{":pk": s("USER#ada")}, Limit: aws.Int32(5),
	}
	out := query(t, c, in)
	same(t, "items and cursor", []any{5, true}, []any{len(out.Items), out.LastEvaluatedKey != nil})
	in.ExclusiveStartKey = out.LastEvaluatedKey
	out = query(t, c, in)
	same(t, "items and cursor", []any{0, false}, []any{len(out.Items), out.LastEvaluatedKey != nil})
}

func TestSeed08FilterEmptiesPage(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Orders", "PK:S", "SK:N"))
	for i := range 30 {
		status := "SHIPPED"
		if i >= 25 {
			status = "OPEN"
		}
		put(t, c, "Orders", item{"PK": s("USER#ada"), "SK": n(i), "Status": s(status)})
	}
	in := &dynamodb.QueryInput{
		TableName: aws.String("Orders"), KeyConditionExpression: aws.String("PK = :pk"),
		FilterExpression:          aws.String("#status = :open"),
		ExpressionAttributeNames:  map[string]string{"#status": "Status"},
		ExpressionAttributeValues: item{":pk": s("USER#ada"), ":open": s("OPEN")},
		Limit:                     aws.Int32(10),
	}
	type page struct {
		Count, ScannedCount int32
		Last                int
	}
	var pages []page
	for {
		out := query(t, c, in)
		p := page{out.Count, out.ScannedCount, -1}
		if out.LastEvaluatedKey != nil {
			p.Last = sInt(out.LastEvaluatedKey, "SK")
		}
		pages = append(pages, p)
		same(t, "items", int(out.Count), len(out.Items))
		if in.ExclusiveStartKey = out.LastEvaluatedKey; out.LastEvaluatedKey == nil {
			break
		}
	}
	same(t, "pages", []page{{0, 10, 9}, {0, 10, 19}, {5, 10, 29}, {0, 0, -1}}, pages)
}

// bulk writes items of a size in bytes that the service would count, all with partition key P and sort keys from zero.
func bulk(t testing.TB, c *dynamodb.Client, table string, count, bytes int, more func(i int) item) {
	t.Helper()
	for i := range count {
		it := with(item{"PK": s("P"), "SK": s(fmt.Sprintf("%06d", i))}, more(i))
		size := len("PKP") + len("SK000000") + len("Data")
		for name, v := range more(i) {
			size += len(name) + len(v.(*types.AttributeValueMemberS).Value)
		}
		it["Data"] = s(strings.Repeat("x", bytes-size))
		put(t, c, table, it)
	}
}

// TestSeed08Megabyte: a page also ends when 1 MB was read, whatever the filter leaves of it.
func TestSeed08Megabyte(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Big", "PK:S", "SK:S"))
	const count, bytes = 20, 100 << 10
	bulk(t, c, "Big", count, bytes, func(int) item { return nil })
	for name, read := range map[string]func(start item) (count, scanned int32, last item){
		"query": func(start item) (int32, int32, item) {
			out := query(t, c, &dynamodb.QueryInput{
				TableName: aws.String("Big"), KeyConditionExpression: aws.String("PK = :pk"),
				FilterExpression:          aws.String("attribute_exists(Nothing)"),
				ExpressionAttributeValues: item{":pk": s("P")}, ExclusiveStartKey: start,
			})
			return out.Count, out.ScannedCount, out.LastEvaluatedKey
		},
		"scan": func(start item) (int32, int32, item) {
			out := must[*dynamodb.ScanOutput](t)(c.Scan(t.Context(), &dynamodb.ScanInput{
				TableName: aws.String("Big"), FilterExpression: aws.String("attribute_exists(Nothing)"),
				ExclusiveStartKey: start,
			}))
			return out.Count, out.ScannedCount, out.LastEvaluatedKey
		},
	} {
		// The item that crosses the line belongs to the page: 11 times 100 KB are the first to pass 1 MB.
		n1, scanned1, last := read(nil)
		same(t, name, []any{int32(0), int32(11), item{"PK": s("P"), "SK": s("000010")}}, []any{n1, scanned1, last})
		n2, scanned2, last := read(last)
		same(t, name, []any{int32(0), int32(9), item(nil)}, []any{n2, scanned2, last})
	}
}

func TestSeed17MegabyteBeforeProjection(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	in := tableInput("Big", "PK:S", "SK:S")
	in.AttributeDefinitions, _ = key("PK:S", "SK:S", "Kind:S")
	in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{{
		IndexName: aws.String("keys"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("Kind"), KeyType: types.KeyTypeHash}},
	}}
	create(t, c, in)
	const count = 1500
	bulk(t, c, "Big", count, 1024, func(int) item { return item{"Kind": s("K")} })
	read := func(in *dynamodb.QueryInput) (sizes []int) {
		in.TableName = aws.String("Big")
		for {
			out := query(t, c, in)
			sizes = append(sizes, len(out.Items))
			if in.ExclusiveStartKey = out.LastEvaluatedKey; out.LastEvaluatedKey == nil {
				return sizes
			}
		}
	}
	whole := &dynamodb.QueryInput{
		KeyConditionExpression: aws.String("PK = :pk"), ExpressionAttributeValues: item{":pk": s("P")},
	}
	projected := &dynamodb.QueryInput{
		KeyConditionExpression: aws.String("PK = :pk"), ExpressionAttributeValues: item{":pk": s("P")},
		ProjectionExpression: aws.String("SK"),
	}
	keysOnly := &dynamodb.QueryInput{
		IndexName:              aws.String("keys"),
		KeyConditionExpression: aws.String("Kind = :k"), ExpressionAttributeValues: item{":k": s("K")},
	}
	same(t, "page sizes of whole items", []int{1024, 476}, read(whole))
	same(t, "page sizes with a projection", []int{1024, 476}, read(projected))
	same(t, "page sizes of a KEYS_ONLY index", []int{1500}, read(keysOnly))
}

func TestSeed26ScanIsChargedForWhatItReads(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Orders", "PK:S", "SK:S"))
	bulk(t, c, "Orders", 240, 2048, func(i int) item {
		status := "SHIPPED"
		if i%20 == 0 {
			status = "OPEN"
		}
		return item{"Status": s(status)}
	})
	scan := func(in *dynamodb.ScanInput) (count, scanned int32, units float64) {
		in.TableName = aws.String("Orders")
		in.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
		out := must[*dynamodb.ScanOutput](t)(c.Scan(t.Context(), in))
		return out.Count, out.ScannedCount, aws.ToFloat64(out.ConsumedCapacity.CapacityUnits)
	}
	open := &dynamodb.ScanInput{
		FilterExpression:          aws.String("#status = :open"),
		ExpressionAttributeNames:  map[string]string{"#status": "Status"},
		ExpressionAttributeValues: item{":open": s("OPEN")},
	}
	count, scanned, units := scan(open)
	same(t, "with a filter", []any{int32(12), int32(240), 60.0}, []any{count, scanned, units})
	count, scanned, units = scan(&dynamodb.ScanInput{})
	same(t, "everything", []any{int32(240), int32(240), 60.0}, []any{count, scanned, units})
	open.ConsistentRead = aws.Bool(true)
	count, scanned, units = scan(open)
	same(t, "strongly consistent", []any{int32(12), int32(240), 120.0}, []any{count, scanned, units})
	_, _, units = scan(&dynamodb.ScanInput{Select: types.SelectCount})
	same(t, "count only", 60.0, units)
	_, _, units = scan(&dynamodb.ScanInput{ProjectionExpression: aws.String("SK")})
	same(t, "projected", 60.0, units)
}

// TestSeed07BothWays: ScanIndexForward turns the order around, and numbers sort as numbers.
func TestSeed07BothWays(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Orders", "PK:S", "SK:N"))
	for _, i := range []int{3, -1, 20, 100, 0} {
		put(t, c, "Orders", item{"PK": s("P"), "SK": n(i)})
	}
	read := func(forward bool) (keys []int) {
		in := &dynamodb.QueryInput{
			TableName: aws.String("Orders"), KeyConditionExpression: aws.String("PK = :pk"),
			ExpressionAttributeValues: item{":pk": s("P")}, ScanIndexForward: aws.Bool(forward), Limit: aws.Int32(2),
		}
		pages := dynamodb.NewQueryPaginator(c, in)
		for pages.HasMorePages() {
			page := must[*dynamodb.QueryOutput](t)(pages.NextPage(t.Context()))
			for _, it := range page.Items {
				keys = append(keys, sInt(it, "SK"))
			}
		}
		return keys
	}
	want := []int{-1, 0, 3, 20, 100}
	same(t, "forward", want, read(true))
	slices.Reverse(want)
	same(t, "backward", want, read(false))
}
