"""Which turns of a chat with an assistant say something: rules without a language model (docs/capture.md, Rules).

Decided by who does what. A text is kept if one of its clauses states something; of each clause in order:

1. A courtesy (thanks, greeting, assent, praise; in many languages) states nothing.
2. A wish to keep something, or a standing instruction ("Remember that …", "Always …"), states.
3. A request to the assistant ("Fix …", "Can you …", "Schreib …") and a question state nothing.
4. A reaction to the other speaker ("That sounds good", "You are so helpful") states nothing.
5. What a person, a name or a thing is or does states, if it has a word with a meaning; so does, in a language without
   lists, everything else of more than one word.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from remembrancer.domain.capture import speech_words
from remembrancer.domain.lexical_index.folding import folded
from remembrancer.domain.lexical_index.words import is_unspaced, written
from remembrancer.domain.personal_data.invisible_characters import removed

RULES = "rules-3"
"""Version of these rules, in the provenance of the memories made by them."""

STATEMENT = "statement"
ANSWERED = "answered"
NO_STATEMENT = "no_statement"
QUESTION = "question"
ASSISTANT = "assistant"

SMALL_TALK = speech_words.FUNCTION | speech_words.COURTESY | speech_words.EVALUATIVE
"""Words without a meaning of their own: function words, greetings, thanks, praise."""

_SENTENCE = re.compile(r"(?:(?!\s[-–—]\s)[^.!?。！？؟।\n]|\.(?=\w))+[.!?。！？؟।]*")
_CLAUSE = re.compile(
    r"[,;:]\s+|[，、；]|\s+(?:-|–|—)\s+|,?\s+(?:and|but|so|because|since|as)\s+(?=(?:i|we|my|our|he|she|they|it|don't)\b)",
    re.IGNORECASE,
)
_QUESTION_END = re.compile(r"[?？؟;]\s*$")
_OPENING = re.compile(
    r"^(?:(?:oh|ah|aw+|well|ok(?:ay)?|yes|yeah|yep|no|nope|so|and|but|also|then|now|please|pls|plz|hmm?|um|uh|wow|"
    r"lol|haha|actually|btw|by the "
    r"way|fyi|hey|hi|hello|thanks|thank you|sure|great|perfect|sorry|right|anyway|first|next|just|maybe|since|"
    r"because)\b[,!:]?\s+)+",
    re.IGNORECASE,
)
_INTRODUCTION = re.compile(
    r"^(?:(?:this|it) is|this's|it's|its)?\s*[A-Z][\w'-]+(?: [A-Z][\w'-]+)?(?: here| speaking| again)?$"
)
_HERE = re.compile(r"^(?:[A-Z]?[\w'-]+ ){1,2}(?:here|speaking)(?: again)?$")
_KEEPING = re.compile(
    r"^(?:(?:can|could|would|will) you )?(?:please )?(?:remember|note|keep in mind|bear in mind|don't forget|"
    r"remind me|make a note|memori[sz]e|"
    r"call me|for the record|merk dir|denk daran|retiens|rappelle-moi|recuerda|ricorda|lembre)\b(?! (?:me|when|what|"
    r"how|who|where|if|whether)\W*$).*\w{3}",
    re.IGNORECASE,
)
_STANDING = re.compile(
    r"^(?:from now on|always|never|in (?:the )?future|going forward|whenever|every time|each time|from today|"
    r"no more|stop \w+ing|"
    r"don't ever|(?:i )?(?:prefer|want) (?:all|every|your) |ab jetzt|immer|nie|à partir de maintenant|toujours|"
    r"siempre|nunca|sempre|mai)\b(?! mind\b).*\w",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"^(?:i(?:'d| would) (?:like|love|want|need) (?:you|to (?:know|ask|see|get|have (?:a|an|some)))|i (?:want|need|"
    r"would like|'d like) (?:you|your)|"
    r"(?:can|could|would|will|should|shall|may|might|do|did|don't) (?:you|i|we)|let(?:'s| us| me)|help me|give me|"
    r"tell me|show me|"
    r"i (?:have|had|got|'ve got) (?:a|an|another|one|some|two) (?:quick |short |last |more )?questions?|i(?:'m|"
    r" am) (?:wondering|asking|curious)|"
    r"i(?: was|'m)? ?(?:just )?wonder(?:ing|ed)?|i(?:'d| would) appreciate|is (?:it|there)|are there|how about|"
    r"what about|any (?:idea|chance|tips)|"
    r"i (?:want|need|have) to (?:know|understand|see|ask)|do not|don't (?:worry|mind|know|think)|act as|pretend|"
    r"you are (?:a|an|the|now)|your task)\b",
    re.IGNORECASE,
)
_FORMULA = re.compile(
    r"^(?:i (?:see|know|guess|think so|hope so|agree|understand|get it|got it|don't (?:know|understand|get it|"
    r"think so|mind|care)|mean|"
    r"appreciate (?:it|that|your help|this)|(?:really )?(?:love|like|hate|loved|liked) (?:it|that|this|them|these|"
    r"those|your \w+)|will|do|am|can|can't|did|"
    r"have|was|tried|meant(?: it)?|hear you|bet|suppose)|i(?:'ll| will) (?:try|do|check|take|think about|"
    r"let you know|be back|go with|"
    r"see|look)(?: (?:it|that|this|out|a look|the \w+ one))*|i(?:'m| am) (?:back|done|ready|sorry|glad|good|fine|ok|"
    r"okay|here|in|not sure|sure|impressed|"
    r"happy to hear.*|glad to hear.*|sorry to hear.*|listening|confused)|me (?:too|neither)|my (?:bad|mistake|"
    r"pleasure)|we(?:'re| are) (?:good|done)|"
    r"same|good (?:point|idea|question|job|luck)|not (?:yet|really|sure|bad|now)|see you(?: \w+){0,2}|"
    r"talk (?:to you )?(?:soon|later)|have a .*|take care|"
    r"will do|got you|fair enough|my god|oh my)\W*$",
    re.IGNORECASE,
)
_COPULA = re.compile(
    r"^(?:that|it|this|which|these|those)(?:'s| is| was| were| are| looks?| sounds?| seems?| works?| makes?| helps?|"
    r" did| does|'ll| would| will)\b",
    re.IGNORECASE,
)
_ADDRESSEE = re.compile(
    r"^(?:you|you're|you've|you'll|you'd|your|u|what an?|how (?:\w+ )?(?:nice|cool|kind|sweet|lovely|interesting|"
    r"great)|such an?|so (?:\w+)$)\b",
    re.IGNORECASE,
)
_RELATED = re.compile(
    r"\b(?:my|our)\b.{1,60}?[,\s](?:who|which|that)(?:'s| is| are| has| have| can't| cannot| can| doesn't| don't|"
    r" was| were| lives?| works?| needs?| hates?| loves?|'ve)\b"
    r"|\b(?:since|because|as|if|now that|although|though) (?:i|we|my|our)\b|\b(?:i'm|i am|we're|we are|"
    r"my \w+(?: \w+)?(?: is|'s)) (?!looking|asking|wondering|trying|going)\w+.*,"
    r"|\b(?:know|aware|heard) that (?:I|i|we|my|our)\b"
    r"|\b(?:for|with|of) my \w+ (?:[A-Z]\w+|who|with)",
)
_VERB = re.compile(
    r"\b(?:is|are|am|was|were|be|been|has|have|had|do|does|did|can|could|will|would|must|should|may|might|isn't|"
    r"aren't|wasn't|weren't|can't|won't|"
    r"doesn't|don't|didn't|hasn't|haven't|hadn't|cannot|'s|'re|'ve|'ll|got|went|came|took|made|said|left|lost|won|"
    r"met|ate|died|told|gave|found|bought|"
    r"sold|paid|kept|began|became|felt|thought|put|ran|sat|saw|sent|slept|spent|wrote|broke|built|drove|fell|flew|"
    r"grew|held|knew|led|read|wore|"
    r"[a-z]{3,}(?:ed|s))\b"
)
_REACTING = frozenset({"that", "it", "this", "which", "these", "those"})
_LOG = re.compile(
    r"^\s*(?:[\w.]*(?:Error|Exception|Warning)\b|at \S+ ?\(|(?:sudo|npm|pip3?|git|docker|kubectl|cd|ls|curl|"
    r"python3?|node|make|cargo|brew|apt(?:-get)?|yarn|ssh|chmod|"
    r"systemctl|export|echo|cat|grep) [-\w./]+(?: \S+)*$|\$ |>>> |https?://\S+$)"
)
_ANSWER = re.compile(
    r"\W*(?:yes|yeah|yep|yup|no|nope|nah|correct|right|exactly|sure|ok(?:ay)?|absolutely|definitely|of course|"
    r"that one|"
    r"that's (?:right|it|correct|the one)|the (?:first|second|third|last|former|latter)(?: one)?|both|neither|"
    r"please do|go ahead|sounds good|do it|agreed|deal|perfect|"
    r"ja|nein|genau|oui|non|exact|sí|si|claro|sì|sim|não|nee)\b",
    re.IGNORECASE,
)
_ENGLISH = speech_words.FUNCTION | speech_words.REQUESTS | speech_words.EVALUATIVE | speech_words.RELATIVES
_LATIN = re.compile(r"[a-z]")


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
        said = following is not None and _is_answer(following, names) and (says_something(text, names) or _asks(text))
        return Choice(said, ANSWERED if said else ASSISTANT)
    if says_something(text, names) or (preceding is not None and _answers(text, preceding, names)):
        return Choice(True, STATEMENT)
    return Choice(False, QUESTION if re.search("[?？؟]", text) else NO_STATEMENT)


def says_something(text: str, names: Collection[str] = ()) -> bool:
    """Whether any clause states something."""
    return any(_states_any(sentence, names) for sentence in _sentences(text))


def last_question(text: str) -> str:
    """The sentence that a text ends with, where it is a question; otherwise empty."""
    sentences = [sentence.strip() for sentence in _SENTENCE.findall(text) if sentence.strip()]
    return sentences[-1] if sentences and _is_asked(sentences[-1]) else ""


def _sentences(text: str) -> list[str]:
    straight = removed(text).replace("’", "'").replace("´", "'")
    return [sentence.strip() for sentence in _SENTENCE.findall(straight) if sentence.strip()]


def _states_any(sentence: str, names: Collection[str]) -> bool:
    """Whether a clause of the sentence states something; of a question only what stands before it, or beside it."""
    if _LOG.match(sentence):
        return False
    clauses = [clause.strip() for clause in _CLAUSE.split(sentence) if clause and clause.strip()]
    if _is_asked(sentence):
        return _RELATED.search(sentence) is not None or any(
            _is_first_person(clause) and _states(clause, names) for clause in clauses[:-1]
        )
    if len(clauses) > 1 and _is_greeting(clauses[0]) and all(map(_is_introduction, clauses[1:])):
        return False
    return any(_states(clause, names) for clause in clauses)


def _states(clause: str, names: Collection[str]) -> bool:
    clause = clause.strip(" \t\"'“”«»()[]*_-–—.!…")
    bare = _OPENING.sub("", clause)
    if not bare or _is_courtesy(clause):
        return False
    if _KEEPING.match(bare) or _STANDING.match(bare):
        return True
    if _is_courtesy(bare) or _is_request(bare) or _is_question(bare) or _FORMULA.match(bare):
        return False
    return _is_told(bare, names)


def _is_told(bare: str, names: Collection[str]) -> bool:
    """Whether a clause that is no courtesy, request or question says what somebody or something is or does."""
    words = [folded(word) for word in written(bare)]
    meaning = _meaning(bare, words, names)
    if _COPULA.match(bare) or _ADDRESSEE.match(bare):
        return _is_more_than_a_reaction(bare, words, meaning)
    if not meaning:
        return False
    if _is_english(bare, words):
        return _is_first_person(bare) or words[0] in speech_words.THIRD_PERSON or _has_predicate(bare, words, meaning)
    return len(words) > 1 or is_unspaced(bare)


def _is_courtesy(clause: str) -> bool:
    words = [folded(word) for word in written(clause)]
    if all(word in speech_words.COURTESY for word in words):
        return True
    if is_unspaced(clause):
        return any(thanks in folded(clause) for thanks in _UNSPACED_THANKS) and len(clause) < _MOST_UNSPACED
    is_own = any(word in speech_words.FIRST_PERSON for word in words)
    has_thanks = any(word in speech_words.THANKS for word in words) or " ".join(words).startswith(
        speech_words.THANKS_PHRASES
    )
    if has_thanks and not any(character.isdigit() for character in clause):
        return len(words) <= _MOST_COURTEOUS and not (is_own and len(words) > _MOST_COURTEOUS // 2)
    return words[0] in speech_words.GREETINGS and len(words) <= _MOST_GREETING and not is_own


def _is_greeting(clause: str) -> bool:
    words = [folded(word) for word in written(clause)]
    return bool(words) and words[0] in speech_words.GREETINGS | speech_words.COURTESY


def _is_introduction(clause: str) -> bool:
    bare = clause.strip(" .!")
    return _INTRODUCTION.match(bare) is not None or _HERE.match(bare) is not None or _is_courtesy(bare)


def _is_request(clause: str) -> bool:
    """Whether the clause asks the assistant to do something; a noun spelled like such a verb has its own verb."""
    if wish := _WISH.match(clause):
        rest = clause[wish.end() :]
        return not (_is_first_person(clause) and _RELATED.search(rest))
    words = [folded(word) for word in written(clause)]
    first = words[1] if words[0] in {"don't", "dont"} and len(words) > 1 else words[0]
    if first in speech_words.REQUESTS_ELSEWHERE:
        return True
    if first in speech_words.REQUESTS:
        return not (len(words) > 2 and clause[0].isupper() and _OWN_VERB.search(" ".join(words[1:5])))
    is_wanted = words[0] == "i" and any(word in {"need", "want", "like"} for word in words[1:4])
    return is_wanted and any(word in speech_words.MADE_THINGS for word in words[2:7])


def _is_question(clause: str) -> bool:
    words = [folded(word) for word in written(clause)]
    if words[0] in speech_words.QUESTION:
        following = words[1] if len(words) > 1 else ""
        return not (words[0] in {"when", "which", "who", "where"} and following in _SUBJECTS)
    if words[0] in speech_words.QUESTIONS_ELSEWHERE and not _is_english(clause, words):
        return words[0] not in _CONJUNCTIONS
    return words[0] in speech_words.AUXILIARIES and len(words) > 1


def _is_asked(sentence: str) -> bool:
    return sentence.rstrip().endswith(("?", "？", "؟"))


def _is_first_person(clause: str) -> bool:
    return any(folded(word) in speech_words.FIRST_PERSON for word in written(clause))


def _is_more_than_a_reaction(clause: str, words: Sequence[str], meaning: int) -> bool:
    """Whether a sentence about "it" or "you" says more than praise: a number, a name, or something of one's own."""
    if any(character.isdigit() for character in clause):
        return True
    told = [word for word in words if word not in speech_words.EVALUATIVE and word not in speech_words.FUNCTION]
    if _ADDRESSEE.match(clause):
        return False
    return len(told) >= (1 if words[0] in {"it", "it's", "its"} else _LEAST_TOLD) and meaning > 0


def _has_predicate(clause: str, words: Sequence[str], meaning: int) -> bool:
    """Whether a thing does or is something; or a fragment has enough words to be a note rather than a search."""
    if _VERB.search(clause.lower()[len(words[0]) :]):
        return meaning >= _LEAST_OF_THING
    has_name = any(word[0].isupper() for word in written(clause)[1:]) or any(map(str.isdigit, clause))
    return meaning >= (_LEAST_OF_THING if has_name else _LEAST_OF_FRAGMENT)


def _meaning(clause: str, words: Sequence[str], names: Collection[str]) -> int:
    """The number of words with a meaning; each letter of a script without blanks counts."""
    if is_unspaced(clause):
        return len(clause)
    named = {folded(word) for word in written(clause)[1:] if word[0].isupper()} - speech_words.FIRST_PERSON
    return sum(
        len(word) > 1
        and (word not in speech_words.FUNCTION or word in named)
        and not (len(word) > 2 and any(name.startswith(word) for name in names))
        for word in words
    )


def _is_english(clause: str, words: Sequence[str]) -> bool:
    """Whether it seems English: Latin letters and an English word, two where letters have accents."""
    known = sum(word in _ENGLISH for word in words)
    return known >= (1 if clause.isascii() else 2) and all(_LATIN.match(word) or word.isdigit() for word in words[:3])


def _answers(text: str, question: str, names: Collection[str]) -> bool:
    """Whether it names something in answer to a question, in a sentence that asks nothing itself."""
    return _is_asked(question) and any(
        _tells(sentence, names) for sentence in _sentences(text) if not _is_asked(sentence)
    )


def _tells(sentence: str, names: Collection[str]) -> bool:
    clauses = [_OPENING.sub("", clause.strip()) for clause in _CLAUSE.split(sentence) if clause and clause.strip()]
    for clause in clauses:
        words = [folded(word) for word in written(clause)]
        told = [word for word in words if word not in SMALL_TALK or word in speech_words.RELATIVES]
        if (
            told
            and _meaning(clause, told, names)
            and not (_is_courtesy(clause) or _is_request(clause) or _FORMULA.match(clause))
        ):
            return True
    return False


def _asks(text: str) -> bool:
    """Whether it is a question about something."""
    return any(
        any(folded(word) not in SMALL_TALK for word in written(sentence))
        for sentence in _sentences(text)
        if _is_asked(sentence)
    )


def _is_answer(text: str, names: Collection[str]) -> bool:
    """Whether it affirms, denies or picks one of several, and states nothing else."""
    return _ANSWER.match(text) is not None and not says_something(text, names)


_OWN_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|will|can|meets|opens|closes|starts|ends|runs|needs)\b")
_SUBJECTS = frozenset({"i", "we", "he", "she", "they", "it", "you", "my", "our", "the", "a", "his", "her", "their"}) | {
    *("this", "that", "i'm", "we're", "he's", "she's", "they're", "it's")
}
_CONJUNCTIONS = frozenset({"que", "como", "si", "quando", "cuando", "co", "jak", "wie", "hat", "kan", "что", "как"})
_UNSPACED_THANKS = tuple(word for word in speech_words.THANKS if is_unspaced(word))
_MOST_UNSPACED = 14
_MOST_COURTEOUS = 7
_MOST_GREETING = 4
_LEAST_TOLD = 2
_LEAST_OF_THING = 2
_LEAST_OF_FRAGMENT = 3
"""Words with a meaning that a clause needs, by its kind."""
