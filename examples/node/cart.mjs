// A shopping cart with the AWS SDK for JavaScript, version 3:
//
//	node cart.mjs URL
//
// talks to the server at URL and fails when it sees anything else than it expects.

import assert from "node:assert/strict";
import { createRequire } from "node:module";

// The packages stand in a directory of their own, see run.sh.
const require = createRequire(process.env.NODE_PACKAGES + "/");
const { CreateTableCommand, DynamoDBClient, waitUntilTableExists } = require("@aws-sdk/client-dynamodb");
const {
  DynamoDBDocumentClient, GetCommand, PutCommand, TransactWriteCommand, UpdateCommand, paginateQuery,
} = require("@aws-sdk/lib-dynamodb");

const client = new DynamoDBClient({ endpoint: process.argv[2], region: "us-east-1" });
const docs = DynamoDBDocumentClient.from(client);
const TableName = "Carts";

await client.send(new CreateTableCommand({
  TableName,
  AttributeDefinitions: [
    { AttributeName: "session", AttributeType: "S" },
    { AttributeName: "line", AttributeType: "N" },
  ],
  KeySchema: [
    { AttributeName: "session", KeyType: "HASH" },
    { AttributeName: "line", KeyType: "RANGE" },
  ],
  BillingMode: "PAY_PER_REQUEST",
}));
await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName });

const item = { session: "s1", line: 1, product: "böök", units: 2, tags: new Set(["new", "blue"]), nested: { list: [1, "x", null, true] } };
await docs.send(new PutCommand({ TableName, Item: item }));
const got = await docs.send(new GetCommand({ TableName, Key: { session: "s1", line: 1 }, ConsistentRead: true }));
assert.deepEqual(got.Item, item);

const raised = await docs.send(new UpdateCommand({
  TableName, Key: { session: "s1", line: 1 }, UpdateExpression: "SET units = units + :n",
  ExpressionAttributeValues: { ":n": 3 }, ReturnValues: "UPDATED_NEW",
}));
assert.deepEqual(raised.Attributes, { units: 5 });

for (let line = 2; line <= 12; line++) {
  await docs.send(new PutCommand({ TableName, Item: { session: "s1", line } }));
}
const pages = [];
for await (const page of paginateQuery({ client: docs, pageSize: 5 }, {
  TableName, KeyConditionExpression: "#s = :s", ExpressionAttributeNames: { "#s": "session" },
  ExpressionAttributeValues: { ":s": "s1" }, ScanIndexForward: false,
})) {
  pages.push(page.Items.map((i) => i.line));
}
assert.deepEqual(pages, [[12, 11, 10, 9, 8], [7, 6, 5, 4, 3], [2, 1]]);

await assert.rejects(
  docs.send(new PutCommand({ TableName, Item: item, ConditionExpression: "attribute_not_exists(line)" })),
  { name: "ConditionalCheckFailedException", message: "The conditional request failed" },
);
const put = (line) => ({ Put: { TableName, Item: { session: "s2", line }, ConditionExpression: "attribute_not_exists(line)" } });
await docs.send(new TransactWriteCommand({ TransactItems: [put(1), put(2)] }));
await assert.rejects(docs.send(new TransactWriteCommand({ TransactItems: [put(3), put(2)] })), (e) => {
  assert.equal(e.name, "TransactionCanceledException");
  assert.deepEqual(e.CancellationReasons.map((r) => r.Code), ["None", "ConditionalCheckFailed"]);
  return true;
});
const none = await docs.send(new GetCommand({ TableName, Key: { session: "s2", line: 3 } }));
assert.equal(none.Item, undefined);

console.log("PASS: Node");
