"""compose.yaml and the Kubernetes manifests, by their schemas and by what they promise."""

import json
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import kubernetes_validate
import pytest
import yaml

from containers.environment import OWNER
from remembrancer.settings import DEFAULTS
from tests.containers.image import ROOT, instructions, is_sent

KUBERNETES = ROOT / "containers" / "kubernetes"
VERSION = "1.35"
"""Of Kubernetes' schema; the manifests use nothing newer than 1.25."""


@pytest.fixture
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8")))


@pytest.fixture
def manifests() -> list[dict[str, Any]]:
    """As the files have them, or as kustomize makes them where kubectl is at hand."""
    kustomization = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text(encoding="utf-8"))
    if shutil.which("kubectl"):
        command = ["kubectl", "kustomize", str(KUBERNETES)]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    else:
        text = "\n---\n".join((KUBERNETES / name).read_text(encoding="utf-8") for name in kustomization["resources"])
    return [one for one in yaml.safe_load_all(text) if one]


def test_the_compose_file_keeps_to_its_schema(compose: dict[str, Any]) -> None:
    schema = files("check_jsonschema") / "builtin_schemas" / "vendor" / "compose-spec.json"

    jsonschema.validate(compose, json.loads(schema.read_text(encoding="utf-8")))


def test_services_of_ours_have_no_root_and_no_writable_files(compose: dict[str, Any]) -> None:
    ours = {name: one for name, one in compose["services"].items() if "build" in one}

    assert set(ours) == {"migrate", "api", "worker", "task"}
    for service in ours.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
    assert dict(instructions((ROOT / "Dockerfile").read_text(encoding="utf-8")))["USER"] == "10001:10001"


def test_only_this_machine_reaches_the_api_and_nobody_the_metrics(compose: dict[str, Any]) -> None:
    published = {name: one["ports"] for name, one in compose["services"].items() if "ports" in one}

    assert published == {"api": ["127.0.0.1:3000:8000"]}


def test_every_secret_is_a_file_that_the_script_makes(compose: dict[str, Any]) -> None:
    script = (ROOT / "containers" / "secrets.sh").read_text(encoding="utf-8")

    for name, secret in compose["secrets"].items():
        assert secret == {"file": f".secrets/{name}"}
        assert name.removesuffix("_password") in script
    settings = {
        variable.removesuffix("_FILE")
        for service in compose["services"].values()
        if "build" in service
        for variable in service["environment"]
    }
    assert settings <= DEFAULTS.keys() | {OWNER}


def test_images_have_a_version(compose: dict[str, Any]) -> None:
    images = [one["image"] for one in compose["services"].values() if "build" not in one]
    base = dict(instructions((ROOT / "Dockerfile").read_text(encoding="utf-8")))["ARG"].partition("=")[2]

    for image in [*images, base]:
        version = image.partition(":")[2]
        assert sum(character == "." for character in version) == 2, image


def test_secrets_and_data_are_not_sent_to_the_build() -> None:
    assert not any(
        is_sent(Path(name)) for name in (".secrets/app_password", ".local/dev.env", ".git/config", ".venv/bin")
    )
    assert is_sent(Path("layers/engine/remembrancer/settings.py"))


def test_manifests_keep_to_the_schema_of_kubernetes(manifests: list[dict[str, Any]]) -> None:
    for manifest in manifests:
        kubernetes_validate.validate(manifest, VERSION, strict=True)
    assert {one["kind"] for one in manifests} >= {"Deployment", "HorizontalPodAutoscaler", "PodDisruptionBudget"}


def test_pods_have_no_root_no_writable_files_no_rights_and_probes(manifests: list[dict[str, Any]]) -> None:
    for manifest in (one for one in manifests if one["kind"] == "Deployment"):
        pod = manifest["spec"]["template"]["spec"]
        assert pod["automountServiceAccountToken"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        for container in [*pod["containers"], *pod["initContainers"]]:
            assert container["securityContext"]["readOnlyRootFilesystem"] is True
            assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
            assert container["securityContext"]["allowPrivilegeEscalation"] is False
        (container,) = pod["containers"]
        assert {"startupProbe", "livenessProbe"} <= container.keys()
        # The owner's password is the migration's alone.
        assert "owner" not in {mount["name"] for mount in container["volumeMounts"]}


def test_every_deployment_scales_by_itself_and_keeps_a_pod_when_nodes_are_drained(
    manifests: list[dict[str, Any]],
) -> None:
    names = {one["metadata"]["name"] for one in manifests if one["kind"] == "Deployment"}
    scaled = {
        one["spec"]["scaleTargetRef"]["name"]: one["spec"]["minReplicas"]
        for one in manifests
        if one["kind"] == "HorizontalPodAutoscaler"
    }
    kept = {one["metadata"]["name"] for one in manifests if one["kind"] == "PodDisruptionBudget"}

    assert names == scaled.keys() == kept
    assert min(scaled.values()) >= 2
