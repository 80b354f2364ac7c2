"""Files as mem0, LangGraph and LangChain write them, of the same few memories each time."""

import json
import tempfile
from pathlib import Path
from typing import Any


class _Embedder:
    """In place of a model: no memory is searched."""

    def embed(self, text: str, _: str | None = None) -> list[float]:
        """Some vector of the text."""
        return [1.0, 2.0, 3.0, float(len(text))]

    def embed_batch(self, texts: list[str], _: str | None = None) -> list[list[float]]:
        """Some vector of each text."""
        return [self.embed(text) for text in texts]


def mem0_answers() -> list[dict[str, Any]]:
    """What `get_all` answers for two end users and an agent: five memories, of which one is expired and one changed."""
    # With the settings of the test: mem0 reads them when it is imported.
    from mem0 import Memory

    with tempfile.TemporaryDirectory() as folder:
        nowhere = {"provider": "openai", "config": {"api_key": "none"}}
        store = {"path": folder, "collection_name": "memories", "embedding_model_dims": 4, "on_disk": True}
        memory = Memory.from_config({
            "vector_store": {"provider": "qdrant", "config": store},
            "llm": nowhere,
            "embedder": nowhere,
            "history_db_path": str(Path(folder, "history.db")),
        })  # fmt: skip
        memory.embedding_model = _Embedder()

        def add(text: str, **options: Any) -> str:
            return str(memory.add(text, infer=False, **options)["results"][0]["id"])

        add("Ada is allergic to walnuts.", user_id="ada", run_id="chat-7", metadata={"ward": 4})
        changed = add("Ada drives a Panda.", user_id="ada", expiration_date="2999-01-31")
        memory.update(changed, text="Ada drives a Twingo.")
        add("Bob climbs at the Kletterwerk.", user_id="bob", metadata={"category": "preference"})
        add("Bob had a trial until January.", user_id="bob", expiration_date="2025-01-31")
        add("The café closes at six.", agent_id="lark")
        owners = ({"user_id": "ada"}, {"user_id": "bob"}, {"agent_id": "lark"})
        return [memory.get_all(filters=owner, show_expired=True) for owner in owners]


def langgraph_items() -> list[dict[str, Any]]:
    """A store as a list of its items, and one of them as its API answers."""
    from langgraph.store.memory import InMemoryStore

    store = InMemoryStore()
    store.put(("memories", "ada"), "a", {"text": "Ada plays the viola.", "tone": "calm"})
    store.put(("memories", "bob"), "b", {"kind": "Memory", "content": {"content": "Bob has a dog named Milo."}})
    store.put(("docs",), "c", {"text": "The manual is in the hall."})
    return [item.dict() for item in store.search(())]


def langchain_messages() -> dict[str, Any]:
    """A conversation in each form that LangChain writes."""
    from langchain_core.load import dumps
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage, messages_to_dict

    messages = [
        SystemMessage("Be brief."),
        HumanMessage("I moved to Ghent last month to work at the harbour."),
        AIMessage("", tool_calls=[{"name": "save", "args": {}, "id": "1"}]),
        ToolMessage("saved", tool_call_id="1"),
        AIMessage("Congratulations!"),
    ]
    models = {"messages": [message.model_dump() for message in messages]}
    return {"messages_to_dict": messages_to_dict(messages), "dumps": json.loads(dumps(messages)), "model_dump": models}
