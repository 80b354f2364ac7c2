"""Which turns of a conversation say something: rules without a language model (docs/capture.md, Rules).

The word lists are English. A text in another language contains no word of small talk and is kept, unless it is a
single word, or greetings and thanks alone.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from remembrancer.domain.personal_data.invisible_characters import removed

RULES = "rules-2"
"""Version of these rules, in the provenance of the memories made by them."""

STATEMENT = "statement"
ANSWERED = "answered"
NO_STATEMENT = "no_statement"
QUESTION = "question"
ASSISTANT = "assistant"

_SENTENCE = re.compile(r"(?:(?!\s[-–—]\s)[^.!?。！？\n])+[.!?。！？]*")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_FIRST_PERSON = re.compile(
    r"\b(?:i|i['’]m|i['’]ve|i['’]d|i['’]ll|me|my|mine|we|we['’]re|we['’]ve|us|our)\b", re.IGNORECASE
)
_TIME = re.compile(
    r"\b(?:yesterday|ago|last (?:week|month|year|night|spring|summer|autumn|fall|winter|weekend)|since|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|years?|months?|weeks?)\b|\d",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[a-z,;:)'] )[A-Z][\w'-]{2,}")
_ADDRESS = re.compile(
    r"^\W*(?i:hi|hey|hello|thanks|thank you|cheers|bye|goodbye|good (?:morning|afternoon|evening|night)|welcome|dear|"
    r"congrats|congratulations|sorry)(?: again| so much| a lot)?[, ]+[A-Z][\w'-]+(?=\s*(?:[,.!?;:]|$))"
)
"""A greeting or thanks with the name of the other speaker."""
_REACTION = re.compile(
    r"\W*(?:(?:oh|wow|aw+|yeah|hey|cool|nice|great|awesome|thanks|congrats)\b[\w ]{0,12}[,!]? )?"
    r"(?:that|sounds?|looks?|seems?|must|it must|what an?|how|you|your|you're|you've|glad|sorry|so|such)\b",
    re.IGNORECASE,
)
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\U0010ffff]")
_LEAST_REACTING = 3
"""Meaning words that a sentence about the other speaker must contain: praise and comfort contain fewer."""
_ANSWER = re.compile(
    r"\W*(?:yes|yeah|yep|yup|no|nope|nah|correct|right|exactly|sure|ok(?:ay)?|absolutely|definitely|of course|that one|"
    r"that's (?:right|it|correct|the one)|the (?:first|second|third|last|former|latter)(?: one)?|both|neither|"
    r"please do|go ahead|sounds good|do it|agreed|deal|perfect|"
    r"ja|nein|genau|oui|non|exact|sí|si|claro|sì|sim|não|nee)\b",
    re.IGNORECASE,
)

_PUNCTUATION = dict.fromkeys(map(ord, ',;:.!?¡¿…。，、！？～~♪()"'), " ")

_SMALL_TALK = """
a an the and or but so if of to in on for at with from by as about into than then too very really just also still even
quite pretty much more most lot lots such
i i'm im i've i'd i'll me my mine we we're we've us our you you're you've you'd you'll your yours he she it it's its
they they're them their this that that's these those there here be is am are was were been being do does did doing done
has have had having will would can could should may might must gonna wanna
not no don't doesn't didn't can't couldn't won't wouldn't isn't aren't wasn't
hey hi hello yo bye goodbye thanks thank thx cheers please sorry welcome congrats congratulations wow oh ah aw aww haha
lol yeah yep yes yup nope ok okay sure absolutely definitely totally exactly indeed right true agreed agree
great good nice cool awesome amazing wonderful lovely fantastic incredible beautiful gorgeous impressive inspiring
interesting fun funny cute sweet super fab fabulous stunning awe proud happy glad excited pleased sad love loved
like liked enjoy appreciate hope wish luck best care take keep up
know think guess see hear hearing heard sound sounds look looks looking looked seem seems feel feels tell say said
mean means wait let let's go going get got make makes made
well anytime always never ever soon later now today again back way thing things something anything everything one
kind sort bit what when where who why how which whose job work big time
talk chat catch meet seeing meeting chatting talking support supporting supportive helpful thoughtful help helps
"""
SMALL_TALK = frozenset(_SMALL_TALK.split())
"""Words without a meaning of their own: function words, greetings, thanks, praise."""

_COURTESIES = """
hallo guten morgen abend tag tschüss tschüs servus moin danke dank vielen schön schöne dankeschön herzlichen bitte ja
nein okay gut genau klar super alles gerne gern
bonjour bonsoir salut merci beaucoup bien oui non d'accord au revoir bonne journée soirée s'il vous te plaît plait
parfait
hola buenos buenas días dias tardes noches gracias muchas muchísimas por favor sí si vale adiós adios hasta luego claro
perfecto
ciao buongiorno buonasera salve grazie mille tante prego sì no va bene certo perfetto arrivederci
olá ola bom dia boa tarde noite obrigado obrigada muito sim não nao tchau até logo certo perfeito
hoi dag goedemorgen goedemiddag goedenavond dank je jullie u wel bedankt heel erg alstublieft alsjeblieft nee oké prima
goed doei
你好 您好 谢谢 谢谢你 谢谢您 多谢 感谢 好的 好 是的 不客气 再见 早上好 晚上好 嗨
こんにちは こんばんは おはよう おはようございます ありがとう ありがとうございます どうも はい いいえ 了解 了解です
わかりました さようなら
สวัสดี สวัสดีครับ สวัสดีค่ะ ขอบคุณ ขอบคุณครับ ขอบคุณค่ะ ครับ ค่ะ
"""
COURTESIES = frozenset(_COURTESIES.split())
"""Greetings, thanks and assent in other languages: a sentence of nothing else states nothing."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Whether a turn becomes a memory, and why: the reasons are the constants above."""

    is_kept: bool
    reason: str


def choose(
    role: str, text: str, following: str | None, names: Collection[str] = (), *, preceding: str | None = None
) -> Choice:
    """Decides on one turn; `following` is the next turn of the user, None when there is none yet.

    `names` are those of the speakers, in lower case: they do not count as words with a meaning. One such word is enough
    for an answer to a question in `preceding`. An assistant's turn is kept where the user affirms or denies it in words
    that mean nothing alone.
    """
    if role == "assistant":
        if (
            following is not None
            and _is_answer(following, names)
            and (says_something(text, names) or _asks(text, names))
        ):
            return Choice(True, ANSWERED)
        return Choice(False, ASSISTANT)
    if says_something(text, names) or (preceding is not None and _answers(text, preceding, names)):
        return Choice(True, STATEMENT)
    return Choice(False, QUESTION if "?" in text or "？" in text else NO_STATEMENT)


def says_something(text: str, names: Collection[str] = ()) -> bool:
    """Whether any sentence states something; a question does when it contains a name."""
    return any(_states(sentence, names) for sentence in _sentences(text))


def last_question(text: str) -> str:
    """The sentence that a text ends with, where it is a question; otherwise empty."""
    sentences = [sentence.strip() for sentence in _SENTENCE.findall(text) if sentence.strip()]
    return sentences[-1] if sentences and sentences[-1].endswith(("?", "？")) else ""


def _sentences(text: str) -> list[str]:
    return [_ADDRESS.sub("", sentence) for sentence in _SENTENCE.findall(removed(text).replace("’", "'"))]


def _states(sentence: str, names: Collection[str]) -> bool:
    if COURTESIES.issuperset(sentence.lower().translate(_PUNCTUATION).split()):
        return False
    if any(_means(name.lower(), names) for name in _NAME.findall(sentence)):
        return True
    if sentence.rstrip().endswith(("?", "？")):
        return False
    is_first_person = _FIRST_PERSON.search(sentence) is not None
    if is_first_person and _TIME.search(sentence):
        return True
    least = 1 if is_first_person else _LEAST_REACTING if _REACTION.match(sentence) else 2
    return _meaning_words(sentence, names) >= least


def _meaning_words(sentence: str, names: Collection[str]) -> int:
    return sum(_words_in(word) for word in _WORD.findall(sentence) if _means(word.lower(), names))


def _words_in(text: str) -> int:
    """1, or the number of characters in scripts without blanks between words."""
    return max(1, len(_UNSPACED.findall(text)))


def _means(word: str, names: Collection[str]) -> bool:
    """Whether it is a meaning word; a speaker's name is none, nor its beginning, as Mel of Melanie."""
    return len(word) > 1 and word not in SMALL_TALK and not (len(word) > 2 and any(n.startswith(word) for n in names))


def _answers(text: str, question: str, names: Collection[str]) -> bool:
    """Whether it names something in answer to a question, in a sentence that asks nothing itself."""
    asked = question.rstrip().endswith(("?", "？"))
    return asked and any(
        _meaning_words(sentence, names) >= 1 and not _REACTION.match(sentence)
        for sentence in _sentences(text)
        if not sentence.rstrip().endswith(("?", "？"))
    )


def _asks(text: str, names: Collection[str]) -> bool:
    """Whether it is a question about something."""
    return any(
        _meaning_words(sentence, names) >= 1 for sentence in _sentences(text) if "?" in sentence or "？" in sentence
    )


def _is_answer(text: str, names: Collection[str]) -> bool:
    """Whether it affirms, denies or picks one of several, and states nothing else."""
    return _ANSWER.match(text) is not None and not says_something(text, names)
