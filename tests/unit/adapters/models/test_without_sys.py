"""The packaged model loads where the kernel tells nothing of its processors, as on Lambda's arm64.

ONNX Runtime below 1.31 reads /sys/devices/system/cpu when it is imported, and ends the process if it is not there.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import MODELS

ROOT = Path(__file__).parents[4]
OLDEST = (1, 31)
PINS = ("pyproject.toml", "constraints.txt", "layers/engine/requirements.txt", "layers/models/requirements.txt")
HIDDEN = "mount -t tmpfs none /sys"
EMBED = """
import asyncio, os, sys
from pathlib import Path
from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder

assert not os.path.exists("/sys/devices/system/cpu"), "/sys is still there"
embedder = OnnxEmbedder(Path(sys.argv[1]))
(vector,) = asyncio.run(embedder.embed(["Ada keeps bees."]))
embedder.close()
print(round(float(vector @ vector), 3))
"""


@pytest.mark.parametrize("name", PINS)
def test_the_runtime_is_pinned_to_one_that_starts_there(name: str) -> None:
    pins = re.findall(r"onnxruntime==(\d+)\.(\d+)", (ROOT / name).read_text(encoding="utf-8"))

    assert pins
    assert all((int(major), int(minor)) >= OLDEST for major, minor in pins)


def test_the_model_loads_and_embeds_without_sys() -> None:
    namespace = [str(shutil.which("unshare")), "--mount", "--map-root-user"]
    tried = subprocess.run([*namespace, "sh", "-c", HIDDEN], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"no mount namespace may be made here: {tried.stderr.strip()}")

    command = f'{HIDDEN} && exec "$0" -c "$1" "$2"'
    ran = subprocess.run(
        [*namespace, "sh", "-c", command, sys.executable, EMBED, str(MODELS)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert (ran.returncode, ran.stdout.strip()) == (0, "1.0"), ran.stderr
