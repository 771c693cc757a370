"""The files of a release: the wheel, hashes of its dependencies, and a bill of materials.

``python tools/release.py`` (``make release``) writes into dist/

- the wheel, whose metadata name the licences of all that ships in it;
- ``requirements.txt``: each package that `pip` chooses under constraints.txt, for this platform and
  Python, with its SHA-256, so that ``pip install --require-hashes -r requirements.txt`` takes these
  bytes or none; then ``pip install --no-deps`` the wheel;
- ``sbom.json``: the same as CycloneDX 1.6.

Pip finds the packages out and states their hashes (``pip install --dry-run --report``); nothing is
installed. ``--extra dev`` adds an extra's packages.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import uuid
import zipfile
from collections.abc import Sequence
from email.parser import Parser
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
JAR: Final = "pyserini"  # its jar alone is needed: what it depends on is left out


def report(*what: str) -> list[dict[str, Any]]:
    """Ask pip what it would install."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "report.json")
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "-qq"]
        command += ["-c", str(ROOT / "constraints.txt"), "--report", str(path), *what]
        subprocess.run(command, check=True)
        installed: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["install"]
    return installed


def requirements(packages: Sequence[dict[str, Any]]) -> str:
    """Write packages as lines of a requirements file, each with its hash, sorted by name."""
    lines = []
    for package in sorted(packages, key=name_of):
        lines.append(f"{name_of(package)}=={package['metadata']['version']} \\")
        lines.append(f"    --hash=sha256:{sha256_of(package)}")
    return "\n".join(lines) + "\n"


def bill(wheel: Path, packages: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Describe a wheel and the packages that it needs as CycloneDX has it."""
    told = metadata(wheel)
    whole = component({key.lower().replace("-", "_"): told[key] for key in told})
    parts = [
        {
            **component(package["metadata"]),
            "hashes": [{"alg": "SHA-256", "content": sha256_of(package)}],
        }
        for package in sorted(packages, key=name_of)
    ]
    needs = {"ref": whole["bom-ref"], "dependsOn": [part["bom-ref"] for part in parts]}
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([whole, parts]))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {"component": {**whole, "type": "application"}},
        "components": parts,
        "dependencies": [needs],
    }


def component(told: dict[str, Any]) -> dict[str, Any]:
    """Describe a package by its metadata; its licence as an expression, else in its own words."""
    name, version = told["name"].lower().replace("_", "-"), told["version"]
    url = f"pkg:pypi/{name}@{version}"
    classed = [c.rpartition(" :: ")[2] for c in told.get("classifier", ()) if c.startswith("Lic")]
    words = (told.get("license") or "").split("\n")[0][:80]
    licences: list[dict[str, Any]] = []
    if told.get("license_expression"):
        licences = [{"expression": told["license_expression"]}]
    elif classed or words:
        licences = [{"license": {"name": one}} for one in classed or [words]]
    found = {"type": "library", "bom-ref": url, "name": name, "version": version, "purl": url}
    return {**found, "licenses": licences}


def metadata(wheel: Path) -> Any:
    """Read a wheel's metadata, and see that the licences of what it holds are in it.

    Raises
    ------
    SystemExit
        If one is not.
    """
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        (place,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        told = Parser().parsestr(packed.read(place).decode())
    listed = told.get_all("License-File", [])
    folder = place.removesuffix("METADATA") + "licenses/"
    lacking = [name for name in listed if folder + name not in names]
    if lacking or not listed or not told.get("License-Expression"):
        sys.exit(f"release: {wheel.name} lacks the licences {lacking or 'altogether'}")
    return told


def name_of(package: dict[str, Any]) -> str:
    """Return the name that the index has for a package."""
    return str(package["metadata"]["name"]).lower().replace("_", "-")


def sha256_of(package: dict[str, Any]) -> str:
    """Return the hash of the file that pip chose."""
    return str(package["download_info"]["archive_info"]["hashes"]["sha256"])


def main() -> None:
    """Write all of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--extra", action="append", default=[], help="an extra, such as dev")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", metavar="DIR")
    asked = parser.parse_args()
    asked.output.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "-w", str(asked.output)]
    subprocess.run([*pip, str(ROOT)], check=True)
    wheel = max(asked.output.glob("relsent_ir-*.whl"), key=lambda path: path.stat().st_mtime)
    extras = f"[{','.join(asked.extra)}]" if asked.extra else ""
    packages = [p for p in report(f"{wheel}{extras}") if name_of(p) != "relsent-ir"]
    packages += report("--no-deps", JAR)
    (asked.output / "requirements.txt").write_text(requirements(packages), encoding="utf-8")
    text = json.dumps(bill(wheel, packages), indent=1) + "\n"
    (asked.output / "sbom.json").write_text(text, encoding="utf-8")
    print(f"{wheel}, requirements.txt and sbom.json: {len(packages)} packages")


if __name__ == "__main__":
    main()
