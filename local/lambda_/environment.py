"""Builds the environment of a function's process: the variables that Lambda sets, and no others."""

import datetime as dt
import os
import uuid
from collections.abc import Sequence
from pathlib import Path

from local.servers.aws import REGION
from local.template import FunctionSpec


def build(spec: FunctionSpec, *, runtime_api: str, python_path: Sequence[Path], provisioned: bool) -> dict[str, str]:
    """The whole environment of one instance. `runtime_api` is host:port; `python_path` stands for /opt/python."""
    today = dt.datetime.now(dt.UTC).strftime("%Y/%m/%d")
    overridable = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "en_US.UTF-8",
        "TZ": ":UTC",
        # Lambda's home directory, which does not exist: no ~/.aws is read.
        "HOME": "/home/sbx_user1051",
        "PYTHONPATH": os.pathsep.join(map(str, python_path)),
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_SESSION_TOKEN": "local",
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_XRAY_CONTEXT_MISSING": "LOG_ERROR",
        "AWS_XRAY_DAEMON_ADDRESS": "127.0.0.1:2000",
    }
    reserved = {
        "AWS_LAMBDA_RUNTIME_API": runtime_api,
        "AWS_LAMBDA_FUNCTION_NAME": spec.name,
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(spec.memory_mb),
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_INITIALIZATION_TYPE": "provisioned-concurrency" if provisioned else "on-demand",
        "AWS_LAMBDA_LOG_GROUP_NAME": f"/aws/lambda/{spec.name}",
        "AWS_LAMBDA_LOG_STREAM_NAME": f"{today}/[$LATEST]{uuid.uuid4().hex}",
        "AWS_LAMBDA_LOG_FORMAT": "JSON" if spec.json_logs else "Text",
        # The name of the deployed runtime, for any local Python version: awslambdaric's behaviour depends on it.
        "AWS_EXECUTION_ENV": f"AWS_Lambda_{spec.runtime}",
        "LAMBDA_TASK_ROOT": str(spec.folder),
        "LAMBDA_RUNTIME_DIR": "/var/runtime",
        "_HANDLER": spec.handler,
    }
    if spec.json_logs:
        reserved["AWS_LAMBDA_LOG_LEVEL"] = "INFO"
    return overridable | dict(spec.environment) | reserved
