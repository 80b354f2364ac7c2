"""Files of other products: what each becomes, what is left out and why, and whose it is."""

import contextlib
import copy
import io
import itertools
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from local.transfer.take_over import mem0, owners, records
from local.transfer.take_over.documents import FormatError, json_values, markdown_values
from local.transfer.take_over.owners import NobodyError, Owners
from local.transfer.take_over.products import PRODUCTS, records_of
from local.transfer.take_over.records import Conversation, Element, Fact, LeftOut, Record
from local.transfer.take_over.survey import survey
from remembrancer.domain.memories.memory import normalise
from remembrancer.runtime.http.messages import parse_json

BEES = "I keep bees behind the old mill."
Reader = Callable[[io.StringIO, str, int], Iterator[Element]]


def taken(path: Path, product: str, content: Any) -> list[Record]:
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return list(records_of(path, PRODUCTS[product]))


def facts(found: Iterable[Record]) -> list[tuple[str | None, str]]:
    return [(one.user, one.fields["content"]) for one in found if isinstance(one, Fact)]


def said(found: Iterable[Record]) -> list[list[tuple[str, str]]]:
    conversations = [one for one in found if isinstance(one, Conversation)]
    return [[(message["role"], message["content"]) for message in one.messages] for one in conversations]


def left_out(found: Iterable[Record]) -> dict[str, int]:
    return {one.reason: one.count for one in found if isinstance(one, LeftOut)}


@pytest.fixture(name="file", scope="module")
def _file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("take_over") / "file"


def test_memories_of_mem0_keep_whose_they_are_their_times_and_what_else_they_have(file: Path) -> None:
    item = {
        "id": "6c1b", "memory": "Ada has no walnuts.", "hash": "0", "user_id": "ada", "run_id": "chat-7",
        "agent_id": "lark", "metadata": {"ward": 4}, "categories": ["health"],
        "created_at": "2025-03-01T10:00:00-08:00", "updated_at": "2025-03-02T10:00:00Z",
        "expiration_date": "2999-01-31",
    }  # fmt: skip
    gone = item | {"expiration_date": "2025-01-31"}
    row = {"memory_id": "6c1b", "old_memory": "Ada has walnuts.", "new_memory": None, "event": "DELETE"}

    found = taken(file, "mem0", {"results": [item, gone, row, {"id": "7", "memory": 7}], "count": 4})

    (fact,) = [one for one in found if isinstance(one, Fact)]
    assert (fact.place, fact.user) == ("line 1, results[0]", "ada")
    assert fact.fields == {
        "content": "Ada has no walnuts.",
        "client_ref": "mem0:6c1b",
        "session_id": "chat-7",
        "source": "imported",
        "tags": ["health"],
        "created_at": "2025-03-02T10:00:00+00:00",
        "expires_at": "2999-02-01T00:00:00+00:00",
        "metadata": {"ward": 4, "mem0": {"agent_id": "lark", "created_at": "2025-03-01T18:00:00+00:00"}},
    }
    assert left_out(found) == {
        "expired memories (expiration_date)": 1,
        "earlier texts (rows of a history)": 1,
        "memory must be a text that is not blank": 1,
    }


def test_an_export_of_mem0_in_a_schema_of_ones_own_is_a_sentence(file: Path) -> None:
    found = taken(file, "mem0", {"full_name": "Jo Doe", "skills": ["Python", "AWS"], "years": 8, "more": {"a": 1}})

    assert facts(found) == [(None, "full name: Jo Doe; skills: Python, AWS; years: 8")]


def test_facts_of_a_graph_have_the_time_in_which_they_were_true(file: Path) -> None:
    edge = {"uuid": "1", "group_id": "kendra", "name": "LOVES", "fact": "Kendra loves Adidas."}
    edge["created_at"] = "2025-01-02"
    ended = edge | {"valid_at": "2025-01-01", "invalid_at": "2025-03-01", "expired_at": "2025-03-02"}
    gone = edge | {"uuid": "2", "expired_at": "2025-03-02"}
    zeps = {"uuid": "3", "user_uuid": "0b1d", "fact": "Jo likes tea."}
    nobodys = edge | {"uuid": "4", "group_id": "_"}

    found = taken(file, "zep", {"edges": [ended, gone, zeps, nobodys], "nodes": [{"name": "Kendra"}]})

    assert facts(found) == [
        (None, "Kendra loves Adidas."), ("0b1d", "Jo likes tea."), (None, "Kendra loves Adidas."),
    ]  # fmt: skip
    # A group may be a team or a customer: it is an end user only where an option says so.
    whose = Owners(namespace=["{user}"], is_shared=True)
    assert [whose.owner(one) for one in found if isinstance(one, Fact)] == ["kendra", "0b1d", None]
    first = next(one for one in found if isinstance(one, Fact))
    times = [first.fields[name][:10] for name in ("created_at", "occurred_from", "occurred_to")]
    assert (times, first.fields["metadata"]) == (["2025-01-02", "2025-01-01", "2025-03-01"], {"relation": "LOVES"})
    assert sum(left_out(found).values()) == 2


def test_items_of_a_store_have_their_text_wherever_it_is(file: Path) -> None:
    values: list[Any] = [
        {"text": "Ada plays the viola.", "tone": "calm"},
        {"kind": "Memory", "content": {"content": "Ada has a dog."}},
        {"rules": ["short answers", "no emojis"], "language": "German"},
        {"deep": {"er": 1}},
    ]
    items = [{"namespace": ["memories", "ada"], "key": str(n), "value": value} for n, value in enumerate(values)]

    found = taken(file, "langgraph", [*items, {"prefix": "docs", "key": "k", "value": {"content": "The manual."}}])

    assert [one.fields["content"] for one in found if isinstance(one, Fact)] == [
        "Ada plays the viola.", "Ada has a dog.", "rules: short answers, no emojis; language: German", "The manual.",
    ]  # fmt: skip
    first = found[0]
    assert isinstance(first, Fact)
    assert first.fields["client_ref"] == "langgraph:memories/ada/0"
    assert (list(first.namespace), first.user, first.fields["metadata"]) == (
        ["memories", "ada"],
        None,
        {"tone": "calm"},
    )
    assert len(left_out(found)) == 1


def test_ids_that_could_be_mistaken_for_each_other_are_not() -> None:
    parts = [
        ("a", "b", "c"),
        ("a/b", "c"),
        ("a", "b/c"),
        ("a" * 300,),
        ("a" * 301,),
        (" ", ""),
        ("\ud800",),
        ("\ufffd",),
    ]

    assert len({records.reference("langgraph", *one) for one in parts}) == len(parts)


def test_messages_of_langchain_are_one_conversation_in_all_their_forms(file: Path) -> None:
    plain: list[dict[str, Any]] = [
        {"type": "system", "content": "Be brief."},
        {
            "type": "human",
            "content": [{"type": "text", "text": BEES}, {"type": "image_url", "image_url": {"url": "x"}}],
        },
        {"type": "ai", "content": "", "tool_calls": [{"name": "f", "args": {}, "id": "x"}]},
        {"type": "tool", "content": "r", "tool_call_id": "x"},
        {"type": "ai", "content": "How lovely!"},
    ]
    dicts = [{"type": one["type"], "data": one} for one in plain]
    dumped = [{"lc": 1, "type": "constructor", "id": ["langchain"], "kwargs": one} for one in plain]
    lines = "\n".join(json.dumps(one) for one in dicts)

    forms = [taken(file, "langchain", form) for form in (plain, dicts, dumped, lines, {"messages": plain}, [plain])]

    assert all(said(found) == [[("user", BEES), ("assistant", "How lovely!")]] for found in forms)
    assert {json.dumps(left_out(found)) for found in forms} == {
        json.dumps({"messages of type system": 1, "calls of tools": 1, "messages of type tool": 1})
    }
    assert len({one.session_id for found in forms for one in found if isinstance(one, Conversation)}) == 1
    assert len(said(taken(file, "langchain", [plain, [{"type": "human", "content": "Hi, Bob here."}]]))) == 2


def test_examples_of_fine_tuning_are_conversations_with_the_good_answers(file: Path) -> None:
    user = {"role": "user", "content": BEES}
    lines = [
        {"messages": [{"role": "system", "content": "s"}, user, {"role": "assistant", "content": "No.", "weight": 0}]},
        {"input": {"messages": [user]}, "preferred_output": [{"role": "assistant", "content": "Yes."}],
         "non_preferred_output": [{"role": "assistant", "content": "No."}]},
        {"prompt": BEES, "completion": "Fine."},
        {"messages": 7},
    ]  # fmt: skip

    found = taken(file, "openai-finetuning", "\n".join(map(json.dumps, lines)))

    assert said(found) == [
        [("user", BEES)],
        [("user", BEES), ("assistant", "Yes.")],
        [("user", BEES), ("assistant", "Fine.")],
    ]
    assert [one.reason for one in found if isinstance(one, LeftOut) and one.is_refused] == ["messages must be a list"]


def node(parent: str | None, role: str, text: str, **more: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    message = {"author": {"role": role}, "content": content, "create_time": 1736209412.5, "recipient": "all"}
    return {"parent": parent, "children": [], "message": message | more}


def test_of_a_tree_of_chatgpt_the_branch_that_is_shown_is_taken(file: Path) -> None:
    hidden = {"metadata": {"is_visually_hidden_from_conversation": True}}
    mapping = {
        "root": {"parent": None, "children": ["s"], "message": None},
        "s": node("root", "system", "", **hidden),
        "u": node("s", "user", BEES),
        "old": node("u", "assistant", "An answer that was made again."),
        "think": node("u", "assistant", "", content={"content_type": "thoughts", "thoughts": []}),
        "call": node("think", "assistant", "search('bees')", recipient="web"),
        "a": node("call", "assistant", "How lovely!"),
    }
    tree = {"id": "c", "create_time": 1736209400, "mapping": mapping, "current_node": "a"}

    found = taken(file, "chatgpt", [tree, tree | {"is_do_not_remember": True}, {"mapping": 7}])

    assert said(found) == [[("user", BEES), ("assistant", "How lovely!")]]
    one = next(one for one in found if isinstance(one, Conversation))
    assert (one.session_id, one.messages[0]["timestamp"]) == ("chatgpt:c", "2025-01-07T00:23:32.500000+00:00")
    assert left_out(found) == {
        "messages of other branches": 1,
        "hidden messages": 1,
        "content of the type thoughts": 1,
        "calls of tools": 1,
        "conversations that are not to be remembered (is_do_not_remember)": 1,
        "mapping must be an object": 1,
    }


def test_an_archive_of_claude_has_conversations_and_memories(file: Path) -> None:
    def message(uuid: str, sender: str, text: str, parent: str) -> dict[str, Any]:
        content = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": text}]
        made = {"created_at": "2025-03-02T09:00:05Z", "attachments": [{}] if sender == "human" else []}
        return {"uuid": uuid, "sender": sender, "text": "", "content": content, "parent_message_uuid": parent, **made}

    said_so = [("1", "human", BEES, "0"), ("2", "assistant", "Old.", "1"), ("3", "assistant", "Oh!", "1")]
    messages = [message(*one) for one in said_so]
    memory = {"conversations_memory": "**Work**\n\nMia teaches.", "project_memories": {"p": "A greenhouse."}}
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("data/conversations.json", json.dumps([{"uuid": "c", "chat_messages": messages}]))
        archive.writestr("data/memories.json", json.dumps([memory]))
        archive.writestr("data/users.json", '[{"uuid": "u"}]')

    found = list(records_of(file, PRODUCTS["claude"]))

    assert said(found) == [[("user", BEES), ("assistant", "Oh!")]]
    assert facts(found) == [(None, "Work: Mia teaches."), (None, "A greenhouse.")]
    assert left_out(found) == {"messages of other branches": 1, "attachments": 1}


def test_a_folder_of_memory_files_has_a_fact_for_each_paragraph(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("# Memory\n- [Tests](tests.md): on a real database\n- [Builds](builds.md)\n")
    (tmp_path / "tests.md").write_text("---\nname: tests\n---\nNever mock Postgres.\n")

    found = list(records_of(tmp_path, PRODUCTS["memory-md"]))

    assert facts(found) == [(None, "Memory: Tests: on a real database"), (None, "Never mock Postgres.")]
    assert left_out(found) == {"links to other files": 1}


@pytest.mark.parametrize(
    ("product", "content", "problem"),
    [
        ("zep", '{"results": [{"id": "1", "memory": "Tea."}]}', "looks like a file of mem0: use --from mem0"),
        ("claude", '[{"mapping": {}}]', "looks like a file of chatgpt: use --from chatgpt"),
        ("zep", '[{"a": 1}]', "item 1 has the fields 'a'. Expected: edges with `fact`"),
        ("zep", " ", "is empty. Expected: edges"),
        ("mem0", '[{"id": "1",\n"memory": "Te', "line 1 begins a value without an end"),
        ("mem0", '[{"memory": "Tea."},\n {"memory" "Tea."},' + " " * 99, "line 2 is not JSON: Expecting ':' delimiter"),
        ("mem0", '[{"memory": "Tea."}\n {"memory": "Tea."}]', "line 2 a ',' is missing"),
        ("mem0", "[" + '{"a":' * 100_000, "cannot be read: a number is too long, or too much is nested"),
    ],
    ids=["mem0", "chatgpt", "unknown", "empty", "cut", "wrong", "comma", "deep"],
)
def test_a_file_that_is_another_ones_or_broken_is_named_with_the_place(
    product: str, content: str, problem: str, file: Path
) -> None:
    with pytest.raises(FormatError) as refused:
        taken(file, product, content)

    assert problem in str(refused.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@example(values=[1.5e-300, -1e22, 0.5], piece=1, indent=None)
@given(values=st.lists(JSON, max_size=5), piece=st.integers(1, 9), indent=st.sampled_from([None, 1]))
def test_a_file_is_read_in_pieces_of_any_size(values: list[Any], piece: int, indent: int | None) -> None:
    class Pieces(io.StringIO):
        def read(self, _: int | None = -1) -> str:
            return super().read(piece)

    array, lines = json.dumps(values, indent=indent), "\n".join(json.dumps({"v": value}) for value in values)

    assert [one.value for one in json_values(Pieces(array))] == values
    assert [one.value["v"] for one in json_values(Pieces(lines))] == values


MESSAGE = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [BEES]}, "create_time": 1.5}
CHAT = {"uuid": "m", "sender": "human", "text": BEES, "content": [{"type": "text", "text": BEES}], "created_at": "2025"}
SAMPLES: dict[str, Any] = {
    "mem0": {
        "results": [
            {"id": "1", "memory": BEES, "user_id": "ada", "agent_id": "lark", "run_id": "r", "categories": ["health"],
             "metadata": {"remembrancer": {"category": "factual"}, "mem0": {}}, "created_at": "2025-03-01",
             "updated_at": "2025-03-02", "expiration_date": "2999-01-31"}
        ]
    },
    "zep": {
        "edges": [{"uuid": "1", "group_id": "g", "user_uuid": "u", "name": "N", "fact": BEES,
                   "created_at": "2025-01-02", "valid_at": "2025-01-01", "invalid_at": "2025-02-01",
                   "expired_at": "2025-02-01"}],
        "nodes": [],
    },
    "langgraph": [{"namespace": ["memories", "ada"], "key": "k", "value": {"content": {"content": BEES}},
                   "created_at": "2025-01-02", "updated_at": "2025-01-02"}],
    "langchain": [{"type": "human", "data": {"content": [{"text": BEES}], "type": "human", "name": "A"}},
                  {"lc": 1, "kwargs": {"content": BEES, "type": "chat", "role": "user", "tool_calls": []}},
                  {"messages": [{"type": "ai", "content": BEES}], "session_id": "s", "user_id": "ada"}],
    "openai-finetuning": [{"messages": [{"role": "user", "content": BEES, "weight": 1, "name": "A"}]},
                          {"input": {"messages": [{"role": "user", "content": BEES}]}, "preferred_output": []}],
    "chatgpt": [{"id": "c", "create_time": 1.5, "current_node": "b", "mapping": {
        "a": {"parent": None, "children": ["b"], "message": None},
        "b": {"parent": "a", "children": [], "message": MESSAGE}}}],
    "claude": [{"uuid": "c", "created_at": "2025-03-02", "chat_messages": [CHAT, CHAT | {"parent_message_uuid": "m"}]},
               {"conversations_memory": BEES, "project_memories": {"p": BEES}}],
    "memory-md": [BEES],
}  # fmt: skip
WRONG: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1.5,
    1 << 70,
    float("nan"),
    "",
    " ",
    "a\0b",
    "\ud800",
    "user",
    [],
    {},
    [[]],
    {"a": {}},
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in the value with each of its keys."""
    pairs = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    return [(value, key) for key, _ in pairs] + [place for _, one in pairs for place in places(one)]


def unlisted(values: list[Any]) -> list[Any]:
    """As a file is read: an array item by item."""
    return [one for value in values for one in (value if isinstance(value, list) else [value])]


@pytest.mark.parametrize("name", PRODUCTS)
def test_whatever_is_wrong_in_any_field_is_taken_or_named(name: str) -> None:
    whose = Owners(rest="ada", namespace=["memories", "{user}"])
    for number, wrong in itertools.product(range(len(places([SAMPLES[name]]))), WRONG):
        values = copy.deepcopy([SAMPLES[name]])
        container, key = places(values)[number]
        container[key] = wrong

        elements = [Element(f"item {place}", one, 1) for place, one in enumerate(unlisted(values))]
        found = list(PRODUCTS[name].records(elements))

        survey(found, "agent", whose)
        for one in found:
            if isinstance(one, Conversation):
                for body in owners.requests(one, "agent", whose):
                    parse_json(json.dumps(body, ensure_ascii=False).encode())


@given(data=st.binary(max_size=40), begin=st.sampled_from([b"", b'[{"memory": "', b"PK\x03\x04", b"\xef\xbb\xbf["]))
def test_any_bytes_are_read_or_refused(data: bytes, begin: bytes, file: Path) -> None:
    file.write_bytes(begin + data)

    for product in PRODUCTS.values():
        with contextlib.suppress(FormatError):
            list(records_of(file, product))


def record(user: str | None = None, *namespace: str) -> Fact:
    return Fact("line 1", {"content": "Tea."}, user, namespace)


def test_what_has_no_end_user_is_nobodys_until_an_option_says_whose_it_is() -> None:
    for nobodys in (record(), record(None, "memories", "ada"), record(None, "docs")):
        with pytest.raises(NobodyError):
            Owners().owner(nobodys)
        assert Owners(rest="bob").owner(nobodys) == "bob"
        assert Owners(is_shared=True).owner(nobodys) is None

    assert Owners(rest="bob", is_shared=True).owner(record("ada")) == "ada"
    assert Owners(names={"0b1d": "jo"}).owner(record("0b1d")) == "jo"


@pytest.mark.parametrize(
    ("pattern", "labels", "owner"),
    [
        ("memories.{user}", ("memories", "ada"), "ada"),
        ("{user}.*", ("ada", "memories"), "ada"),
        ("memories.{user}", ("docs", "ada"), None),
        ("memories.{user}", ("memories", "ada", "food"), None),
        ("{user}", ("ada", "memories"), None),
    ],
)
def test_a_pattern_says_which_label_of_a_namespace_is_the_end_user(
    pattern: str, labels: tuple[str, ...], owner: str | None
) -> None:
    assert Owners(is_shared=True, namespace=pattern.split(".")).owner(record(None, *labels)) == owner


def test_a_long_conversation_is_several_requests_of_one_session() -> None:
    many = [{"role": "user", "content": "ü" * 1000, "timestamp": f"{number}"} for number in range(2500)]

    bodies = list(owners.requests(Conversation("item 1", "chatgpt:c", many, user="ada"), "agent", Owners()))

    assert [message for body in bodies for message in body["messages"]] == many
    assert {(body["session_id"], body["user_id"]) for body in bodies} == {("chatgpt:c", "ada")}
    assert all(len(json.dumps(body, ensure_ascii=False).encode()) < 1 << 20 for body in bodies)


def test_conversations_are_sent_in_the_order_in_which_they_began(file: Path) -> None:
    def chat(name: str, begun: float | None, said_at: float | None) -> dict[str, Any]:
        message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [BEES]}}
        node = {"message": message | {"create_time": said_at}}
        return {"id": name, "create_time": begun, "mapping": {"u": node}, "current_node": "u"}

    chats = [
        chat("now", None, None),
        chat("3", 3, None),
        chat("2", 9, 2.5),
        chat("1", 2.5e12, 1),
        chat("later", None, None),
    ]

    sent = list(owners.oldest_first(taken(file, "chatgpt", chats), "agent", Owners(rest="ada")))

    sessions = [body["session_id"].removeprefix("chatgpt:") for _, bodies in sent for body in bodies]
    assert sessions == ["1", "2", "3", "now", "later"]
    assert [place for place, _ in sent] == ["item 4", "item 3", "item 2", "item 1", "item 5"]


TIMES = st.datetimes().map(lambda moment: f"{moment.isoformat()}+00:00")
TEXTS = st.text(st.characters(categories=("L", "N"), include_characters=" .'"), min_size=1, max_size=20).map(normalise)


@st.composite
def memories(draw: st.DrawFn) -> Mapping[str, Any]:
    """Lines of our export."""
    begin, end = sorted(draw(st.tuples(TIMES, TIMES)))
    tags = st.lists(st.sampled_from(["tea", "user_preferences"]), max_size=2)
    metadata = st.dictionaries(st.sampled_from(["ward", "category"]), st.integers() | st.just("episodic"))
    known = {"id": "1f0c", "agent_id": "a", "status": "active", "updated_at": "2026-11-27T00:00:00+00:00"}
    return known | {
        "content": draw(TEXTS.filter(bool)),
        "user_id": draw(st.none() | st.just("ada")),
        "session_id": draw(st.none() | st.just("s")),
        "category": draw(st.sampled_from(["factual", "preference", "episodic"])),
        "source": draw(st.sampled_from(["imported", "extracted"])),
        "confidence": draw(st.floats(0, 1)),
        "tags": draw(tags),
        "metadata": draw(metadata),
        "pinned": draw(st.booleans()),
        "summary": draw(st.none() | TEXTS.filter(bool)),
        "created_at": draw(TIMES),
        "expires_at": draw(st.none() | TIMES.filter(lambda time: time > "3")),
        "occurred_from": draw(st.none() | st.just(begin)),
        "occurred_to": draw(st.none() | st.just(end)),
    }


@given(memory=memories())
def test_what_is_exported_in_the_form_of_mem0_comes_back_as_it_was(memory: Mapping[str, Any]) -> None:
    item = json.loads(json.dumps(mem0.exported(memory)))

    (fact,) = mem0.read([Element("item 1", item)])

    assert isinstance(fact, Fact)
    defaults = {"category": "factual", "confidence": 0.8, "tags": [], "metadata": {}, "pinned": False}
    restored = {**defaults, **fact.fields, "user_id": fact.user}
    restored["metadata"] = {name: value for name, value in restored["metadata"].items() if name != "mem0"}
    names = memory.keys() - {"id", "agent_id", "status", "updated_at"}
    assert {name: restored.get(name) for name in names} == {name: memory[name] for name in names}
    assert item["memory"] == memory["content"]
    assert {"user_id", "agent_id"} & item.keys()


def test_a_memory_that_is_not_active_is_not_exported_in_the_form_of_mem0() -> None:
    assert mem0.exported({"status": "superseded", "content": "Tea."}) is None


def test_a_conversation_of_all_end_users_is_refused_in_advance(file: Path) -> None:
    chats = [{"messages": [{"type": "human", "content": BEES}], "user_id": user} for user in ("*", "ada")]

    found = survey(taken(file, "langchain", chats), "agent", Owners())

    assert (found.conversations, found.messages, dict(found.by_owner)) == (1, 1, {"ada": 1})
    assert found.refused == [("item 1", "user_id must not contain *")]


def test_conversations_with_a_blank_id_are_not_one(file: Path) -> None:
    chats = [{"messages": [{"type": "human", "content": text}], "session_id": " "} for text in ("Tea.", "Coffee.")]

    found = taken(file, "langchain", chats)

    assert len({one.session_id for one in found if isinstance(one, Conversation)}) == 2


@pytest.mark.parametrize(
    "kept", [{"user_id": "bob"}, {"memory": "Bob's."}, {"created_at": "never"}, {"created_at": None}, "x", None]
)
def test_metadata_does_not_choose_whose_an_exported_memory_is(kept: Any) -> None:
    memory = {
        "id": "1f0c", "status": "active", "content": "Tea.", "user_id": "ada", "agent_id": "a", "client_ref": "mem0:",
        "created_at": "2026-11-27T00:00:00+00:00", "metadata": {"mem0": kept},
    }  # fmt: skip

    item = mem0.exported(memory)

    assert item is not None
    assert (item["id"], item["user_id"], item["memory"]) == ("1f0c", "ada", "Tea.")
    assert item["metadata"]["mem0"] == kept


def test_what_is_nested_too_deeply_is_named(file: Path) -> None:
    deep = "[" * 700 + '"tea"' + "]" * 700

    found = taken(file, "mem0", f'[{{"likes": {deep}}}, {{"likes": "tea"}}]')

    assert left_out(found) == {"is nested too deeply": 1}
    assert facts(found) == [(None, "likes: tea")]


@pytest.mark.parametrize("read", [markdown_values, json_values])
def test_a_value_that_would_fill_the_memory_is_named(read: Reader) -> None:
    def file(size: int) -> io.StringIO:
        return io.StringIO(json.dumps("a" * size))

    assert len(list(read(file(100_000), "", 1 << 17))) == 1
    with pytest.raises(FormatError, match=r"^a\.json .*more than 131,072 characters: split it"):
        list(read(file(1 << 20), "a.json ", 1 << 17))


def test_of_an_archive_and_a_folder_only_files_of_the_form_are_read_and_each_once(tmp_path: Path) -> None:
    chat = json.dumps([SAMPLES["chatgpt"][0]])
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("__MACOSX/._conversations.json", b"\0\5\x16\7\xff")
        archive.writestr("conversations.json", chat)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("conversations.json", chat)
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "a.md").write_text(BEES)

    assert said(records_of(tmp_path / "a.zip", PRODUCTS["chatgpt"])) == [[("user", BEES)]]
    assert facts(records_of(tmp_path, PRODUCTS["memory-md"])) == [(None, BEES)]


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_that_is_damaged_is_named(file: Path, method: int) -> None:
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("conversations.json", json.dumps(SAMPLES["chatgpt"] * 50))
    content = bytearray(file.read_bytes())
    content[62:90] = b"\xff" * 28
    file.write_bytes(content)

    with pytest.raises(FormatError, match="cannot be unpacked"):
        list(records_of(file, PRODUCTS["chatgpt"]))
