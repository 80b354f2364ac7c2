"""Builds Lambda's SQS event, and reads from a function's answer which messages failed."""

import base64
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from local.lambda_.invocation import InvokeResult
from local.servers.aws import REGION

if TYPE_CHECKING:
    from mypy_boto3_sqs.type_defs import MessageAttributeValueOutputTypeDef, MessageTypeDef


def build(messages: "Sequence[MessageTypeDef]", arn: str) -> bytes:
    """The event for a batch of received messages, as JSON."""
    records = [
        {
            "messageId": message["MessageId"],
            "receiptHandle": message["ReceiptHandle"],
            "body": message["Body"],
            "attributes": message.get("Attributes", {}),
            "messageAttributes": {
                name: _attribute(value) for name, value in message.get("MessageAttributes", {}).items()
            },
            "md5OfBody": message["MD5OfBody"],
            "eventSource": "aws:sqs",
            "eventSourceARN": arn,
            "awsRegion": REGION,
        }
        for message in messages
    ]
    return json.dumps({"Records": records}, ensure_ascii=False, separators=(",", ":")).encode()


def failed(result: InvokeResult, messages: "Sequence[MessageTypeDef]", *, report_failures: bool) -> frozenset[str]:
    """The ids of the messages to be delivered again.

    All ids after an error of the function. With `report_failures`, the ids in `batchItemFailures`: no answer, null and
    an empty list mean success; an invalid answer (an item without its id, an empty, null or unknown id) means that all
    messages failed.
    """
    every = frozenset(message["MessageId"] for message in messages)
    if result.error is not None:
        return every
    named = _named(result.payload) if report_failures else frozenset[str]()
    return every if named is None or not named <= every else named


def _named(payload: bytes) -> frozenset[str] | None:
    """The ids in `batchItemFailures`, or None when the answer is invalid."""
    try:
        answer = json.loads(payload)
    except ValueError:
        return None
    items = answer.get("batchItemFailures") if isinstance(answer, dict) else answer
    if items is None:
        return frozenset()
    if not isinstance(items, list) or not isinstance(answer, dict):
        return None
    names = [item.get("itemIdentifier") if isinstance(item, dict) else None for item in items]
    if not all(isinstance(name, str) for name in names):
        return None
    return frozenset(map(str, names))


def _attribute(value: "MessageAttributeValueOutputTypeDef") -> dict[str, Any]:
    attribute: dict[str, Any] = {"stringListValues": [], "binaryListValues": [], "dataType": value["DataType"]}
    if "StringValue" in value:
        attribute["stringValue"] = value["StringValue"]
    if "BinaryValue" in value:
        attribute["binaryValue"] = base64.b64encode(value["BinaryValue"]).decode()
    return attribute
