"""Every command of the README and of the pages of ways in is run by a test, or it says here why it is not."""

import re
import tomllib
from collections.abc import Iterator

import pytest

from tests.unit.documents import ROOT, blocks, inline, lines_of_commands

README, CONNECT = ROOT / "README.md", ROOT / "docs" / "connect"

_PROXY, _DOCUMENTS = "tests/e2e/test_proxy.py::", "tests/e2e/test_documents.py::"
_DISTRIBUTIONS, _GENERATED = "tests/e2e/test_distributions.py::", "tests/e2e/test_generated_clients.py::"
_OWN_AGENT = f"{_PROXY}test_the_model_is_given_the_facts_of_the_agent_that_the_readme_makes"
_PAGE_OF_THE_PROXY = f"{_PROXY}test_the_page_of_the_documentation_runs_as_it_stands"
_NEXT_CHAT = f"{_PROXY}test_what_an_end_user_says_is_known_in_their_next_chat"
_CODING_AGENT = f"{_PROXY}test_the_page_of_coding_agents_runs_with_a_program_that_asks_as_claude_code_does"
_LITELLM = f"{_DOCUMENTS}test_the_litellm_of_its_page_serves_chats_with_memories"
_GO = f"{_GENERATED}test_the_go_program_gets_memories"

RUN = {
    r"make run": "tests/e2e/test_command_line.py::test_up_serves_until_ctrl_c_and_starts_again_on_the_same_data",
    r"make run ARGS=--once": "tests/e2e/test_command_line.py::"
    "test_up_once_shows_the_demonstration_and_ends_with_status_0",
    r"make help": "tests/tools/test_makefile.py::test_help_lists_every_described_target_once_in_a_group",
    r"cat > facts\.txt <<'END'": _OWN_AGENT,
    r"remembrancer init lark .*": _OWN_AGENT,
    r'make proxy( ARGS="--(agent lark|port 4001)")?': _OWN_AGENT,
    r'make proxy ARGS="--end-user isla"': f"{_PROXY}test_with_a_key_the_provider_answers_and_ctrl_c_ends_everything",
    r"source \.local/proxy\.env": _PAGE_OF_THE_PROXY,
    r'curl -s "\$(OPENAI|ANTHROPIC)_BASE_URL.*': _PAGE_OF_THE_PROXY,
    r"python - <<'END'": _PAGE_OF_THE_PROXY,
    r'chat\(\) \{|\}|chat ".*|sleep 5': _NEXT_CHAT,
    r"claude -p .*": _CODING_AGENT,
    r"source \.local/dev\.env( && export .*)?": f"{_DOCUMENTS}test_programs_find_the_variables_that_a_page_exports",
    r'curl -s "\$REMEMBRANCER_URL.*': f"{_DOCUMENTS}test_the_call_of_the_connect_page_gets_memories",
    r"python -m grpc_tools\.protoc .*": f"{_DOCUMENTS}test_the_proxy_of_the_connect_page_gets_memories",
    r"cat > config\.yaml <<'END'": _LITELLM,
    r"LITELLM_MASTER_KEY=sk-choose-one litellm --config config\.yaml": _LITELLM,
    r"remembrancer-mcp": "tests/e2e/test_mcp.py::test_a_memory_is_found_corrected_and_forgotten",
    r"REMEMBRANCER_WEBHOOK_KEY=choose-one remembrancer-portkey .*": "tests/clients/test_portkey.py::"
    "test_the_program_of_the_page_serves_until_it_is_interrupted",
    r"remembrancer import --from": "tests/e2e/test_take_over.py::"
    "test_memories_of_mem0_come_with_their_owners_once_and_go_back_as_they_were",
    # `make test-clients`, which makes the distributions first.
    r"make (dist|test-clients)": f"{_DISTRIBUTIONS}test_the_python_distributions_run_the_program_of_their_page",
    r"npm install \./dist/remembrancer-client-[0-9.]+\.tgz( ai)?": f"{_DISTRIBUTIONS}"
    "test_the_npm_package_runs_the_program_of_its_page",
    r"mkdir chat && cd chat|go mod .*|set -a; source \.\./\.local/dev\.env|go run \.": _GO,
    r"npx buf generate .*": f"{_GENERATED}test_generated_typescript_passes_the_compiler_and_gets_memories",
}
"""The test that runs a command, or its program with what the page says, by a pattern of the whole command."""

NOT_RUN = {
    r"make (test|check|proto)": "they run the tests, or come before them",
    r"make (preflight|deploy) CONFIG=dev": "need an account of AWS; tests/integration runs their scripts on moto",
    r"sh containers/secrets\.sh && docker compose up .*": "needs a container engine; tests/containers runs the script, "
    "and the services as processes",
    r"pip install .*|python -m pip install .*": "needs a registry; the Makefile installs the same, and "
    "tests/clients/test_distribution.py the package without one",
    r"(npm|go) install .*@.*": "needs a registry; `make test-clients` has the same from lock files and Debian",
    r"python -m benchmarks\..*": "takes minutes",
    r"aider .*": "a program of others; tests/e2e/test_coding_agents.py sends what such programs send",
    r"make|tsc|curl|pip|claude|remembrancer": "only the name of a program",
}
"""Why a command is not run here."""

_PROGRAM = re.compile(
    r"(?:make|sh|pip|npm|npx|go|claude|aider|litellm|curl|tsc|(?:\.venv/bin/)?(?:remembrancer|python)[a-z-]*)(?= |$)"
)


def commands() -> Iterator[tuple[str, str]]:
    """The place and the command: of blocks, and of what stands between backticks with a program before it."""
    for page in (README, *sorted(CONNECT.glob("*.md"))):
        for block in blocks(page):
            if block.language in {"", "bash", "sh"}:
                yield from ((block.place, line) for line in lines_of_commands(block.text))
        for code in inline(page):
            if _PROGRAM.match(code):
                yield str(page.relative_to(ROOT)), code


COMMANDS = sorted({(place, line.removeprefix(".venv/bin/")) for place, line in commands()})


def covered(line: str) -> list[str]:
    return [pattern for pattern in (*RUN, *NOT_RUN) if re.fullmatch(pattern, line)]


def test_every_command_is_run_or_says_why_not() -> None:
    assert len(COMMANDS) > 60
    assert [(place, line) for place, line in COMMANDS if not covered(line)] == []


@pytest.mark.parametrize("pattern", [*RUN, *NOT_RUN])
def test_no_row_is_of_a_command_that_is_gone(pattern: str) -> None:
    assert any(pattern in covered(line) for _, line in COMMANDS)


@pytest.mark.parametrize("test", sorted(set(RUN.values())))
def test_what_runs_a_command_is_a_test(test: str) -> None:
    file, _, name = test.partition("::")

    assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")


EXTRAS = tomllib.loads((ROOT / "clients" / "python" / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def test_every_extra_that_a_page_installs_is_one_of_the_package() -> None:
    named = {extra for _, line in COMMANDS for extra in re.findall(r"clients/python\[([a-z-]+)\]", line)}

    assert len(named) > 4
    assert named <= EXTRAS.keys()
