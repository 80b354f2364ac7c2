from tests.builders import NOW

def test_x() -> None:
    assert NOW
