# `make help` lists the targets, by the groups below.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MODELS := layers/models/build
ENGINE := layers/engine/remembrancer
# The first installation shows what it is at.
PIP = $(BIN)/python -m pip install $(if $(wildcard $(VENV)/run),--quiet) --disable-pip-version-check --constraint constraints.txt
SAM_VENV := .venv-sam
SAM_CLI := aws-sam-cli==1.170.0
LITELLM_VENV := .venv-litellm
LITELLM := litellm[proxy]==1.106.2
IMAGE := .cache/image/image.json
FRAMEWORKS_VENV := .venv-frameworks
FRAMEWORKS := langchain==1.4.7 langgraph==1.2.22 openai-agents==0.24.0 mem0ai==2.2.1 pydantic-ai-slim==2.68.0 strands-agents==1.62.0
PEERS_VENV := .venv-peers
PEERS := $(patsubst benchmarks/peers/requirements/%.txt,$(PEERS_VENV)/%/done,$(wildcard benchmarks/peers/requirements/*.txt))
# Groups start in the order of collection, which is theirs in tests/conftest.py. What pytest compiles for its assertions is
# kept for the next run, which collects in half the time.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest --numprocesses 2 --dist loadgroup --no-loadscope-reorder --timeout 300
CACHED := $(patsubst %,tests/integration/engine/test_%.py,agent_cache map_segments identity_cache rate_limits idempotency redis_client store_errors)
TYPESCRIPT := clients/typescript
INSPECTOR := tests/inspector
BUF := .buf
GO_PACKAGES := golang-go protoc-gen-go golang-google-protobuf-dev
PYODIDE := .cache/pyodide
PYTHON313 ?= python3.13
ARCHITECTURE ?= arm64
# This machine's own, for containers; and the image that they are made from: local, official, or a name.
MACHINE = $(if $(filter x86_64,$(shell uname -m)),x86_64,arm64)
SAM_IMAGE ?= local
CONFIG ?= dev

.DEFAULT_GOAL := help
.PHONY: help run proxy test test-all attack check lint soak drill endurance bench bench-faults bench-outages bench-large bench-load fleet bench-search bench-peers plots build preflight deploy costs test-containers test-clients test-inspector screenshots test-api test-import test-cluster test-older test-build test-sam newcomer models hashes certificates proto dist clean

## Use it

help: ## this list
	@sed -nE -e 's/^## (.*)/\n\1/p' -e 's/^([a-z-]+):.*## (.*)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

run: $(VENV)/run models ## everything on this machine: servers, functions, a demonstration, then serve (ARGS=--once to end)
	@exec $(BIN)/remembrancer up $(ARGS)

proxy: $(VENV)/run $(LITELLM_VENV)/done ## memory in front of any OpenAI or Anthropic client, beside `make run`: prints its base URL (ARGS)
	@exec $(BIN)/remembrancer proxy $(ARGS)

clean: ## removes data, built models and environments
	rm -rf .local .aws-sam .cache dist $(MODELS) $(VENV) $(SAM_VENV) $(LITELLM_VENV) $(FRAMEWORKS_VENV) $(PEERS_VENV) $(BUF) $(TYPESCRIPT)/dist $(TYPESCRIPT)/node_modules $(INSPECTOR)/node_modules

## Test it

test: $(VENV)/dev models ## what every change may break, on real servers (ARGS for pytest)
	$(PYTEST) $(or $(ARGS),-m "not long")

# Whatever `make test` takes samples of, this runs in full.
test-all: export EXAMPLES ?= 100
test-all: $(VENV)/dev $(SAM_VENV)/done $(LITELLM_VENV)/done $(FRAMEWORKS_VENV)/done $(TYPESCRIPT)/dist/index.js $(IMAGE) models ## all tests: the real LiteLLM and frameworks, servers that die, our own tools, too
	$(PYTEST) $(ARGS)

check: lint ## linters, strict types, direction of imports, the SAM template, the RPC (needs npm)

lint: $(VENV)/dev $(SAM_VENV)/done $(BUF)/done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy layers/engine/remembrancer layers/models functions containers local scripts tests benchmarks clients/python
	$(BIN)/lint-imports --no-logo
	AWS_DEFAULT_REGION=us-east-1 SAM_CLI_TELEMETRY=0 $(SAM_VENV)/bin/sam validate --lint
	$(SAM_VENV)/bin/cfn-lint --regions us-east-1 eu-central-1 -- template.yaml stacks/*.yaml
	$(BUF)/node_modules/.bin/buf lint proto
	$(BUF)/node_modules/.bin/buf breaking proto --against proto/released.json

test-cluster: $(VENV)/dev models ## the tests of the cache, of forgetting and of faults with Redis in cluster mode (CACHE=cluster or cluster3)
	CACHE=$(or $(CACHE),cluster) $(PYTEST) tests/faults/test_matrix.py tests/faults/test_failover.py tests/faults/test_degradation.py tests/e2e/test_forgetting.py \
		$(if $(filter cluster3,$(CACHE)),--deselect tests/faults/test_failover.py,$(CACHED)) $(ARGS)

newcomer: ## a fresh clone, an agent and a first chat by the README alone, with the seconds of each
	@$(PYTHON) -m benchmarks.newcomer $(ARGS)

attack: $(VENV)/dev models ## organizations attack each other through every route (REQUESTS=10000)
	ATTACK_SEED=$${ATTACK_SEED:-$$(date +%s)} ATTACK_REQUESTS=$(or $(REQUESTS),10000) $(BIN)/python -m pytest -rP tests/isolation/test_attack.py tests/isolation/test_numbers.py $(ARGS)

soak: $(VENV)/dev models ## functions and servers die under load for two minutes (SOAK_SECONDS), then everything is counted; Redis fails over (FAILOVER_ROUNDS)
	SOAK_SECONDS=$${SOAK_SECONDS:-120} FAILOVER_ROUNDS=$${FAILOVER_ROUNDS:-20} $(BIN)/python -m pytest tests/faults/test_crashes.py tests/faults/test_failover.py $(ARGS)

drill: $(VENV)/run models ## a restore, rehearsed on this machine: dump, drop, restore, and compare what callers see
	@$(BIN)/python -m local.restore_drill

endurance: $(VENV)/dev models ## mixed load for an hour (ENDURANCE_SECONDS, ENDURANCE_PAUSE): nothing grows that should not; draws docs/images/endurance.svg
	ENDURANCE_SECONDS=$${ENDURANCE_SECONDS:-3600} $(BIN)/python -m pytest tests/faults/test_endurance.py $(ARGS)

test-containers: $(VENV)/dev $(IMAGE) models ## the image's files, assembled by the Dockerfile's steps, and the services of compose.yaml as processes
	$(BIN)/python -m pytest tests/containers --durations 5 $(ARGS)

test-clients: $(VENV)/dev $(BUF)/done models dist ## what `make dist` built and what proto/ generates, as users get them; as root it installs Go
	@command -v protoc-gen-go >/dev/null || { apt-get update -qq && apt-get install -qq --no-install-recommends $(GO_PACKAGES); }
	CLIENTS=1 $(BIN)/python -m pytest tests/e2e/test_generated_clients.py tests/e2e/test_distributions.py --durations 5 $(ARGS)

test-inspector: $(VENV)/dev $(INSPECTOR)/node_modules/.package-lock.json models ## the inspector in a headless Chromium; as root it installs Chromium
	@command -v chromium >/dev/null || { apt-get update -qq && apt-get install -qq --no-install-recommends chromium; }
	CHROMIUM=$$(command -v chromium) $(BIN)/python -m pytest tests/inspector --durations 5 $(ARGS)

test-api: $(VENV)/dev models ## many requests made of the OpenAPI document, answered as it says (API_EXAMPLES=200)
	API_EXAMPLES=$(or $(API_EXAMPLES),200) $(BIN)/python -m pytest tests/e2e/test_openapi.py $(ARGS)

test-import: $(VENV)/dev models ## an import of 10,000 memories (IMPORT_LINES), killed, interrupted, resumed and repeated
	IMPORT_LINES=$${IMPORT_LINES:-10000} $(BIN)/python -m pytest tests/e2e/test_import.py -k killed --durations 1 \
		-o junit_family=xunit1 --junitxml .cache/import.xml $(ARGS)

test-older: $(VENV)/dev models ## the code of an earlier revision on the schema of this one (REVISION=, else the newest with fewer migrations)
	OLDER_CODE=$(REVISION) $(BIN)/python -m pytest -rP tests/older_code $(ARGS)

test-build: $(VENV)/dev ## builds for both processors and tests what would be uploaded
	@$(MAKE) --no-print-directory build ARCHITECTURE=arm64 ARGS="--build-dir .aws-sam/arm64"
	@$(MAKE) --no-print-directory build ARCHITECTURE=x86_64 ARGS="--build-dir .aws-sam/x86_64"
	BUILT=.aws-sam $(BIN)/python -m pytest tests/build $(ARGS)

test-sam: $(VENV)/dev ## `sam local invoke` of every function in containers; as root it installs what is missing
	@$(MAKE) --no-print-directory build ARCHITECTURE=$(MACHINE) ARGS="--build-dir .aws-sam/$(MACHINE)"
	SAM_IMAGE=$(SAM_IMAGE) $(BIN)/python -m pytest tests/build/test_sam_local.py $(ARGS)

## Measure it

bench: $(VENV)/dev models ## assembly through the front door by agent, tier and callers, and its stages; writes benchmarks/results
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.stages
	$(BIN)/python -m benchmarks.assembly $(ARGS)
	$(BIN)/python -m benchmarks.plots

bench-faults: $(VENV)/dev models ## assembly with each source broken in each way, 500 calls each; ten minutes
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.faults $(ARGS)
	$(BIN)/python -m benchmarks.plots

bench-outages: $(VENV)/dev models ## what callers see, lose and wait for while SQS, KMS, Postgres, clocks and others fail (ARGS="--only NAME"); an hour
	$(BIN)/python -m benchmarks.outages $(ARGS)

bench-large: $(VENV)/dev models ## searches in a million memories, beside writes and autovacuum; loads for most of an hour (ARGS="--keep DIR")
	$(BIN)/python -m benchmarks.large $(ARGS)

bench-load: $(VENV)/dev models ## assembly under load to the knee and beyond, with and without admission, then fleets; five minutes (ARGS)
	$(BIN)/python -m benchmarks.load $(ARGS)
	@$(MAKE) --no-print-directory fleet

fleet: $(VENV)/dev ## what 1,000, 10,000 and 100,000 requests a second need and cost, simulated from measurements
	$(BIN)/python -m benchmarks.fleet
	$(BIN)/python -m benchmarks.plots

bench-search: $(VENV)/dev ## search in Postgres by strategy and size of the agent; writes benchmarks/results
	$(BIN)/python -m benchmarks.search $(ARGS)

bench-peers: $(VENV)/dev models $(PEERS) ## beside mem0, LangGraph, LlamaIndex and others on the same Postgres (ARGS=--quick)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.peers $(ARGS)

plots: $(VENV)/dev ## the pictures of docs/, from benchmarks/results
	$(BIN)/python -m benchmarks.plots

## Deploy it

preflight: $(VENV)/run ## what an account and a region would refuse of CONFIG=dev, staging or prod; makes nothing
	@$(BIN)/python -m scripts.preflight $(CONFIG)

deploy: preflight build ## network, data, service and load balancer of CONFIG=dev, in order (YES=1 asks nothing, DATA=name, IGNORE_ALARMS=1)
	@SAM_CLI_TELEMETRY=0 $(BIN)/python -m scripts.deploy $(CONFIG) --data "$(DATA)" $(if $(YES),--yes) $(if $(IGNORE_ALARMS),--ignore-alarms)

build: $(SAM_VENV)/done $(PYODIDE)/done models ## what `sam deploy` uploads (ARCHITECTURE=arm64 or x86_64)
	ARCHITECTURE=$(ARCHITECTURE) PYTHON=$(CURDIR)/$(BIN)/python PYTHON313=$(PYTHON313) \
		PYODIDE="$(wildcard $(CURDIR)/$(PYODIDE)/node_modules/pyodide)" AWS_DEFAULT_REGION=us-east-1 SAM_CLI_TELEMETRY=0 \
		$(SAM_VENV)/bin/sam build --parameter-overrides Architecture=$(ARCHITECTURE) $(ARGS)

costs: $(VENV)/run ## what each configuration costs a month without a request, and a million assemblies; writes docs/capacity.md
	@$(BIN)/python -m scripts.idle_cost --write
	@$(BIN)/python -m scripts.request_cost

## Make its parts anew

models: $(VENV)/run ## the embedding model, tokenizer, vocabularies and catalogue; built once
	@$(BIN)/python layers/models/build.py

proto: $(VENV)/dev ## the RPC's messages for Python, from proto/
	@mkdir -p .cache/proto
	$(BIN)/python -m grpc_tools.protoc --proto_path=proto --python_out=.cache/proto remembrancer/context/v1/context.proto
	cp .cache/proto/remembrancer/context/v1/context_pb2.py $(ENGINE)/adapters/context_pb2.py

dist: $(VENV)/dev $(TYPESCRIPT)/dist/index.js ## the distributions of the clients, into dist/
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist clients/python
	cd $(TYPESCRIPT) && npm pack --pack-destination $(CURDIR)/dist

screenshots: $(INSPECTOR)/node_modules/.package-lock.json ## the pictures of docs/inspector.md, beside `make run` (needs chromium and pngquant)
	set -a && . ./.local/dev.env && CHROMIUM=$$(command -v chromium) SCREENSHOTS=$(CURDIR)/docs/images node $(INSPECTOR)/screenshots.mjs
	pngquant --force --ext .png --speed 1 --strip 128 docs/images/inspector-*.png

hashes: $(VENV)/run ## the hashes of what the layers install, after a version changed in their requirements
	$(BIN)/python layers/lock.py

certificates: $(VENV)/dev ## the authorities of Amazon's databases, fetched anew (needs npm)
	$(BIN)/python layers/engine/certificates/build.py

$(VENV)/run: pyproject.toml constraints.txt
	@echo "Installing into $(VENV): a minute, once"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; say which: make PYTHON=python3.12")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) --editable '.[local]'
	@touch $@

$(VENV)/dev: $(VENV)/run
	@echo "Installing what tests and linters need"
	@$(PIP) --editable '.[local,dev]'
	@touch $@

# The SAM command line pins other versions of what we use, so it lives by itself.
$(SAM_VENV)/done:
	@echo "Installing $(SAM_CLI) into $(SAM_VENV)"
	@test -x $(SAM_VENV)/bin/python || $(PYTHON) -m venv $(SAM_VENV)
	@$(SAM_VENV)/bin/python -m pip install --quiet --disable-pip-version-check $(SAM_CLI)
	@touch $@

# The LiteLLM proxy has its own environment too; tests run it with our hook.
$(LITELLM_VENV)/done:
	@echo "Installing $(LITELLM) into $(LITELLM_VENV): some minutes, once"
	@test -x $(LITELLM_VENV)/bin/python || $(PYTHON) -m venv $(LITELLM_VENV)
	@$(LITELLM_VENV)/bin/python -m pip install --disable-pip-version-check "$(LITELLM)"
	@touch $@

# Needs Python 3.13, as the image has it (PYTHON313 names one). Without it, the tests that need the image are skipped.
$(IMAGE): Dockerfile .dockerignore layers/engine/requirements.txt layers/mcp/requirements.txt containers/requirements.txt $(wildcard containers/*.py functions/*/app.py) $(shell find $(ENGINE) clients/python/src -name '*.py' -o -name '*.sql') | $(VENV)/dev models
	@echo "Assembling the container's files in $(@D): some minutes"
	@PYTHON313=$(PYTHON313) $(BIN)/python -m tests.containers.image

# The agent frameworks have their own environment too. Only wheels are installed: other packages would be compiled. A later
# Makefile may name further ones.
$(FRAMEWORKS_VENV)/done: Makefile
	@echo "Installing $(FRAMEWORKS) into $(FRAMEWORKS_VENV)"
	@test -x $(FRAMEWORKS_VENV)/bin/python || $(PYTHON) -m venv $(FRAMEWORKS_VENV)
	@$(FRAMEWORKS_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --only-binary :all: $(FRAMEWORKS)
	@touch $@

# Each compared library has an environment of its own: their versions of the same packages differ.
$(PEERS_VENV)/%/done: benchmarks/peers/requirements/%.txt
	@echo "Installing $* into $(@D)"
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --requirement $<
	@touch $@

# The types are generated from the OpenAPI document.
$(TYPESCRIPT)/dist/index.js: $(VENV)/dev $(filter-out $(TYPESCRIPT)/src/api.ts,$(wildcard $(TYPESCRIPT)/src/*.ts)) $(TYPESCRIPT)/package-lock.json $(wildcard $(ENGINE)/runtime/openapi/*.py $(ENGINE)/runtime/endpoints/*.py $(ENGINE)/domain/*/*.py)
	@echo "Building $(TYPESCRIPT)"
	@$(BIN)/python -c "import json; from remembrancer.runtime.openapi import document; print(json.dumps(document()))" > $(TYPESCRIPT)/openapi.json
	@cd $(TYPESCRIPT) && npm ci --silent && npm run --silent types && npm run --silent build && touch dist/index.js

# Python 3.13 built for WebAssembly writes the layer's bytecode where there is no other, and npm to fetch it: exactly what
# the lock file's hashes say. Not by --prefix: where that folder is a symbolic link, npm misses it in the lock file.
$(PYODIDE)/done: layers/engine/bytecode/package-lock.json
	@if ! $(PYTHON313) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 13))' 2>/dev/null && command -v npm >/dev/null; then \
		echo "Installing pyodide into $(PYODIDE)"; \
		mkdir -p $(PYODIDE); \
		cp layers/engine/bytecode/package.json layers/engine/bytecode/package-lock.json $(PYODIDE); \
		(cd $(PYODIDE) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) \
			&& touch $@; \
	fi

# Only drives a browser that is there; the package downloads none.
$(INSPECTOR)/node_modules/.package-lock.json: $(INSPECTOR)/package-lock.json
	@cd $(INSPECTOR) && npm ci --silent --ignore-scripts && touch node_modules/.package-lock.json

# The npm package ships the binary for this machine; which packages, the lock file's hashes say.
$(BUF)/done: proto/package-lock.json
	@echo "Installing buf into $(BUF)"
	@mkdir -p $(BUF) && cp proto/package.json proto/package-lock.json $(BUF)
	@cd $(BUF) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@
