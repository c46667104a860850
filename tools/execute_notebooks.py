"""Run notebooks and store their outputs in place, the same bytes in every run.

    python tools/execute_notebooks.py [notebook ...]      # default: all of notebooks/

A notebook that raises is left as it was, and the exit code is 1.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).resolve().parent.parent


def execute(path):
    """Run the notebook at `path` in its own folder and write it back.

    What differs from run to run or from machine to machine is not stored: times (record_timing),
    the exact Python version, and the random ids of widgets, which become 1, 2, 3, ...
    Raises CellExecutionError.
    """
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    NotebookClient(
        notebook,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        timeout=60,
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--log-level=ERROR"],
    ).execute()
    notebook.metadata.kernelspec = {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    }
    notebook.metadata.language_info = {"name": "python"}
    nbformat.validate(notebook)
    path.write_text(nbformat.writes(number_widgets(notebook)) + "\n", encoding="utf-8")


def number_widgets(notebook):
    """Return the notebook with each widget's id, random hex digits, replaced by a number of the
    same length, in the order in which the widgets were made."""
    text = nbformat.writes(notebook)
    for widgets in notebook.metadata.get("widgets", {}).values():
        for number, identity in enumerate(widgets["state"], 1):
            text = text.replace(identity, f"{number:0{len(identity)}x}")
    return nbformat.reads(text, as_version=4)


def main(arguments):
    chosen = [Path(x).resolve() for x in arguments] or sorted((ROOT / "notebooks").glob("*.ipynb"))
    failed = 0
    for path in chosen:
        print(f"==> Running {path.name}", flush=True)
        try:
            execute(path)
        except CellExecutionError as error:
            failed += 1
            print(f"{error}\n==> {path.name} raised an exception and was left as it was.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
