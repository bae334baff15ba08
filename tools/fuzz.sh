#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other, each for
# FUZZTIME (10s). The first failure ends the run.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# run TARGET DIR. On a busy machine the go command itself may fail with
# "context deadline exceeded" when time is up. That
# says nothing about the target, so it runs again; a real find is written to a
# file, and the log says so.
run() {
	for _ in 1 2 3; do
		if "$go" test -run '^$' -fuzz "^$1\$" -fuzztime "${FUZZTIME:-10s}" "$2" 2>&1 | tee "$log"; then
			return 0
		fi
		if ! grep -q 'context deadline exceeded' "$log" || grep -q 'Failing input written' "$log"; then
			return 1
		fi
		echo "fuzz $1: once more"
	done
	return 1
}

found=0
while IFS=: read -r file target; do
	found=$((found + 1))
	dir=./$(dirname "$file")
	echo "fuzz $target in $dir"
	run "$target" "$dir"
done < <(grep -roE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' . | sed -e 's/:func /:/' -e 's|^\./||' | sort)
echo "fuzz: $found targets"
