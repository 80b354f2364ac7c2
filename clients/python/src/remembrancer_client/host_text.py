r"""What hosts and models put into a message: their wrappers, reasoning, templates, and prompts for titles or summaries.

1. Reasoning goes, and the channels and tokens of models around an answer.
2. A prompt that a host made goes as a whole; of a template with retrieved text the question stays.
3. Blocks in the tags of hosts go, or only the tags where the user's own words are inside.
4. Lines and envelopes of hosts go.

A tag, name or phrase in a sentence stays: somebody writes about it. The time that it takes is in proportion to the
length of the text; patterns are written so that JavaScript reads them too (`\x60` is a backtick).
"""

from __future__ import annotations

import re
from collections.abc import Sequence


def without_hosts(text: str) -> str:
    """The text as people and models wrote it to each other; it may be empty."""
    given = text.strip()
    text = without_reasoning(given).strip()
    if is_task(text):
        return ""
    text = _without_notes(_without_blocks(_requested(text)).strip())
    text = _ENVELOPE.sub("", _without_tags(text).strip(), count=1).strip()
    return text if text == given else re.sub(r"\n{3,}", "\n\n", text)


# Reasoning

_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]{0,60})((?:\s[^<>]{0,500})?)>")
_REASONING_MARK = re.compile(
    r"<(/?)([A-Za-z][\w.:-]{0,60})((?:\s[^<>]{0,500})?)>|\[/?(?:THINK|THINKING|REASONING)\]|◁/?think▷|"
    r"<\|(?:START_THINKING|END_THINKING|begin_of_thought|end_of_thought)\|>|<\|channel>thought\b|<channel\|>"
)
_REASONING_END = re.compile(r".?/|<\|(?:END|end)|<channel")
_REASONING_TEXT = """
think thinking thought thoughts reasoning reasoning_content reflection scratchpad inner_monologue internal_monologue
inner_thoughts thought_process thinking_process chain_of_thought antthinking analysis cot
"""
_REASONING = frozenset(_REASONING_TEXT.split())
_REASONING_WORD = re.compile(r"(?:^|[_.:-])(?:think|thinking|thought|thoughts|reasoning)$")
_QUOTES = "`'\"“”‘’«»"
_ABOUT = re.compile(
    r"[ \t]{0,3}(?:(?:tags?|tokens?|blocks?|elements?|is|are|was|were|does|means|and|or|vs\.?)\b|[,.;:)?!](?:\s|$))"
)
"""What follows a tag that a sentence is about."""
_TRIFLE = re.compile(r"[\W_]*+(?:and|or|to|und|et|y)?[\W_]*$")
_CHANNEL = re.compile(
    r"(?:<\|start\|>\w{1,20})?<\|channel\|>[ ]?(\w{1,20})[^<>\n]{0,200}(?:<\|constrain\|>[^<>\n]{0,40})?<\|message\|>"
)
_CHANNEL_END = re.compile(r"<\|(?:end|return|call|start)\|>")
_ANSWER_TOKENS = re.compile(
    r"<\|(?:START_RESPONSE|END_RESPONSE|begin_of_solution|end_of_solution|im_end|eot_id|endoftext)\|>"
)
_RESPONSE_MARKS = ("[BEGIN FINAL RESPONSE]", "Here is my response:")
_RESPONSE_OPENINGS = ("Here are my reasoning steps:", "Here is my thought process:")


def without_reasoning(text: str) -> str:
    """Also reasoning without an end, and the end of reasoning without a beginning, where these marks stand on lines of
    their own; elsewhere somebody writes about them.
    """
    text = _without_channels(text)
    if text.startswith(_RESPONSE_OPENINGS):
        mark = next((mark for mark in _RESPONSE_MARKS if mark in text), "")
        return text.partition(mark)[2].replace("[END FINAL RESPONSE]", "") if mark else ""
    marks = _reasoning_marks(text)
    ends = sum(1 for _, _, is_end in marks if is_end)
    kept: list[str] = []
    at, depth = 0, 0
    for start, after, is_end in marks:
        begins_line = _begins_line(text, start)
        if not is_end:
            if not depth and (ends or begins_line):
                kept.append(text[at:start])
            depth += 1 if depth or ends or begins_line else 0
            continue
        ends -= 1
        if depth:
            depth -= 1
            at = after
        elif begins_line or _ends_line(text, after) or _is_attached(text, start, after):
            kept, at = [], after
    return "".join(kept if depth else [*kept, text[at:]])


def _reasoning_marks(text: str) -> list[tuple[int, int, bool]]:
    """Where marks begin and end, and whether each is an end; without those that a sentence is about."""
    found: list[tuple[int, int, bool]] = []
    for mark in _REASONING_MARK.finditer(text):
        if mark[2] and not _is_reasoning(mark[2].lower()):
            continue
        is_end = _REASONING_END.match(mark[0]) is not None
        if _is_quoted(text, mark.start(), mark.end()) or (not is_end and _ABOUT.match(text, mark.end())):
            continue
        is_told = is_end and found and not found[-1][2] and not _begins_line(text, found[-1][0])
        if is_told and _TRIFLE.match(text[found[-1][1] : mark.start()][:_NEAR]):
            found.pop()
            continue
        found.append((mark.start(), mark.end(), is_end))
    return found


def _is_reasoning(name: str) -> bool:
    return name in _REASONING or _REASONING_WORD.search(name) is not None


def _without_channels(text: str) -> str:
    """Of the channels of gpt-oss only the final one, and no tokens around an answer."""
    if "<|" not in text:
        return text
    kept, at = [], 0
    for head in _CHANNEL.finditer(text):
        if head.start() < at:
            continue
        follows = at > 0 and head.start() - at <= 2
        if not (follows or head[0].startswith("<|start|>") or _begins_line(text, head.start())):
            continue
        end = _CHANNEL_END.search(text, head.end())
        kept.append(text[at : head.start()])
        if head[1] == "final":
            kept.append(text[head.end() : end.start() if end else len(text)])
        at = len(text) if end is None else end.start() if end[0] == "<|start|>" else end.end()
    return _ANSWER_TOKENS.sub("", "".join([*kept, text[at:]]))


# Prompts

_HEAD = 600
"""Characters of the beginning of a prompt that say what it is."""
_OPENINGS = (
    "this session is being continued from a previous conversation",
    "your task is to create a detailed summary of the conversation",
    "critical: respond with text only. do not call any tools.",
    "you are performing a context checkpoint compaction",
    "another language model started to solve this problem and produced a summary",
    "provide a detailed prompt for continuing our conversation",
    "progressively summarize the lines of conversation provided",
    "analyze if this message indicates a new conversation topic",
    "analyze *only* the content and structure of your immediately preceding response",
    "create a concise, 3-5 word phrase as a header for the following query",
    "given the following... please reply with a title for the chat",
    "detect user language and write in the same language an extremely concise title",
    "summarize this coding conversation in under 50 characters",
    "ignore previous instructions. summarize the most important facts",
    "*briefly* summarize this partial conversation",
    "i spoke to you previously about a number of things",
    "first, reason in your scratchpad. then, generate the <state_snapshot>",
    "[suggestion mode:",
    "[error] you did not use a tool in your previous response",
    "this is the gemini cli. we are setting up the context for our chat",
    "here is the user's editor context as a json object",
    "here is a summary of changes in the user's editor context",
    "i have *added these files to the chat*",
    "i have *added some files to the chat*",
    "here are summaries of some files present in my git repository",
    "here are some read only files",
    "i am not sharing any files that you can edit yet",
    "i am not sharing the full contents of any files with you yet",
    "i switched to a new code base. please don't consider the above files",
    "execution result of [",
    "please continue working on the task on whatever approach you think is suitable",
    "stop hook feedback:",
    "base directory for this skill:",
    "called the read tool with the following input",
    "result of calling the ",
    "caveat: the messages below were generated by the user while running local commands",
    "使用四到五个字直接返回这句话的简要主题",
    "简要总结一下对话内容",
    "你是一名擅长会话的助理",
)
"""How messages begin that hosts write as a whole."""
_RULES_OPENING = "# agents.md instructions for"
_TASK_VERB = re.compile(
    r"(?:^|[.!?:\n]\s{0,3}|\bplease |\btask is to |^(?:based on|given|from) [^\n,]{0,100}, )(?:\W{0,3})(?:briefly )?"
    r"(?:write|generate|create|provide|give|suggest|propose|produce|extract|condense|reply with|output|return|"
    r"summari[sz]e|title)\b",
    re.IGNORECASE,
)
_TASK_RESULT = re.compile(
    r"\b(?:titles?|tags?|headers?|follow-?ups?|follow up questions|summar(?:y|ies|i[sz]e|i[sz]ing)|name|topics?)\b",
    re.IGNORECASE,
)
_TASK_SUBJECT = re.compile(
    r"\b(?:conversation|chat|dialog(?:ue)?|discussion|messages?|query|session|exchange|story|transcript|thread)\b",
    re.IGNORECASE,
)
_TASK_FORM = re.compile(
    r"\b(?:\d+|two|three|four|five|six|ten)(?:\s?(?:-|–|to|or)\s?\w+)?[- ](?:words?|characters?)\b|"
    r"\bno (?:additional|other|extra|explanations?)\b|\bwithout any\b|\bnothing else\b|\bomitting punctuation\b|"
    r"\b(?:only|just) (?:return|respond|reply|output)\b|\b(?:return|respond|reply|output|answer) (?:only|just)\b|"
    r"\bJSON\b|\b(?:previous|above|so far|conversation) [^\n]{0,80}\bcontinu",
    re.IGNORECASE,
)
_TRANSCRIPT = re.compile(
    r"(?:^|\n)\W{0,8}(?:user|human|assistant|ai|response|chat history|conversation|transcript)\W{0,8}:|"
    r"<(?:chat|chat_history|conversation|transcript|messages|session)>",
    re.IGNORECASE,
)
_PERSON = re.compile(r"(?<![\w'’])(?:I|I['’](?:m|ve|d|ll)|[Mm]y|[Mm]e)(?![\w'’])")
_SECTIONS = re.compile(
    r"###\s*\W{0,2}(?:Output|Guidelines|Chat History|Instructions|Examples?|Context|Response)", re.IGNORECASE
)


def is_task(text: str) -> bool:
    """Whether a host, not a person, wrote it as a whole: it asks for a title, tags, a summary or the like of the
    conversation in a certain form, or before a transcript; or it begins as a known one does.
    """
    head = text[:_HEAD]
    lower = head.lower()
    if lower.startswith(_OPENINGS):
        return True
    if lower.startswith(_RULES_OPENING):
        return "<INSTRUCTIONS>" not in text
    if re.match(r"###\s*Task:", head):
        return not _is_retrieval(head) and (_SECTIONS.search(text) is not None or "<chat_history>" in text)
    is_transcribed = _TRANSCRIPT.search(text) is not None
    if _orders(_TRANSCRIPT.split(head, maxsplit=1)[0], head, is_transcribed=is_transcribed):
        return True
    last = text[-_HEAD:].rpartition("\n\n")[2]
    return is_transcribed and _TASK_FORM.search(last) is not None and _orders(last, last, is_transcribed=True)


def _orders(instruction: str, head: str, *, is_transcribed: bool) -> bool:
    """Whether nobody who speaks of themselves asks for a title or the like, of a conversation, in a certain form."""
    if _PERSON.search(instruction) or not (_TASK_VERB.search(instruction) or _TASK_FOR.search(instruction)):
        return False
    is_about = _TASK_RESULT.search(instruction) is not None and _TASK_SUBJECT.search(head) is not None
    return is_about and (is_transcribed or _TASK_FORM.search(head) is not None)


_TASK_FOR = re.compile(r"^You are (?:a|an|tasked|responsible)\b[^\n]{0,200}\b(?:titles?|summari)", re.IGNORECASE)

# Templates

_RETRIEVED = re.compile(
    r"\b(?:use|using|given|based|answer|respond|with|from|below|are|is)\b[^\n]{0,120}\b(?:following|below|provided|"
    r"retrieved|given|these|context)\b"
    r"[^\n]{0,80}\b(?:context|documents?|passages?|information|sources?|excerpts?|snippets?|search results|"
    r"conversation|below|above|query)\b|"
    r"^Context information is below|^# The following contents are the search results",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"(?:^|\n)[ \t#*]*(?:the |answer (?:the|this) )?(?:user(?:['’]s)? |human |final |follow[- ]?up )?"
    r"(?:question|query|input|message|q)(?: is)?[ \t]?:[ \t*]*",
    re.IGNORECASE,
)
_ASKED_END = re.compile(
    r"\n[ \t#*]*(?:(?:helpful |final |your |detailed )?(?:answer|response)|context|documents?|sources?|"
    r"standalone question|assistant|ai|chat history|output)\b[^\n:]{0,20}:",
    re.IGNORECASE,
)
_ASKED_TAG = re.compile(r"<(user_query|query|question|user_question)>\s", re.IGNORECASE)
_RETRIEVED_END = re.compile(r"</(?:context|documents?|sources?|search_results)>", re.IGNORECASE)
_REQUEST_MARKS = ("\n## My request for Codex:",)
_TOOL_RESULT = re.compile(r"\[[a-z_]{3,40}(?: for [^\n]{0,500}| to [^\n]{0,200})?\] Result:")
_ANSWER_TAG = re.compile(r"<(/?)(feedback|user_message|answer|task|user_feedback)>")


def _is_retrieval(head: str) -> bool:
    """Whether it begins as a template does, and not as somebody who speaks of themselves."""
    opening = _RETRIEVED.search(head)
    return opening is not None and not _PERSON.search(opening[0] + head[opening.end() :].partition("\n")[0])


def _requested(text: str) -> str:
    """What the user asks in a template around it; the text itself where there is none."""
    for mark in _REQUEST_MARKS:
        if mark in text:
            return text.rpartition(mark)[2]
    if text[:_HEAD].lower().startswith(_RULES_OPENING):
        return text.partition("\n")[2]
    if _TOOL_RESULT.match(text):
        return _answers(text)
    return _question(text) if _is_retrieval(text[:_HEAD]) else text


def _answers(text: str) -> str:
    """What stands in the tags of answers in the result of a tool."""
    kept, at = [], -1
    for tag in _ANSWER_TAG.finditer(text):
        if tag[1] and at >= 0:
            kept.append(text[at : tag.start()].strip())
        at = -1 if tag[1] else tag.end()
    return "\n".join(kept)


def _question(text: str) -> str:
    """The question of a template with retrieved text: in its tag, behind its label, or behind the retrieved text."""
    if tag := _ASKED_TAG.search(text):
        end = text.find(f"</{tag[1]}>", tag.end())
        return text[tag.end() : end if end >= 0 else len(text)]
    last = None
    for label in _ASKED.finditer(text):
        last = label
    if last is not None:
        end_label = _ASKED_END.search(text, last.end())
        return text[last.end() : end_label.start() if end_label else len(text)]
    closed = 0
    for end_tag in _RETRIEVED_END.finditer(text):
        closed = end_tag.end()
    return text[closed:] if closed and text[closed:].strip() else text


# Tags

_HOSTS_TEXT = """
system-reminder system_reminder environment_context environment_details environment_info ide_opened_file ide_selection
ide_diagnostics command-name command-message command-args local-command-stdout local-command-stderr
local-command-caveat bash-input bash-stdout bash-stderr user-prompt-submit-hook post-tool-use-hook new-diagnostics
user_info user_rules project_layout attached_files attached_file file_content open_files
open_and_recently_viewed_files git_status additional_data additional_context context context_files document
documents document_content chat_history workspace_info editor_context editorcontext attachments attachment reminder
reminderinstructions system instructions user_instructions permissions cwd tool_call tool_response function_calls
function_results task-notification turn_aborted environment workspace repo_context repocontext timestamp
user_shell_command info-msg additional_metadata ephemeral_message session_context
"""
_HOSTS = frozenset(_HOSTS_TEXT.split())
"""Tags of known hosts around text that no user wrote."""
_ORDINARY_TEXT = """
context document documents system instructions environment workspace permissions cwd timestamp reminder attachment
attachments
"""
_ORDINARY = frozenset(_ORDINARY_TEXT.split())
"""Of these, the words that people use for their own tags."""
_AROUND_TEXT = """
user_query user_message user_request userrequest user_input user_prompt user_question task feedback answer query
question prompt message response final_answer output reply final solution
"""
_AROUND = frozenset(_AROUND_TEXT.split())
"""Tags of known hosts around the user's or the model's own words."""
_OWN_TEXT = """
a abbr article aside audio b body br button canvas caption center code col dd del details dialog div dl dt em
fieldset figure footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input kbd label legend li link main
map mark meta nav ol optgroup option p picture pre progress q s samp script section select slot small source span
strong style sub sup svg table tbody td template textarea tfoot th thead time title tr track u ul var video
about address bio cv diary draft email facts family letter list mail me menu note notes person plan poem profile quote
recipe resume story text
"""
_OWN = frozenset(_OWN_TEXT.split())
"""HTML, and words that people put around their own texts."""
_HOST_SHAPE = re.compile(r"[_-]|^[a-z]+[A-Z]")
_HOST_DETAILS = re.compile(r"type=[\"']?(?:reasoning|tool_calls|code_interpreter)")
_NEAR = 100
"""Characters beside a tag that may be blanks."""


def _without_tags(text: str) -> str:
    """Without blocks of hosts; the user's words inside a block stay."""
    if "<" not in text:
        return text
    tags = list(_TAG.finditer(text))
    ends = _ends_of(tags)
    kept, at, opened = [], 0, 0
    for place, tag in enumerate(tags):
        name = tag[2].lower()
        if tag.start() < at or _is_quoted(text, tag.start(), tag.end()):
            continue
        if name in _AROUND:
            if opened > 0 if tag[1] else _begins_line(text, tag.start()) and ends[place] is not None:
                kept.append(text[at : tag.start()])
                at = tag.end()
                opened += -1 if tag[1] else 1
            continue
        end = _block_end(text, tag, ends[place])
        if end >= 0:
            kept.append(text[at : tag.start()])
            at = end
    return "".join([*kept, text[at:]])


def _ends_of(tags: Sequence[re.Match[str]]) -> list[re.Match[str] | None]:
    """The end of each tag: its own in pairs of pairs, else the nearest behind it."""
    found: list[re.Match[str] | None] = [None] * len(tags)
    opened: dict[str, list[int]] = {}
    for place, tag in enumerate(tags):
        places = opened.setdefault(tag[2].lower(), [])
        if not tag[1]:
            places.append(place)
        elif places:
            found[places.pop()] = tag
    nearest: dict[str, re.Match[str]] = {}
    for place in range(len(tags) - 1, -1, -1):
        tag = tags[place]
        name = tag[2].lower()
        if tag[1]:
            nearest[name] = tag
        elif found[place] is None:
            found[place] = nearest.get(name)
    return found


def _block_end(text: str, start: re.Match[str], end: re.Match[str] | None) -> int:
    """Where the host's block that begins there ends; -1 for a tag of somebody's own. A known one without an end takes
    its paragraph along.
    """
    if start[1]:
        return -1
    if end is not None:
        return end.end() if _is_of_host(text, start, end) else -1
    name = start[2].lower()
    is_open = name == "details" and _HOST_DETAILS.search(start[3]) is not None
    if is_open:
        return len(text)
    if name not in _HOSTS or name in _ORDINARY or not _begins_line(text, start.start()):
        return -1
    if _ABOUT.match(text, start.end()):
        return -1
    paragraph = text.find("\n\n", start.end())
    return paragraph if paragraph >= 0 else len(text)


def _is_of_host(text: str, start: re.Match[str], end: re.Match[str]) -> bool:
    """A tag of another name is one of a host where it stands at the beginning of a line, has the name of a variable or
    encloses whole lines, and is not somebody's own.
    """
    name = start[2].lower()
    begins_line = _begins_line(text, start.start())
    if name == "details":
        return _HOST_DETAILS.search(start[3]) is not None
    if name in _HOSTS:
        is_told = not begins_line and _TRIFLE.match(text[start.end() : end.start()][:_NEAR]) is not None
        return begins_line or not (name in _ORDINARY or is_told)
    if name in _OWN or name.startswith(("my_", "my-", "our_", "our-")) or not begins_line:
        return False
    if _HOST_SHAPE.search(start[2]):
        return _ends_line(text, end.end()) or _begins_tag(text, end.end())
    return text.startswith("\n", start.end()) and _ends_line(text, end.end())


def _is_attached(text: str, start: int, after: int) -> bool:
    """Whether a mark follows the end of a sentence without a blank, and no sentence is about it."""
    return text[max(start - 1, 0) : start] in tuple(".!?…。") and not _ABOUT.match(text, after)


def _is_quoted(text: str, start: int, end: int) -> bool:
    return text[start - 1 : start] in _QUOTES and text[end : end + 1] in _QUOTES and start > 0 and end < len(text)


def _begins_line(text: str, at: int) -> bool:
    """Whether only blanks and other tags stand before it on its line."""
    line = text[max(text.rfind("\n", max(at - _NEAR, 0), at) + 1, at - _NEAR, 0) : at].strip()
    return not line or (line.endswith(">") and _TAG.match(line) is not None)


def _begins_tag(text: str, at: int) -> bool:
    return text.startswith("<", at)


def _ends_line(text: str, at: int) -> bool:
    return not text[at : at + _NEAR].partition("\n")[0].strip()


# Lines and envelopes

_BLOCKS = (
    ("--- Content from referenced files ---", "--- End of content ---"),
    ("<!-- SYSTEM CONTEXT", "END SYSTEM CONTEXT -->"),
)
_NOTES = re.compile(
    r"^[ \t]*(?:\(no content\)|"
    r"\[Request interrupted by user[^\]\n]{0,40}\]|\[Image(?: #?\d{1,4})?(?:: [^\]\n]{1,200})?\]|<image>|"
    r"\[(?:message_id|System note|Start a new|Start new|Example Chat|Write the next reply|"
    r"Continue your last message|Current working directory|Python interpreter|The command completed with exit code)"
    r"[^\]\n]{0,2000}\]|"
    r"The following is an <EPHEMERAL_MESSAGE> not actually sent by the user\.[^\n]*|"
    r"Caveat: The messages below were generated by the user while running local commands\.[^\n]*)[ \t]*$",
    re.MULTILINE,
)
_PLACEHOLDERS = re.compile(r"\[(?:Image #\d{1,4}|Pasted text #\d{1,4}(?: \+\d+ lines)?)\][ \t]?")
_ENVELOPE = re.compile(
    r"^(?:(?:\[(?:Slack|Discord|Telegram|WhatsApp|Signal|(?:MS |Microsoft )?Teams|Matrix|Mattermost|iMessage|"
    r"Google Chat)"
    r" [^\]\n]{1,200}\]:?|<@[UW][A-Z0-9]{6,20}(?:\|[^<>\n]{0,80})?>|<@[!&]?\d{15,21}>|"
    r"<at(?: id=\"[^\"<>]{0,80}\")?>[^<>\n]{0,80}</at>|"
    r"[A-Z][\w ]{2,40} \(untrusted[^()\n]{0,80}\):\n```(?:json)?\n[^`]{0,4000}\n```)\s*){1,20}"
)
"""How bots of chat programs hand a message on."""


def _without_blocks(text: str) -> str:
    for first, last in _BLOCKS:
        kept, *blocks = text.split(first)
        text = "".join([kept, *(block.partition(last)[2] for block in blocks)])
    return text


def _without_notes(text: str) -> str:
    return _PLACEHOLDERS.sub("", _NOTES.sub("", text)).strip()
