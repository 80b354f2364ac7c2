"""One key for the spellings of a name."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.lexical_index.spellings import spelling_key

ALIKE = [
    "mohammed muhhamed muhammad mohamed mohammad muhamad", "ahmed ahmad", "khaled khalid kaled",
    "hussein hossein hussain", "fatima fatema", "karim kareem", "rashid rasheed",
    "yusuf yousuf jusuf", "katherine catherine katharine catharine",
    "kathryn kathrin katrin cathrin", "stephen steven", "stefan steffen", "jon john", "sara sarah", "anna ana",
    "hanna hannah hana", "philip phillip filip philipp", "erik eric erick", "marc mark", "lucas lukas",
    "victor viktor wiktor", "christina cristina kristina", "sofie sophie", "sofia sophia",
    "elizabeth elisabeth elisabet", "teresa theresa tereza", "nikolai nicolai nikolay", "dmitri dmitry",
    "michael mikael micheal", "rachel rachael",
    "brian bryan", "alison allison alyson", "lindsay lindsey", "tracy tracey traci", "josef joseph jozef",
    "gonzalez gonzales", "meyer meier", "muller mueller", "alexei aleksei alexey", "vladimir wladimir",
]  # fmt: skip
APART = [
    "martin martina morten", "christine christian", "daniel daniela danilo", "simon simone", "robert roberta",
    "paul paula", "lena lina luna lana", "marina maren", "petra peter pedro", "nora nura", "maria mario mara",
    "tom tim tammy", "anna hanna", "jan jana jean", "julia julian julie jules", "emil emily emma", "leo lea",
    "carla carlo clara", "andrea andreas andrew", "sandra sander sandro", "milan milena", "sven ivan", "mark march",
]  # fmt: skip


@pytest.mark.parametrize("names", ALIKE)
def test_spellings_of_one_name_have_one_key(names: str) -> None:
    keys = {spelling_key(name) for name in names.split()}

    assert len(keys) == 1
    assert "" not in keys


@pytest.mark.parametrize("names", APART)
def test_other_names_have_other_keys(names: str) -> None:
    for one, other in combinations(names.split(), 2):
        assert spelling_key(one) != spelling_key(other)


@pytest.mark.parametrize("name", ["", "al", "anne-marie", "анна", "小林", "owl42", "zoë"])
def test_short_words_and_other_signs_have_no_key(name: str) -> None:
    assert spelling_key(name) == ""


@given(name=st.text("abcdefghijklmnopqrstuvwxyz", max_size=20))
def test_a_key_is_short_and_repeats_no_letter(name: str) -> None:
    key = spelling_key(name)

    assert key == "" or 3 <= len(key) <= 2 * len(name)
    assert all(one != other for one, other in pairwise(key))
