# Every check of the house. `make install check` is all that CI does; each step is also a target of its own.
# The virtual environment is .venv unless you say otherwise: make check VENV=/somewhere/else

VENV    ?= .venv
PYTHON  ?= python3
WORKERS ?= 2

BIN := $(VENV)/bin
RUN := $(BIN)/python -m
CODE := $(wildcard src tests benchmarks simulations examples scripts)

.DEFAULT_GOAL := help
.PHONY: help install lock check format format-check lint types layers test coverage-core docs wheel smoke \
        tree bench simulate mutate clean

help:  ## Show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 16

install:  ## Make the virtual environment from the lock file
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(RUN) pip install --quiet --require-hashes -r requirements-dev.lock
	$(RUN) pip install --quiet --no-deps --no-build-isolation -e .

# Universal: one lock for every platform and every Python from 3.11 on. No index address is written, so the
# lock installs from whichever index the machine is set up for.
lock:  ## Resolve the dependencies again (UPGRADE=--upgrade for newer ones)
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	    --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(UPGRADE) \
	    --group dev pyproject.toml -o requirements-dev.lock

check: format-check lint types layers test docs smoke  ## Everything a change must pass
	@echo "all checks passed"

format:  ## Rewrite the code in the house format
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

format-check:  ## Is the code in the house format?
	$(BIN)/ruff format --check .

lint:  ## Ruff, with every rule that has no stated exception
	$(BIN)/ruff check .

types:  ## mypy, strict
	$(BIN)/mypy $(CODE)

layers:  ## Do imports point down, without cycles, and has every library one home?
	$(BIN)/lint-imports --no-cache

test:  ## Tests and doctests; coverage of 95 % overall, 100 % in model and metrics
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --cov --cov-report=term
	@$(MAKE) --no-print-directory coverage-core

coverage-core:
	$(BIN)/coverage report --fail-under=100 --include='src/steelyard/model/*,src/steelyard/metrics/*'

docs:  ## Build the pages; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

wheel:  ## Build the wheel and the source archive into dist/
	rm -rf dist
	$(RUN) build --no-isolation --outdir dist

smoke: wheel  ## Does the built wheel work in an empty environment?
	.ci/smoke $(PYTHON) dist/*.whl

tree:  ## Write the package's tree into ARCHITECTURE.md again
	$(RUN) tests.house.tree

# An hour or more, and some gigabytes in BENCH_DATA. Peers are measured where PEERS names a Python that has them.
BENCH_DATA ?= benchmarks/data
bench:  ## Measure against bare engines, bare tools and peers; kill writers; load the sandbox
	$(BIN)/python benchmarks/score_files.py
	$(BIN)/python benchmarks/compare_reports.py
	$(BIN)/python benchmarks/sandbox.py
	$(BIN)/python benchmarks/sandbox_load.py
	$(BIN)/python benchmarks/kill_writer.py
	$(BIN)/python -m benchmarks.kill_runner
	$(BIN)/python benchmarks/exit_codes.py
	$(BIN)/python -m benchmarks.draws
	$(BIN)/python -m benchmarks.run_store $(BENCH_DATA)/runs --keep $(if $(PEERS),--peers $(PEERS))
	$(BIN)/python -m benchmarks.open_run $(BENCH_DATA)/pages --keep
	$(BIN)/python -m benchmarks.runner_scale $(BENCH_DATA)/runner --keep
	$(BIN)/python -m benchmarks.runner_overhead
	$(BIN)/python -m benchmarks.scale_tables
	$(BIN)/python benchmarks/checks.py

simulate:  ## Check the estimators' promises by simulation
	$(RUN) simulations

mutate:  ## Mutation testing of the formulas
	$(BIN)/mutmut run
	$(BIN)/mutmut results

clean:  ## Remove what the checks leave behind
	rm -rf dist site mutants .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache \
	    .import_linter_cache .hypothesis
