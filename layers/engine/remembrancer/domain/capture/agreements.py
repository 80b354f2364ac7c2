"""What an assistant has agreed with the user: an appointment, a price, a date or a promise that was not rejected.

A sentence of the assistant states one if it has a price or a time to come, or promises something, and is neither a
question nor advice, nor what the user has just said. It holds unless the user's next turn rejects it. What is named
without a verb ("Then Friday at ten") holds once that turn does not, and what is only offered ("we can fit it on
Friday") only if that turn accepts it.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from enum import IntEnum

from remembrancer.domain.capture import occurrence, phrases, selection
from remembrancer.domain.lexical_index.words import written

MOST_CHARACTERS = 1200
"""Longer turns of an assistant explain something."""
MOST_SENTENCES = 4
"""Turns with more sentences that state something explain, too."""
MOST_ACCEPTING = 6
"""Most expressions of assent in a turn that says nothing else."""


class Answer(IntEnum):
    """What the user's next turn does with what was stated; `NONE`: there is none yet, or it is about something else."""

    REJECTED = -1
    NONE = 0
    ACCEPTED = 1


class _Kind(IntEnum):
    OTHER = 0
    OFFERED = 1
    NAMED = 2
    STATED = 3


def agreed(text: str, following: str | None, before: Sequence[str], *, at: datetime) -> str:
    """The sentences of an assistant's turn, said at that time, that were agreed; empty without any.

    `following` is the user's next turn, None where there is none yet; `before` are the user's turns before it.
    """
    if len(text) > MOST_CHARACTERS:
        return ""
    said = answer(text, following)
    if said is Answer.REJECTED:
        return ""
    least = _Kind.OFFERED if said is Answer.ACCEPTED else _Kind.NAMED if following else _Kind.STATED
    sentences = _sentences(text)
    kinds = [_kind(sentence, before, at) for sentence in sentences]
    stands = [kind >= least for kind in kinds]
    if not any(stands) or sum(stands) > MOST_SENTENCES:
        return ""
    for place in range(1, len(sentences)):
        is_pointing = _POINTING.match(sentences[place]) is not None
        stands[place - 1] = stands[place - 1] or (stands[place] and is_pointing and _is_told(sentences[place - 1]))
    return " ".join(sentence for sentence, is_standing in zip(sentences, stands, strict=True) if is_standing)


def _sentences(text: str) -> list[str]:
    """Its sentences; the point behind a day ("am 6. März") ends none."""
    found: list[str] = []
    for sentence in filter(None, selection.sentences_of(text)):
        if found and _DAY.search(found[-1]) and not sentence[:1].isdigit():
            found[-1] = f"{found[-1]} {sentence}"
        else:
            found.append(sentence)
    return found


def answer(text: str, following: str | None) -> Answer:
    """What a user's turn does with what the assistant said before it."""
    first = next((sentence for sentence in selection.sentences_of(following or "") if sentence.strip()), "")
    words = first.strip().lower()
    if not words:
        return Answer.NONE
    rest = _FILLED.sub("", words)
    if _NO.match(rest) and not _NO_PROBLEM.match(rest):
        return Answer.REJECTED
    is_courtesy = not selection.said_in(first) and "?" not in first
    if is_courtesy or _YES.match(rest) or _NO_PROBLEM.match(rest):
        return Answer.REJECTED if _BUT.search(words) else Answer.ACCEPTED
    return Answer.REJECTED if _REJECTS.search(words) or _shares(text, first) else Answer.NONE


def only_accepts(text: str) -> bool:
    """Whether a user's turn says nothing but that something suits: "ooh yes", "booked it, ta"."""
    words = text.strip().lower()
    for _ in range(MOST_ACCEPTING):
        if not words:
            return True
        match = _FILLED.match(words) or _ACCEPTING.match(words)
        if match is None or not match[0]:
            return False
        words = words[match.end() :].lstrip(" ,.!…-")
    return False


def _shares(text: str, first: str) -> bool:
    """Whether it speaks of the same without accepting it: "Tuesdays are bad", "that rate is a joke"."""
    there = {word.lower()[:5] for word in written(text) if len(word) > 3 and word.lower() not in phrases.SMALL_TALK}
    return any(
        word.lower()[:5] in there for word in written(first) if len(word) > 3 and word.lower() not in phrases.SMALL_TALK
    )


def _kind(sentence: str, before: Sequence[str], at: datetime) -> _Kind:
    words = sentence.replace("’", "'")
    if selection.is_marked(words) or _ADVICE.search(words) or _TOLD_BACK.search(words):
        return _Kind.OTHER
    is_promise = _promises(words)
    figures = _FIGURE.findall(words)
    is_timed = _is_to_come(words, at)
    if not (is_promise or is_timed or _PRICE.search(words)):
        return _Kind.OTHER
    if not is_promise and (_PAST.search(words) or (figures and _said(figures, before))):
        return _Kind.OTHER
    if _OFFER.search(words):
        return _Kind.OFFERED
    return _Kind.STATED if is_promise or _has_verb(words) else _Kind.NAMED


def _is_to_come(words: str, at: datetime) -> bool:
    """Whether it has a time of day, or a day that is not past."""
    return (
        _CLOCK.search(words) is not None
        or _TERM.search(words) is not None
        or any(last >= at.date() for _, last in occurrence.meant(words, at))
    )


def _promises(words: str) -> bool:
    """Whether it promises something that has a name or a figure, or is told in two words with a meaning."""
    match = _PROMISE.search(words)
    if match is None:
        return False
    promised = list(written(words[match.end() :]))
    meaning = [word for word in promised if word.lower() not in phrases.SMALL_TALK | _OF_PROMISES]
    return len(meaning) > 1


def _has_verb(words: str) -> bool:
    return _VERB.search(words) is not None or any(word.lower() in phrases.FINITE for word in written(words)[:6])


def _said(figures: Sequence[str], before: Sequence[str]) -> bool:
    """Whether the user said all of these figures before."""
    there = {figure.replace(".", ":") for text in before for figure in _FIGURE.findall(text)}
    return all(figure.replace(".", ":") in there for figure in figures)


def _is_told(sentence: str) -> bool:
    return not selection.is_marked(sentence) and bool(selection.said_in(sentence))


_DAY = re.compile(r"\b(?:am|vom|zum|bis|dem|der|den) [0-3]?\d\.$", re.IGNORECASE)
_TERM = re.compile(
    r"\b(?:within|in|after) (?:\d+|a|an|two|three|four|five|six|seven|ten) (?:working |business )?"
    r"(?:minutes?|hours?|days?|weeks?|months?)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d+(?:[.:,]\d+)*")
_PRICE = re.compile(
    r"[€$£¥]\s?\d|(?<!\d)(?<!\d[.,])\d(?:[.,]?\d)*+\s?"
    r"(?:€|\$|£|¥|(?:euros?|eur|pounds?|quid|dollars?|bucks?|usd|gbp|chf|francs?|franken|cents?|"
    r"pence|yen|kron\w+|zł|rubles?|rupees?|percent|per cent|prozent|por ciento|pour cent)\b|%)",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"\b(?:[01]?\d|2[0-4])[:.][0-5]\d\b(?!\s?(?:€|\$|£|%|euro|pound|percent|\w*[€$£]))|"
    r"\b\d{1,2}\s?(?:am|pm|uhr|o'clock)\b",
    re.IGNORECASE,
)
_PROMISE = re.compile(
    r"\b(?:i|we)(?:(?:'ll| will| shall) (?!not |never |be happy )|(?:'ve| have) (?=(?:\w+ )?(?:\w+ed|put|sent|set|"
    r"made|found|got|"
    r"written|taken|held|kept) ))(?:also |just |now |already )?|"
    r"\bthere will be |\b(?:it|they|you|he|she|\w+)(?:'ll| will) (?:get|receive|have|be (?:sent|delivered|called|"
    r"ready|waiting))\b|"
    r"\byou(?:'re| are)? (?:get(?:ting)?|booked|all set|registered|confirmed)\b",
    re.IGNORECASE,
)
_OF_PROMISES = frozenset(
    [
        "note",
        "noted",
        "remember",
        "keep",
        "mind",
        "update",
        "updated",
        "change",
        "changed",
        "add",
        "added",
        "look",
        "check",
        "ask",
        "think",
        "help",
        "correct",
        "corrected",
        "let",
        "know",
        "sure",
        "try",
        "ready",
        "careful",
    ]
)
_ADVICE = re.compile(
    r"\b(?:should|recommend(?:ed)?|suggest|advi[sc]e|usually|generally|typically|often|most people|might|"
    r"(?<!you )(?-i:may)|you may (?:be|want|need|like|wish|find)|"
    r"consider|ideally|"
    r"if|unless|in general|on average|normally|maybe|perhaps)\b|\byou (?:could|can|might|need|want|would)\b|"
    r"^(?:at|with|for|after|when)\b[^,]*?,? (?:you|that|it|this) (?:get|need|have|is|would|makes)\b(?![^.]*\d)|"
    r"\b(?:sollten?|könnten?|empfehle|würde|debería|podría|recomiendo|devriez|pourriez|conseille|dovrebbe|potrebbe|"
    r"consiglio)\b",
    re.IGNORECASE,
)
_TOLD_BACK = re.compile(
    r"\b(?:as before|as usual|as (?:you|we) (?:said|agreed)|you (?:told|said|gave|mentioned|wrote)|remember(?:ed)? "
    r"that|"
    r"i have (?:that|it|noted)|i see(?= (?:that|you|it|this)\b|[.,!])|so you)\b",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:could|would|shall)\b|\b(?:i|we|you|one|there) can\b|\bcan (?:i|we|you)\b|"
    r"\b(?:is|are) (?:free|available|possible)\b|\bhow about\b",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:was|were|had|did|yesterday|ago|used to)\b", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:is|are|'s|will|costs?|comes?|makes?|starts?|leaves?|arrives?|stays?|books?|booked|reserved|confirmed|"
    r"scheduled|ordered|"
    r"found|follows?|holds?|takes?|ends?|opens?|closes?|has|have|gets?|ist|sind|kostet|kommt|es|son|cuesta|est|sont|"
    r"coûte|è|"
    r"sono|costa|kost|é|são|custa)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(r"(?:it|she|he|they|this|that|these)\b", re.IGNORECASE)

_FILLED = re.compile(
    r"^(?:(?:o+h+|uh|uf+|ah+|a+w+|h+m+|erm?|well|sorry|wow|and|so|haha|lol)\b[,. !…-]*)+", re.IGNORECASE
)
_NO = re.compile(
    r"(?:no|nah|nope|not|don'?t|never|neither|none|nein|nee|non|não|nie|нет|cancel|stop|wait|too bad)\b(?! (?:bad|at "
    r"all bad))",
    re.IGNORECASE,
)
_NO_PROBLEM = re.compile(
    r"(?:no (?:prob(?:lem|s)?|worries|objections?|issue)|not bad|kein problem|don'?t worry|too bad but ok)\b",
    re.IGNORECASE,
)
_YES = re.compile(
    r"(?:y[eau]+[hps]*s*|yup|ok(?:ay|ey)?|k|kk|sure|fine|great|perfect|good|deal|done|agreed|alright|all right|right|"
    r"sounds|that(?:'s| is| works| sounds| suits)(?! (?:too|a|not|bad))|works|suits|cool|brilliant|wonderful|lovely|"
    r"thanks?|thank|"
    r"thx|ta|cheers|let's do|(?:yes )?do (?:that|it|so)|go (?:for it|ahead)|(?:i |we )?(?:just )?book(?:ed)? (?:it|"
    r"that)|"
    r"(?:i|we)(?:'ll| will)? (?:take|be there|do that|come|have it|book)|see you|how kind|logical|excellent|awesome|"
    r"super|amazing|fantastic|legend|lets go|let's go|useful|happy|"
    r"that would be (?:so |very |really )?\w+$|booked|noted|"
    r"diari[sz]ed|book me|put me down|count me in|(?:i )?can't wait|"
    r"you're (?:the best|great|a star)|xx+|bueno|vale|perfecto|gracias|danke|gern|ja|perfekt|passt|oui|merci|parfait|"
    r"grazie|"
    r"perfetto|prima|goed|bedankt|ótimo|obrigad[oa])(?:\b|$)|[👍👌✅🙏😀😊🎉❤]",
    re.IGNORECASE,
)
_ACCEPTING = re.compile(
    rf"(?:(?:{_YES.pattern})(?: (?:good|great|fine|perfect|lovely|me|us|for me|for us|then|please|a lot|so much|you|"
    rf"it|done))*)(?!\w)",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"\b(?:but|however)\b.*\b(?:not|can't|cannot|don't|too|rather|instead|earlier|later|another|different)\b"
)
_REJECTS = re.compile(
    r"\b(?:too (?:much|expensive|late|early|far|long|pricey|dear|high|many)|(?:doesn't|does not|don't|won't|"
    r"wouldn't) (?:work|suit|fit)|"
    r"can't|cannot|skip|cancel|rather|instead|joke|another (?:day|time|date|one)|different (?:day|time|date)|prefer|"
    r"bad for|kill me|no way|impossible|sorry[.! ]*$|"
    r"are bad|is bad|not (?:that|this|on|at)|leider|zu teuer|geht nicht|passt nicht|demasiado|no puedo|trop|troppo|"
    r"te duur)\b"
)
