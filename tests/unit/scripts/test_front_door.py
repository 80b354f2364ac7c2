"""What a front door adds is the caller's time less what the function says of itself."""

import httpx
import pytest

from scripts import front_door


def answering(total_ms: float, status: int = 200) -> httpx.Client:
    answer = {"metadata": {"timings_ms": {"total": total_ms}}}
    transport = httpx.MockTransport(lambda _: httpx.Response(status, json=answer))
    return httpx.Client(transport=transport, base_url="http://service")


def test_the_first_assembly_is_left_out_and_each_other_has_both_times() -> None:
    times = list(front_door.ask(answering(12.5), "agent", 3))

    assert [function for _, function in times] == [12.5] * 3
    assert all(caller > 0 for caller, _ in times)


def test_a_refused_request_is_an_error() -> None:
    with pytest.raises(httpx.HTTPStatusError):
        list(front_door.ask(answering(1.0, status=401), "agent", 1))


def test_a_line_has_median_and_percentile() -> None:
    assert front_door.summary("caller", [1.0, 2.0, 3.0]).split() == ["caller", "p50", "2.0", "ms", "p99", "3.0", "ms"]
