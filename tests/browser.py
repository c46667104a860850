"""The headless Chromium of the browser tests.

It is the one in BYTEWALK_CHROMIUM, /usr/bin/chromium, or a `chromium`, `chromium-browser` or
`google-chrome` on the path; without one the tests are skipped, and fail if CI is set.
"""

import os
import shutil

import pytest

# The resolver rule closes the network also for requests that routing does not see (workers).
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


def missing(what):
    """Skip, saying what is missing; under CI, fail."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} (a failure, not a skip, because CI is set)", pytrace=False)
    pytest.skip(what)


def chromium() -> str:
    """The path of the browser, if there is one."""
    named = os.environ.get("BYTEWALK_CHROMIUM")
    places = [named] if named else ["/usr/bin/chromium", "chromium", "chromium-browser"]
    path = next(filter(None, map(shutil.which, [*places, "google-chrome"])), None)
    if path is None:
        missing("no Chromium found: install it, or name it in BYTEWALK_CHROMIUM")
    return path
