"""Every call of AWS in documents and scripts is one that AWS has: operation, parameters, and what it demands."""

import ast
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import botocore.session
import pytest
from botocore import xform_name

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"])
SCRIPTS = sorted((ROOT / "scripts").glob("*.py"))
# Of the command line itself.
GLOBAL = {"query", "output", "region", "profile", "cli-binary-format", "no-cli-pager", "cli-read-timeout"}
POSITIONAL = {("lambda", "invoke"): 1}

# Plain, assigned to a variable, or the body of a shell function.
_COMMAND = re.compile(r"^\s*(?:[A-Z_]+=\$\(|\w+\(\) \{ )?(aws [a-z0-9-]+ [a-z0-9-]+(?: .*?)?)(?:; \})?$")
_INLINE = re.compile(r"`(aws [a-z0-9-]+ [a-z0-9-]+ --[^`]*)`")
_FENCE = re.compile(r"^ *```\w*\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


@cache
def model(service: str) -> Any:
    return botocore.session.get_session().get_service_model(service)


@cache
def operations(service: str) -> dict[str, str]:
    """By their name on the command line."""
    return {xform_name(name, "-"): name for name in model(service).operation_names}


def commands(path: Path) -> Iterator[str]:
    """Commands whose quotes are closed; an argument in quotes may go over several lines."""
    text = path.read_text(encoding="utf-8")
    yield from (re.sub(r"\s*\n\s*", " ", command) for command in _INLINE.findall(_FENCE.sub("", text)))
    for block in _FENCE.findall(text):
        lines = iter(re.sub(r"\\\n\s*", " ", block).splitlines())
        for line in lines:
            whole = line
            while _COMMAND.match(line) and whole.count("'") % 2 and (more := next(lines, None)) is not None:
                whole += " " + more.strip()
            if match := _COMMAND.match(whole):
                yield match[1]


def problems(command: str) -> list[str]:
    # What stands in a subshell or behind a pipe is not an argument of this call.
    words = shlex.split(re.split(r" \| | > | # |\)$", command)[0])
    _, service, name, *arguments = words
    if name == "wait":
        waiters = botocore.session.get_session().get_waiter_model(service)
        waiter = waiters.get_waiter({xform_name(one, "-"): one for one in waiters.waiter_names}[arguments[0]])
        return _arguments(service, waiter.operation, arguments[1:], 0)
    if name not in operations(service):
        return [f"{service} has no {name}"]
    return _arguments(service, operations(service)[name], arguments, POSITIONAL.get((service, name), 0))


def _arguments(service: str, operation: str, arguments: list[str], positional: int) -> list[str]:
    shape = model(service).operation_model(operation).input_shape
    known = {xform_name(member, "-"): member for member in (shape.members if shape else {})}
    given = {argument.removeprefix("--") for argument in arguments if argument.startswith("--")}
    plain = {name.removeprefix("no-") for name in given}
    unknown = plain - known.keys() - GLOBAL - {name.removeprefix("no-") for name in GLOBAL}
    # A blob of the body is the file, not an option; `lambda invoke` has it as the payload.
    required = {xform_name(member, "-") for member in (shape.required_members if shape else [])}
    found = [f"{operation} has no --{name}" for name in sorted(unknown)]
    found += [f"{operation} needs --{name}" for name in sorted(required - plain)]
    if positional and not any(word == "/dev/stdout" or word.endswith(".json") for word in arguments):
        found.append(f"{operation} needs a file for its answer")
    if operation == "Invoke" and "payload" in given and "cli-binary-format" not in given:
        found.append("the payload is taken for base64 without --cli-binary-format raw-in-base64-out")
    return found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_of_a_page_is_one_that_aws_has(path: Path) -> None:
    found = {command: wrong for command in commands(path) if (wrong := problems(command))}

    assert found == {}


def test_commands_are_found() -> None:
    assert len([command for path in PAGES for command in commands(path)]) > 15


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("aws rds restore-database --x 1", "rds has no restore-database"),
        ("aws rds describe-db-instances --instance x", "DescribeDBInstances has no --instance"),
        ("aws lambda get-alias --function-name x", "GetAlias needs --name"),
        ("aws rds wait db-snapshot-available --snapshot x", "DescribeDBSnapshots has no --snapshot"),
        (
            "aws lambda invoke --function-name x --payload '{}' /dev/stdout",
            "the payload is taken for base64 without --cli-binary-format raw-in-base64-out",
        ),
        (
            "aws lambda invoke --function-name x",
            "Invoke needs a file for its answer",
        ),
    ],
)
def test_a_command_that_aws_would_refuse_is_found(command: str, problem: str) -> None:
    assert problems(command) == [problem]


def calls(path: Path) -> Iterator[tuple[str, str, set[str], int]]:
    """Service, method, keywords and line of every `aws.SERVICE.METHOD(…)`, and of paginators and waiters."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        match node.func:
            case ast.Attribute(value=ast.Attribute(value=ast.Name(id="aws"), attr=service), attr=method):
                keywords = {str(keyword.arg) for keyword in node.keywords}
                if method in ("get_paginator", "get_waiter"):
                    [argument] = node.args
                    assert isinstance(argument, ast.Constant)
                    assert isinstance(argument.value, str)
                    method = f"{method}:{argument.value}"
                yield service.rstrip("_").replace("_", "-"), method, keywords, node.lineno


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_every_call_of_a_script_is_one_that_aws_has(path: Path) -> None:
    session = botocore.session.get_session()
    for service, method, keywords, line in calls(path):
        kind, _, argument = method.partition(":")
        if kind == "get_waiter":
            waiters = {xform_name(name) for name in session.get_waiter_model(service).waiter_names}
            assert argument in waiters, line
            continue
        named = {xform_name(name): name for name in model(service).operation_names}
        if kind == "get_paginator":
            assert session.get_paginator_model(service).get_paginator(named[argument]), line
            continue
        assert method in named, line
        shape = model(service).operation_model(named[method]).input_shape
        assert keywords <= set(shape.members if shape else ()), line
        assert set(shape.required_members if shape else ()) <= keywords, line


def test_calls_of_scripts_are_found() -> None:
    assert len([call for path in SCRIPTS for call in calls(path)]) > 20
