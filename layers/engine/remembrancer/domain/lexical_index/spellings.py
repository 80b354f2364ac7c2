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
    for written, spoken in _ALWAYS:
        name = name.replace(written, spoken)
    for letter, sound, spoken in _SOMETIMES:
        if letter in name:
            name = sound.sub(spoken, name)
    name = _ENDING.sub("i", _DOUBLE.sub(r"\1", name))
    if len(_VOWELS.sub("", name)) >= _CONSONANTS:
        name = _VOWELS.sub(lambda group: "o" if group[0][0] in "ou" else "a", name)
    return name if len(name) >= SHORTEST else ""


_VOWELS = re.compile("[aeiou]+")
_DOUBLE = re.compile(r"(.)\1+")
_ENDING = re.compile("(?:ie|ei)$")
_ALWAYS = (
    ("ph", "f"), ("sch", "s"), ("ck", "k"), ("cq", "k"), ("kh", "k"), ("q", "k"), ("gh", "g"), ("dt", "t"), ("th", "t"),
    ("x", "ks"), ("tz", "s"), ("z", "s"), ("w", "f"), ("v", "f"),
)  # fmt: skip
"""What is written, and what it sounds like, in this order; then what sounds so only beside certain letters."""
_SOMETIMES = tuple(
    (letter, re.compile(written), spoken)
    for letter, written, spoken in (
        ("c", "ch(?!$)", "k"),
        ("c", "c(?=[eiy])", "s"),
        ("c", "c(?!h)", "k"),
        ("y", "^y(?=[aeiou])", "j"),
        ("y", "y", "i"),
        ("h", "(?<=[^aeiouc])h|h(?=n)|(?<!c)h$", ""),
    )
)
