#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other, each for
# FUZZTIME (10s). The first failure ends the run.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
found=0
while IFS=: read -r file target; do
	found=$((found + 1))
	dir=./$(dirname "$file")
	echo "fuzz $target in $dir"
	"$go" test -run '^$' -fuzz "^${target}\$" -fuzztime "${FUZZTIME:-10s}" "$dir"
done < <(grep -roE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' . | sed -e 's/:func /:/' -e 's|^\./||' | sort)
echo "fuzz: $found targets"
