"""No pattern of the engine reads a text in a time that grows with the square of its length."""

import ast
import importlib
import inspect
import pkgutil
import re
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any
from uuid import UUID

import pytest

import remembrancer.domain
import remembrancer_client
from remembrancer.domain.capture import agreements, clauses, long_texts, standing, wishes
from remembrancer.domain.memories import correction_words, corrections
from remembrancer.domain.memories.corrections import Candidate
from tests.builders import NOW

pytestmark = pytest.mark.long

CHARACTERS = long_texts.MESSAGE_CHARACTERS
"""Of the longest message: a pattern takes at most an eighth of a second, or half a minute where it reads each character
again for each one before it.
"""
constants, parser = importlib.import_module("re._constants"), importlib.import_module("re._parser")
"""As Python itself reads patterns; no type is known of them."""
SECONDS = 5.0
"""Of processor time, so that other processes do not count."""
LIMITS = {module.__name__: module.MOST_CHARACTERS for module in (agreements, standing, wishes)} | {
    correction_words.__name__: corrections.MOST_CHARACTERS
}
"""Modules that read no longer texts."""
FRAMEWORKS = ("agent_frameworks", "langchain", "langgraph", "litellm", "mcp", "openai_agents", "pydantic_ai", "strands")
"""Modules of the client that need the packages of others, and read texts by the modules beside them."""
REPEATED = (" ", "\n", "a", "A", "1", ".", "?", "-", "。", "'", "<", "我", "a ", "1.", "1,", " \n")
SAID = ("my a is 1. ", 'I am "a", ', "</memories-", "- a\n", "on Monday ", "(1. ")
SHORTER: dict[object, int] = {clauses.units: long_texts.TURN_CHARACTERS}
"""Functions that read a turn, not a message."""
MODULES = sorted(
    module.name
    for package in (remembrancer.domain, remembrancer_client)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not module.ispkg and module.name.rpartition(".")[2] not in FRAMEWORKS
)


@pytest.mark.parametrize("name", MODULES)
def test_patterns_read_long_runs_in_linear_time(name: str) -> None:
    module = importlib.import_module(name)
    length = LIMITS.get(name, CHARACTERS)

    expensive = [
        (pattern_name, repeated)
        for pattern_name, pattern, is_searched in _patterns(module)
        for repeated in REPEATED
        if not _is_read(pattern, repeated * (length // len(repeated)) + "b", is_searched=is_searched)
    ]

    assert not expensive


@pytest.mark.parametrize("name", MODULES)
def test_functions_read_long_texts_in_linear_time(name: str) -> None:
    """Those that take a text and nothing else, whatever they are."""
    module = importlib.import_module(name)

    expensive = [
        (function.__name__, said)
        for function in _functions_of_a_text(module)
        for said in SAID
        if not _is_soon_done(function, said * (SHORTER.get(function, CHARACTERS) // len(said)) + "b")
    ]

    assert not expensive


def _functions_of_a_text(module: ModuleType) -> Iterator[Callable[[str], Any]]:
    for name, value in sorted(vars(module).items()):
        if name.startswith("_") or not inspect.isfunction(value) or value.__module__ != module.__name__:
            continue
        needed = [one for one in inspect.signature(value).parameters.values() if one.default is one.empty]
        if [(one.annotation, one.kind) for one in needed] == [(str, inspect.Parameter.POSITIONAL_OR_KEYWORD)]:
            yield value


def _is_soon_done(function: Callable[[str], Any], text: str) -> bool:
    try:
        with _limited():
            result = function(text)
            if isinstance(result, Iterator):
                list(result)
    except _TooLong:
        return False
    except (ValueError, LookupError, StopIteration):
        # What is no text of the function's form is refused.
        return True
    return True


def test_a_pattern_that_enters_a_run_at_each_character_is_found() -> None:
    text = " " * CHARACTERS + "b"

    assert not _is_read(re.compile(r"\s+-"), text, is_searched=True)
    assert _is_read(re.compile(r"(?<!\s)\s++-"), text, is_searched=True)


def test_a_memory_is_not_searched_for_what_it_names_as_wrong() -> None:
    memory = "User: " + "not a " * (CHARACTERS // 6)

    with _limited():
        assert corrections.certain("No, it's 28 inches.", [Candidate(UUID(int=1), memory, "episodic", NOW)]) is None


class _TooLong(Exception):
    pass


@contextmanager
def _limited() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _is_read(pattern: re.Pattern[str], text: str, *, is_searched: bool) -> bool:
    try:
        with _limited():
            if is_searched:
                for _ in pattern.finditer(text):
                    pass
            pattern.match(text)
            pattern.fullmatch(text)
    except _TooLong:
        return False
    return True


def _patterns(module: ModuleType) -> Iterator[tuple[str, re.Pattern[str], bool]]:
    """The module's own patterns that repeat something without a bound, and whether they are searched for in a text:
    not those that the module only matches at a place.
    """
    tree = ast.parse(Path(str(module.__file__)).read_text())
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    matched = Counter(node.value.id for node in uses if node.attr in _AT_A_PLACE and isinstance(node.value, ast.Name))
    named = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    for variable, value in sorted(vars(module).items()):
        is_only_matched = variable.startswith("_") and 0 < matched[variable] == named[variable]
        for pattern in _held(value):
            if _is_unbounded(parser.parse(pattern.pattern, pattern.flags)):
                yield variable, pattern, not is_only_matched


_AT_A_PLACE = ("match", "fullmatch")


def _held(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield from [value] if isinstance(value.pattern, str) else []
    elif isinstance(value, dict | tuple | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _held(item)


def _is_unbounded(parsed: Any) -> bool:
    if isinstance(parsed, tuple) and len(parsed) == 3 and parsed[1] is constants.MAXREPEAT:
        return True
    if isinstance(parsed, parser.SubPattern | tuple | list):
        return any(map(_is_unbounded, parsed))
    return False
