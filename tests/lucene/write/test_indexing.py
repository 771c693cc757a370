"""Building a collection file by file: fresh, again, more, changed, broken and killed."""

import gzip
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from relsent_ir.errors import InputError, MismatchError, OutputError
from relsent_ir.executor import SERIAL
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.write.indexing import build_index, build_parts
from relsent_ir.records import Record, Section, chunks

Input = tuple[Path, str]
Write = Callable[..., Input]
Invent = Callable[..., list[Record]]
Contents = Callable[[Path], dict[str, Any]]


@pytest.fixture
def inputs(tmp_path: Path, invent: Invent, write: Write) -> list[Input]:
    """Four files of ten records."""
    return [write(tmp_path / f"{c}.jsonl", invent(10, i, c)) for i, c in enumerate("abcd")]


def names(folder: Path) -> list[str]:
    """The files that are in the index, in the order in which they came."""
    with Index(folder) as index:
        return [Path(source.path).name for source in index.facts.sources]


def tree(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file below a folder, with its time of change and size."""
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.stat().st_size)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_fresh_build(tmp_path: Path, inputs: list[Input], invent: Invent) -> None:
    """Every file is a source with its counts; every record is there as it was written."""
    ticks: list[tuple[int, int | None]] = []
    built = build_index(inputs, tmp_path / "index", progress=lambda *tick: ticks.append(tick))
    records = [record for i, c in enumerate("abcd") for record in invent(10, i, c)]
    with Index(tmp_path / "index") as index, Index(tmp_path / "index", "sentences") as sentences:
        assert sorted(index.ids()) == sorted(record.id for record in records)
        assert index.records([record.id for record in records]) == records
        assert built.facts == index.facts
        assert built.read == index.facts.sources
        assert sum(source.sentences for source in built.read) == len(sentences)
    assert [source.records for source in built.read] == [10, 10, 10, 10]
    assert [source.path for source in built.read] == [str(path.resolve()) for path, _ in inputs]
    assert built.facts.plan == tuple(source.path for source in built.read)
    assert built.facts.analysis == Analysis.choose()
    sizes = [path.stat().st_size for path, _ in inputs]
    assert ticks == [(sum(sizes[: n + 1]), sum(sizes)) for n in range(4)]


def test_finished_builds_stay(tmp_path: Path, inputs: list[Input]) -> None:
    """The same command touches no file; files that were not planned are refused."""
    folder = tmp_path / "index"
    build_index(inputs, folder)
    before = tree(folder)
    moved = shutil.move(inputs[0][0], tmp_path / "moved.jsonl")
    for again in (inputs[1:], [(moved, "jsonl"), *inputs[1:]], inputs[1:2]):
        assert build_index(again, folder).read == ()
    assert tree(folder) == before
    shutil.move(moved, inputs[0][0])
    folder = tmp_path / "half"
    build_index(inputs[:2], folder)
    before = tree(folder)
    for other in (inputs, inputs[2:], [inputs[0], inputs[3]]):
        with pytest.raises(MismatchError, match=r"built from other inputs.*--append"):
            build_index(other, folder)
    assert tree(folder) == before


def test_append_adds(tmp_path: Path, inputs: list[Input], contents: Contents) -> None:
    """Appending gives what one build of all would have given."""
    build_index(inputs[:2], tmp_path / "index")
    built = build_index(inputs, tmp_path / "index", append=True)
    assert [Path(source.path).name for source in built.read] == ["c.jsonl", "d.jsonl"]
    build_index(inputs, tmp_path / "at-once")
    assert contents(tmp_path / "index") == contents(tmp_path / "at-once")


def test_append_passes_over_known_contents(tmp_path: Path, inputs: list[Input]) -> None:
    """A copy under another name is no new source, and the index counts as finished."""
    folder = tmp_path / "index"
    build_index(inputs[:2], folder)
    copy = shutil.copy(inputs[0][0], tmp_path / "copy.jsonl")
    before = tree(folder)
    assert build_index([(Path(copy), "jsonl")], folder, append=True).read == ()
    assert tree(folder) == before
    build_index([(Path(copy), "jsonl"), inputs[2]], folder, append=True)
    with Index(folder) as index:
        assert set(index.facts.plan) == {source.path for source in index.facts.sources}
    assert names(folder) == ["a.jsonl", "b.jsonl", "c.jsonl"]


def test_copies_within_a_build(tmp_path: Path, inputs: list[Input]) -> None:
    """The second of two equal files is read as nothing, and does not keep the build unfinished."""
    copy = Path(shutil.copy(inputs[0][0], tmp_path / "copy.jsonl"))
    built = build_index([inputs[0], (copy, "jsonl"), inputs[1]], tmp_path / "index")
    assert [source.records for source in built.read] == [10, 0, 10]
    assert set(built.facts.plan) == {source.path for source in built.facts.sources}


def test_changed_file(tmp_path: Path, inputs: list[Input], write: Write) -> None:
    """A file that changed is refused without append; with it, it is read as an update."""
    folder = tmp_path / "index"
    build_index(inputs[:2], folder)
    write(inputs[0][0], [Record("a3", "New mice."), Record("new", "More mice.")])
    before = tree(folder)
    with pytest.raises(MismatchError, match=r"a\.jsonl has changed since it was indexed"):
        build_index(inputs[:2], folder)
    assert tree(folder) == before
    build_index(inputs[:2], folder, append=True)
    assert names(folder) == ["a.jsonl", "b.jsonl", "a.jsonl"]
    with Index(folder) as index, Index(folder, "sentences") as sentences:
        assert len(index) == 21
        assert index.records(["a3"])[0].title == "New mice."
        assert [name for name in sentences.ids() if name.startswith("a3.")] == ["a3.0"]
    assert build_index(inputs[:2], folder).read == ()


def test_last_version_of_a_record_wins(tmp_path: Path, write: Write) -> None:
    """Within a file and over files; a shorter version leaves no stale sentences."""
    long = Record("1", "Long.", sections=(Section("It ran. It slept. It woke."),))
    short = Record("1", "Short.", sections=(Section("It ran."),))
    for number, groups in enumerate([[[long, short]], [[long], [short]], [[short, long, short]]]):
        inputs = [
            write(tmp_path / f"{number}.{i}.jsonl", [*group, Record(f"other{i}", "Other.")])
            for i, group in enumerate(groups)
        ]
        folder = tmp_path / str(number)
        build_index(inputs, folder)
        with Index(folder) as index, Index(folder, "sentences") as sentences:
            assert index.records(["1"]) == [short]
            assert [name for name in sentences.ids() if name[0] == "1"] == ["1.0", "1.1"]
            assert len(index) == 1 + len(groups)


def test_update_file_changes_exactly_two_records(tmp_path, sample, sample_update, contents):
    """One record is revised, one deleted, in both indexes; all others stay byte for byte."""
    folder = tmp_path / "index"
    build_index([sample], folder)
    before = contents(folder)
    built = build_index([sample_update], folder, append=True)
    assert [(s.records, s.deleted) for s in built.read] == [(1, 1)]
    after = contents(folder)
    changed = {
        name
        for name in before["abstracts"].keys() | after["abstracts"].keys()
        if before["abstracts"].get(name) != after["abstracts"].get(name)
    }
    deleted = before["abstracts"].keys() - after["abstracts"].keys()
    assert len(changed) == 2
    assert len(deleted) == 1
    for name in before["sentences"].keys() | after["sentences"].keys():
        old, new = before["sentences"].get(name), after["sentences"].get(name)
        record = name.rpartition(".")[0]
        assert old == new or record in changed
        assert new is None or record not in deleted
    revised = (changed - deleted).pop()
    with Index(folder) as index, Index(folder, "sentences") as sentences:
        (record,) = index.records([revised])
        ids = [name for name in sentences.ids() if name.startswith(f"{revised}.")]
        assert len(ids) == built.read[0].sentences
        assert record.title in sentences.raw([f"{revised}.0"])[0]


def truncate(path: Path) -> None:
    """Cut a gzip file off in the middle."""
    packed = gzip.compress(path.read_bytes())
    path.write_bytes(packed[: len(packed) // 2])


def garble(path: Path) -> None:
    """Turn a file into PubMed XML that is malformed after its first record."""
    article = "<PubmedArticle><MedlineCitation><PMID>{}</PMID><Article><ArticleTitle>Mice."
    end = "</ArticleTitle></Article></MedlineCitation></PubmedArticle>"
    good, bad = (article.format(number) + end for number in (701, 702))
    path.write_text(f"<PubmedArticleSet>{good}{bad.replace('</Article>', '')}</PubmedArticleSet>")


@pytest.mark.parametrize(("spoil", "form"), [(truncate, "jsonl"), (garble, "pubmed-xml")])
def test_bad_file_in_the_middle(tmp_path, inputs, contents, spoil, form):
    """The index ends with the last whole file, and goes on when the bad one is mended."""
    folder = tmp_path / "index"
    path = inputs[2][0]
    good = path.read_bytes()
    spoil(path)
    with pytest.raises(InputError, match=r"c\.jsonl"):
        build_index([*inputs[:2], (path, form), inputs[3]], folder)
    assert names(folder) == ["a.jsonl", "b.jsonl"]
    with Index(folder) as index:
        assert {name[0] for name in index.ids()} == {"a", "b"}
    path.write_bytes(good)
    assert len(build_index(inputs, folder).read) == 2
    build_index(inputs, tmp_path / "undisturbed")
    assert contents(folder) == contents(tmp_path / "undisturbed")


@pytest.mark.parametrize("existed", [False, True])
def test_bad_first_file_leaves_nothing(tmp_path: Path, inputs: list[Input], existed: bool) -> None:
    """The folder is gone if the build made it, and empty if it was there."""
    folder = tmp_path / "index"
    if existed:
        folder.mkdir()
    truncate(inputs[0][0])
    with pytest.raises(InputError, match=r"a\.jsonl"):
        build_index(inputs, folder)
    assert folder.exists() == existed
    assert not existed or not list(folder.iterdir())


def test_failing_builds(tmp_path: Path, inputs: list[Input]) -> None:
    """Inputs in an index's folder survive a failing build; all inputs are looked at first."""
    (tmp_path / "abstracts").mkdir()
    path = Path(shutil.move(inputs[0][0], tmp_path / "abstracts" / "mine.jsonl"))
    truncate(path)
    with pytest.raises(InputError):
        build_index([(path, "jsonl")], tmp_path)
    assert path.exists()
    assert not (tmp_path / "sentences").exists()
    inputs[3][0].unlink()
    with pytest.raises(InputError, match=r"d\.jsonl: .*[Nn]o such file"):
        build_index(inputs[1:], tmp_path / "index")
    assert not (tmp_path / "index").exists()


def test_other_analysis_is_refused(tmp_path: Path, inputs: list[Input]) -> None:
    """An index is of one analysis; leaving it out takes the index's own."""
    folder = tmp_path / "index"
    build_index(inputs[:1], folder, Analysis.choose("krovetz"))
    before = tree(folder)
    for append in (False, True):
        with pytest.raises(MismatchError, match="stemmer krovetz and 33 stop words"):
            build_index(inputs, folder, Analysis.choose("porter"), append=append)
    with pytest.raises(MismatchError, match="33 stop words"):
        build_index(inputs, folder, Analysis.choose("krovetz", keep=True), append=True)
    assert tree(folder) == before
    build_index(inputs[1:2], folder, append=True)
    assert build_index(inputs[2:3], folder, Analysis.choose("krovetz"), append=True).read
    with Index(folder) as index:
        assert index.facts.analysis.stemmer == "krovetz"


def test_skipped_records_are_told_and_counted(tmp_path: Path, inputs: list[Input]) -> None:
    """A bad record costs itself only; its error comes when its file is in."""
    path = inputs[0][0]
    lines = path.read_text().splitlines()
    lines[4:4] = ['{"title": "no id"}', "no json"]
    path.write_text("\n".join(lines))
    told: list[InputError] = []
    built = build_index(inputs[:2], tmp_path / "index", on_skip=told.append)
    assert [str(error).partition(": ")[0] for error in told] == [f"{path}:5", f"{path}:6"]
    assert [(source.records, source.skipped) for source in built.read] == [(10, 2), (10, 0)]


def test_interrupt_rolls_back(tmp_path, inputs, contents, monkeypatch):
    """Ctrl-C in the third file leaves two, and no lock in the way of the next build."""
    read = chunks.read_entries

    def interrupted(path: Path, form: str, **settings: Any) -> Iterator[Any]:
        for number, entry in enumerate(read(path, form, **settings)):
            if path == inputs[2][0] and number == 5:
                raise KeyboardInterrupt
            yield entry

    monkeypatch.setattr(chunks, "read_entries", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build_index(inputs, tmp_path / "index")
    monkeypatch.undo()
    assert names(tmp_path / "index") == ["a.jsonl", "b.jsonl"]
    build_index(inputs, tmp_path / "index")
    build_index(inputs, tmp_path / "undisturbed")
    assert contents(tmp_path / "index") == contents(tmp_path / "undisturbed")


def test_interrupted_append_goes_on(tmp_path, inputs, contents, die_in_commit, monkeypatch):
    """The same append again takes up where the killed one stopped."""
    folder = tmp_path / "index"
    build_index(inputs[:1], folder)
    die_in_commit(3)
    with pytest.raises(KeyboardInterrupt):
        build_index(inputs[1:], folder, append=True)
    monkeypatch.undo()
    assert names(folder) == ["a.jsonl", "b.jsonl"]
    built = build_index(inputs[1:], folder, append=True)
    assert len(built.read) == 2
    assert set(built.facts.plan) == {source.path for source in built.facts.sources}
    build_index(inputs, tmp_path / "undisturbed")
    assert contents(folder) == contents(tmp_path / "undisturbed")


def test_optimize_expunges(tmp_path: Path, inputs: list[Input], invent: Invent) -> None:
    """After an update and a merge of the finished index, scores are those of a fresh one."""
    folder, old, new = tmp_path / "index", invent(40, 7, "a"), invent(4, 0, "a")
    live = [*new, *old[4:]]
    assert [record.id for record in live] == [record.id for record in old]
    path = inputs[0][0]
    for name, records in (("old", old), ("new", new), ("live", live)):
        path.with_stem(name).write_text("".join(record.to_json() + "\n" for record in records))
    build_index([(path.with_stem("old"), "jsonl")], folder)
    build_index([(path.with_stem("new"), "jsonl")], folder, append=True)
    fresh = tmp_path / "fresh"
    build_index([(path.with_stem("live"), "jsonl")], fresh, optimize=True)
    topics = {record.id: record.title for record in live[:10]}
    with Index(fresh) as index:
        wanted = Searcher(index).search(topics)
    with Index(folder) as index:
        assert index.statistics()["deleted_documents"] == 4
        found = Searcher(index).search(topics)
        assert any(found[name].scores.tolist() != wanted[name].scores.tolist() for name in topics)
    both = [(path.with_stem(name), "jsonl") for name in ("old", "new")]
    assert build_index(both, folder, append=True, optimize=True).read == ()
    with Index(folder) as index:
        assert index.statistics()["deleted_documents"] == 0
        found = Searcher(index).search(topics)
    for name in topics:
        assert found[name].ids.tolist() == wanted[name].ids.tolist()
        assert found[name].scores.tolist() == wanted[name].scores.tolist()
    before = tree(folder)
    build_index(both, folder, append=True, optimize=True)
    assert tree(folder) == before


def test_records_that_lucene_cannot_hold(tmp_path, invent, write, contents):
    """An endless id or abstract is skipped, counted and named; the others are in."""
    good = invent(3, 0, "a")
    long = Record("long", sections=(Section("x" * 20_000_001),))
    endless = Record("i" * 32_700, title="Mice ran")
    skipped: list[InputError] = []
    path = write(tmp_path / "a.jsonl", [good[0], long, endless, *good[1:]])
    built = build_index([path], tmp_path / "index", on_skip=skipped.append)
    assert (built.read[0].records, built.read[0].skipped) == (3, 2)
    assert sorted(str(error).partition(" (")[0] for error in skipped) == [
        f"{path[0]}, record long: it has more than 20,000,000 characters",
        f"{path[0]}:3: the id '{'i' * 40}'... has more than 32,000 bytes",
    ]
    assert set(contents(tmp_path / "index")["abstracts"]) == {record.id for record in good}


COMMAND = [sys.executable, "-m", "relsent_ir.cli.main", "index"]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory, invent: Invent, write: Write) -> list[Input]:
    """Eight files of 200 records; some records of the first come again in the others."""
    folder = tmp_path_factory.mktemp("many")
    return [
        write(folder / f"{i}.jsonl", [*invent(190, i, f"{i}-"), *invent(10, 50 + i, "0-")])
        for i in range(8)
    ]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, many, contents) -> dict[str, Any]:
    """What a build of them holds that nobody disturbed."""
    folder = tmp_path_factory.mktemp("undisturbed") / "index"
    build_index(many, folder)
    return contents(folder)


def opened(folder: Path) -> Index | None:
    """Open the abstracts, or find that there is no index yet; any other error is one."""
    try:
        return Index(folder)
    except InputError as error:
        if error.problem != "there is no index":
            raise
        return None


def commits_of(folder: Path) -> int:
    """How many commits the abstracts have had, or -1 before there is a folder."""
    names = [path.name for path in (folder / "abstracts").glob("segments_*")]
    numbers = [int(name.partition("_")[2], 36) for name in names]
    return max(numbers, default=0) if folder.exists() else -1


SEEDS = [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 8))]


@pytest.mark.parametrize("seed", SEEDS)
def test_kill_at_a_random_moment(tmp_path, many, undisturbed, contents, environment, seed):
    """After kill -9 a reader finds whole files, and the same command ends with the same index."""
    folder = tmp_path / "index"
    command = [*COMMAND, "--index", str(folder), "--input", *(str(path) for path, _ in many)]
    chance = random.Random(seed)
    commit = chance.randint(0, len(many))
    process = subprocess.Popen(command, env=environment)
    while process.poll() is None and commits_of(folder) < commit:
        time.sleep(0.002)
    time.sleep(chance.uniform(0, 0.15))
    process.kill()
    process.wait()
    done = []
    index = opened(folder)
    if index:
        with index:
            done = [source.sha256 for source in index.facts.sources]
            assert index.facts.sources == undisturbed["sources"][: len(done)]
            if done:
                title = index.records(index.ids()[:1])[0].title
                assert len(Searcher(index).search({"1": title})["1"])
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    left = len(many) - len(done)
    assert (f": {left} file" if left else "is finished") in ran.stdout
    assert contents(folder) == undisturbed


def test_readers_while_a_build_runs(tmp_path, many, environment):
    """Whoever opens the index meanwhile finds whole files in both indexes, always."""
    folder = tmp_path / "index"
    command = [*COMMAND, "--index", str(folder), "--input", *(str(path) for path, _ in many)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    seen: list[int] = []
    try:
        while process.poll() is None:
            index = opened(folder)
            if index is None:
                assert not seen, "it was there before"
                continue
            with index:
                found = {name.partition("-")[0] for name in index.ids()}
                assert found == {str(number) for number in range(len(index.facts.sources))}
                seen.append(len(found))
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0
    assert seen == sorted(seen)
    assert len(set(seen)) > 1


def _beside_progress(said: str) -> list[str]:
    """Leave out what only a build on a slow machine says, how far it is."""
    return [line for line in said.splitlines() if not line.startswith("Indexing: ")]


def test_two_builds_at_once(tmp_path, many, undisturbed, environment, contents):
    """One of them builds the index, the other is turned away and harms nothing."""
    folder = tmp_path / "index"
    command = [*COMMAND, "--index", str(folder), "--input", *(str(path) for path, _ in many)]
    processes = [
        subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    said = [process.communicate() for process in processes]
    codes = [process.returncode for process in processes]
    assert sorted(codes) in ([0, 5], [0, 0])  # the slower one may find it finished
    for code, (_, err) in zip(codes, said, strict=True):
        assert len(_beside_progress(err)) == bool(code), err
    assert contents(folder)["abstracts"] == undisturbed["abstracts"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of three megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    command = [mount or "", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)]
    if not mount or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a small disk cannot be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_full_disk(tmp_path, small_disk, invent, write, contents, environment):
    """Exit 6 with one line, the index as it was, and the space that was taken given back."""
    small = write(tmp_path / "small.jsonl", invent(100, 1, "s"))
    large = write(tmp_path / "large.jsonl", invent(6000, 2, "l"))
    folder = small_disk / "index"
    build_index([small], folder)
    before = contents(folder)
    used = shutil.disk_usage(small_disk).used
    command = [*COMMAND, "--index", str(folder), "--append", "--input", str(large[0])]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 6
    assert ran.stdout == ""
    assert "cannot write: No space left on device" in ran.stderr
    assert len(_beside_progress(ran.stderr)) == 1
    assert contents(folder) == before
    assert shutil.disk_usage(small_disk).used < used + 100_000
    build_index([write(tmp_path / "more.jsonl", invent(50, 3, "m"))], folder, append=True)
    with Index(folder) as index:
        assert len(index) == 150


def test_full_disk_from_the_start(tmp_path, small_disk, invent, write):
    """A new index that does not fit leaves nothing."""
    with pytest.raises(OutputError, match="No space left on device"):
        build_index([write(tmp_path / "large.jsonl", invent(6000, 2))], small_disk / "index")
    assert list(small_disk.iterdir()) == []


def test_one_file_in_shards(tmp_path: Path, invent: Invent, write: Write) -> None:
    """Each record is in the shard that its id gives; revisions and deletions too; all are found."""
    records = [*invent(40, 1, "a"), *invent(10, 2, "a")]  # the first ten twice
    files = [write(tmp_path / "all.jsonl", records)]
    build_index(files, tmp_path / "one")
    with Index(tmp_path / "one") as index:
        expected = {name: index.records([name]) for name in index.ids()}
        run = Searcher(index).search({"1": "patients"}, 50)
    built = build_parts(files, tmp_path / "shards", 3, SERIAL)
    ids = []
    for part in built:
        with Index(part.folder) as index:
            assert {crc32(name.encode()) % 3 for name in index.ids()} == {built.index(part)}
            ids += index.ids()
    assert sorted(ids) == sorted(expected)
    with Index(tmp_path / "shards") as index:
        assert {name: index.records([name]) for name in ids} == expected
        assert set(Searcher(index).search({"1": "patients"}, 50)["1"].ids) == set(run["1"].ids)
    assert not any(p.built.read for p in build_parts(files, tmp_path / "shards", 3, SERIAL))
    with pytest.raises(MismatchError, match="has changed since it was indexed"):
        build_parts(files, tmp_path / "shards", 2, SERIAL)


def test_references_on_append(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A work in the index is replaced by itself alone; others under its id get further ids."""
    folder, replaced = tmp_path / "index", []
    for name, titles in {"a": "AB", "b": "BCC", "c": "DA"}.items():
        path = tmp_path / f"{name}.ris"
        works = (f"TY  - JOUR\nTI  - {title}\nDO  - 10.1000/x\nER  - \n" for title in titles)
        path.write_text("".join(works))
        replaced.append(build_index([(path, "ris")], folder, append=True).replaced)
    with Index(folder) as index:
        titles = {record.id: record.title for record in index.records(list(index.ids()))}
    assert titles == {"10.1000/x": "A", "10.1000/x~2": "B", "10.1000/x~3": "C", "10.1000/x~4": "D"}
    assert replaced == [0, 2, 1]
    assert "b.ris: 2 works came before, and these replace them" in caplog.text


@pytest.mark.parametrize("append", [True, False])
def test_a_poorer_record(tmp_path: Path, append: bool) -> None:
    """Of a work that has an abstract, a later record without one is left out, and counted."""
    files = []
    for name, abstract in (("a", "Red."), ("b", ""), ("c", "New.")):
        line = f"AB  - {abstract}\n" if abstract else ""
        path = tmp_path / f"{name}.ris"
        path.write_text(f"TY  - JOUR\nTI  - Ants\nDO  - 10.1000/x\n{line}ER  - \n")
        files.append((path, "ris"))
    skipped: list[InputError] = []
    folder, replaced = tmp_path / "index", 0
    for some in [[file] for file in files] if append else [files]:
        built = build_index(some, folder, append=append, on_skip=skipped.append)
        replaced += built.replaced
    assert replaced == 1
    (told,) = map(str, skipped)
    assert (
        told
        == f"{files[1][0]}, record 10.1000/x: it came before with an abstract, and has none here"
    )
    with Index(folder) as index:
        (record,) = index.records(list(index.ids()))
    assert record.abstract == "New."
    path = tmp_path / "retracted.csv"
    path.write_text("Title,DOI,Publication Type\nAnts,10.1000/x,Retracted Publication\n")
    assert build_index([(path, "csv")], folder, append=True).replaced == 1
    with Index(folder) as index:
        assert index.records(list(index.ids()))[0].publication_types == ("Retracted Publication",)


PUBMED = """<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>7</PMID><Article>
<ArticleTitle>Ants.</ArticleTitle>{}</Article>{}</MedlineCitation></PubmedArticle></PubmedArticleSet>
"""
ABSTRACT = "<Abstract><AbstractText>Red.</AbstractText></Abstract>"
MESH = """<MeshHeadingList><MeshHeading><DescriptorName>Ants</DescriptorName></MeshHeading>
</MeshHeadingList>"""


@pytest.mark.parametrize(
    ("append", "parts", "line", "lost", "kept"),
    [
        (False, (ABSTRACT, MESH), "", "an abstract", "Red."),
        (False, (ABSTRACT, MESH), "AB  - New.\n", "MeSH headings", "Red."),
        (False, ("", MESH), "AB  - New.\n", "an abstract", "New."),
        (True, (ABSTRACT, MESH), "", "an abstract", "Red."),
        (True, (ABSTRACT, MESH), "AB  - New.\n", "MeSH headings", "Red."),
    ],
)
def test_the_richer_of_two_programs(append, parts, line, lost, kept, tmp_path):
    """A work from PubMed and from a reference manager is the richer one, whichever comes first."""
    xml, ris = (tmp_path / "a.xml", "pubmed-xml"), (tmp_path / "a.ris", "ris")
    xml[0].write_text(PUBMED.format(*parts))
    ris[0].write_text(f"TY  - JOUR\nTI  - Ants\nAN  - 7\nDB  - PubMed\n{line}ER  - \n")
    said = []
    for files in ([xml, ris], [ris, xml]):
        folder, skipped = tmp_path / files[0][1], list[InputError]()
        replaced = 0
        for some in [[file] for file in files] if append else [files]:
            replaced += build_index(some, folder, append=append, on_skip=skipped.append).replaced
        with Index(folder) as index:
            (record,) = index.records(["7"])
            assert index.ids() == ["7"]
        assert record.abstract == kept
        said.append((replaced, [error.problem for error in skipped]))
    last = [f"it came before with {lost}, and has none here"]
    assert (0, last) in said
    assert (1, []) in said


def test_two_works_of_two_programs(tmp_path: Path) -> None:
    """Of different works under one id none is lost, whichever comes first."""
    xml, ris = (tmp_path / "a.xml", "pubmed-xml"), (tmp_path / "a.ris", "ris")
    xml[0].write_text(PUBMED.format(ABSTRACT, MESH))
    ris[0].write_text("TY  - JOUR\nTI  - Bees\nAN  - 7\nDB  - PubMed\nER  - \n")
    for files, titles in (([xml, ris], ["Ants.", "Bees"]), ([ris, xml], ["Bees", "Ants."])):
        build_index(files, tmp_path / files[0][1])
        with Index(tmp_path / files[0][1]) as index:
            assert [record.title for record in index.records(["7", "7~2"])] == titles
