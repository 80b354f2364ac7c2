"""Deploys the stacks of an environment in order: network, data, service, load balancer.

`python -m scripts.deploy dev` is what `make deploy CONFIG=dev` runs. `--data NAME` points the service at the stores of
another data stack, such as a restored one.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence

from scripts.aws import Aws
from scripts.configuration import ROOT, StackConfiguration, UnknownEnvironmentError, stacks
from scripts.rollback import aliases, move

SAM = str(ROOT / ".venv-sam" / "bin" / "sam")
POLICY = ROOT / "stacks" / "data-policy.json"
# Every other resource can be recreated after an accidental deletion.
PROTECTED = ("network", "data")

Run = Callable[[Sequence[str]], None]


def command(stack: StackConfiguration, environment: str, *, data: str = "", confirmed: bool = False) -> list[str]:
    """The `sam deploy` command of one stack."""
    words = [SAM, "deploy", "--config-env", stack.section]
    if confirmed:
        words.append("--no-confirm-changeset")
    if data and data != environment and stack.part in ("", "load-balancer"):
        overrides = stack.repointed(environment, data)
        words += ["--parameter-overrides", *(f"{name}={value}" for name, value in sorted(overrides.items()))]
    return words


def deploy(environment: str, aws: Aws, run: Run, *, data: str = "", confirmed: bool = False) -> None:
    """Deploys stacks one after another; those that hold or reach data are protected from deletion."""
    for stack in stacks(environment):
        if stack.part == "":
            set_back(stack, aws)
        run(command(stack, environment, data=data, confirmed=confirmed))
        if stack.part in PROTECTED:
            aws.cloudformation.update_termination_protection(StackName=stack.name, EnableTerminationProtection=True)
        if stack.part == "data":
            policy = POLICY.read_text(encoding="utf-8")
            aws.cloudformation.set_stack_policy(StackName=stack.name, StackPolicyBody=policy)


def set_back(stack: StackConfiguration, aws: Aws) -> None:
    """Resets aliases that were rolled back by hand to the version recorded in the stack; CodeDeploy refuses them
    otherwise.
    """
    for alias in aliases(stack.name, aws):
        if alias.current != alias.of_stack:
            move(alias, alias.of_stack, aws)


def _run(words: Sequence[str]) -> None:
    sys.stdout.write(f"\n$ {' '.join(words)}\n")
    sys.stdout.flush()
    subprocess.run(words, check=True, cwd=ROOT)  # noqa: S603


def main() -> int:
    """Returns the status of the first stack that failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("environment", help="dev, staging, prod, or another section of samconfig.toml")
    parser.add_argument("--data", default="", help="name of the data stack that the service uses, if another")
    parser.add_argument("--yes", action="store_true", help="execute change sets without asking")
    options = parser.parse_args()
    try:
        deploy(options.environment, Aws(), _run, data=options.data, confirmed=options.yes)
    except UnknownEnvironmentError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except subprocess.CalledProcessError as error:
        return error.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
