#!/usr/bin/env bash
# Runs the Node example against a server that it starts itself:
#
#	run.sh path/to/dynalite-go
#
# It installs the AWS SDK into a scratch directory, unless NODE_PACKAGES names
# one that has it. Without Node or the registry it skips, in CI too.
set -euo pipefail
here=$(dirname "$0")
. "$here/../server.sh"
unset CI
need node npm
start "$1"
if [ -z "${NODE_PACKAGES:-}" ]; then
	export NODE_PACKAGES=$work/node
	mkdir "$NODE_PACKAGES"
	npm install --prefix "$NODE_PACKAGES" --no-audit --no-fund --silent --fetch-retries=1 --fetch-timeout=30000 \
		@aws-sdk/client-dynamodb@3 @aws-sdk/lib-dynamodb@3 >/dev/null 2>&1 || skip "the AWS SDK can't be installed"
fi
node "$here/cart.mjs" "$url"
stop
