"""Files and folders for --input."""

import gzip
import logging

import pytest

from relsent_ir.errors import InputError, UsageError
from relsent_ir.records import list_inputs

JSONL = '{"id": "1", "text": "Ants"}\n'
MEDLINE = "PMID- 1\nTI  - Ants\n"


@pytest.fixture
def folder(tmp_path):
    """Give a folder with files of several kinds."""
    files = {
        "data/b.jsonl": JSONL,
        "data/a/z.txt": MEDLINE,
        "data/a.txt": MEDLINE,
        "data/README": "About ants.",
        "data/a/queries": "QN 00001\nQU Ants?\n",
        "data/.hidden.jsonl": JSONL,
        "data/.git/x.jsonl": JSONL,
        "other/c.jsonl": JSONL,
        "none/README": "Nothing.",
    }
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return tmp_path


def names(folder, paths):
    """Give paths relative to the folder."""
    return [path.relative_to(folder).as_posix() for path in paths]


def test_folders_are_walked_in_order(folder, caplog):
    """Sorted by path, hidden files left out, files without records named in one warning."""
    with caplog.at_level(logging.WARNING, logger="relsent_ir"):
        files, skipped = list_inputs([folder / "other", str(folder / "data")])
    assert names(folder, [path for path, _ in files]) == [
        "other/c.jsonl",
        "data/a/z.txt",
        "data/a.txt",
        "data/b.jsonl",
    ]
    assert [name for _, name in files] == ["jsonl", "medline", "medline", "jsonl"]
    assert names(folder, skipped) == ["data/README", "data/a/queries"]
    assert caplog.messages == [
        f"skipped 2 files that hold no records: {folder}/data/README, {folder}/data/a/queries"
    ]


def test_the_warning_names_the_first_few(folder, caplog):
    """However many there are."""
    for n in range(9):
        (folder / "other" / f"{n}.md5").write_text("d41d8cd98f00b204e9800998ecf8427e")
    with caplog.at_level(logging.WARNING, logger="relsent_ir"):
        list_inputs([folder / "other"])
    (message,) = caplog.messages
    assert message.startswith("skipped 9 files")
    assert message.endswith("2.md5, …")


def test_the_same_file_counts_once(folder, monkeypatch):
    """However often, and by whatever path, it is reached."""
    (folder / "link.jsonl").symlink_to(folder / "other/c.jsonl")
    monkeypatch.chdir(folder)
    paths = ["other/c.jsonl", folder / "other", "./other/../other/c.jsonl", "link.jsonl"]
    files, _ = list_inputs(paths)
    assert [str(path) for path, _ in files] == ["other/c.jsonl"]


def test_linked_folders_are_walked_once(folder):
    """A link to the folder above does not make it endless."""
    (folder / "other" / "data").symlink_to(folder / "data", target_is_directory=True)
    (folder / "data" / "up").symlink_to(folder / "data", target_is_directory=True)
    files, _ = list_inputs([folder / "other"])
    assert names(folder, [path for path, _ in files]) == [
        "other/c.jsonl",
        "other/data/a/z.txt",
        "other/data/a.txt",
        "other/data/b.jsonl",
    ]


def test_named_file_without_records(folder):
    """An error, while in a folder it is a warning."""
    with pytest.raises(InputError, match="README: holds no records of a known format"):
        list_inputs([folder / "data/b.jsonl", folder / "data/README"])


def test_folder_without_records(folder):
    """A whole folder with nothing in it is an error."""
    with pytest.raises(InputError, match="none: no file in this folder holds records"):
        list_inputs([folder / "none"])


def test_missing_and_dead(folder):
    """What is not there is an error, also when a link in a folder says that it is."""
    with pytest.raises(InputError, match="missing: there is no such file"):
        list_inputs([folder / "missing"])
    (folder / "other" / "dead.xml").symlink_to(folder / "missing")
    with pytest.raises(InputError, match=r"dead\.xml: there is no such file"):
        list_inputs([folder / "other"])


def test_unreadable_file_in_a_folder(folder):
    """It may be the one that matters: nothing is skipped silently."""
    (folder / "other" / "cut.gz").write_bytes(gzip.compress(b"x" * 1000)[:8])
    with pytest.raises(InputError, match=r"cut\.gz: the gzip data end too early"):
        list_inputs([folder / "other"])


def test_unreadable_folder(folder, monkeypatch):
    """The system's reason is passed on."""

    def refuse(self):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr("pathlib.Path.iterdir", refuse)
    with pytest.raises(InputError, match=r"other: cannot be read \(Permission denied\)"):
        list_inputs([folder / "other"])


def test_forced_format(folder):
    """It holds for every file."""
    files, skipped = list_inputs([folder / "data/README", folder / "other"], "jsonl")
    assert [name for _, name in files] == ["jsonl", "jsonl"]
    assert skipped == []
    with pytest.raises(UsageError, match="no format 'json'"):
        list_inputs([folder / "other"], "json")
