"""Words by which a turn refers to what was said before it, by language.

All are in lower case with straight apostrophes; words are separated by blanks, phrases by commas. Short turns hardly
tell their language, so a phrase counts in all of them, except pronouns: `il` is he in French and the article in
Italian. The rules are in `follow_ups`; those for sentences are English.
"""

import re
from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(lists: Mapping[str, str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split()) for text in lists.values() for phrase in text.split(","))


PERSONS = _words("he she his her hers him himself herself")
THINGS = _words("they them their theirs its it")
OBJECTS = _words("him them it himself herself themselves itself")
"""They mean nothing that the same clause names before them."""
DEMONSTRATIVES = _words("this that these those")
OWNERS = _words("my our your")
SPEAKERS = _words("i me my mine we us our ours you your yours")
QUESTION_WORDS = _words("what who whose whom which why how when where")
AUXILIARIES = _words("""
    am is are was were be been being 's 're isn't aren't wasn't weren't have has had haven't hasn't hadn't do does did
    don't doesn't didn't can could can't couldn't will would won't wouldn't shall should shouldn't may might must 'd 'll
""")
DETERMINERS = _words("the a an my our your every each some any no this that these those all both")
PREPOSITIONS = _words("for to of about with like than in on at by from after before since until through without")
CONJUNCTIONS = _words(
    "and but or so if when because since while after before until that whether as where why how what who"
)
"""Between words of two clauses one of them stands."""
JOINERS = _words("and but und y et")
"""Between statements of one sentence, in English, German, Spanish and French."""
EXACTLY = _words("exactly precisely again then else for to from about so not come please though too")
"""What may stand behind a question word with nothing else."""
MEASURES = _words("much many long often far old big small high late soon")
ADVERBS = _words("still also already really even ever never always just only now again")
"""Behind an auxiliary these name nothing that a pronoun could mean."""
INDEFINITE = _words("somebody someone anybody anyone everybody everyone nobody people")
BEHIND_NAMES = _words("too also ,")
"""Behind a word with a capital letter that begins a sentence they show that it is a name."""
NOT_BEFORE_THERE = _words("hi hello hey is are was were anybody anyone you")
BETWEEN = _words("'s is was be so too very really still not")
"""Between `it` and what tells that it is impersonal."""
REQUESTS = _words("""
    tell give show book order send add write make remind put change cancel move call check find explain describe list
    read say do use take bring buy please let compare translate summarise summarize forward print repeat ask
""")
"""Verbs with which a request begins."""
ASKING = QUESTION_WORDS | AUXILIARIES | REQUESTS
REACTIONS = _words("""
    really seriously huh what pardon sorry hello hi hey thanks thank thx ty bye goodbye good great perfect cool nice
    wow oh haha lol ok okay fine morning welcome cheers right understood hiya brilliant lovely finally yo
""")
"""A turn of a few words that begins with one of these answers nothing."""
PERIODS = _words("""
    morning afternoon evening night week weekend month quarter year spring summer autumn fall winter time
    day days hour minute
""")
"""Behind `this` and `these` they say when, and refer to nothing that was said."""
IMPERSONAL = _words("""
    true possible ok okay worth safe normal raining snowing cold hot warm late early dark sunny windy far too better
    necessary allowed legal correct good bad easy hard important time going matter rain snow
""")
"""Behind `it is` and `is it`: this `it` refers to nothing."""
IDIOMS = _phrases(
    {
        "en": """
            got it, get it, love it, like it, that's it, take it easy, what's up, half of them, how is it going,
            how's it going
        """,
        "fr": "il y a, il faut, il fait, il pleut, il neige, y a-t-il, faut-il, fait-il, quelle heure est-il",
    }
)
"""Their pronouns refer to nothing."""
REFUSALS = _phrases(
    {
        "en": "no, nope, nah, never mind, not now, not yet, don't, no thanks, forget it",
        "de": "nein, nee",
        "fr": "non",
    }
)
ASSENTS = _phrases(
    {
        "en": """
            yes, yeah, yep, yup, ok, okay, sure, please, please do, of course, absolutely, definitely, go ahead, go on,
            do it, do that, sounds good, right, certainly, gladly, why not, i 'd like that, i would, oh yes, oh please
        """,
        "de": "ja, gerne, gern, klar, bitte, jawohl, natürlich, okay",
        "fr": "oui, volontiers, d'accord, bien sûr, ouais",
        "es": "sí, si, claro, vale, por favor, de acuerdo",
        "it": "sì",
        "pt": "sim",
        "nl": "graag",
    }
)
"""They answer a question of the assistant, and stand at the beginning."""
ORDINALS: Mapping[str, int] = {
    word: place
    for place, several in {
        0: "first 1st former erste ersten erstes erster premier première primero primera primer",
        1: "second 2nd zweite zweiten zweites zweiter deuxième seconde segundo segunda",
        2: "third 3rd dritte dritten drittes dritter troisième tercero tercera tercer",
        3: "fourth 4th vierte vierten viertes vierter quatrième cuarto cuarta",
        -1: "last latter letzte letzten letztes letzter letztere dernier dernière último última",
    }.items()
    for word in several.split()
}
"""The place of what is chosen among what was offered; the last is -1."""
CHOICES = re.compile(
    r"\b(?:the )?(?:former|latter)\b"
    r"|\b(?:the|der|die|das|den|le|la|el)\s+(?:"
    + "|".join((*ORDINALS, "other", "next", "previous", "andere", "anderen", "autre", "otro", "otra"))
    + r")(?: (?:one|two|three))?(?=\s*(?:[.,!?;]|$| i think| please| then| bitte))"
    r"|\b(?:the|that|this|which|an?|another|other|any|new)(?: (?!(?:good|great|funny)\b)\w+){0,2} ones?\b"
    r"(?![-\w]| to\b| who\b| that\b| which\b| of\b)"
    r"|\bthe other \w+|\b(?:both|neither|either|one) of (?:them|those)\b"
    r"|\b(?:option|variant) (?:\d+|[a-d])\b|^\W*(?:both|neither|either|number \w+|#?\d)\s*(?:please)?\W*$",
    re.IGNORECASE,
)
BEGINNINGS = _phrases(
    {
        "en": """
            and, or, what about, how about, what if, same for, then, also for, but what, how many are, how many were,
            how many do, how many did, how many have, how many can
        """,
        "de": "und, oder, was ist mit, wie ist es mit, wie steht es mit, auch für",
        "fr": "et, ou, qu'en est-il",
        "es": "y, qué tal, qué pasa con",
    }
)
"""How a turn begins that goes on with the question before it."""
BARE = _phrases(
    {
        "en": """
            why, how come, how so, why not, why 's that, why is that, which is, what has, how much, how many,
            since when, who, when, where, how, which, whose, which one, which ones
        """,
        "de": "warum, warum nicht, wieso, weshalb, wann, wo, wer, wie viel, seit wann, bis wann, wie lange, wie oft",
        "fr": "pourquoi, pourquoi pas, quand, où, qui, combien, depuis quand",
        "es": "por qué, por qué no, cuándo, dónde, quién, cuánto, cuál, cuáles, desde cuándo",
        "it": "perché, quando, dove, chi, quanto, quale",
        "pt": "por quê, por que, quando, onde, quem, quanto, qual",
        "nl": "waarom, wanneer, waar, wie, hoeveel",
    }
)
"""Questions that ask nothing without the one before: they are the whole turn."""
EXACTLY_ELSEWHERE = _words("genau exakt exactement exactamente esattamente exatamente precies")
PRONOUNS: Mapping[str, frozenset[str]] = {
    "german": _words("er sie ihn ihm ihnen seine seinen seinem seiner dort dorthin davon"),
    "french": _words("elle il ils elles lui eux leur leurs celui-ci celle-ci là-bas"),
    "spanish": _words("él ella ellos ellas aquel aquella ese esa eso allí"),
}
"""In a language that is recognized by its stop words, where no name stands before them."""
ARTICLES_ELSEWHERE = _words("le la les un une mon ma mes notre nos votre vos el los las una mi mis nuestro nuestra")
"""The noun behind one may be what a pronoun means."""
UNSPACED = re.compile(
    r"^(?:那|还有|還有|和|为什么[？?]?$|為什麼[？?]?$|为何|第[一二三四两兩]个|第[一二三四兩]個|前者|后者|後者)|呢\s*[？?]?\s*$"
    r"|(?<!其)[他她它]|那个|那個|那里|那裡|那儿|那些|それ|あれ|彼女?|そこ"
)
"""Chinese and Japanese: beginnings, bare questions and pronouns."""
UNSPACED_ASSENTS = re.compile(
    r"^(?:好的?|好啊|是的?|可以|行|对|對|当然|當然|嗯|请说|請說|要|想|はい|うん|お願いします|ええ)\W*(?:谢谢|謝謝)?\W*$"
)
