"""The inspector's page: one request, nothing from elsewhere, a strict policy, and scripts that fit together."""

import base64
import re
from collections import Counter
from hashlib import sha256

import pytest

from remembrancer.runtime import inspector
from remembrancer.runtime.inspector import FOLDER, MOST_BYTES, SCRIPTS, page

SOURCES = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.js")}
ALLOWED_ADDRESSES = {"http://www.w3.org/2000/svg"}


def block(name: str) -> str:
    found = re.search(rf"<{name}[^>]*>(.*)</{name}>", page("prod").html, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_page_is_small_and_complete() -> None:
    html = page("prod").html

    assert len(html.encode()) < MOST_BYTES
    assert "{{" not in html.replace(block("script"), "")
    assert 'data-stage="prod"' in html
    assert {path.name for path in FOLDER.glob("*.js")} == set(SCRIPTS)


def test_the_policy_allows_this_style_and_this_script_and_nothing_else() -> None:
    policy = dict(rule.split(" ", 1) for rule in page("prod").headers["content-security-policy"].split("; "))

    for kind, name in (("script-src", "script"), ("style-src", "style")):
        digest = base64.b64encode(sha256(block(name).encode()).digest()).decode()
        assert policy[kind] == f"'sha256-{digest}'"
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["connect-src"] == "'self'"
    assert (policy["require-trusted-types-for"], policy["trusted-types"]) == ("'script'", "'none'")


def test_the_page_names_no_other_address_and_has_no_inline_handlers() -> None:
    html = page("prod").html

    assert set(re.findall(r"https?://[^\s'\"<>]+", html)) <= ALLOWED_ADDRESSES
    assert not re.search(r"<[^>]*\son\w+\s*=", html.replace(block("script"), ""))
    assert not re.search(r"@import|url\(", block("style"))


@pytest.mark.parametrize("name", SCRIPTS)
def test_text_becomes_no_markup_and_the_key_is_stored_nowhere(name: str) -> None:
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|Function\(|DOMParser|srcdoc"
    stored = r"localStorage|sessionStorage|indexedDB|document\.cookie|location\.(href|search|hash)|history\."

    assert not re.search(f"{forbidden}|{stored}", SOURCES[name])


def test_names_are_unique_and_imports_name_what_is_exported() -> None:
    exported = {
        name: set(re.findall(r"^export (?:async )?(?:function|class|const) (\w+)", text, re.MULTILINE))
        for name, text in SOURCES.items()
    }
    top_level = Counter(
        name
        for text in SOURCES.values()
        for name in re.findall(r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", text, re.MULTILINE)
    )

    assert [name for name, count in top_level.items() if count > 1] == []
    for text in SOURCES.values():
        for names, file in re.findall(r'^import \{ (.*) \} from "\./(.*)";$', text, re.MULTILINE):
            assert set(names.split(", ")) <= exported[file]


def test_comments_imports_and_indentation_are_left_out() -> None:
    script = block("script")

    assert not re.search(r"^\s|^import |^export |^//|/\*\*", script, re.MULTILINE)
    assert script.startswith('"use strict";')
    # Each class and function is still there.
    for text in SOURCES.values():
        for name in re.findall(r"^(?:export )?(?:async )?(?:function|class) (\w+)", text, re.MULTILINE):
            assert re.search(rf"(?:function|class) {name}\b", script)


def test_every_script_is_read_as_it_is() -> None:
    # No template string spans lines: leaving out the indentation would change it.
    for name in SCRIPTS:
        assert inspector._read(name).count("`") % 2 == 0
        assert all(line.count("`") % 2 == 0 for line in SOURCES[name].splitlines())
