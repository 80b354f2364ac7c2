"""Finds what could be read as one of the tags around injected text, and rewrites it: `</memories-1>` becomes
`(/memories-1)`.

Found are openings and closings in any case, with blanks, line ends, slashes and combining marks anywhere between their
letters, with letters and brackets that look alike, and with brackets written as an entity or as an escape of a string.
All other text stays as it is.
"""

import re
import unicodedata

NAMES = ("directive", "pinned", "memories")
"""The names of the tags, before a dash and the nonce."""


def rewritten(text: str) -> str:
    """The text without anything that reads as such a tag. Idempotent; invisible characters must have been removed."""
    return _TAG.sub(_in_parentheses, text) if _may_have_one(text) else text


def without_control_tokens(text: str) -> str:
    """The text without the marks by which chat templates begin and end messages, such as `<|im_end|>`: servers of open
    models read them inside messages, too.
    """
    return _CONTROL_TOKEN.sub(r"(\1)", text) if "<" in text or "\uff1c" in text else text


def _may_have_one(text: str) -> bool:
    """Whether a bracket is there, as most texts have none: quicker than to search for tags."""
    if text.isascii():
        return "<" in text or "&" in text or "%" in text or "\\" in text
    return _FIRST.search(text) is not None


def _in_parentheses(match: re.Match[str]) -> str:
    # A mark of style after a bracket that is gone would be invisible.
    return f"({match['name'].lstrip(_STYLES)}{match['tail'] or ''}{')' if match['close'] else ''}"


_OPENING = "<\u02c2\u1438\u2039\u2329\u276c\u276e\u2770\u27e8\u27ea\u2991\u29fc\u3008\u300a\ufe64\uff1c\xab\u226a\u227a"
_CLOSING = ">\u02c3\u1433\u203a\u232a\u276d\u276f\u2771\u27e9\u27eb\u2992\u29fd\u3009\u300b\ufe65\uff1e\xbb\u226b\u227b"
_CODED = r"&(?:amp;)*(?:{name}|#0*{decimal}|#x0*{hexadecimal});?|\\(?:u00|x){hexadecimal}|%{hexadecimal}"
_OPEN = f"(?:[{_OPENING}]|{_CODED.format(name='lt', decimal=60, hexadecimal='3c')})"
_CLOSE = f"(?:[{_CLOSING}]|{_CODED.format(name='gt', decimal=62, hexadecimal='3e')})"
_DASHES = "\\-_~\u2010-\u2015\u2212\ufe58\ufe63\uff0d\uff3f\u2043\u02d7"
# Besides white space what is empty, combines with what is before it, or looks like a slash.
_BLANK = "\\s/\\\\\u2044\u2215\u29f8\u2571\u29f5\uff0f\uff3c\u0300-\u036f\u2800\u200b-\u200d\ufe0e\ufe0f"
_GAP = f"[{_BLANK}]*"
_STYLES = "\u200b\u200c\u200d\ufe0e\ufe0f"
_LOOK_ALIKE = {
    "c": "\u0441\u03f2\u1d04",
    "d": "\u0501\u1d05",
    "e": "\u0435\u0454\u212e\u1d07",
    "i": "\u0456\u03b9\u0269\u0131l1|",
    "m": "\u043c\u1d0d",
    "n": "\u0578\u057c\u0274",
    "o": "\u043e\u03bf\u03c3\u1d0f0",
    "p": "\u0440\u03c1\u1d18",
    "r": "\u0433\u1d26\u0280",
    "s": "\u0455\ua731",
    "t": "\u0442\u03c4\u1d1b",
    "v": "\u0475\u03bd\u1d20",
}


def _letters() -> dict[str, str]:
    """A class for each letter of the names: the letter, its compatibility forms and those that look alike."""
    forms = {letter: letter + look_alike for letter, look_alike in _LOOK_ALIKE.items()}
    for first, last in ((0x1D400, 0x1D6A4), (0x2100, 0x2180), (0x24B6, 0x24EA), (0xFF21, 0xFF5B)):
        for letter in map(chr, range(first, last)):
            plain = unicodedata.normalize("NFKC", letter).lower()
            if plain in forms:
                forms[plain] += letter
    return {letter: f"[{re.escape(forms[letter])}]" for letter in forms}


def _name(name: str) -> str:
    classes = _letters()
    return _GAP.join(classes[letter] for letter in name)


# With the beginning of a nonce, the end of the tag or of the text, or an attribute; not `a < memories of`.
_TAG = re.compile(
    rf"{_OPEN}(?P<name>{_GAP}(?:{'|'.join(map(_name, NAMES))}))(?![^\W\d_])"
    rf"(?={_GAP}(?:[{_DASHES}\d]|\Z|{_CLOSE})|\s+\w[\w:-]{{0,40}}\s*=)"
    rf"(?:(?P<tail>[{_BLANK}{_DASHES}\w]{{0,40}})(?P<close>{_CLOSE}))?",
    re.IGNORECASE,
)
_FIRST = re.compile(f"[{_OPENING}&%\\\\]")
_CONTROL_TOKEN = re.compile(r"[<＜]([|｜][\w▁-]{1,64}[|｜]|(?:start|end)_of_turn)[>＞]")
