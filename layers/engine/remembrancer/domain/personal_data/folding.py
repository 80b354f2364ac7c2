"""A text as a reader takes it, to be searched, with the way back into the text as it is written.

One form for what looks alike: compatibility forms (NFKC), digits of all scripts, dashes, blanks and line ends. Without
invisible characters and combining marks, so that nothing between two digits or letters hides them.
"""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from remembrancer.domain.personal_data.invisible_characters import is_invisible

_DASHES = frozenset("\u058a\u05be\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d")
_DOTS = frozenset("\u00b7\u2027\u3002\uff61")
_LINE_ENDS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


@dataclass(frozen=True, slots=True)
class Folded:
    """`origins[i]` is the place in the original of the folded text's character `i`; the last is the original's end."""

    text: str
    origins: range | list[int]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span that reads as this one, which is not empty, with the marks that follow its last character."""
        return self.origins[start], max(self.origins[end], self.origins[end - 1] + 1)


def fold(text: str) -> Folded:
    """ASCII but for letters that have no such form."""
    if text.isascii() and text.isprintable():
        return Folded(text, range(len(text) + 1))
    letters: list[str] = []
    origins: list[int] = []
    for place, letter in enumerate(text):
        form = letter if " " <= letter <= "~" else _form(letter)
        letters.append(form)
        origins += [place] * len(form)
    return Folded("".join(letters), [*origins, len(text)])


@lru_cache(maxsize=4096)
def _form(letter: str) -> str:
    """What the letter is compared as: no character, or one or more."""
    if letter in _LINE_ENDS:
        return "\n"
    if is_invisible(letter) or unicodedata.category(letter) in {"Mn", "Me"}:
        return ""
    if letter.isdecimal():
        return str(unicodedata.decimal(letter))
    if letter in _DASHES:
        return "-"
    if letter.isspace():
        return " "
    return "." if letter in _DOTS else unicodedata.normalize("NFKC", letter)
