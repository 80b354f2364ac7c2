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

    def _token_ids(self, loaded: "_Loaded", text: str) -> NDArray[np.int64]:
        """(1, n): the tokens of the text, cut to the model's limit."""
        tokenizer, _ = loaded
        encoding = tokenizer.encode(_encodable(text.strip()[: self._max_tokens * CHARACTERS_PER_TOKEN]))
        return np.array([encoding.ids], np.int64)

    def _load(self) -> "_Loaded":
        """Imported here, on the thread: the two libraries take longer to import than the model to load."""
        import onnxruntime
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(self._max_tokens)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # the other threads need the core
        # The graph is stored with fused operators already: searching for more takes a quarter of the loading time and
        # finds none. An arena would keep the memory of the longest text.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.enable_cpu_mem_arena = False
        options.enable_mem_pattern = False
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(
            str(self._folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        return tokenizer, session


def _computed(loaded: "_Loaded", ids: NDArray[np.int64]) -> NDArray[np.float32]:
    _, session = loaded
    outputs = session.run(["embedding"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})
    vector: NDArray[np.float32] = outputs[0][0]
    return vector


def _encodable(text: str) -> str:
    """JSON may contain unpaired surrogates, which UTF-8 cannot encode: they become replacement characters."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
