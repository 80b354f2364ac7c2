"""The one form of a text in which words are indexed and compared, for all scripts (docs/adr/0049-words.md).

1. NFKD and lower case: composed and decomposed letters, full-width and presentation forms are the same.
2. Joiners and marks that writers may leave out go. Marks that spell a word stay: vowel signs, viramas, tones. Letters
   with several forms become one, and digits become ASCII.
3. Sequences with several spellings become one: Hebrew acronyms, Devanagari nasals, Armenian ev, blanks of no width.
4. All other signs become blanks.
"""

import re
import unicodedata
from functools import lru_cache

ZERO_WIDTH_SPACE = "\u200b"
UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf"  # Thai, Lao
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d\u1780-\u17d3\u17d7\u17dc\u17dd"  # Burmese, Khmer
    "\u1950-\u19cf\u1a00-\u1a7f\u1aa0-\u1aad\u1b00-\u1b4c\ua980-\ua9cf\ua9e0-\ua9ef\ua9fa-\ua9fe"  # Tai, Javanese
    "\uaa60-\uaadf\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\u31f0-\u31ff"  # Japanese
)
"""Scripts without blanks between words, as a set of a regular expression; Chinese is in `CHINESE`."""
CHINESE = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"


def folded(text: str) -> str:
    """Lower case, without accents and the like, as words are indexed: blanks and ASCII signs separate words.

    Folding twice changes nothing. ASCII texts only become lower case.
    """
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text).lower()
    forms = {letter: form for letter in set(plain) if letter > "\x7f" and (form := _form(letter)) != letter}
    for letter, form in forms.items():
        if form != " ":
            plain = plain.replace(letter, form)
    plain = unicodedata.normalize("NFKD", plain)  # the order of marks between which something is gone
    for cause, sequence, single in _SEQUENCES:
        if any(letter in plain for letter in cause):
            plain = sequence.sub(single, plain)
    for letter, form in forms.items():
        if form == " ":
            plain = plain.replace(letter, form)
    return plain


def unbroken(text: str) -> str:
    """The text with a letter in place of each mark and joiner, so that `\\w` matches words of all scripts as a whole;
    positions are those of the text.
    """
    if not text.isascii():
        for character in set(text):
            if character > "\x7f" and _is_inside_words(character):
                text = text.replace(character, _ANY_MARK)
    return text


@lru_cache(maxsize=4096)
def _form(character: str) -> str:
    """Of a character that is not ASCII, in NFKD and lower case; a blank for what separates words."""
    if character in _FORMS:
        return _FORMS[character]
    if _OPTIONAL.match(character):
        return ""
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    return character if character.isalnum() else _form_of_sign(character)


def _form_of_sign(character: str) -> str:
    if character == ZERO_WIDTH_SPACE or not _is_inside_words(character):
        return " "
    return "" if unicodedata.category(character) == "Cf" else character


@lru_cache(maxsize=4096)
def _is_inside_words(character: str) -> bool:
    """Whether it is a mark, or a format character such as a joiner: neither ends a word (UAX #29, WB4)."""
    category = unicodedata.category(character)
    return category[0] == "M" or (category == "Cf" and character != ZERO_WIDTH_SPACE)


_ANY_MARK = "ː"

# Accents; Hebrew and Arabic points; Syriac, Samaritan and Ethiopic signs; the nukta of Devanagari; Vedic, Cyrillic and
# musical signs; tones of Chinese; signs around symbols; and what nobody sees: variants, fillers.
_OPTIONAL = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u0816-\u0819\u081b-\u0823\u0825-\u0827"
    "\u0829-\u082d\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u093c\u0951-\u0954\u115f\u1160\u135d-\u135f\u17b4\u17b5"
    "\u180b-\u180d\u180f\u1ab0-\u1aff\u1cd0-\u1cd2\u1cd4-\u1ce8\u1ced\u1cf4\u1cf7-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0"
    "\u2cef-\u2cf1\u2de0-\u2dff\u302a-\u302f\ua66f-\ua672\ua674-\ua67d\ua69e\ua69f\ua8e0-\ua8f1\ufe00-\ufe0f"
    "\ufe20-\ufe2f\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b"
    "\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U000e0100-\U000e01ef]"
)
_FORMS = {
    # Latin and Greek letters that are not decomposed.
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "ς": "σ",
    # Apostrophes that Unicode counts as letters.
    **dict.fromkeys("ʹʻʼʽʾʿˈˮꞌ", " "),
    # Yiddish digraphs.
    "\u05f0": "\u05d5\u05d5", "\u05f1": "\u05d5\u05d9", "\u05f2": "\u05d9\u05d9",
    # Arabic: alef wasla, alef maksura, teh marbuta, and the letters of Persian and Urdu with the same meaning.
    "\u0671": "\u0627", "\u0649": "\u064a", "\u06cc": "\u064a", "\u06a9": "\u0643", "\u0629": "\u0647",
    "\u06c1": "\u0647", "\u06c3": "\u0647", "\u06d5": "\u0647",
    # Letters that only stretch a word, in Arabic and N'Ko.
    "\u0640": "", "\u07fa": "",
    # Devanagari candrabindu as anusvara; letters of Bengali and Malayalam that stand for consonant and virama.
    "\u0901": "\u0902", "\u09ce": "\u09a4\u09cd", "\u0d7a": "\u0d23\u0d4d", "\u0d7b": "\u0d28\u0d4d",
    "\u0d7c": "\u0d30\u0d4d", "\u0d7d": "\u0d32\u0d4d", "\u0d7e": "\u0d33\u0d4d", "\u0d7f": "\u0d15\u0d4d",
}  # fmt: skip
"""Letters with several forms, and the form that counts."""

_UNSPACED = f"[{UNSPACED}\u3400-\u9fff]"
_SEQUENCES = (
    # צה״ל and ג׳ירפה, with any quotation mark or apostrophe, as without.
    ("\"'״׳”“’‘", re.compile("(?<=[\u05d0-\u05f2])(?:[\"״”“]|['׳’‘]{1,2})(?=[\u05d0-\u05f2])"), ""),
    # हिन्दी and हिंदी: a nasal before a consonant of its class.
    ("\u094d", re.compile("(?:ङ(?=्[क-घ])|ञ(?=्[च-झ])|ण(?=्[ट-ढ])|न(?=्[त-ध])|म(?=्[प-भ]))्"), "\u0902"),
    # ԵՐԵՒԱՆ and ԵՐԵՎԱՆ, both written Երևան in lower case.
    ("\u0582", re.compile("\u0565\u0582"), "\u0565\u057e"),
    # Where words have no blanks, only some writers separate them, by blanks of no width.
    (ZERO_WIDTH_SPACE, re.compile(f"(?<={_UNSPACED}){ZERO_WIDTH_SPACE}+(?={_UNSPACED})"), ""),
)
"""Sequences with a single spelling instead, and the characters without which a text has none of them."""
