"""Every call of the Python client against the running service."""

import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from remembrancer_client import Client, Conflict, Forbidden, NotFound, Unauthenticated, VersionMismatch
from tests.e2e.conftest import NewTenant, Tenant

PATIENT_MS = 5000.0
PATIENT_S = 60.0


@pytest.fixture
def tenant(new_tenant: NewTenant) -> Tenant:
    return new_tenant()


@pytest.fixture
def client(tenant: Tenant) -> Iterator[Client]:
    key = tenant.client.headers["x-api-key"]
    with Client(
        tenant.stack.url, key, org_id=tenant.org_id, agent_id=tenant.agent_id, deadline_ms=PATIENT_MS
    ) as client:
        client.warm()
        yield client


def test_a_memory_from_writing_to_erasing(client: Client) -> None:
    written = client.write("The piano is tuned on Tuesdays.", user_id="isla", category="factual", tags=["piano"])
    shared = client.write("Breakfast is at eight.")
    memory = client.memory(written.id, user_id="isla")
    changed = client.change(
        written.id, version=memory.version, user_id="isla", content="The piano is tuned on Fridays."
    )
    relation = client.relate(written.id, shared.id, "references", confidence=0.5, user_id="isla")
    undone = client.unrelate(written.id, relation.relation_id, user_id="isla")
    counts = client.rate(written.id, "positive", user_id="isla")
    page = client.memories(user_id="isla", limit=1)
    rest = client.memories(user_id="isla", limit=1, cursor=page.next_cursor)
    found = client.query("When is the piano tuned?", user_id="isla", k=1)
    deleted = client.delete(written.id, user_id="isla")
    restored = client.restore(written.id, user_id="isla")
    newer = client.write("The piano was sold.", supersedes=written.id, user_id="isla")
    active = client.unsupersede(written.id, version=2, user_id="isla")
    exported = [line["content"] for line in client.export(user_id="isla")]
    erasure = client.erasure(client.erase(user_id="isla").erasure_id)

    assert written.status == "accepted"
    assert (memory.content, memory.user_id, memory.tags) == ("The piano is tuned on Tuesdays.", "isla", ("piano",))
    assert changed.version == memory.version + 1
    assert (relation.from_id, relation.to_id, relation.confidence) == (written.id, shared.id, 0.5)
    assert undone == relation
    assert counts.positive_count == 1
    assert [one.id for one in (*page.items, *rest.items)] == [shared.id, written.id]
    assert [one.content for one in found.memories] == ["The piano is tuned on Fridays."]
    assert found.memories[0].score is not None
    assert deleted.id == restored.id == written.id
    assert (active.status, active.version_chain) == ("active", (newer.id, written.id))
    assert "The piano is tuned on Fridays." in exported
    assert erasure.kind == "user"


def test_assembly_injects_what_was_written(client: Client) -> None:
    client.put_directive("You are Hob.", injection_mode="system_append")
    written = client.write_many([{"agent_id": client_agent(client), "content": "The piano is tuned on Tuesdays."}])
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "When is the piano tuned?"}]

    answer = client.assemble(messages, model="gpt-4o", user_id="isla")

    assert answer.reason == ""
    assert answer.memory_ids == (written[0].id,)
    assert "You are Hob." in answer.injected
    assert "Tuesdays" in answer.injected
    (_, standing), (_, found) = answer.added
    assert [place for place, _ in answer.added] == [0, 1]
    assert ("You are Hob." in standing, "Tuesdays" in found) == (True, True)
    assert [message["content"] for message in answer.messages] == [
        f"Be brief.\n\n{standing}",
        f"{found}\nWhen is the piano tuned?",
    ]


def test_a_conversation_becomes_memories(client: Client) -> None:
    said = {"role": "user", "content": "I keep my bicycle in the boathouse.", "name": "Isla"}
    messages = [{"role": "system", "content": "Be brief."}, said, {"role": "assistant", "content": "Good to know."}]

    added = client.add_conversation(messages, user_id="isla", session_id="chat-1", turn_id="t-1", client_ref="r-1")
    again = client.add_conversation(messages, user_id="isla", session_id="chat-1")
    client.capture([*messages, {"role": "user", "content": "Thanks!"}], user_id="isla", session_id="chat-1")
    waiting = client.flush()
    end = time.monotonic() + PATIENT_S
    while (conversation := client.conversation(added.conversation_id, user_id="isla")).pending:
        assert time.monotonic() < end
        time.sleep(0.05)
    kept = client.memory(conversation.turns[0].memory_id or "", user_id="isla")
    listed = client.conversations(user_id="isla", session_id="chat-1")

    assert [turn["status"] for turn in added.turns] == ["accepted"] * 2
    assert [turn["status"] for turn in again.turns] == ["known"] * 2
    assert added.skipped == {"system": 1}
    assert waiting == 0
    assert [turn.text for turn in conversation.turns] == [said["content"], "Good to know.", "Thanks!"]
    assert [turn.state for turn in conversation.turns] == ["kept", "dropped", "dropped"]
    assert conversation.turns[0].speaker == "Isla"
    assert all(turn.reason for turn in conversation.turns)
    assert "bicycle in the boathouse" in kept.content
    assert kept.provenance is not None
    assert kept.provenance["conversation_id"] == added.conversation_id
    assert [one.conversation_id for one in listed.items] == [added.conversation_id]
    assert client.conversations(user_id="ada").items == ()
    with pytest.raises(NotFound):
        client.conversation(added.conversation_id, user_id="ada")


@pytest.mark.parametrize("mode", ["system_first", "user_prepend"])
def test_photos_do_not_switch_memory_off_and_messages_keep_their_times(client: Client, mode: str) -> None:
    client.put_directive("You are Hob.", injection_mode=mode)
    photo = f"data:image/png;base64,{'A' * 3_000_000}"
    parts: list[Any] = [{"type": "image_url", "image_url": {"url": photo}}, {"type": "image", "data": b"\x89PNG"}]
    text = {"type": "text", "text": f"![]({photo}) I keep my boat in Tornio."}
    said_at = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
    messages = [{"role": "user", "content": [*parts, text], "created_at": said_at}]

    answer = client.assemble(messages, model="gpt-4o", user_id="isla")
    added = client.add_conversation(messages, user_id="isla")
    turns = client.conversation(added.conversation_id, user_id="isla").turns

    # Not its reason: on a busy machine a source of memories may be late.
    assert "You are Hob." in answer.injected
    content = answer.messages[-1]["content"]
    assert [part for part in content if part.get("text") != answer.injected] == [*parts, text]
    assert content[1]["data"] is parts[1]["data"]
    assert [(turn.text, turn.observed_at) for turn in turns] == [("![]() I keep my boat in Tornio.", said_at)]


def test_a_conflict_is_listed_and_settled(client: Client) -> None:
    old = client.write("The spare key hangs in the kitchen.", user_id="isla")
    new = client.write("The spare key hangs in the cellar.", user_id="isla")
    client.relate(new.id, old.id, "may_contradict", user_id="isla")

    (conflict,) = client.conflicts(user_id="isla").items
    settled = client.settle_conflict(conflict.conflict_id, "supersede", user_id="isla")

    assert (conflict.newer.id, conflict.older.id) == (new.id, old.id)
    assert (settled.kept, settled.superseded) == ((new.id,), old.id)
    assert client.conflicts(user_id="isla").items == ()


def client_agent(client: Client) -> str:
    return client.directive().agent_id


def test_directives_agents_and_keys(client: Client) -> None:
    client.put_directive("Version one.")
    client.put_directive("Version two.")
    versions = client.directive_versions(limit=1)
    older = client.directive_versions(limit=1, before=versions.next_cursor)
    name = f"agent-{uuid.uuid4()}"
    agent = client.make_agent(name)
    off = client.switch_agent(enabled=False, agent_id=name)
    on = client.switch_agent(enabled=True, agent_id=agent.agent_id)
    capturing = client.switch_agent(capture=True, agent_id=name)
    client.set_time_zone("Asia/Tokyo", user_id="isla")
    berlin = client.switch_agent(time_zone="Europe/Berlin", agent_id=name)
    turn = client.switch_agent(placement="turn", agent_id=name)
    key = client.make_key("proxy", ["assemble"], end_users=["isla"])
    listed = client.keys()
    revoked = client.revoke_key(key.key_id)

    assert [one.text for one in (*versions.items, *older.items)] == ["Version two.", "Version one."]
    assert client.directive().version == 2
    assert (off.enabled, on) == (False, agent)
    assert (capturing.enabled, capturing.capture, on.capture) == (True, True, False)
    assert (on.time_zone, berlin.time_zone) == (None, "Europe/Berlin")
    assert (berlin.placement, turn) == (None, replace(berlin, placement="turn"))
    assert (
        client.assemble([{"role": "user", "content": "What is today?"}], model="gpt-4o", time_zone="UTC").reason == ""
    )
    assert turn in client.agents().items
    assert key.api_key
    assert key.api_key not in repr(key)
    assert key.key_id in {one.key_id for one in listed.items}
    assert revoked.revoked_at is not None
    assert client.ready().ready


def test_an_agent_by_name_and_what_its_memories_are_looked_up_by(client: Client, tenant: Tenant) -> None:
    name = f"Concierge / {uuid.uuid4()}".replace("/", "of")
    made = client.agent(name)
    key = client.make_key("reader", ["query", "write", "assemble", "all_users"])
    assert key.api_key
    with Client(tenant.stack.url, key.api_key, agent_id=name) as named:
        written = named.write("The piano is out of tune.", client_ref="p-1", metadata={"room": 2, "loud": True})
        named.write("The harp is in tune.", user_id="isla")
        by_ref = named.memories(client_ref="p-1")
        by_metadata = named.memories(metadata={"room": 2, "loud": True})
        assembled = named.assemble([{"role": "user", "content": "piano"}], model="gpt-4o", deadline_ms=5000)

        assert client.agent(name) == made
        assert [memory.id for memory in by_ref.items] == [memory.id for memory in by_metadata.items] == [written.id]
        assert named.memories(metadata={"room": 3}).items == ()
        assert (named.end_users().items, named.end_users(user_id="*").items) == ((), ("isla",))
        assert (assembled.reason, named.directive_versions().items) == ("", ())


def test_refusals_are_typed_and_name_the_fields(client: Client, tenant: Tenant) -> None:
    agent = client.make_agent(f"agent-{uuid.uuid4()}")
    written = client.write("The piano is tuned on Tuesdays.")

    with pytest.raises(NotFound, match="memory_not_found"):
        client.memory(str(uuid.uuid4()))
    with pytest.raises(Conflict, match="agent_exists"):
        client.make_agent(agent.name)
    with pytest.raises(VersionMismatch):
        client.change(written.id, version=7, content="x")
    with Client(tenant.stack.url, "rk_unknown", agent_id=tenant.agent_id) as stranger, pytest.raises(Unauthenticated):
        stranger.query("piano")
    key = client.make_key("reader", ["query"])
    with Client(tenant.stack.url, key.api_key, agent_id=tenant.agent_id) as reader, pytest.raises(Forbidden) as refusal:
        reader.write("Not for me.")
    assert refusal.value.code == "missing_scope"
