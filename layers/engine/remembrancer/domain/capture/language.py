"""English words that rules of capture treat specially."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


FILLERS = _set(
    """oh um uh hey hi hello yeah yep wow haha lol ok okay actually really very just also honestly basically totally
    definitely absolutely super quite btw fyi anyway finally currently still already even luckily sadly
    thankfully fortunately unfortunately personally please thanks"""
)
"""Words that may be left out: without them a sentence says the same."""
OPENERS = FILLERS | _set("well so and but because although though plus then remember note yes however")
"""Words that may be left out before a clause."""

NEGATIONS = _set(
    """not never no none nobody nothing nowhere neither nor without hardly barely scarcely rarely seldom cannot"""
)
CONDITIONS = _set(
    """might may could would should must 'd maybe perhaps probably possibly potentially likely will 'll gonna wanna
    if unless whether when whenever while until till once only except unlike instead rather almost nearly
    supposed according allegedly supposedly apparently hypothetically theoretically ideally technically"""
)
ATTITUDES = _set(
    """think thinks thought thinking guess guessed believe believes believed seem seems seemed appear appears
    appeared suppose reckon assume assumed doubt doubts wonder wondered hope hopes hoped hoping wish wishes
    wished want wants wanted plan plans planned planning intend intends considered considering consider
    imagine imagined pretend pretended pretending dream dreams dreamed dreamt dreaming joke joked joking
    kidding kid faked say says said saying tell tells told telling claim claims claimed hear heard rumor
    rumour ask asked used lie lied lying mean meant"""
)
OPERATORS = NEGATIONS | CONDITIONS | ATTITUDES
"""Words that decide whether what stands near them is true."""
GAMES = _set("roleplay pretend pretending imagine hypothetical hypothetically")
"""Words after which a whole conversation may not speak of what is so."""
NOMINATIVES = _set("i we he she they")
VAGUE = _set("he him his she her hers it its they them their theirs")
"""Words that mean nobody to whoever reads a memory by itself."""
POSSESSIVES = _set("his her its")
ANAPHORS = _set("it that this these those one them then so there")
AUXILIARIES = _set("am is are was were has have had will can do does did 's 're 've")
ARTICLES = _set("a an the")
CONNECTORS = _set("and but so because since although though however whereas plus then yet , ; –")
PREPOSITIONS = _set(
    """in at on for with by to under during after before from per as of into like about against among around near
    over through since than towards within via"""
)
STATES = _set(
    """vegan vegetarian pescatarian flexitarian carnivore omnivore teetotal allergic intolerant coeliac celiac diabetic
    asthmatic epileptic anaemic anemic hypertensive dyslexic dyspraxic autistic deaf blind colourblind colorblind
    nearsighted farsighted shortsighted longsighted ambidextrous bald married single divorced widowed retired bilingual
    trilingual multilingual gay lesbian bisexual transgender nonbinary asexual religious atheist agnostic jewish muslim
    christian catholic protestant orthodox hindu buddhist sikh called named from vaccinated neutered"""
)
"""With what the complement of a lasting state begins, behind am, is or are."""
PAIRED_STATES = frozenset((
    ("left", "handed"), ("right", "handed"), ("short", "sighted"), ("near", "sighted"), ("long", "sighted"),
    ("far", "sighted"), ("colour", "blind"), ("color", "blind"), ("self", "employed"), ("non", "binary"),
    ("lactose", "intolerant"), ("gluten", "intolerant"), ("afraid", "of"), ("scared", "of"), ("terrified", "of"),
    ("fond", "of"),
))  # fmt: skip
"""States whose first word alone does not tell them: `left handed`, `fond of`."""
ATTRIBUTES = _set(
    """name names nickname surname username email address number code pin password passcode birthday anniversary size
    height weight age colour color type breed brand model job profession occupation employer hometown nationality
    language languages religion diet pronouns plate allergy allergies hobby
    hobbies"""
)
"""Nouns whose value lasts, whatever it is."""
MEASURES = _set(
    """inch inches cm mm m metre metres meter meters km foot feet ft kg kilo kilos kilograms lb lbs pounds litre litres
    liter liters years year"""
)
"""Units of lasting measures; those of money and of hours tell of an occasion."""
HABITS = _set(
    """live love like hate adore enjoy prefer dislike detest work speak own drive ride play study eat drink smoke cook
    bake use wear collect keep teach belong suffer weigh earn share grow breed raise sing paint rent"""
)
"""Verbs that, in the present, say what is so. `I take` and `I go` may tell of today."""
MOMENTARY = _set("feel think know want need understand remember see hear get mean care mind have be agree believe")
"""Verbs that say nothing lasting even with `never`."""
POSSESSIONS = _set(
    """brother brothers sister sisters sibling siblings son sons daughter daughters child children kid kids twin twins
    wife husband partner boyfriend girlfriend fiancé fiancée cousin cousins uncle uncles aunt aunts nephew nephews niece
    nieces grandson granddaughter grandchild grandchildren stepson stepdaughter dog dogs cat cats horse horses rabbit
    rabbits bird birds parrot parrots hamster hamsters goldfish snake tortoise pet pets chickens hens hives car cars van
    motorbike motorcycle bike bikes bicycle bicycles boat house flat apartment cottage garden balcony allergy allergies
    intolerance degree phd licence license hair eyes skin freckles tattoo tattoos glasses"""
)
"""What people do not have for an occasion only."""
RELATIONS = _set(
    """sister mother mom mum mam wife girlfriend daughter aunt grandmother grandma niece granddaughter fiancée
    brother father dad husband boyfriend son uncle grandfather grandpa nephew grandson fiancé partner boss
    manager friend colleague doctor dentist therapist neighbour neighbor cousin child kid twin dog cat landlord
    landlady teacher name nickname hometown"""
)
"""What somebody with a name is to the speaker."""
CONDITIONS_OF_HEALTH = _set(
    """asthma diabetes epilepsy adhd arthritis hypertension dyslexia autism psoriasis eczema endometriosis
    hypothyroidism anaemia anemia ibs copd"""
)
"""What people have, without an article, as long as they live."""
PASSING = _set(
    """today tonight tomorrow yesterday now currently just already yet soon later ago lately recently again last next
    this moment morning afternoon evening noon midnight monday tuesday wednesday thursday friday saturday sunday
    week weeks weekend month months day days night nights behind step minute minutes hour hours second seconds
    o'clock am pm meanwhile finally until till since suddenly temporarily almost nearly longer anymore tired
    exhausted hungry thirsty sleepy sick ill unwell sad happy angry mad upset glad sorry sure ready busy free late
    early bored worried anxious nervous excited lost stuck cold hot warm wet drunk sober awake asleep alone back
    home away ok okay fine good great better best worse well wrong dead broken full empty open closed gone missing
    online offline due curious confused surprised disappointed pleased proud grateful thankful available explanation
    response result version draft poem story joke recipe list text against out bit little lot mess wreck feeling
    mood way road train bus plane headache migraine fever cough flu hangover ache pain cramp appointment meeting
    exam test interview call date flight deadline visitor visitors guest guests party trip question questions
    problem problems idea ideas plan plans issue error bug surprise favour favor request chance suggestion
    suggestions answer answers option time"""
)
"""Words of a moment, an occasion or this conversation: a sentence with one may not last."""
PASTS = _set(
    """was were had did been went gone came saw seen got gotten gave given took taken made said told knew known thought
    felt found left lost bought brought caught taught fought sold sent spent built broke broken spoke spoken woke
    chose chosen drove driven ate eaten drank drunk began begun ran swam sang rang won paid met kept slept wept lent
    bent held heard stood understood wrote written rode ridden rose risen fell fallen flew flown grew grown threw
    thrown drew drawn wore worn tore torn stole stolen froze frozen forgot forgotten hid hidden bit bitten shot sat
    lit dug hung stuck struck swung became led fed bled sped fled bred dreamt learnt burnt laid lay put cut hit hurt
    quit shut split set let born done"""
)
"""Irregular forms of the past; those that look as the present does are in doubt, too."""
REGULAR_PRESENTS = _set(
    """bed red shed sacred naked married retired divorced widowed handed sighted employed terrified called named
    vaccinated neutered"""
)
"""Words in -ed that tell of nothing past. Those in -eed never do."""
HABITUAL = _set("always usually often sometimes mostly generally rarely seldom never hardly normally typically")
"""With one of these, most verbs in the present say what is so."""
KNOWN = OPERATORS | FILLERS | OPENERS | GAMES | VAGUE | NOMINATIVES | ANAPHORS | AUXILIARIES | ARTICLES | PREPOSITIONS
ABBREVIATIONS = _set("dr mr mrs ms st prof vs etc e.g i.e no approx jr sr inc ltd co")

_SMALL = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth"
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
UNITS = {word: number for number, word in enumerate(_SMALL.split())}
TENS = {word: 10 * number for number, word in enumerate(_TENS.split(), 2)}
ORDINALS = {word: f"{number}{_ENDINGS.get(number, 'th')}" for number, word in enumerate(_ORDINALS.split(), 1)}
