"""Tells the user's wishes to forget or not to keep something ("Forget my key number", "Don't save this") from the rest.

A wish is an order to the assistant at the beginning of a sentence, or behind a comma or "so" where it says please. Its
object decides: what the user said, has or is, what is remembered, or this very turn. What dismisses something in the
chat ("forget it", "forget the pasta, let's cook rice") is none, nor is what is about somebody else's forgetting ("don't
forget to call", "I always forget my keys").
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from remembrancer.domain.capture import phrases, selection
from remembrancer.domain.capture.turns import NOT_WANTED, PENDING, Conversation, Turn

MOST_FRONTED = 8
"""Most blanks in an object that stands before its verb ("My old address, delete that")."""
MOST_CHARACTERS = 600
"""Longer turns are about something else, or pasted."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What memories to be forgotten are about, in the user's words; `is_open`: everything about it."""

    text: str
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Wish:
    """What a turn wishes: topics to be forgotten, what the user said before it (`is_of_before`), everything, or that
    the turn itself is not kept. `rest` is what else the turn says, empty where nothing else is said.

    Of a sentence's wish: whether the sentence before it is what it is about, and whether it says itself what is not to
    be kept.
    """

    topics: tuple[Topic, ...] = ()
    is_of_before: bool = False
    is_of_everything: bool = False
    is_of_turn: bool = False
    rest: str = ""
    is_of_sentence_before: bool = False
    says_what: bool = False


@dataclass(frozen=True, slots=True)
class Heard:
    """A conversation without what its user does not want to be kept, whose turns have no text then, or the rest of it.

    `wishes` are those of pending turns by number; `unwanted` the numbers of turns that are not to be kept.
    """

    conversation: Conversation
    wishes: Mapping[int, Wish] = field(default_factory=dict)
    unwanted: frozenset[int] = frozenset()

    @property
    def without_silent_turns(self) -> Conversation:
        """The conversation as a language model may see it."""
        return replace(self.conversation, turns=[turn for turn in self.conversation.turns if turn.text])


def wish(text: str) -> Wish | None:
    """The wish in a user's turn, or in a request to forget; None without one."""
    if len(text) > MOST_CHARACTERS:
        return None
    found: list[Wish] = []
    rest: list[str] = []
    before = ""
    for sentence in selection.sentences_of(text):
        one = _of_sentence(sentence, before)
        if one is None:
            rest.append(sentence)
        else:
            found.append(one)
            rest = [*(rest[:-1] if one.is_of_sentence_before else rest), one.rest]
        before = sentence
    if not found:
        return None
    left = " ".join(part for part in rest if selection.said_in(part))
    is_of_turn = any(one.is_of_turn for one in found)
    is_alone = is_of_turn and not left and not any(one.says_what for one in found)
    return Wish(
        topics=tuple(dict.fromkeys(topic for one in found for topic in one.topics)),
        is_of_before=any(one.is_of_before for one in found) or is_alone,
        is_of_everything=any(one.is_of_everything for one in found),
        is_of_turn=is_of_turn,
        rest="" if is_of_turn else left,
    )


def apart(conversation: Conversation) -> Heard:
    """The wishes of the end user, and the conversation without them."""
    wishes = {
        turn.number: found
        for turn in conversation.turns
        if turn.role == "user" and turn.text and (found := wish(turn.text)) is not None
    }
    marked = {turn.number for turn in conversation.turns if turn.reason == NOT_WANTED}
    if not wishes and not marked:
        return Heard(conversation)
    unwanted = marked | {number for number, found in wishes.items() if found.is_of_turn}
    by_number = {turn.number: turn for turn in conversation.turns}
    for number, found in wishes.items():
        before = said_before(by_number, by_number[number])
        if found.is_of_before and found.is_of_turn and before is not None and before.state == PENDING:
            unwanted.add(before.number)
    silent = unwanted | {number for number, found in wishes.items() if not found.rest}
    answers = {turn.number for turn in conversation.turns if turn.role == "assistant" and turn.after in silent}
    unwanted |= {number for number in answers if by_number[number].after in unwanted}
    texts = {number: found.rest for number, found in wishes.items()}
    texts |= dict.fromkeys(unwanted | answers, "")
    turns = [replace(turn, text=texts.get(turn.number, turn.text)) for turn in conversation.turns]
    pending = {number: found for number, found in wishes.items() if by_number[number].state == PENDING}
    return Heard(replace(conversation, turns=turns), pending, frozenset(unwanted))


def said_before(turns: Mapping[int, Turn], turn: Turn) -> Turn | None:
    """The user's turn before this one, where it is among the turns by number."""
    before = turns.get(turn.after or 0)
    while before is not None and before.role != turn.role:
        before = turns.get(before.after or 0)
    return before


# Sentences

_SEPARATED = re.compile(r"[,;:–—]\s+|\s[-–—]\s+|\s(?:so|and|but|then)\s+", re.IGNORECASE)
_FILLED = (
    r"(?:(?:ok(?:ay)?|hey|hi|hello|oh|erm?|uhm?|so|and|also|but|actually|sorry|well|now|then|no(?=[,.!])|yes|yeah|"
    r"by the way|btw|again|one more thing|just|wait|hmm|thanks|thank you|maybe|let's|(?:can|could|shall) we|we can|"
    r"[A-Z]\w+(?=,))[,;:.!–—-]*\s+)*"
)
_ASKED = (
    r"(?:(?:please|pls|plz|kindly|just|now)[,]?\s+|"
    r"(?:can|could|would|will|won't) (?:you|u)(?: mind)?\s+|you (?:can|could|may|should|must|need to|have to)\s+|"
    r"i(?: want| need|'d like|'d want| would like| ask|'d ask) you to\s+|"
    r"(?:i'd|i would) (?:like|prefer|appreciate)(?: it)? if you(?:'d| would| could)?\s+|go ahead and\s+|"
    r"make sure (?:you|to)\s+|feel free to\s+|completely\s+|totally\s+|immediately\s+|also\s+|mind\s+|"
    r"(?:it(?:'d| would) be|it's|it is|i(?:'d| would) be) (?:best|better|great|good|nice|kind|lovely|glad|happy|"
    r"grateful) "
    r"(?:if you(?: could)?|to)\s+|(?:you(?:'d| had) )?(?:better|best)\s+|(?:is there )?any chance (?:that )?you "
    r"(?:could|can)\s+|"
    r"(?:would it be|is it) possible (?:for you )?to\s+|is there a way to\s+|(?:may|can|could) i ask you to\s+|"
    r"do me a favou?r and\s+|if you could\s+|(?:would you )?(?:please )?be so (?:kind|good)(?: as)? (?:to|and)\s+)*"
)
_BEGUN = re.compile(_FILLED + f"(?P<asked>{_ASKED})", re.IGNORECASE)
_FORGET = re.compile(r"(?:forget(?:ting)?|forgot)\s+(?P<object>.+)", re.IGNORECASE | re.DOTALL)
_NOT_KEEP = re.compile(
    r"(?:(?:don'?t|do not|never|no need to|there(?:'s| is) no need to|you (?:don'?t|do not) (?:need|have) to|you "
    r"needn't|"
    r"you should(?:n't| not)|i (?:don'?t|do not) want you to|(?:i'd|i would) (?:rather|prefer(?: it)? (?:if|that)) "
    r"(?:you (?:didn't|don't|not)|not "
    r"have you)|"
    r"i(?:'d| would) prefer (?:that )?you (?:didn't|don't|not))(?: ever| please| to)?\s+|"
    r"(?:stop|avoid|refrain from|quit)\s+)(?:\w+ or )?"
    r"(?P<verb>remember(?:ing)?|memori[sz](?:e|ing)|sav(?:e|ing)|stor(?:e|ing)|keep(?:ing)?|record(?:ing)?|"
    r"retain(?:ing)?|"
    r"not(?:e|ing)(?: down)?|writ(?:e|ing) down|jot(?:ting)? down|track(?:ing)?|log(?:ging)?|(?:hold|hang)(?:ing)? "
    r"on to|know(?:ing)?)\b(?P<object>.*)",
    re.IGNORECASE | re.DOTALL,
)
_DELETES = (
    r"(?:(?:delet|remov|eras)(?:e|ed|ing)|clear(?:ed|ing)?|wip(?:e|ed|ing)(?: out)?|drop(?:ped|ping)?|scrub(?:bed|"
    r"bing)?|"
    r"purg(?:e|ed|ing)|g[eo]t(?:ting)? rid of|discard(?:ed|ing)?|strik(?:e|ing)(?: out)?|struck|scratch|scrap|ditch|"
    r"lose|"
    r"un-?(?:learn(?:ing)?|remember|save|hear|log|note|tell|say|store|write|know)|bin|trash|nuke|zap|shred|burn|dump|"
    r"toss|"
    r"chuck|kill|flush|redact|expunge|obliterate|omit|strip|pull|bury|banish|"
    r"(?:cross|throw|take|leave|cut|rub|black|blank|clean|blot|weed) (?:out|off|away)|(?:off|out|away) with|let go of)"
)
_DELETE = re.compile(rf"{_DELETES}\s+(?P<object>.+)", re.IGNORECASE | re.DOTALL)
_MEMORY = r"(?:memor(?:y|ies)|notes?|records?|mind|database|files?|history|profile|head|system|storage)"
_NO_RECORD = r"(?:saved|stored|kept|recorded|remembered|noted|written down|on (?:file|record))"
_KEPT_OUT = re.compile(
    r"(?:(?:this|that|what i(?:'m| am)? \w+(?: \w+)*) (?:is|was|stays) )?off the record\b|"
    rf"(?:keep|leave) (?:this|that|it|these|all this)(?: \w+)? out of (?:your|the) {_MEMORY}\b|"
    rf"(?:this|that)(?: one| bit| part)? (?:stays|should stay|must stay) (?:out of|off) (?:your|the) {_MEMORY}\b|"
    r"(?:(?:this|that|it|the (?:next|following) \w+|what (?:comes|i say|i tell you) (?:next|now)|(?:this|that) one)"
    r"(?:(?:'s| is| are)(?: strictly| really)?|(?= isn't| aren't)) ?)?"
    rf"(?:not|isn't|aren't) (?:to be |being |meant to be )?(?:{_NO_RECORD}|for (?:your|the) (?:{_MEMORY}|storage))\b|"
    rf"(?:this|that|it) (?:doesn't|does not|needn't|mustn't|must not|shouldn't|should not|isn't to)(?: need to)? "
    rf"(?:be {_NO_RECORD}|"
    rf"(?:go|end up|get) (?:in|into|on) (?:your|the) {_MEMORY})\b|"
    rf"(?:don'?t|do not|never) (?:let (?:this|that|it) (?:get|go|end up) (?:in|into|on)|(?:put|add|write|enter|file|"
    rf"include) "
    rf"(?:this|that|it|any of this|these) (?:down )?(?:in|on|to|into)) (?:(?:your|the|any) {_MEMORY}|file|record)\b|"
    r"(?:(?:don'?t|do not|never)(?: you dare)?|(?:there(?:'s| is) )?no need to|you (?:don'?t|do not|needn't)(?: "
    r"(?:need|have) to)?) "
    r"(?:write|note|jot|put|take|type|mark) (?:this|that|it|any of (?:this|that))(?: one| bit)? down"
    r"(?=\s*(?:$|[,:;.!–—-]|(?:but|and|please|pls|anywhere)\b))|"
    r"(?:(?:don'?t|do not)(?: you dare)?|never) (?:make|take) (?:a |any )?notes? (?:of|on|about) (?:this|that|it)\b|"
    r"(?:don'?t|do not) you dare (?:save|remember|store|keep|record) (?:this|that|it)\b|"
    r"no (?:notes|record|trace) (?:on|of|about|for) (?:this|that)\b|no (?:notes|saving|storing|recording)[,:]? "
    r"(?:please|pls)\b|"
    r"(?:please )?(?:skip|refrain from|avoid) (?:saving|storing|remembering|recording|noting|keeping) (?:it|this|"
    r"that)\b|"
    r"without (?:saving|storing|remembering|recording|noting|keeping) (?:it|this|that)(?: down)?\s*[:,–-]|"
    r"(?:forget|delete|erase|wipe) (?:this|what i(?:'m| am) (?:about|going) to (?:say|tell you)|what i tell you now|"
    r"what follows)"
    r"(?: again| right away| afterwards| right after(?:wards)?| at once| immediately)*\s*[:–—-]|"
    r"you (?:didn't|never|haven't) hear(?:d)? (?:this|that|it) from me\b|i never (?:said|told you) (?:this|that|it)\b",
    re.IGNORECASE,
)


def _of_sentence(sentence: str, previous: str) -> Wish | None:
    """The wish in a sentence; `previous` is the one before it in the turn, which "delete that" may be about."""
    for start in (0, *(separator.end() for separator in _SEPARATED.finditer(sentence))):
        begun = _BEGUN.match(sentence, start)
        place, is_asked = (begun.end(), bool(begun["asked"])) if begun else (start, False)
        before = sentence[:start].rstrip(" ,;:–—-")
        pointed = _pointed(sentence[place:], before or previous)
        if pointed is not None:
            return replace(pointed, is_of_sentence_before=not before)
        found = _at(sentence[place:], is_first=start == 0, is_asked=is_asked)
        if found is not None:
            said = [part for part in (before, found.rest) if len(part.split()) > 1]
            return replace(found, rest=". ".join(said))
    return _in_another_language(sentence) or _hinted(sentence)


def _at(text: str, *, is_first: bool, is_asked: bool) -> Wish | None:
    """The wish that begins here; behind other words only one that says please, or says not to keep this."""
    if kept_out := _KEPT_OUT.match(text):
        return Wish(is_of_turn=True, says_what=_SAYS_WHAT.search(text, kept_out.end() - 1) is not None)
    if is_first or is_asked:
        if match := _FORGET.match(text):
            return _forgotten(*_object(match["object"]), is_asked=is_asked)
        if found := _deleted(*_object(match["object"])) if (match := _DELETE.match(text)) else None:
            return found
    if match := _NOT_KEEP.match(text):
        return _not_kept(match["verb"].lower(), match["object"].strip(), is_first=is_first, is_asked=is_asked)
    is_told = is_asked or not selection.is_marked(text) or text[:4].lower() in ("can ", "coul", "may ")
    return _indirect(text) if (is_first or is_asked) and is_told else None


def _indirect(text: str) -> Wish | None:
    """What should be forgotten, or should not be known, without an order: "the thing about Tom can go"."""
    for pattern, object_of in _INDIRECT:
        if match := pattern.match(text):
            said = _ENDING.sub("", match["object"].strip(" ,"))
            return _remembered(said, _Object.OWN if match.groupdict().get("place") else object_of)
    return None


def _remembered(said: str, object_of: "_Object") -> Wish | None:
    """A wish about what is remembered; where the sentence says nothing of a memory, its object must."""
    said = said.removeprefix("about ").removeprefix("of ")
    if said.lower() in _POINTING:
        return Wish(is_of_turn=True, says_what=True) if object_of is _Object.OWN else None
    if whole := _whole(said):
        return whole
    if told := _NEVER_TOLD.fullmatch(said):
        return Wish((Topic(told["topic"]),))
    if topic := _topic(said):
        return Wish((topic,))
    patterns = (_OF_DATA, _TOLD, _MATTER) if object_of is _Object.REMEMBERED else (_OF_DATA, _TOLD, _MATTER, _MINE)
    topic = _first_topic(patterns, said) or (Topic(said) if object_of is _Object.ANY else None)
    return Wish((topic,)) if topic else None


_SAYS_WHAT = re.compile(r"[:,;–—-]\s*\S+\s+\S+|\b(?:but|and|because|since|as)\s+\w+\s+\w+")
_ENDING = re.compile(
    r"(?:[\s,]+(?:please|pls|plz|thanks|thank you|ok(?:ay)?|now|again|immediately|right away|for me|completely|"
    r"entirely|too|"
    r"as well|on (?:file|record)|anywhere|por favor|per favore|bitte|s'il (?:te|vous) pla[iî]t|alsjeblieft|anymore|"
    r"any more|any longer|altogether|forever|for good|will you|would you|if (?:you|that's|it's) "
    r"(?:can|could|possible|okay|ok)|at once|then))*[\s.!?…,;:)]*$",
    re.IGNORECASE,
)
_NEXT = re.compile(
    r"\s*(?:[,;–—]|\s-\s)\s*(?:(?:and|but|because|since|as|so)\s+)?"
    r"(?=(?:i|i'm|i've|i'll|i'd|we|we're|we've|my|our|it|it's|that|that's|he|he's|she|she's|they|the|there|this|"
    r"these|what|how|"
    r"can|could|just|use|instead|give|show|go|do|rather|let's|\w+ing)\b)|"
    r"\s+(?:because|since|as|but)\s+(?=(?:i|i'm|i've|we|my|our|it|it's|he|she|they|the)\b)|"
    r"\s+and\s+(?=(?:i|i'm|i've|we|let's|use|just|go|do|give|show)\b)",
    re.IGNORECASE,
)
_OWN = re.compile(r"(?:i|i'm|i've|i'll|i'd|we|we're|we've|my|our)\b", re.IGNORECASE)
_NEW = re.compile(r"\d|\b(?:now|new|instead)\b|\s[A-Z]\w")
_INSTEAD = re.compile(
    r"(?:let's|what|how|can|could|just|use|instead|give|show|go|do|rather|i'll (?:take|have|go|use|try)|"
    r"i(?:'d)? (?:prefer|rather|want)|we'll)\b",
    re.IGNORECASE,
)


def _object(text: str) -> tuple[str, str]:
    """What the verb is about, without politeness, and the clauses behind it."""
    cut = _NEXT.search(text)
    said, after = (text[: cut.start()], text[cut.end() :]) if cut else (text, "")
    return _ENDING.sub("", said.strip()), after.strip()


def _rest(after: str) -> str:
    """Of the clauses behind a wish, what is so instead; the others say why."""
    return after[:1].upper() + after[1:] if _OWN.match(after) and _NEW.search(after) else ""


# Objects of wishes

_SAID = (
    r"(?:said|say|told you|mentioned|wrote|sent|shared|typed|talked|spoke|discussed|pasted|gave you|gave)"
    r"(?: to you| with you| you)?"
)
_KNOWN = r"(?:know|knew|learned|learnt|remember|remembered|saved|stored|have|noted|recorded|kept|wrote down)(?: down)?"
_ABOUT = r"(?:about|regarding|concerning|on|related to|relating to|to do with|of|with)"
_DATA = (
    r"(?:number|address|e?-?mail address|birthday|birth ?date|date of birth|age|name|surname|nickname|password|"
    r"passcode|pin|"
    r"code|phone|iban|blood (?:type|group)|salary|income|weight|height|diagnosis|allerg(?:y|ie)|location|details?|"
    r"information|info|secret|"
    r"token|"
    r"key|credential|plate)"
)
_PREVIOUS = re.compile(
    rf"(?:what|all|everything|the (?:last )?(?:thing|part|bit|stuff)|that)(?: that)? (?:i|we)(?:'ve| have)? (?:just |"
    rf"only just )"
    rf"{_SAID}.{{0,30}}|what (?:i|we)(?:'ve| have)? {_SAID}(?: just now| earlier| before| above| (?:a|one) "
    r"(?:minute|moment|second) ago| in my last message)?|"
    r"(?:my|the|that) (?:last|previous) (?:message|sentence|statement|thing|remark|part|bit)(?: i said| of mine)?|"
    r"i (?:just )?said that|i (?:ever )?told you that|that i (?:just )?(?:said|told you|mentioned) (?:that|this|it)",
    re.IGNORECASE,
)
_EVERYTHING = re.compile(
    rf"(?:all|everything)(?: of it| that)?(?: (?:that )?(?:you|i|we)(?:'ve| have)? (?:ever )?(?:{_KNOWN}|{_SAID}))?"
    rf"(?: {_ABOUT} (?:me|us|myself))?(?: so far| until now| up to now| before| today)?|"
    rf"(?:all (?:of )?|everything in )?(?:my|your) (?:whole |entire )?(?:personal )?"
    rf"(?:memory|memories|data|history|conversations|chats|profile)(?: {_ABOUT} (?:me|us|myself))?|"
    r"(?:about )?(?:me|myself|us|who i am|what you know(?: about me)?|everyone|everybody)",
    re.IGNORECASE,
)
_DISMISSED = re.compile(
    r"(?:about )?(?:it|that|this|all that|all this|them|those)(?: (?:one|part|idea|thing|question|all))?|"
    r"(?:about )?(?:it|that|this) (?:then|for now|all)|"
    r"(?:that )?i (?:ever |even )?(?:asked|mentioned|said|brought).*|"
    r"(?:about )?(?:the|my|that|this|your) (?:last |previous |first |second |other |above )*"
    r"(?:questions?|requests?|ones?|ideas?|options?|prompts?|tasks?|commands?|answers?|suggestions?|plans?|drafts?)"
    r"(?: i asked| above)?|(?:about )?(?:all )?(?:of )?(?:your |the |any |my )?(?:previous |prior |above |earlier "
    r")+\w+|"
    r"(?:all )?(?:your |the |any )?(?:instructions?|rules?|guidelines?|system prompt).*|to\b.*",
    re.IGNORECASE,
)
_OF_TOPIC = re.compile(
    rf"(?P<open>everything|anything|all|whatever)?"
    rf"(?P<what>what|(?:the|that|this) (?:thing|stuff|part|bit|note|memory|fact|info(?:rmation)?|entry|story)s?|"
    rf"any (?:memory|memories|notes?)|(?:your|all|the) (?:memories|notes|memory|records))?(?: that)?"
    rf"(?P<said> (?:i|we|you)(?:'ve| have)? (?:ever |just |once )?(?:{_SAID}|{_KNOWN})(?: earlier| before| once| "
    rf"last time| yesterday)?)?(?: down)?"
    rf" (?:{_ABOUT}) (?P<topic>.+)",
    re.IGNORECASE | re.DOTALL,
)
_TOLD_ABOUT = re.compile(rf"^that (?=i(?:'ve| have)? {_SAID} about\b)", re.IGNORECASE)
_FROM_MEMORY = re.compile(
    rf"(?P<topic>.+?) (?:from|in|out of|off) (?:(?:your|the|my|our|its) {_MEMORY}\b|here\b).*",
    re.IGNORECASE | re.DOTALL,
)
_CLAUSE = re.compile(
    r"(?:the fact )?that (?P<topic>(?:(?P<own>(?:i|i'm|i've|i'd|i'll|my|we|we're|we've|our|he|he's|she|she's|they|"
    r"they're|you|"
    r"his|her|their|there)\b)|\w).+)",
    re.IGNORECASE | re.DOTALL,
)
_ASKED_FOR = re.compile(
    r"(?P<topic>(?:where|when|how|who|why|which)\b(?: \w+){0,3}? (?:i|my|we|our)\b.+)", re.IGNORECASE
)
_MINE = re.compile(
    r"(?:about )?(?P<topic>(?:all |any of |both )?(?:of )?(?:(?:my|our|his|her|their)\s+.+|[\w' -]*\w(?:'s|"
    r"s')\s+\w.*))",
    re.DOTALL,
)
_TOLD = re.compile(
    rf"(?P<topic>(?:the|that|this|any|all)(?: [\w'-]+){{1,4}}) (?:that |which )?(?:i|we|I)(?:'ve| have)? (?:just "
    rf")?{_SAID}\b.*",
    re.DOTALL,
)
_OF_DATA = re.compile(
    rf"(?:about )?(?P<topic>(?:(?:the|that|this|my|our)\b|[\w-]+'s)(?: [\w'-]+){{0,4}}? {_DATA}s?)(?: (?:of|for|to) "
    rf".+)?",
    re.IGNORECASE,
)
_FRONTED = re.compile(
    r"(?:[\w'-]+ ){1,4}(?:story|thing|stuff|bit|part|info|details?|note|business|matter|affair|episode|incident|"
    r"issue)s?"
    r"(?: (?:about|with|of) .+)?",
    re.IGNORECASE,
)
_MATTER = re.compile(rf"(?:about )?(?P<topic>(?:the|that|this|all|my) {_FRONTED.pattern})", re.IGNORECASE)
_THAT_TOLD = re.compile(
    r"(?:that )?(?:i|we|you)(?:'ve| have)? (?:ever )?(?:told you|mentioned|said|know|knew|heard|wrote|shared|gave "
    r"you|have)"
    r"(?: about| of)? (?P<topic>(?!(?:it|that|this|anything|something|so|to|i)\b).+)",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT_IT = re.compile(r"about (?P<topic>.+)", re.IGNORECASE | re.DOTALL)


_NEVER_TOLD = re.compile(
    r"(?:told you|tell you|mention(?:ed)?|said|say|know|knew|heard?)(?: of| about)? (?P<topic>(?!(?:it|that|this|"
    r"anything)\b).+)",
    re.IGNORECASE | re.DOTALL,
)
_GONE = (
    r"(?:forgotten|deleted|erased|wiped|removed|dropped|scrubbed|struck|binned|purged|ditched|scrapped|shredded|"
    r"redacted|"
    r"expunged|(?:taken|left|thrown|crossed|rubbed) (?:out|off|away))"
)
_KEPT = r"(?:remembered|saved|stored|kept|recorded|noted|written down|known)"
_THERE = rf"(?:in here|in there|here|on (?:file|record)|in (?:your|the) {_MEMORY})"
_FROM = rf"(?P<place> (?:from|off|out of|in) (?:your|the) {_MEMORY})?"


class _Object(Enum):
    """What the object of such a sentence has to be: something of a memory, anything of the user's, or anything."""

    REMEMBERED = 0
    OWN = 1
    ANY = 2


_INDIRECT = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), object_of)
    for pattern, object_of in (
        (
            rf"(?:take|get|cross|strike|keep|leave) (?P<object>.+?) (?:off|out of|from) (?:(?:your|the|my) {_MEMORY}|"
            rf"here)\b.*",
            _Object.OWN,
        ),
        (r"(?:keep|leave) (?P<object>(?:my|our|his|her|their)\b.+?) out of (?:it|this)\b.*", _Object.OWN),
        (
            rf"(?:disregard|ignore|i take back) (?P<object>(?:what|all|everything|anything|whatever|the \w+) i "
            rf"(?:just )?{_SAID}\b.*)",
            _Object.OWN,
        ),
        (
            r"(?:pretend|act as if|act like|imagine)(?: that)? (?:i|you)(?: had|'d)? (?:never|didn't|haven't|hadn't|"
            r"don't) "
            r"(?:ever )?(?P<object>(?:told you|tell you|mention(?:ed)?|said|say|know|knew|heard?)(?: of| about)? .+)",
            _Object.OWN,
        ),
        (
            r"(?:(?:don'?t|do not) ever|stop|quit) (?:mention(?:ing)?|bring(?:ing)? up|talk(?:ing)? about|"
            r"speak(?:ing)? "
            r"(?:of|about)|remind(?:ing)? me (?:of|about)) (?P<object>.+)",
            _Object.ANY,
        ),
        (
            r"(?:don'?t|do not) (?:mention|bring up|talk about|speak (?:of|about)|remind me (?:of|about)) "
            r"(?P<object>.+?) "
            r"(?:again|any ?more|any longer)\b.*",
            _Object.ANY,
        ),
        (
            rf"(?:don'?t|do not|never) (?:put|add|write|enter|file|include) (?P<object>.+?) (?:in|on|to|into) "
            rf"(?:your|any) {_MEMORY}\b.*",
            _Object.OWN,
        ),
        (
            r"i(?:'d| would) (?:rather|prefer(?: it)?(?: if| that)?|like it(?: better)?(?: if)?|feel better if|be "
            r"happier if) "
            rf"(?P<object>.+?) (?:wasn't|weren't|isn't|aren't|was not|were not|is not|were|was|is|stayed|stays) "
            rf"(?:{_KEPT}|{_THERE}|{_GONE}|out|off|gone|not {_KEPT}|not {_THERE})\b.*",
            _Object.OWN,
        ),
        (
            r"(?P<object>.+?) (?:is|are) (?:nobody's|no one's|none of (?:your|anyone's|anybody's)|not your) "
            r"business\b.*",
            _Object.REMEMBERED,
        ),
        (
            rf"(?P<object>.+?) (?:isn't|aren't|wasn't|weren't|is not|are not|was not|was never|were never) (?:meant |"
            rf"intended )?"
            rf"(?:for|part of) (?:you|your (?:ears|eyes)|your {_MEMORY}|here|this)\b.*",
            _Object.OWN,
        ),
        (
            r"(?P<object>.+?) (?:isn't|aren't|is not|are not) (?:something|anything|a thing|things) (?:for you |you "
            r")?(?:need |have |ought )?"
            r"(?:to |should )?(?:know|remember|keep|store|save|note|have)\b.*",
            _Object.OWN,
        ),
        (rf"no (?:more )?(?P<object>.+?) (?:in|on) (?:here|your {_MEMORY})\b.*", _Object.ANY),
        (r"(?:make|let) (?P<object>.+?) (?:go away|go|disappear|vanish|slide|slip|rest)\b.*", _Object.REMEMBERED),
        (
            r"(?:take|throw|cross|rub|leave|cut|get|kick) (?P<object>.+?) (?:out|off|away)[.!]*$",
            _Object.REMEMBERED,
        ),
        (
            rf"(?:ensure|make sure|see to it|check)(?: that)? (?P<object>.+?) (?:is|are|gets?) (?:{_GONE}|gone|not "
            rf"{_KEPT})\b{_FROM}.*",
            _Object.OWN,
        ),
        (
            r"(?:i(?:'d like to)? |we )?(?:request|ask for|demand|want) (?:the )?(?:deletion|removal|erasure) of "
            r"(?P<object>.+)",
            _Object.OWN,
        ),
        (
            rf"(?:i )?(?:withdraw|retract|revoke) (?P<object>(?:what|all|everything|anything|whatever) i (?:just "
            rf")?{_SAID}\b.*)",
            _Object.OWN,
        ),
        (
            r"(?:as far as you(?:'re| are) concerned,? )?(?P<object>.+?) (?:never happened|didn't happen|never "
            r"existed)\b.*",
            _Object.REMEMBERED,
        ),
        (r"you (?:never|didn't|haven't) (?:heard?|hear|saw|see|read) (?P<object>(?:about |of )?.+)", _Object.OWN),
        (
            r"i (?:should(?:n't|nt| not) have|wasn't supposed to|was not supposed to) (?:told you|tell you|mentioned|"
            r"mention|said|"
            r"given you|give you|sent you|send you)(?: about)? (?P<object>.+)",
            _Object.OWN,
        ),
        (
            rf"(?:\w+ ){{1,3}}(?:wants?|wanted|asked (?:me )?for|would like) (?P<object>(?:his|her|their|my|our) "
            rf".+?) (?:to be )?{_GONE}\b.*",
            _Object.OWN,
        ),
        (
            r"(?P<object>.+?) (?:should|must|has to|have to|needs? to|had better|better) (?:stay|be left|be kept|"
            r"remain) (?:out|off)\b.*",
            _Object.OWN,
        ),
        (
            rf"(?P<object>.+?) (?:should|can|could|must|may|needs? to|has to|have to|ought to)(?: now| please| just| "
            rf"all)* "
            rf"(?:be {_GONE}|go|come out|come off|disappear|vanish)\b{_FROM}.*",
            _Object.REMEMBERED,
        ),
        (
            rf"(?:can|could|may) (?P<object>.+?)(?: please)? (?:be {_GONE}|go|come out|come off|disappear|"
            rf"vanish)\b{_FROM}.*",
            _Object.REMEMBERED,
        ),
        (
            rf"i(?: want| need|'d like| would like) (?P<object>.+?) (?:to be )?(?:{_GONE}|gone)\b{_FROM}.*",
            _Object.REMEMBERED,
        ),
        (
            rf"(?P<object>.+?) (?:should(?:n't|nt| not)|must(?:n't| not)|may not|needn't|doesn't need to|(?:was|were|"
            rf"is|are)"
            rf"(?:n't| not)(?: ever)?(?: meant| supposed)? to) be (?:{_KEPT}|{_THERE})\b.*",
            _Object.OWN,
        ),
        (rf"(?P<object>.+?) (?:doesn't|does not|don't|do not) belong {_THERE}\b.*", _Object.OWN),
        (rf"i (?:don'?t|do not|wouldn't|never) want (?P<object>.+?) (?:to be )?(?:{_KEPT}|{_THERE})\b.*", _Object.OWN),
        (rf"i(?:'d| would) rather (?:not have|you didn't have) (?P<object>.+?) {_THERE}\b.*", _Object.OWN),
        (
            r"you (?:no longer need|don'?t need)(?: to (?:know|have|keep))? (?P<object>.+?)(?: any ?more| any "
            r"longer)?[.!]*$",
            _Object.REMEMBERED,
        ),
    )
)


def _forgotten(said: str, after: str, *, is_asked: bool) -> Wish | None:
    is_instead = _INSTEAD.match(after) is not None
    if not said or (_DISMISSED.fullmatch(said) and not _THAT_TOLD.fullmatch(said)):
        return None
    if whole := _whole(said):
        return replace(whole, rest=_rest(after))
    if topic := _topic(said):
        return None if is_instead and not topic.is_open else Wish((topic,), rest=_rest(after))
    if is_instead:
        return None
    patterns = (_MINE, _TOLD, _OF_DATA, _MATTER, _ABOUT_IT) if is_asked else (_MINE, _TOLD, _OF_DATA, _MATTER)
    topic = _first_topic(patterns, said) or (Topic(said) if is_asked else None)
    return Wish((topic,), rest=_rest(after)) if topic else None


def _first_topic(patterns: Sequence[re.Pattern[str]], said: str) -> Topic | None:
    """The topic in the first of the patterns that the whole object has."""
    match = next((found for pattern in patterns if (found := pattern.fullmatch(said))), None)
    return Topic(match["topic"]) if match else None


def _whole(said: str) -> Wish | None:
    """A wish about what was said just before, or about everything."""
    if _PREVIOUS.fullmatch(said):
        return Wish(is_of_before=True)
    return Wish(is_of_everything=True) if _EVERYTHING.fullmatch(said) else None


def _topic(said: str) -> Topic | None:
    """What is said to be about something, to be remembered, or to be so."""
    match = _OF_TOPIC.fullmatch(_TOLD_ABOUT.sub("what ", said.removeprefix("about ")))
    if match and (match["open"] or match["said"] or match["what"]):
        return Topic(match["topic"], is_open=bool(match["open"]) or bool(match["what"] and match["said"]))
    if match := _FROM_MEMORY.fullmatch(said):
        inner = match["topic"]
        return _topic(inner) or Topic(inner, is_open=inner.lower().startswith(("all ", "every")))
    if match := _ASKED_FOR.fullmatch(said) or _THAT_TOLD.fullmatch(said):
        return Topic(match["topic"])
    match = _CLAUSE.fullmatch(said)
    return Topic(match["topic"]) if match and (match["own"] or _has_verb(match["topic"])) else None


def _has_verb(clause: str) -> bool:
    """Whether one of its first words is a verb, so that the "that" before it begins a clause and points at nothing."""
    words = clause.lower().split()[1:4]
    return any(word in phrases.FINITE or word in phrases.STATING for word in words)


def _deleted(said: str, after: str) -> Wish | None:
    """Only of what is remembered: an account, a file and a paragraph are deleted, too."""
    if _PREVIOUS.fullmatch(said) and "message" not in said:
        return Wish(is_of_before=True, rest=_rest(after))
    if (everything := _EVERYTHING.fullmatch(said)) and everything[0].lower() not in _ALL_OF_IT:
        return Wish(is_of_everything=True, rest=_rest(after))
    if match := _FROM_MEMORY.fullmatch(said):
        if _EVERYTHING.fullmatch(match["topic"]):
            return Wish(is_of_everything=True, rest=_rest(after))
        if match["topic"].lower() in _POINTING:
            return None
    if topic := _topic(said):
        return Wish((topic,), rest=_rest(after))
    match = _OF_DATA.fullmatch(said) or ((told := _TOLD.fullmatch(said)) and _OF_DATA.fullmatch(told["topic"]))
    is_own = said.lower().startswith(("my", "our")) or "'s " in said or _TOLD.fullmatch(said) is not None
    return Wish((Topic(match["topic"]),), rest=_rest(after)) if match and is_own else None


_ALL_OF_IT = frozenset(
    (
        "all",
        "everything",
        "all of it",
        "me",
        "us",
        "my history",
        "my data",
        "my profile",
        "my conversations",
        "my chats",
    )
)
_POINTING = frozenset(("it", "that", "this", "them", "those", "these"))

_POINTED = re.compile(
    rf"(?:(?:{_DELETES}|(?:don'?t|do not|never) (?:hold on to|hang on to|keep|save|store|remember)) (?:it|that|them|"
    rf"this)|"
    r"(?:take|get|throw|cross|strike|rub|wipe|leave|cut|kick) (?:it|that|them|this) (?:out|off|away)|"
    rf"(?:forget|{_DELETES})(?=(?: please| pls)?[\s.!]*$))\b"
    rf"(?P<place> (?:from|in|out of) (?:here|(?:your|the) {_MEMORY}))?"
    r"(?=\s*(?:$|[.!?,;]|please\b|pls\b|too\b|as well\b))",
    re.IGNORECASE,
)


def _points(text: str) -> bool:
    """Whether it says of "that" or the like that it should be forgotten, or should not be known."""
    found = (match for pattern, _ in _INDIRECT if (match := pattern.match(text)))
    return any(match["object"].lower() in _POINTING for match in found)


_TOLD_OF = re.compile(r"\b(?:told you|mentioned|sent you|gave you|shared|said)(?: about)? (?P<topic>.+)", re.IGNORECASE)


def _pointed(text: str, before: str) -> Wish | None:
    """ "What I told you about Ana, delete that": what is meant stands before it in the turn."""
    match = _POINTED.match(text)
    said = before.strip(" .,;:!–—-")
    if not said or (match is None and not _points(text)):
        return None
    said, _ = _object(said[begun.end() :] if (begun := _BEGUN.match(said)) else said)
    if topic := _topic(said):
        return Wish((topic,))
    if told := _TOLD_OF.search(said):
        return Wish((Topic(told["topic"] if _OWN.match(said) else said),))
    said = said.removeprefix("about ")
    is_named = any(pattern.fullmatch(said) for pattern in (_FRONTED, _OF_DATA, _TOLD)) or (
        _MINE.fullmatch(said) is not None and said.count(" ") < MOST_FRONTED and not _has_verb(said)
    )
    is_placed = match is not None and match["place"]
    is_meant = is_placed or is_named or (said[:5].lower() == "that " and said.count(" ") > 1)
    return Wish((Topic(said.removeprefix("that ")),)) if is_meant else None


_THIS = re.compile(
    r"(?:this|that|it|these|any of (?:this|it|that|these)|all (?:of )?this|"
    r"what (?:i'm|i am|i) (?:about to|going to|now|just) [^:,]+|the following|what follows|"
    r"(?:this|that)(?: \w+)? (?:conversation|chat|message|part|bit|info(?:rmation)?|one|stuff|number|code|address|"
    r"details?|"
    r"secret|data|turn|thing)|anything (?:i (?:say|said)|from|in|of)[^:,]+)"
    rf"(?:\s+(?:in|to|as|into) (?:your |the |a |any )?{_MEMORY}|\s+(?:down|anywhere|at all|for later|between us|though|"
    r"please|pls|ok(?:ay)?|either|for the future|about me|about us|on file|permanently))*"
    r"(?P<end>\s*(?:[,:;.!–—(-]|\bbut\b|\band\b|\bbecause\b|\bsince\b|\bas\b|$).*)",
    re.IGNORECASE | re.DOTALL,
)
_MINDFUL = ("remember", "memori", "know", "hold", "hang", "retain")


def _not_kept(verb: str, said: str, *, is_first: bool, is_asked: bool) -> Wish | None:
    is_mindful = verb.startswith(_MINDFUL)
    if (this := _THIS.fullmatch(said)) and (is_mindful or said[:2].lower() != "it"):
        is_bare = said.lower() in ("it", "that", "it.", "that.") and is_mindful and not is_asked
        is_other = is_bare or verb.startswith("know") or (verb.startswith("keep") and this["end"][:1].isalpha())
        return None if is_other else Wish(is_of_turn=True, says_what=_SAYS_WHAT.search(this["end"]) is not None)
    said, after = _object(said.partition(":")[0])
    if not (is_first or is_asked) or not said:
        return None
    if _PREVIOUS.fullmatch(said):
        return Wish(is_of_before=True)
    if _EVERYTHING.fullmatch(said) and is_mindful:
        return Wish(is_of_everything=True)
    if topic := _topic(said):
        return Wish((topic,), rest=_rest(after))
    patterns = (_MINE, _OF_DATA) if is_mindful else (_OF_DATA,)
    topic = _first_topic(patterns, said)
    return Wish((topic,), rest=_rest(after)) if topic else None


# Unusual words: what is remembered or was told, beside a word for its end

_OF_MEMORY = re.compile(
    rf"\byour {_MEMORY}\b|\b(?:i|we)(?:'ve| have)? (?:just |once )?(?:told you|said to you|mentioned|told|said)\b|"
    r"\byou (?:know|saved|noted|remember|wrote down|stored)\b.{0,20}\b(?:about|on|of)\b",
    re.IGNORECASE,
)
_ENDING_OF_IT = re.compile(
    rf"\b(?:forget|{_DELETES}|undo|take back|out of|not (?:be|to be|for)|shouldn'?t (?:be|stay|"
    rf"have)|"
    r"better off|the less you|(?:don'?t|do not|stop) (?:keep|sav|stor|remember|hold|not|writ|log|record)(?:e|ing)?)\b",
    re.IGNORECASE,
)
_ABOUT_WHAT = re.compile(
    r"\b(?:told|said|mentioned|know|have|keep|saved|noted|remember|stored)(?: (?:to )?you)?(?: \w+){0,2}? (?:about|"
    r"on|of) "
    r"(?P<topic>.+)",
    re.IGNORECASE | re.DOTALL,
)
_OWNED = re.compile(r"\b(?P<topic>(?:my|our|his|her|their|[A-Z]\w+'s) [\w'-]+(?: [\w'-]+){0,2})")


def _hinted(sentence: str) -> Wish | None:
    """A sentence of no known form that speaks of what is remembered and of its end; its topic is what it names."""
    is_meant = _OF_MEMORY.search(sentence) is not None and _ENDING_OF_IT.search(sentence) is not None
    if not is_meant or selection.is_marked(sentence):
        return None
    match = _ABOUT_WHAT.search(sentence) or _OWNED.search(sentence)
    said = _object(match["topic"])[0] if match else sentence
    return Wish((Topic(said or sentence),))


# Other languages: the verb first, then what is mine, what I said about something, or that something is so


_POLITELY = re.compile(
    r"\b(?:bitte|s'il (?:te|vous)|stp|svp|por favor|per favore|alsjeblieft|alstublieft)\b", re.IGNORECASE
)
_OPENING = (
    r"(?:bitte|por favor|per favore|s'il (?:te|vous) pla[iî]t|stp|alsjeblieft|alstublieft|ok|okay|hey|hallo|hola|"
    r"ciao|bonjour|olá|"
    r"und|also|dann|y|entonces|e|et|alors|en|dan|kannst du|könntest du|können sie|puedes|podrías|es mejor que|mejor|"
    r"quiero que|prefiero que|peux-tu|pouvez-vous|"
    r"puoi|kun je|"
    r"pode|[A-Z]\w+(?=,))"
)
_ARTICLE = re.compile(r"(?:de[rnms]?|die|das|les?|la|el|l[oa]s|il|lo|gli|het|[oa]s?)\s+\S|l'\S", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Language:
    """Parts of patterns: verbs of forgetting with words between them and the object, `my`, `that`, "what I said about",
    what stands for "what I just said", and whole wishes not to keep this. `at_the_end`: the verb stands behind its
    object.
    """

    verbs: str
    mine: str
    that: str
    about: str
    before: str
    unsaved: str
    at_the_end: str = r"(?!)"

    def wish(self, sentence: str) -> Wish | None:
        flags = re.IGNORECASE | re.DOTALL
        if re.match(self.unsaved, sentence, flags):
            return Wish(is_of_turn=True)
        sentence = sentence.lstrip("¿¡ ")
        begun = re.match(rf"(?:{_OPENING}[,:]?\s+)*(?:{self.verbs})\s+", sentence, flags)
        ended = None if begun else re.fullmatch(self.at_the_end, sentence, flags)
        text = sentence[begun.end() :] if begun else ended["object"] if ended else ""
        said = _ENDING.sub("", text.strip(" ,"))
        if re.fullmatch(self.before, said, flags):
            return Wish(is_of_before=True)
        if match := re.fullmatch(
            f"(?P<about>{self.about})\\s+(?P<topic>.+)|(?:{self.that})\\s+(?P<clause>.+)", said, flags
        ):
            return Wish((Topic(match["topic"] or match["clause"], is_open=match["about"] is not None),))
        is_polite = begun is not None and _POLITELY.search(sentence) is not None
        is_own = re.match(rf"(?:{self.mine})\s+\S", said, flags) or (is_polite and _ARTICLE.match(said))
        return Wish((Topic(said),)) if is_own else None


_LANGUAGES = (
    _Language(
        verbs=(
            "(?:vergiss|vergesst|vergessen sie|lösch|lösche|löscht|löschen sie|streiche?|löschen,|vergessen,)"
            "(?: (?:bitte|mal|wieder|sofort|doch|"
            "einfach|auch),?)*"
        ),
        mine=r"meine?[nrsm]?|unsere?[nrsm]?",
        that="dass|daß",
        about=(
            r"alles,? was (?:ich|du|sie|wir)\b.*? (?:über|zu|von)|alles (?:über|zu|von)|das mit|was ich (?:dir |"
            r"ihnen )?(?:über|zu|von)"
        ),
        before=r"(?:das,? )?was ich (?:dir |ihnen )?(?:gerade|eben|soeben|zuletzt).*",
        unsaved=(
            r"(?:bitte )?(?:merk|merke|speicher|speichere|speichern sie|merken sie|behalte|behalt)(?: dir| sich)?(?: "
            r"bitte)? "
            r"(?:das|dies|dieses)(?: hier)?(?: bitte)? nicht|"
            r"(?:bitte )?(?:das |dies )?(?:bitte )?nicht (?:merken|speichern|behalten|notieren)\b"
        ),
        at_the_end=(
            r"(?:(?:kannst|könntest|würdest) du |(?:können|könnten) sie )?(?:bitte )?(?P<object>(?!.*\bnicht\b).+?) "
            r"(?:bitte )?(?:vergessen|löschen|streichen)(?: bitte)?[.?!]*"
        ),
    ),
    _Language(
        verbs="(?:oublie[rz]?|efface[rz]?|supprime[rz]?)(?: (?:s'il (?:te|vous) pla[iî]t|stp|svp))?",
        mine="mon|ma|mes|notre|nos",
        that="que|qu'",
        about=(
            r"(?:tout )?ce que (?:je|j'|tu|vous|nous)\b.*? (?:sur|de|au sujet de|à propos de)|tout sur|l'histoire "
            r"(?:de|avec)"
        ),
        before=r"ce que (?:je viens de|j'ai) .*",
        unsaved=(
            r"(?:s'il (?:te|vous) pla[iî]t,? )?n(?:e |')(?:l')?(?:enregistre|enregistrez|retiens|retenez|garde|"
            r"gardez|mémorise|mémorisez)(?: pas)? (?:pas )?(?:ça|cela|ceci)"
        ),
    ),
    _Language(
        verbs="(?:olvid(?:a|e|ad|ar|es)|borr(?:a|e|ar|es)|elimin(?:a|e|ar|es))(?: (?:por favor))?",
        mine="mi|mis|nuestr[oa]s?",
        that="que",
        about=(
            r"todo lo que (?:te |le )?(?:dije|he dicho|sabes|sabe)\b.*? (?:sobre|de)|lo que (?:te |le )?(?:dije|he "
            r"dicho|conté) (?:sobre|de)|todo sobre|lo de"
        ),
        before=r"lo que (?:acabo de|te acabo de|te he|te dije|he dicho|dije).*",
        unsaved=r"(?:por favor,? )?no (?:guardes|guarde|recuerdes|recuerde|memorices) (?:esto|eso)",
    ),
    _Language(
        verbs="(?:dimentic(?:a|hi|are)|cancell(?:a|i|are)|elimina(?:re)?)(?: (?:per favore))?",
        mine=r"(?:il|la|i|le|l')?\s*(?:mi[oae]|miei|nostr[oaie])",
        that="che",
        about=(
            r"(?:tutto )?quello che (?:ti |le )?(?:ho detto|sai|sa)\b.*? (?:su|sul|sulla|di|del|della)|tutto su|la "
            r"(?:storia|faccenda) (?:di|con)"
        ),
        before=r"quello che (?:ho|ti ho) (?:appena )?detto",
        unsaved=r"(?:per favore,? )?non (?:salvare|ricordare|memorizzare|salvi|ricordi) (?:questo|ciò)",
    ),
    _Language(
        verbs="(?:vergeet|verwijder|wis)(?: (?:alsjeblieft|alstublieft|maar|aub))*",
        mine="mijn|onze?|m'n",
        that="dat",
        about=(
            r"alles,? wat (?:ik|je|jij|u|we)\b.*? (?:over|van)|wat ik (?:je |u )?over|alles over|dat (?:van|over|"
            r"met)"
        ),
        before=r"wat ik (?:je |u )?(?:net|zojuist|zonet).*",
        unsaved=r"(?:alsjeblieft )?(?:onthoud|bewaar|sla) (?:dit|dat)(?: alsjeblieft)? niet",
    ),
    _Language(
        verbs="(?:esque(?:ce|ça|ca|cer)|apag(?:a|ue|ar)|elimin(?:a|e|ar))(?: (?:por favor))?",
        mine="(?:o |a |os |as )?(?:meus?|minhas?|nossos?|nossas?)",
        that="que",
        about=(
            r"tudo o que (?:eu )?(?:te |lhe )?(?:disse|sabes|sabe)\b.*? (?:sobre|de)|o que (?:eu )?(?:te |lhe "
            r")?disse (?:sobre|de)|tudo sobre|aquilo d[eoa]"
        ),
        before=r"o que (?:eu )?(?:acabei de|te disse|disse).*",
        unsaved=r"(?:por favor,? )?não (?:guardes|guarde|lembres|salve|memorize) isto?",
    ),
)


def _in_another_language(sentence: str) -> Wish | None:
    return next((found for language in _LANGUAGES if (found := language.wish(sentence)) is not None), None)
