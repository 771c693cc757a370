"""A release: hashes and a bill of materials of an invented wheel and invented packages."""

import hashlib
import json
import re
import zipfile
from importlib.metadata import metadata, requires
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SPEC = spec_from_file_location("release", ROOT / "tools" / "release.py")
assert SPEC
assert SPEC.loader
release: Any = module_from_spec(SPEC)
SPEC.loader.exec_module(release)


def test_neighbours_are_installed() -> None:
    """What runs the tests has all packages whose tests would be left out without them."""
    asked = [line for line in requires("relsent-ir") or () if 'extra == "dev"' in line]
    names = {re.split(r"[^\w.]", line)[0].replace("_", "-") for line in asked}
    assert {"ir-measures", "pandas", "pyterrier", "ranx"} <= names


HASHES = [hashlib.sha256(name).hexdigest() for name in (b"a", b"b")]
REPORT = [
    {
        "metadata": {"name": "Zeta_pack", "version": "2.0", "license": "MIT\n\nmuch text"},
        "download_info": {"archive_info": {"hashes": {"sha256": HASHES[0]}}},
    },
    {
        "metadata": {"name": "alpha", "version": "1", "license_expression": "BSD-3-Clause"},
        "download_info": {"archive_info": {"hashes": {"sha256": HASHES[1]}}},
    },
]
WHEEL = "Metadata-Version: 2.4\nName: relsent-ir\nVersion: 0.1\nLicense-Expression: Apache-2.0\n"


def wheel(folder: Path, told: str, *licences: str) -> Path:
    """Make a wheel with these metadata and files of licences."""
    path = folder / "relsent_ir-0.1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("relsent_ir-0.1.dist-info/METADATA", told)
        for name in licences:
            packed.writestr(f"relsent_ir-0.1.dist-info/licenses/{name}", "…")
    return path


def test_requirements() -> None:
    """Each package with the hash of its file, in the order of the names."""
    expected = f"alpha==1 \\\n    --hash=sha256:{HASHES[1]}\n"
    expected += f"zeta-pack==2.0 \\\n    --hash=sha256:{HASHES[0]}\n"
    assert release.requirements(REPORT) == expected


def test_bill(tmp_path: Path) -> None:
    """The wheel, what it needs, with hashes and licences; the same input is the same bill."""
    made = wheel(tmp_path, WHEEL + "License-File: LICENSE\n", "LICENSE")
    bill = release.bill(made, REPORT)
    assert json.dumps(release.bill(made, REPORT)) == json.dumps(bill)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", bill["serialNumber"])
    whole = bill["metadata"]["component"]
    assert (whole["purl"], whole["licenses"]) == (
        "pkg:pypi/relsent-ir@0.1",
        [{"expression": "Apache-2.0"}],
    )
    alpha, zeta = bill["components"]
    assert alpha["licenses"] == [{"expression": "BSD-3-Clause"}]
    assert zeta["licenses"] == [{"license": {"name": "MIT"}}]
    assert zeta["hashes"] == [{"alg": "SHA-256", "content": HASHES[0]}]
    assert bill["dependencies"] == [
        {"ref": whole["bom-ref"], "dependsOn": ["pkg:pypi/alpha@1", "pkg:pypi/zeta-pack@2.0"]}
    ]


@pytest.mark.parametrize(
    ("told", "files"),
    [
        (WHEEL, []),
        (WHEEL + "License-File: LICENSE\nLicense-File: a/LICENSE\n", ["LICENSE"]),
        (WHEEL.replace("License-Expression: Apache-2.0\n", "License-File: LICENSE\n"), ["LICENSE"]),
    ],
)
def test_licences_are_in_the_wheel(told: str, files: list[str], tmp_path: Path) -> None:
    """No release without them."""
    with pytest.raises(SystemExit, match="lacks the licences"):
        release.metadata(wheel(tmp_path, told, *files))


def test_licence_of_what_ships() -> None:
    """The installed metadata name the weights' licence, which lies beside them."""
    told = metadata("relsent-ir")
    assert told["License-Expression"] == (
        "Apache-2.0 AND LicenseRef-BioNLP-ST-2011 AND CC-BY-NC-4.0"
    )
    listed = told.get_all("License-File") or []
    for weights in ("default", "paper"):
        place = f"relsent_ir/relations/{weights}/LICENSE"
        assert place in listed
        assert (ROOT / place).is_file()
