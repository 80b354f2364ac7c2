"""Changes the cache's password without any interval in which functions have a wrong one.

`python -m scripts.rotate_cache_password STACK`, with the name of the data stack. ElastiCache first accepts both
passwords (ROTATE), then the new one is written to the secret, and functions that are refused read it again; after
`--wait` seconds the old password is removed (SET).
"""

import argparse
import json
import sys
import time
from collections.abc import Callable

from scripts.aws import Aws

LENGTH = 64


class NoPasswordError(Exception):
    """The stack has no replication group of its own, hence no password to change."""


def rotate(stack: str, aws: Aws, *, wait_seconds: float, sleep: Callable[[float], None] = time.sleep) -> None:
    """Rotates the password. Raises NoPasswordError."""
    group = _physical(stack, "Cache", aws)
    secret = _physical(stack, "CacheSecret", aws)
    password = aws.secretsmanager.get_random_password(PasswordLength=LENGTH, ExcludePunctuation=True)["RandomPassword"]
    _change(group, password, "ROTATE", aws)
    aws.secretsmanager.put_secret_value(SecretId=secret, SecretString=json.dumps({"password": password}))
    sleep(wait_seconds)
    _change(group, password, "SET", aws)


def _physical(stack: str, logical_id: str, aws: Aws) -> str:
    for page in aws.cloudformation.get_paginator("list_stack_resources").paginate(StackName=stack):
        for one in page["StackResourceSummaries"]:
            if one["LogicalResourceId"] == logical_id:
                return str(one["PhysicalResourceId"])
    raise NoPasswordError(
        f"{stack} has no {logical_id}: an existing or a serverless cache changes its password elsewhere"
    )


def _change(group: str, password: str, strategy: str, aws: Aws) -> None:
    aws.elasticache.modify_replication_group(
        ReplicationGroupId=group, AuthToken=password, AuthTokenUpdateStrategy=strategy, ApplyImmediately=True
    )
    aws.elasticache.get_waiter("replication_group_available").wait(ReplicationGroupId=group)
    sys.stdout.write(f"{group}: {strategy}\n")


def main() -> int:
    """Takes some ten minutes, most of them ElastiCache's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stack", help="name of the data stack, as remembrancer-prod-data")
    parser.add_argument("--wait", type=float, default=60.0, help="seconds in which both passwords work")
    options = parser.parse_args()
    try:
        rotate(options.stack, Aws(), wait_seconds=options.wait)
    except NoPasswordError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
