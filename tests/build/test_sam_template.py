"""What SAM is given: the built template with this machine's variables, as containers see them."""

import json
from pathlib import Path
from typing import Any

import pytest

from local.sam_image import template
from local.sam_image.template import SamFiles

BUILT = """\
Parameters:
  Architecture: {Type: String, Default: arm64}
Globals:
  Function:
    Timeout: 10
    Environment:
      Variables:
        DATABASE_URL: !Sub "postgresql://${Host}/remembrancer"
        CACHE_SECRET: !Ref Secret
        MODELS_DIR: /opt/models
Resources:
  Layer:
    Type: AWS::Serverless::LayerVersion
    Properties: {ContentUri: Layer}
  Assemble:
    Type: AWS::Serverless::Function
    Properties: {CodeUri: Assemble, Timeout: 3}
  Migrate:
    Type: AWS::Serverless::Function
    Properties: {CodeUri: Migrate, Timeout: 300}
  Queue:
    Type: AWS::SQS::Queue
"""
HERE = {
    "DATABASE_URL": "postgresql://app:secret@127.0.0.1:5/remembrancer",
    "AWS_ENDPOINT_URL": "http://127.0.0.1:6",
    "MODELS_DIR": "/home/ada/layers/models/build",
}


@pytest.fixture
def files(tmp_path: Path) -> SamFiles:
    built = tmp_path / "built"
    built.mkdir()
    (built / "template.yaml").write_text(BUILT, encoding="utf-8")
    return template.write(built, {"Assemble": HERE, "Migrate": HERE}, tmp_path / "sam", architecture="x86_64")


@pytest.fixture
def document(files: SamFiles) -> Any:
    return json.loads(files.template.read_text(encoding="utf-8"))


def test_addresses_are_those_that_containers_see(files: SamFiles) -> None:
    variables = json.loads(files.variables.read_text(encoding="utf-8"))

    assert variables["Assemble"] == {
        "AWS_ENDPOINT_URL": "http://host.docker.internal:6",
        "DATABASE_URL": "postgresql://app:secret@host.docker.internal:5/remembrancer",
    }


def test_passwords_are_for_the_owner_only(files: SamFiles) -> None:
    assert files.variables.stat().st_mode & 0o077 == 0
    assert "secret" not in files.template.read_text(encoding="utf-8")


def test_a_function_declares_what_it_has_here_and_nothing_of_aws(document: Any) -> None:
    declared = document["Resources"]["Assemble"]["Properties"]["Environment"]["Variables"]

    assert declared == {"AWS_ENDPOINT_URL": "", "DATABASE_URL": "", "MODELS_DIR": "/opt/models"}
    assert "Environment" not in document["Globals"]["Function"]


def test_places_are_those_of_the_build(document: Any, tmp_path: Path) -> None:
    resources = document["Resources"]

    assert resources["Assemble"]["Properties"]["CodeUri"] == str(tmp_path / "built" / "Assemble")
    assert resources["Layer"]["Properties"]["ContentUri"] == str(tmp_path / "built" / "Layer")


def test_time_outs_leave_room_for_the_start(document: Any) -> None:
    timeouts = [document["Resources"][name]["Properties"]["Timeout"] for name in ("Assemble", "Migrate")]

    assert timeouts == [60, 300]
    assert document["Parameters"]["Architecture"]["Default"] == "x86_64"
