"""The words of corrections and of changes, and those that exclude one; English, with few of other languages."""

import re

from remembrancer.domain.capture import language
from remembrancer.domain.capture.phrases import SMALL_TALK
from remembrancer.domain.memories.statements import stem, stems

MEANINGLESS = frozenset(map(stem, language.FILLERS | SMALL_TALK)) | stems(
    "no nope nah yes actually sorry wait oops correction correct meant mean mistake wrong right true false instead"
    " rather longer anymore any more now changed change switched switch become became said say told tell"
    " turns out make made update updated one it that got get gets has have let well hmm oh ah remember note thing fact"
    " again still already just think thought user 's misspoke typo scratch ever since these days today new old want"
    " wants need needs like likes would also too hi hello thanks thank good great fine much many bit lot"
)
"""Words that mean nothing here, those of correction among them."""


def _any(phrases: str, others: str = "") -> re.Pattern[str]:
    """A pattern for each of the phrases, which are patterns with `|` between them, as whole words; or `others`."""
    joined = "".join(line.strip() for line in phrases.splitlines())
    return re.compile(rf"\b(?:{joined})\b{f'|{others}' if others else ''}", re.IGNORECASE)


WRONG = _any(
    r"""i (?:was|am|'m) (?:wrong|mistaken)|i got (?:that|it|this) wrong|i misspoke|i meant|i mixed|mixed .* up|typo|
    my mistake|correction|(?:that|this|it)(?:'s| is| was) (?:not right|wrong|incorrect|false|outdated)|false alarm|
    (?:me suis|m'étais) trompée?|(?:habe?|hatte) mich geirrt|me equivoqué|(?:fue|era) un error"""
)
"""How a sentence says that something was wrong."""
CUE = _any(
    r"""(?:that|this|it)(?:'s| is| was) not|(?:that|this|it) (?:is|was)n't|
    make (?:that|it)|changed?(?: .+)? to|(?:has|have|'s) changed|(?:has|have|got|'ve) moved|
    from (?:now|today|tomorrow) on|no longer|any ?more|any longer|instead|rather than|turns out|turned out|
    these days|switched|rescheduled|i said .+ meant|actually|in fact|
    to be (?:precise|exact)|should (?:be|have been|say|read)|
    as of (?:now|today|\w+)|after all|now|stopped|quit|gave up|given up|
    ya no|en realidad|ahora|jetzt|stattdessen|nicht mehr|doch nicht|niet meer|eigenlijk|non più|
    na verdade|agora|en fait|désormais|ne .+ plus|plus de|ce n'est pas|
    finalement|maintenant""",
    r"^\W*(?:no|nope|nah|actually|sorry|wait|oops|update|nein|doch|eigentlich)\b(?=\s*[,.:;!–—-]|\s*$| \w)"
    r"|\bnot .+ but\b|[,;–—-] ?(?:and |but )?(?:not|nicht|no|pas)\b"
    r"|n't .+[,;] (?:it|that|he|she|they)(?:'s| is| are)\b",
)
"""Words with which people correct what was said. They count less than those of WRONG, and only in a short text or with
a value that is named as wrong.
"""
CHANGE = _any(
    r"""since|by now|nowadays|meanwhile|moved|renamed|retired|left|split|fell through|grew|grown|raised?|increased|
    lowered|reduced|dropped|cut|doubled|halved|cancel\w+|called off|postponed|delayed|pushed|put off|brought forward|
    extended|shortened|measured|weighed|counted|checked|looked it up|
    repainted|rebooked|rebuilt|redone|rewrote|rewritten|reassigned|relocated|used to|(?:a|the|my|our) new|gone off|
    off sick|steps? in|stepped in|takes? over|took over|replaced|swapped|exchanged|upgraded|scrap|scratch|birthday|
    turned|
    went (?:up|down)|broke up|divorced|resigned|fired|promoted|sold|closed|expired|is over|is off|is out|
    double-booked|misread|miscounted|mixed|confused|mistake|umgezogen|geändert|verschoben|inzwischen|mittlerweile|seit|
    jubilado|cambi\w+|desde|changé|depuis|plutôt|invece|adesso|verhuisd|veranderd|mudou"""
)
"""Words that say that something has changed. They count least: many tell only news."""
OLD_VALUES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bi (?:said|wrote|typed|told you)\s+(?P<old>.+?)[,;]?\s+(?:but|and|when)?\s*(?:i\s+)?(?:meant|mean)\s+.+$",
        r"\bfrom\s+(?P<old>(?:(?!\bto\b)[^,;])+?)\s+to\s+.+$",
        r"(?:\bnot|n't)\s+(?P<old>[^,;.]+?)"
        r"(?:,?\s+but\s+|\s*[,;–—]\s*(?:(?:it|that|he|she|they|this)\b\s*(?:'s|is|are|was)?\s*)).+$",
        r"[,;–—-]\s*(?:and |but )?(?:not|no longer|rather than|instead of|nicht|pas)\s+(?P<old>[^,;.!]+)",
        r"\b(?:instead of|rather than|statt|anstatt|en vez de|au lieu de)\s+(?P<old>[^,;.!]+)",
        r"(?:\bnot|n't)\s+(?P<old>\w+(?: \w+){0,3}?)\s+(?:any ?more|any longer|after all)\b",
        r"\bnot\s+(?P<old>[^,;.!]+?)[.!]?$",
        r"\b(?P<old>[\w.:-]+) (?:is|was) (?:wrong|nonsense|outdated)\b",
        r"\bused to be\s+(?P<old>[^,;.!]+)",
    )
)
"""Patterns in which `old` is the value that a text names as wrong; the first one that matches counts."""
ENDING = _any("no longer|any ?more|any longer|stopped|quit|gave up|given up|never again|ya no|nicht mehr")
NEGATIVE = _any(r"not|no|never|without|stopped|quit|nicht|kein\w*|ya no", "n't\\b")
ADDITION = _any("(?<!^)(?:also|another|both|as well|too|additional(?:ly)?|second|sometimes|either|besides|in addition)")
EXCLUDED = _any(
    r"""if|unless|maybe|perhaps|might|could|what would|suppose|imagine|pretend|whether|wonder\w*|hope|wish|
    thinking|considering|back then|when i was|as a (?:child|kid|teenager)|
    last (?:time|year|summer|winter|spring|autumn|fall)|this (?:time|once|morning)|for (?:tonight|now)|just for|
    (?:years?|months?|weeks?|days?) ago|yesterday|in (?:19|20)\d\d|according to|
    (?:he|she|they|customer|doctor|doc|boss|guide|error) (?:said|says|told|thinks|thought|claims|wrote)"""
)
"""What makes a sentence speak of something else."""
UNCHANGED = _any(
    r"""still|stay(?:s|ed)|remain(?:s|ed)?|unchanged|as (?:before|ever|always|it was|they were)|
    (?:has|have|is|was|did|do)(?:n't| not) (?:moved?|changed?|budged?|shifted)|bleib(?:t|en)|siguen?|rest(?:e|ent)"""
)
"""How a clause says that something is as it was."""
SUPPOSED = re.compile(r"^\W*(?:(?:and|but|so|oh)\W+)?(?:if|unless|suppose|imagine|would be)\b", re.IGNORECASE)
"""How a text begins that only supposes something."""
FORGETTING = _any(
    "forget|delete|erase|wipe|(?:do not|don't) (?:remember|save|store|keep)|vergiss|olvida|oublie",
    r"^\W*(?:no|nah|nein|non),? (?:thanks?|problem|worries|danke|merci|gracias)\b",
)
"""Texts that want something forgotten, and courtesies that begin with no."""
