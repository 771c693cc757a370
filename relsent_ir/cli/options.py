"""Options that several verbs have, spelled as Pyserini and Anserini spell them."""

import math
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import click

from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.hits import Run
    from relsent_ir.lucene.read.filters import Filters
    from relsent_ir.ranker.ranking import RankerReranker

F = TypeVar("F", bound=Callable[..., Any])


class FetchedPath(click.Path):
    """A file, or the name of a collection whose file ``relsent-ir fetch`` has written here.

    ``cystic-fibrosis`` is ``topics/cystic-fibrosis.tsv``, unless there is a file of that name;
    ``irds:NAME`` is what ir_datasets has on this machine.
    """

    def __init__(self, folder: str, suffix: str) -> None:
        super().__init__(path_type=Path)
        self._folder, self._suffix = folder, suffix

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: D102 (click's)
        if str(value).startswith("irds:"):
            from relsent_ir.datasets.irds import file_of

            return file_of(str(value), self._folder)
        given = super().convert(value, param, ctx)
        fetched = Path(self._folder, f"{value}{self._suffix}")
        is_name = Path(value).name == str(value) and not Path(value).exists()
        return fetched if is_name and fetched.is_file() else given


class Finite(click.FloatRange):
    """A number in a range, which NaN, that compares as false, does not slip through."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: D102 (click's)
        number = super().convert(value, param, ctx)
        return number if math.isfinite(number) else self.fail(f"{value} is no number", param, ctx)


MOST: Final = 10**9
"""No count that is asked for is larger."""

TOPICS: Final = FetchedPath("topics", ".tsv")
QRELS: Final = FetchedPath("qrels", ".txt")


def file_option(*names: str, metavar: str = "FILE", **settings: Any) -> Callable[[F], F]:
    """An option whose value is the path of a file or folder."""
    kind = settings.pop("type", click.Path(path_type=Path))
    return click.option(*names, type=kind, metavar=metavar, **settings)


def index_option(function: F) -> F:
    """``--index DIR``, ``--cache DIR`` and ``--require-finished``."""
    text = "The collection's indexes."
    function = click.option(
        "--require-finished",
        is_flag=True,
        expose_value=False,
        callback=_require_finished,
        help="Refuse an index whose build has not ended, instead of a warning.",
    )(function)
    function = file_option(
        "--cache",
        metavar="DIR",
        expose_value=False,
        callback=_set_cache,
        help="Where data derived from the index are kept.  [default: beside it if possible]",
    )(function)
    return file_option("--index", required=True, metavar="DIR", help=text)(function)


def _set_cache(_ctx: click.Context, _option: click.Parameter, folder: Path | None) -> None:
    from relsent_ir.lucene.memory.derived import set_cache

    set_cache(folder)


def finished_index_option(function: F) -> F:
    """``--index DIR`` of a verb that takes only an index whose build has ended."""

    def require(ctx: click.Context, option: click.Parameter, path: Path) -> Path:
        _require_finished(ctx, option, True)
        return path

    text = "The collection's indexes; their build must have ended."
    return file_option("--index", required=True, metavar="DIR", callback=require, help=text)(
        function
    )


def _require_finished(_ctx: click.Context, _option: click.Parameter, required: bool) -> None:
    from relsent_ir.lucene.commits import require_finished

    require_finished(required)


def unit_option(function: F) -> F:
    """``--unit abstracts|sentences``."""
    return click.option(
        "--unit",
        type=click.Choice(["abstracts", "sentences"]),
        default="abstracts",
        show_default=True,
        help="What is searched.",
    )(function)


def engine_option(function: F) -> F:
    """``--engine auto|lucene|matrix``."""
    return click.option(
        "--engine",
        type=click.Choice(["auto", "lucene", "matrix"]),
        default="auto",
        show_default=True,
        help="What searches; the hits are the same.",
    )(function)


def heap_option(function: F) -> F:
    """``--heap SIZE``, applied before Java starts."""

    def set_heap(_ctx: click.Context, _option: click.Parameter, size: str | None) -> None:
        from relsent_ir.lucene.jvm import set_heap as apply

        apply(size)

    return click.option(
        "--heap",
        metavar="SIZE",
        expose_value=False,
        callback=set_heap,
        help="Java's largest heap, as 512m or 4g.  [default: RELSENT_HEAP, or 1g]",
    )(function)


def processes_option(function: F) -> F:
    """``--threads N`` of the verbs that read records in other processes."""
    return click.option(
        "--threads",
        type=click.IntRange(1),
        default=1,
        show_default=True,
        help="Processes that read, split and tag; the result is the same, however many.",
    )(function)


def connections_option(function: F) -> F:
    """``--connections N`` of the verbs that fetch PubMed's files."""
    return click.option(
        "--connections",
        type=click.IntRange(1, 4),
        default=2,
        show_default=True,
        help="Files of PubMed that are fetched at a time.",
    )(function)


def model_option(function: F) -> F:
    """``--model MODEL`` of the verbs that have a model of their own."""
    text = "A model's folder.  [default: the one that comes with the package]"
    return file_option("--model", metavar="MODEL", help=text)(function)


def scorer_option(function: F) -> F:
    """``--model MODEL|FORMULA``, of the verbs that score by relatedness."""
    return click.option(
        "--model",
        required=True,
        metavar="MODEL|FORMULA",
        help="A trained model, or a formula's name.",
    )(function)


def model_output_option(function: F) -> F:
    """``--output MODEL``, of the verbs that train."""
    return file_option("--output", required=True, metavar="MODEL", help="The folder to write.")(
        function
    )


def json_option(function: F) -> F:
    """``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def bm25_options(function: F) -> F:
    """``--k1`` and ``--b``."""
    for name, default in (("--b", 0.4), ("--k1", 0.9)):
        function = click.option(
            name, type=float, default=default, show_default=True, help=f"BM25's {name[2:]}."
        )(function)
    return function


def boost_options(function: F) -> F:
    """``--boost MOVE=K,…`` and ``--boost-form``; the verb gets the factors of moves as a dict."""

    @wraps(function)
    def call(boost: str | None, **rest: Any) -> Any:
        return function(factors=_factors(boost) if boost is not None else {}, **rest)

    call = click.option(
        "--boost-form",
        type=click.Choice(["sum", "product"]),
        default="sum",
        show_default=True,
        help="Weights times 1 + K times the move's score, or times K times the score.",
    )(call)
    call = click.option(
        "--boost",
        metavar="MOVE=K,...",
        help="Boost terms by the moves of the sentences that they are in.",
    )(call)
    return cast("F", call)


def _factors(text: str) -> dict[str, float]:
    """Read ``PURPOSE=0.6,CONCLUSION=0.5``."""
    from relsent_ir.citation.boost import check_factors

    factors: dict[str, float] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        move = name.strip().upper()
        try:
            factor = float(value)
        except ValueError:
            raise UsageError(
                f"cannot read --boost {part}", fix="write PURPOSE=0.6,CONCLUSION=0.5"
            ) from None
        if move in factors:
            raise UsageError(f"--boost has {move} twice")
        factors[move] = factor
    check_factors(factors)
    return factors


def evidence_option(function: F) -> F:
    """``--run NAME=FILE``, several times."""
    text = "A run from elsewhere as a feature, by a name of yours; may be repeated."
    return click.option("--run", "runs", multiple=True, metavar="NAME=FILE", help=text)(function)


class SeveralValues(click.Command):
    """A command whose `multiple` options take several values at once: ``--input A B C``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Write ``--input A B`` as ``--input A --input B`` for click."""
        several = {
            name
            for option in self.params
            if isinstance(option, click.Option) and option.multiple
            for name in option.opts
        }
        written: list[str] = []
        current = None
        for i, argument in enumerate(args):
            if argument == "--":
                written += args[i:]
                break
            if argument.startswith("-") and argument != "-":
                name = argument.partition("=")[0]
                current = name if name in several else None
            elif current and args[i - 1] != current:
                written.append(current)
            written.append(argument)
        return super().parse_args(ctx, written)


class WithDefault(click.Group):
    """A verb that needs no sub-word: arguments that begin with an option go to its first one."""

    @property
    def default(self) -> str:
        """The sub-word that is meant where none is named."""
        return next(iter(self.commands))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default sub-word before arguments that name none."""
        option = not args or args[0].startswith("-")
        if option and args[:1] not in ([name] for name in self.get_help_option_names(ctx)):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show the options of the sub-word that is meant where none is named."""
        self.commands[self.default].format_options(ctx, formatter)
        self.format_commands(ctx, formatter)


def filter_options(function: F) -> F:
    """The options whose values `read_filters` takes; the verb's class is `SeveralValues`."""
    for option in reversed(
        (
            click.option("--year", metavar="FROM:TO", help="Only of these years: 1990:2000, 1990:"),
            click.option(
                "--journal",
                "journals",
                multiple=True,
                metavar="NAME...",
                help="Only of these journals, as printed in the records.",
            ),
            click.option(
                "--publication-type",
                "publication_types",
                multiple=True,
                metavar="TYPE...",
                help="Only of these publication types, as printed in the records.",
            ),
            click.option(
                "--moves",
                metavar="MOVE,...",
                help="Only sentences with these argumentative moves.",
            ),
        )
    ):
        function = option(function)
    return function


def read_filters(
    year: str | None,
    journals: Iterable[str],
    publication_types: Iterable[str],
    moves: str | None,
) -> "Filters":
    """Make filters of what was given; without any, those that everything passes.

    A comma parts moves only: "Clinical Trial, Phase II" is one publication type.

    Raises
    ------
    UsageError
        If a year cannot be read, or a move is unknown.
    """
    from relsent_ir.lucene.read.filters import Filters

    names = (name.strip().upper() for name in moves.split(",")) if moves else ()
    return Filters(
        _years(year) if year is not None else (None, None),
        tuple(dict.fromkeys(journals)),
        tuple(dict.fromkeys(publication_types)),
        tuple(dict.fromkeys(names)),
    )


def _years(text: str) -> tuple[int | None, int | None]:
    ends = [part.strip() for part in text.split(":")]
    if len(ends) > 2 or not any(ends) or not all(e == "" or _is_year(e) for e in ends):
        raise UsageError(f"cannot read --year {text}", fix="write 1990:2000, 1990:, :2000 or 1990")
    first, last = (int(end) if end else None for end in (ends[0], ends[-1]))
    return first, last


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isascii() and text.isdecimal()


def candidates_options(function: F) -> F:
    """``--depth``, ``--run`` and ``--related``: the candidates, and what their features are of."""
    depth = click.option(
        "--depth",
        type=click.IntRange(1),
        default=1000,
        show_default=True,
        help="Candidates of a topic.",
    )
    text = "A trained model of related sentences whose scores are features.  [default: none]"
    related = file_option("--related", metavar="MODEL", help=text)
    return depth(evidence_option(related(function)))


def read_runs(given: tuple[str, ...], flag: str = "--run") -> "dict[str, Run]":
    """Read the runs of ``--run NAME=FILE``, or of another flag.

    Raises
    ------
    UsageError
        If one has no name, or two have the same.
    """
    from relsent_ir.trec import read_run

    found: dict[str, Run] = {}
    for one in given:
        name, sign, path = one.partition("=")
        if not (sign and path and name.replace("-", "").isalnum()):
            raise UsageError(f"cannot read {flag} {one}", fix=f"write {flag} dense=FILE")
        if name in found:
            raise UsageError(f"two runs of the name {name}", fix="give each a name of its own")
        found[name] = read_run(path)
    return found


def open_ranker(
    model: str | Path, runs: "dict[str, Run] | None" = None, related: Path | None = None
) -> "RankerReranker":
    """Open a ranker, with what its features need."""
    from relsent_ir.ranker.ranking import RankerReranker
    from relsent_ir.related.opening import load_related

    trained = load_related(related) if related else None
    return RankerReranker(model, runs=runs, related=trained)
