"""The stacks with their parameters filled in, as cfn-lint judges them: it takes a minute."""

import json
from pathlib import Path

from tests.integration.test_cloudformation import DEPLOYMENTS, REGION, deployed, sam


def test_cfn_lint_finds_no_error_once_parameters_are_filled_in(tmp_path: Path) -> None:
    # Several deployments have a stack that is the same.
    paths: dict[str, Path] = {}
    for name, stacks in DEPLOYMENTS.items():
        for kind in stacks:
            stack = deployed(name, kind)
            document = {"Parameters": stack.stored, "Resources": stack.resources, "Outputs": stack.outputs}
            text = json.dumps({key: value for key, value in document.items() if value})
            paths.setdefault(text, tmp_path / f"{name} {kind}.json").write_text(text)

    # Warnings are about what the settling itself did: constants in places of parameters.
    sam("cfn-lint", "--ignore-checks", "W", "--regions", REGION, "--", *map(str, paths.values()))
