"""Settings for all tests."""

import os

import pytest
from hypothesis import settings

from . import oracle

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
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    running = oracle.Oracle(oracle.build())
    yield running
    running.close()
