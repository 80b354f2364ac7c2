import importlib.util
import inspect
import subprocess
import sys
from pathlib import Path

from remembrancer_client import AsyncClient, Client

ROOT = Path(__file__).parents[3]
CLIENT = ROOT / "clients" / "python"


def test_the_client_without_asyncio_is_made_of_the_other_one() -> None:
    spec = importlib.util.spec_from_file_location("sync_client", CLIENT / "tools" / "sync_client.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    ruff = Path(sys.executable).parent / "ruff"

    made = subprocess.run(
        [ruff, "format", "--stdin-filename", CLIENT / "src" / "client.py", "-"],
        input=tool.written(),
        text=True,
        capture_output=True,
        check=True,
    ).stdout

    assert (CLIENT / "src" / "remembrancer_client" / "client.py").read_text() == made, "run tools/sync_client.py"


def test_both_clients_have_the_same_methods() -> None:
    def methods(kind: type) -> dict[str, list[str]]:
        return {
            name: list(inspect.signature(member).parameters)
            for name, member in vars(kind).items()
            if inspect.isfunction(member) and not name.startswith("_")
        }

    of_threads = methods(Client)

    assert of_threads.pop("submit") == ["self", "work"]
    assert of_threads == methods(AsyncClient)


def test_importing_it_loads_no_framework() -> None:
    code = "import sys, remembrancer_client; print(*sorted({name.partition('.')[0] for name in sys.modules}))"

    loaded = subprocess.run(
        [sys.executable, "-c", code],
        text=True,
        capture_output=True,
        check=True,
        env={"PYTHONPATH": str(CLIENT / "src")},
    ).stdout.split()

    frameworks = {"langchain", "langchain_core", "langgraph", "agents", "strands", "pydantic_ai"}
    assert not {"litellm", "opentelemetry", "mcp", *frameworks} & set(loaded)
