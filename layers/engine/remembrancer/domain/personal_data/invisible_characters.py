"""Removes characters that people do not see but models read: a whole sentence can be written in them.

Removed are control characters, Unicode's Default_Ignorable_Code_Point (17.0), interlinear annotations, hieroglyph
controls, fillers, noncharacters and surrogates. Characters that a script or an emoji needs for correct display are
kept, one at a time. The table is part of this module, so that results do not depend on the version of Python.
"""

import re

ZERO_WIDTH_SPACE, NON_JOINER, JOINER = "\u200b", "\u200c", "\u200d"
TEXT_STYLE, EMOJI_STYLE = "\ufe0e", "\ufe0f"

_RUN = re.compile(
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f"
    "\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufdd0-\\ufdef\\ufe00-\\ufe0f\\ufeff\\uffa0"
    "\\ufff0-\\ufffb\\ufffe\\uffff\\U00013430-\\U0001343f\\U00016fe4\\U0001bca0-\\U0001bca3\\U0001d159"
    "\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff"
    + "".join(f"\\U{plane:04x}fffe\\U{plane:04x}ffff" for plane in range(1, 17))
    + "]+"
)
# Scripts whose letters change shape beside a joiner (Unicode core specification, chapters 9, 12 to 14 and 16).
_SHAPED = re.compile(
    "[\\u0620-\\u06ff\\u0710-\\u07ff\\u0840-\\u086a\\u08a0-\\u0dff\\u0f40-\\u109f\\u1780-\\u17b3\\u17b6-\\u17dd"
    "\\u1820-\\u18aa\\u1900-\\u1cff\\ua840-\\ua8ff\\ua930-\\uaaff\\uabc0-\\uabff\\U00010a00-\\U00010aff"
    "\\U00010d00-\\U00010fff\\U00011000-\\U00011fff\\U0001e900-\\U0001e95f]"
)
# Scripts that write no blank between words.
_UNSPACED = re.compile("[\\u0e00-\\u109f\\u1780-\\u17b3\\u17b6-\\u17ff\\u1950-\\u1aad\\ua9e0-\\ua9fe\\uaa60-\\uaadf]")
_EMPTY = re.compile("[\u2800\u115f\u1160\u3164\uffa0]")
_MONGOLIAN_VARIANTS = ("\u180b", "\u180c", "\u180d", "\u180f")
_MONGOLIAN = re.compile("[\\u1820-\\u18aa]")
_EMOJI = re.compile(
    "[\\xa9\\xae\\u203c\\u2049\\u2122\\u2139\\u2190-\\u21ff\\u2300-\\u2328\\u232b-\\u23ff\\u24c2\\u25a0-\\u27bf"
    "\\u2900-\\u297f\\u2b00-\\u2bff\\u3030\\u303d\\u3297\\u3299\\U0001f000-\\U0001faff]"
)
_KEYCAP, _FLAG = "\u20e3", "\U0001f3f4"
_REGIONS = frozenset(
    "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f" for region in ("gbeng", "gbsct", "gbwls")
)


def removed(text: str) -> str:
    """The text without invisible characters; line ends and tabs are kept. Idempotent."""
    return text if text.isascii() and text.isprintable() else _RUN.sub(_needed, text)


def is_blank(text: str) -> bool:
    """Whether nothing of the text can be seen: it has only blanks, invisible characters, and letters that are empty."""
    return not _EMPTY.sub("", _RUN.sub("", text)).strip()


def is_invisible(letter: str) -> bool:
    """Whether a character is invisible, needed for display or not."""
    return _RUN.match(letter) is not None


def _needed(match: re.Match[str]) -> str:
    """The run when it is exactly what its neighbours need for display, else empty."""
    run, text = match[0], match.string
    if len(run) > 6 or match.start() == 0:
        return ""
    before, after = text[match.start() - 1], text[match.end() : match.end() + 1]
    is_needed = (
        (run in (JOINER, NON_JOINER) and _SHAPED.match(before))
        or (run in (JOINER, EMOJI_STYLE + JOINER) and _EMOJI.match(before) and _EMOJI.match(after))
        or (run in (TEXT_STYLE, EMOJI_STYLE) and _EMOJI.match(before))
        or (run == EMOJI_STYLE and before in "#*0123456789" and after == _KEYCAP)
        or (run == ZERO_WIDTH_SPACE and _UNSPACED.match(before) and _UNSPACED.match(after))
        or (run in _MONGOLIAN_VARIANTS and _MONGOLIAN.match(before))
        or (run in _REGIONS and before == _FLAG)
    )
    return run if is_needed else ""
