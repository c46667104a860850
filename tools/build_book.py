"""Build the book into _build/html; warnings are errors.

Jupyter Book alone leaves two kinds of stale pages behind. Its cache of executed notebooks is keyed
on the notebooks' own code, so it does not notice a change in lib/ or data/; and the page of a
deleted or renamed source stays. Hence two digests, kept from one build to the next:

- `code` covers what a notebook's outputs depend on besides the notebook. When it changes, the whole
  of _build goes, cache included: wiping is one line, needs no generated configuration, and leaves
  `jupyter-book build .` by hand on the same cache.
- `pages` covers the rest. When it changes, every page is written anew and the cache stays.

When neither has changed since the last good build, there is nothing to do.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
HTML = BUILD / "html"
DONE = BUILD / "inputs.json"
LOG = BUILD / "book.log"

CODE = ["lib", "data", "requirements.txt", "pyproject.toml"]
PAGES = ["book", "notebooks", "_config.yml", "_toc.yml", "tools/build_book.py"]
# Folders whose content is derived; data/oracle/target is what Rust's build leaves.
DERIVED = {"target", "__pycache__", ".ipynb_checkpoints", "bytewalk.egg-info"}
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# What says nothing about a failure: progress, settings, and the kernel's remark at every start
# that it is not encrypted (the notebooks talk to it on this machine only).
NOISE = re.compile(
    r"Kernel is running over TCP|^(reading sources|writing output|copying|myst v|myst-nb v)|^\s*$"
)


def digest(names):
    """Return the SHA-256 (hex) of the files under `names`, relative paths and bytes."""
    total = hashlib.sha256(sys.version.encode())
    for name in names:
        for folder, folders, files in os.walk(ROOT / name):
            folders[:] = sorted(set(folders) - DERIVED)
            for path in (Path(folder, file) for file in sorted(files)):
                add(total, path)
        if (ROOT / name).is_file():
            add(total, ROOT / name)
    return total.hexdigest()


def add(total, path):
    content = hashlib.sha256(path.read_bytes()).hexdigest()
    total.update(f"{path.relative_to(ROOT)}\0{content}\n".encode())


def say(text):
    print(f"==> {text}", flush=True)


def run_jupyter_book():
    """Run Jupyter Book, its whole output going to LOG; name each notebook it executes."""
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    command = [jupyter_book, "build", ".", "-W", "--keep-going"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with (
        LOG.open("w", encoding="utf-8") as log,
        subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        ) as process,
    ):
        for line in process.stdout:
            line = COLOUR.sub("", line)
            log.write(line)
            if ": Executing notebook using" in line:
                path = line.partition(": ")[0].removeprefix(f"{ROOT}{os.sep}")
                print(f"    running {path}", flush=True)
    return process.returncode


def show_failure():
    for line in LOG.read_text(encoding="utf-8").splitlines():
        if not NOISE.search(line):
            print(f"    {line}")
    for report in sorted(HTML.glob("reports/**/*.log")):
        print(f"--- {report.relative_to(ROOT)}\n{report.read_text(encoding='utf-8')}")
    say(f"The book was not built: see above what is wrong (also in {LOG.relative_to(ROOT)}).")


def main():
    started = time.monotonic()
    now = {"code": digest(CODE), "pages": digest(PAGES)}
    before = json.loads(DONE.read_text()) if DONE.exists() else {}
    where = (HTML / "index.html").relative_to(ROOT)
    open_it = f"Open {where} in a browser, or run `make serve`."
    if before == now and (ROOT / where).exists():
        say(f"Nothing has changed, the book is up to date. {open_it}")
        return 0

    if before.get("code") != now["code"]:
        if before:
            say("lib/, data/ or the requirements have changed: every notebook runs again")
        shutil.rmtree(BUILD, ignore_errors=True)
    for stale in (HTML, BUILD / ".doctrees"):
        shutil.rmtree(stale, ignore_errors=True)
    BUILD.mkdir(exist_ok=True)
    DONE.write_text(json.dumps({"code": now["code"]}))

    say(f"Building the book (warnings are errors; details in {LOG.relative_to(ROOT)})")
    if run_jupyter_book() != 0:
        show_failure()
        return 1
    DONE.write_text(json.dumps(now))
    say(f"The book is built, in {time.monotonic() - started:.0f} s. {open_it}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
