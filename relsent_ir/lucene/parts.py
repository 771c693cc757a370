"""Building the shards of a collection, each from some of the files, and listing them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from relsent_ir.errors import InputError, UsageError
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.documents import Tagger
from relsent_ir.lucene.indexing import Built, build_index
from relsent_ir.lucene.shards import list_shards
from relsent_ir.processes import Spread
from relsent_ir.typing import Progress

NAME: Final = "part-{:04d}"

Inputs = Sequence[tuple[Path, str]]


@dataclass(frozen=True)
class Part:
    """A shard that was built, and the records that were left out."""

    folder: Path
    built: Built
    skipped: tuple[InputError, ...]


def build_parts(
    inputs: Inputs,
    folder: Path,
    parts: int,
    spread: Spread,
    analysis: Analysis | None = None,
    *,
    tagger: Tagger | None = None,
    optimize: bool = False,
    on_skip: Callable[[InputError], None] | None = None,
    progress: Progress | None = None,
) -> list[Part]:
    """Build `parts` shards in `folder`/part-0000 and so on, and list them in `folder`.

    Each has files that follow each other, about as many bytes as the others. Called again with the
    same inputs, each goes on where it stopped.

    Parameters
    ----------
    inputs : sequence of (path, format)
        As `relsent_ir.records.list_inputs` gives them.
    folder : Path
        Where all who work can write.
    parts : int
        No more than there are files.
    spread : Spread
        Where shards are built.
    analysis, tagger, optimize, on_skip
        As for `relsent_ir.lucene.indexing.build_index`.
    progress : callable
        Gets the number of shards built, and of all.

    Raises
    ------
    UsageError
        If there are fewer files than parts.
    Exception
        What `build_index` and `list_shards` raise.
    """
    shares = _shares(inputs, parts)
    make = partial(_Building, analysis or Analysis.choose(), tagger, optimize)
    places = [folder.absolute() / NAME.format(number) for number in range(parts)]
    items = [
        ([(path.absolute(), form) for path, form in share], place)
        for share, place in zip(shares, places, strict=True)
    ]
    done: list[Part] = []
    for part in spread(make, items):
        done.append(part)
        for error in part.skipped if on_skip else ():
            assert on_skip
            on_skip(error)
        if progress:
            progress(len(done), parts)
    list_shards(folder, [folder / place.name for place in places])
    return done


class _Building:
    """Builds one shard after the other.

    Parameters
    ----------
    analysis : Analysis
    tagger : Tagger or None
    optimize : bool
    """

    def __init__(self, analysis: Analysis, tagger: Tagger | None, optimize: bool) -> None:
        self._analysis = analysis
        self._tagger = tagger
        self._optimize = optimize

    def __call__(self, item: tuple[Inputs, Path]) -> Part:
        inputs, folder = item
        skipped: list[InputError] = []
        built = build_index(
            inputs,
            folder,
            self._analysis,
            tagger=self._tagger,
            optimize=self._optimize,
            on_skip=skipped.append,
        )
        return Part(folder, built, tuple(skipped))


def _shares(inputs: Inputs, parts: int) -> list[Inputs]:
    """Cut a list of files where a part has its share of the bytes; none is empty."""
    if len(inputs) < parts:
        raise UsageError(f"{len(inputs)} files cannot be {parts} parts", fix="take fewer --parts")
    sizes = [path.stat().st_size for path, _ in inputs]
    total, cuts, before = sum(sizes), [0], 0
    for number, size in enumerate(sizes):
        due = len(cuts) * total / parts
        left = len(inputs) - number
        if len(cuts) < parts and number > cuts[-1] and (before >= due or left <= parts - len(cuts)):
            cuts.append(number)
        before += size
    return [inputs[a:b] for a, b in zip(cuts, [*cuts[1:], len(inputs)], strict=True)]
