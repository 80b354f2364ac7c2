"""What an assistant has agreed with the user: an appointment, a price, a date or a promise that was not rejected.

`agreement_score` says how surely a sentence settles something, and, once the user's next turn is there, how surely
that accepts it. What is stated is kept at once, an offer or a question when the answer accepts it. What the answer
plainly rejects does not hold, however surely it was stated.
"""

import re
from collections.abc import Sequence

from remembrancer.domain.capture import agreement_score, selection

MOST_CHARACTERS = 1200
"""Longer turns of an assistant explain something."""
MOST_SENTENCES = 4
"""Turns of which more sentences would be kept explain, too."""
LIKELY = -0.5
"""The score from which a sentence holds."""
UNANSWERED = 1.0
"""The score from which a question or an offer holds before the user has answered."""
LOST = -1.5
"""The score below which what was stated holds no more when the user has answered."""
BESIDE = -2.0
"""The score from which a sentence belongs to one that holds in the same turn."""


def agreed(text: str, following: str | None, before: Sequence[str]) -> str:
    """The sentences of an assistant's turn that were agreed; empty without any.

    `following` is the user's next turn, None where there is none yet; `before` are the user's turns before it.
    """
    if len(text) > MOST_CHARACTERS:
        return ""
    listed, said = heard(text, following)
    places = range(len(listed))
    alone = [agreement_score.score(listed, place, before, None) for place in places]
    scores = alone if said is None else [agreement_score.score(listed, place, before, said) for place in places]
    return standing(listed, alone, scores, said)


def heard(text: str, following: str | None) -> tuple[list[str], str | None]:
    """The sentences of the assistant's turn, and what of the user's next turn tells whether it accepts: its first
    sentence; None where there is none.

    A question for more at the end is left out. "No, thanks." answers that alone, and takes what stands before it.
    """
    listed = sentences(text)
    said = next((one for one in selection.sentences_of(following or "") if one.strip()), None)
    if listed and _CLOSING.search(listed[-1]):
        is_of_more = said is not None and _NO.match(said) is not None and _REJECTS.search(said.lower()) is None
        return listed[:-1], _TAKEN if is_of_more else said
    return listed, said


def standing(listed: Sequence[str], alone: Sequence[float], scores: Sequence[float], said: str | None) -> str:
    """Those of a turn's sentences that hold by their scores, `alone` before the user has answered. `said` is the
    answer, None without one.
    """
    is_rejected = said is not None and rejects(said)
    held = [score >= BESIDE for score in scores]
    holds = any(
        score >= _line(sentence, before, said) for sentence, before, score in zip(listed, alone, scores, strict=True)
    )
    if is_rejected or not holds or sum(held) > MOST_SENTENCES:
        return ""
    for place in range(1, len(listed)):
        is_told = bool(selection.said_in(listed[place - 1])) and not selection.is_marked(listed[place - 1])
        held[place - 1] = held[place - 1] or (held[place] and is_told and _POINTING.match(listed[place]) is not None)
    return " ".join(sentence for sentence, is_held in zip(listed, held, strict=True) if is_held)


def _line(sentence: str, alone: float, said: str | None) -> float:
    """The score from which this sentence holds."""
    if agreement_score.waits(sentence):
        return UNANSWERED if said is None else LIKELY
    return LOST if said is not None and alone >= LIKELY else LIKELY


def rejects(said: str) -> bool:
    """Whether it says that what was stated does not suit."""
    words = said.strip().lower()
    rest = _FILLED.sub("", words)
    if _NO_PROBLEM.match(rest) or _YES.match(rest):
        return _BUT.search(words) is not None
    return _NO.match(rest) is not None or _REJECTS.search(words) is not None


def sentences(text: str) -> list[str]:
    """Its sentences; the point behind a day ("am 6. März") ends none."""
    found: list[str] = []
    for sentence in filter(None, selection.sentences_of(text)):
        if found and _DAY.search(found[-1]) and not sentence[:1].isdigit():
            found[-1] = f"{found[-1]} {sentence}"
        else:
            found.append(sentence)
    return found


_DAY = re.compile(r"\b(?:am|vom|zum|bis|dem|der|den) [0-3]?\d\.$", re.IGNORECASE)

_CLOSING = re.compile(
    r"\b(?:(?:any|some)(?:thing|body|one) else|else i can|(?:can|could) i (?:also )?help|sonst noch|algo más|"
    r"autre chose)\b.*\?$",
    re.IGNORECASE,
)
"""A question for more, with which an assistant ends."""
_TAKEN = "Thanks."
"""What a user says who takes what was stated."""
_POINTING = re.compile(r"(?:it|she|he|they|this|that|these)\b", re.IGNORECASE)
"""Begins a sentence that says little without the one before it."""
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
_BUT = re.compile(
    r"\b(?:but|however)\b.*\b(?:not|can't|cannot|don't|too|rather|instead|earlier|later|another|different)\b"
)
_REJECTS = re.compile(
    r"\b(?:too (?:much|expensive|late|early|far|long|pricey|dear|high|many)|(?:doesn't|does not|don't|won't|"
    r"wouldn't) (?:work|suit|fit)|"
    r"can't|cannot|skip|cancel|rather|instead|joke|another (?:day|date|one)|different (?:day|time|date)|prefer|"
    r"bad for|kill me|no way|impossible|sorry[.! ]*$|(?:won't|not) be (?:necessary|needed)|"
    r"(?:another|next) time|(?:thanks|danke|merci|gracias) (?:anyway|trotzdem|quand même|de todos modos)|"
    r"are bad|is bad|not (?:that|this|on|at)|leider|zu teuer|geht nicht|passt nicht|demasiado|no puedo|trop|troppo|"
    r"te duur)\b"
)
