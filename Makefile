# The targets of the lab; `make` alone lists them.

.DEFAULT_GOAL := help
TOOL := go tool -modfile=.ci/tools/go.mod
TRACES := ../shared/traces

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: test
test: lint ## all tests but the slow ones, with the race detector (under 3 minutes)
	go test -race -short ./...

.PHONY: test-long
test-long: ## the slow tests: full simulations, filters over 2^32 bits, fuzzing for a while
	go test -timeout 40m ./...

.PHONY: lint
lint: ## gofmt, go vet, staticcheck
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not gofmt-ed: $$unformatted"; exit 1; fi
	go vet ./...
	$(TOOL) staticcheck ./...

.PHONY: bench-all
bench-all: ## every default variant on every workload: tables and pictures in out/bench-all (under 10 minutes)
	go run ./cmd/lab bench-all

.PHONY: fuzz
fuzz: ## each fuzz target for 20 seconds
	@for pkg in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    go test -run '^$$' -fuzz "^$$f$$" -fuzztime 20s $$pkg || exit 1; \
	  done; \
	done
