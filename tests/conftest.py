"""Settings for all tests."""

import os

from hypothesis import settings

# No deadline: a slow machine is not an error. Under CI the examples are the same in every run.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

# More of everything, for a machine with time: pytest --hypothesis-profile=thorough
settings.register_profile("thorough", deadline=None, max_examples=3_000)
