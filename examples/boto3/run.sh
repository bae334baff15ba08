#!/usr/bin/env bash
# Runs the boto3 example against a server that it starts itself:
#
#	run.sh path/to/dynalite-go
#
# Without boto3 it skips, unless CI=true.
set -euo pipefail
here=$(dirname "$0")
. "$here/../server.sh"
need python3
python3 -c 'import boto3' 2>/dev/null || skip "boto3 is not installed"
start "$1"
python3 "$here/seed25.py" "$url"
stop
