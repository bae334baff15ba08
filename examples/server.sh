# Sourced by the examples that talk to a server. It defines:
#
#	need PROGRAM...   skip when a program is missing; with CI=true that is a failure
#	skip WHY          the same for another reason
#	start BINARY      start a server on a free port, stopped when the script ends;
#	                  sets $url and $work, a directory for scratch files
#	stop              stop it and fail unless it ends well

skip() {
	echo "SKIP: $*"
	[ "${CI:-}" != true ] || { echo "but CI=true asks for it"; exit 1; }
	exit 0
}

need() {
	local program
	for program; do
		command -v "$program" >/dev/null || skip "$program is not installed"
	done
}

start() {
	[ -x "$1" ] || { echo "usage: $0 path/to/dynalite-go"; exit 2; }
	work=$(mktemp -d)
	export AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local AWS_DEFAULT_REGION=us-east-1 AWS_REGION=us-east-1
	export AWS_CONFIG_FILE=$work/config AWS_SHARED_CREDENTIALS_FILE=$work/credentials AWS_PAGER= AWS_EC2_METADATA_DISABLED=true
	unset AWS_PROFILE AWS_SESSION_TOKEN AWS_ENDPOINT_URL AWS_ENDPOINT_URL_DYNAMODB
	"$1" serve --port 0 >"$work/out" 2>"$work/err" &
	server=$!
	trap 'kill $server 2>/dev/null || true; wait $server 2>/dev/null || true; rm -rf "$work"' EXIT
	local try
	for try in $(seq 200); do
		url=$(sed -n 's/^Listening on //p' "$work/out")
		[ -z "$url" ] || return 0
		sleep 0.05
	done
	echo "the server didn't start:"
	cat "$work/err"
	exit 1
}

stop() {
	kill -TERM "$server"
	wait "$server" || { echo "FAIL: the server ended with $?"; cat "$work/err"; exit 1; }
}
