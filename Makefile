# The targets of the lab; `make` alone lists them.

.DEFAULT_GOAL := help
TOOL := go tool -modfile=.ci/tools/go.mod

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The packages that draw: the race detector slows a picture tenfold, and they share nothing between
# goroutines but the progress of a run, so their tests run under it in test-long.
DRAWING := ./cmd/lab/... ./reports

.PHONY: test
test: lint ## all tests but the slow ones, with the race detector (under 3 minutes)
	go test -race -short $$(go list ./... | grep -vE '/(cmd/lab(/command)?|reports)$$')
	go test -short $(DRAWING)

.PHONY: test-long
test-long: ## the slow tests: full simulations, filters over 2^32 bits, pictures under the race detector
	go test -timeout 40m ./...
	go test -timeout 20m -race -short $(DRAWING)

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
	    go test -run '^$$' -fuzz "^$$f$$" -fuzztime 20s -fuzzminimizetime 10x $$pkg || exit 1; \
	  done; \
	done
