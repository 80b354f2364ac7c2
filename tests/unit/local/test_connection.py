"""All settings of a connection come from one place, and never from this checkout's `.local`."""

import os
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import pytest

from local.cli import parser
from local.cli.command import CommandError
from local.cli.commands import proxy
from local.cli.connection import NAMES, Service, add_service_arguments, database_url, key_service, redis_url, service
from local.dev_env import DevEnv
from local.stack import ROOT
from remembrancer_client import AsyncClient

LOCAL = DevEnv("http://local", "rk_local", "org-local", "agent-local")
SERVERS = ("DATABASE_URL", "OWNER_DATABASE_URL", "REDIS_URL", "KMS_KEY_ID")


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*NAMES, *SERVERS):
        monkeypatch.delenv(name, raising=False)


def found(directory: Path, *options: str) -> Service:
    arguments = ArgumentParser()
    add_service_arguments(arguments)
    arguments.set_defaults(directory=directory)
    return service(arguments.parse_args(options))


def set_(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    for name, value in values.items():
        monkeypatch.setenv(f"REMEMBRANCER_{name}", value)


def test_what_make_run_wrote_is_used_where_the_environment_says_nothing(tmp_path: Path) -> None:
    LOCAL.write(tmp_path / "dev.env")

    assert found(tmp_path) == Service("http://local", "rk_local", "org-local", "agent-local", "", "")


@pytest.mark.parametrize("options", [[], ["--url", "http://own/"]])
def test_a_service_of_the_environment_gets_no_setting_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    LOCAL.write(tmp_path / "dev.env")
    set_(monkeypatch, URL="http://own", API_KEY="rk_own")

    assert found(tmp_path, *options) == Service("http://own", "rk_own", "", "", "", "")


@pytest.mark.parametrize(
    ("told", "options", "missing", "present"),
    [
        ({"API_KEY": "rk"}, [], "URL", "API_KEY"),
        ({"URL": "http://own"}, [], "API_KEY", "URL"),
        ({"ORG_ID": "org"}, [], "URL", "ORG_ID"),
        ({"AGENT_ID": "agent", "API_KEY": "rk"}, [], "URL", "AGENT_ID"),
        ({"USER_ID": "isla"}, [], "URL", "USER_ID"),
        ({"URL": "http://own", "API_KEY": ""}, [], "API_KEY", "URL"),
        ({}, ["--url", "http://own"], "API_KEY", "URL"),
        ({"ORG_ID": "org"}, ["--url", "http://own"], "API_KEY", "ORG_ID"),
    ],
)
@pytest.mark.parametrize("is_run", [True, False])
def test_a_part_of_a_connection_in_the_environment_is_refused_and_the_rest_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    told: dict[str, str],
    options: list[str],
    missing: str,
    present: str,
    is_run: bool,
) -> None:
    if is_run:
        LOCAL.write(tmp_path / "dev.env")
    set_(monkeypatch, **told)

    with pytest.raises(CommandError, match=rf"REMEMBRANCER_{missing} is missing in the environment.*_{present}\b"):
        found(tmp_path, *options)


@pytest.mark.parametrize("blank", ["", " ", "\t", "\u00a0"])
def test_a_blank_end_user_of_the_environment_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blank: str
) -> None:
    LOCAL.write(tmp_path / "dev.env")
    set_(monkeypatch, USER_ID=blank)

    with pytest.raises(CommandError, match="REMEMBRANCER_USER_ID must not be blank"):
        found(tmp_path)


def test_a_file_without_a_key_is_named(tmp_path: Path) -> None:
    (tmp_path / "dev.env").write_text("REMEMBRANCER_URL=http://local\n")

    with pytest.raises(CommandError, match=rf"REMEMBRANCER_API_KEY is missing in {tmp_path}/dev\.env"):
        found(tmp_path)


def test_nothing_at_all_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="set REMEMBRANCER_URL and REMEMBRANCER_API_KEY, or run `make run`"):
        found(tmp_path)


@pytest.mark.parametrize(
    ("told", "missing"),
    [
        ({"DATABASE_URL": "postgresql://x"}, ["REDIS_URL", "KMS_KEY_ID"]),
        ({"OWNER_DATABASE_URL": "postgresql://x"}, ["DATABASE_URL", "REDIS_URL", "KMS_KEY_ID"]),
        ({"REDIS_URL": "redis://x"}, ["DATABASE_URL", "KMS_KEY_ID"]),
        ({"KMS_KEY_ID": "arn"}, ["DATABASE_URL", "REDIS_URL"]),
    ],
)
def test_a_server_of_the_environment_is_not_used_beside_a_local_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: dict[str, str], missing: list[str]
) -> None:
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    of = {"DATABASE_URL": database_url, "REDIS_URL": redis_url, "KMS_KEY_ID": key_service}

    for name in missing:
        with pytest.raises(CommandError, match=f"{name} is missing in the environment, which has {next(iter(told))}"):
            of[name](tmp_path)


def test_the_proxys_hook_gets_the_settings_of_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    LOCAL.write(tmp_path / "dev.env")
    known = proxy._environment(found(tmp_path), "http://127.0.0.1:4000")
    set_(monkeypatch, URL="http://own", API_KEY="rk_own", USER_ID="isla")
    own = proxy._environment(found(tmp_path), "http://127.0.0.1:4000")
    other = proxy._environment(found(tmp_path, "--end-user", "ada"), "http://127.0.0.1:4000")

    assert [known.get(name) for name in NAMES] == ["http://local", "rk_local", "org-local", "agent-local", None]
    assert [own.get(name) for name in NAMES] == ["http://own", "rk_own", None, None, "isla"]
    assert other["REMEMBRANCER_USER_ID"] == "ada"


async def test_a_client_with_a_key_of_its_own_takes_no_organization_of_another_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    set_(monkeypatch, URL="http://own", API_KEY="rk_own", ORG_ID="org-own", AGENT_ID="agent-own")

    async with AsyncClient() as all_of_the_environment, AsyncClient(api_key="rk_other") as other:
        assert (all_of_the_environment.org_id, other.org_id) == ("org-own", None)


def test_no_test_finds_settings_of_this_checkout() -> None:
    doctor = [sys.executable, "-m", "local.cli", "doctor", "--json"]

    assert not Path(parser().parse_args(["doctor"]).directory).is_relative_to(ROOT)
    assert not [name for name in NAMES if name in os.environ]
    with pytest.raises(PermissionError, match="--directory"):
        subprocess.run(doctor, env={"PATH": os.environ["PATH"]}, check=False)
    with pytest.raises(PermissionError, match="user's"):
        (ROOT / ".local" / "dev.env").read_text()
