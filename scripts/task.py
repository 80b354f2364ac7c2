"""Runs an operator's task in a deployment, and prints its answer as JSON.

`python -m scripts.task remembrancer-prod create_organization organization=Trial`. A value that is JSON is passed as
such: `settings='{"redact_pii": ["email"]}'`. The status is 1 where the function failed; its message names the field.
`erase` asks before it begins; `--yes` does not ask.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from botocore.config import Config

from scripts.aws import Aws
from scripts.confirmation import agreed

ERASE = "erase"
OUTPUTS = {ERASE: "MaintainFunctionName", "find_erasures": "MaintainFunctionName"}
"""The output of the stack that names the function, where it is not the migrate function."""

PATIENT = Config(read_timeout=960, retries={"total_max_attempts": 1}, tcp_keepalive=True)
"""Waits longer than the functions run. A second attempt would run the task twice."""


class TaskError(Exception):
    """The task failed, or the stack has no such function."""


def run(stack: str, task: str, fields: Mapping[str, Any], aws: Aws) -> Any:
    """The task's answer. Raises TaskError."""
    output = OUTPUTS.get(task, "MigrateFunctionName")
    [found] = aws.cloudformation.describe_stacks(StackName=stack)["Stacks"]
    names = {one["OutputKey"]: one["OutputValue"] for one in found.get("Outputs", ())}
    if output not in names:
        raise TaskError(f"{stack} has no output {output}: give the name of the service's stack, as remembrancer-prod")
    payload = json.dumps({**fields, "task": task}).encode()
    response = aws.lambda_.invoke(FunctionName=names[output], Payload=payload)
    answer = json.loads(response["Payload"].read() or b"null")
    if "FunctionError" in response:
        raise TaskError(str(answer.get("errorMessage", answer)))
    return answer


def read_fields(words: Sequence[str]) -> dict[str, Any]:
    """NAME=VALUE pairs; a value that is no JSON is text. Raises TaskError."""
    fields = {}
    for word in words:
        name, is_pair, value = word.partition("=")
        if not is_pair:
            raise TaskError(f"{word!r} is not of the form NAME=VALUE")
        try:
            fields[name] = json.loads(value)
        except ValueError:
            fields[name] = value
    return fields


def main() -> int:
    """Prints the answer; 1 where the task failed, or the operator does not agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stack", help="name of the service's stack, as remembrancer-prod")
    parser.add_argument("task", help="as create_organization, configure_organization, restored, erase")
    parser.add_argument("fields", nargs="*", metavar="NAME=VALUE", help="of the task")
    parser.add_argument("--yes", action="store_true", help="erase without asking")
    options = parser.parse_args()
    try:
        fields = read_fields(options.fields)
        if options.task == ERASE:
            subject = ", ".join(f"{name}={value}" for name, value in fields.items())
            if not agreed(f"Erase everything of {subject} in {options.stack}? It cannot be undone.", yes=options.yes):
                return 1
        answer = run(options.stack, options.task, fields, Aws(config=PATIENT))
    except TaskError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{json.dumps(answer, indent=2)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
