"""Points the aliases of the HTTP functions to the previous version, at once and without a deployment.

`python -m scripts.rollback STACK` goes back; with `--undo`, forward to the version recorded in the stack.
`scripts.deploy` does the latter before it deploys, because CodeDeploy starts from that version and refuses any other.
"""

import argparse
import sys
from dataclasses import dataclass

from botocore.exceptions import ClientError

from scripts.aws import Aws

LATEST = "$LATEST"


class NoVersionError(Exception):
    """There is no version to go back to."""


@dataclass(frozen=True, slots=True)
class Alias:
    """The version that an alias points to (`current`), and the version recorded in the stack."""

    function: str
    name: str
    current: str
    of_stack: str


def aliases(stack: str, aws: Aws) -> list[Alias]:
    """The aliases of a stack's functions; empty when the stack does not exist yet."""
    resources = []
    try:
        for page in aws.cloudformation.get_paginator("list_stack_resources").paginate(StackName=stack):
            resources += page["StackResourceSummaries"]
    except ClientError as error:
        if error.response["Error"]["Code"] == "ValidationError":
            return []
        raise
    versions = {}
    for one in resources:
        if one["ResourceType"] == "AWS::Lambda::Version" and one.get("PhysicalResourceId"):
            function, version = one["PhysicalResourceId"].rsplit(":", 1)
            versions[function] = version
    found = []
    for one in resources:
        if one["ResourceType"] == "AWS::Lambda::Alias" and one.get("PhysicalResourceId"):
            function, name = one["PhysicalResourceId"].rsplit(":", 1)
            current = aws.lambda_.get_alias(FunctionName=function, Name=name)["FunctionVersion"]
            found.append(Alias(function, name, current, versions.get(function, current)))
    return found


def versions(function: str, aws: Aws) -> list[int]:
    """The published versions of a function, oldest first."""
    numbers = []
    for page in aws.lambda_.get_paginator("list_versions_by_function").paginate(FunctionName=function):
        numbers += [int(one["Version"]) for one in page["Versions"] if one["Version"] != LATEST]
    return sorted(numbers)


def version_before(alias: Alias, aws: Aws) -> str:
    """The highest version below the current one. Raises NoVersionError."""
    before = [number for number in versions(alias.function, aws) if number < int(alias.current)]
    if not before:
        raise NoVersionError(f"{alias.function} has no version before {alias.current}")
    return str(max(before))


def move(alias: Alias, version: str, aws: Aws) -> None:
    """Moves all of its traffic to a version; provisioned concurrency moves with it."""
    aws.lambda_.update_alias(
        FunctionName=alias.function,
        Name=alias.name,
        FunctionVersion=version,
        RoutingConfig={"AdditionalVersionWeights": {}},
    )
    sys.stdout.write(f"{alias.function}:{alias.name}  {alias.current} -> {version}\n")


def main() -> int:
    """Prints one line for each alias; changes nothing when one of them has no version to go back to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stack", help="name of the service's stack, as remembrancer-prod")
    parser.add_argument("--undo", action="store_true", help="to what the stack believes")
    options = parser.parse_args()
    aws = Aws()
    found = aliases(options.stack, aws)
    try:
        targets = [alias.of_stack if options.undo else version_before(alias, aws) for alias in found]
    except NoVersionError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    for alias, version in zip(found, targets, strict=True):
        move(alias, version, aws)
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
