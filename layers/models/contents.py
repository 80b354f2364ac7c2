"""Writes the content of the models layer from the files that `build.py` extracted from the wheels."""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import catalogue
import encoder
import numpy as np
import onnx
import onnxruntime
import vocabulary
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tiktoken_ext import openai_public  # type: ignore[import-untyped]
from tokenizers import Tokenizer

HERE = Path(__file__).resolve().parent
MODEL_NAME = "all-MiniLM-L6-v2-int8"
MAX_TOKENS = 256  # what the original model was trained and published with
MINIMUM_COSINE = 0.98  # of int8 to float32, on every calibration text
READER = "reader.onnx"
MAXIMUM_DIFFERENCE = 0.75  # of the reader's logits, int8 to float32, on every calibration text behind the one before it

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
    original = encoder.float_model(weights).SerializeToString()
    exact = run_model(original, inputs)
    model = encoder.quantised_model(weights, peaks_of(exact, ["lower", *encoder.smoothed_normalisations()]))
    quantised = run_model(model.SerializeToString(), inputs)
    cosines = [float((one[0] * other[0]).sum()) for one, other in zip(exact, quantised, strict=True)]
    say(f"int8 to float32 on {len(cosines)} texts: cosine {np.mean(cosines):.4f} mean, {min(cosines):.4f} least")
    if min(cosines) < MINIMUM_COSINE:
        raise RejectedError(f"the int8 model is too far from the original: cosine {min(cosines):.4f}")
    onnx.save(model, target / "model.onnx")
    description = {"name": MODEL_NAME, "dimensions": encoder.WIDTH, "max_tokens": MAX_TOKENS}
    (target / "model.json").write_text(json.dumps(description, indent=2) + "\n")
    write_reader(weights, (original, model.SerializeToString()), inputs, target / READER, say)


def write_reader(
    weights: encoder.Weights,
    encoders: tuple[bytes, bytes],
    texts: list[dict[str, Any]],
    target: Path,
    say: Say,
) -> None:
    """The int8 reader of wishes behind the int8 encoder, compared with both in float32."""
    say("writing the reader of wishes")
    with np.load(HERE / "reader.npz") as changes:
        own = encoder.reader_weights(weights, changes)
    pairs = [behind(before["input_ids"], text["input_ids"]) for before, text in pairwise(texts)]
    exact, quantised = ([run_model(one, [pair])[0][1] for pair in pairs] for one in encoders)
    shares = [share(pair["input_ids"]) for pair in pairs]
    read = run_model(encoder.float_reader(own).SerializeToString(), inputs_of_reader(exact, shares))
    peaks = peaks_of(read, encoder.smoothed_normalisations(encoder.LOWER))
    peaks["lower"] = np.max([np.abs(lower).max(axis=(0, 1)) for lower in exact], axis=0)
    model = encoder.quantised_reader(own, peaks)
    logits = run_model(model.SerializeToString(), inputs_of_reader(quantised, shares))
    differences = [float(np.abs(one[0] - other[0]).max()) for one, other in zip(read, logits, strict=True)]
    say(f"int8 to float32: logits {np.mean(differences):.2f} apart, at most {max(differences):.2f}")
    if max(differences) > MAXIMUM_DIFFERENCE:
        raise RejectedError(f"the int8 reader is too far from the fitted one: logits {max(differences):.2f} apart")
    onnx.save(model, target)


def peaks_of(outputs: list[list[Any]], names: list[str]) -> dict[str, Any]:
    """The largest magnitude of each column; the outputs behind the first one have these names."""
    return {
        name: np.max([np.abs(each[1 + index]).max(axis=(0, 1)) for each in outputs], axis=0)
        for index, name in enumerate(names)
    }


def behind(before: NDArray[np.int64], text: NDArray[np.int64]) -> dict[str, Any]:
    """The encoder's input of both, each with its closing token."""
    ids = np.concatenate([before, text[:, 1:]], axis=1)
    return {"input_ids": ids, "attention_mask": np.ones_like(ids)}


def share(ids: NDArray[np.int64]) -> NDArray[np.float32]:
    """Of the tokens behind the first closing one, each the same share; of the others none."""
    begins = int(np.flatnonzero(ids[0] == ids[0, -1])[0]) + 1
    shares = np.zeros(ids.shape, np.float32)
    shares[0, begins:] = 1 / (ids.shape[1] - begins)
    return shares


def inputs_of_reader(lower: list[Any], shares: list[NDArray[np.float32]]) -> list[dict[str, Any]]:
    """One input of the reader for each text."""
    return [{"lower": one, "share": own} for one, own in zip(lower, shares, strict=True)]


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
