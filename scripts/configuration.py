"""The stacks of an environment, from samconfig.toml and the templates."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local.intrinsics import load

ROOT = Path(__file__).resolve().parent.parent
SERVICE = "template.yaml"
PARTS = ("network", "data", "", "load-balancer")
"""Sections of samconfig.toml after the environment's name, in the order of deployment; the service has no suffix."""

STORES = re.compile(r"\A/remembrancer/([^/]+)/(data|database|cache)/")
"""How the names of the SSM parameters of a data stack begin; the first group is the name of its stores."""


class UnknownEnvironmentError(ValueError):
    """samconfig.toml has no section of that name."""


class UnknownParameterError(UnknownEnvironmentError):
    """samconfig.toml sets a parameter that the template does not have."""


@dataclass(frozen=True, slots=True)
class StackConfiguration:
    """One stack of an environment: its section of samconfig.toml, and every parameter with its default filled in."""

    section: str
    part: str
    name: str
    template: str
    parameters: Mapping[str, str]
    stored: tuple[str, ...]
    """Names of the SSM parameters that the stack reads."""

    def repointed(self, data: str) -> dict[str, str]:
        """The parameters with every SSM parameter of a data stack taken from the data stack `data`."""
        return {name: STORES.sub(rf"/remembrancer/{data}/\2/", value) for name, value in self.parameters.items()}


def stacks(environment: str, root: Path = ROOT) -> list[StackConfiguration]:
    """The stacks of an environment, in the order of deployment. Raises UnknownEnvironmentError."""
    configuration = tomllib.loads((root / "samconfig.toml").read_text(encoding="utf-8"))
    if environment not in configuration:
        raise UnknownEnvironmentError(f"samconfig.toml has no environment {environment!r}")
    sections = {part: f"{environment}-{part}" if part else environment for part in PARTS}
    return [
        _stack(root, part, section, configuration[section]["deploy"]["parameters"])
        for part, section in sections.items()
        if section in configuration
    ]


def _stack(root: Path, part: str, section: str, given: Mapping[str, Any]) -> StackConfiguration:
    chosen = dict(override.split("=", 1) for override in given.get("parameter_overrides", []))
    template = str(given.get("template_file", SERVICE))
    document = load((root / template).read_text(encoding="utf-8"))
    defaults = {name: str(parameter.get("Default", "")) for name, parameter in document["Parameters"].items()}
    if unknown := chosen.keys() - defaults.keys():
        raise UnknownParameterError(f"{section} in samconfig.toml: {template} has no {', '.join(sorted(unknown))}")
    parameters = {**defaults, **chosen}
    stored = tuple(
        parameters[name]
        for name, parameter in document["Parameters"].items()
        if parameter["Type"].startswith("AWS::SSM::Parameter::Value<")
    )
    return StackConfiguration(section, part, str(given["stack_name"]), template, parameters, stored)
