from remembrancer_client.circuit_breaker import FAILURES, PROBE_AFTER_S, PROBE_AT_MOST_EVERY_S, WINDOW_S, CircuitBreaker


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def opened() -> tuple[CircuitBreaker, Clock]:
    clock = Clock()
    breaker = CircuitBreaker(clock)
    for _ in range(FAILURES):
        breaker.failed()
    return breaker, clock


def test_five_failures_within_ten_seconds_open_it() -> None:
    breaker, _ = opened()

    assert breaker.is_open


def test_failures_that_are_far_apart_do_not() -> None:
    clock = Clock()
    breaker = CircuitBreaker(clock)

    for _ in range(3 * FAILURES):
        breaker.failed()
        clock.now += WINDOW_S / (FAILURES - 1) + 0.01

    assert not breaker.is_open


def test_a_success_between_failures_starts_the_count_anew() -> None:
    breaker = CircuitBreaker(Clock())

    for _ in range(3 * FAILURES):
        breaker.failed()
        breaker.failed()
        breaker.succeeded()

    assert not breaker.is_open


def test_one_probe_at_a_time_and_none_before_it_is_due() -> None:
    breaker, clock = opened()
    assert not breaker.take_probe()

    clock.now += PROBE_AFTER_S

    assert [breaker.take_probe() for _ in range(3)] == [True, False, False]


def test_a_probe_that_succeeds_closes_it() -> None:
    breaker, clock = opened()
    clock.now += PROBE_AFTER_S
    assert breaker.take_probe()

    breaker.probed(succeeded=True)

    assert not breaker.is_open
    assert not breaker.take_probe()


def test_probes_that_fail_come_at_longer_and_longer_intervals_up_to_a_bound() -> None:
    breaker, clock = opened()
    waits = []
    for _ in range(8):
        waited = 0.0
        while not breaker.take_probe():
            clock.now += 0.5
            waited += 0.5
        waits.append(waited)
        breaker.probed(succeeded=False)

    assert waits == sorted(waits)
    assert waits[0] == PROBE_AFTER_S
    assert waits[-1] == PROBE_AT_MOST_EVERY_S
    assert breaker.is_open


def test_it_stays_open_for_as_long_as_the_service_says() -> None:
    clock = Clock()
    breaker = CircuitBreaker(clock)
    breaker.open_for(30.0)

    clock.now += 29.0
    early = breaker.take_probe()
    clock.now += 1.0

    assert not early
    assert breaker.take_probe()
