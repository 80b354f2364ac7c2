"""Phone numbers are found wherever they stand in a text."""

import pytest

from remembrancer.adapters.text.phone_numbers import find_phones


@pytest.mark.long
def test_digits_between_letters_do_not_hide_the_number_behind_them() -> None:
    text = "1a" * 66_000 + " call me at 650-253-0000"

    assert [text[start:end] for start, end in find_phones(text, "US")] == ["650-253-0000"]
