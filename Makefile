# `make help` lists the targets. Everything happens in .venv and _build, both safe to delete; only
# `make lab` also writes where your Jupyter keeps what it trusts.

PYTHON ?= python3
PORT   ?= 8000

PY    := .venv/bin/python
STAMP := .venv/.installed

.PHONY: help book test lint lab serve execute oracle clean
.DEFAULT_GOAL := help

help:
	@echo "make book      set everything up and build the book (warnings are errors)"
	@echo "make test      run every check: style, library, notebooks, book, pages in a browser"
	@echo "make lab       open the notebooks in JupyterLab"
	@echo "make serve     show the built book at http://127.0.0.1:$(PORT)/ (PORT=... for another port)"
	@echo "make execute   for authors: run all notebooks and store their outputs in place"
	@echo "make oracle    build the Rust program that runs the real crates, and rewrite data/golden"
	@echo "make measure   measure the real crates and rewrite data/measured (needs cargo and valgrind)"
	@echo "make bench     time the library against hand-written code and other libraries"
	@echo "make clean     delete what was built; .venv stays"
	@echo "PYTHON=python3.13 chooses the Python of a new .venv (3.11 or newer); delete .venv to change it."

book: $(STAMP)
	@$(PY) tools/build_book.py

# The build comes before the browser test. One pytest run, so one closing line.
test: lint book
	@echo "==> Running the tests and comparing the notebooks with their stored outputs"
	@$(PY) -m pytest --nbval --nbval-current-env --nbval-sanitize-with tests/nbval.cfg tests notebooks

lint: $(STAMP)
	@echo "==> Checking the style"
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .

# Trusted, the stored outputs come alive without a run; otherwise Lab drops their scripts and plots.
lab: $(STAMP)
	@echo "==> Marking the chapters as trusted in your Jupyter, and opening JupyterLab"
	@$(PY) -m nbformat.sign notebooks/*.ipynb >/dev/null
	@$(PY) -m jupyterlab $(ARGS)

serve: book
	@echo "==> Serving the book at http://127.0.0.1:$(PORT)/ (stop with Ctrl-C)"
	@$(PY) -m http.server $(PORT) --bind 127.0.0.1 --directory _build/html

execute: $(STAMP)
	@$(PY) tools/execute_notebooks.py

oracle:
	@command -v cargo >/dev/null || { echo "The oracle needs Rust's cargo, which is not installed." >&2; exit 1; }
	@echo "==> Building the oracle (some minutes the first time)"
	@cd data/oracle && cargo build --release --locked
	@echo "==> Writing what the crates write and refuse into data/golden"
	@data/oracle/target/release/oracle vectors data/golden

clean:
	rm -rf _build .pytest_cache .ruff_cache .hypothesis
	find lib tests tools -name __pycache__ -prune -exec rm -rf {} +

# The stamp holds the folder's path: a moved or copied tree needs its editable install made anew.
ifneq ($(shell cat $(STAMP) 2>/dev/null),$(CURDIR))
.PHONY: $(STAMP)
endif

$(STAMP): requirements.txt pyproject.toml
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Bytewalk needs a Python 3.11 or newer that runs, and \"$(PYTHON)\" is none:" \
	       "name another one, as in \"make PYTHON=/path/to/python3.12 book\"." >&2; exit 1; }
	@echo "==> Making the Python environment .venv ($$("$(PYTHON)" --version))"
	@"$(PYTHON)" -m venv .venv
	@echo "==> Installing the pinned requirements into it (about a minute and 700 MB the first time)"
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@printf '%s' '$(CURDIR)' > $(STAMP)

# Ratios on this machine, now: no check, so `make test` leaves it out.
.PHONY: bench
bench: $(STAMP) _build/bench/.installed
	@PYTHONPATH=_build/bench $(PY) tools/bench.py $(ARGS)

_build/bench/.installed: tools/requirements-bench.txt
	@echo "==> Installing the libraries to compare with into _build/bench"
	@rm -rf _build/bench
	@$(PY) -m pip install --quiet --disable-pip-version-check --target _build/bench -r $<
	@touch $@

.PHONY: measure
measure:
	@$(PYTHON) data/oracle/measure/run.py $(ARGS)
