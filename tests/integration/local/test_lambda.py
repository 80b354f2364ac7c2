"""The local Lambda with real function processes: one event at a time, time-outs, crashes, extensions, shutdown."""

import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from local import log_files
from local.lambda_.instance import Sandbox
from local.lambda_.invocation import InitError, InvokeResult, PayloadTooLargeError
from local.lambda_.pool import FunctionPool
from local.template import FunctionSpec

ROOT = Path(__file__).parents[3]
FUNCTIONS = ROOT / "tests" / "functions_for_tests"

Pools = Callable[..., AbstractAsyncContextManager[FunctionPool]]


@pytest.fixture
def pools(tmp_path: Path) -> Pools:
    @asynccontextmanager
    async def open_pool(
        folder: str = "actions",
        *,
        timeout_s: int = 20,
        environment: Mapping[str, str] | None = None,
        json_logs: bool = False,
        sandbox: Sandbox | None = None,
        minimum: int = 0,
        maximum: int = 4,
        echo: Callable[[str], None] | None = None,
    ) -> AsyncIterator[FunctionPool]:
        spec = FunctionSpec(
            name=f"{folder.capitalize()}Function",
            folder=FUNCTIONS / folder,
            handler="app.handler",
            timeout_s=timeout_s,
            environment=environment or {},
            json_logs=json_logs,
        )
        pool = FunctionPool(
            spec, sandbox or Sandbox(), log_folder=tmp_path / "logs", minimum=minimum, maximum=maximum, echo=echo
        )
        try:
            yield pool
        finally:
            await pool.stop()

    return open_pool


async def invoke(pool: FunctionPool, **event: Any) -> InvokeResult:
    return await pool.invoke(json.dumps(event).encode())


async def eventually(condition: Callable[[], bool], *, within_s: float = 10.0) -> None:
    """Wait for something that must come; the limit only ends a failing test."""
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.01)


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def is_alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


async def test_an_event_goes_in_and_the_handlers_answer_comes_out(pools: Pools) -> None:
    async with pools() as pool:
        result = await invoke(pool, action="answer", answer={"text": "grüße", "list": [1, None]})

        assert json.loads(result.payload) == {"text": "grüße", "list": [1, None]}
        assert result.error is None
        assert result.init_ms is not None
        assert result.duration_ms > 0


async def test_an_instance_is_used_again_and_only_its_first_event_reports_the_start(pools: Pools) -> None:
    async with pools() as pool:
        first = await invoke(pool, action="echo")
        await eventually(lambda: pool.idle == 1)
        second = await invoke(pool, action="echo")

        assert json.loads(first.payload)["pid"] == json.loads(second.payload)["pid"]
        assert second.init_ms is None
        assert first.request_id != second.request_id


async def test_the_context_has_lambdas_values(pools: Pools) -> None:
    trace_id = "Root=1-6b0221de-616996f6af8546bb9cd2f50b;Parent=53995c3f42cd8ad8;Sampled=0"
    async with pools(timeout_s=20) as pool:
        result = await pool.invoke(b'{"action": "context"}', trace_id=trace_id)

        context = json.loads(result.payload)
        assert context["request_id"] == result.request_id
        assert context["arn"] == "arn:aws:lambda:us-east-1:123456789012:function:ActionsFunction"
        assert context["memory_mb"] == "128"
        assert context["environment"]["_X_AMZN_TRACE_ID"] == trace_id
        assert 0 < context["remaining_ms"] <= 20_000


async def test_the_environment_holds_what_lambda_sets_and_the_functions_own(
    pools: Pools, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SECRET_OF_THIS_PROCESS", "x")
    sandbox = Sandbox(python_path=(tmp_path,))
    async with pools(environment={"STAGE": "dev", "AWS_ENDPOINT_URL": "http://aws"}, sandbox=sandbox) as pool:
        result = await invoke(pool, action="context")

        environment = json.loads(result.payload)["environment"]
        own = {name for name in environment if not name.startswith(("AWS_", "_X_AMZN_", "LAMBDA_"))}
        own.discard("LC_CTYPE")  # Python adds it itself where LANG's locale is not installed
        assert own == {"PATH", "LANG", "TZ", "HOME", "PYTHONPATH", "STAGE", "_HANDLER"}
        assert environment["AWS_ENDPOINT_URL"] == "http://aws"
        assert environment["AWS_LAMBDA_FUNCTION_NAME"] == "ActionsFunction"
        assert environment["AWS_LAMBDA_FUNCTION_VERSION"] == "$LATEST"
        assert environment["AWS_LAMBDA_INITIALIZATION_TYPE"] == "on-demand"
        assert environment["AWS_EXECUTION_ENV"] == "AWS_Lambda_python3.13"
        assert environment["LAMBDA_TASK_ROOT"] == str(FUNCTIONS / "actions")
        assert environment["PYTHONPATH"] == str(tmp_path)
        assert environment["TZ"] == ":UTC"


async def test_each_instance_handles_one_event_at_a_time_and_more_events_make_more_instances(
    pools: Pools, tmp_path: Path
) -> None:
    journal, gate = tmp_path / "journal", tmp_path / "gate"
    event = {"action": "wait_for", "journal": str(journal), "path": str(gate)}
    async with pools(maximum=2) as pool:
        calls = [asyncio.create_task(invoke(pool, **event)) for _ in range(5)]
        await eventually(lambda: len(lines(journal)) == 2)
        gate.touch()
        results = await asyncio.gather(*calls)

        used = [json.loads(result.payload)["pid"] for result in results]
        assert len(set(lines(journal)[:2])) == 2
        assert len(used) == 5
        assert set(used) == pool.process_ids
        assert pool.size == 2


async def test_waiting_callers_are_served_in_their_order(pools: Pools, tmp_path: Path) -> None:
    journal, gate = tmp_path / "journal", tmp_path / "gate"
    finished: list[int] = []

    async def call(pool: FunctionPool, number: int) -> None:
        await invoke(pool, action="answer", answer=number)
        finished.append(number)

    async with pools(maximum=1) as pool:
        first = asyncio.create_task(invoke(pool, action="wait_for", journal=str(journal), path=str(gate)))
        await eventually(lambda: len(lines(journal)) == 1)
        calls = [asyncio.create_task(call(pool, number)) for number in range(5)]
        await asyncio.sleep(0)
        gate.touch()
        await asyncio.gather(first, *calls)

        assert finished == [0, 1, 2, 3, 4]


async def test_a_caller_who_gives_up_does_not_keep_the_instance(pools: Pools, tmp_path: Path) -> None:
    journal, gate = tmp_path / "journal", tmp_path / "gate"
    async with pools(maximum=1) as pool:
        running = asyncio.create_task(invoke(pool, action="wait_for", journal=str(journal), path=str(gate)))
        await eventually(lambda: len(lines(journal)) == 1)
        waiting = asyncio.create_task(invoke(pool, action="echo"))
        await asyncio.sleep(0)
        for task in (running, waiting):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        gate.touch()

        result = await invoke(pool, action="answer", answer="next")

        assert json.loads(result.payload) == "next"
        assert pool.size == 1


async def test_a_function_that_takes_too_long_is_killed_and_replaced(pools: Pools) -> None:
    async with pools(timeout_s=1) as pool:
        result = await invoke(pool, action="sleep", seconds=600)
        after = await invoke(pool, action="answer", answer="alive")

        message = f"RequestId: {result.request_id} Error: Task timed out after 1.00 seconds"
        assert json.loads(result.payload) == {"errorType": "Sandbox.Timedout", "errorMessage": message}
        assert result.error is not None
        assert result.error.error_type == "Sandbox.Timedout"
        assert json.loads(after.payload) == "alive"
        assert after.init_ms is not None


async def test_an_exception_is_the_runtimes_error_document_and_the_instance_goes_on(pools: Pools) -> None:
    async with pools() as pool:
        result = await invoke(pool, action="fail", message="no such memory")
        await eventually(lambda: pool.idle == 1)
        after = await invoke(pool, action="echo")

        document = json.loads(result.payload)
        assert document["errorType"] == "ValueError"
        assert document["errorMessage"] == "no such memory"
        assert document["requestId"] == result.request_id
        assert any("actions/app.py" in line for line in document["stackTrace"])
        assert result.error is not None
        assert result.error.error_type == "ValueError"
        assert after.init_ms is None


@pytest.mark.parametrize(
    ("status", "reason"),
    [(7, "Runtime exited with error: exit status 7"), (0, "Runtime exited without providing a reason")],
)
async def test_a_process_that_ends_is_an_exit_error_and_is_replaced(pools: Pools, status: int, reason: str) -> None:
    async with pools() as pool:
        result = await invoke(pool, action="exit", status=status)
        after = await invoke(pool, action="answer", answer="alive")

        assert json.loads(result.payload) == {
            "errorType": "Runtime.ExitError",
            "errorMessage": f"RequestId: {result.request_id} Error: {reason}",
        }
        assert json.loads(after.payload) == "alive"


async def test_an_idle_instance_that_dies_is_not_used_and_the_minimum_is_kept(pools: Pools) -> None:
    async with pools(minimum=1) as pool:
        await pool.prewarm(1)
        [process_id] = pool.process_ids
        os.kill(process_id, signal.SIGKILL)
        await eventually(lambda: pool.idle == 1 and pool.process_ids != {process_id})

        result = await invoke(pool, action="echo")

        assert result.error is None
        assert json.loads(result.payload)["pid"] != process_id


async def test_prewarmed_instances_report_no_start(pools: Pools) -> None:
    async with pools(maximum=3) as pool:
        await pool.prewarm(2)

        result = await invoke(pool, action="echo")

        assert pool.size == 2
        assert result.init_ms is None


@pytest.mark.skipif(sys.platform != "linux", reason="reads the state of a process from /proc")
async def test_a_frozen_instance_stands_still_between_events_and_can_be_stopped(pools: Pools, tmp_path: Path) -> None:
    def state() -> str:
        [process_id] = pool.process_ids
        return Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]

    farewell = tmp_path / "farewell"
    event = {"name": "x", "journal": str(tmp_path / "journal")}
    sandbox = Sandbox(freeze=True)
    async with pools("extended", sandbox=sandbox, maximum=1, environment={"FAREWELL": str(farewell)}) as pool:
        await pool.prewarm(1)
        await eventually(lambda: state() == "T")
        for _ in range(2):
            assert (await invoke(pool, **event)).error is None
        await eventually(lambda: state() == "T")

    assert lines(tmp_path / "journal")[-1] == "after x"
    assert farewell.read_text() == "farewell"


@pytest.mark.parametrize(
    ("fault", "error_type", "message"),
    [
        ("import", "Runtime.ImportModuleError", "Unable to import module 'app': No module named 'no_such_module'"),
        ("raise", "LookupError", "nothing there"),
        ("exit", "Runtime.ExitError", "Error: Runtime exited with error: exit status 3"),
        ("hang", "Sandbox.Timedout", "Error: Task timed out after 1.00 seconds"),
    ],
)
async def test_a_function_that_does_not_start_fails_every_call(
    pools: Pools, fault: str, error_type: str, message: str
) -> None:
    sandbox = Sandbox(init_limit_s=1.0 if fault == "hang" else 10.0)
    async with pools("broken", environment={"FAULT": fault}, sandbox=sandbox, maximum=2) as pool:
        results = await asyncio.gather(*(invoke(pool) for _ in range(3)))

        assert [result.error and result.error.error_type for result in results] == [error_type] * 3
        assert [json.loads(result.payload)["errorMessage"] for result in results] == [message] * 3
        assert pool.size == 0


@pytest.mark.parametrize("freed", ["gate", "obstacle"])
async def test_a_start_that_is_too_slow_fails_no_caller_while_another_instance_runs(
    pools: Pools, tmp_path: Path, freed: str
) -> None:
    gate, obstacle, entered = (tmp_path / name for name in ("gate", "obstacle", "entered"))
    event = {"gate": str(gate), "entered": str(entered)}
    environment = {"FAULT": "hang while", "OBSTACLE": str(obstacle)}
    log = tmp_path / "logs" / "BrokenFunction.log"
    async with pools("broken", environment=environment, sandbox=Sandbox(init_limit_s=1.0), maximum=2) as pool:
        await pool.prewarm(1)
        first = asyncio.create_task(invoke(pool, **event))
        await eventually(entered.exists)
        obstacle.touch()
        second = asyncio.create_task(invoke(pool, **event))
        await eventually(lambda: "did not start" in log.read_text())
        # Either the instance that runs comes free, or another start succeeds.
        (tmp_path / freed).touch() if freed == "gate" else obstacle.unlink()
        if freed == "obstacle":
            await eventually(lambda: pool.size == 2 and not first.done())
        gate.touch()
        results = await asyncio.gather(first, second)

    assert [result.error for result in results] == [None, None]


async def test_prewarming_a_function_that_does_not_start_shows_the_end_of_its_log(pools: Pools) -> None:
    async with pools("broken", environment={"FAULT": "raise"}) as pool:
        with pytest.raises(InitError, match=r"BrokenFunction did not start: nothing there\n(.*\n)*.*LookupError"):
            await pool.prewarm(1)


async def test_the_answer_comes_before_the_work_after_it_and_the_next_event_waits_for_that_work(
    pools: Pools, tmp_path: Path
) -> None:
    journal, gate = tmp_path / "journal", tmp_path / "gate"
    async with pools("extended", maximum=1) as pool:
        first = await invoke(pool, name="first", journal=str(journal), gate=str(gate))
        await eventually(lambda: len(lines(journal)) == 2)
        second = asyncio.create_task(invoke(pool, name="second", journal=str(journal)))
        await asyncio.sleep(0)
        before_the_gate = (lines(journal), pool.idle)
        gate.touch()
        second_id = (await second).request_id
        await eventually(lambda: len(lines(journal)) == 6)

        assert before_the_gate == (["handled first", f"extension {first.request_id}"], 0)
        assert lines(journal) == [
            "handled first",
            f"extension {first.request_id}",
            "after first",
            "handled second",
            f"extension {second_id}",
            "after second",
        ]


async def test_work_after_the_answer_that_outlasts_the_timeout_ends_the_instance(pools: Pools, tmp_path: Path) -> None:
    event = {"name": "first", "journal": str(tmp_path / "journal"), "gate": str(tmp_path / "never")}
    async with pools("extended", maximum=1, timeout_s=1) as pool:
        result = await invoke(pool, **event)
        [process_id] = pool.process_ids
        await eventually(lambda: pool.size == 0)

        assert result.error is None
        assert not is_alive(process_id)


async def test_extensions_register_as_lambda_lets_them(pools: Pools, tmp_path: Path) -> None:
    async with pools("extended") as pool:
        result = await invoke(pool, name="only", journal=str(tmp_path / "journal"))

        answer = json.loads(result.payload)
        document = {"functionName": "ExtendedFunction", "functionVersion": "$LATEST", "handler": "app.handler"}
        assert answer["registered"] == [200, document]
        assert answer["refused"] == [
            [403, "Extension.InvalidExtensionName"],
            [403, "Extension.InvalidEventType"],
            [403, "Extension.InvalidEventType"],
            [403, "Extension.InvalidExtensionState"],
        ]
        assert answer["late"] == "Extension.RegistrationClosed"


async def test_a_runtime_with_an_extension_gets_sigterm_and_time_to_end(pools: Pools, tmp_path: Path) -> None:
    farewell = tmp_path / "farewell"
    async with pools("extended", environment={"FAREWELL": str(farewell)}) as pool:
        await pool.prewarm(1)

    assert farewell.read_text() == "farewell"


@pytest.mark.parametrize(("ending", "written"), [("nothing", []), ("soon", ["done"]), ("never", ["given up"])])
async def test_an_instance_that_ends_does_what_is_left_as_far_as_its_time_goes(
    pools: Pools, tmp_path: Path, ending: str, written: list[str]
) -> None:
    journal = tmp_path / "journal"
    async with pools("ending", environment={"ENDING": ending, "JOURNAL": str(journal)}) as pool:
        await pool.prewarm(1)
        started = time.monotonic()
    seconds = time.monotonic() - started

    assert lines(journal) == written
    # Lambda itself would kill it after 0.3 s; here that comes after one.
    assert seconds < 1.0


async def test_an_external_extension_gets_invoke_and_shutdown_events(pools: Pools, tmp_path: Path) -> None:
    journal, program = tmp_path / "journal", tmp_path / "observer"
    program.write_text(EXTERNAL_EXTENSION.format(python=sys.executable))
    program.chmod(0o755)
    async with pools(sandbox=Sandbox(extensions=(program,)), environment={"JOURNAL": str(journal)}) as pool:
        result = await invoke(pool, action="echo")
        await eventually(lambda: pool.idle == 1)

    assert lines(journal) == [f"INVOKE {result.request_id}", "SHUTDOWN spindown"]


EXTERNAL_EXTENSION = """#!{python}
import http.client, json, os

def call(method, path, headers, body=None):
    connection = http.client.HTTPConnection(os.environ["AWS_LAMBDA_RUNTIME_API"])
    connection.request(method, "/2020-01-01/extension/" + path, body, headers)
    response = connection.getresponse()
    return response.getheader("Lambda-Extension-Identifier"), json.loads(response.read())

name = {{"Lambda-Extension-Name": os.path.basename(__file__)}}
identifier, _ = call("POST", "register", name, json.dumps({{"events": ["INVOKE", "SHUTDOWN"]}}))
while True:
    _, event = call("GET", "event/next", {{"Lambda-Extension-Identifier": identifier}})
    with open(os.environ["JOURNAL"], "a") as journal:
        journal.write(event["eventType"] + " " + (event.get("requestId") or event["shutdownReason"]) + "\\n")
    if event["eventType"] == "SHUTDOWN":
        break
"""


async def test_stopping_ends_every_process_and_fails_those_who_wait(pools: Pools, tmp_path: Path) -> None:
    journal, gate = tmp_path / "journal", tmp_path / "gate"
    async with pools(maximum=1) as pool:
        running = asyncio.create_task(invoke(pool, action="wait_for", journal=str(journal), path=str(gate)))
        await eventually(lambda: len(lines(journal)) == 1)
        waiting = asyncio.create_task(invoke(pool, action="echo"))
        await asyncio.sleep(0)
        process_ids = pool.process_ids
        await pool.stop()
        results = await asyncio.gather(running, waiting)
        late = await invoke(pool, action="echo")

        errors = [result.error and result.error.error_type for result in (*results, late)]
        assert errors == ["Runtime.ExitError", "Sandbox.Stopped", "Sandbox.Stopped"]
        assert not any(map(is_alive, process_ids))


async def test_nothing_is_left_when_the_parent_is_killed(tmp_path: Path) -> None:
    program = """
import asyncio, json, sys
from pathlib import Path
from local.lambda_.instance import Sandbox
from local.lambda_.pool import FunctionPool
from local.template import FunctionSpec

async def main(folder, logs, event):
    pool = FunctionPool(FunctionSpec("F", Path(folder), "app.handler"), Sandbox(), log_folder=Path(logs))
    await pool.prewarm(2)
    print(*pool.process_ids, flush=True)
    await pool.invoke(event.encode())

asyncio.run(main(*sys.argv[1:]))
"""
    journal = tmp_path / "journal"
    event = json.dumps({"action": "wait_for", "journal": str(journal), "path": str(tmp_path / "never")})
    parent = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program, str(FUNCTIONS / "actions"), str(tmp_path), event),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
    )
    assert parent.stdout is not None
    children = [int(word) for word in (await parent.stdout.readline()).split()]
    await eventually(lambda: len(lines(journal)) == 1)

    parent.kill()
    await parent.wait()

    assert len(children) == 2
    await eventually(lambda: not any(map(is_alive, children)))


async def test_events_and_answers_have_lambdas_size_limits(pools: Pools) -> None:
    async with pools() as pool:
        result = await invoke(pool, action="large", bytes=6_300_000)
        largest = await invoke(pool, action="large", bytes=6_200_000)

        assert result.error is not None
        assert result.error.error_type == "Function.ResponseSizeTooLarge"
        assert len(largest.payload) == 6_200_002
        with pytest.raises(PayloadTooLargeError):
            await pool.invoke(b" " * 6_300_000)


async def test_what_a_function_prints_is_in_its_log_and_echoed(pools: Pools, tmp_path: Path) -> None:
    echoed: list[str] = []
    async with pools(echo=echoed.append) as pool:
        await invoke(pool, action="print", text="hello from inside")
        await invoke(pool, action="print", text="x" * 200_000)

    log = (tmp_path / "logs" / "ActionsFunction.log").read_text()
    assert "hello from inside" in echoed
    assert "hello from inside\n" in log
    assert "x" * 200_000 in log


async def test_a_log_that_is_emptied_goes_on_at_its_beginning(pools: Pools, tmp_path: Path) -> None:
    path = tmp_path / "logs" / "ActionsFunction.log"
    async with pools(maximum=1) as pool:
        await invoke(pool, action="print", text="x" * 2_000)
        log_files.bound(path, 1_000)
        await invoke(pool, action="print", text="afterwards")
        await eventually(lambda: "afterwards" in path.read_text())

    assert path.read_text().startswith("afterwards\n")
    assert "x" * 2_000 in log_files.previous(path).read_text()
