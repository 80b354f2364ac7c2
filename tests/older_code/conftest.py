"""Tests of an earlier revision, which take minutes and the repository's history: `make test-older`."""

import os

collect_ignore = [] if "OLDER_CODE" in os.environ else ["test_older_code.py"]
