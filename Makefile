# `make bench` measures this machine, `make test` tests the project. Both make their own .venv.
# `make julia` gets Julia ready for them.
#   PYTHON=python3.13 make bench        another Python
#   make bench BENCH="recursion --n 100"   what `jitcost bench --help` lists
# `make history` measures releases of JAX, NumPy and Numba, or HISTORY="--commits 5" commits, and goes
# on where it was cut short. `make site` publishes the results that are kept in analysis/history.

PYTHON ?= python3
BENCH ?=
HISTORY ?=
VENV := .venv

VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null)
SUPPORTED := $(shell $(PYTHON) -c 'import sys; print(sys.version_info >= (3, 11))' 2>/dev/null)
INSTALLED := $(VENV)/installed-$(VERSION)

.PHONY: bench bench-full variants history site julia test coverage format clean python

bench: $(INSTALLED)-base
	@$(VENV)/bin/jitcost bench $(BENCH)

bench-full: $(INSTALLED)-base
	@$(VENV)/bin/jitcost bench --full $(BENCH)

# The experiments: what one changed setting is worth.
variants: $(INSTALLED)-base
	@$(VENV)/bin/jitcost bench --variants $(BENCH)

history: $(INSTALLED)-base
	@$(VENV)/bin/jitcost backfill $(HISTORY)

site: $(INSTALLED)-base
	@$(VENV)/bin/jitcost site

# Once: get Julia and PythonCall ready, for the juliacall of asv's environments: the two versions go
# together, and the benchmarks never download anything.
julia: $(INSTALLED)-julia
	@$(VENV)/bin/python -m pip install -qq --disable-pip-version-check \
	    juliacall==$$(sed -n 's/.*"juliacall": \["\(.*\)"\].*/\1/p' asv.conf.json)
	@$(VENV)/bin/python -m jitcost.backends.set_up_julia

test: $(INSTALLED)-dev
	@$(VENV)/bin/ruff check
	@$(VENV)/bin/ruff format --check
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports --no-logo
	@$(VENV)/bin/pytest -m 'not timing' --numprocesses 2 --dist loadfile $(PYTEST)
	@$(VENV)/bin/pytest -m timing $(PYTEST)

# Which lines the tests run, those in child processes included.
coverage: $(INSTALLED)-dev
	@$(VENV)/bin/coverage erase
	@$(VENV)/bin/coverage run -m pytest $(PYTEST)
	@$(VENV)/bin/coverage combine --quiet
	@$(VENV)/bin/coverage report

format: $(INSTALLED)-dev
	@$(VENV)/bin/ruff check --fix
	@$(VENV)/bin/ruff format

clean:
	rm -rf .asv $(VENV)

# All but the backends, which asv installs into environments of their own; or with an extra.
EXTRA = $(if $(filter base,$*),,[$*])

# The file's name carries the Python's version: another one makes the environment anew.
$(INSTALLED)-%: pyproject.toml | python
	@if [ ! -x $(VENV)/bin/python ] || [ ! -e $(VENV)/made-by-$(VERSION) ]; then \
	    echo "Making $(VENV) with Python $(VERSION)"; \
	    rm -rf $(VENV) && $(PYTHON) -m venv $(VENV) && touch $(VENV)/made-by-$(VERSION); \
	fi
	@echo "Installing jitcost$(EXTRA) and what it needs"
	@$(VENV)/bin/python -m pip install -qq --disable-pip-version-check --editable '.$(EXTRA)'
	@touch $@

python:
	@if [ -z "$(VERSION)" ]; then \
	    echo "jitcost: there is no $(PYTHON); name a Python with PYTHON=python3.x make ..." >&2; exit 2; \
	elif [ "$(SUPPORTED)" != True ]; then \
	    echo "jitcost: Python $(VERSION) is too old; name 3.11 or later with PYTHON=python3.x make ..." >&2; exit 2; \
	fi
