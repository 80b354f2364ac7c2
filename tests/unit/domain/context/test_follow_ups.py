"""Which turns refer to the messages before them, what of these is searched, and that other turns stay as they are."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import follow_ups as labelled
from benchmarks import precision, silence, turns
from remembrancer.domain.context import chat_messages, follow_ups
from remembrancer.domain.context.assembly import AssembleRequest
from remembrancer.domain.context.follow_ups import CHARACTERS, Resolved, chosen, refers_back, resolved
from remembrancer.domain.retrieval.turn_key import turn_key
from tests.builders import assemble_request, message

STATEMENT = "The tandem is still waiting for its bottom bracket."
QUESTION = "Shall I order the net of two metres?"
MOST_MISTAKEN = 0.02
"""Of turns that stand alone: no more may be taken for follow-ups."""


def chat(*texts: str) -> list[dict[str, Any]]:
    """Texts of user and assistant in turn; the last is the user's."""
    roles = ("user", "assistant") if len(texts) % 2 else ("assistant", "user")
    return [{"role": roles[place % 2], "content": text} for place, text in enumerate(texts)]


def told_before(*texts: str) -> Resolved:
    return resolved(chat(*texts), texts[-1])


@pytest.mark.parametrize(
    "turn",
    [
        "And when will it be back?", "and for Anna?", "What about Tuesday?", "Or on Monday", "Otter?", "why?",
        "How come?", "Why’s that?", "which ones?", "Which day?", "In which month exactly?", "How much?",
        "Who? I forgot.",
        "The second one.", "the latter", "Does the other one take a child seat?", "Only the first, please.", "both",
        "option b", "number 2", "Tell me more about it", "Can you give me her number?", "Then I'd rather write to him.",
        "Could Dr Pfaff drive out to him?", "How long is that going to take?", "What do we pay there?",
        "Is Stella due in those days?", "What does his insurance pay?", "how many do we have?",
        "Is the data in it real?",
        "Und für Anna?", "Warum nicht?", "Was kostet sie am Tag?", "Et pour Anna ?", "Où est-elle ?", "¿Y para Anna?",
        "¿Por qué?", "安娜呢？", "为什么？", "他什么时候回来？", "第二个",
    ],
)  # fmt: skip
def test_a_turn_that_needs_what_was_said_before_refers_back(turn: str) -> None:
    assert refers_back(turn, is_answer=False)


@pytest.mark.parametrize(
    "turn",
    [
        "When does Anna have her piano lesson?", "How does Dr Pfaff take his tea?", "What time is it?",
        "Is it true that bees sleep?", "How long does it take to boil an egg?",
        "The samples are ready. When do they go?", "Когда обед?",
        "Make this shorter: It is important to note that they came.", 'Is it "who" or "whom"?', "What is on this week?",
        "How are you?", "Who am I?", "thanks", "ok", "Great, that was quick!", "It's snowing!", "Got it.", "no",
        "No thanks",
        "yes please", "Who was the last one to borrow the van?", "Hi there", "Is there a spare key?", "What's up?",
        "Lovely weather, isn't it?", "15 % of 2,480?", "Really?", "Which lock do we recommend?",
        "Welche Schuhgröße hat Anton?", "Können Sie rechnen?", "Pourquoi le ciel est-il bleu ?", "Il pleut.",
        "¿Qué contraseña tiene el wifi?", "其他问题怎么办？", "安娜什么时候有钢琴课？", "", " ", "?!",
    ],
)  # fmt: skip
def test_a_turn_that_says_itself_what_it_is_about_stands_alone(turn: str) -> None:
    assert not refers_back(turn, is_answer=False)


@pytest.mark.parametrize(
    "turn",
    [
        "yes",
        "Yes, please.",
        "ok",
        "sure, go ahead",
        "Bela",
        "on Friday",
        "ja, bitte",
        "oui, s'il te plaît",
        "sí",
        "好的",
    ],
)
def test_an_answer_refers_to_a_question_of_the_assistant_and_to_nothing_else(turn: str) -> None:
    assert refers_back(turn, is_answer=True)
    assert not refers_back(turn, is_answer=False)
    assert told_before(QUESTION, turn).referred == QUESTION
    assert told_before(STATEMENT, turn).referred == ""


@pytest.mark.parametrize(
    "turn", ["no", "No, thanks.", "nope", "never mind", "nein", "thanks!", "Good morning", "Perfect, bye!"]
)
def test_who_declines_or_is_polite_refers_to_nothing(turn: str) -> None:
    assert told_before(QUESTION, turn) == Resolved(turn)


@pytest.mark.parametrize(("file", "least"), [("conversations.tsv", 114), ("hotel.tsv", 37)])
def test_our_follow_ups_are_found_and_turns_that_stand_alone_are_not_touched(file: str, least: int) -> None:
    told = {"alone": 0, "follow-up": 0}
    for conversation in labelled.conversations(file):
        for kind, _, text in conversation.turns:
            found = resolved([*conversation.messages, {"role": "user", "content": text}], text)
            if kind == "alone":
                assert found == Resolved(text)
            told["alone" if kind == "alone" else "follow-up"] += bool(found.referred)

    assert told["follow-up"] >= least


def standing_alone() -> Iterator[str]:
    yield from (turn.text for turn in turns.turns())
    yield from (turn.text for turn in silence.turns())
    yield from (line["question"] for line in precision.lines() if "question" in line)


def test_few_turns_of_other_sets_are_taken_for_follow_ups() -> None:
    told = [refers_back(text, is_answer=False) for text in standing_alone()]

    assert len(told) == 1250
    assert sum(told) <= MOST_MISTAKEN * len(told)


def test_what_a_turn_refers_to_are_the_last_two_exchanges_oldest_first() -> None:
    found = told_before(
        "Hello!", "Hello.", "Is the tandem done?", "Not yet.", "What is missing?", "A bracket.", "When does it come?"
    )

    assert found == Resolved("When does it come?", "Is the tandem done?\nNot yet.\nWhat is missing?\nA bracket.")
    assert follow_ups.meaning("b", "a") == "b\na\nb"
    assert follow_ups.meaning("b", "") == "b"


def test_words_of_systems_tools_hosts_and_memories_are_not_searched() -> None:
    injected = (
        "<memories-123456789>\nFactual:\n- The geese ate the leeks.\n</memories-123456789>\n\nWhere is the tandem?"
    )
    messages = [
        {"role": "system", "content": "You are a shop's assistant."},
        {"role": "user", "content": injected},
        {"role": "assistant", "content": "Let me look.", "tool_calls": [{"id": "1", "function": {"name": "find"}}]},
        {"role": "tool", "tool_call_id": "1", "content": "stock: cellar"},
        {"role": "assistant", "content": "In the shop."},
        {"role": "user", "content": "Since when is it there?"},
        {"role": "assistant", "content": "I look it up.", "tool_calls": [{"id": "2", "function": {"name": "find"}}]},
        {"role": "tool", "tool_call_id": "2", "content": "log: Monday"},
    ]

    request = assemble_request(messages=messages)

    assert request.query == "Since when is it there?"
    assert request.referred == "Where is the tandem?\nIn the shop."
    assert request.question == (5, request.query)


def test_without_an_earlier_message_nothing_is_referred_to() -> None:
    assert told_before("And when will it be back?") == Resolved("And when will it be back?")
    assert resolved([message("Be brief.", role="system"), message("why?")], "why?") == Resolved("why?")


LIST = "Some ideas:\n1. The Golden Goose\n2) Chez Lucie, by the river\n- The Anchor\nWhich do you like?"


@pytest.mark.parametrize(
    ("turn", "offered", "option"),
    [
        ("The second one.", LIST, "Chez Lucie, by the river"),
        ("the last one please", LIST, "The Anchor"),
        ("the fourth", LIST, ""),
        ("the former", "The date of the service, or the address for the bill?", "The date of the service"),
        ("the latter", "Do you mean the date, or the address for the bill?", "the address for the bill"),
        ("the first, when is it due?", "They have two, Flocke and Hasi. Which of them?", "Flocke"),
        ("das zweite", "Meinst du die rote oder die grüne Lampe?", "die grüne Lampe"),
        ("What's the second one for?", "Shall I say which and when?", ""),
        ("the second one", "It is ready.", ""),
        ("the first week of June", LIST, ""),
        ("the other one", LIST, ""),
    ],
)  # fmt: skip
def test_what_is_chosen_by_its_place_is_found_in_what_was_offered(turn: str, offered: str, option: str) -> None:
    assert chosen(turn, offered) == option


def test_a_chosen_option_is_searched_as_if_the_turn_named_it() -> None:
    request = assemble_request(messages=chat("Where can we eat?", LIST, "the second one"))

    assert request.query == "the second one\nChez Lucie, by the river"
    assert request.referred.startswith("Where can we eat?\nSome ideas:")
    assert request.meaning == f"{request.query}\n{request.referred}\n{request.query}"


def test_no_more_than_so_many_characters_are_read_for_it() -> None:
    pasted = "Look at this.\n" + "a line of a log, " * (follow_ups.MOST_TEXT // 16)

    assert told_before("Is it done?", "No.", pasted, "I see.", "why?").referred == "I see."
    assert told_before("Is it done?", pasted, "why?") == Resolved("why?")


def test_a_turn_is_remembered_for_what_it_refers_to() -> None:
    def key(*before: str, **changes: Any) -> str:
        return turn_key(assemble_request(messages=chat(*before, "why?"), session_id="s", **changes))

    assert key("Is it done?", "No.") != key("Is it open?", "No.")
    assert key("Is it done?", "No.") == key("Is it done?", "No.")
    assert key("Is it done?", "No.", turn_id="t") == key("Is it open?", "No.", turn_id="t")


def test_a_turn_is_remembered_for_what_it_chooses_where_that_stands_in_the_middle_of_a_long_list() -> None:
    def request(chosen: str) -> AssembleRequest:
        offered = f"Which net?\n1. {'the old one, ' * 20}\n2. {chosen}\n3. {'the long one, ' * 20}"
        return assemble_request(messages=chat("A net?", offered, "the second one"), session_id="s")

    blue, red = request("the blue net"), request("the red net")

    assert blue.referred == red.referred
    assert turn_key(blue) != turn_key(red)


WORDS = st.sampled_from(
    [
        "and", "it", "the", "second", "one", "yes", "no", "why", "she", "Anna", "what", "is", "that", "there", "her",
        "und", "?", ".", ",", ":", "“", "\n", "-", "1.", "or", "sie", "elle", "他", "呢",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=40).map(" ".join))
MESSAGES = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "system", "developer", "tool", "human", "ai"]), "content": TEXTS}
)


@given(messages=st.lists(MESSAGES, max_size=12))
def test_any_history_gives_bounded_words_of_users_and_assistants(messages: list[dict[str, Any]]) -> None:
    request: AssembleRequest = assemble_request(messages=messages)
    position, turn = request.question

    assert len(request.referred) <= CHARACTERS
    assert request.query.startswith(turn)
    spoken = {"user", "assistant", "human", "ai"}
    said = "\n".join(chat_messages.text_of(one) for one in messages[: max(position, 0)] if one["role"] in spoken)
    assert set(request.referred) <= set(said) | {"\n"}
    if not request.referred:
        assert request.query == request.meaning == turn


@given(turn=TEXTS, before=st.lists(MESSAGES, max_size=6))
def test_a_turn_that_stands_alone_is_searched_as_without_a_conversation(
    turn: str, before: list[dict[str, Any]]
) -> None:
    found = resolved([*before, {"role": "user", "content": turn}], turn)

    if not refers_back(turn, is_answer=True):
        assert found == Resolved(turn)
