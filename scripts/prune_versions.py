"""Deletes old versions of the HTTP functions, which hold interfaces in the network and groups of an old data stack.

`python -m scripts.prune_versions remembrancer-prod --keep 3` keeps the three newest of each function, and those that an
alias uses. It lists what it would delete, and asks; `--yes` does not ask. After a change to another data stack,
`--keep 1` frees the old one: it cannot be deleted before.
"""

import argparse
import sys
from collections.abc import Iterator

from scripts.aws import Aws
from scripts.confirmation import agreed
from scripts.rollback import Alias, aliases, versions


class NoAliasError(Exception):
    """The stack has no function with an alias."""


def old_versions(alias: Alias, keep: int, aws: Aws) -> list[str]:
    """The versions that are neither among the newest `keep` nor used, oldest first."""
    numbers = versions(alias.function, aws)
    used = {alias.current, alias.of_stack}
    for page in aws.lambda_.get_paginator("list_aliases").paginate(FunctionName=alias.function):
        for one in page["Aliases"]:
            weights = one.get("RoutingConfig", {}).get("AdditionalVersionWeights", {})
            used |= {one["FunctionVersion"], *weights}
    return [str(number) for number in numbers[: max(len(numbers) - keep, 0)] if str(number) not in used]


def prunable(stack: str, keep: int, aws: Aws) -> Iterator[tuple[str, str]]:
    """Each function with an old version. Raises NoAliasError."""
    found = aliases(stack, aws)
    if not found:
        raise NoAliasError(f"{stack} has no aliases: give the name of the service's stack, as remembrancer-prod")
    for alias in found:
        for version in old_versions(alias, keep, aws):
            yield alias.function, version


def _positive(text: str) -> int:
    """At least one: the newest version is the one that serves."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def main() -> int:
    """Prints a line for each version; 1 where there is no such stack, or the operator does not agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stack", help="name of the service's stack, as remembrancer-prod")
    parser.add_argument("--keep", type=_positive, default=3, help="newest versions of each function that stay")
    parser.add_argument("--dry-run", action="store_true", help="only show what would be deleted")
    parser.add_argument("--yes", action="store_true", help="delete without asking")
    options = parser.parse_args()
    aws = Aws()
    try:
        old = list(prunable(options.stack, options.keep, aws))
    except NoAliasError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    for function, version in old:
        sys.stdout.write(f"{function}:{version}\n")
    if not old or options.dry_run:
        return 0
    if not agreed(f"Delete these {len(old)} versions? There is no rollback to them any more.", yes=options.yes):
        return 1
    for function, version in old:
        aws.lambda_.delete_function(FunctionName=function, Qualifier=version)
    return 0


if __name__ == "__main__":
    sys.exit(main())
