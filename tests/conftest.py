"""Settings for all tests."""

import os

import pytest
from hypothesis import settings
from playwright.sync_api import sync_playwright

from . import oracle
from .browser import FLAGS, chromium, missing

# No deadline: a slow machine is not an error. Under CI the examples are the same in every run.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

# More of everything, for a machine with time: pytest --hypothesis-profile=thorough
settings.register_profile("thorough", deadline=None, max_examples=3_000)


@pytest.fixture(scope="session")
def crates():
    """The running oracle: the real crates. Without cargo its tests skip; in CI they fail."""
    reason = oracle.unavailable()
    if reason:
        missing(reason)
    running = oracle.Oracle(oracle.build())
    yield running
    running.close()


@pytest.fixture(scope="session")
def catalogue(crates):
    """The oracle's types as wire types of ours."""
    (description,) = crates.ask([{"op": "types"}])
    return oracle.Catalogue(description)


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium with the network closed, but for this machine's own addresses."""
    path = chromium()
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield running
        running.close()
