"""LangGraph with our store: operations one by one, and graphs that use it."""

import asyncio
from typing import Any, TypedDict

from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import GetOp, Item, PutOp

from remembrancer_client import Client, RemembrancerError
from remembrancer_client.langgraph import RemembrancerStore

PATIENCE = 10


def operations(steps: list[tuple[str, dict[str, Any]]], *, asynchronous: bool, **settings: Any) -> list[Any]:
    """What each method answers, or the name of the error that it raises."""
    with Client(**settings) as client:
        store = RemembrancerStore(client)
        return [_shown(_step(store, name, given, asynchronous)) for name, given in steps]


def batches(namespace: list[str], **settings: Any) -> list[Any]:
    """A batch that reads and writes, and the same reads again."""
    place = tuple(namespace)
    reads = [GetOp(place, "one"), GetOp(place, "two")]
    writes = [PutOp(place, "one", {"text": text}) for text in ("Tea at four.", "Tea at five.")]
    with Client(**settings) as client:
        store = RemembrancerStore(client)
        mixed = store.batch([reads[0], *writes, PutOp(place, "two", {"text": "Two lumps of sugar."}), reads[1]])
        return [_shown(mixed), _shown(store.batch(reads))]


class State(TypedDict, total=False):
    user: str
    said: str
    recalled: list[str]


def graphs(agent: str, users: list[str], **settings: Any) -> dict[str, list[Any]]:
    """By the way of running: what a graph recalls for each end user, one after the other, of what each has said."""

    def remember(state: State, runtime: Runtime[Any]) -> State:
        assert runtime.store is not None
        runtime.store.put((agent, state["user"]), "said", {"text": state["said"]})
        return {"recalled": _texts(runtime.store.search((agent, state["user"])))}

    async def remember_async(state: State, runtime: Runtime[Any]) -> State:
        assert runtime.store is not None
        await runtime.store.aput((agent, state["user"]), "said", {"text": state["said"]})
        return {"recalled": _texts(await runtime.store.asearch((agent, state["user"])))}

    with Client(**settings) as client:
        store = RemembrancerStore(client)
        said: list[State] = [{"user": user, "said": f"{user} plays the piano on Mondays."} for user in users]
        return {
            "invoke": [_graph(remember, store).invoke(state)["recalled"] for state in said],
            "ainvoke": [asyncio.run(_graph(remember_async, store).ainvoke(state))["recalled"] for state in said],
        }


def _graph(node: Any, store: RemembrancerStore) -> Any:
    return StateGraph(State).add_node("remember", node).add_edge(START, "remember").compile(store=store)


def _texts(items: Any) -> list[str]:
    return [item.value["text"] for item in items]


def _method(store: RemembrancerStore, name: str, given: dict[str, Any]) -> Any:
    arguments = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    # LangGraph takes the prefix of a search by position only.
    first = [arguments.pop("prefix")] if name.endswith("search") else []
    return getattr(store, name)(*first, **arguments)


async def _awaited(store: RemembrancerStore, name: str, given: dict[str, Any]) -> Any:
    return await _method(store, f"a{name}", given)


def _step(store: RemembrancerStore, name: str, given: dict[str, Any], asynchronous: bool) -> Any:
    try:
        # On a busy machine a source may be late for a query, and what it alone knows is missing: it is asked again.
        for _ in range(PATIENCE if "query" in given else 1):
            # A loop of its own for each, as programs have that run now and then.
            answer = asyncio.run(_awaited(store, name, given)) if asynchronous else _method(store, name, given)
            if answer:
                break
    except (RemembrancerError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return answer


def _shown(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_shown(one) for one in value]
    return value.dict() if isinstance(value, Item) else value
