"""Writes the content of the models layer from the files that `build.py` extracted from the wheels."""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import catalogue
import encoder
import numpy as np
import onnx
import onnxruntime
import vocabulary
from safetensors.numpy import load_file
from tiktoken_ext import openai_public  # type: ignore[import-untyped]
from tokenizers import Tokenizer

HERE = Path(__file__).resolve().parent
MODEL_NAME = "all-MiniLM-L6-v2-int8"
MAX_TOKENS = 256  # what the original model was trained and published with
MINIMUM_COSINE = 0.98  # of int8 to float32, on every calibration text

Say = Callable[[str], None]


class RejectedError(Exception):
    """A result failed its check, for example the int8 encoder's comparison with the float32 encoder."""


def write(sources: Mapping[str, dict[str, Any]], extracted: Path, result: Path, say: Say) -> None:
    """Everything but the manifest, into `result`; RejectedError when a check fails."""
    write_embedding(extracted, sources["embedding"], result / "embedding", say)
    write_vocabularies(extracted, sources["catalogue"], result / "tiktoken", say)
    write_catalogue(extracted, sources["catalogue"], result / "model_catalogue.json", say)
    write_notice(extracted, sources, result)


def file_named(source: dict[str, Any], ending: str, extracted: Path) -> Path:
    """The one extracted file of `source` whose name ends so."""
    name: str
    (name,) = (name for name in source["files"] if name.endswith(ending))
    return extracted / name


def write_embedding(extracted: Path, source: dict[str, Any], target: Path, say: Say) -> None:
    """The int8 encoder, compared with the float32 one before it is accepted, and its tokenizer."""
    say("writing the embedding model as ONNX and quantising it to int8")
    target.mkdir(parents=True)
    tokenizer_file = target / "tokenizer.json"
    shutil.copyfile(file_named(source, "tokenizer.json", extracted), tokenizer_file)
    weights = load_file(file_named(source, "model.safetensors", extracted))
    inputs = list(calibration_inputs(tokenizer_file))
    exact = run_model(encoder.float_model(weights).SerializeToString(), inputs)
    peaks = {
        name: np.max([np.abs(outputs[1 + index]).max(axis=(0, 1)) for outputs in exact], axis=0)
        for index, name in enumerate(encoder.smoothed_normalisations())
    }
    model = encoder.quantised_model(weights, peaks)
    quantised = run_model(model.SerializeToString(), inputs)
    cosines = [float((one[0] * other[0]).sum()) for one, other in zip(exact, quantised, strict=True)]
    say(f"int8 to float32 on {len(cosines)} texts: cosine {np.mean(cosines):.4f} mean, {min(cosines):.4f} least")
    if min(cosines) < MINIMUM_COSINE:
        raise RejectedError(f"the int8 model is too far from the original: cosine {min(cosines):.4f}")
    onnx.save(model, target / "model.onnx")
    description = {"name": MODEL_NAME, "dimensions": encoder.WIDTH, "max_tokens": MAX_TOKENS}
    (target / "model.json").write_text(json.dumps(description, indent=2) + "\n")


def calibration_inputs(tokenizer_file: Path) -> Iterator[dict[str, Any]]:
    """One input of the encoder for each calibration text."""
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    for text in (HERE / "calibration.txt").read_text().splitlines():
        ids = np.array([tokenizer.encode(text).ids], np.int64)
        yield {"input_ids": ids, "attention_mask": np.ones_like(ids)}


def run_model(model: bytes, inputs: list[dict[str, Any]]) -> list[list[Any]]:
    """The model's outputs for each input."""
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    return [session.run(None, each) for each in inputs]


def write_vocabularies(extracted: Path, source: dict[str, Any], target: Path, say: Say) -> None:
    """Tiktoken's vocabularies under its cache names, their indexes, and how each splits text, as tiktoken says."""
    say("writing tokenizer vocabularies")
    target.mkdir()
    vocabularies = {name: facts for name, facts in source["files"].items() if "encoding" in facts}
    for name in vocabularies:
        shutil.copyfile(extracted / name, target / Path(name).name)
    os.environ["TIKTOKEN_CACHE_DIR"] = str(target)  # tiktoken reads them from there, and checks its own hashes

    described = {}
    for name, facts in vocabularies.items():
        arguments = openai_public.ENCODING_CONSTRUCTORS[facts["encoding"]]()
        ranks = arguments["mergeable_ranks"]
        if list(ranks.values()) != list(range(len(ranks))):
            raise RejectedError(f"the vocabulary of {facts['encoding']} is not in the order of its ranks")
        index = f"{facts['encoding']}.index"
        (target / index).write_bytes(vocabulary.index((extracted / name).read_bytes()))
        described[facts["encoding"]] = {
            "file": Path(name).name,
            "sha256": facts["sha256"],
            "index": index,
            "pattern": arguments["pat_str"],
            "stand_in_pattern": vocabulary.in_stand_ins(arguments["pat_str"]),
            "special_tokens": arguments["special_tokens"],
        }
    (target / "stand_ins").write_bytes(vocabulary.stand_ins())
    (target / "encodings.json").write_text(json.dumps(described, indent=2) + "\n")


def write_catalogue(extracted: Path, source: dict[str, Any], target: Path, say: Say) -> None:
    """The chat models of litellm's table."""
    table = json.loads(file_named(source, "window_backup.json", extracted).read_text())
    models = catalogue.derive(table)
    say(f"writing a catalogue of {len(models)} chat models")
    content = {"source": f"{source['package']} {source['version']}", "models": models}
    target.write_text(json.dumps(content, separators=(",", ":")) + "\n")


def write_notice(extracted: Path, sources: Mapping[str, dict[str, Any]], target: Path) -> None:
    """Write the authors and licences of everything in the layer."""
    folder = target / "licences"
    shutil.copytree(HERE / "licences", folder)
    shutil.copyfile(file_named(sources["catalogue"], "LICENSE", extracted), folder / "litellm.txt")
    shutil.copyfile(HERE / "NOTICE", target / "NOTICE")
