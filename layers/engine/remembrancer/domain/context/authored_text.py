"""What people wrote in the messages of a chat, without what hosts, models and tools put there.

The Python client has a copy of this file, which its tests hold to be equal: what is captured is decided in both places.

- `role_of` and `text_of` read a message in the shapes of OpenAI, Anthropic, Gemini and LangChain.
- `written` leaves out reasoning of models and the wrappers of hosts: blocks in tags, and prompts for titles and tags.
- `authored` leaves out what was pasted too: stack traces, logs, differences, code and data.
- `is_final` says whether an assistant's message ends a turn: it has text and calls no tool.

All take time in proportion to the length of the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Message = Mapping[str, Any]

ROLES = ("user", "assistant")
_ROLES = {"human": "user", "ai": "assistant", "model": "assistant"}
TEXT_TYPES = ("text", "input_text", "output_text", "refusal")
REASONING_TYPES = ("reasoning", "reasoning_text", "thinking", "redacted_thinking", "thought", "summary", "summary_text")
_CALLS = ("tool_use", "server_tool_use", "function_call", "tool_call", "custom_tool_call", "mcp_tool_use")
_RESULTS = ("tool_result", "function_call_output", "function_response", "mcp_tool_result", "web_search_tool_result")
_FILES = (
    "image", "image_url", "input_image", "file", "input_file", "document", "audio", "input_audio", "video", "video_url",
    "media", "container_upload", "search_result",
)  # fmt: skip
OTHER_TYPES = (*_CALLS, *_RESULTS, *_FILES)
"""Types of parts that never have what a person said."""
_GEMINI_CALLS = ("functionCall", "function_call")
_GEMINI_OTHERS = (
    *_GEMINI_CALLS, "functionResponse", "function_response", "inlineData", "inline_data", "fileData", "file_data",
    "executableCode", "codeExecutionResult",
)  # fmt: skip


def role_of(message: Message) -> str:
    """The role, `user` and `assistant` also where a host calls them by other names; empty without one."""
    role = message.get("role")
    return _ROLES.get(role, role) if isinstance(role, str) else ""


def parts_of(message: Message) -> Sequence[Any]:
    """The parts of a message: its text, the entries of its `content`, or Gemini's `parts`."""
    content = message.get("content")
    if content is None:
        content = message.get("parts")
    return content if isinstance(content, list) else [] if content is None else [content]


def text_of(message: Message) -> str:
    """The text of a message, part by part on lines of their own, without reasoning, calls, results and files."""
    return "\n".join(text for part in parts_of(message) if (text := part_text(part)))


def part_text(part: Any) -> str:
    """The text of one part; empty for a part of another kind."""
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping) or part.get("thought") is True:
        return ""
    kind = part.get("type")
    if kind is not None and kind not in TEXT_TYPES:
        return ""
    text = part.get("refusal") if kind == "refusal" else part.get("text")
    return text if isinstance(text, str) else ""


def is_readable(part: Any) -> bool:
    """Whether the part is of a kind that is known, with or without text."""
    if isinstance(part, str):
        return True
    if not isinstance(part, Mapping):
        return False
    kind = part.get("type")
    if kind is None:
        return isinstance(part.get("text"), str) or any(name in part for name in _GEMINI_OTHERS)
    return kind in (*REASONING_TYPES, *OTHER_TYPES) or (
        kind in TEXT_TYPES and isinstance(part.get("refusal" if kind == "refusal" else "text"), str)
    )


def is_final(message: Message) -> bool:
    """Whether an assistant's message ends a turn: it says something, and waits for no tool."""
    if role_of(message) != "assistant" or message.get("tool_calls") or message.get("function_call"):
        return False
    for part in parts_of(message):
        if isinstance(part, Mapping) and (part.get("type") in _CALLS or any(name in part for name in _GEMINI_CALLS)):
            return False
    return bool(written(text_of(message)))


def since_last_answer(messages: Sequence[Message]) -> list[int]:
    """The positions of the user's messages since the last final answer, those without a word of the user's left out.

    An answer that the user interrupted is none; an answer that stands last ends no turn yet.
    """
    found: list[int] = []
    is_begun = False
    for position in range(len(messages) - 1, -1, -1):
        message = messages[position]
        if role_of(message) == "user":
            is_begun = True
            if written(text_of(message)):
                found.append(position)
        elif is_begun and ends_turn(messages, position):
            break
    return found[::-1]


def ends_turn(messages: Sequence[Message], position: int) -> bool:
    """Whether the message there is a final answer that the user did not interrupt."""
    if not is_final(messages[position]):
        return False
    following = messages[position + 1] if position + 1 < len(messages) else {}
    return not (role_of(following) == "user" and text_of(following).lstrip().startswith("[Request interrupted by user"))


def written(text: str) -> str:
    """The text without reasoning and without what a host wrapped around it or put into it; it may be empty."""
    text = text.strip()
    if "<" in text:
        text = _without_tags(_without_reasoning(text)).strip()
    return "" if _TASK.match(text) else _NOTES.sub("", text).strip()


def authored(text: str) -> str:
    """What the user wrote: `written`, without what was pasted as a whole; it may be empty."""
    text = written(text)
    if "\n" not in text and not _is_error(text):
        return "" if _is_data(text) else text
    return "" if _is_data(text) else _without_pastes(text)


_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]{0,60})((?:\s[^<>]{0,500})?)>")
_REASONING_TEXT = """
think thinking thought thoughts reasoning reflection scratchpad inner_monologue antthinking
"""
_REASONING = frozenset(_REASONING_TEXT.split())
_HOSTS_TEXT = """
system-reminder environment_context environment_details environment_info ide_opened_file ide_selection
ide_diagnostics command-name command-message command-args local-command-stdout local-command-stderr
local-command-caveat bash-input bash-stdout bash-stderr user-prompt-submit-hook post-tool-use-hook new-diagnostics
user_info user_rules project_layout attached_files attached_file file_content open_files
open_and_recently_viewed_files git_status additional_data additional_context context context_files document
documents document_content chat_history workspace_info editor_context editorcontext attachments attachment reminder
reminderinstructions system instructions user_instructions permissions cwd tool_call tool_response function_calls
function_results summary task-notification turn_aborted environment workspace repo_context
"""
_HOSTS = frozenset(_HOSTS_TEXT.split())
"""Tags of known hosts around text that no user wrote."""
_AROUND_TEXT = """
user_query user_message user_request userrequest task feedback answer query question prompt message
"""
_AROUND = frozenset(_AROUND_TEXT.split())
"""Tags of known hosts around the user's own words."""
_HTML_TEXT = """
a abbr article aside audio b body br button canvas caption center code col dd del details dialog div dl dt em
fieldset figure footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input kbd label legend li link main
map mark meta nav ol optgroup option p picture pre progress q s samp script section select slot small source span
strong style sub sup svg table tbody td template textarea tfoot th thead time title tr track u ul var video
"""
_HTML = frozenset(_HTML_TEXT.split())


def _without_reasoning(text: str) -> str:
    """Also reasoning without an end, and the end of reasoning without a beginning, where these tags stand on lines of
    their own; elsewhere somebody writes about them.
    """
    tags = [tag for tag in _TAG.finditer(text) if tag[2].lower() in _REASONING]
    ends = sum(1 for tag in tags if tag[1])
    kept: list[str] = []
    at, depth = 0, 0
    for tag in tags:
        begins_line = _begins_line(text, tag.start())
        if not tag[1]:
            if not depth and (ends or begins_line):
                kept.append(text[at : tag.start()])
            depth += 1 if depth or ends or begins_line else 0
            continue
        ends -= 1
        if depth:
            depth -= 1
            at = tag.end()
        elif begins_line or text.startswith("\n", tag.end()):
            kept, at = [], tag.end()
    return "".join(kept if depth else [*kept, text[at:]])


def _without_tags(text: str) -> str:
    """Without blocks of hosts; the user's words inside a block stay. A tag of another name is one of a host where it
    stands at the beginning of a line, has a `_` or `-` or encloses whole lines, and is not HTML.
    """
    ends: dict[str, list[re.Match[str]]] = {}
    tags = list(_TAG.finditer(text))
    for tag in reversed(tags):
        if tag[1]:
            ends.setdefault(tag[2].lower(), []).append(tag)
    kept, at = [], 0
    for tag in tags:
        name = tag[2].lower()
        if tag.start() < at or (tag[1] and name not in _AROUND):
            continue
        if name in _AROUND and (tag[1] or _begins_line(text, tag.start())):
            kept.append(text[at : tag.start()])
            at = tag.end()
            continue
        following = ends.get(name, [])
        while following and following[-1].start() < tag.end():
            following.pop()
        if tag[1] or not following or not _is_of_host(text, tag, following[-1]):
            continue
        kept.append(text[at : tag.start()])
        at = following[-1].end()
    return "".join([*kept, text[at:]])


def _is_of_host(text: str, start: re.Match[str], end: re.Match[str]) -> bool:
    name = start[2].lower()
    if name in _HOSTS:
        return name not in _ORDINARY or _begins_line(text, start.start())
    if name in _HTML or not _begins_line(text, start.start()):
        return False
    if "_" in name or "-" in name:
        return _ends_line(text, end.end())
    return text.startswith("\n", start.end()) and _ends_line(text, end.end())


_NEAR = 100
"""Characters beside a tag that may be blanks."""
_ORDINARY_TEXT = """
context document documents system instructions summary environment workspace permissions cwd
"""
_ORDINARY = frozenset(_ORDINARY_TEXT.split())


def _begins_line(text: str, at: int) -> bool:
    return not text[max(text.rfind("\n", max(at - _NEAR, 0), at) + 1, at - _NEAR, 0) : at].strip()


def _ends_line(text: str, at: int) -> bool:
    return not text[at : at + _NEAR].partition("\n")[0].strip()


_TASK = re.compile(
    r"(?:###\s*Task:\s*\n(?=[\s\S]*###\s*(?:Output|Guidelines|Chat History|Instructions|Examples))"
    r"|This session is being continued from a previous conversation"
    r"|Your task is to create a detailed summary of the conversation"
    r"|(?:Please )?(?:write|generate|create|provide|give|suggest|summari[sz]e)\b[^\n]{0,160}"
    r"\b(?:titles?|tags?|follow-ups?|name)\b[^\n]{0,160}\b(?:conversation|chat|dialogue|messages?|discussion)\b[^\n]*\n[\s\S]*(?:^|\n)\W{0,8}"
    r"(?:user|human|chat history|conversation)\W{0,8}:)",
    re.IGNORECASE,
)
"""A prompt by which a host, not a person, asks for a title, tags or a summary."""
_NOTES = re.compile(
    r"^[ \t]*(?:\[Request interrupted by user[^\]\n]{0,40}\]|\[Image #?\d{0,4}(?::[^\]\n]{0,200})?\]|<image>|"
    r"Caveat: The messages below were generated by the user while running local commands\.[^\n]*)[ \t]*$",
    re.MULTILINE,
)

_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})", re.MULTILINE)
_LINE_CHARACTERS = 400
"""So much of a line is looked at."""
_ERROR = re.compile(
    r"(?:Uncaught |Unhandled |Exception in thread [^\n]{1,80}? |During handling of |Caused by: |panic: |"
    r"fatal(?: error)?: |Traceback \(most recent call last\)|thread '[^']{0,80}' panicked|goroutine \d+ \[|"
    r"Segmentation fault|"
    r"[A-Za-z_$][\w$]*(?:[.:]{1,2}[A-Za-z_$][\w$]*){0,20}(?:Error|Exception|Warning|Panic|Fault)(?:\s*[:(\[]|\s*$)|"
    r"error(?:\[\w{1,12}\]| [A-Z]{1,4}\d{2,6})?: |npm ERR! |E {2,}\w|\[?(?:ERROR|FATAL|CRITICAL|WARN(?:ING)?)\]?[:\s])"
)
_FRAME = re.compile(
    r"\s*(?:File \"[^\"]{1,300}\", line \d+|at (?:async |new )?[\w$.<>\[\]/`*~ -]{1,200}[(:]|at [\w./\\:@-]{1,200}:\d+|"
    r"\.\.\. \d+ (?:more|common frames)|#\d+\s+(?:0x[0-9a-f]{4,}|[\w./:~<>$-]{1,200}\()|"
    r"\d{1,4}: +(?:0x[0-9a-f]{4,}|[\w:<>$]{1,200}::)|"
    r"from [\w./-]{1,200}:\d+|--> [\w./\\-]{1,200}:\d+|[\w./\\-]{1,200}\.\w{1,5}:\d+(?::\d+)?(?:[:)\s]|$)|"
    r"The above exception was the direct|exit status \d+|note: run with `|\^[\^~]*\s*$|~+\^|\|\s)"
)
_LOGGED = re.compile(
    r"\s*(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ,]\s?\d\d:\d\d(?::\d\d)?|\[?\d\d:\d\d:\d\d|\w{3} +\d{1,2} \d\d:\d\d:\d\d |"
    r"\d{1,3}(?:\.\d{1,3}){3} - |\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL|NOTICE)\b|\[\s?\d+\.\d+\] |"
    r"[IWEF]\d{4} \d\d:)"
)
_LEVEL = re.compile(r"\b(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL|NOTICE)\b")
_CHANGE = re.compile(r"(?:diff --git |index [0-9a-f]{7,}\.\.|@@ -\d|--- (?:a/|/dev/null)|\+\+\+ (?:b/|/dev/null))")
_SHELL = re.compile(
    r"(?:[\w.-]{1,60}@[\w.-]{1,60}:[^\n$#]{0,200}[$#] |>>> |\.\.\. |In \[\d+\]:|Out\[\d+\]:|PS [A-Z]:\\)"
)
_LEAST_LOGGED = 3
"""Fewer lines with a time are somebody's notes."""


def _without_pastes(text: str) -> str:
    lines = _without_fences(text).split("\n")
    kinds = [_kind(line[:_LINE_CHARACTERS]) for line in lines]
    if kinds.count("logged") + kinds.count("error") < _LEAST_LOGGED and not any(map(_LEVEL.search, lines)):
        kinds = ["" if kind == "logged" else kind for kind in kinds]
    kept = [line for line, is_pasted in zip(lines, _pasted(lines, kinds), strict=True) if not is_pasted]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _pasted(lines: Sequence[str], kinds: Sequence[str]) -> Iterator[bool]:
    """Lines that are of a kind, and indented, empty or changed ones that follow them."""
    is_in, is_change = False, False
    for line, kind in zip(lines, kinds, strict=True):
        if kind:
            is_change = kind == "change" or (is_change and kind != "error")
            is_in = True
        elif is_in and line.strip():
            is_in = line[:1] in " \t" or (is_change and line[:1] in "+-")
        yield is_in and (bool(kind) or bool(line.strip()))


def _kind(line: str) -> str:
    if _CHANGE.match(line):
        return "change"
    if _ERROR.match(line):
        return "error"
    if _FRAME.match(line) and (line[:1] in " \t#" or not _WORDS.match(line)):
        return "frame"
    if _LOGGED.match(line):
        return "logged"
    return "shell" if _SHELL.match(line) else ""


_WORDS = re.compile(r"(?:at|from) (?:[a-z]+ ){2}")
"""The beginning of a sentence, not of a frame."""


def _without_fences(text: str) -> str:
    """Without code between fences; a fence without an end encloses the rest."""
    kept, at, fence = "", 0, ""
    for mark in _FENCE.finditer(text):
        if not fence:
            kept += text[at : mark.start()]
            fence = mark[1]
        elif mark[1].startswith(fence):
            end = text.find("\n", mark.end())
            at, fence = end if end >= 0 else len(text), ""
    return kept if fence else kept + text[at:]


def _is_error(line: str) -> bool:
    return _ERROR.match(line[:_LINE_CHARACTERS]) is not None


def _is_data(text: str) -> bool:
    """Whether the whole text is one JSON object or list."""
    if text[:1] not in ("{", "[") or text[-1:] not in ("}", "]"):
        return False
    try:
        return isinstance(json.loads(text), (dict, list))
    except (ValueError, RecursionError):
        return False
