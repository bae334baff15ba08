# make prints the targets. Only Go is needed; awscli, python and node want what
# their names say, and skip without it.

GO        ?= go
BIN       := bin/dynalite-go
PKG       ?= ./...
ARGS      ?=
TESTFLAGS ?=
FUZZTIME  ?= 10s
BENCH     ?= .
BENCHTIME ?= 1s

.DEFAULT_GOAL := help
.PHONY: help run build test race lint bench fuzz awscli python node dynalite cover clean

help: ## print the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## start the emulator on 127.0.0.1:8000 (ARGS="--port 9000")
	$(GO) run -pgo=off ./cmd/dynalite-go serve $(ARGS)

build: ## build bin/dynalite-go
	$(GO) build -trimpath -o $(BIN) ./cmd/dynalite-go

test: ## run all tests (PKG=./expr/... TESTFLAGS=-v)
	$(GO) test $(TESTFLAGS) $(PKG)

race: ## run all tests with the race detector and the lock-order check
	$(GO) test -race $(TESTFLAGS) $(PKG)

lint: ## gofmt, go vet, staticcheck
	@unformatted=$$(gofmt -l .); \
	if [ -n "$$unformatted" ]; then echo "not formatted:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet $(PKG)
	$(GO) tool -modfile=tools/go.mod staticcheck $(PKG)

bench: ## run the benchmarks (PKG=./attr BENCH=Decode BENCHTIME=2s)
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -benchtime $(BENCHTIME) $(PKG)

fuzz: ## run each fuzz target for a while (FUZZTIME=1m)
	@GO="$(GO)" FUZZTIME="$(FUZZTIME)" ./tools/fuzz.sh

awscli: build ## walk through a shopping cart with the AWS CLI
	./examples/awscli/cart.sh $(BIN)

python: build ## read and write items from Python, with boto3
	./examples/boto3/run.sh $(BIN)

node: build ## the same from Node, with the AWS SDK for JavaScript
	./examples/node/run.sh $(BIN)

dynalite: build ## hold another emulator, dynalite, against the conformance cases (needs node)
	./tools/dynalite.sh $(BIN)

cover: ## test coverage by package, and cover.out for go tool cover
	$(GO) test -coverprofile=cover.out $(PKG)
	$(GO) tool cover -func=cover.out | tail -1

clean: ## remove what was built
	rm -rf bin cover.out
