"""What `sam build` has made for one processor."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local import intrinsics


@dataclass(frozen=True, slots=True)
class Artefacts:
    """A build folder; folders of functions and layers are those that its template names."""

    folder: Path
    architecture: str
    functions: Mapping[str, Path]
    layers: Mapping[str, Path]

    @property
    def engine(self) -> Path:
        """What the engine layer puts into Python's search path."""
        return self.layers["EngineLayer"] / "python"

    @property
    def mcp(self) -> Path:
        """What the MCP layer puts there too."""
        return self.layers["McpLayer"] / "python"

    @property
    def models(self) -> Path:
        return self.layers["ModelsLayer"] / "models"

    def files(self) -> Iterator[Path]:
        """Every file of every function and layer."""
        for folder in (*self.functions.values(), *self.layers.values()):
            yield from (path for path in folder.rglob("*") if path.is_file())


def read(folder: Path, architecture: str) -> Artefacts:
    document = intrinsics.load((folder / "template.yaml").read_text(encoding="utf-8"))
    return Artefacts(
        folder,
        architecture,
        _folders(document, folder, "AWS::Serverless::Function", "CodeUri"),
        _folders(document, folder, "AWS::Serverless::LayerVersion", "ContentUri"),
    )


def _folders(document: Mapping[str, Any], folder: Path, kind: str, place: str) -> dict[str, Path]:
    return {
        name: folder / resource["Properties"][place]
        for name, resource in document["Resources"].items()
        if resource["Type"] == kind
    }


def size_bytes(folder: Path) -> int:
    """Unpacked, as Lambda counts."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
