"""The sample's credential, kept in `.local/dev.env` for curl and clients."""

from dataclasses import dataclass
from pathlib import Path

from remembrancer.adapters.postgres.identity.directory import FirstKey, create_organization
from remembrancer.keys import fingerprint, new_api_key

PROJECT = "proj_sample"
ENVIRONMENT = "development"
SCOPES = ("assemble", "query", "write", "admin", "all_users")


@dataclass(frozen=True, slots=True)
class DevEnv:
    """The address of the local service, and the sample's credential for it."""

    url: str
    api_key: str
    org_id: str
    agent_id: str = ""

    def write(self, path: Path) -> None:
        """Readable by the owner only: it holds a key."""
        lines = (
            f"REMEMBRANCER_URL={self.url}",
            f"REMEMBRANCER_API_KEY={self.api_key}",
            f"REMEMBRANCER_ORG_ID={self.org_id}",
            f"REMEMBRANCER_AGENT_ID={self.agent_id}",
        )
        path.touch(mode=0o600)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read(path: Path) -> dict[str, str]:
    """NAME=value lines; empty when there is no file."""
    if not path.exists():
        return {}
    return dict(line.split("=", 1) for line in path.read_text(encoding="utf-8").splitlines() if "=" in line)


async def ensure(path: Path, url: str, *, owner_database_url: str, organization: str) -> DevEnv:
    """The credential of the file, or a new organization with a new key when there is none yet."""
    known = read(path)
    if known.get("REMEMBRANCER_API_KEY") and known.get("REMEMBRANCER_ORG_ID"):
        return DevEnv(
            url,
            known["REMEMBRANCER_API_KEY"],
            known["REMEMBRANCER_ORG_ID"],
            known.get("REMEMBRANCER_AGENT_ID", ""),
        )
    api_key = new_api_key()
    key = FirstKey("sample", fingerprint(api_key), SCOPES)
    principal = await create_organization(
        owner_database_url, name=organization, project_id=PROJECT, environment=ENVIRONMENT, key=key
    )
    created = DevEnv(url, api_key, str(principal.org_id))
    created.write(path)
    return created
