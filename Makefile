# The targets of the lab; `make` alone lists them.

.DEFAULT_GOAL := help
TOOL := go tool -modfile=.ci/tools/go.mod

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Packages whose tests draw or simulate: the race detector slows those tenfold, and of what they share
# between goroutines two tests are enough. All of them run under it in test-long.
PLAIN := ./cmd/... ./harness ./reports

.PHONY: test
test: lint ## all tests but the slow ones, with the race detector (under 3 minutes)
	go test -race -short $$(go list ./... | grep -vE '/(cmd/.*|harness|reports)$$')
	go test -race -short -run 'AllCores|Interrupted' ./cmd/lab/command ./harness
	go test -short $(PLAIN)

.PHONY: test-long
test-long: test-peers ## the slow tests: full simulations, filters over 2^32 bits, everything under the race detector
	go test -timeout 40m ./...
	go test -timeout 30m -race -short $(PLAIN)

.PHONY: test-peers
test-peers: ## the filters of other packages, which are a module of their own
	go -C cmd/labpeers vet ./...
	staticcheck=$$($(TOOL) -n staticcheck) && cd cmd/labpeers && $$staticcheck ./...
	go -C cmd/labpeers test -short ./...

.PHONY: lint
lint: ## gofmt, go vet, staticcheck
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not gofmt-ed: $$unformatted"; exit 1; fi
	go vet ./...
	$(TOOL) staticcheck ./...

.PHONY: bench-all
bench-all: ## every default variant on every workload: tables and pictures in out/bench-all (under 10 minutes)
	go run ./cmd/lab bench-all

.PHONY: bench-peers
bench-peers: ## our own filters side by side with the packages they must beat: out/bench-peers (under 10 minutes)
	go -C cmd/labpeers run . bench-peers --out ../../out/bench-peers

.PHONY: fuzz
fuzz: ## each fuzz target for 20 seconds
	@for pkg in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    go test -run '^$$' -fuzz "^$$f$$" -fuzztime 20s -fuzzminimizetime 10x $$pkg || exit 1; \
	  done; \
	done
