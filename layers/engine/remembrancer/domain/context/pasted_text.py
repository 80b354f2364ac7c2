r"""What was pasted into a message: stack traces, logs, output of compilers and shells, differences, code, data.

1. Blocks between fences go where they have code, logs or traces; a poem or an address stays.
2. Each line is of machines by its own shape, likely (it goes beside such a line), or a person's.
3. Likely, indented and code-like lines beside and between lines of machines go with them.

A line in which somebody speaks of themselves stays, whatever it begins with. The time that it takes is in proportion to
the length of the text; patterns are written so that JavaScript reads them too (`\x60` is a backtick).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence

LINE_CHARACTERS = 400
"""So much of a line is looked at."""


def without_pastes(text: str) -> str:
    """The text without what was pasted; unchanged where nothing was."""
    if is_data(text):
        return ""
    unfenced = _without_fences(text)
    lines = unfenced.split("\n")
    is_pasted = _pasted([line[:LINE_CHARACTERS] for line in lines])
    if unfenced == text and not any(is_pasted):
        return text
    kept = [line for line, goes in zip(lines, is_pasted, strict=True) if not goes]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def is_data(text: str) -> bool:
    """Whether the whole text is one JSON object or list."""
    if text[:1] not in ("{", "[") or text[-1:] not in ("}", "]"):
        return False
    try:
        return isinstance(json.loads(text), (dict, list))
    except (ValueError, RecursionError):
        return False


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


_SPEAKS = re.compile(
    r"(?:^|[\s(,;:!?.\"])(?:I|I['’](?:m|ve|d|ll)|[Mm]y|[Mm]ine|[Ww]e|[Ww]e['’](?:re|ve)|[Oo]ur|"
    r"[Ii]ch|[Mm]ein(?:e|en|em|er)?|[Ww]ir|[Jj]e|[Jj]['’]ai|[Nn]ous|[Yy]o)(?=[\s,;:!?.)]|$)"
)
"""A line with one of these words stays: somebody speaks of themselves or of their own people."""
_LEVELS = "DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL|NOTICE"
_PATH = r"(?:[\w.@~+-]*[/\\])?[\w./\\@:~+-]{0,200}\.[A-Za-z]\w{0,5}"

_TRACES = _any_of(
    r"\s*Traceback \(most recent call last\)",
    r"(?:During handling of|The above exception was the direct cause of) ",
    r"Uncaught (?:\(in promise\) ?)?(?:[A-Z]\w*)?(?:Error|Exception)",
    r"Unhandled (?:exception\.|Runtime Error|promise rejection)",
    r"Exception in thread [\"']",
    r"Caused by: [\w$]+(?:\.[\w$]+)+",
    r"panic: runtime error",
    r"thread '[^']{0,80}' (?:\(\d+\) )?panicked at ",
    r"stack backtrace:|Stack trace:\s*$|CallStack \(from ",
    r"note: (?:run with|Some details are omitted)",
    r"goroutine \d+ \[|Require stack:\s*$",
    r"created by [\w./*()]{1,200}(?: in goroutine|\s*$)",
    r"exit status \d+\s*$|Node\.js v\d",
    r"Segmentation fault\s*(?:\(core dumped\))?\s*$|(?:Abort trap|Bus error|Aborted|Killed)\s*(?:: \d+|"
    r"\(core dumped\))\s*$",
    r"Program received signal SIG|==\d+==|SUMMARY: \w*Sanitizer|(?:READ|WRITE) of size \d+ at 0x",
    r"\*\* \(\w[\w.]*\) |\*\* exception error: ",
    r"PHP (?:Fatal error|Parse error|Warning|Notice|Deprecated):  ?",
    r"(?:Fatal error|Warning|Notice|Parse error): .{0,300}(?: on line \d+|, line \d+)\s*$",
    r"\S{1,200}\.rb:\d+:in ",
    r"Thread \d+ (?:Crashed|name)|\s*--- End of ",
    r"(?:GET|POST|PUT|DELETE|PATCH) https?://\S{1,300} (?:\d{3} \(|net::ERR)",
    r"={5,}\s*$|={3,} .{1,120} ={3,}\s*$|_{5,} .{1,120} _{5,}\s*$|FAILED \S{1,200}::|E {2,}\S",
    r"(?:\w+\.){2,}[A-Z]\w*: ",
)  # fmt: skip
_FRAMES = _any_of(
    r"\s*File \"[^\"]{1,300}\", line \d+",
    r"\s*at (?:async |new )?[\w$.<>\[\]/\x60*~+-]{1,200}(?: \[as \w{1,80}\])? ?\([^()\n]{0,300}(?::\d+|native|"
    r"<anonymous>|Unknown Source|Native Method)\)",
    r"\s+at (?:async |new )?[\w$<>\[\]/\x60~+-]{1,120}[.$:][\w$.<>\[\]/\x60~+-]{1,200} ?\(",
    r"\s*at (?:async )?\S{0,200}[/\\.]\S{0,200}:\d+(?::\d+)?\)?\s*$",
    r"\s*at \S{1,200}:\d+:\d+\)?\s*$",
    r"\s*\.\.\. \d+ (?:more|common frames omitted)\s*$",
    r"\s*#\d+\s+(?:0x[0-9a-f]{4,}|\{main\}|\S{0,200}[/\\:]\S{0,200}\()",
    r"\s*\d{1,4}: +(?:0x[0-9a-f]{4,}|<?[\w$]{1,100}::|rust_begin_unwind|__rust)",
    r"\s*(?:\d+: )?from \S{0,200}[/.]\S{0,200}:\d+:in ",
    r"\s*--> \S{1,200}:\d+",
    _PATH + r":\d+(?::\d+)?(?::?\s*$|:in |: [A-Z]\w*(?:Error|Exception)\s*$)",
    r"\s+\([\w ]{1,60}[\d.]*\) \S{1,200}:\d+: ",
    r"\s+in (?:function|call from)\s+\w{1,80}:\w{1,80}/\d",
    r"\s+\w{1,80}, called at \S{1,200}:\d+:\d+",
    r"\d{1,3}\s+\S{1,80}\s+0x[0-9a-f]{4,}\s",
    r"\S{0,120}@(?:https?|file|webpack[\w-]*|moz-extension)://\S{1,300}:\d+:\d+\s*$",
    r"0x[0-9a-f]{6,} in \S",
    r"  thrown in \S{1,300} on line \d+",
    r"[\w./]{1,120}\.[\w()*.]{1,120}\((?:0x[0-9a-f]+[^)]{0,200}|\.\.\.)?\)\s*$",
)  # fmt: skip
_STAMP = r"\W{0,2}(?:\d{4}[-/.]\d\d[-/.]\d\d[T ,]{1,2})?\d\d:\d\d:\d\d"
_LOGS = _any_of(
    r"\W{0,2}\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d[.,]\d{2,}",
    r"\W{0,2}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:?\d\d)",
    r"\W{0,2}\d\d:\d\d:\d\d[.,]\d{3}",
    _STAMP + r".{0,60}\b(?:" + _LEVELS + r")\b",
    r"\[?(?:" + _LEVELS + r")\]?:? {1,4}" + _STAMP,
    _STAMP + r"\]? \[(?:error|warn|notice|info|debug|crit|alert|emerg)\]",
    r"\W{0,2}\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d.{0,8} (?:DEBUG|WARN|ERROR|FATAL|TRACE|CRITICAL)\b",
    r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,80} \S{1,80}?(?:\[\d+\])?: ",
    r"\S{1,60} \S{1,60} \S{1,60} \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d",
    r"\[[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d",
    r"(?:" + _LEVELS + r"):(?:[\w.]{1,80}:\S| {3,}\S)",
    r"\[ {0,6}\d{1,8}\.\d{3,}\] ",
    r"[IWEF]\d{4} \d\d:\d\d:\d\d",
    r"(?:time|ts|level|lvl)=\S{1,60} .{0,200}\w=\S",
    r"\{\"?.{0,300}\"(?:level|severity|lvl|levelname)\" ?: ?",
)
_OUTPUTS = _any_of(
    r"\[(?:DEBUG|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL)\]\s",
    r"npm (?:ERR!|WARN|verb|http)|npm (?:error|warn) [a-z]+ [A-Z/\w]",
    r"Step \d+/\d+ : | ---> |The command '.{1,200}' returned a non-zero code|#\d+ \[\d+/\d+\] | => (?:ERROR|CACHED) ",
    r".{1,300} \([A-Z]\w*(?:Error|Exception)\)\s*$",
    r"\s+[×│╰╭]",
    r"[a-z][\w.-]{1,30}: (?:fatal )?error: |curl: \(\d+\) ",
    r".{1,200}: (?:No such file or directory|Permission denied|Connection refused)\s*$",
    r"compilation terminated\.|Found \d+ errors?(?:\.| in )",
    r"\S{1,200}:\d+:\d+: [A-Z]{1,5}\d{1,5} ",
    r"\s*(?:.{0,300}\[type=\w+, input_value=|For further information visit https?://)",
    r"(?:yarn|pnpm) (?:run|install) v\d|added \d+ packages|\d+ packages are looking for funding",
    r"(?:error|warning)(?:\[\w{1,12}\]| [A-Z]{1,6}\d{2,6}): ",
    r"\s*" + _PATH + r"(?::\d+(?::\d+)?|\(\d+,\d+\))(?::| -) ?(?:fatal )?(?:error|warning|note|info)\b",
    r"\S{1,200}: In (?:function|member function|instantiation of) ",
    r"\s+\d+:\d+\s+(?:error|warning)\s",
    r"\s*[✖✗✘] \d+ problems?",
    r"error: (?:could not compile|aborting due to|failed to (?:push|compile|run)|linking with|pathspec|"
    r"subprocess-exited)",
    r"warning: \x60[\w-]{1,60}\x60 \(",
    r"fatal: (?:not a git|could not|couldn't|unable to|refusing to|repository|remote error|bad (?:object|revision)|"
    r"ambiguous argument|Authentication failed|unknown|cannot|'|No such)",
    r"-?(?:ba|z|da|fi|k)?sh: .{1,200}(?:not found|No such file|denied|expected)",
    r"zsh: (?:command not found|no matches found|permission denied)",
    r"Error response from daemon: |Error from server \(",
    r"ERROR: (?:Could not (?:find a version|install|build)|No matching distribution|pip's dependency|"
    r"Failed building)",
    r"(?:Collecting|Downloading|Installing collected packages:) \S+(?:[<>=~!]\S*)?\s*$|Successfully (?:installed|"
    r"built|uninstalled) \S+-\d|Requirement already satisfied: ",
    r"\s*(?:Compiling|Checking|Downloaded) \S+ v\d|\s{2,}(?:Downloading|Finished|Running) \S",
    r"\[(?:INFO|ERROR|WARNING)\] (?:Scanning for projects|BUILD |Failed to execute goal|-{5,}|Total time|Building |"
    r"Finished at|Re-run Maven|To see the full)",
    r"> Task :|FAILURE: Build failed|\* (?:What went wrong|Try|Exception is):|Execution failed for task|"
    r"BUILD (?:FAILED|SUCCESSFUL) in",
    r"##\[\w+\]|::(?:error|warning|notice|group|endgroup|debug)\b",
    r"make(?:\[\d+\])?: (?:\*\*\*|Entering|Leaving|Nothing)|ninja: ",
    r"ERROR \d{4} \(\w{5}\)|SQLSTATE\[|ORA-\d{5}: |LINE \d+: |Msg \d+, Level \d+",
    r"On branch \S{1,200}\s*$|Your branch is (?:up to date|ahead|behind)|Changes (?:not staged for|to be) commit|"
    r"Untracked files:|no changes added to commit|nothing to commit|\s+\(use \"git ",
    r"commit [0-9a-f]{40}|Author: .{1,80} <\S{0,80}>\s*$|Date: {3}[A-Z][a-z]{2} ",
    r"(?:Process finished with|Command failed with|Process completed with) exit code \d",
    r"(?:NAME|NAMESPACE|CONTAINER ID|REPOSITORY|PID|USER) {2,}.{0,200}(?:STATUS|READY|AGE|IMAGE|TTY|CLUSTER-IP|"
    r"COMMAND)\b",
    r"[bcdlps-](?:[r-][w-][xsStT-]){3}[.+@]? +\d+ ",
)  # fmt: skip
_CHANGES = _any_of(
    r"diff --(?:git|cc|combined) ", r"index [0-9a-f]{7,}\.\.[0-9a-f]{7,}", r"@@ -\d", r"--- (?:a/|/dev/null)",
    r"\+\+\+ (?:b/|/dev/null)", r"(?:new|deleted) file mode \d{6}", r"similarity index \d",
)  # fmt: skip
_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_PROMPT = _any_of(
    r"\(?[\w.-]{0,60}\)? ?[\w.-]{1,60}@[\w.-]{1,60}:[^\n$#]{0,200}[$#](?: |$)",
    r"\[[\w.-]{1,60}@[\w.-]{1,60} [^\]\n]{1,200}\][$#](?: |$)",
    r"[\w.-]{1,60}@[\w.-]{1,60} \S{1,200} % ",
    r"PS [A-Z]:\\[^>\n]{0,200}>|[A-Z]:\\[^>\n]{0,200}>",
    r"\$ [a-z./~_][\w./~-]*(?: |$)",
    r">>> ?\S",
    r"In \[\d+\]: |Out\[\d+\]: ",
)
_ERROR_NAME = re.compile(
    r"(?:[A-Za-z_$][\w$]*(?:\.|::))*[A-Za-z_$][\w$]*[a-z\d](?:Error|Exception|Warning|Panic|Fault)(?:\s*[:(\[]|\s*$)|"
    r"(?:[A-Za-z_$][\w$]{0,80}\.){1,12}(?:Error|Exception)(?::|\s*$)"
)
_LIKELY = _any_of(
    r"\[?(?:" + _LEVELS + r")\]?[:\s]",
    r"(?:[Ee]rror|Exception|[Ww]arning|[Ff]atal(?: error)?|panic|fatal|note|help|hint|Caused by)(?:\[\w+\])?: ",
    _STAMP,
    r"(?:\s*+\d++)?\s++\|(?:\s|$)|\s*\d+\s*\|\s",
    r"\s*[\^~][\^~-]*\s*$",
    r"\.\.\. ",
    r"npm (?:error|warn|notice)|Run [a-z@./]\S*",
    r"\s*[}\])]+[,;]?\s*$",
    r"(?:- )?(?:/|\./|[A-Z]:\\)[\w./\\@-]{1,200}(?::\d+)?\s*$",
    r"\S+(?: {2,}\S+){2,}\s*$|\S+ {2,}\S.{0,200} {2,}\S",
    r"[\w.-]{1,40}: [\w.]{1,60}: ",
)
"""Lines that go beside a line of machines; alone they may be somebody's."""
_CODE = _any_of(
    r"\s{2,}\S",
    r"[a-z_][\w.]*\s*$",
    r".{0,300}[;{}]\s*$",
    r".{0,300}(?:::|=>|->|\\\\|\w\(|\w\[|[\"'\w]\s?[=!]=|0x[0-9a-f])",
    r"[<{}(\[]",
    r"[-=*_#.]{4,}\s*$|\d+ {2,}\S", r"\S{0,200}[/\\]\S{0,200}[/\\]\S*\s*$",
)  # fmt: skip
"""Of code and data, not of sentences."""
_CODE_LINE = _any_of(
    r".{0,300}[;{]\s*$",
    r"\s*[})\]]+[;,)]*\s*$",
    r"\s*(?:async )?(?:def|fn|func|function|class|interface|struct|enum) [\w$]+ ?[(:{<]",
    r"\s*(?:import [\w.{*'\"]|from [\w.]+ import |#include|using [\w.]+;|package [\w.]+|require\()",
    r"\s*(?:const|let|var|val|return|export|public|private|static|if \(|for \(|while \() ?.{0,300}[=({]",
    r"\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|ALTER TABLE|DROP TABLE)\b",
    r"\s*</?[a-zA-Z][\w.-]*[ />]",
    r"\s*[\w$.]{1,80}(?:\[[^\]\n]{0,80}\])? ?[-+*/:]?= ?\S",
    r"\s*[\w$.]{1,80}\([^\n]{0,200}\)\s*$",
    r"\s*#!/", r"\s*@\w+(?:\(|\s*$)",
)  # fmt: skip
_BULLET = re.compile(r"\s*(?:[-*+•] |\d{1,3}[.)] |[a-z]\) )")
_SENTENCE = re.compile(r"[^a-z\W\d_]\w*(?:\s\S+){3,}[.!?]$")
"""A line that begins with a capital letter, has four words and an end of its own."""


def _kind(line: str) -> str:
    """`change`, `prompt`, `machine`, `likely`; empty for a line of a person."""
    if _CHANGES.match(line):
        return "change"
    if _TRACES.match(line) or _FRAMES.match(line) or _LOGS.match(line):
        return "machine"
    if _SPEAKS.search(line):
        return ""
    if _PROMPT.match(line):
        return "prompt"
    if _OUTPUTS.match(line) or _ERROR_NAME.match(line):
        return "machine"
    return "likely" if _LIKELY.match(line) else ""


def _pasted(lines: Sequence[str]) -> list[bool]:
    kinds = [_kind(line) for line in lines]
    goes = list(_goes_by_itself(lines, kinds))
    if not any(goes):
        return goes
    for step in (1, -1):
        _spread(lines, kinds, goes, step)
    _fill_gaps(lines, goes)
    return goes


def _goes_by_itself(lines: Sequence[str], kinds: Sequence[str]) -> Iterator[bool]:
    """Also the lines of a difference, the output of a command, the last line of a Python trace and levels that stand
    below each other.
    """
    removed, added, is_output, awaits = 0, 0, False, ""
    for place, (line, kind) in enumerate(zip(lines, kinds, strict=True)):
        if (removed or added) and line[:1] in ("", " ", "+", "-", "\\") and not line.startswith("@@"):
            removed -= bool(removed) and line[:1] != "+" and line[:1] != "\\"
            added -= bool(added) and line[:1] != "-" and line[:1] != "\\"
            yield bool(line)
            continue
        removed, added = 0, 0
        if hunk := _HUNK.match(line):
            removed, added = int((hunk[1] or "1")[:7]), int((hunk[2] or "1")[:7])
        is_output = kind == "prompt" or (is_output and _is_output(line, kind))
        is_last = (awaits == "trace" and bool(_NAMED.match(line))) or (
            awaits == "panic" and line.strip() != "" and not _SPEAKS.search(line)
        )
        is_level = kind == "likely" and _is_level_beside(lines, place)
        is_message = awaits == "commit" and line[:4].strip() == ""
        yield kind in ("change", "prompt", "machine") or is_output or is_last or is_level or is_message
        awaits = _awaited(line, awaits, is_last=is_last)


_NAMED = re.compile(r"[A-Za-z_][\w.]{0,200}(?:: |:?\s*$)")
_LEVEL = re.compile(r"\[(?:" + _LEVELS + r")\]|(?:" + _LEVELS + r") ")


def _awaited(line: str, awaits: str, *, is_last: bool) -> str:
    """What still has to follow: the name of a Python error, the message of Rust's panic or that of a commit."""
    if "Traceback (most recent call last)" in line:
        return "trace"
    if " panicked at " in line and line.rstrip().endswith(":"):
        return "panic"
    if line.startswith("Date:   ") or (awaits == "commit" and line[:4].strip() == ""):
        return "commit"
    return awaits if awaits == "trace" and not is_last and line[:1] in (" ", "\t") else ""


def _is_level_beside(lines: Sequence[str], place: int) -> bool:
    beside = (lines[at] for at in (place - 1, place + 1) if 0 <= at < len(lines))
    return bool(_LEVEL.match(lines[place])) and any(_LEVEL.match(line) for line in beside)


def _is_output(line: str, kind: str) -> bool:
    """Whether it may be output of a command above it: an empty line and a sentence end it."""
    return bool(line.strip()) and (
        bool(kind) or not (_SPEAKS.search(line) or _SENTENCE.match(line.strip()) or _FENCE.match(line))
    )


def _spread(lines: Sequence[str], kinds: Sequence[str], goes: list[bool], step: int) -> None:
    """To likely lines beside those that go; downwards also to indented lines, upwards to a panic above goroutines."""
    is_beside, is_change, is_below = False, False, False
    for place in range(len(lines))[::step]:
        line = lines[place]
        if goes[place]:
            is_beside, is_change, is_below = True, kinds[place] == "change", line.startswith("goroutine ")
            continue
        is_indented = step == 1 and not is_change and line[:1] in (" ", "\t") and not _BULLET.match(line)
        is_blank = not line.strip()
        is_panic = step == -1 and is_below and bool(_PANIC.match(line))
        is_below = is_below and is_blank
        is_beside = is_panic or (is_beside and not is_blank and (kinds[place] == "likely" or is_indented))
        goes[place] = is_beside


_PANIC = re.compile(r"panic: |fatal error: |\[signal ")
_GAP = 40
"""Most lines between two lines of machines that may be theirs."""


def _fill_gaps(lines: Sequence[str], goes: list[bool]) -> None:
    """Lines like code between two lines that go, go with them."""
    last = -1
    for place in [place for place, is_gone in enumerate(goes) if is_gone]:
        gap = range(last + 1, place)
        if last >= 0 and 0 < len(gap) <= _GAP and all(_is_code_like(lines[at]) for at in gap):
            for at in gap:
                goes[at] = True
        last = place


def _is_code_like(line: str) -> bool:
    return not line.strip() or bool(
        _CODE.match(line) and not _BULLET.match(line) and not _SPEAKS.search(line) and not _FENCE.match(line)
    )


_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})[ \t]*([^`\n]{0,200})$", re.MULTILINE)
_PLAIN_TEXT = """
text txt plain plaintext markdown md quote poem note notes email mail letter list address recipe
"""
_PLAIN = frozenset(["", *_PLAIN_TEXT.split()])
"""Names of fenced blocks that people use for their own words."""


def _without_fences(text: str) -> str:
    """Without fenced code; a fence without an end encloses the rest."""
    if "```" not in text and "~~~" not in text:
        return text
    kept, at, start = [], 0, None
    for mark in _FENCE.finditer(text):
        if start is None:
            start = mark
        elif mark[1].startswith(start[1]) and not mark[2].strip():
            if _is_code_block(start[2], text[start.end() : mark.start()]):
                kept.append(text[at : start.start()])
                at = mark.end()
            start = None
    if start is not None and _is_code_block(start[2], text[start.end() :]):
        return "".join([*kept, text[at : start.start()]])
    return "".join([*kept, text[at:]])


def _is_code_block(name: str, text: str) -> bool:
    first = name.strip().lower().split(" ", 1)[0]
    if first not in _PLAIN:
        return True
    lines = [line[:LINE_CHARACTERS] for line in text.split("\n") if line.strip()]
    return _is_most(lines, lambda line: bool(_CODE_LINE.match(line)) and not _SPEAKS.search(line)) or _is_most(
        lines, lambda line: _kind(line) in ("change", "prompt", "machine")
    )


def _is_most(lines: Sequence[str], is_one: Callable[[str], bool]) -> bool:
    """Whether a third of the lines are such."""
    return bool(lines) and 3 * sum(map(is_one, lines)) >= len(lines)
