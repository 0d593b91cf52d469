# The same verbs for people and for continuous integration.  Every verb sets up what it needs in
# .venv and is quick when nothing changed; `make` alone lists the verbs.
SHELL := /bin/sh
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
export PIP_NO_INPUT := 1
# Tests start many short processes: what was compiled for the first serves the others.
export PYTHONDONTWRITEBYTECODE :=

BIN := .venv/bin
PY := $(BIN)/python
JOBS ?= 2
FAST := not full and not long and not browser and not postgres
# One process takes a whole file, so that what a file sets up is set up once.
TESTS := $(PY) -m pytest -n $(JOBS) --dist loadfile

.PHONY: help demo test fast proofs check cover docs pages build bench ci-setup clean env-run env-dev

help: ## List the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

demo: env-run ## Audit the bundled study, operations and states; write demo-report/*.html
	$(BIN)/finassay demo --out demo-report

# Browsers leave an event loop behind in their process, so the slow proofs run apart.
test: env-dev ## All checks, the documentation and every test tier, with the coverage gate
	@$(MAKE) -j $(JOBS) --output-sync=target check docs
	$(TESTS) -m "not full and not long and not hypothesis" -p worker_coverage --coverage-least 90
	$(TESTS) -m "(full or hypothesis) and not long"

fast: env-dev ## The tests that need no server, no browser and little time
	$(TESTS) -m "$(FAST)"

proofs: env-dev ## The longest proofs, before a release: whole sites, a thousand labels, a thousand drawn examples a test
	$(TESTS) -m long
	$(TESTS) -m "hypothesis and not long" --hypothesis-profile=thorough

check: env-dev ## Lint, formatting, types and the one-way import rule
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

cover: env-dev ## Every test tier, with the lines and branches not covered in htmlcov/
	$(TESTS) --cov --cov-report=term-missing --cov-report=html

docs: env-dev ## Build docs/_build/html; warnings are errors
	$(PY) scripts/cli_docs.py --check
	$(PY) scripts/schema_docs.py --check
	$(PY) scripts/judge_prompts.py --check
	$(PY) scripts/error_list.py --check
	$(PY) -m sphinx -q -W --keep-going -j $(JOBS) -b html docs docs/_build/html

pages: env-dev ## Rewrite the reference pages that follow from the commands and the schemas
	$(PY) scripts/cli_docs.py
	$(PY) scripts/schema_docs.py
	$(PY) scripts/judge_prompts.py
	$(PY) scripts/error_list.py --write
	$(PY) scripts/notebook.py
	$(PY) scripts/adversarial_table.py

build: env-dev ## Build the wheel into dist/
	rm -rf dist
	$(PY) -m pip wheel --quiet --no-deps --wheel-dir dist .

bench: env-dev ## Measure every speed that the documentation claims, beside its peer
	$(PY) benchmarks/book.py

ci-setup: ## Install Chromium, fonts and PostgreSQL server programs where missing (root, apt-get)
	sh scripts/ci_setup.sh

clean: ## Remove everything that can be made again, .venv included
	rm -rf .venv dist build htmlcov docs/_build demo-report demo-study demo-study-* .coverage .coverage.* \
	  .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

env-run:
	@sh scripts/environment.sh run

env-dev:
	@sh scripts/environment.sh dev
