"""Writes fitted weights of words into the engine's files (`domain/capture/listed_weights.py`)."""

import re
import textwrap
from collections.abc import Mapping
from pathlib import Path


def write(path: Path, bias: float, weights: Mapping[str, float]) -> None:
    """Replaces BIAS and the listed weights of a file; weights of 0 are left out."""
    listed = "; ".join(f"{weight} {name}" for name, weight in sorted(weights.items()) if weight)
    lines = "\n".join(
        textwrap.wrap(listed, 116, break_on_hyphens=False, initial_indent="    ", subsequent_indent="    ")
    )
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^BIAS = .*$", f"BIAS = {bias}", text, flags=re.MULTILINE)
    text = re.sub(r'(?s)(_LISTED = """).*?"""', lambda match: f'{match[1]}\n{lines}\n"""', text)
    path.write_text(text, encoding="utf-8")
