"""Words of wishes to forget, by what they do in a sentence, and sentences as sequences of such classes.

"Please erase what I told you about Ana" and "Bitte lösch, was ich dir über Ana gesagt habe" become sequences of the
same classes, by which `wish_score` tells wishes from the rest. Words of a class do the same in this grammar and need
not be synonyms. An underscore joins the words of a phrase.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_CLASSES: Mapping[str, str] = {
    "forget": """
        forget forgetting forgot_about unlearn unlearning unremember unknow unhear disregard ignore ignoring
        deletion 4get vergiss vergesst vergessen oublie oubliez oublier olvida olvide olvides olvidar
        dimentica dimentichi dimenticare vergeet vergeten esquece esqueça esquecer""",
    "dismiss": "forget_it forget_about_it never_mind nevermind vergiss_es",
    "forgot": """
        forgot forgets forgotten vergesse vergisst vergaß oublié olvido olvidé olvidado dimentico dimenticato
        esqueci""",
    "unheard": """
        unheard didn't_hear haven't_heard never_heard never_knew didn't_know_it know_nothing
        don't_know_it don't_need_to_know not_need_to_know needn't_know no_need_to_know not_know shouldn't_know
        mustn't_know""",
    "delete": """
        delete deleting erase erasing expunge redact obliterate purge purging unsave unsay unstore unlog
        unnote unwrite untell retract withdraw lösch lösche löschen löscht streich streiche streichen
        rausnehmen herausnehmen entferne entfernen efface effacez effacer supprime supprimez supprimer borra
        borre borrad borrar borres elimina elimine eliminar eliminare cancella cancelli cancellare verwijder
        verwijderen wis apaga apague apagar""",
    "remove": """
        remove removing wipe wiping clear clearing drop dropping scrub scrubbing strike striking scratch scrap
        bin ditch lose losing trash nuke zap shred burn dump toss chuck kill flush omit strip bury banish
        discard discarding undo pull get_rid_of getting_rid_of get_shot_of do_away_with doing_away_with
        let_go_of out_with off_with away_with throw_out throw_away cross_out rub_out blot_out cut_out take_out
        taking_out take_off take_away take_back leave_out get_out scrub_out strike_out wipe_out strike_off""",
    "move": "take taking get getting move put throw rub cross cut leave leaving have having",
    "out": "out off away raus heraus weg fuera fora",
    "gone": """
        deleted removed erased wiped cleared purged dropped scrubbed struck binned ditched trashed shredded
        discarded expunged redacted gone vanish vanishes vanished disappear disappears disappeared withdrawn
        unsaid thrown crossed rubbed gelöscht gestrichen entfernt effacé supprimé borrado eliminado
        unmentioned""",
    "keep": """
        keep keeping save saving store storing remember remembering retain retaining record recording noting
        write_down writing_down note_down jot log logging filing track tracking memorise memorize memorising
        memorizing hold holding hang_on_to hold_on_to hold_onto hang_onto keep_in_mind write writing preserve
        preserving carry make_a_note take_a_note merk merke merken merkst speicher speichere speichern
        speichert behalt behalte behalten notieren enregistre enregistrez retiens retenez garde gardez
        mémorise guardes guarde recuerdes recuerde memorices salvare salvi ricordare memorizzare onthoud
        bewaar guardar lembres""",
    "kept": """
        kept saved stored recorded noted written_down written logged filed tracked remembered retained
        memorised memorized preserved on_file on_record on_the_record gespeichert""",
    "know": "know knows knowing knew known have_heard heard hear weißt wissen sais savez sabes sabe weet",
    "mention": "mentioning bring_up bringing_up brought_up came_up come_up repeat repeating remind reminding use",
    "memory": """
        memory my_memories all_memories the_memories notes records db profile storage books computer your_mind
        your_database your_db your_files your_file your_history your_head your_profile your_system
        your_storage your_books your_brain your_context your_computer your_record the_file the_record
        the_computer the_system anywhere trace in_here in_there gedächtnis notizen profil mémoire memoria
        notas geheugen memória""",
    "said": """
        said say saying told tell telling mentioned wrote sent shared typed talked spoke pasted gave blurted
        confessed let_slip posted complained gesagt erzählt geschrieben dit écrit dije dicho conté detto
        scritto gezegd verteld disse""",
    "secret": """
        between_us between_you_and_me between_ourselves confidential in_confidence confidentially private
        privately to_yourself breathe_a_word for_your_ears nobody's_business no_one's_business
        none_of_your_business personal unter_uns""",
    "unrecorded": "off_the_record",
    "regret": """
        too_much shouldn't_have should_not_have should_never_have ought_not oughtn't wish_i_hadn't
        wish_i'd_never wish_i_had_never regret out_of_turn overshared overshare wrong_chat wrong_person
        wrong_window by_mistake by_accident never_meant_to didn't_mean_to""",
    "pretend": "pretend consider as_if as_though",
    "thing": """
        thing things bit bits part parts stuff story stories remark remarks comment comments business matter
        matters detail details info information message messages sentence fact mention note sache ding cosa
        chose zaak""",
    "old": "old older previous former alte alten ancien ancienne viejo vieja antiguo",
    "last": "last latest just earlier before above recent gerade eben",
    "my": """
        my our mine ours mein meine meinen meiner meinem unser unsere mon ma mes notre nos mi mis nuestro
        nuestra mijn onze meu minha meus minhas mio mia miei""",
    "their": "his her hers their theirs su sus ihre ihren son sa ses",
    "i": "i i'm i've i'd i'll we we're we've we'd we'll ich je j yo ik eu io",
    "me": "me us myself ourselves mich mir moi",
    "you": "you you'd you'll you're you've yourself du dir dich sie tu vous te usted",
    "your": "your yours dein deine deinen deinem ihrem tes vos votre tus tuo tua",
    "it": "it that this them those these das dies ça cela ceci esto eso dat questo ciò isto isso",
    "it's": "it's that's this's",
    "they": "he she they he's she's they're he'd she'd they'd el ella elle",
    "please": """
        please kindly bitte stp svp por_favor per_favore plaît alsjeblieft alstublieft appreciate grateful
        pray""",
    "ask": "can could would will kannst könntest können könnten puedes podrías puede peux pouvez kun kunt puoi pode",
    "may": "may might",
    "mind": "mind_if you_mind",
    "want": "want wants like prefer rather better hope möchte quiero veux wil",
    "wish": "wish",
    "should": "should must need needs have_to supposed ought darf",
    "not": """
        not no never none nothing nobody nowhere neither cannot don't doesn't can't won't mustn't isn't aren't
        needn't no_longer any_more anymore no_one no_need nicht kein keine pas ne n niet não non shouldn't
        wouldn't""",
    "stop": "stop avoid quit refrain without cease ohne",
    "didn't": "didn't wasn't hadn't haven't hasn't weren't",
    "have": "habe hab hat haben",
    "let": "let lass deja laisse",
    "let's": "let's",
    "be": "be is are was were been being am ist sind est es",
    "what": "what whatever ce_que lo_que lo_de wat o_que quello_che",
    "that": "que dass daß che qu",
    "ask-word": "who when why how which whose wann wie warum wer",
    "where": "where wo dónde où waar",
    "about": "about concerning regarding of on with over über von mit sur de sobre del",
    "from": "from in into to aus dans en uit",
    "all": "all everything anything any every whole entire alles tout todo tutto tudo",
    "always": "always ever often sometimes usually tend nearly almost immer ständig siempre toujours sempre altijd",
    "and": "and but so then because since as or und et y porque weil",
    "go": "go stay stays goes",
    "the": "the a an der die den dem le la les los lo het il un una eine ein einen",
    "for": "for at by",
    "if": "if unless in_case",
    "filler": """
        um umm uh erm er oh ooh ugh lol haha shit damn fuck oi hey ay nah yeah yep tho though yet em ok okay
        btw correct right sorry oops hi hello well thanks ta cheers also too""",
    "object": """
        file files document line lines row column page paragraph essay text draft email account order booking
        appointment meeting calendar list basket cart branch commit code function table database app
        background duplicates stain datei zeile absatz fichier ligne archivo línea riga bestand""",
    "again": "again now either",
    "instead": "instead make",
}  # fmt: skip
_SPELT: Mapping[str, str] = {
    "u": "you", "ur": "your", "ya": "you", "pls": "please", "plz": "please", "n": "and", "k": "ok", "outta": "out of",
    "cuz": "because", "bout": "about", "dnt": "don't", "r": "are", "im": "i'm", "ive": "i've",
} | {
    word.replace("'", ""): word
    for word in (
        "don't", "doesn't", "didn't", "can't", "won't", "shouldn't", "isn't", "wasn't", "wouldn't", "haven't", "hadn't",
        "mustn't", "needn't", "that's", "it's", "let's", "aren't", "hasn't", "he's", "she's",
    )
}  # fmt: skip
_OF_WORD = {word: name for name, words in _CLASSES.items() for word in words.split() if "_" not in word}
_OF_PHRASE = {tuple(word.split("_")): name for name, words in _CLASSES.items() for word in words.split() if "_" in word}
_MOST_WORDS = max(map(len, _OF_PHRASE))
_TOKEN = re.compile(r"\d[\w.,:-]*|[^\W\d_]+(?:['-][^\W\d_]+)*|[?:,\"“”«»–—]|(?<=\s)-(?=\s)|\.\.+")
_MARKS = {"?": "?", ":": ",", ",": ",", "–": ",", "—": ",", "-": ","}
CONTENT = "x"
"""The class of a word that is none of these."""
NUMBER = "0"
QUOTED = "quote"


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a phrase or a mark as it was written, from `start` on, and its class."""

    text: str
    name: str
    start: int


def tokens(sentence: str) -> list[Token]:
    """The sentence's tokens, in order; phrases are one token."""
    found = [(match[0], match.start(), word) for match in _TOKEN.finditer(sentence) for word in _words(match[0])]
    read: list[Token] = []
    place = 0
    while place < len(found):
        text, start, word = found[place]
        size = next(
            (
                size
                for size in range(min(_MOST_WORDS, len(found) - place), 1, -1)
                if tuple(one[2] for one in found[place : place + size]) in _OF_PHRASE
            ),
            1,
        )
        if size > 1:
            last, end, _ = found[place + size - 1]
            name = _OF_PHRASE[tuple(one[2] for one in found[place : place + size])]
            read.append(Token(sentence[start : end + len(last)], name, start))
        elif not read or read[-1].start != start or name_of(word) != CONTENT:
            read.append(Token(text, name_of(word), start))
        place += size
    return read


def name_of(word: str) -> str:
    """The class of a single word in small letters."""
    if word in _MARKS or word.startswith(".."):
        return _MARKS.get(word, ",")
    if word[0].isdigit() and word not in _OF_WORD:
        return NUMBER
    if not word[0].isalnum():
        return QUOTED
    return _OF_WORD.get(word) or ("their" if word.endswith("'s") else CONTENT)


def _words(token: str) -> list[str]:
    """Its words in small letters and as they are commonly spelt; `un-know` is `unknow`, and French `qu'il` is two."""
    word = token.lower()
    word = word.replace("-", "", 1) if word.startswith("un-") else word
    spelt = _SPELT.get(word, word)
    before, apostrophe, after = spelt.partition("'")
    if apostrophe and before in ("qu", "j", "n", "d", "l", "s", "m", "t"):
        return [before, after]
    return spelt.split()
