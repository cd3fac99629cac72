# Everything sets itself up: `make demo`, `make web` and `make test` work on a fresh machine with Python, pip and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# (Python compiles modules when they are first imported, which few of them ever are)
INSTALL := $(BIN)/pip install --quiet --no-compile
RAY := tests/boardgames_agents/experiments/test_ray.py
WEB := tests/boardgames_cli/web
# which of the slow tests are run: 2/5 is the second fifth
PART := 1/1

# the processes of the tests load what was compiled to bytecode before
unexport PYTHONDONTWRITEBYTECODE

.PHONY: install extras demo web test test-near test-slow test-oracles test-clients clients-table test-web test-web-games chromium gnubg nginx test-lowest test-newest test-ray test-rllib dist dist-check lint docs clean

install: $(INSTALLED)

# an environment, into which the package is installed with what a target needs
$(VENV)/bin/pip:
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --upgrade pip

# what contributors need
$(INSTALLED): pyproject.toml | $(VENV)/bin/pip
	$(INSTALL) --editable '.[dev]'
	touch $@

# what the demo and the page need, which is less
$(VENV)/.web-installed: pyproject.toml | $(VENV)/bin/pip
	$(INSTALL) --editable '.[web]'
	touch $@

# an extra of pyproject.toml, in the same environment
$(VENV)/.%-installed: $(INSTALLED)
	$(INSTALL) --editable '.[$*]'
	touch $@

# all of them that tests use, at once
EXTRAS := docs oracles clients ray web-test
extras: $(INSTALLED)
	$(INSTALL) --editable ".[$$(echo $(EXTRAS) | tr ' ' ',')]"
	touch $(EXTRAS:%=$(VENV)/.%-installed)

# trains a TD(λ) learner at tic-tac-toe by self-play, and tests it; a second call finds it trained
demo: $(VENV)/.web-installed
	$(BIN)/boardgames train tic_tac_toe td --trainer self --contests 30000 --test-every 2000 --run runs/demo
	$(BIN)/boardgames test runs/demo
	@echo "Its curves: $(BIN)/tensorboard --logdir runs/demo"

# the page, opened in the browser
PORT := 8000
web: $(VENV)/.web-installed
	$(BIN)/boardgames web --open --port $(PORT)

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/pytest -q -n 2

# what a change since the last commit can reach, by the imports
test-near: $(INSTALLED)
	$(BIN)/pytest -q -n 2 --near

# (those that need an extra have targets of their own)
test-slow: $(INSTALLED)
	$(BIN)/pytest -q -n 2 -m slow --part $(PART) --ignore tests/clients --ignore $(RAY) --ignore $(WEB)

# plays the games beside other programs' versions of them, and with GNU Backgammon, which is installed where it may be
test-oracles: $(VENV)/.oracles-installed gnubg
	$(BIN)/pytest -q -n 2 -m slow tests/differential/test_gnubg_program.py
	$(BIN)/pytest -q -n 2 -m slow tests/differential/test_mctx.py
	$(BIN)/pytest -q -n 2 tests/differential --ignore tests/differential/test_gnubg_program.py

# other libraries take our environments; those in environments of their own are found by AGILERL_PYTHON and
# RLLIB_PYTHON, and programs that no package brings in checkouts in the folder CLIENT_SOURCES
test-clients: $(VENV)/.clients-installed
	$(BIN)/pytest -q -n 2 -m 'slow or not slow' tests/clients tests/docs -k 'clients or plug or openspiel'

# the same, with PettingZoo's and Gymnasium's own tests, as a table: docs/clients.md
clients-table: $(VENV)/.clients-installed
	$(BIN)/python -m tests.clients

# the wheel: every room, with the lowest versions that pyproject.toml allows and with the newest, on the oldest and the
# newest Python
test-lowest test-newest: dist
	VENV=$(VENV) PYTHON=$(PYTHON) .ci/smoke $(@:test-%=%)

# what a release would publish, in dist/: it is tested in empty environments
dist-check: test-newest test-lowest

dist: $(VENV)-dist/.installed
	rm -rf dist
	$(VENV)-dist/bin/python -m build --no-isolation --outdir dist . > $(VENV)-dist/build.log || { cat $(VENV)-dist/build.log; exit 1; }
	$(VENV)-dist/bin/twine check --strict dist/*

$(VENV)-dist/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)-dist
	$(VENV)-dist/bin/pip install --quiet --no-compile build twine hatchling
	touch $@

# the page in the system's Chromium, also behind nginx; both are installed where they may be, and without them these
# tests are skipped. (The fast tests of the page are in `test`. Python 3.11 cannot read sources for tracebacks within
# Playwright's greenlets.)
test-web: $(VENV)/.web-test-installed chromium nginx
	$(BIN)/pytest -q -n 2 --tb native -m slow $(WEB) --ignore $(WEB)/test_every_game_on_the_page.py

chromium gnubg nginx:
	@PATH=$$PATH:/usr/games:/usr/sbin; command -v $@ > /dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get > /dev/null || \
	    { apt-get -qq update && apt-get -qq install --no-install-recommends $@ > /dev/null; } || \
	    echo "$@ cannot be installed here; tests with it are skipped."

# every game of the registry in the browser, by clicks and by keys: several minutes; CONTESTS=50 plays each so often
test-web-games: $(VENV)/.web-test-installed chromium
	$(BIN)/pytest -q --tb native -m slow $(WEB)/test_every_game_on_the_page.py

# sweeps on a cluster of several nodes, which are processes of this machine
test-ray: $(VENV)/.ray-installed
	$(BIN)/pytest -q -m slow $(RAY)

# RLlib, which asks for an older Gymnasium, is in an environment of its own
test-rllib: $(VENV)-rllib/.installed
	RLLIB_PYTHON=$(abspath $(VENV)-rllib/bin/python) $(BIN)/pytest -q -m slow tests/clients/test_rllib.py

$(VENV)-rllib/.installed: $(INSTALLED)
	$(PYTHON) -m venv $(VENV)-rllib
	$(VENV)-rllib/bin/pip install --quiet --no-compile --editable '.[rllib]'
	touch $@

# a page per game and the reference are written by docs/conf.py from the code
docs: $(VENV)/.docs-installed
	$(BIN)/sphinx-build -W -q -b html docs docs/_build

include networks/networks.mk

clean:
	rm -rf $(VENV) $(VENV)-lowest $(VENV)-newest $(VENV)-dist $(VENV)-rllib build dist docs/_build docs/games docs/agents.md docs/reference.md
