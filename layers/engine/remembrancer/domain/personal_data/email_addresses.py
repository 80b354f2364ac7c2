"""Finds email addresses in a folded text: in their usual form, and spelled out (`jane at example dot com`).

The words around it distinguish a spelled address from a sentence: `we met at example dot com` has none.
"""

import re
from collections.abc import Iterator

_WRITTEN = re.compile(
    r"(?<![\w.!#$%&'*+/=?^`{|}~-])[\w!#$%&'*+/=?^`{|}~-]{1,64}(?:\.[\w!#$%&'*+/=?^`{|}~-]{1,64}){0,8}"
    r"@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}[^\W\d_](?:[\w-]{0,61}[^\W_])"
)
_AT = re.compile(r"(?P<sign> @ |(?<! )@(?! ))|(?P<bracket> ?[\[({<] ?at ?[\])}>] ?)|(?P<word> at )", re.IGNORECASE)
_DOT = r"(?:\.| ?[\[({<] ?dot ?[\])}>] ?| dot )"
# Matched backwards from its end, over at most `_BEFORE` characters.
_LOCAL = re.compile(
    r"(?<![\w.+%-])[\w+%-]{1,64}(?:(?:" + _DOT + r"| underscore | dash )[\w+%-]{1,64}){0,4}$", re.IGNORECASE
)
_LABEL = re.compile(r"[^\W_](?:[\w-]{0,61}[^\W_])?")
_NEXT_LABEL = re.compile(r"(?P<dot>" + _DOT + r")(?P<label>[^\W_](?:[\w-]{0,61}[^\W_])?)", re.IGNORECASE)
_CUE = re.compile(r"(?:\b(?:e-?mails?|g?mail|address|write|contact|reach|ping)\b)[^.!?\n\d@\[\]]{0,24}$", re.IGNORECASE)
_BEFORE = 96
_MOST_LABELS = 6

_GENERIC = frozenset(
    ("com", "org", "net", "edu", "gov", "mil", "int", "info", "biz", "io", "ai", "app", "dev", "tech", "online", "site")
)
# Two-letter words that are, or look like, country domains.
_WORDS = frozenset(
    (
        "am", "an", "as", "at", "be", "by", "do", "go", "he", "hi", "if", "in", "is", "it", "me", "mr", "my", "no",
        "of", "oh", "ok", "on", "or", "so", "to", "tv", "up", "us", "we",
    )
)  # fmt: skip
# Words that come before "at" in a sentence, and are no name of a mailbox.
_NO_MAILBOX = frozenset(
    (
        "a", "about", "account", "all", "am", "and", "anything", "are", "arrive", "arrived", "available", "away",
        "back", "based", "be", "been", "book", "booked", "bought", "buy", "buying", "check", "checked", "come", "day",
        "dinner", "down", "everything", "find", "found", "go", "going", "good", "guess", "happened", "he", "her",
        "here", "hers", "him", "his", "home", "hosted", "i", "is", "it", "job", "laugh", "laughed", "listed", "live",
        "lived", "lives", "log", "login", "logged", "look", "looked", "looking", "looks", "lunch", "made", "me",
        "meet", "meeting", "meets", "met", "morning", "night", "nobody", "not", "nothing", "office", "one", "online",
        "or", "order", "ordered", "orders", "out", "page", "people", "posted", "price", "published", "read",
        "registered", "sale", "see", "seen", "sell", "sells", "she", "shop", "shopped", "shopping", "shops", "sign",
        "signed", "site", "sits", "smile", "sold", "somebody", "someone", "something", "started", "stay", "stayed",
        "stays", "stop", "stopped", "store", "subscribed", "team", "that", "them", "then", "there", "they", "things",
        "this", "those", "time", "up", "us", "user", "visit", "was", "we", "website", "went", "were", "what", "where",
        "who", "work", "worked", "working", "works", "you",
    )
)  # fmt: skip
_ARTICLES = frozenset(
    (
        "a", "an", "any", "each", "every", "his", "her", "its", "my", "our", "some", "that", "the", "their", "this",
        "those", "your",
    )
)  # fmt: skip


def find(text: str) -> Iterator[tuple[int, int]]:
    """Spans, in any order; they may overlap."""
    if "@" in text:
        for match in _WRITTEN.finditer(text):
            yield match.span()
    for match in _AT.finditer(text):
        span = _spelled(text, match)
        if span is not None:
            yield span


def _spelled(text: str, at: re.Match[str]) -> tuple[int, int] | None:
    if at[0] == "@" and not text.startswith((" dot", "(dot", "[dot"), _end_of_label(text, at.end())):
        # In the usual form, or not at all.
        return None
    domain = _domain(text, at)
    local = _LOCAL.search(text, max(at.start() - _BEFORE, 0), at.start()) if domain else None
    if domain is None or local is None:
        return None
    end, was_spelled = domain
    if at["word"] and not _is_mailbox(text, local, was_spelled=was_spelled):
        return None
    return local.start(), end


def _end_of_label(text: str, start: int) -> int:
    label = _LABEL.match(text, start)
    return label.end() if label else start


def _domain(text: str, at: re.Match[str]) -> tuple[int, bool] | None:
    """The end of the longest domain, and whether its last dot was spelled out."""
    found = None
    first = _LABEL.match(text, at.end())
    end = first.end() if first else -1
    for _ in range(_MOST_LABELS):
        following = _NEXT_LABEL.match(text, end) if end > 0 else None
        if following is None:
            break
        end, label, spelled = following.end(), following["label"].lower(), following["dot"] != "."
        known = label in _GENERIC or (len(label) == 2 and label.isalpha() and label not in _WORDS)
        if known or (not spelled and not at["word"] and label.isalpha() and len(label) > 1):
            found = end, spelled
    return found


def _is_mailbox(text: str, local: re.Match[str], *, was_spelled: bool) -> bool:
    """Whether the word before a bare "at" is the name of a mailbox, rather than a word of the sentence."""
    name = local[0].lower()
    if name in _NO_MAILBOX:
        return False
    before = text[max(local.start() - _BEFORE, 0) : local.start()]
    if _CUE.search(before):
        return True
    words = before.split()
    follows_article = bool(words) and words[-1].lower() in _ARTICLES
    return was_spelled and not follows_article and not (len(name) > 4 and name.endswith(("ing", "ed", "ers")))
