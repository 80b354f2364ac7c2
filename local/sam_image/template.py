"""The built template as `sam local invoke` needs it, and the file of environment variables that goes with it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local import intrinsics

HOST = "host.docker.internal"
_PLACES = {"AWS::Serverless::Function": "CodeUri", "AWS::Serverless::LayerVersion": "ContentUri"}
_TIMEOUT_SECONDS = 60
# They contain paths of this machine; inside a container the template's values are correct.
_OUTSIDE = frozenset({"MODELS_DIR", "TIKTOKEN_CACHE_DIR"})


@dataclass(frozen=True, slots=True)
class SamFiles:
    """SAM's arguments --template and --env-vars; the latter file contains passwords."""

    template: Path
    variables: Path


def write(
    built: Path, environments: Mapping[str, Mapping[str, str]], folder: Path, *, architecture: str = ""
) -> SamFiles:
    """Writes both files to `folder`, for the template in the build folder `built`.

    `environments` are the functions' variables on this machine, by logical id; addresses become those that containers
    see. SAM passes only variables that the template declares, and reads those without an override from the template,
    which refers to a database and secrets on AWS; so the written template declares, empty, exactly the function's
    variables here. Unlike Lambda, SAM counts a function's start in its time-out, so these are a minute at least.
    With an `architecture`, that is the parameter's default.
    """
    document = intrinsics.load((built / "template.yaml").read_text(encoding="utf-8"))
    common = document["Globals"]["Function"].pop("Environment", {}).get("Variables", {})
    for name, resource in document["Resources"].items():
        properties = resource.get("Properties", {})
        place = _PLACES.get(resource["Type"])
        if place is not None:
            properties[place] = str((built / properties[place]).resolve())
        if name in environments:
            own = properties.get("Environment", {}).get("Variables", {})
            properties["Environment"] = {"Variables": _declared({**common, **own}, environments[name])}
            properties["Timeout"] = max(properties.get("Timeout", 0), _TIMEOUT_SECONDS)
    if architecture:
        document["Parameters"]["Architecture"]["Default"] = architecture
    folder.mkdir(parents=True, exist_ok=True)
    files = SamFiles(folder / "template.json", folder / "env.json")
    files.template.write_text(json.dumps(document, indent=2, default=str), encoding="utf-8")
    files.variables.touch(mode=0o600)
    seen = {name: _seen_from_containers(environment) for name, environment in environments.items()}
    files.variables.write_text(json.dumps(seen, indent=2), encoding="utf-8")
    return files


def _declared(template: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, Any]:
    return {name: template[name] if name in _OUTSIDE else "" for name in sorted(environment)}


def _seen_from_containers(environment: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value.replace("127.0.0.1", HOST) for name, value in sorted(environment.items()) if name not in _OUTSIDE
    }
