package examples

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/clock"
	"github.com/dynalite-go/dynalite/dynalitetest"
)

// pair is a key whose two parts are the same, as that of a user or of a marker.
func pair(v string) item { return item{"PK": s(v), "SK": s(v)} }

// putNew is an action that puts an item unless its key is taken.
func putNew(table string, it item) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{
		TableName: aws.String(table), Item: it, ConditionExpression: aws.String("attribute_not_exists(PK)"),
	}}
}

// remove is an action that deletes an item which must be there.
func remove(table string, k item) types.TransactWriteItem {
	return types.TransactWriteItem{Delete: &types.Delete{
		TableName: aws.String(table), Key: k, ConditionExpression: aws.String("attribute_exists(PK)"),
	}}
}

func transact(t testing.TB, c *dynamodb.Client, actions ...types.TransactWriteItem) error {
	_, err := c.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: actions})
	return err
}

func TestSeed01UniqueUsername(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Users", "PK:S", "SK:S"))
	signUp := func(email string) error {
		_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{
			TableName:           aws.String("Users"),
			Item:                with(pair("USER#alexdebrie"), item{"Email": s(email)}),
			ConditionExpression: aws.String("attribute_not_exists(PK)"),
		})
		return err
	}
	if err := signUp("first@example.com"); err != nil {
		t.Fatal(err)
	}
	before := all(t, c, "Users")

	err := signUp("second@example.com")

	wantError(t, err, "ConditionalCheckFailedException", "The conditional request failed")
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) || failed.Item != nil {
		t.Errorf("error %#v, want one without an item", err)
	}
	same(t, "table", before, all(t, c, "Users"))
	same(t, "user", with(pair("USER#alexdebrie"), item{"Email": s("first@example.com")}),
		get(t, c, "Users", pair("USER#alexdebrie")))
}

func TestSeed02UniqueUsernameAndEmail(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Users", "PK:S", "SK:S"))
	signUp := func(name, email string) error { return Seed02(t.Context(), c, name, email) }
	if err := signUp("ada", "ada@example.com"); err != nil {
		t.Fatal(err)
	}
	before := all(t, c, "Users")
	same(t, "items", 2, len(before))
	for _, tt := range []struct {
		name, email string
		want        []string
	}{
		{"ada", "other@example.com", []string{"ConditionalCheckFailed", "None"}},
		{"grace", "ada@example.com", []string{"None", "ConditionalCheckFailed"}},
		{"ada", "ada@example.com", []string{"ConditionalCheckFailed", "ConditionalCheckFailed"}},
	} {
		err := signUp(tt.name, tt.email)
		same(t, "reasons for "+tt.name+" "+tt.email, tt.want, reasons(t, err))
		same(t, "table after "+tt.name+" "+tt.email, before, all(t, c, "Users"))
		var cancelled *types.TransactionCanceledException
		errors.As(err, &cancelled)
		for _, r := range cancelled.CancellationReasons {
			text := map[string]string{"None": "", "ConditionalCheckFailed": "The conditional request failed"}
			same(t, "text", text[aws.ToString(r.Code)], aws.ToString(r.Message))
		}
	}
	if err := signUp("grace", "grace@example.com"); err != nil {
		t.Error(err)
	}
	same(t, "items", 4, len(all(t, c, "Users")))
}

// Seed02 puts a user and the marker of its e-mail address, or neither.
func Seed02(ctx context.Context, c *dynamodb.Client, name, email string) error {
	_, err := c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{
			putNew("Users", with(pair("USER#"+name), item{"Email": s(email)})),
			putNew("Users", pair("USEREMAIL#"+email)),
		},
	})
	return err
}

func ExampleSeed02() {
	ctx := context.Background()
	db, err := dynalite.New()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	c := dynalitetest.Client(outsideTest{}, db)
	if _, err := c.CreateTable(ctx, tableInput("Users", "PK:S", "SK:S")); err != nil {
		log.Fatal(err)
	}
	signUp := func(name, email string) {
		err := Seed02(ctx, c, name, email)
		var cancelled *types.TransactionCanceledException
		switch {
		case errors.As(err, &cancelled):
			for i, r := range cancelled.CancellationReasons {
				fmt.Println(name, "is refused, action", i, *r.Code)
			}
		case err != nil:
			log.Fatal(err)
		default:
			fmt.Println(name, "is in")
		}
	}
	signUp("ada", "ada@example.com")
	signUp("grace", "ada@example.com")
	signUp("grace", "grace@example.com")
	// Output:
	// ada is in
	// grace is refused, action 0 None
	// grace is refused, action 1 ConditionalCheckFailed
	// grace is in
}

// outsideTest stands in for the testing.TB that an example doesn't have.
type outsideTest struct{ dynalite.TB }

func (outsideTest) Helper() {}

// accounts is a table of accounts with generated ids and, for each, one marker for the name and one for the e-mail.
type accounts struct {
	t testing.TB
	c *dynamodb.Client
}

func newAccounts(t testing.TB, c *dynamodb.Client) accounts {
	create(t, c, tableInput("Accounts", "PK:S", "SK:S"))
	return accounts{t, c}
}

func (a accounts) account(id, name, email string) item {
	return with(pair("ACCOUNT#"+id), item{"Username": s(name), "Email": s(email)})
}

func (a accounts) nameMarker(name, id string) item {
	return with(pair("UNIQ#USERNAME#"+name), item{"AccountId": s(id)})
}

func (a accounts) emailMarker(email, id string) item {
	return with(pair("UNIQ#EMAIL#"+email), item{"AccountId": s(id)})
}

func (a accounts) signUp(id, name, email string) []types.TransactWriteItem {
	return []types.TransactWriteItem{
		putNew("Accounts", a.account(id, name, email)),
		putNew("Accounts", a.nameMarker(name, id)),
		putNew("Accounts", a.emailMarker(email, id)),
	}
}

func (a accounts) changeEmail(id, from, to string) []types.TransactWriteItem {
	return []types.TransactWriteItem{
		putNew("Accounts", a.emailMarker(to, id)),
		remove("Accounts", pair("UNIQ#EMAIL#"+from)),
		{Update: &types.Update{
			TableName: aws.String("Accounts"), Key: pair("ACCOUNT#" + id),
			UpdateExpression:          aws.String("SET Email = :to"),
			ConditionExpression:       aws.String("Email = :from"),
			ExpressionAttributeValues: item{":from": s(from), ":to": s(to)},
		}},
	}
}

func (a accounts) closeAccount(id, name, email string) []types.TransactWriteItem {
	return []types.TransactWriteItem{
		remove("Accounts", pair("ACCOUNT#"+id)),
		remove("Accounts", pair("UNIQ#USERNAME#"+name)),
		remove("Accounts", pair("UNIQ#EMAIL#"+email)),
	}
}

// send runs a transaction under a token.
func (a accounts) send(token string, actions []types.TransactWriteItem) error {
	_, err := a.c.TransactWriteItems(a.t.Context(), &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: aws.String(token), TransactItems: actions,
	})
	return err
}

// holds compares the whole table, whatever its order.
func (a accounts) holds(what string, want ...item) {
	a.t.Helper()
	byKey := func(items []item) map[string]item {
		m := map[string]item{}
		for _, it := range items {
			m[sString(it, "PK")] = it
		}
		return m
	}
	same(a.t, what, byKey(want), byKey(all(a.t, a.c, "Accounts")))
}

func TestSeed03AccountWithMarkers(t *testing.T) {
	t.Parallel()
	a := newAccounts(t, dynalitetest.Client(t, nil))
	ada := []item{a.account("1", "ada", "ada@old"), a.nameMarker("ada", "1"), a.emailMarker("ada@old", "1")}

	if err := transact(t, a.c, a.signUp("1", "ada", "ada@old")...); err != nil {
		t.Fatal(err)
	}
	a.holds("after the first account", ada...)

	same(t, "name taken", []string{"None", "ConditionalCheckFailed", "None"},
		reasons(t, transact(t, a.c, a.signUp("2", "ada", "grace@new")...)))
	same(t, "e-mail taken", []string{"None", "None", "ConditionalCheckFailed"},
		reasons(t, transact(t, a.c, a.signUp("2", "grace", "ada@old")...)))
	a.holds("after two refusals", ada...)

	if err := transact(t, a.c, a.signUp("2", "grace", "grace@new")...); err != nil {
		t.Fatal(err)
	}
	grace := []item{a.account("2", "grace", "grace@new"), a.nameMarker("grace", "2"), a.emailMarker("grace@new", "2")}
	same(t, "new e-mail taken", []string{"ConditionalCheckFailed", "None", "None"},
		reasons(t, transact(t, a.c, a.changeEmail("1", "ada@old", "grace@new")...)))
	same(t, "wrong old e-mail", []string{"None", "ConditionalCheckFailed", "ConditionalCheckFailed"},
		reasons(t, transact(t, a.c, a.changeEmail("1", "nobody@old", "ada@new")...)))
	a.holds("after refused changes", append(ada, grace...)...)

	if err := transact(t, a.c, a.changeEmail("1", "ada@old", "ada@new")...); err != nil {
		t.Fatal(err)
	}
	ada = []item{a.account("1", "ada", "ada@new"), a.nameMarker("ada", "1"), a.emailMarker("ada@new", "1")}
	a.holds("after the change", append(ada, grace...)...)

	same(t, "stale e-mail", []string{"None", "None", "ConditionalCheckFailed"},
		reasons(t, transact(t, a.c, a.closeAccount("1", "ada", "ada@old")...)))
	a.holds("after a refused close", append(ada, grace...)...)
	if err := transact(t, a.c, a.closeAccount("1", "ada", "ada@new")...); err != nil {
		t.Fatal(err)
	}
	a.holds("after the close", grace...)
}

func TestSeed03Token(t *testing.T) {
	t.Parallel()
	db := dynalite.Start(t, dynalite.WithClock(clock.NewManual(time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC))))
	a := newAccounts(t, dynalitetest.Client(t, db))
	steps := []struct {
		name    string
		actions []types.TransactWriteItem
		want    []item
	}{
		{"sign up", a.signUp("1", "ada", "ada@old"),
			[]item{a.account("1", "ada", "ada@old"), a.nameMarker("ada", "1"), a.emailMarker("ada@old", "1")}},
		{"change", a.changeEmail("1", "ada@old", "ada@new"),
			[]item{a.account("1", "ada", "ada@new"), a.nameMarker("ada", "1"), a.emailMarker("ada@new", "1")}},
		{"close", a.closeAccount("1", "ada", "ada@new"), nil},
	}
	for _, step := range steps {
		for send := range 3 {
			// Without the token the second send would fail on its conditions.
			if err := a.send(step.name, step.actions); err != nil {
				t.Fatalf("%s, send %d: %v", step.name, send, err)
			}
			a.holds(step.name, step.want...)
			db.Advance(3 * time.Minute)
		}
		err := a.send(step.name, a.signUp("9", "eve", "eve@old"))
		var mismatch *types.IdempotentParameterMismatchException
		if !errors.As(err, &mismatch) {
			t.Errorf("%s with another payload: error %v, want IdempotentParameterMismatchException", step.name, err)
		}
		a.holds(step.name+" with another payload", step.want...)
	}

	// A token is remembered for ten minutes.
	if err := a.send("again", a.signUp("1", "ada", "ada@old")); err != nil {
		t.Fatal(err)
	}
	db.Advance(10*time.Minute - time.Second)
	if err := a.send("again", a.signUp("1", "ada", "ada@old")); err != nil {
		t.Errorf("after less than ten minutes: %v", err)
	}
	db.Advance(2 * time.Second)
	same(t, "after ten minutes",
		[]string{"ConditionalCheckFailed", "ConditionalCheckFailed", "ConditionalCheckFailed"},
		reasons(t, a.send("again", a.signUp("1", "ada", "ada@old"))))
}

// TestSeed03TokenAtOnce: the same request sent many times at once has its effect once.
func TestSeed03TokenAtOnce(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Counters", "PK:S"))
	together(50, func(int) {
		_, err := c.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
			ClientRequestToken: aws.String("once"),
			TransactItems: []types.TransactWriteItem{{Update: &types.Update{
				TableName: aws.String("Counters"), Key: item{"PK": s("c")},
				UpdateExpression: aws.String("ADD Sent :one"), ExpressionAttributeValues: item{":one": n(1)},
			}}},
		})
		if err != nil {
			t.Error(err)
		}
	})
	same(t, "counter", item{"PK": s("c"), "Sent": n(1)}, get(t, c, "Counters", item{"PK": s("c")}))
}

func TestSeed04CheckThenWrite(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Users", "PK:S", "SK:S"))
	var looked sync.WaitGroup
	looked.Add(2)
	together(2, func(i int) {
		out, err := c.Query(t.Context(), &dynamodb.QueryInput{
			TableName: aws.String("Users"), ConsistentRead: aws.Bool(true),
			KeyConditionExpression:    aws.String("PK = :pk"),
			ExpressionAttributeValues: item{":pk": s("USER#ada")},
		})
		looked.Done()
		looked.Wait() // both have looked before either writes
		if err != nil || out.Count != 0 {
			t.Errorf("query: %v %v", out, err)
			return
		}
		_, err = c.PutItem(t.Context(), &dynamodb.PutItemInput{
			TableName: aws.String("Users"), Item: with(pair("USER#ada"), item{"By": n(i)}),
		})
		if err != nil {
			t.Errorf("put after an empty query: %v", err)
		}
	})
	// Both believe to own the name; one of them has lost its item.
	same(t, "users", 1, len(all(t, c, "Users")))
}

func TestSeed04Markers(t *testing.T) {
	t.Parallel()
	for _, callers := range []int{2, 10, 100} {
		t.Run(strconv.Itoa(callers), func(t *testing.T) {
			t.Parallel()
			c := dynalitetest.Client(t, nil)
			create(t, c, tableInput("Users", "PK:S", "SK:S"))
			results := make([]error, callers)
			together(callers, func(i int) {
				results[i] = transact(t, c,
					putNew("Users", with(pair("USER#"+strconv.Itoa(i)), item{"Email": s("ada@example.com")})),
					putNew("Users", pair("USEREMAIL#ada@example.com")))
			})
			var winners []int
			for i, err := range results {
				if err == nil {
					winners = append(winners, i)
					continue
				}
				same(t, "reasons", []string{"None", "ConditionalCheckFailed"}, reasons(t, err))
			}
			if len(winners) != 1 {
				t.Fatalf("%d callers got the e-mail: %v", len(winners), winners)
			}
			same(t, "items", 2, len(all(t, c, "Users")))
			if get(t, c, "Users", pair("USER#"+strconv.Itoa(winners[0]))) == nil {
				t.Errorf("the winner %d has no item", winners[0])
			}
		})
	}
}
