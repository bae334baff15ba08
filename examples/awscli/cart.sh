#!/usr/bin/env bash
# Row 21: a shopping cart by the AWS CLI, as a person types it, against a server
# that it starts itself:
#
#	cart.sh path/to/dynalite-go
#
# Every step tells what it expects and fails when it gets something else.
# Without the AWS CLI it skips, unless CI=true.
set -euo pipefail
. "$(dirname "$0")/../server.sh"
need aws
start "$1"

ddb() { aws dynamodb --endpoint-url "$url" "$@"; }
streams() { aws dynamodbstreams --endpoint-url "$url" "$@"; }

# expect WANT COMMAND...: the command's output as text must be WANT.
expect() {
	local want=$1 got
	shift
	got=$("$@" --output text | tr '\t\n' '  ' | sed 's/ *$//')
	if [ "$got" != "$want" ]; then
		printf 'FAIL: %s\n  got:  %s\n  want: %s\n' "$*" "$got" "$want"
		exit 1
	fi
	printf 'ok    %s\n' "$want"
}

# refuse WHAT COMMAND...: the command must fail and say so.
refuse() {
	local want=$1 got
	shift
	if got=$("$@" 2>&1) || [[ $got != *"$want"* ]]; then
		printf 'FAIL: %s\n  got:  %s\n  want: %s\n' "$*" "$got" "$want"
		exit 1
	fi
	printf 'ok    refused: %s\n' "$want"
}

echo "== the table of carts"
expect 'Carrinhos PAY_PER_REQUEST' ddb create-table \
	--table-name Carrinhos \
	--attribute-definitions AttributeName=SessaoId,AttributeType=S AttributeName=ItemId,AttributeType=S \
	--key-schema AttributeName=SessaoId,KeyType=HASH AttributeName=ItemId,KeyType=RANGE \
	--billing-mode PAY_PER_REQUEST \
	--query 'TableDescription.[TableName,BillingModeSummary.BillingMode]'
ddb wait table-exists --table-name Carrinhos
expect 'ACTIVE HASH SessaoId RANGE ItemId' ddb describe-table --table-name Carrinhos \
	--query 'Table.[TableStatus,KeySchema[0].KeyType,KeySchema[0].AttributeName,KeySchema[1].KeyType,KeySchema[1].AttributeName]'
refuse '(ResourceInUseException) when calling the CreateTable operation: Table already exists: Carrinhos' ddb create-table \
	--table-name Carrinhos \
	--attribute-definitions AttributeName=SessaoId,AttributeType=S \
	--key-schema AttributeName=SessaoId,KeyType=HASH \
	--billing-mode PAY_PER_REQUEST

echo "== two carts"
put() { ddb put-item --table-name Carrinhos --item "$1"; }
put '{"SessaoId":{"S":"s1"},"ItemId":{"S":"i1"},"ProdutoId":{"S":"livro"},"Quantidade":{"N":"1"},"Preco":{"N":"39.90"}}'
put '{"SessaoId":{"S":"s1"},"ItemId":{"S":"i2"},"ProdutoId":{"S":"caneta"},"Quantidade":{"N":"12"},"Preco":{"N":"1.50"}}'
put '{"SessaoId":{"S":"s2"},"ItemId":{"S":"i1"},"ProdutoId":{"S":"livro"},"Quantidade":{"N":"2"},"Preco":{"N":"39.9"}}'
refuse 'One or more parameter values were invalid: Missing the key ItemId in the item' \
	put '{"SessaoId":{"S":"s1"}}'
expect 'livro 1 39.9' ddb get-item --table-name Carrinhos \
	--key '{"SessaoId":{"S":"s1"},"ItemId":{"S":"i1"}}' \
	--consistent-read \
	--query 'Item.[ProdutoId.S,Quantidade.N,Preco.N]'
expect 'i1 i2' ddb query --table-name Carrinhos \
	--key-condition-expression 'SessaoId = :s' \
	--expression-attribute-values '{":s":{"S":"s1"}}' \
	--query 'Items[].ItemId.S'
expect '1 3 caneta' ddb scan --table-name Carrinhos \
	--filter-expression 'Quantidade > :n' \
	--expression-attribute-values '{":n":{"N":"5"}}' \
	--query '[Count,ScannedCount,Items[0].ProdutoId.S]'
refuse 'Query key condition not supported' ddb query --table-name Carrinhos \
	--key-condition-expression 'SessaoId > :s' \
	--expression-attribute-values '{":s":{"S":"s1"}}'

echo "== an index by product"
expect 'por-produto' ddb update-table --table-name Carrinhos \
	--attribute-definitions AttributeName=ProdutoId,AttributeType=S AttributeName=SessaoId,AttributeType=S \
	--global-secondary-index-updates '[{"Create":{
		"IndexName":"por-produto",
		"KeySchema":[{"AttributeName":"ProdutoId","KeyType":"HASH"},{"AttributeName":"SessaoId","KeyType":"RANGE"}],
		"Projection":{"ProjectionType":"ALL"}}}]' \
	--query 'TableDescription.GlobalSecondaryIndexes[].IndexName'
expect 'ACTIVE' ddb describe-table --table-name Carrinhos --query 'Table.GlobalSecondaryIndexes[].IndexStatus'
expect 's1 s2' ddb query --table-name Carrinhos --index-name por-produto \
	--key-condition-expression 'ProdutoId = :p' \
	--expression-attribute-values '{":p":{"S":"livro"}}' \
	--query 'Items[].SessaoId.S'
refuse 'Consistent reads are not supported on global secondary indexes' ddb query --table-name Carrinhos \
	--index-name por-produto --consistent-read \
	--key-condition-expression 'ProdutoId = :p' \
	--expression-attribute-values '{":p":{"S":"livro"}}'

echo "== a stream, and lines that expire"
expect 'True NEW_AND_OLD_IMAGES' ddb update-table --table-name Carrinhos \
	--stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES \
	--query 'TableDescription.StreamSpecification.[StreamEnabled,StreamViewType]'
expect 'True expiraEm' ddb update-time-to-live --table-name Carrinhos \
	--time-to-live-specification 'Enabled=true, AttributeName=expiraEm' \
	--query 'TimeToLiveSpecification.[Enabled,AttributeName]'
expect 'ENABLED expiraEm' ddb describe-time-to-live --table-name Carrinhos \
	--query 'TimeToLiveDescription.[TimeToLiveStatus,AttributeName]'
put '{"SessaoId":{"S":"s3"},"ItemId":{"S":"i1"},"ProdutoId":{"S":"livro"},"expiraEm":{"N":"'"$(($(date +%s) - 3600))"'"}}'
expect '0' ddb query --table-name Carrinhos --select COUNT \
	--key-condition-expression 'SessaoId = :s' \
	--expression-attribute-values '{":s":{"S":"s3"}}' \
	--query Count
arn=$(streams list-streams --table-name Carrinhos --query 'Streams[0].StreamArn' --output text)
for shard in $(streams describe-stream --stream-arn "$arn" --query 'StreamDescription.Shards[].ShardId' --output text); do
	iterator=$(streams get-shard-iterator --stream-arn "$arn" --shard-id "$shard" \
		--shard-iterator-type TRIM_HORIZON --query ShardIterator --output text)
	streams get-records --shard-iterator "$iterator" --output text \
		--query 'Records[].[eventName,dynamodb.Keys.SessaoId.S,userIdentity.PrincipalId]' >>"$work/records"
done
got=$(tr '\t\n' '  ' <"$work/records" | sed 's/ *$//')
want='INSERT s3 None REMOVE s3 dynamodb.amazonaws.com'
[ "$got" = "$want" ] || { printf 'FAIL: the stream\n  got:  %s\n  want: %s\n' "$got" "$want"; exit 1; }
printf 'ok    %s\n' "$want"

echo "== an order takes from the stock while there is any"
for table in Estoque Pedidos; do
	ddb create-table --table-name "$table" \
		--attribute-definitions AttributeName=Id,AttributeType=S \
		--key-schema AttributeName=Id,KeyType=HASH \
		--billing-mode PAY_PER_REQUEST >/dev/null
done
ddb put-item --table-name Estoque --item '{"Id":{"S":"livro"},"Unidades":{"N":"2"}}'
order() {
	ddb transact-write-items --transact-items '[
		{"Update":{"TableName":"Estoque","Key":{"Id":{"S":"livro"}},
			"UpdateExpression":"SET Unidades = Unidades - :um","ConditionExpression":"Unidades > :zero",
			"ExpressionAttributeValues":{":um":{"N":"1"},":zero":{"N":"0"}}}},
		{"Put":{"TableName":"Pedidos","Item":{"Id":{"S":"'"$1"'"}},"ConditionExpression":"attribute_not_exists(Id)"}}]'
}
order p1
refuse 'specific reasons [None, ConditionalCheckFailed]' order p1
order p2
refuse 'specific reasons [ConditionalCheckFailed, None]' order p3
expect '0' ddb get-item --table-name Estoque --key '{"Id":{"S":"livro"}}' --query 'Item.Unidades.N'
expect '2' ddb scan --table-name Pedidos --select COUNT --query Count

echo "== a replica in another region"
replicate() {
	ddb update-table --table-name Carrinhos --replica-updates '[{"Create":{"RegionName":"us-west-2"}}]'
}
if [[ $(replicate 2>&1) == *"not supported by this endpoint"* ]]; then
	echo "SKIP  global tables are not there yet"
else
	expect 'us-west-2' ddb describe-table --table-name Carrinhos --query 'Table.Replicas[].RegionName'
	expect '3' ddb scan --region us-west-2 --table-name Carrinhos --select COUNT --query Count
fi

echo "== and away"
expect 'DELETING' ddb delete-table --table-name Estoque --query 'TableDescription.TableStatus'
ddb wait table-not-exists --table-name Estoque
expect 'Carrinhos Pedidos' ddb list-tables --query TableNames

stop
echo "PASS: the cart"
