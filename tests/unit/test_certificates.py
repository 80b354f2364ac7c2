"""The authorities that the engine layer brings for the database's certificate."""

import ssl
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "layers" / "engine" / "certificates" / "databases.pem"
AUTHORITIES: list[Any] = ssl.create_default_context(cafile=str(BUNDLE)).get_ca_certs()
YEAR_SECONDS = 365 * 86_400


def common_name(certificate: Any) -> str:
    return str({name: value for ((name, value),) in certificate["subject"]}["commonName"])


def test_every_authority_is_amazons_and_valid_for_years() -> None:
    later = time.time() + 5 * YEAR_SECONDS

    assert len(AUTHORITIES) == BUNDLE.read_text(encoding="ascii").count("BEGIN CERTIFICATE")
    assert all(common_name(one).startswith(("Amazon R", "Starfield Services Root")) for one in AUTHORITIES)
    assert all(ssl.cert_time_to_seconds(one["notAfter"]) > later for one in AUTHORITIES)
    assert all(one["issuer"] == one["subject"] for one in AUTHORITIES)


@pytest.mark.parametrize("region", ["us-east-1", "us-west-2", "eu-west-1", "eu-central-1", "ap-southeast-2"])
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
