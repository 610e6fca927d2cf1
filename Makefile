# Every check of the repository. `make install check` is all that CI does; each step is also a target of its own.
# The virtual environment is .venv unless you say otherwise: make check VENV=/somewhere/else

VENV    ?= .venv
PYTHON  ?= python3
WORKERS ?= 3

# Commands start faster when their bytecode is kept; the tests start some thousand.
unexport PYTHONDONTWRITEBYTECODE

BIN := $(VENV)/bin
# Where .ci/run wants to know what each part costs, it names a file for it.
TIMED = $(if $(STEELYARD_CI_COSTS),scripts/ci/timed $@ )
RUN := $(BIN)/python -m
CODE := $(wildcard src tests perf examples scripts)

.DEFAULT_GOAL := help
.PHONY: help install lock check static format format-check lint types layers test check-all quick core coverage docs wheel smoke \
        repository lowest beside sbom changelog bench simulate stale mutants mutate clean

help:  ## Show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 16

# uv takes a fifth of pip's time. Where it finds no index, since it reads no pip.conf, pip does it.
install:  ## Make the virtual environment from the lock file
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(RUN) pip install --quiet --require-hashes -r requirements/uv.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode --require-hashes -r requirements/dev.lock \
	    || $(RUN) pip install --quiet --require-hashes -r requirements/dev.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .

# Universal: one lock for every platform and every Python from 3.11 on. No index address is written, so a
# lock installs from whichever index the machine is set up for. Four locks: all that a developer needs, what
# installs it, what builds a release, and what a user needs with the extras cloud, html, json, llm and logs.
RESOLVE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(UPGRADE)
lock:  ## Resolve the dependencies again (UPGRADE=--upgrade for newer ones)
	$(RESOLVE) --all-extras --group dev pyproject.toml -o requirements/dev.lock
	$(RESOLVE) --constraint requirements/dev.lock --group install -o requirements/uv.lock
	$(RESOLVE) --constraint requirements/dev.lock --group release -o requirements/release.lock
	$(RESOLVE) --constraint requirements/dev.lock --extra cloud --extra html --extra json --extra llm --extra logs pyproject.toml \
	    -o requirements/user.lock

# Three sizes of tests, which tests/README.md describes: quick, check and check-all. Tests come last and by
# themselves: many of them start processes.
check check-all: static
	@$(MAKE) --no-print-directory test SIZE=$(if $(filter check-all,$@),all,check)
	@echo "all checks passed"

check:  ## What a change must pass: twelve minutes
check-all:  ## Everything, each night and before an issue is closed: an hour or more

static: format-check lint types layers docs smoke  ## Everything but the tests

format:  ## Rewrite the code in the project format
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

format-check:  ## Is the code in the project format?
	$(TIMED)$(BIN)/ruff format --check .

lint:  ## Ruff, with every rule that has no stated exception
	$(TIMED)$(BIN)/ruff check .

types:  ## mypy, strict
	$(TIMED)$(BIN)/mypy $(CODE)

layers:  ## Do imports point down, without cycles, and has every library one home?
	$(TIMED)$(BIN)/lint-imports --no-cache

# A run that hangs is interrupted, and names the tests it was in.
SIZE       ?= check
TEST_LIMIT ?= $(if $(filter all,$(SIZE)),160m,40m)
LIMITED := timeout --signal=INT --kill-after=60 $(TEST_LIMIT)

# A third worker for two cores: sandboxes wait a good part of their time. Of the tests that fail beside others, at
# most three run again, each alone; the log names them. Exit code 1 means that tests failed; a worker that died or
# a run that broke off has another code, and ends here.
TESTS := -n $(WORKERS) --dist loadfile --no-loadscope-reorder
AGAIN = test $$? -eq 1 && $(LIMITED) $(RUN) tests.repo.reruns $(COUNTED)

test: $(if $(filter all,$(SIZE)),core)  ## Tests and doctests of a SIZE
	$(LIMITED) $(BIN)/pytest $(COUNTED) --cache-clear --size $(SIZE) --durations 20 --durations-min 5 $(TESTS) \
	    $(if $(filter all,$(SIZE)),$(addprefix --ignore=,$(CORE))) || { $(AGAIN); }

CORE := src/steelyard/metrics tests/metrics
core:  ## The tests of the formulas, which cover every line and branch of them; part of check-all
	rm -f .coverage .coverage.*
	$(LIMITED) $(BIN)/pytest -q --cov --cov-report= --cov-fail-under 0 $(TESTS) $(CORE)
	$(BIN)/coverage report --fail-under=100 --include='src/steelyard/metrics/*'

# Counting lines in every process takes much longer, so a job does it each night.
coverage: COUNTED := --cov --cov-append --cov-report= --cov-fail-under 0
coverage: test  ## The same tests with coverage: 95 % overall, 100 % in model and metrics
	$(BIN)/coverage report
	$(BIN)/coverage report --fail-under=100 --include='src/steelyard/model/*,src/steelyard/metrics/*'

quick: lint types  ## Lint, types and the tests that need no tool and no time: 90 seconds
	$(LIMITED) $(BIN)/pytest -q --size quick $(TESTS) --ignore src/steelyard/runner/ray

docs:  ## Build the pages; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(TIMED)$(BIN)/mkdocs build --strict --quiet

# The environment is made anew: a version that is there already would satisfy a lower bound. It is compiled at
# once, as pip does: a warning of the compiler in a library would fail the first test that imports it.
LOWEST := .venv-lowest
lowest:  ## Do the tests without toolchains pass with the oldest dependencies that pyproject.toml allows?
	$(BIN)/uv venv --quiet --clear --python $(PYTHON) $(LOWEST)
	$(RUN) tests.repo.floors > $(LOWEST)/floors.txt
	$(BIN)/uv pip install --quiet --compile-bytecode --python $(LOWEST) --resolution lowest-direct --only-binary :all: \
	    --no-binary steelyard --constraint $(LOWEST)/floors.txt --group test --editable '.[all]'
	$(LIMITED) $(LOWEST)/bin/python -m pytest --size check -n $(WORKERS) --dist loadfile -q -m 'not (browser or slow or toolchain)'

wheel:  ## Build the wheel and the source archive into dist/
	rm -rf dist
	$(TIMED)$(RUN) build --no-isolation --outdir dist

repository:  ## Are workflows, templates, changelog and image files in order?
	$(BIN)/pytest -q --no-cov tests/ci tests/repo/test_changelog.py tests/repo/test_repository_files.py

sbom:  ## List everything that the wheel in dist/ installs, in sbom.cdx.json
	scripts/ci/sbom $(BIN) dist/*.whl sbom.cdx.json

smoke: wheel  ## Does the built wheel work in an empty environment?
	$(TIMED)scripts/ci/smoke $(PYTHON) dist/*.whl

changelog:  ## Show what the next version changes, from changelog.d/
	@$(BIN)/towncrier build --draft --version unreleased

beside:  ## Can Steelyard be installed beside other packages? Asks the package index, takes minutes
	$(BIN)/python scripts/resolve_beside.py

# Some hours, and some gigabytes in BENCH_DATA. Peers are measured where PEERS names a Python that has them.
BENCH_DATA ?= perf/data
bench:  ## Measure against bare engines, bare tools and peers; kill writers; load the sandbox
	$(RUN) perf.everything $(BENCH_DATA) $(if $(PEERS),--peers $(PEERS)) $(if $(PROMPTFOO),--promptfoo $(PROMPTFOO))

simulate:  ## Check the estimators' promises by simulation
	$(RUN) perf.simulations

stale:  ## List the figures whose measured packages changed since their commit
	$(RUN) scripts.stale_figures

mutants:  ## Plant 28 faults across the packages, one at a time; the tests nearest to them must find 26
	$(RUN) perf.planted_mutants

mutate:  ## Mutation testing of the formulas
	$(BIN)/mutmut run
	$(BIN)/mutmut results

clean:  ## Remove what the checks leave behind
	rm -rf dist site mutants .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache \
	    .import_linter_cache .hypothesis
