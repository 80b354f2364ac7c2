"""Tests of what is deployed, not of the source tree: `make test-build` and `make test-sam` build it first.

BUILT names the folder that holds a build for each processor; without it only what needs no build is tested.
"""

import os
import platform
from pathlib import Path

import pytest

from tests.build import artefacts
from tests.build.artefacts import Artefacts

collect_ignore: list[str] = []
if "BUILT" not in os.environ:
    collect_ignore += ["test_layers.py", "test_emulator.py"]
if "SAM_IMAGE" not in os.environ:
    collect_ignore += ["test_sam_local.py"]


@pytest.fixture(scope="session", params=["arm64", "x86_64"])
def built(request: pytest.FixtureRequest) -> Artefacts:
    """The build for one processor; tests run once for each."""
    return artefacts.read(Path(os.environ["BUILT"]).resolve() / request.param, request.param)


@pytest.fixture(scope="session")
def built_here() -> Artefacts:
    """The build for this machine's processor."""
    architecture = {"x86_64": "x86_64", "aarch64": "arm64"}[platform.machine()]
    return artefacts.read(Path(os.environ["BUILT"]).resolve() / architecture, architecture)
