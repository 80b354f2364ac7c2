"""Deploys the stacks of an environment in order: network, data, service, load balancer.

`python -m scripts.deploy dev` is what `make deploy CONFIG=dev` runs. Every parameter of a template is passed, with the
value of samconfig.toml or its default: `sam deploy` alone keeps the old value of a parameter that the file no longer
has. `--data NAME` points the service at the stores of another data stack, such as a restored one. `--ignore-alarms`
deploys while an alarm is on, which would stop the deployment: for the fix of a bad release.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from botocore.exceptions import ClientError

from scripts.aws import Aws
from scripts.configuration import ROOT, StackConfiguration, UnknownEnvironmentError, stacks
from scripts.confirmation import agreed
from scripts.rollback import Alias, aliases, move

SAM = str(ROOT / ".venv-sam" / "bin" / "sam")
POLICY = ROOT / "stacks" / "data-policy.json"
# Every other resource can be recreated after an accidental deletion.
PROTECTED = ("network", "data")
RELEASE_FORM = "%Y%m%dT%H%M%S"

BACK = "The service was rolled back by hand. The later version serves again until the new one does. Go on?"

Run = Callable[[Sequence[str]], None]


class StoppedError(Exception):
    """The operator did not agree."""


def command(
    stack: StackConfiguration, parameters: Mapping[str, str], *, name: str = "", confirmed: bool = False
) -> list[str]:
    """The `sam deploy` command of one stack, with these parameters; `name` for another stack than the section's."""
    words = [SAM, "deploy", "--config-env", stack.section, "--no-fail-on-empty-changeset"]
    if name:
        words += ["--stack-name", name]
    if confirmed:
        words.append("--no-confirm-changeset")
    return [*words, "--parameter-overrides", *map(_override, sorted(parameters.items()))]


def deploy(
    environment: str,
    aws: Aws,
    run: Run,
    *,
    agree: Callable[[str], bool] = lambda _: False,
    data: str = "",
    confirmed: bool = False,
    ignore_alarms: bool = False,
) -> None:
    """Deploys stacks one after another; those that hold or reach data are protected from deletion.

    Raises StoppedError where the operator does not agree.
    """
    for stack in stacks(environment):
        parameters = dict(stack.parameters)
        if data and stack.part in ("", "load-balancer"):
            parameters = stack.repointed(data)
        is_asked = not confirmed
        if stack.part == "":
            parameters["Release"] = parameters["Release"] or release(stack.name, aws)
            if ignore_alarms:
                parameters["DeploymentAlarms"] = "false"
            if behind := rolled_back(stack, aws):
                if is_asked:
                    run([*command(stack, parameters), "--no-execute-changeset"])
                    if not agree(BACK):
                        raise StoppedError
                    is_asked = False
                for alias in behind:
                    move(alias, alias.of_stack, aws)
        run(command(stack, parameters, confirmed=not is_asked))
        protect(stack.part, stack.name, aws)


def protect(part: str, name: str, aws: Aws) -> None:
    """Protects a stack from deletion, and what it holds from being replaced, as its part needs it."""
    if part == "data":
        policy = POLICY.read_text(encoding="utf-8")
        aws.cloudformation.set_stack_policy(StackName=name, StackPolicyBody=policy)
    if part in PROTECTED:
        aws.cloudformation.update_termination_protection(StackName=name, EnableTerminationProtection=True)


def release(stack: str, aws: Aws) -> str:
    """The release in use, or a new one where the last update was rolled back: Lambda has published that version
    already, and refuses to publish it again.
    """
    status, parameters = deployed(stack, aws)
    if status == "UPDATE_ROLLBACK_COMPLETE":
        return datetime.now(UTC).strftime(RELEASE_FORM)
    return parameters.get("Release", "")


def deployed(stack: str, aws: Aws) -> tuple[str, Mapping[str, str]]:
    """The status of a stack and its parameters; empty when it does not exist yet."""
    try:
        [found] = aws.cloudformation.describe_stacks(StackName=stack)["Stacks"]
    except ClientError as error:
        if error.response["Error"]["Code"] == "ValidationError":
            return "", {}
        raise
    parameters = {one["ParameterKey"]: str(one["ParameterValue"]) for one in found.get("Parameters", ())}
    return found["StackStatus"], parameters


def rolled_back(stack: StackConfiguration, aws: Aws) -> list[Alias]:
    """Aliases that were rolled back by hand. CodeDeploy refuses them until they are at the stack's version again, which
    then serves until the new one does: the change set is shown and confirmed before.
    """
    return [alias for alias in aliases(stack.name, aws) if alias.current != alias.of_stack]


def _override(parameter: tuple[str, str]) -> str:
    """In quotes: SAM refuses a plain empty value, and cuts one at a blank."""
    name, value = parameter
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'{name}="{escaped}"'


def run_sam(words: Sequence[str]) -> None:
    """Shows and runs a command. Raises CalledProcessError."""
    sys.stdout.write(f"\n$ {' '.join(words)}\n")
    sys.stdout.flush()
    subprocess.run(words, check=True, cwd=ROOT)  # noqa: S603


def main() -> int:
    """Returns the status of the first stack that failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("environment", help="dev, staging, prod, or another section of samconfig.toml")
    parser.add_argument("--data", default="", help="name of the data stack that the service uses, if another")
    parser.add_argument("--yes", action="store_true", help="execute change sets without asking")
    parser.add_argument("--ignore-alarms", action="store_true", help="deploy although an alarm is on")
    options = parser.parse_args()
    try:
        deploy(
            options.environment,
            Aws(),
            run_sam,
            agree=lambda question: agreed(question, yes=options.yes),
            data=options.data,
            confirmed=options.yes,
            ignore_alarms=options.ignore_alarms,
        )
    except UnknownEnvironmentError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except StoppedError:
        return 1
    except subprocess.CalledProcessError as error:
        return error.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
