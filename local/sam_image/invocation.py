"""Calls the real `sam local invoke`: one function, one event, in a container."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from local.sam_image.template import HOST, SamFiles

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Invoker:
    """Command line and environment of `sam local invoke`; without an `image` SAM pulls its own."""

    files: SamFiles
    engine_address: str
    image: str = ""

    def command(self, function: str, event: Path) -> list[str]:
        """The command line for the function with this logical id and a file with its event."""
        program = Path(os.environ.get("SAM_VENV", ROOT / ".venv-sam")) / "bin" / "sam"
        image = ["--skip-pull-image", "--invoke-image", self.image] if self.image else []
        return [
            *(str(program), "local", "invoke", function),
            *("--template", str(self.files.template), "--env-vars", str(self.files.variables), "--event", str(event)),
            *("--add-host", f"{HOST}:host-gateway"),
            *image,
        ]

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables that the command needs in addition to the caller's environment."""
        return {
            "DOCKER_HOST": self.engine_address,
            "SAM_CLI_TELEMETRY": "0",
            "AWS_DEFAULT_REGION": "us-east-1",
        }
