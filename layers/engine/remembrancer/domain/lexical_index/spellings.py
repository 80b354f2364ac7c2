"""One key for the usual spellings of a name in Latin letters: Mohammed, Muhamad and Muhhamed have the same.

Letters that sound alike are one, double and silent ones go. Of a name with three consonants or more each group of
vowels is only dark (o, u) or light: transliterations differ in these most, and the other letters tell such names apart.
In shorter names every vowel counts: Lena is not Lina.
"""

import re

SHORTEST = 3
"""Letters of a name that has a key, and of its key."""
_CONSONANTS = 3


def spelling_key(name: str) -> str:
    """The key of a word that is folded as in the index; empty for one that is too short, or has other signs than the
    letters from a to z.
    """
    if len(name) < SHORTEST or not name.isascii() or not name.isalpha():
        return ""
    for written, spoken in _SOUNDS:
        name = written.sub(spoken, name)
    if len(_VOWELS.sub("", name)) >= _CONSONANTS:
        name = _VOWELS.sub(lambda group: "o" if group[0][0] in "ou" else "a", name)
    return name if len(name) >= SHORTEST else ""


_VOWELS = re.compile("[aeiou]+")
_SOUNDS = tuple(
    (re.compile(written), spoken)
    for written, spoken in (
        ("ph", "f"),
        ("sch", "s"),
        ("ck|cq|kh|q|ch(?!$)", "k"),
        ("gh", "g"),
        ("dt|th", "t"),
        ("c(?=[eiy])", "s"),
        ("c(?!h)", "k"),
        ("x", "ks"),
        ("tz|z", "s"),
        ("^y(?=[aeiou])", "j"),
        ("y", "i"),
        ("[wv]", "f"),
        ("(?<=[^aeiouc])h|h(?=n)|(?<!c)h$", ""),
        (r"(.)\1+", r"\1"),
        ("(?:ie|ei)$", "i"),
    )
)
"""In this order."""
