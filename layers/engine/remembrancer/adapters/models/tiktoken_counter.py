"""Token counts by tiktoken, from vocabularies on disk.

`o200k_base` and `cl100k_base` are counted exactly; a special token's name in a text is plain text. The tokenizers of
other families are not public or not installed: they are estimated as a multiple of the `cl100k_base` count, chosen to
be too high rather than too low (docs/models.md has the measurements).
"""

import asyncio
import json
import math
import threading
from binascii import a2b_base64
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remembrancer.adapters.models.vocabulary_file import LongPieceError, VocabularyFile
from remembrancer.domain.context.token_counts import ESTIMATE_BASE, ESTIMATE_FACTORS, TokenCount, estimate
from remembrancer.errors import ConfigurationError

if TYPE_CHECKING:
    from tiktoken import Encoding

EXACT_FAMILIES = ("cl100k_base", "o200k_base")
FAMILIES = (*EXACT_FAMILIES, *ESTIMATE_FACTORS)
"""Every tokenizer family in the catalogue."""

# A text too long to count is estimated from windows of this many characters, one in the middle of each stretch
# of this length: their mean plus a margin.
SAMPLE_CHARACTERS = 500
SAMPLE_STRETCH = 8_000
MOST_SAMPLES = 64
SAMPLE_MARGIN = 1.25
# About 0.3 ms; handing work to the thread and back takes 0.1 ms and more on a busy processor.
INLINE_CHARACTERS = 4_000
# The thread returns after about this many characters (some 5 ms), so that a caller can give up in between.
CHARACTERS_PER_JOB = 50_000
FILE_SLOWNESS = 10
"""Divisor of these limits, and of the characters counted exactly, before the vocabulary is loaded."""


_Key = tuple[str, int, int]
"""Of a count: the vocabulary, Python's hash of the text, which is keyed for each process, and its length."""


class TiktokenCounter:
    """Serves the TokenCounter port from a models folder; a vocabulary is loaded when first needed.

    After `open`, only `warm` loads it; until then texts are counted from its file: the same counts, slower. Exact
    counts are cached by vocabulary and text; the least recently used are evicted first.
    """

    def __init__(self, models: Path, *, exact_characters: int = 200_000, cached_texts: int = 20_000) -> None:
        """One call counts at most `exact_characters` of uncached text exactly, and estimates the rest.

        Raises ConfigurationError when the folder has no vocabularies.
        """
        self._folder = models / "tiktoken"
        try:
            self._described: dict[str, Any] = json.loads((self._folder / "encodings.json").read_text())
        except FileNotFoundError as error:
            raise ConfigurationError(f"no vocabularies in {self._folder}: build the models layer") from error
        self._exact_characters = exact_characters
        self._cached_texts = cached_texts
        self._cache: OrderedDict[_Key, int] = OrderedDict()
        self._cache_lock = threading.Lock()
        self._encodings: dict[str, Encoding] = {}
        self._files: dict[str, VocabularyFile] = {}
        self._from_files = False
        self._load_lock = threading.Lock()
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tokens")

    def count(self, text: str, family: str) -> TokenCount:
        """Tokens of one text, on the calling thread; an unknown family counts as `other`."""
        base = _base(family)
        return self._count(text, family, self._exact_characters // self._slowness(base))[0]

    async def count_many(self, texts: Sequence[str], family: str) -> list[TokenCount]:
        """One count a text, in order; when a call is too long, the longest texts are estimated.

        Runs on its own thread, except for cached texts and for little text, for which the hand-over would take longer
        than counting.
        """
        base = _base(family)
        known = self._cached([_key(base, text) for text in texts])
        counts = {
            index: _of_family(tokens, family, exact=True) for index, tokens in enumerate(known) if tokens is not None
        }
        if len(counts) == len(texts):
            return list(counts.values())
        missing = [index for index in range(len(texts)) if index not in counts]
        slowness = self._slowness(base)
        is_ready = base in self._encodings or base in self._files
        if is_ready and sum(len(texts[index]) for index in missing) <= INLINE_CHARACTERS // slowness:
            counts |= {index: self.count(texts[index], family) for index in missing}
            missing = []
        loop = asyncio.get_running_loop()
        allowance = self._exact_characters // slowness
        for job in _jobs(texts, missing, CHARACTERS_PER_JOB // slowness):
            counted, allowance = await loop.run_in_executor(
                self._executor, self._count_job, texts, job, family, allowance
            )
            counts.update(counted)
        return [counts[index] for index in range(len(texts))]

    async def open(self, families: Sequence[str]) -> None:
        """Opens the files of these families now, those of others when needed; only `warm` loads vocabularies."""
        self._from_files = True
        loop = asyncio.get_running_loop()
        for family in families:
            await loop.run_in_executor(self._executor, self._vocabulary, _base(family))

    async def warm(self, families: Sequence[str] = EXACT_FAMILIES) -> None:
        """Loads the vocabularies of these families, so that the first request does not have to."""
        loop = asyncio.get_running_loop()
        for family in families:
            await loop.run_in_executor(self._executor, self._encoding, _base(family))

    def close(self) -> None:
        """Ends the thread after its current job."""
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _count_job(
        self, texts: Sequence[str], job: Sequence[int], family: str, allowance: int
    ) -> tuple[dict[int, TokenCount], int]:
        counts = {}
        for index in job:
            counts[index], spent = self._count(texts[index], family, allowance)
            allowance -= spent
        return counts, allowance

    def _count(self, text: str, family: str, allowance: int) -> tuple[TokenCount, int]:
        """The count, and the number of characters counted exactly for it."""
        base = _base(family)
        key = _key(base, text)
        (tokens,) = self._cached([key])
        if tokens is not None:
            return _of_family(tokens, family, exact=True), 0
        vocabulary = self._vocabulary(base)
        if len(text) > allowance:
            return _of_family(_sampled(vocabulary, text), family, exact=False), 0
        try:
            tokens = _tokens(vocabulary, text)
        except LongPieceError:
            return _of_family(_sampled(vocabulary, text), family, exact=False), len(text)
        self._remember(key, tokens)
        return _of_family(tokens, family, exact=True), len(text)

    def _cached(self, keys: Sequence[_Key]) -> list[int | None]:
        with self._cache_lock:
            known = [self._cache.get(key) for key in keys]
            for key, tokens in zip(keys, known, strict=True):
                if tokens is not None:
                    self._cache.move_to_end(key)
        return known

    def _remember(self, key: _Key, tokens: int) -> None:
        with self._cache_lock:
            self._cache[key] = tokens
            if len(self._cache) > self._cached_texts:
                self._cache.popitem(last=False)

    def _slowness(self, name: str) -> int:
        return FILE_SLOWNESS if self._from_files and name not in self._encodings else 1

    def _vocabulary(self, name: str) -> "Encoding | VocabularyFile":
        if not self._from_files or name in self._encodings:
            return self._encoding(name)
        if name in self._files:  # without the lock, which is held for as long as loading takes
            return self._files[name]
        with self._load_lock:
            if name not in self._files:
                self._files[name] = self._opened(name)
            return self._files[name]

    def _encoding(self, name: str) -> "Encoding":
        with self._load_lock:
            if name not in self._encodings:
                self._encodings[name] = self._load(name)
                self._files.pop(name, None)
            return self._encodings[name]

    def _opened(self, name: str) -> VocabularyFile:
        try:
            return VocabularyFile(self._folder, self._described[name])
        except (FileNotFoundError, KeyError) as error:
            raise ConfigurationError(f"{self._folder} has no index of {name}: build the models layer again") from error

    def _load(self, name: str) -> "Encoding":
        """Twice as fast as tiktoken's own loader, which would also download a missing file."""
        import tiktoken

        described = self._described[name]
        path = self._folder / described["file"]
        content = path.read_bytes() if path.exists() else b""
        if sha256(content).hexdigest() != described["sha256"]:
            raise ConfigurationError(f"{path} is missing or damaged: build the models layer again")
        # Lines of `token rank`; the build has checked that ranks increase from 0.
        tokens = map(a2b_base64, content.split()[::2])
        return tiktoken.Encoding(
            name,
            pat_str=described["pattern"],
            mergeable_ranks=dict(zip(tokens, count(), strict=False)),
            special_tokens=described["special_tokens"],
        )


def _base(family: str) -> str:
    return family if family in EXACT_FAMILIES else ESTIMATE_BASE


def _key(base: str, text: str) -> _Key:
    return base, hash(text), len(text)


def _of_family(tokens: int, family: str, *, exact: bool) -> TokenCount:
    if family in EXACT_FAMILIES:
        return TokenCount(tokens, exact)
    return TokenCount(estimate(tokens, family), exact=False)


def _tokens(vocabulary: "Encoding | VocabularyFile", text: str) -> int:
    if isinstance(vocabulary, VocabularyFile):
        return vocabulary.count(text)
    return len(vocabulary.encode_ordinary(text))


def _sampled(vocabulary: "Encoding | VocabularyFile", text: str) -> int:
    """At most one token per byte, which is the upper limit."""
    stretches = min(MOST_SAMPLES, math.ceil(len(text) / SAMPLE_STRETCH))
    starts = [int((number + 0.5) * len(text) / stretches) - SAMPLE_CHARACTERS // 2 for number in range(stretches)]
    windows = [text[max(0, start) : max(0, start) + SAMPLE_CHARACTERS] for start in starts]
    tokens = sum(_tokens(vocabulary, window) for window in windows)
    guess = math.ceil(SAMPLE_MARGIN * len(text) * tokens / sum(map(len, windows)))
    return min(guess, len(text.encode("utf-8", "surrogatepass")))


def _jobs(texts: Sequence[str], indices: Sequence[int], characters_per_job: int) -> Iterator[list[int]]:
    """These indices of the texts, shortest first, in groups of limited length."""
    job: list[int] = []
    characters = 0
    for index in sorted(indices, key=lambda index: len(texts[index])):
        if job and characters + len(texts[index]) > characters_per_job:
            yield job
            job, characters = [], 0
        job.append(index)
        characters += len(texts[index])
    if job:
        yield job
