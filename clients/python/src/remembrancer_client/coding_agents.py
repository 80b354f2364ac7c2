"""Requests of coding agents (Claude Code, Codex), which use a provider's protocol in ways of their own.

Where they name a person, they name their installation, with the session in the same field. And not all that has the
role of a user was said by one: they ask for titles and summaries, and start agents of their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from remembrancer_client.authored_text import part_text, parts_of, role_of
from remembrancer_client.end_users import is_blank
from remembrancer_client.host_text import is_task

SESSION_HEADER = "x-claude-code-session-id"
SUBAGENT_HEADERS = ("x-claude-code-agent-id", "x-openai-subagent")
TURN_HEADER = "x-codex-turn-metadata"
_OLDER_NAME = re.compile(r"user_([0-9a-f]{16,})_account_([^\s_]*)_session_(\S+)")


@dataclass(frozen=True)
class Installation:
    """Where an agent runs: the account, else the machine. It stays the same from session to session."""

    name: str
    session_id: str


def installation(user_id: object) -> Installation | None:
    """What Claude Code writes into `metadata.user_id`; None for every other name.

    JSON with `device_id`, `account_uuid` and `session_id`; older versions write
    `user_<device>_account_<account>_session_<session>`.
    """
    if not isinstance(user_id, str):
        return None
    older = _OLDER_NAME.fullmatch(user_id)
    if older is not None:
        device, account, session_id = older.groups()
        return Installation(account or device, session_id)
    try:
        fields = json.loads(user_id) if user_id.startswith("{") else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, Mapping) or not {"device_id", "session_id"} <= fields.keys():
        return None
    names = [str(fields.get(name) or "") for name in ("account_uuid", "device_id")]
    return Installation(next((name for name in names if not is_blank(name)), ""), str(fields["session_id"]))


def is_chore(headers: Mapping[str, str], user_id: object, tools: Any) -> bool:
    """Whether Claude Code asks for itself: a title or the like of a session, which it does without tools."""
    return not tools and (SESSION_HEADER in headers or installation(user_id) is not None)


def is_said_by_a_person(headers: Mapping[str, str], messages: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the last message of a user can be one's own: no agent asks a further one, or for a summary."""
    if any(name in headers for name in SUBAGENT_HEADERS) or not _is_turn(headers.get(TURN_HEADER)):
        return False
    last: Mapping[str, Any] = next((message for message in reversed(messages) if role_of(message) == "user"), {})
    texts = [text for part in parts_of(last) if (text := part_text(part))]
    return not (texts and is_task(texts[-1].strip()))


def _is_turn(told: str | None) -> bool:
    """Whether Codex says that the request is one of a person's turn; it says nothing in older versions."""
    try:
        fields = json.loads(told or "{}")
    except (ValueError, RecursionError):
        return True
    if not isinstance(fields, Mapping):
        return True
    return bool(fields.get("request_kind", "turn") == "turn" and fields.get("thread_source", "user") == "user")
