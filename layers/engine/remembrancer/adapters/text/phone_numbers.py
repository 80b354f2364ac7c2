"""Phone numbers in texts, by Google's catalogue of numbering plans."""

from collections.abc import Sequence

FEWEST_DIGITS = 7
"""With fewer there is no number to be found; most texts have fewer."""


class CataloguedPhoneNumbers:
    """Serves the PhoneNumbers port. The catalogue is loaded when the first text needs it."""

    def spans(self, text: str, region: str) -> Sequence[tuple[int, int]]:
        """Valid and written as people of the region group them; no dates, no parts of longer numbers."""
        if sum(map(str.isdigit, text)) < FEWEST_DIGITS:
            return []
        from phonenumbers import Leniency
        from phonenumbers.phonenumbermatcher import PhoneNumberMatcher

        matches = PhoneNumberMatcher(text, region, leniency=Leniency.EXACT_GROUPING)
        return [(match.start, match.end) for match in matches]
