// Package lambdastream delivers the changes of a table to a function, as an AWS Lambda event source mapping does.
//
//	consumer := lambdastream.Start(t, db, "Orders", func(ctx context.Context, e events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
//		...
//	})
//	...                    // writes
//	consumer.Wait(ctx)     // all of them are delivered
//
// The handler is the one that is deployed: it takes an events.DynamoDBEvent of github.com/aws/aws-lambda-go. Batch
// size and batching window, starting position, filter patterns, retries, bisection, partial batch failures, maximum
// record age, the destination for failures and the parallelization factor work and are limited as in
// CreateEventSourceMapping. NewTrigger posts the same events to a URL, such as that of a Lambda runtime emulator.
//
// # What is promised
//
//   - Each change is delivered at least once. What is skipped, after the last retry or because of its age, goes to
//     WithOnFailure and to the log.
//   - The changes of one item arrive in their order, also when its shard is rolled or its partition is split: a shard
//     is drained before its children.
//   - A batch that fails blocks its shard, or its share of the shard with WithParallelization, and nothing else.
//   - A consumer never holds up who writes to the table.
//   - The table may be made, or get its stream, after the consumer. A consumer follows the table: when a stream ends
//     and the table gets another, it goes on there.
//
// # Time
//
// All waiting, of windows, retries and time-outs, is done by the database's clock. With a manual clock nothing moves
// until the test says so:
//
//	db.Advance(time.Second)
//	consumer.Wait(ctx) // what could be delivered by now is delivered
//
// Consumers work inside a testing/synctest bubble too. An idle consumer does nothing at all; it is woken by the write
// that concerns it.
//
// # What differs from Lambda
//
// Delivery is immediate instead of four times a second, and a retry waits for 100 ms at first, which WithBackoff
// changes. Tumbling windows are not there. Details that no recording of the service settles are marked (unconfirmed)
// in the code.
package lambdastream
