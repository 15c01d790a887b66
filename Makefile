# Each command does all its own set-up, in .venv; a second call does no work twice.

PYTHON ?= python3
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
STAMPS := .venv/stamps
# Workers, each with whole groups of tests (tests/conftest.py), the longest first.
PYTEST = $(BIN)/python -m pytest -q -n $1 --dist loadgroup --no-loadscope-reorder --durations 10
# Lanes run side by side: a browser mostly waits. What each has said comes whole, at its end.
LANES = $(MAKE) --no-print-directory --keep-going --jobs 3 \
  $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
# Beside the library: what the pages show, and the frame that shows it.
PACKAGES := book/gameai_book book/touchbook
NOTEBOOKS := $(wildcard book/*.ipynb)
SOURCES := $(shell find gameai_lib $(PACKAGES) -name '*.py' -o -name '*.js' -o -name '*.css' -o -path '*/data/*')
TESTS := $(shell find tests benchmarks -type f -not -path '*/__pycache__/*')
PAGES := $(shell find book -type f -not -path '*/.ipynb_checkpoints/*' -not -path '*/node_modules/*' \
  -not -path '*/__pycache__/*') _config.yml _toc.yml

# The same text on every machine, whatever its locale or hash seed. The notebooks are
# compared as they are without GAMEAI_DATA, which adds real records to some of them.
export PYTHONHASHSEED := 0
export PYTHONUTF8 := 1
# Bytecode is kept, whatever the shell says: hundreds of processes start here, and each would spend
# two seconds of three on compiling what it imports.
export PYTHONDONTWRITEBYTECODE :=
# Small matrices: threads of the linear algebra only wait for each other on a busy machine.
export OPENBLAS_NUM_THREADS := 1
# Compiled kernels outlive a checkout, and an edit in a room or a chapter is never overlooked.
export NUMBA_CACHE_DIR ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/gameai_lib
export NUMBA_CACHE_LOCATOR_CLASSES := $(subst $() ,,gameai_lib.base.kept.ByContent, \
  gameai_book.kept.ByContent,InTreeCacheLocator,UserWideCacheLocator,IPythonCacheLocator)
# A folder with Pyodide and numpy, from which the pages' Python is served; without one, pages
# ask Pyodide's public address, once their reader has pressed Run.
export PYODIDE ?=
# With NEWEST=1 `make install` takes the newest of what requirements.txt allows, not what is locked.
NEWEST ?=

.DEFAULT_GOAL := help
.PHONY: help install book pdf zip chapter lint scripts check test cover size serve lab outputs assignments \
  sheets slides scorm package editor font kernels lock future clean quick units pyodide pages notebooks FORCE

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' Makefile

install: $(STAMPS)/install ## set up the virtual environment .venv

$(STAMPS)/install: requirements.lock pyproject.toml $(PACKAGES:%=%/pyproject.toml)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "This book needs Python 3.11 or later, and $(PYTHON) is" \
	    "$$($(PYTHON) -V 2>&1). Try: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile \
	  $(if $(NEWEST),--upgrade -r requirements.txt,--no-deps -r requirements.lock)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation \
	  $(patsubst %,-e %,. $(PACKAGES))
	@mkdir -p $(STAMPS) && touch $@

book: $(STAMPS)/book ## build the whole book into _build/html

# Written where another folder is named than for the book that is there.
_build/pyodide: FORCE
	@mkdir -p _build
	@echo '$(PYODIDE)' | cmp -s - $@ || echo '$(PYODIDE)' > $@

# Two steps: the lanes of `test` need no page but the kernels that the notebooks compile.
$(STAMPS)/executed: $(STAMPS)/install $(SOURCES) $(PAGES) _build/pyodide
	@touch $(STAMPS)/begun
	$(BIN)/python -m book.tools.execute
	@touch -r $(STAMPS)/begun $@ # what changed meanwhile is newer than the book

$(STAMPS)/book: $(STAMPS)/executed
	rm -rf _build/html _build/.doctrees
	$(BIN)/jupyter-book build . -W -n --keep-going
	$(BIN)/python -m tests.support.built_pages
	@touch -r $(STAMPS)/begun $@
	@echo "The book is built: open _build/html/index.html, or type 'make serve'."

pdf: $(STAMPS)/book ## the whole book for paper: _build/game-ai-you-can-touch.pdf
	$(BIN)/python -m book.tools.paper

zip: $(STAMPS)/book ## the whole book to unpack and open: _build/game-ai-you-can-touch.zip
	$(BIN)/python -m book.tools.zipped

chapter: $(STAMPS)/install ## build one page and show it: make chapter NAME=btmm
	$(BIN)/python -m book.tools.one_page $(NAME)

lint: $(STAMPS)/install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --strict --follow-imports silent tests/base/typed_use.py
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/zizmor --offline --no-progress --quiet .github/workflows

# The scripts need no node to be part of the book: where there is none, or no network to fetch
# what checks them, this only says so; but in CI they are checked.
NEW_NODE := const [a, b] = process.versions.node.split("."); process.exit(a < 20 || (a == 20 && b < 19) ? 1 : 0)
scripts: $(STAMPS)/install ## lint, types and unit tests of the JavaScript, where there is node
	@if ! { node -e '$(NEW_NODE)' && npm --version; } >/dev/null 2>&1; then \
	  echo "The scripts are not checked: there is no node 20.19 or later here, or no npm."; \
	elif ! { [ -d tests/js/node_modules ] && [ $(STAMPS)/scripts -nt tests/js/package-lock.json ]; } && \
	  ! { npm --prefix tests/js ci --no-audit --no-fund && touch $(STAMPS)/scripts; }; then \
	  echo "The scripts are not checked: npm could not fetch what checks them."; test -z "$$CI"; \
	else \
	  $(BIN)/python -m tests.support.js_fixtures && \
	  cd tests/js && npm run --silent lint && npm run --silent types && npm run --silent test; \
	fi

check: $(STAMPS)/install ## lint, and the tests that take seconds: no browser, no notebook
	@$(LANES) lint scripts quick

test: $(STAMPS)/install ## from a clean build: lint, all tests, every notebook and its controls
	rm -rf _build $(STAMPS)/book $(STAMPS)/executed
	@$(LANES) FIRST=$(STAMPS)/executed lint scripts book pages pyodide units notebooks

# The lanes of the two, each of which can be run alone; in `test` they wait for the notebooks,
# which compile the kernels that they use. All but the unit tests wait for the book as well: the
# pages take longest, and must not find their turn taken.
quick: $(STAMPS)/install
	$(call PYTEST,2) -m "not browser and not slow"

units: $(STAMPS)/install $(FIRST)
	$(call PYTEST,2) -m "not browser"

pyodide: $(STAMPS)/install $(if $(FIRST),$(STAMPS)/book)
	$(call PYTEST,1) -m browser tests/browser/test_pyodide_units.py

pages: $(STAMPS)/book
	$(call PYTEST,2) -m browser tests/browser --ignore tests/browser/test_pyodide_units.py

notebooks: $(STAMPS)/install $(if $(FIRST),$(STAMPS)/book)
	$(BIN)/python -m tests.support.live_notebooks _build/live
	env -u GAMEAI_DATA $(BIN)/python -m pytest -q -n 1 --dist loadfile --nbval \
	  --nbval-current-env --nbval-cell-timeout=600 -W ignore \
	  --nbval-sanitize-with tests/book/nbval_sanitize.cfg $$(ls -S _build/live/*.ipynb)

cover: $(STAMPS)/install ## which lines of the packages the tests do not reach
	$(call PYTEST,2) --cov -m "not browser"

size: $(STAMPS)/install ## how much there is to read: lines, a row a room
	@$(BIN)/python -m benchmarks.size

serve: $(STAMPS)/book ## show the built book on http://127.0.0.1:8000
	$(BIN)/python -m webbrowser -t http://127.0.0.1:8000/ & \
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory _build/html 8000

lab: $(STAMPS)/install ## open the notebooks in JupyterLab
	JUPYTER_CONFIG_PATH=$(CURDIR)/book/tools/lab $(BIN)/jupyter lab book/index.ipynb

outputs: $(STAMPS)/install ## run the notebooks, or one (NAME=btmm), and store their text outputs
	$(BIN)/python -m book.tools.store_outputs $(if $(NAME),book/$(NAME).ipynb,$(NOTEBOOKS))

assignments: $(STAMPS)/install ## the workshops' exercises for otter-grader, in _build/assignments
	$(BIN)/python -m book.tools.assignments

sheets: $(STAMPS)/install ## six questions before and after each lesson, with keys; SEED=7 for others
	$(BIN)/python -m book.tools.sheets $(if $(SEED),--seed $(SEED))

slides: $(STAMPS)/book ## slides of the lessons, beside the built book (needs node and npm)
	npm --prefix book/tools/slides ci --no-audit --no-fund
	$(BIN)/python -m book.tools.slides

scorm: $(STAMPS)/book ## a package a chapter for a learning platform, in _build/scorm (SCORM 1.2)
	$(BIN)/python -m book.tools.scorm

package: $(STAMPS)/install ## build the packages into dist/, and try them in empty environments
	$(BIN)/pip install --quiet --disable-pip-version-check build==1.3.0 twine==6.2.0
	rm -rf dist build $(PACKAGES:%=%/build)
	for package in . $(PACKAGES); do $(BIN)/python -m build --outdir dist $$package || exit 1; done
	$(BIN)/twine check --strict dist/*
	DIST=$(CURDIR)/dist $(BIN)/python -m pytest -q -n 0 tests/release

editor: ## bundle the editor of the pages' cells anew (needs node and npm)
	cd book/tools/editor && npm ci --no-audit --no-fund && npx esbuild editor.mjs --bundle --minify \
	  --format=esm --target=es2022 --legal-comments=none --outfile=../../touchbook/cell/editor.js \
	  --banner:js="/* CodeMirror 6, codemirror.net, MIT licence; made by 'make editor' from $$(cat \
	  editor.mjs package-lock.json | sha256sum | cut -c 1-16) */"

font: $(STAMPS)/install ## take the signs of formulas out of FONT=.../latinmodern-math.otf (gust.org.pl)
	$(BIN)/pyftsubset $(FONT) --unicodes-file=book/tools/formulas/signs.txt --layout-features= --no-hinting \
	  --desubroutinize --flavor=woff --output-file=book/style/latin-modern-math.woff

kernels: $(STAMPS)/install ## compile what the pages' Python runs fast (fetches a linker of 100 MB)
	$(BIN)/pip install --quiet --disable-pip-version-check ziglang==0.17.1
	$(BIN)/python -m book.tools.kernels

lock: ## write requirements.lock anew from requirements.txt (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate \
	  requirements.txt -o requirements.lock

future: $(STAMPS)/book ## the same pages on the newest Sphinx, MyST-NB, theme and extensions (asks PyPI)
	$(BIN)/python -m book.tools.future
	SITE=$(CURDIR)/_build/future/html $(call PYTEST,2) -m browser tests/browser \
	  --ignore tests/browser/test_pyodide_units.py --ignore tests/browser/test_lab.py

clean: ## remove everything that was made
	rm -rf _build build $(PACKAGES:%=%/build) dist .venv tests/js/node_modules .pytest_cache .ruff_cache .mypy_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
