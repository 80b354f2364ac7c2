"""What `remembrancer eval --conversations` reads, and how it judges what was played."""

import contextlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local.cli.conversation_tables import transcript
from local.evaluation import conversations, outcomes
from local.evaluation.conversations import Conversation, Label
from local.evaluation.dataset import DatasetError
from local.evaluation.playing import Item, Played, Stored
from local.stack import ROOT

TEXT = """
== bikes | bicycle shop | en | hard
m1: Her bike is red.
-- 2026-10-05 10:02
u1: My rear wheel is 26 inches, and I ride on gravel.
> state gravel | What do I ride on?
a1: Come on Friday at 9:00.
> agree Friday & 9:00 | When do I come?
u2: Thanks, my code is 4711.
-- 2026-10-12 16:40
u3: No, it is 28 inches.
> correct u1 | 28 inches | 26 inches | What size is my rear wheel?
a2: You could use wider ones.
> not agree advice
u4: Tom has 26 inches.
> not correct another
u5: Now forget my code. Bye!
> forget u2 | 4711 | What is my code? | forget my code
u6: I always forget it.
> not forget habit
> not keep chat
"""
SIZE, CODE, FRIDAY, GROUND = "What size is my rear wheel?", "What is my code?", "When do I come?", "What do I ride on?"
OLD = Stored("old", "User: My rear wheel is 26 inches, and I ride on gravel.", "active", frozenset({"u1"}))
NEW = Stored("new", "User: No, it is 28 inches.", "active", frozenset({"u3"}))
DOUBT = "- User: My rear wheel is 26 inches, and I ride on gravel. (older, may be out of date in part)"


def read(folder: Path, text: str) -> list[Conversation]:
    path = folder / "chosen.txt"
    path.write_text(text, encoding="utf-8")
    return conversations.read([path])


@pytest.fixture
def conversation(tmp_path: Path) -> Conversation:
    return read(tmp_path, TEXT)[0]


def played(conversation: Conversation, *memories: Stored, found: Sequence[str] = (), turn: str = "u5") -> Played:
    """The memories at the end, and those that the turn wishes to be forgotten; each question is answered with all of
    the active ones.
    """
    items = [Item(memory.id, f"- {memory.text}") for memory in memories if memory.status == "active"]
    questions = [label.question for label in conversation.labels if label.question]
    return Played(
        conversation,
        memories={memory.id: memory for memory in memories},
        forgotten={turn: list(found)},
        made={"code": {"u2"}} | {memory.id: set(memory.turns) for memory in memories},
        answers=dict.fromkeys(questions, items),
        prompts=dict.fromkeys(questions, "the text"),
    )


def figures(after: Played, act: str, kind: str = "") -> dict[str, int]:
    """The figures that are not 0."""
    found = [one for one in outcomes.judge(after) if (one.label.act, one.label.kind) == (act, kind)]
    assert len(found) == 1
    return {name: value for name, value in found[0].figures.items() if value}


def test_a_file_has_conversations_with_sessions_turns_and_labels(conversation: Conversation) -> None:
    assert (conversation.name, conversation.half, conversation.domain) == ("bikes", "chosen", "bicycle shop")
    assert (conversation.language, conversation.hard, conversation.spoken) == ("en", True, 8)
    assert [f"{begins:%d %H:%M}" for begins in conversation.sessions] == ["05 10:02", "12 16:40"]
    assert " ".join(conversation.turns) == "m1 u1 a1 u2 u3 a2 u4 u5 u6"
    assert [turn.session for turn in conversation.turns.values()] == [0, 1, 1, 1, 2, 2, 2, 2, 2]
    assert conversation.labels[:3] == [
        Label("state", "u1", "u1", ("gravel",), question=GROUND),
        Label("agree", "a1", "a1", ("Friday", "9:00"), question=FRIDAY),
        Label("correct", "u3", "u1", ("28 inches",), old="26 inches", question=SIZE),
    ]
    assert conversation.labels[5] == Label("forget", "u5", "u2", ("4711",), question=CODE, wish="forget my code")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("== bikes | bicycle shop | en | hard", "== bikes", "line 2: a conversation has a name"),
        ("== bikes", "== bikes | shop | en\n== bikes", "a second conversation bikes"),
        ("u2: Thanks", "u1: Thanks", "a second u1"),
        ("m1: Her bike is red.", "u9: Her bike is red.", "memories stand before the first session"),
        ("2026-10-12", "2026-10-05 10:02", "a session has a time"),
        ("2026-10-12", "2026-10-01", "not after the one before"),
        ("2026-10-12 16:40", "2026-10-05 10:02", "not after the one before"),
        ("correct u1", "correct u7", "there is no turn u7"),
        ("28 inches | 26", "29 inches | 26", "“29 inches” does not stand in"),
        ("| 26 inches |", "| 27 inches |", "“27 inches” does not stand in"),
        ("| forget my code", "| forget all", "“forget all” does not stand in"),
        ("agree Friday & 9:00", "agree Friday & 8:00", "“8:00” does not stand in"),
        ("state gravel", "agree gravel", "an assistant is agreed with"),
        ("> state gravel |", "> state", "a label is correct, agree, forget, state or not"),
        ("not correct another", "not state another", "not one of correct, agree, forget, keep"),
        ("not correct another", "not correct", "and a kind"),
        ("u4: Tom has", "Tom has", "is no turn, session or label"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, old: str, new: str, reason: str) -> None:
    with pytest.raises(DatasetError, match=reason):
        read(tmp_path, TEXT.replace(old, new, 1))


@given(st.text(), st.integers(0, TEXT.count("\n")))
def test_any_line_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, line: str, place: int) -> None:
    lines = TEXT.split("\n")
    with contextlib.suppress(DatasetError):
        read(tmp_path_factory.getbasetemp(), "\n".join([*lines[:place], line, *lines[place:]]))


def test_a_correction_is_right_when_the_old_value_is_gone_or_marked_below_it(conversation: Conversation) -> None:
    superseded = played(conversation, replace(OLD, status="superseded", by="new"), NEW)
    marked = played(conversation, NEW, replace(OLD, newer=frozenset({"new"})))
    marked.answers[SIZE] = [Item("new", f"- {NEW.text}"), Item("old", DOUBT)]
    rewritten = played(conversation, replace(NEW, text="28 inches, not 26 inches.", turns=frozenset({"u1", "u3"})))

    assert figures(superseded, "correct") == {"right": 1, "new": 1, "old_gone": 1, "superseded": 1}
    assert figures(marked, "correct") == {"right": 1, "new": 1, "marked": 1, "doubted": 1}
    assert figures(rewritten, "correct") == {"right": 1, "new": 1, "old_gone": 1}


@pytest.mark.parametrize(
    "items",
    [
        [],
        [Item("new", f"- {NEW.text}"), Item("old", f"- {OLD.text}")],
        [Item("old", DOUBT), Item("new", f"- {NEW.text}")],
        [Item("old", DOUBT)],
        [Item("old", DOUBT.replace(" in part", ""))],
        [Item("early", "- User: The wheel of my son has 28 inches.")],
        [Item("late", "- User: She said 28 inches.")],
    ],
)
def test_a_correction_is_not_right_otherwise(conversation: Conversation, items: list[Item]) -> None:
    """Nothing is injected; the old value is not marked; it stands above, or alone; another turn has the new one."""
    early = Stored("early", "User: The wheel of my son has 28 inches.", "active", frozenset({"u2"}))
    late = Stored("late", "User: She said 28 inches.", "active", frozenset({"u6"}))
    after = played(conversation, OLD, NEW, early, late)
    after.answers[SIZE] = items

    assert "right" not in figures(after, "correct")


def test_what_an_assistant_stated_is_kept_or_not(conversation: Conversation) -> None:
    kept = Stored("a", "Assistant: Come on Friday at 9:00.", "active", frozenset({"a1"}))
    advice = Stored("b", "Assistant: You could use wider ones.", "active", frozenset({"a2"}))

    assert figures(played(conversation, kept), "agree") == {"right": 1, "in_text": 1}
    assert figures(played(conversation, replace(kept, status="archived")), "agree") == {}
    assert figures(played(conversation, kept), "agree", "advice") == {"right": 1}
    assert figures(played(conversation, advice), "agree", "advice") == {}


def test_a_wish_is_right_when_it_is_no_memory_and_finds_its_target_first(conversation: Conversation) -> None:
    code = Stored("code", "User: Thanks, my code is 4711.", "pending_review", frozenset({"u2"}))
    wish = Stored("wish", "User: Now forget my code.", "active", frozenset({"u5"}))
    active = replace(code, status="active")

    assert figures(played(conversation, OLD, found=["code"]), "forget") == {"right": 1}
    assert figures(played(conversation, code, found=["code", "old"]), "forget") == {"right": 1, "others": 1}
    assert figures(played(conversation, active, found=["code"]), "forget") == {"right": 1, "known": 1, "in_text": 1}
    assert figures(played(conversation, code, OLD, found=["old", "code"]), "forget") == {"others": 1}
    assert figures(played(conversation, code, wish, found=["code"]), "forget") == {"wish_kept": 1}
    assert figures(played(conversation, code), "forget") == {}


def test_what_is_not_to_be_saved_is_in_no_memory_of_any_turn(tmp_path: Path) -> None:
    lines = "u1: Don't save this: I snore.\n> forget self | snore | Do I snore?\na1: You snore."
    [conversation] = read(tmp_path, f"== a | b | en\n-- 2026-10-05 10:02\n{lines}")
    answer = Stored("answer", "Assistant: You snore.", "active", frozenset({"a1"}))

    assert figures(played(conversation), "forget") == {"right": 1}
    assert figures(played(conversation, answer), "forget") == {"known": 1, "in_text": 1}


def test_what_else_a_turn_says_is_known_unless_its_memory_is_gone(conversation: Conversation) -> None:
    doubtful = played(conversation, OLD)
    doubtful.answers[GROUND] = [Item("old", DOUBT)]

    assert figures(played(conversation, OLD), "state") == {"right": 1, "sure": 1}
    assert figures(doubtful, "state") == {"right": 1}
    assert figures(played(conversation, replace(OLD, status="superseded")), "state") == {}


def test_a_turn_that_only_looks_like_something_changes_nothing(conversation: Conversation) -> None:
    tom = Stored("tom", "User: Tom has 26 inches.", "active", frozenset({"u4"}))
    chat = Stored("chat", "User: I always forget it.", "active", frozenset({"u6"}))
    quiet = played(conversation, OLD, tom)
    superseding = played(conversation, replace(OLD, status="superseded", by="tom"), tom)
    doubting = played(conversation, replace(OLD, newer=frozenset({"tom"})), tom)

    assert figures(quiet, "correct", "another") == {"right": 1} and not outcomes.wrongs(quiet)
    assert figures(superseding, "correct", "another") == {}
    assert figures(doubting, "correct", "another") == {"right": 1, "doubted": 1}
    assert [(one.turn, one.is_superseded) for one in outcomes.wrongs(superseding)] == [("u4", True)]
    assert [(one.turn, one.is_superseded) for one in outcomes.wrongs(doubting)] == [("u4", False)]
    assert figures(quiet, "forget", "habit") == figures(quiet, "keep", "chat") == {"right": 1}
    assert figures(played(conversation, OLD, found=["old"], turn="u6"), "forget", "habit") == {}
    assert figures(played(conversation, OLD, chat), "keep", "chat") == {}


def test_figures_are_shares_by_act_half_and_kind(conversation: Conversation) -> None:
    after = played(conversation, replace(OLD, status="superseded", by="new"), NEW)

    result = outcomes.summary(outcomes.judge(after), outcomes.wrongs(after), {"chosen": 8})

    assert result["turns"] == {"chosen": 8}
    assert result["wrongly_superseded"] == result["wrongly_doubted"] == {"chosen": 0}
    assert result["correct"]["all"]["right"] == result["correct"]["chosen"]["right"] == 1
    assert (result["agree"]["hard"]["right"], result["state"]["en"]["right"]) == (0, 0)
    assert Counter(row["count"] for row in result["alike"].values()) == {1: 4}


def test_a_transcript_says_what_became_of_each_label_and_memory(conversation: Conversation) -> None:
    after = played(conversation, replace(OLD, status="superseded", by="new"), NEW)

    lines = transcript(after, outcomes.judge(after), outcomes.wrongs(after)).splitlines()

    assert lines[0] == "==== bikes (chosen, bicycle shop, en)"
    assert "       right: correct u1: 28 inches new, old_gone, superseded" in lines
    assert "      u1 User: My rear wheel is 26 inches, and I ride on gravel. [superseded]" in lines
    assert lines[lines.index(f"---- {SIZE}") + 1] == "the text"


def test_what_the_assistant_settles_anew_is_the_last_word_of_both(tmp_path: Path) -> None:
    """The first correction is right with the value that holds in the end, and either of the two may supersede."""
    lines = (
        "a1: Friday at 9:00 then.\nu1: I can't on Fridays, Monday.\n> correct a1 | Monday | Friday | When do I come?\n"
        "a2: Tuesday at 9:00, Monday is full.\n> correct u1 | Tuesday | Monday | When do I come?\nu2: I see."
    )
    [conversation] = read(tmp_path, f"== a | b | en\n-- 2026-10-05 10:02\n{lines}")
    first = Stored("first", "Assistant: Friday at 9:00 then.", "superseded", frozenset({"a1"}), by="last")
    second = Stored("second", "User: I can't on Fridays, Monday.", "superseded", frozenset({"u1"}), by="last")
    last = Stored("last", "Assistant: Tuesday at 9:00, Monday is full.", "active", frozenset({"a2"}))
    held = Stored("second", second.text, "active", second.turns)

    settled = played(conversation, first, second, last)
    open_still = played(conversation, replace(first, status="active", by=None), last)
    early = played(conversation, replace(first, by="second"), held)

    assert [one.right for one in outcomes.judge(settled)] == [True, True] and not outcomes.wrongs(settled)
    assert [one.right for one in outcomes.judge(open_still)] == [False, True]
    assert [one.right for one in outcomes.judge(early)] == [False, False] and not outcomes.wrongs(early)


def test_our_set_is_what_its_documentation_says() -> None:
    every = conversations.read([ROOT / "benchmarks" / "conversations"])
    parts = {part: [one for one in every if one.half == part] for part in ("chosen", "confirming", "fresh")}
    later = {part: [one for one in every if one.half == part] for part in ("training", "further", "plain", "unseen")}
    english = {part: [one for one in own if one.language == "en"] for part, own in parts.items()}
    domains = {part: {one.domain for one in own} for part, own in english.items()}
    texts = Counter(text for own in (*parts.values(), *later.values()) for text in _long_texts(own))
    labels = {
        part: Counter(bool(label.kind) or label.act for one in own for label in one.labels)
        for part, own in parts.items()
    }

    assert {part: len(own) for part, own in parts.items()} == {"chosen": 23, "confirming": 23, "fresh": 27}
    for counted in labels.values():
        assert counted["correct"] >= 60 and counted["agree"] >= 30 and counted["forget"] >= 20 and counted[True] >= 100
    assert max(texts.values()) == 1
    assert {part: len(own) for part, own in domains.items()} == {"chosen": 10, "confirming": 10, "fresh": 12}
    assert len(set().union(*domains.values())) == 32
    assert {part: (len(own), len({one.domain for one in own})) for part, own in later.items()} == {
        "training": (213, 75),
        "further": (2482, 1202),
        "plain": (304, 150),
        "unseen": (24, 12),
    }
    assert all(2 * sum(one.hard for one in own) == len(own) for own in english.values())
    assert all(len(parts[part]) - len(english[part]) == 3 for part in parts)


def _long_texts(own: Sequence[Conversation]) -> set[str]:
    return {turn.text for one in own for turn in one.turns.values() if len(turn.text) > 25}
