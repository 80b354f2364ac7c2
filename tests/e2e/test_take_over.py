"""`remembrancer import --from` and `export --to`, with files that the real libraries have made."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import NewTenant, Tenant, forget_waiting
from tests.e2e.test_import import export, import_, stored
from tests.frameworks.environment import PYTHON, call, installed

pytestmark = pytest.mark.long

has_mem0 = pytest.mark.skipif(
    not list(PYTHON.parents[1].glob("lib/python*/site-packages/mem0")),
    reason="make .venv-frameworks/done installs mem0",
)


def file_of(folder: Path, content: Any) -> Path:
    path = folder / "file.json"
    path.write_text(json.dumps(content))
    return path


def owned(tenant: Tenant) -> set[tuple[str | None, str]]:
    """Each end user with each text."""
    page = tenant.client.get("/v1/memories", params={"user_id": "*", "limit": "200"}).json()
    return {(memory["user_id"], memory["content"]) for memory in page["memories"]}


@has_mem0
def test_memories_of_mem0_come_with_their_owners_once_and_go_back_as_they_were(
    tenant: Tenant, new_tenant: NewTenant, tmp_path: Path
) -> None:
    answers = call("product_files", "mem0_answers", {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(tmp_path / "mem0")})
    path, back = file_of(tmp_path, answers), tmp_path / "back.json"
    items = {one["id"]: one for answer in answers for one in answer["results"]}

    refused, said = import_(tenant, path, "--from", "mem0")
    nothing = owned(tenant)
    status, first = import_(tenant, path, "--from", "mem0", "--shared")
    _, again = import_(tenant, path, "--from", "mem0", "--shared")
    _, exported = export(tenant, back, "--to", "mem0")
    other = new_tenant()
    _, elsewhere = import_(other, back, "--from", "mem0", "--shared", "--agent-id", other.agent_id)

    assert (refused, "without an end user in the file: 1" in said["error"], nothing) == (1, True, set())
    assert (status, first["accepted"], first["left_out"]) == (0, 4, {"expired memories (expiration_date)": 1})
    assert (again["accepted"], again["duplicate"]) == (0, 4)
    assert (
        owned(tenant)
        == owned(other)
        == {
            ("ada", "Ada is allergic to walnuts."),
            ("ada", "Ada drives a Twingo."),
            ("bob", "Bob climbs at the Kletterwerk."),
            (None, "The café closes at six."),
        }
    )
    assert exported["lines"] == elsewhere["accepted"] == 4
    for item in json.loads(back.read_text())["results"]:
        known = {name: value for name, value in items[item["id"]].items() if value is not None}
        assert item == known
    for one in (tenant, other):
        forget_waiting(one.stack, "EmbedQueue")


@installed
def test_items_of_langgraph_belong_to_the_end_user_in_their_namespace(tenant: Tenant, tmp_path: Path) -> None:
    path = file_of(tmp_path, call("product_files", "langgraph_items", {}))

    refused, said = import_(tenant, path, "--from", "langgraph", "--shared", "--user", "ada")
    _, result = import_(tenant, path, "--from", "langgraph", "--namespace", "memories.{user}", "--shared")
    forget_waiting(tenant.stack, "EmbedQueue")

    assert (refused, said["error"]) == (1, "--user NAME and --shared exclude each other")
    assert result["accepted"] == 3
    assert owned(tenant) == {
        ("ada", "Ada plays the viola."), ("bob", "Bob has a dog named Milo."), (None, "The manual is in the hall."),
    }  # fmt: skip


@installed
def test_messages_of_langchain_are_captured_once_in_whichever_form_they_come(tenant: Tenant, tmp_path: Path) -> None:
    forms = call("product_files", "langchain_messages", {})

    results = [
        import_(tenant, file_of(tmp_path, form), "--from", "langchain", "--user", "ada")[1] for form in forms.values()
    ]
    tenant.drain()
    forget_waiting(tenant.stack, "EmbedQueue")

    assert [(one["turns"], one["known_turns"]) for one in results] == [(2, 0), (0, 2), (0, 2)]
    assert owned(tenant) == {("ada", "User: I moved to Ghent last month to work at the harbour.")}


def test_a_chat_of_chatgpt_is_captured_once_with_its_times(tenant: Tenant, tmp_path: Path) -> None:
    def node(parent: str, role: str, text: str, second: int) -> dict[str, Any]:
        content = {"content_type": "text", "parts": [text]}
        message = {"author": {"role": role}, "content": content, "create_time": 1736209412.5 + second}
        return {"parent": parent, "children": [], "message": message}

    short = {"u": node("", "user", "Hi, Mia here.", 0), "a": node("u", "assistant", "Hello!", 1)}
    long = short | {"v": node("a", "user", "I keep bees behind the old mill in Ypres.", 2)}
    trees = [{"id": "1", "mapping": short, "current_node": "a"}, {"id": "2", "mapping": long, "current_node": "v"}]
    path = file_of(tmp_path, trees)

    looked = import_(tenant, path, "--from", "chatgpt", "--user", "mia", "--dry-run")
    runs = [import_(tenant, path, "--from", "chatgpt", "--user", "mia") for _ in range(2)]
    tenant.drain()
    forget_waiting(tenant.stack, "EmbedQueue")

    assert (looked[1]["conversations"], looked[1]["turns"]) == (2, 0)
    assert [(one["turns"], one["known_turns"]) for _, one in runs] == [(5, 0), (0, 5)]
    (memory,) = tenant.client.get("/v1/memories", params={"user_id": "mia"}).json()["memories"]
    assert (memory["user_id"], memory["created_at"][:10]) == ("mia", "2025-01-07")
    assert stored(tenant) == {}


def test_a_file_of_another_product_is_named_and_nothing_is_written(tenant: Tenant, tmp_path: Path) -> None:
    path = file_of(tmp_path, [{"fact": "Jo likes tea.", "uuid": "1"}])

    status, said = import_(tenant, path, "--from", "claude", "--shared")

    assert (status, said["error"]) == (1, f"{path} looks like a file of zep: use --from zep")
    assert owned(tenant) == set()
