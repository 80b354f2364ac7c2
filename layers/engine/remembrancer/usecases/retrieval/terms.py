"""The terms of texts that are stored or searched for, in an organization's languages."""

from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.lexical_index import bm25
from remembrancer.domain.lexical_index.bm25 import IndexedText, QueryTerms
from remembrancer.domain.lexical_index.stop_words import STOP_WORDS
from remembrancer.domain.lexical_index.words import language_of
from remembrancer.ports.search import Stemmer


def indexed(content: str, context: str | None, organization: Organization, stemmer: Stemmer) -> IndexedText:
    """The index entries of a memory, in the one of the organization's languages that its content is in."""
    language = language_of(content, organization.languages)
    return bm25.index(
        content,
        context,
        key=organization.term_key,
        stem=stemmer.of(language).stem,
        stop_words=STOP_WORDS[language],
        languages=organization.languages,
    )


def wanted(
    text: str, organization: Organization, stemmer: Stemmer, *, kinds: bool = False, referred: str = ""
) -> QueryTerms:
    """Words are stemmed in every language that memories may be in, so that none is missed where the language of a short
    text was not recognized; stop words are those of its own. `referred`: texts that it refers to.
    """
    language = language_of(f"{text}\n{referred}", organization.languages)
    own = stemmer.of(language)
    others = dict.fromkeys((*organization.languages, *organization.former_languages))
    return bm25.wanted(
        text,
        key=organization.term_key,
        stem=own.stem,
        kinds=own.kinds if kinds else bm25.no_kinds,
        stop_words=STOP_WORDS[language],
        other_stems=[stemmer.of(other).stem for other in others if other != language],
        referred=referred,
    )
