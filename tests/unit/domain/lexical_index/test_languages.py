"""Search by words in other languages than English, on questions and memories written for this repository."""

import json
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import numpy as np
import pytest

from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.lexical_index import bm25, postings
from remembrancer.domain.lexical_index.stop_words import ENGLISH, STOP_WORDS
from remembrancer.domain.lexical_index.subjects import named, subjects
from remembrancer.domain.lexical_index.words import language_of, words
from remembrancer.domain.retrieval.intents import classify, tier_for
from remembrancer.usecases.retrieval import terms
from tests.unit.domain.inverted_index import InvertedIndex, inverted

SETS = Path(__file__).resolve().parents[4] / "benchmarks" / "languages"
NAMES = tuple(STOP_WORDS)
STEMMER = SnowballStemmer()
CHOIR = ("El coro ensaya las canciones.", "El coro canta en la iglesia.", "Andrés trabaja en la iglesia.")


def organization(*languages: str, former: tuple[str, ...] = ()) -> Organization:
    return Organization(UUID(int=1), b"key", languages=languages, former_languages=former)


def shared(memory: str, query: str, *, stored: Organization, asked: Organization) -> set[int]:
    """The terms that a memory and a query have in common."""
    entries = terms.indexed(memory, None, stored, STEMMER).terms
    return {term for term, _, _ in entries} & set(terms.wanted(query, asked, STEMMER).terms)


def indexed(memories: Sequence[str], organization: Organization) -> InvertedIndex:
    entries = [terms.indexed(memory, None, organization, STEMMER) for memory in memories]
    return inverted(
        [
            postings.Document(number, entry.content_words, 0, postings.pack_terms(entry.terms))
            for number, entry in enumerate(entries)
        ]
    )


def best(memories: Sequence[str], question: str, organization: Organization) -> float:
    """The highest score of a memory, of what the question's words could reach."""
    index = indexed(memories, organization)
    asked = terms.wanted(question, organization, STEMMER)
    return float(bm25.bm25(index.postings(asked.terms), index.collection, asked).rank.max())


def recall(name: str, organization: Organization) -> tuple[float, float]:
    """Of the questions: the share whose memory is among the ten best by words alone; mean reciprocal rank there."""
    lines = [json.loads(line) for line in (SETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    memories = [line for line in lines if "content" in line]
    index = indexed([line["content"] for line in memories], organization)
    ranks = []
    for question in (line for line in lines if "question" in line):
        asked = terms.wanted(question["question"], organization, STEMMER)
        scores = bm25.bm25(index.postings(asked.terms), index.collection, asked).rank
        (gold,) = (number for number, line in enumerate(memories) if line["id"] == question["gold"][0])
        better = int(np.count_nonzero(scores > scores[gold])) + int(np.count_nonzero(scores[:gold] == scores[gold]))
        ranks.append(1 / (better + 1) if scores[gold] > 0 and better < 10 else 0.0)
    return sum(rank > 0 for rank in ranks) / len(ranks), sum(ranks) / len(ranks)


@pytest.mark.parametrize(
    ("name", "languages", "least_recall", "least_rank"),
    [
        ("german", ("german",), 0.80, 0.56),
        ("german", NAMES, 0.80, 0.56),
        ("spanish", ("spanish",), 0.95, 0.88),
        ("spanish", NAMES, 0.95, 0.88),
        ("chinese", (ENGLISH,), 0.98, 0.90),
        ("chinese", NAMES, 0.98, 0.90),
    ],
)
def test_questions_find_their_memories_by_words_alone(
    name: str, languages: tuple[str, ...], least_recall: float, least_rank: float
) -> None:
    found, rank = recall(name, organization(*languages))

    assert found >= least_recall
    assert rank >= least_rank


@pytest.mark.parametrize(
    ("language", "memory", "query"),
    [
        ("german", "Sie besitzt zwei Häuser.", "Welches Haus gehört ihr?"),
        ("german", "Die Strasse ist laut.", "Wie laut ist die Straße?"),
        ("french", "Il préfère les chevaux blancs.", "Quel cheval ?"),
        ("spanish", "Le gustan las canciones de cuna.", "¿Qué canción?"),
        ("italian", "Mangia soltanto delle verdure crude.", "Quale verdura?"),
        ("portuguese", "Ela é muito alérgica a camarão.", "Tem alergia?"),
        ("dutch", "Hij houdt van oude huizen.", "Welk huis?"),
    ],
)
def test_forms_of_a_word_are_found_in_their_language(language: str, memory: str, query: str) -> None:
    own = organization(language)

    assert shared(memory, query, stored=own, asked=own)
    assert language_of(memory, NAMES) == language


@pytest.mark.parametrize(("language", "most"), [(name, STOP_WORDS[name]) for name in NAMES])
def test_stop_words_are_as_texts_are_split(language: str, most: frozenset[str]) -> None:
    assert 80 <= len(most) <= 250
    assert all(words(word, frozenset()) == [word] for word in most)
    assert words(" ".join(most), STOP_WORDS[language]) == []


def test_a_text_of_several_scripts_gives_words_and_pairs_of_characters() -> None:
    found = words("我的iPhone15手机是 2024年买的 in Berlin")

    assert [word for word in found if word.isascii()] == ["iphone15", "2024", "berlin"]
    assert {"手机", "年买", "买"} <= set(found)


def test_japanese_kana_and_thai_give_pairs_of_characters() -> None:
    assert words("ラーメン") == ["ラー", "ーメ", "メン"]
    assert words("กาแฟ") == ["กา", "าแ", "แฟ"]
    assert words("茶") == ["茶"]


def test_a_thai_question_finds_its_memory() -> None:
    own = organization(ENGLISH)

    assert len(shared("สมชายชอบดื่มกาแฟทุกเช้า", "สมชายดื่มอะไร", stored=own, asked=own)) >= 4


def test_words_of_english_organizations_need_no_setting() -> None:
    texts = [
        "Anna's naïve café-owner said: \"The résumé wasn't printed in 2019!\"",
        "Über Straße ŒUVRE ﬁnance ½ Ⅷ — x_y Ünïcödé",
        "Привет, мир! Γειά σου κόσμε. 한국어 문장",
    ]

    assert [words(text) for text in texts] == [
        ["anna", "naive", "cafe", "owner", "said", "resume", "wasn", "printed", "2019"],
        ["uber", "strasse", "oeuvre", "finance", "1", "2", "viii", "x", "y", "unicode"],
        ["привет", "мир", "γεια", "σου", "κοσμε", *unicodedata.normalize("NFD", "한국어 문장").split()],
    ]
    assert terms.wanted("Which sports did he play?", organization(ENGLISH), STEMMER, kinds=True) == bm25.wanted(
        "Which sports did he play?", key=b"key", stem=STEMMER.stem, kinds=STEMMER.kinds
    )


def test_terms_of_former_languages_are_found_until_all_are_made_anew() -> None:
    memory, query = "Im Januar werden die Heizungen abgelesen.", "Wer hat die Heizungen repariert?"
    english, german = organization(ENGLISH), organization("german", former=(ENGLISH,))

    assert shared(memory, query, stored=english, asked=german)
    assert shared(memory, query, stored=german, asked=german)
    assert not shared(memory, query, stored=english, asked=organization("german"))


def test_a_word_in_several_languages_counts_once() -> None:
    one, several = organization("spanish"), organization("spanish", "german", "dutch")

    for question in ("¿Qué canciones ensaya el coro?", "¿Dónde trabajó Andrés?"):
        own, all_of_them = (terms.wanted(question, each, STEMMER) for each in (one, several))
        assert len(all_of_them.terms) > len(own.terms)
        assert max(all_of_them.word) == max(own.word)
        assert best(CHOIR, question, several) == pytest.approx(best(CHOIR, question, one))
    assert recall("spanish", several) == pytest.approx(recall("spanish", one), abs=0.03)


def test_where_no_stop_word_tells_the_first_language_is_taken() -> None:
    assert language_of("Katzen", ("dutch", "german")) == "dutch"
    assert language_of("Katzen und Hunde", ("dutch", "german")) == "german"


def test_german_function_words_are_no_names() -> None:
    german = STOP_WORDS["german"]

    assert named("Welche Farbe mag Anna?", german).names == ("farbe", "anna")
    assert subjects("Die Anna mag Tee.", german).names == ("anna",)
    assert subjects("Élodie: j'ai un chat.").names == ("elodie",)


def test_a_question_without_blanks_is_as_long_as_its_characters() -> None:
    question = "小林年轻时在动物收容所做过什么？"

    assert tier_for(classify(question), question) == "medium"
    assert classify(question).name == "factual"
    assert tier_for(classify("茶在哪？"), "茶在哪？") == "low"
