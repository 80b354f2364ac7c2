"""What a report and the databases need to know of each compared system, read without importing its library."""

import ast
from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parent
_REQUIREMENTS = _FOLDER.parent / "requirements"
_CONSTANTS = ("PACKAGES", "SETTINGS", "STORED", "OTHERS")


@dataclass(frozen=True, slots=True)
class DescribedSystem:
    """The constants of a system's module (`benchmarks.peers.system`), and its environment's name."""

    name: str
    title: str
    module: str
    settings: str
    stored: str
    others: str
    searches: str
    """What it searches by: meaning, or both."""

    @property
    def requirements(self) -> Path:
        """The file of its environment's distributions, all with their versions."""
        return _REQUIREMENTS / f"{self.name}.txt"


def _described(name: str, title: str, module: str, searches: str) -> DescribedSystem:
    tree = ast.parse((_FOLDER / f"{module}.py").read_text(encoding="utf-8"))
    assigned = [one for one in tree.body if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)]
    values = {one.targets[0].id: one.value for one in assigned if isinstance(one.targets[0], ast.Name)}
    _, settings, stored, others = (ast.literal_eval(values[constant]) for constant in _CONSTANTS)
    return DescribedSystem(name, title, f"benchmarks.peers.systems.{module}", settings, stored, others, searches)


SYSTEMS = {
    one.name: one
    for one in (
        _described("langgraph", "LangGraph `AsyncPostgresStore`", "langgraph_store", "meaning"),
        _described("langchain", "LangChain `PGVectorStore`", "langchain_store", "both"),
        _described("llamaindex", "LlamaIndex `PGVectorStore`", "llamaindex_store", "both"),
        _described("haystack", "Haystack `PgvectorDocumentStore`", "haystack_store", "both"),
        _described("mem0", "mem0 `Memory` on pgvector", "mem0_memory", "both"),
    )
}
