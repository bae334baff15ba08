#!/usr/bin/env bash
# Holds another emulator, the npm package dynalite, against the conformance
# cases: it must differ here and there, and the run must end cleanly with a
# table by area. Usage: tools/dynalite.sh path/to/dynalite-go
#
# Skips where node or the package can't be had; with CI=true only the latter.
set -euo pipefail

binary=$(realpath "$1")
version=4.0.0

skip() { echo "SKIP: $*"; exit 0; }

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
	[ "${CI:-}" != true ] || { echo "node is not installed, but CI=true asks for it"; exit 1; }
	skip "node is not installed"
fi

work=$(mktemp -d)
loop=
trap '[ -z "$loop" ] || kill -- "-$loop" 2>/dev/null || true; rm -rf "$work"' EXIT
(cd "$work" && npm install --silent --no-audit --no-fund --ignore-scripts --fetch-timeout=30000 "dynalite@$version" >npm.log 2>&1) ||
	skip "dynalite $version can't be had from the npm registry"

port=$(node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})')
# Some requests end its process, so it is started again until the run is over.
# Job control gives the loop and what it starts a process group, which ends as one.
set -m
(
	while :; do
		node "$work/node_modules/dynalite/cli.js" --host 127.0.0.1 --port "$port" --createTableMs 0 --deleteTableMs 0 \
			--updateTableMs 0 >>"$work/server.log" 2>&1 || true
		sleep 0.1
	done
) &
loop=$!
set +m
"$binary" health --port "$port" --wait 20s

status=0
AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local timeout 240 "$binary" conformance --endpoint "http://127.0.0.1:$port" \
	--wording classic --parallel 1 --skip-tags slow --markdown "$work/table.md" >"$work/report.txt" 2>&1 || status=$?
tail -n 3 "$work/report.txt"
cat "$work/table.md"
# 1 says that something differs, and something must: dynalite has no transactions.
[ "$status" = 1 ] || { echo "the comparison ended with status $status"; tail -n 40 "$work/report.txt"; exit 1; }
grep -q '^| \*\*all\*\*' "$work/table.md"
