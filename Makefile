# Everything runs in .venv, which the first target that needs it creates. `make help` lists them.

VENV := .venv
RUN := $(VENV)/bin
# `make PYTHON=/path/to/python ...` overrides the search for a Python that is new enough.
PYTHONS := $(or $(PYTHON),python3 python3.11 python3.12 python3.13 python3.14)
BENCHMARKS := splitter abbreviations search tuning growth rocchio indexing memory startup commands moves matching training themes citations answers relations serve

# The real collections, where they lie beside this folder; set RELSENT_DATA to something else,
# or to nothing, to overrule.
ifeq ($(origin RELSENT_DATA),undefined)
BESIDE := $(shell cd ../shared/data 2>/dev/null && pwd)
ifneq ($(BESIDE),)
export RELSENT_DATA := $(BESIDE)
endif
endif

.DEFAULT_GOAL := help
.PHONY: help demo serve browser opensearch test slow lint check docs reproduce bench fuzz soak release jar clean
.NOTPARALLEL: # two installations at once would ruin .venv

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/.base ## build an index of a real collection (else of the sample) and measure it
	@$(RUN)/relsent-ir demo

serve: $(VENV)/.web ## open the reader's page on the demo's index, PORT=8000
	@index=$$(ls -d indexes/cystic-fibrosis indexes/sample 2>/dev/null | head -n 1); \
	if [ -z "$$index" ]; then \
	    $(RUN)/relsent-ir demo && index=$$(ls -d indexes/cystic-fibrosis indexes/sample 2>/dev/null | head -n 1); \
	fi; \
	exec $(RUN)/relsent-ir serve --index "$$index" --ranker ranker --port $(or $(PORT),8000) --open

browser: ## install Debian's Chromium, for the tests of the reader's page
	@bash tests/web/install-browser.sh

opensearch: ## bring OpenSearch for its tests into .opensearch/ (Maven, Java 17)
	@bash tests/opensearch/install.sh

test: $(VENV)/.dev ## run the tests
	@$(RUN)/python -m pytest $(PYTEST)

slow: $(VENV)/.dev ## run the tests that take half a minute each
	@$(RUN)/python -m pytest -m slow

lint: $(VENV)/.dev ## check style, types and layers
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .
	$(RUN)/mypy
	$(RUN)/lint-imports

check: lint test ## lint, then test

docs: $(VENV)/.docs ## build the site of manual, results and API into site/, every link checked
	@NO_MKDOCS_2_WARNING=1 $(RUN)/mkdocs build --strict
	@echo "site/index.html; its search needs a server: python3 -m http.server -d site"

reproduce: $(VENV)/.dev ## write a paper's tables beside ours, PAPER=smith-wilbur-2010 [FULL=1]
	@$(RUN)/python -m reproduce $(PAPER) $(if $(FULL),--full)

bench: $(VENV)/.bench ## time it against its peers
	@for name in $(BENCHMARKS); do $(RUN)/python -m benchmarks.$$name || exit 1; done

fuzz: $(VENV)/.dev ## damaged files through every reader, damaged models loaded, FUZZ_S=60 seconds
	@$(RUN)/python -m tests.fuzzing

soak: $(VENV)/.dev ## an hour of updates, searches and kills, SOAK_S=3600 seconds
	@$(RUN)/python -m benchmarks.soak

release: $(VENV)/.dev ## the wheel, hashes of what it needs and a bill of materials, in dist/
	@$(RUN)/python tools/release.py

jar: $(VENV)/.base ## rebuild the Java helper (needs javac 11 or newer)
	$(RUN)/python tools/helper_jar.py

clean: ## remove .venv, caches and build products; indexes, topics, qrels and runs stay
	rm -rf $(VENV) build dist site *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis \
	    .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Of Pyserini the jar alone is needed: what it depends on, torch among it, would be most of 6 GB. pip would
# call that an error, in ten lines, when something is installed beside it.
# A stamp says what was installed. Every installation contains the base, so it touches that too.
$(VENV)/.base: what := .
$(VENV)/.web: what := .[web]
$(VENV)/.dev: what := .[dev]
$(VENV)/.docs: what := .[docs]
$(VENV)/.bench: what := .[bench]
$(VENV)/.base $(VENV)/.web $(VENV)/.dev $(VENV)/.docs $(VENV)/.bench: pyproject.toml constraints.txt | $(RUN)/pip
	@echo "Installing into $(VENV) (a minute or two the first time)"
	@rm -rf relsent_ir.egg-info # pip leaves an old one as it is, and its entry points would be found first
	@$(RUN)/python -m pip install -qq --no-warn-conflicts -c constraints.txt -e '$(what)' || \
	    { echo "For the details: $(RUN)/pip install -c constraints.txt -e '$(what)'" >&2; exit 1; }
	@$(RUN)/python -m pip install -qq -c constraints.txt --no-deps pyserini || \
	    { echo "For the details: $(RUN)/pip install -c constraints.txt --no-deps pyserini" >&2; exit 1; }
	@touch $(VENV)/.base $@

# pip is the last thing that venv puts there, so an interrupted creation starts again.
$(RUN)/pip:
	@for python in $(PYTHONS); do \
	    if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	        exec $$python -m venv $(VENV); \
	    fi; \
	done; \
	echo "relsent-ir needs Python 3.11 or newer, and none of these is: $(PYTHONS)" >&2; \
	echo "Install one, or name it: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; \
	exit 1
