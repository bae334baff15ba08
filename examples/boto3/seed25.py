"""Row 25: boto3's resource API turns items into Python numbers and strings.

    seed25.py URL

talks to the server at URL and fails when it sees anything else than it expects.
"""

import sys
from decimal import Decimal

import boto3
from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError


def same(what, want, got):
    if want != got:
        sys.exit(f"FAIL: {what}\n  got:  {got!r}\n  want: {want!r}")
    print("ok   ", what)


dynamodb = boto3.resource("dynamodb", endpoint_url=sys.argv[1], region_name="us-east-1")
table = dynamodb.create_table(
    TableName="Carrinhos",
    AttributeDefinitions=[
        {"AttributeName": "SessaoId", "AttributeType": "S"},
        {"AttributeName": "ItemId", "AttributeType": "S"},
    ],
    KeySchema=[
        {"AttributeName": "SessaoId", "KeyType": "HASH"},
        {"AttributeName": "ItemId", "KeyType": "RANGE"},
    ],
    BillingMode="PAY_PER_REQUEST",
)
table.wait_until_exists()
table.reload()
same("table", "ACTIVE", table.table_status)

LINES = [
    {"SessaoId": "s1", "ItemId": "i1", "Produto": "livro", "Quantidade": Decimal(1), "Preco": Decimal("39.90")},
    {"SessaoId": "s1", "ItemId": "i2", "Produto": "caneta", "Quantidade": Decimal(12), "Preco": Decimal("1.5")},
    {"SessaoId": "s1", "ItemId": "j3", "Produto": "maçã", "Quantidade": Decimal(3), "Preco": Decimal("0.25")},
]
with table.batch_writer() as batch:
    for line in LINES:
        batch.put_item(Item=line)
    for i in range(100):  # more than one BatchWriteItem may hold
        batch.put_item(Item={"SessaoId": "many", "ItemId": f"{i:03}"})

reply = table.query(KeyConditionExpression=Key("SessaoId").eq("s1"))
same("query", LINES, reply["Items"])
same("types", [str, str, str, Decimal, Decimal], [type(reply["Items"][0][k]) for k in LINES[0]])
same("count", (3, 3), (reply["Count"], reply["ScannedCount"]))
reply = table.query(KeyConditionExpression=Key("SessaoId").eq("s1") & Key("ItemId").begins_with("i"))
same("query with begins_with", LINES[:2], reply["Items"])
reply = table.query(
    KeyConditionExpression=Key("SessaoId").eq("s1") & Key("ItemId").between("i2", "j9"), ScanIndexForward=False
)
same("query with between, backwards", [LINES[2], LINES[1]], reply["Items"])
reply = table.scan(FilterExpression=Attr("Quantidade").gt(1) & Attr("Produto").contains("n"))
same("scan with a filter", [LINES[1]], reply["Items"])
same("get_item", LINES[2], table.get_item(Key={"SessaoId": "s1", "ItemId": "j3"}, ConsistentRead=True)["Item"])
same("many items", 100, table.query(KeyConditionExpression=Key("SessaoId").eq("many"))["Count"])

reply = table.update_item(
    Key={"SessaoId": "s1", "ItemId": "i1"},
    UpdateExpression="ADD Quantidade :n SET Etiquetas = :e",
    ExpressionAttributeValues={":n": 2, ":e": {"novo", "azul"}},
    ReturnValues="UPDATED_NEW",
)
same("update_item", {"Quantidade": Decimal(3), "Etiquetas": {"novo", "azul"}}, reply["Attributes"])

KINDS = {
    "SessaoId": "kinds", "ItemId": "1", "t": True, "f": False, "none": None, "l": [1, "x", [Decimal("2.5")]],
    "m": {"a": {"b": Decimal("-0.001")}}, "numbers": {Decimal(1), Decimal(2)}, "bytes": {b"\x00", b"\xff"},
}
table.put_item(Item=KINDS)
same("all kinds of values", KINDS, table.get_item(Key={"SessaoId": "kinds", "ItemId": "1"})["Item"])

try:
    table.put_item(Item=LINES[0], ConditionExpression=Attr("SessaoId").not_exists())
    sys.exit("FAIL: a put over an existing item passed its condition")
except ClientError as e:
    same("condition", ("ConditionalCheckFailedException", "The conditional request failed"),
         (e.response["Error"]["Code"], e.response["Error"]["Message"]))
    same("status", 400, e.response["ResponseMetadata"]["HTTPStatusCode"])

table.delete()
table.wait_until_not_exists()
print("PASS: boto3")
