"""Every command line of a page is one that its program takes."""

import argparse
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from local.cli import parser
from local.intrinsics import load
from tests.unit.documents import PAGES, ROOT, all_blocks, commands, declared, whole

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
# What pages write for the reader's own.
PLACEHOLDER = "00000000-0000-0000-0000-000000000000"


def distinct(program: str) -> list[Any]:
    seen: dict[str, str] = {}
    for place, line in commands(program):
        seen.setdefault(line, place)
    return [pytest.param(line, id=f"{place} {line}"[:100]) for line, place in seen.items()]


@cache
def subcommands() -> dict[str, argparse.ArgumentParser]:
    [action] = (one for one in parser()._actions if isinstance(one, argparse._SubParsersAction))
    return dict(action.choices)


def options(command: str) -> set[str]:
    return {option for action in subcommands()[command]._actions for option in action.option_strings}


def words(line: str) -> list[str]:
    return shlex.split(line.replace("…", "x"))[1:]


@pytest.mark.parametrize("line", distinct("remembrancer"))
def test_every_command_of_ours_is_one(line: str) -> None:
    command, *rest = words(line) or ["up"]
    if command in {"COMMAND", "--json"}:
        return

    assert command in subcommands(), f"there is no `remembrancer {command}`"
    given = {word.partition("=")[0] for word in rest if word.startswith("--")}
    assert given - options(command) == set(), f"`remembrancer {command}` has no such options"


@pytest.mark.parametrize("line", sorted({line for place, line in commands("remembrancer") if ":" in place}))
def test_every_command_of_ours_in_a_block_parses(line: str) -> None:
    chosen = parser().parse_args([PLACEHOLDER if word in {"ORG_ID", "KEY_ID"} else word for word in words(line)])

    assert chosen.run


def test_every_command_and_option_of_ours_is_documented() -> None:
    text = "\n".join(whole(page) for page in PAGES)
    told = set(re.findall(r"`(?:\.venv/bin/)?(?:remembrancer )?([a-z-]+)[^`\n]*`", text)) | set(
        re.findall(r"remembrancer ([a-z-]+)", text)
    )
    own = {"--help", "-h"}

    unnamed = {command: options(command) - own - set(re.findall(r"--[a-z-]+", text)) for command in subcommands()}

    assert subcommands().keys() - told == set(), "commands that no page names"
    assert {command: missing for command, missing in unnamed.items() if missing} == {}, "options that no page names"


def test_every_command_of_ours_is_in_the_table_of_commands() -> None:
    table = whole(ROOT / "docs" / "local.md").partition("\n## Commands\n")[2].partition("\n#")[0]
    rows = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)

    listed = {code.split()[0] for row in rows for code in re.findall(r"`([^`]+)`", row)}

    assert listed == subcommands().keys()


def test_the_defaults_of_options_that_a_table_names_are_those_of_the_command() -> None:
    page = whole(ROOT / "docs" / "evaluation.md")
    told = re.findall(r"^\| `--([a-z-]+) (\d+)`", page, re.MULTILINE) + re.findall(r"`--([a-z-]+) (\d+)`,? ", page)
    chosen = vars(parser().parse_args(["eval", "file"]))

    options = {(name.replace("-", "_"), float(value)) for name, value in told}

    assert {name for name, _ in options} >= {"k", "pause_ms", "memory_tokens"}
    assert {(name, value) for name, value in options if float(chosen[name] or 0) != value} == set()


@cache
def targets() -> dict[str, bool]:
    """Each target of the Makefile, and whether `make help` lists it."""
    rules = re.findall(r"^([a-z][a-z-]*):((?:[^=\n][^\n]*)?)$", MAKEFILE, re.MULTILINE)
    return {target: "##" in rest for target, rest in rules}


def made() -> Iterator[tuple[str, str, list[str]]]:
    """Place, target and variables of each call of make."""
    for place, line in commands(r"make"):
        for call in re.split(r" && |; ", line):
            rest = [word for word in shlex.split(call.replace("…", "x")) if word != "make"]
            yield place, next((word for word in rest if "=" not in word), ""), [w for w in rest if "=" in w]


def test_every_target_that_a_page_makes_exists_with_its_variables() -> None:
    wrong = []
    variables = set(re.findall(r"\b([A-Z][A-Z0-9_]+)\b", MAKEFILE)) | {"PORT"}
    for place, target, given in made():
        if target and target not in targets():
            wrong.append(f"{place}: make {target}")
        wrong += [f"{place}: {one}" for one in given if one.partition("=")[0] not in variables]

    assert wrong == []


def test_every_target_that_help_lists_is_documented() -> None:
    text = "\n".join(whole(page) for page in PAGES)
    listed = {target for target, described in targets().items() if described}

    assert len(listed) > 10
    assert {target for target in listed if not re.search(rf"make {target}\b(?!-)", text)} == set()


@pytest.mark.parametrize("block", all_blocks("bash", "sh"), ids=lambda block: block.place)
def test_every_shell_block_is_shell(block: Any) -> None:
    checked = subprocess.run(["bash", "-n"], input=block.text, text=True, capture_output=True, check=False)

    assert checked.stderr == ""


@pytest.mark.parametrize("line", distinct("python"))
def test_every_script_and_module_that_a_page_runs_has_its_options(line: str) -> None:
    given = words(re.sub(r"\[(--[^\]]+)\]", r"\1", line))
    if given[:1] == ["-m"]:
        name = given[1].replace(".", "/")
        if name in {"pip", "grpc_tools/protoc"}:
            return
        files = [ROOT / f"{name}.py", ROOT / name / "__main__.py"]
    elif given and given[0].endswith(".py"):
        files = [ROOT / given[0]]
    else:
        return

    [source] = [file.read_text(encoding="utf-8") for file in files if file.exists()]
    options = {word.partition("=")[0] for word in given if word.startswith("--")}
    assert {option for option in options if f'"{option}"' not in source} == set()


def test_the_files_that_sam_is_given_are_those_that_are_made() -> None:
    environments = set(load_samconfig())
    named = {match for page in PAGES for match in re.findall(r"sam deploy --config-env (\w+)", whole(page))}

    assert named <= environments


@pytest.mark.parametrize("line", [one for one in distinct("sam") if "--parameter-overrides" in one.values[0]])
def test_every_parameter_that_a_page_deploys_with_is_one_of_the_stack(line: str) -> None:
    given = words(line)
    named = given[given.index("--template-file") + 1] if "--template-file" in given else "template.yaml"
    behind = given[given.index("--parameter-overrides") + 1 :]
    overrides = [word.partition("=") for word in behind if re.match(r"[A-Z]\w+=", word)]
    parameters = load((ROOT / named).read_text(encoding="utf-8"))["Parameters"]

    assert len(overrides) > 2
    assert {name for name, _, _ in overrides} - parameters.keys() == set()
    for name, _, value in overrides:
        allowed = [str(one) for one in parameters[name].get("AllowedValues", [value])]
        assert value in allowed, name


def load_samconfig() -> dict[str, Any]:
    return tomllib.loads((ROOT / "samconfig.toml").read_text(encoding="utf-8"))


def test_parameters_of_a_deployment_are_documented_with_their_defaults() -> None:
    parameters = declared("Parameters")
    page = whole(ROOT / "docs" / "deploy.md")
    wrong = []
    for cells in re.findall(r"^\| (`[^|]+`) \| ([^|]*) \|", sections_of(page), re.MULTILINE):
        names = re.findall(r"`(\w+)`", cells[0])
        told = [cell.strip(" `") for cell in cells[1].split(", ")]
        told = told if len(told) == len(names) else told[:1] * len(names)
        for name, shown in zip(names, told, strict=True):
            if name not in parameters:
                wrong.append(f"`{name}` is no parameter")
                continue
            defaults = {_written(parameter.get("Default", "")) for parameter in parameters[name]}
            # Names of SSM parameters stand without the stage.
            short = {re.sub(r"^/remembrancer/dev/", "", default) for default in defaults}
            cut = shown.removesuffix("…") if shown.endswith("…") else None
            if not any(shown.startswith(one) or (cut and one.startswith(cut)) for one in short):
                wrong.append(f"`{name}` is {defaults} and the page says {shown}")

    assert wrong == []


def _written(default: object) -> str:
    return str(default).lower() if isinstance(default, bool) else str(default)


def sections_of(page: str) -> str:
    """The part of the guide that lists parameters."""
    return page.partition("\n## Choices\n")[2].partition("\n## ")[0]


def test_outputs_of_a_deployment_that_are_named_exist() -> None:
    outputs = declared("Outputs")
    tables = re.findall(
        r"^\| output \| \|\n\|[-|]+\|\n((?:\|[^\n]*\n)+)", whole(ROOT / "docs" / "deploy.md"), re.MULTILINE
    )

    named = set(re.findall(r"`(\w+)`", "".join(row.split("|")[1] for row in tables[0].splitlines())))

    assert named == outputs.keys()
