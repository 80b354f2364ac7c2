"""Embeddings by the int8 ONNX model in the models layer."""

import asyncio
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from remembrancer.errors import ConfigurationError, StoreUnavailable

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

    _Loaded = tuple[Tokenizer, InferenceSession]

# Characters per token of the model's limit after which text is cut before it is tokenized: 256 tokens of
# prose end after some 1,100 characters, and tokenizing 10,000 takes longer than embedding them.
CHARACTERS_PER_TOKEN = 16
SHORT_TOKENS = 32
"""Most tokens of a text that is computed on the event loop's thread, within some 4 ms; a question has a dozen. The way
to another thread and back takes a third of the time that such a question needs, and an instance of the function has one
processor.
"""
_SHORT_CHARACTERS = 512
"""Most characters of a text that is tokenized on the event loop's thread."""
BEFORE_TOKENS, READ_TOKENS = 20, 56
"""Most tokens that a reader takes: the last ones of the turn before, and the first ones of a turn."""
_TURNS = 12
"""Turns of the event loop that a short text waits, so that requests to servers that do not need its vector are sent
before it is computed.
"""


class OnnxEmbedder:
    """Serves the Embedder port from a models folder; loads and computes on its own thread, except short texts.

    Each text runs by itself. On one core a batch is no faster (10 texts of 60 tokens: 42 ms either way), and the
    quantised vector of a text then never depends on the other texts. When a caller gives up, its work stops after the
    current text; texts of other callers may run in between.
    """

    def __init__(self, models: Path, threads: int = 1) -> None:
        """`threads` compute one text. Raises ConfigurationError when the folder has no embedding model."""
        folder = models / "embedding"
        try:
            description = json.loads((folder / "model.json").read_text())
        except FileNotFoundError as error:
            raise ConfigurationError(f"no embedding model in {folder}: build the models layer") from error
        self._folder = folder
        self._threads = threads
        self._max_tokens = int(description["max_tokens"])
        self._model = str(description["name"])
        self._dimensions = int(description["dimensions"])
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedder")
        self._loaded: _Loaded | None = None

    @property
    def folder(self) -> Path:
        """Has the files of the model, and of the reader beside it."""
        return self._folder

    @property
    def model(self) -> str:
        return self._model

    @property
    def dimensions(self) -> int:
        return self._dimensions

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimensions), unit rows; of a text longer than the model's limit, only the beginning is embedded."""
        vectors = np.empty((len(texts), self._dimensions), np.float32)
        for row, text in enumerate(texts):
            try:
                vectors[row] = await self._vector(text)
            except Exception as error:  # the libraries raise their own classes, some of them private
                raise StoreUnavailable("the embedding model failed", cause=type(error).__name__) from error
        return vectors

    async def lower(self, before: str, text: str) -> tuple[NDArray[np.float32], int]:
        """(1, n, dimensions): what the lower layers make of the end of one text and the beginning of another, and at
        which token this one begins.
        """
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._executor, self._lower, before, text)
        except Exception as error:  # as in `embed`
            raise StoreUnavailable("the embedding model failed", cause=type(error).__name__) from error

    async def warm(self) -> None:
        """Loads the model and runs it once, so that the first request does not have to."""
        await self.embed(["warm"])

    def close(self) -> None:
        """Ends the thread after the current text."""
        self._executor.shutdown(wait=True, cancel_futures=True)

    async def _vector(self, text: str) -> NDArray[np.float32]:
        if self._loaded is not None and len(text) <= _SHORT_CHARACTERS:
            ids = self._token_ids(self._loaded, text)
            if ids.size <= SHORT_TOKENS:
                for _ in range(_TURNS):
                    await asyncio.sleep(0)
                return _computed(self._loaded, ids)
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._embed_one, text)

    def _embed_one(self, text: str) -> NDArray[np.float32]:
        if self._loaded is None:
            self._loaded = self._load()
        return _computed(self._loaded, self._token_ids(self._loaded, text))

    def _lower(self, before: str, text: str) -> tuple[NDArray[np.float32], int]:
        if self._loaded is None:
            self._loaded = self._load()
        tokenizer, session = self._loaded
        ids, begins = pair_ids(tokenizer, before, text)
        (lower,) = session.run(["lower"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        return lower, begins

    def _token_ids(self, loaded: "_Loaded", text: str) -> NDArray[np.int64]:
        """(1, n): the tokens of the text, cut to the model's limit."""
        tokenizer, _ = loaded
        encoding = tokenizer.encode(_encodable(text.strip()[: self._max_tokens * CHARACTERS_PER_TOKEN]))
        return np.array([encoding.ids], np.int64)

    def _load(self) -> "_Loaded":
        """Imported here, on the thread: the two libraries take longer to import than the model to load."""
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(self._max_tokens)
        return tokenizer, session(self._folder / "model.onnx", self._threads)


def session(file: Path, threads: int) -> "InferenceSession":
    """A session for one caller at a time. The library is imported here: that takes longer than to load the model."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # the other threads need the core
    # The graph is stored with fused operators already: searching for more takes a quarter of the loading time and
    # finds none. An arena would keep the memory of the longest text.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])


def pair_ids(tokenizer: "Tokenizer", before: str, text: str) -> tuple[NDArray[np.int64], int]:
    """(1, n): the last tokens of one text and the first ones of another, apart, and the place where these begin."""
    first = _own_ids(tokenizer, before[-BEFORE_TOKENS * CHARACTERS_PER_TOKEN :])[-BEFORE_TOKENS:]
    second = _own_ids(tokenizer, text[: READ_TOKENS * CHARACTERS_PER_TOKEN])[:READ_TOKENS]
    opening, closing = tokenizer.encode("").ids
    return np.array([[opening, *first, closing, *second, closing]], np.int64), len(first) + 2


def _own_ids(tokenizer: "Tokenizer", text: str) -> list[int]:
    ids: list[int] = tokenizer.encode(_encodable(text.strip()), add_special_tokens=False).ids
    return ids


def _computed(loaded: "_Loaded", ids: NDArray[np.int64]) -> NDArray[np.float32]:
    _, session = loaded
    outputs = session.run(["embedding"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})
    vector: NDArray[np.float32] = outputs[0][0]
    return vector


def _encodable(text: str) -> str:
    """JSON may contain unpaired surrogates, which UTF-8 cannot encode: they become replacement characters."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
