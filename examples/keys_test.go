package examples

import (
	"context"
	"fmt"
	"log"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/dynalitetest"
)

func TestSeed12KeysAreEnforced(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Roles", "Actor:S", "Movie:S"))
	for _, tt := range []struct {
		name string
		item item
		want string
	}{
		{"no partition key", item{"Movie": s("Big")},
			"One or more parameter values were invalid: Missing the key Actor in the item"},
		{"no sort key", item{"Actor": s("Tom Hanks")},
			"One or more parameter values were invalid: Missing the key Movie in the item"},
		{"a number for a string", item{"Actor": s("Tom Hanks"), "Movie": n(1)},
			"One or more parameter values were invalid: Type mismatch for key Movie expected: S actual: N"},
		{"an empty key", item{"Actor": s(""), "Movie": s("Big")},
			"One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an " +
				"empty string value. Key: Actor"},
	} {
		_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("Roles"), Item: tt.item})
		t.Log(tt.name)
		wantError(t, err, "ValidationException", tt.want)
	}
	same(t, "items", 0, len(all(t, c, "Roles")))
	_, err := c.GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: aws.String("Roles"), Key: item{"Actor": s("Tom Hanks")},
	})
	wantError(t, err, "ValidationException", "The provided key element does not match the schema")
}

func TestSeed12PutReplaces(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Roles", "Actor:S", "Movie:S"))
	k := item{"Actor": s("Tom Hanks"), "Movie": s("Big")}
	put(t, c, "Roles", with(k, item{"Role": s("Josh"), "Year": n(1988)}), with(k, item{"Role": s("Josh Baskin")}))
	same(t, "table", []item{with(k, item{"Role": s("Josh Baskin")})}, all(t, c, "Roles"))
}

func TestSeed12QueryNeedsOnePartitionKey(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Roles", "Actor:S", "Movie:S"))
	const (
		missed    = "Query condition missed key schema element: Actor"
		unfit     = "Query key condition not supported"
		neither   = "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."
		badSyntax = "Invalid operator used in KeyConditionExpression: "
	)
	for _, tt := range []struct {
		condition string
		values    item
		want      string
	}{
		{"", nil, neither},
		{"Movie = :v", item{":v": s("Big")}, missed},
		{"begins_with(Movie, :v)", item{":v": s("B")}, missed},
		{"Actor > :v", item{":v": s("T")}, unfit},
		{"Actor <= :v", item{":v": s("T")}, unfit},
		{"begins_with(Actor, :v)", item{":v": s("T")}, unfit},
		{"Actor BETWEEN :v AND :w", item{":v": s("A"), ":w": s("B")}, unfit},
		{"Actor BETWEEN :v AND :w AND Movie = :v", item{":v": s("A"), ":w": s("B")}, unfit},
		{"Actor = :v OR Actor = :w", item{":v": s("A"), ":w": s("B")}, badSyntax + "OR"},
		{"Actor IN (:v, :w)", item{":v": s("A"), ":w": s("B")}, badSyntax + "IN"},
		{"Actor <> :v", item{":v": s("A")}, badSyntax + "<>"},
	} {
		in := &dynamodb.QueryInput{TableName: aws.String("Roles"), ExpressionAttributeValues: tt.values}
		if tt.condition != "" {
			in.KeyConditionExpression = aws.String(tt.condition)
		}
		_, err := c.Query(t.Context(), in)
		t.Log(tt.condition)
		wantError(t, err, "ValidationException", tt.want)
	}
}

// filmography writes actors and their films, and films of the same names by others.
func filmography(t testing.TB, c *dynamodb.Client) {
	t.Helper()
	create(t, c, tableInput("Roles", "PK:S", "SK:S"))
	for _, role := range []struct{ actor, film, year string }{
		{"Tom Hanks", "Toy Story", "1995"}, {"Tom Hanks", "Big", "1988"}, {"Tom Hanks", "Cast Away", "2000"},
		{"Tom Hanks", "The Terminal", "2004"}, {"Tom Hanks", "Apollo 13", "1995"},
		{"Tim Allen", "Toy Story", "1995"}, {"Natalie Portman", "Black Swan", "2010"},
		{"Tom Hardy", "Inception", "2010"},
	} {
		put(t, c, "Roles", item{"PK": s("ACTOR#" + role.actor), "SK": s("MOVIE#" + role.film), "Year": s(role.year)})
	}
}

func TestSeed13ItemCollections(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	filmography(t, c)
	films := func(actor, condition string, values ...string) (films []string) {
		in := &dynamodb.QueryInput{
			TableName: aws.String("Roles"), KeyConditionExpression: aws.String("PK = :pk"),
			ExpressionAttributeValues: item{":pk": s("ACTOR#" + actor)},
		}
		if condition != "" {
			*in.KeyConditionExpression += " AND " + condition
		}
		for i, v := range values {
			in.ExpressionAttributeValues[":"+string(rune('a'+i))] = s("MOVIE#" + v)
		}
		for _, sk := range each(query(t, c, in).Items, "SK") {
			films = append(films, strings.TrimPrefix(sk, "MOVIE#"))
		}
		return films
	}
	for _, tt := range []struct {
		actor, condition string
		values           []string
		want             []string
	}{
		{"Tom Hanks", "", nil, []string{"Apollo 13", "Big", "Cast Away", "The Terminal", "Toy Story"}},
		{"Tom Hanks", "SK = :a", []string{"Big"}, []string{"Big"}},
		{"Tom Hanks", "SK < :a", []string{"Cast Away"}, []string{"Apollo 13", "Big"}},
		{"Tom Hanks", "SK <= :a", []string{"Cast Away"}, []string{"Apollo 13", "Big", "Cast Away"}},
		{"Tom Hanks", "SK > :a", []string{"Cast Away"}, []string{"The Terminal", "Toy Story"}},
		{"Tom Hanks", "SK >= :a", []string{"Cast Away"}, []string{"Cast Away", "The Terminal", "Toy Story"}},
		{"Tom Hanks", "SK BETWEEN :a AND :b", []string{"B", "Cz"}, []string{"Big", "Cast Away"}},
		{"Tom Hanks", "SK BETWEEN :a AND :b", []string{"Big", "Cast Away"}, []string{"Big", "Cast Away"}},
		{"Tom Hanks", "begins_with(SK, :a)", []string{"T"}, []string{"The Terminal", "Toy Story"}},
		{"Tom Hanks", "begins_with(SK, :a)", []string{"Z"}, nil},
		// A collection of one is a collection, and none at all is no error.
		{"Natalie Portman", "", nil, []string{"Black Swan"}},
		{"Natalie Portman", "SK > :a", []string{"A"}, []string{"Black Swan"}},
		{"Buster Keaton", "", nil, nil},
	} {
		same(t, tt.actor+" "+tt.condition+" "+strings.Join(tt.values, ", "), tt.want,
			films(tt.actor, tt.condition, tt.values...))
	}
}

// placement tells for each partition key the part of the hash space, out of so many equal ones, in which it lies, as a
// parallel scan shows it.
func placement(ctx context.Context, c *dynamodb.Client, table string, parts int32) (map[string]int32, error) {
	at := map[string]int32{}
	for segment := range parts {
		pages := dynamodb.NewScanPaginator(c, &dynamodb.ScanInput{
			TableName: aws.String(table), Segment: aws.Int32(segment), TotalSegments: aws.Int32(parts),
		})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				return nil, err
			}
			for _, it := range page.Items {
				pk := sString(it, "PK")
				if before, seen := at[pk]; seen && before != segment {
					return nil, fmt.Errorf("%s lies in segments %d and %d", pk, before, segment)
				}
				at[pk] = segment
			}
		}
	}
	return at, nil
}

func TestSeed14KeyBecomesPartition(t *testing.T) {
	t.Parallel()
	var first map[string]int32
	for range 3 {
		// Another database, other items, another order: the same places.
		c := dynalitetest.Client(t, nil)
		filmography(t, c)
		for i := range 5 {
			put(t, c, "Roles", item{"PK": s("ACTOR#Tom Hanks"), "SK": s(fmt.Sprint("MOVIE#", i))})
		}
		at, err := placement(t.Context(), c, "Roles", 3)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = at
		}
		same(t, "places", first, at)
	}
	// Four actors in three places: some share one, which makes them no collection.
	same(t, "actors", 4, len(first))
}

// Seed14 returns the partition keys of a table by the part of the hash space in which they lie.
func Seed14(ctx context.Context, c *dynamodb.Client, table string, parts int32) ([][]string, error) {
	at, err := placement(ctx, c, table, parts)
	if err != nil {
		return nil, err
	}
	picture := make([][]string, parts)
	for pk, segment := range at {
		picture[segment] = append(picture[segment], pk)
	}
	for _, keys := range picture {
		slices.Sort(keys)
	}
	return picture, nil
}

func ExampleSeed14() {
	ctx := context.Background()
	db, err := dynalite.New()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	c := dynalitetest.Client(outsideTest{}, db)
	if _, err := c.CreateTable(ctx, tableInput("Roles", "PK:S", "SK:S")); err != nil {
		log.Fatal(err)
	}
	for _, role := range [][2]string{
		{"Tom Hanks", "Big"}, {"Tom Hanks", "Toy Story"}, {"Tim Allen", "Toy Story"}, {"Natalie Portman", "Black Swan"},
	} {
		_, err := c.PutItem(ctx, &dynamodb.PutItemInput{
			TableName: aws.String("Roles"), Item: item{"PK": s("ACTOR#" + role[0]), "SK": s("MOVIE#" + role[1])},
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	picture, err := Seed14(ctx, c, "Roles", 3)
	if err != nil {
		log.Fatal(err)
	}
	for part, keys := range picture {
		fmt.Printf("%d: %q\n", part, keys)
	}
	// Output:
	// 0: []
	// 1: ["ACTOR#Natalie Portman"]
	// 2: ["ACTOR#Tim Allen" "ACTOR#Tom Hanks"]
}

func TestSeed19ScatterGather(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Events", "PK:S", "SK:S"))
	const shards, events = 10, 200
	var want []string
	for i := range events {
		at := fmt.Sprintf("T%04d", i)
		want = append(want, at)
		put(t, c, "Events", item{"PK": s(fmt.Sprintf("DAY#2026-11-30#%d", (i*7)%shards)), "SK": s(at)})
		put(t, c, "Events", item{"PK": s(fmt.Sprintf("DAY#2026-12-01#%d", i%shards)), "SK": s(at)})
	}
	parts := make([][]string, shards)
	together(shards, func(i int) {
		in := &dynamodb.QueryInput{
			TableName: aws.String("Events"), KeyConditionExpression: aws.String("PK = :pk"),
			ExpressionAttributeValues: item{":pk": s(fmt.Sprintf("DAY#2026-11-30#%d", i))}, Limit: aws.Int32(7),
		}
		pages := dynamodb.NewQueryPaginator(c, in)
		for pages.HasMorePages() {
			page, err := pages.NextPage(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			parts[i] = append(parts[i], each(page.Items, "SK")...)
		}
	})
	for i, part := range parts {
		same(t, fmt.Sprint("events of shard ", i), events/shards, len(part))
		same(t, fmt.Sprint("order of shard ", i), true, slices.IsSorted(part))
	}
	got := slices.Concat(parts...)
	slices.Sort(got)
	same(t, "the day", want, got)
}
