"""Restores the database that an environment uses into another data stack beside it; the first one stays in use.

`python -m scripts.restore prod --to prod-2 --at 2026-05-01T12:00:00Z`, or `--snapshot NAME` instead of the time. The
new stack has the parameters of samconfig.toml, and the key of the first: the organizations' data keys are wrapped with
it. With `--dry-run` it only shows the command. Afterwards `make deploy CONFIG=prod DATA=prod-2` points the service at
it; the migration of that deployment drops what is cached before any function uses the restored database.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Mapping

from scripts.aws import Aws
from scripts.configuration import STORES, UnknownEnvironmentError, stacks
from scripts.deploy import Run, command, deployed, protect, run_sam

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
NAME = re.compile(r"[a-z][a-z0-9-]{0,15}")


class RestoreError(ValueError):
    """What was asked for cannot be restored; the message says why."""


def restore(
    environment: str,
    name: str,
    aws: Aws,
    run: Run,
    *,
    at: str = "",
    snapshot: str = "",
    confirmed: bool = False,
    dry_run: bool = False,
) -> str:
    """Creates the data stack `name`, and returns its full name. Raises RestoreError."""
    _check(environment, name, at, snapshot)
    data = next((stack for stack in stacks(environment) if stack.part == "data"), None)
    if data is None:
        raise RestoreError(f"samconfig.toml has no section {environment}-data: {environment} uses an existing database")
    in_use = _in_use(environment, aws)
    if name == in_use:
        raise RestoreError(f"{name!r} is no new name: {environment} uses these stores")
    outputs = _outputs(data.name if in_use in ("", environment) else f"remembrancer-{in_use}-data", aws)
    source = {"DatabaseSnapshot": snapshot}
    if at:
        source = {"DatabaseSource": outputs["DatabaseResourceId"], "DatabaseRestoreTime": at}
    parameters = {**data.parameters, "Name": name, "KeyId": outputs["KeyArn"], **source}
    restored = f"remembrancer-{name}-data"
    run(command(data, parameters, name=restored, confirmed=confirmed))
    if not dry_run:
        protect("data", restored, aws)
    return restored


def _check(environment: str, name: str, at: str, snapshot: str) -> None:
    if bool(at) == bool(snapshot):
        raise RestoreError("give either a time or a snapshot")
    if at and not MOMENT.fullmatch(at):
        raise RestoreError(f"{at!r} is no time in UTC such as 2026-05-01T12:00:00Z")
    if not NAME.fullmatch(name) or name == environment or _is_environment(name):
        raise RestoreError(f"{name!r} is no new name: up to 16 of a-z, 0-9 and -, and not that of an environment")


def _is_environment(name: str) -> bool:
    try:
        return bool(stacks(name))
    except UnknownEnvironmentError:
        return False


def _in_use(environment: str, aws: Aws) -> str:
    """The name of the stores that the service uses now, maybe of an earlier restore; empty without a service."""
    for stack in stacks(environment):
        if stack.part == "" and (found := STORES.match(deployed(stack.name, aws)[1].get("DatabaseUrl", ""))):
            return found[1]
    return ""


def _outputs(stack: str, aws: Aws) -> Mapping[str, str]:
    [found] = aws.cloudformation.describe_stacks(StackName=stack)["Stacks"]
    return {one["OutputKey"]: one["OutputValue"] for one in found["Outputs"]}


def main() -> int:
    """Returns the status of `sam deploy`, 2 for wrong arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("environment", help="dev, staging, prod, or another section of samconfig.toml")
    parser.add_argument("--to", required=True, metavar="NAME", help="name of the restored stores, as prod-2")
    parser.add_argument("--at", default="", metavar="TIME", help="moment to restore, in UTC")
    parser.add_argument("--snapshot", default="", help="snapshot to restore instead")
    parser.add_argument("--yes", action="store_true", help="execute the change set without asking")
    parser.add_argument("--dry-run", action="store_true", help="only show the command")
    options = parser.parse_args()
    run: Run = (lambda words: print(" ".join(words))) if options.dry_run else run_sam  # noqa: T201
    try:
        restored = restore(
            options.environment,
            options.to,
            Aws(),
            run,
            at=options.at,
            snapshot=options.snapshot,
            confirmed=options.yes,
            dry_run=options.dry_run,
        )
    except (UnknownEnvironmentError, RestoreError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except subprocess.CalledProcessError as error:
        return error.returncode
    sys.stdout.write(f"\n{restored}. Next: make deploy CONFIG={options.environment} DATA={options.to}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
