"""What the command line says where something is wrong: the URL, the file, the line and the column."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from local import cli
from local.cli.terminal import Terminal
from local.refusals import refusal

ORGANIZATION = "5f5b3f2e-52a8-4d0e-b8f4-4f3a2c1de9a7"
NOWHERE = "http://127.0.0.1:1"


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMEMBRANCER_URL", NOWHERE)
    monkeypatch.setenv("REMEMBRANCER_API_KEY", "unknown")
    monkeypatch.setenv("COLUMNS", "80")


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 1
    written = capsys.readouterr()
    assert "Traceback" not in written.out + written.err
    return written.out + written.err


@pytest.mark.parametrize(
    ("arguments", "url"),
    [
        (("keys", "list"), "GET http://127.0.0.1:1/v1/keys got no answer"),
        (("keys", "list", "--url", "localhost"), "GET localhost/v1/keys got no answer"),
        (("export", "-"), "GET http://127.0.0.1:1/v1/export got no answer"),
    ],
)
def test_a_service_that_does_not_answer_is_named_with_its_url(
    arguments: tuple[str, ...], url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert url in said(capsys, *arguments)


def test_what_cannot_be_read_is_named_with_line_and_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    event = tmp_path / "event.json"
    event.write_text('{\n  "body": tea\n}')

    invoked = said(capsys, "invoke", "assemble", str(event))
    configured = said(capsys, "configure", ORGANIZATION, "--set", 'redact_pii=["email"')
    missing = said(capsys, "invoke", "assemble", str(tmp_path / "none.json"))

    assert f"{event} is not JSON: Expecting value at line 2, column 11" in invoked
    assert "--set redact_pii is not JSON: Expecting ',' delimiter at column 9" in configured
    assert f"{tmp_path / 'none.json'}: No such file or directory" in missing


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"error": {"message": "No.", "fields": {"name": "is required"}}}, "name is required"),
        ({"error": {"message": "No."}}, "No."),
        ({"error": "x"}, '{"error":"x"}'),
        ("<html>\n  Bad gateway </html>", "<html> Bad gateway </html>"),
        ("", "Bad Gateway"),
    ],
)
def test_a_refusal_says_who_answers_what(body: Any, reason: str) -> None:
    request = httpx.Request("POST", f"{NOWHERE}/v1/keys?cursor=secret")
    content = body if isinstance(body, str) else json.dumps(body, separators=(",", ":"))

    told = refusal(httpx.Response(502, text=content, request=request))

    assert told == f"POST {NOWHERE}/v1/keys answers 502: {reason}"


def test_lines_and_tables_are_as_wide_as_what_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    terminal, address = Terminal(as_json=False), f"http://127.0.0.1:3000/{'a' * 200}"

    terminal.say(f"Serving on {address} [bold]")
    terminal.failed(address)
    terminal.table(("id", "name"), [("x" * 90, "宿"), ("y", "b")])

    assert capsys.readouterr().out.splitlines() == [
        f"Serving on {address} [bold]",
        f"Could not do it: {address}",
        f"id{' ' * 90}name",
        f"{'x' * 90}  宿",
        f"y{' ' * 91}b",
    ]
