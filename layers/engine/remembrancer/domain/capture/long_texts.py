"""Texts that are longer than a turn may be: in pieces as far as they can be kept, and marked where they are cut.

What is split or cut here has its personal data replaced before: half of a telephone number is not recognised as one.
"""

from remembrancer.domain.memories.write_request import CONTENT_CHARACTERS

SPEAKER_CHARACTERS = 64
TURN_CHARACTERS = CONTENT_CHARACTERS - SPEAKER_CHARACTERS - 2
"""Most characters of one turn: its memory begins with the speaker."""
MESSAGE_CHARACTERS = 16 * TURN_CHARACTERS
"""Most characters that are kept of one message."""
CUT = "…"
"""Stands where something was cut off."""


def shortened(text: str) -> str:
    """The beginning and the end of a text of more than `MESSAGE_CHARACTERS`, cut between words if there are any."""
    if len(text) <= MESSAGE_CHARACTERS:
        return text
    half = (MESSAGE_CHARACTERS - len(CUT) - 2) // 2
    end = text[-half:]
    begins = next((place + 1 for place in range(_WORD_CHARACTERS) if end[place].isspace()), 0)
    return f"{text[: _place(text, half)].rstrip()}\n{CUT}\n{end[begins:].lstrip()}"


def pieces(text: str) -> list[str]:
    """The text in pieces of at most `TURN_CHARACTERS`, cut between paragraphs, sentences or words, if there are any."""
    found = []
    while len(text) > TURN_CHARACTERS:
        at = _place(text, TURN_CHARACTERS)
        found.append(text[:at].strip())
        text = text[at:].lstrip()
    return [*found, text]


def beginning(text: str, most: int) -> str:
    """At most so many characters from the beginning; `CUT` shows that something follows."""
    return text if len(text) <= most else text[: most - len(CUT)].rstrip() + CUT


def ending(text: str, most: int) -> str:
    """At most so many characters from the end; `CUT` shows that something stands before."""
    return text if len(text) <= most else CUT + text[len(text) - most + len(CUT) :].lstrip()


def _place(text: str, most: int) -> int:
    """Where to cut a text of more than `most` characters, in the second half of these."""
    ends = (text.rfind(end, most // 2, most - 1) for end in _ENDS)
    return next((end + 1 for end in ends if end >= 0), most)


_ENDS = ("\n\n", "\n", ". ", "。", "! ", "? ", " ")
_WORD_CHARACTERS = 200
"""So far behind a cut, a blank is looked for."""
