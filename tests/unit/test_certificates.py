"""The authorities that the engine layer brings for the database's certificate."""

import importlib.util
import ssl
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import botocore.session
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "layers" / "engine" / "certificates" / "databases.pem"
AUTHORITIES: list[Any] = ssl.create_default_context(cafile=str(BUNDLE)).get_ca_certs()
YEAR_SECONDS = 365 * 86_400
# Every region of the commercial partition; those of China and the government have certificates of their own.
REGIONS = {
    *("af-south-1", "ap-east-1", "ap-east-2", "ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "ap-south-1"),
    *("ap-south-2", "ap-southeast-1", "ap-southeast-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5"),
    *("ap-southeast-6", "ap-southeast-7", "ca-central-1", "ca-west-1", "eu-central-1", "eu-central-2", "eu-north-1"),
    *("eu-south-1", "eu-south-2", "eu-west-1", "eu-west-2", "eu-west-3", "il-central-1", "me-central-1", "me-south-1"),
    *("mx-central-1", "sa-east-1", "us-east-1", "us-east-2", "us-west-1", "us-west-2"),
}


def common_name(certificate: Any) -> str:
    return str({name: value for ((name, value),) in certificate["subject"]}["commonName"])


def test_every_authority_is_amazons_and_valid_for_years() -> None:
    later = time.time() + 5 * YEAR_SECONDS

    assert len(AUTHORITIES) == BUNDLE.read_text(encoding="ascii").count("BEGIN CERTIFICATE")
    assert all(common_name(one).startswith(("Amazon R", "Starfield Services Root")) for one in AUTHORITIES)
    assert all(ssl.cert_time_to_seconds(one["notAfter"]) > later for one in AUTHORITIES)
    assert all(one["issuer"] == one["subject"] for one in AUTHORITIES)


def test_the_regions_are_those_where_rds_is_on_offer() -> None:
    """As far as botocore knows them: a newer one needs `make certificates`."""
    known = set(botocore.session.get_session().get_available_regions("rds", "aws"))

    assert known - REGIONS == set()
    assert len(known) > 30


@pytest.mark.parametrize("region", sorted(REGIONS))
def test_a_region_has_an_authority_of_each_kind(region: str) -> None:
    kinds = {common_name(one).removeprefix(f"Amazon RDS {region} Root CA ") for one in AUTHORITIES}

    assert {"RSA2048 G1", "RSA4096 G1", "ECC384 G1"} <= kinds


def test_rds_proxy_has_its_authority() -> None:
    assert {f"Amazon Root CA {number}" for number in range(1, 5)} <= {common_name(one) for one in AUTHORITIES}


def test_the_template_names_the_file_where_the_layer_puts_it() -> None:
    makefile = (BUNDLE.parents[1] / "Makefile").read_text(encoding="utf-8")
    template = (ROOT / "stacks" / "data.yaml").read_text(encoding="utf-8")

    assert f'cp certificates/{BUNDLE.name} "$(ARTIFACTS_DIR)/certificates/"' in makefile
    assert f"Value: !If [VerifyDatabase, /opt/certificates/{BUNDLE.name}, none]" in template


def builder() -> Any:
    """The script behind `make certificates`."""
    spec = importlib.util.spec_from_file_location("certificates", BUNDLE.with_name("build.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def signed(name: str, *, days: int, issuer: str = "") -> str:
    """A certificate in PEM; without an issuer it is a root."""
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer or name)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1000))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return made.public_bytes(serialization.Encoding.PEM).decode()


def test_of_amazons_bundle_the_roots_that_are_valid_are_kept() -> None:
    newer = signed("Amazon RDS mx-central-1 Root CA RSA2048 G1", days=9000)
    bundle = "\n".join(
        [
            "# a comment",
            newer,
            signed("Amazon RDS Root 2019 CA", days=-1),
            signed("Amazon RDS us-east-1 2019 CA", days=9000, issuer="Amazon RDS Root 2019 CA"),
        ]
    )

    assert builder().roots(bundle) == [newer]


def test_a_packed_bundle_is_taken_only_when_it_is_what_amazon_published() -> None:
    with pytest.raises(ValueError, match="not Amazon's"):
        builder().amazons(signed("Amazon RDS us-east-1 Root CA RSA2048 G1", days=9000).encode())
