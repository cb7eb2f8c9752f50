.DEFAULT_GOAL := help
PYTHON ?= python3
export PIP_DISABLE_PIP_VERSION_CHECK := 1
BIN := .venv/bin
MINUTES ?= 20
ENGINE ?= tantivy
COMPILE := $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

help:  ## Show what there is to do
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */	/' | expand -t 13

setup: .venv/.ready  ## Make .venv with exactly the locked packages, those of the tests included

.venv/.ready: .venv/.runtime requirements-dev.lock
	$(BIN)/uv pip sync -q --require-hashes --compile-bytecode requirements-dev.lock \
	  || $(BIN)/python -m pip install -q --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	touch $@

# What the service needs, and the two packages that install it, whose lines are in the larger lock file.
.venv/.runtime: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	awk '/^(uv|setuptools)==/,!/\\$$/' requirements-dev.lock > .venv/installers.txt
	$(BIN)/python -m pip install -q --no-deps --require-hashes -r .venv/installers.txt
	$(BIN)/uv pip install -q --require-hashes --compile-bytecode -r requirements.lock \
	  || $(BIN)/python -m pip install -q --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	$(BIN)/python -m compileall -q app indexer mcp_server workers
	touch $@

run: .venv/.runtime  ## Start the embedded service with a sample archive on http://127.0.0.1:8000
	$(BIN)/trawl serve --demo

test: setup packages  ## Run all tests (starts its own OpenSearch and Redis)
	$(BIN)/python -m tests.run

test-deploy: setup packages  ## Run the slow tests with a real Keycloak, which Maven fetches
	$(BIN)/python -m pytest -n 0 -ra --durations=10 tests/deploy

check: lint  ## Run what every commit must pass, in under three minutes: lint, unit tests, the contract on tantivy
	TRAWL_TEST_ENGINES=tantivy $(BIN)/python -m pytest -n 2 --dist loadgroup tests/unit tests/snapshots tests/contract

packages: setup
	$(BIN)/python -m deploy.local install-packages

lint: setup  ## Check style, types and who imports whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.page.types

format: setup  ## Put the code into its usual form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

soak: setup packages  ## Break everything by chance under load: make soak MINUTES=20 ENGINE=opensearch SEED=7
	$(BIN)/python -m tests.faults.soak --minutes $(MINUTES) --engine $(ENGINE) $(if $(SEED),--seed $(SEED))

bench: setup packages  ## Measure against the raw engines; prints ratios
	$(BIN)/python -m tests.bench

bench-scale: setup packages  ## Measure an index of a million small documents; N=100000 for fewer
	$(BIN)/python -m tests.bench.growth --documents $(or $(N),1000000)

docs: setup  ## Write docs/tools.md, docs/settings.md and docs/seeds.md anew
	$(BIN)/python -m tests.reference

snapshots: setup  ## Record anew what users see: lists, OpenAPI, failures, metrics, help
	$(BIN)/python -m tests.snapshots.record

lock: setup  ## Resolve the dependencies anew
	$(COMPILE) pyproject.toml -o requirements.lock
	$(COMPILE) --group dev pyproject.toml -o requirements-dev.lock

clean:  ## Remove what set-up and tests made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build *.egg-info

.PHONY: help setup run test test-deploy check packages lint format soak bench bench-scale docs snapshots lock clean
