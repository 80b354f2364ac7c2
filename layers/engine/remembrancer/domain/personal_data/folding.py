"""Folds a text for searching, and maps positions back into the original.

Characters that look alike get one form: compatibility forms (NFKC), digits of all scripts, dashes, blanks and line
ends. Invisible characters and combining marks are dropped, so that they cannot hide a match between two digits or
letters.
"""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from remembrancer.domain.personal_data.invisible_characters import is_invisible

_DASHES = frozenset("\u058a\u05be\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d")
_DOTS = frozenset("\u00b7\u2027\u3002\uff61")
_LINE_ENDS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


@dataclass(frozen=True, slots=True)
class FoldedText:
    """`origins[i]` is the position in the original of the folded text's character `i`; the last is the original's
    end.
    """

    text: str
    origins: range | list[int]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The original span for a non-empty folded span, including the marks that follow its last character."""
        return self.origins[start], max(self.origins[end], self.origins[end - 1] + 1)


def fold(text: str) -> FoldedText:
    """Folds to ASCII, except for letters without an ASCII form."""
    if text.isascii() and text.isprintable():
        return FoldedText(text, range(len(text) + 1))
    letters: list[str] = []
    origins: list[int] = []
    for place, letter in enumerate(text):
        form = letter if " " <= letter <= "~" else _form(letter)
        letters.append(form)
        origins += [place] * len(form)
    return FoldedText("".join(letters), [*origins, len(text)])


@lru_cache(maxsize=4096)
def _form(letter: str) -> str:
    """The folded form of a character: none, one or several characters."""
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
