"""Runs in TREC's six columns, with scores that every trec_eval orders as we ordered the hits."""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from relsent_ir.errors import InputError, UsageError, checked
from relsent_ir.files import atomic_writer
from relsent_ir.hits import Hits, Run, ranked_scores
from relsent_ir.trec.columns import check_ids, decode, read_columns
from relsent_ir.typing import NDArray


@checked
def run_scores(run: Mapping[str, Hits]) -> dict[str, dict[str, float]]:
    """Return the scores of a run by topic and document, for ir_measures, pytrec_eval and ranx.

    They equal the scores of a run file, so that ties are broken and values computed as for ours.
    """
    return Run(run).to_dict()


OUTPUT_FORMATS = ("trec", "msmarco")
"""``trec``: six columns; ``msmarco``: topic, document and rank, separated by tabs."""


@dataclass(slots=True)
class _Lines:
    """The lines of one topic as columns."""

    ids: list[bytes] = field(default_factory=list)
    scores: "array[float]" = field(default_factory=lambda: array("d"))
    numbers: "array[int]" = field(default_factory=lambda: array("q"))


@checked
def read_run(path: str | Path) -> Run:
    """Read a TREC run, or one of MS MARCO's form (topic, document, rank), gzipped or plain.

    Returns
    -------
    Run
        Topics in the order of the file. The hits of each topic in the order of trec_eval 10: by
        score, ties by id from Z to A; the rank column is ignored.

    Raises
    ------
    InputError
        If a line does not have six columns, or three, a score is not a finite number, or a topic
        repeats a document; the error names the line.
    """
    topics: dict[bytes, _Lines] = {}
    six = False
    for number, columns in read_columns(path):
        try:
            if len(columns) == 3 and not six:
                topic, document, score = columns
                value = -float(int(score if score.isdigit() else ""))
            else:
                topic, _, document, _, score, _ = columns
                value = float(score if b"_" not in score else "")
                six = True
        except (ValueError, OverflowError):  # the latter for a rank of more than 308 digits
            raise _bad_line(path, number, columns) from None
        lines = topics.get(topic)
        if lines is None:
            lines = topics[topic] = _Lines()
        lines.ids.append(document)
        lines.scores.append(value)
        lines.numbers.append(number)
    if not topics:
        raise InputError("there are no hits in this file", where=path)
    return Run(
        (decode(topic, path, lines.numbers[0]), _hits(lines, path))
        for topic, lines in topics.items()
    )


def read_named_runs(given: Iterable[str], flag: str = "--run") -> dict[str, Run]:
    """Read runs given as ``NAME=FILE``.

    Raises
    ------
    UsageError
        If a run has no name, or two have the same name; the error names the flag.
    """
    runs: dict[str, Run] = {}
    for text in given:
        name, sign, path = text.partition("=")
        if not (sign and path and name.replace("-", "").isalnum()):
            raise UsageError(f"cannot read {flag} {text}", fix=f"write {flag} dense=FILE")
        if name in runs:
            raise UsageError(f"two runs of the name {name}", fix="give each a name of its own")
        runs[name] = read_run(path)
    return runs


@checked
def write_run(
    path: str | Path, run: object, tag: str = "relsent-ir", *, output_format: str = "trec"
) -> None:
    """Write a run completely or not at all, gzipped if the name ends in ``.gz``.

    The order of the hits is kept: tied scores are lowered by the smallest step that trec_eval
    distinguishes (`relsent_ir.trec.runs`). Topics without hits have no lines.

    Parameters
    ----------
    path : str or Path
        The file; an existing file is replaced.
    run : Run, mapping or DataFrame
        The hits of each topic, in any form that `Run` accepts.
    tag : str
        The name of the run, which is written to the last column.
    output_format : {"trec", "msmarco"}
        The format.

    Raises
    ------
    InputError
        If a score is not a finite number, a topic repeats a document, or an id has white space.
    OutputError
        If the file cannot be written.
    """
    if not isinstance(path, str | Path):
        raise UsageError("the file comes first, then the run", fix="write_run(path, run)")
    run = run if isinstance(run, Run) else Run(run)
    lines = run_lines(run, tag, output_format=output_format)
    write_lines(path, run, lines, tag, output_format=output_format)


def write_lines(
    path: str | Path,
    topics: Iterable[str],
    lines: Iterable[bytes],
    tag: str = "relsent-ir",
    *,
    output_format: str = "trec",
) -> int:
    """Write lines of a run from `run_lines`, like `write_run`.

    Parameters
    ----------
    path : str or Path
    topics : iterable of str
        Topic ids, which are checked before the first lines are read.
    lines : iterable of bytes
    tag, output_format
        As in `run_lines`.

    Returns
    -------
    int
        The number of lines.
    """
    if output_format not in OUTPUT_FORMATS:
        raise UsageError(f"no output format {output_format}", fix="trec or msmarco")
    if len(tag.split()) != 1 or not tag.isprintable():
        raise UsageError(f"the run tag {tag!r} is no word", fix="use one word, without white space")
    names = list(topics)
    check_ids(names, "topic id")
    if commented := next((topic for topic in names if topic.startswith("#")), None):
        raise InputError(f"topic id {commented}: trec_eval takes lines with # for comments")
    count = 0
    with atomic_writer(path) as file:
        for some in lines:
            file.buffer.write(some)
            # in a fourth of the time of bytes.count
            count += int(np.count_nonzero(np.frombuffer(some, np.uint8) == ord("\n")))
    return count


def run_lines(
    run: Mapping[str, Hits], tag: str = "relsent-ir", *, output_format: str = "trec"
) -> Iterator[bytes]:
    """Yield the lines of each topic, in the form of `write_run`.

    Raises
    ------
    InputError
        If `write_run` refuses a topic's hits.
    """
    ranks: list[str] = []
    for topic, hits in run.items():
        names: list[str] = hits.ids.tolist()
        check_ids(names, f"topic {topic}: document id")
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"topic {topic}: document {twice} is there twice")
        if not np.isfinite(hits.scores).all():
            bad = names[int(np.flatnonzero(~np.isfinite(hits.scores))[0])]
            raise InputError(f"topic {topic}: the score of document {bad} is no finite number")
        if output_format == "msmarco":
            numbered = enumerate(names, 1)
            text = "".join(f"{topic}\t{document}\t{rank}\n" for rank, document in numbered)
        else:
            text = _text(topic, names, hits.scores, tag, ranks)
        yield text.encode()


def _text(
    topic: str, names: list[str], scores: NDArray[np.float64], tag: str, ranks: list[str]
) -> str:
    """Write lines by one join, in a quarter of the time of writing each line.

    `ranks` caches ranks as text between spaces; it grows to the length of the longest topic.
    """
    if not names:
        return ""
    ranks += [f" {rank} " for rank in range(len(ranks) + 1, len(names) + 1)]
    pieces = [f" {tag}\n{topic} Q0 "] * (4 * len(names))
    pieces[0::4] = names
    pieces[1::4] = ranks[: len(names)]
    pieces[2::4] = ranked_scores(scores)
    pieces[-1] = f" {tag}\n"
    return f"{topic} Q0 " + "".join(pieces)


def _hits(lines: _Lines, path: str | Path) -> Hits:
    """Check the lines of one topic, and sort them."""
    scores = np.array(lines.scores)
    if not np.isfinite(scores).all():
        number = lines.numbers[int(np.flatnonzero(~np.isfinite(scores))[0])]
        raise InputError(
            "the score is no finite number", where=f"{path}:{number}", fix="leave the document out"
        )
    if len(set(lines.ids)) < len(lines.ids):
        places: dict[bytes, int] = {}
        for document, number in zip(lines.ids, lines.numbers, strict=True):
            if (first := places.setdefault(document, number)) != number:
                raise InputError(
                    f"document {document.decode(errors='replace')} is in line {first} already,"
                    " under the same topic",
                    where=f"{path}:{number}",
                    fix="keep one of the two lines",
                )
    try:
        names = b"\n".join(lines.ids).decode().split("\n")
    except UnicodeDecodeError:
        numbered = zip(lines.ids, lines.numbers, strict=True)
        names = [decode(document, path, number) for document, number in numbered]
    ids = np.empty(len(names), dtype=object)
    ids[:] = names
    if (np.diff(scores) >= 0).any():
        by_id = np.array(sorted(range(len(ids)), key=lines.ids.__getitem__, reverse=True))
        order = by_id[np.argsort(-scores[by_id], kind="stable")]
        ids, scores = ids[order], scores[order]
    return Hits(ids, scores)


def _bad_line(path: str | Path, number: int, columns: list[bytes]) -> InputError:
    if len(columns) not in (3, 6):
        return InputError(
            f"{len(columns)} columns, not 6",
            where=f"{path}:{number}",
            fix="a line is: topic, Q0, document, rank, score, tag",
        )
    score = columns[-1 if len(columns) == 3 else 4].decode(errors="replace")
    return InputError(f"the score {score:.40} is no number", where=f"{path}:{number}")
