"""Writes the files with which `adapters.models.vocabulary_file` counts as tiktoken does, without loading a vocabulary.

Splitting a text depends only on the kind of each character. Therefore each character gets a stand-in of one byte with
the same kind, and the pattern is rewritten for stand-ins. Kinds are read from tiktoken's own regular expressions,
because libraries have different versions of Unicode.
"""

import re
from array import array
from binascii import a2b_base64
from zlib import crc32

import numpy as np
import tiktoken

# By property of a pattern, the stand-in of a character that is not ASCII. What is ASCII stands for itself.
_STAND_INS = {
    r"\p{Lu}": "A",
    r"\p{Lt}": "A",
    r"\p{Ll}": "a",
    r"\p{Lm}": "\xaa",
    r"\p{Lo}": "\xaa",
    r"\p{M}": "\x80",
    r"\p{N}": "0",
    r"\s": "\t",
    "(?i:s)": "s",  # the long s; of the letters that a pattern names, no other has a third form
}
_ANYTHING_ELSE = "!"
_CLASSES = {
    r"\p{Lu}": "A-Z",
    r"\p{Lt}": "A-Z",
    r"\p{Ll}": "a-z",
    r"\p{Lm}": r"\xaa",
    r"\p{Lo}": r"\xaa",
    r"\p{M}": r"\x80",
    r"\p{N}": "0-9",
    r"\p{L}": r"A-Za-z\xaa",
}
_PROPERTY = re.compile(r"\\p\{\w+\}")
_SET_OR_PROPERTY = re.compile(r"\[[^]]*\]|\\p\{\w+\}")


def stand_ins() -> bytes:
    """One byte for each code point."""
    characters = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x110000))))
    table = np.full(0x110000, ord(_ANYTHING_ELSE), np.uint8)
    for pattern, stand_in in _STAND_INS.items():
        table[np.frombuffer(_matching(pattern, characters).encode("utf-32-le"), "<u4")] = ord(stand_in)
    table[:128] = np.arange(128)
    return table.tobytes()


def _matching(pattern: str, characters: str) -> str:
    """Those that tiktoken matches: what a pattern does not match is not encoded."""
    every_byte = {bytes([byte]): byte for byte in range(256)}
    encoding = tiktoken.Encoding("probe", pat_str=pattern, mergeable_ranks=every_byte, special_tokens={})
    return bytes(encoding.encode_ordinary(characters)).decode()


def in_stand_ins(pattern: str) -> str:
    """The pattern for the standard library, to be applied to stand-ins as bytes; KeyError for a property unknown."""

    def rewritten(found: re.Match[str]) -> str:
        members = _PROPERTY.sub(lambda one: _CLASSES[one[0]], found[0])
        return members if members.startswith("[") else f"[{members}]"

    return _SET_OR_PROPERTY.sub(rewritten, pattern)


def index(lines: bytes) -> bytes:
    """A hash table of a vocabulary in tiktoken's format, of which a quarter to a half is used.

    Slots of 4 bytes, little-endian: one more than the offset of a token's line, 0 for none. A token is in the slot that
    the low bits of its CRC-32 name, or in the first free one behind it.
    """
    table = array("I", bytes(4 * (1 << (2 * lines.count(b"\n") - 1).bit_length())))
    offset = 0
    for line in lines.splitlines(keepends=True):
        slot = crc32(a2b_base64(line.split()[0])) % len(table)
        while table[slot]:
            slot = (slot + 1) % len(table)
        table[slot] = offset + 1
        offset += len(line)
    return np.array(table, "<u4").tobytes()
