"""Options that several verbs have, spelled as Pyserini and Anserini spell them.

A verb is decorated with ``@options.index``, ``@options.count("--hits")`` and the like. Help shows a
default where there is one.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import click

from relsent_ir.cli.command import Command as Command
from relsent_ir.cli.command import Group as Group
from relsent_ir.cli.command import GroupedOption
from relsent_ir.cli.command import WithDefault as WithDefault
from relsent_ir.cli.output import FORMATS, Output, View
from relsent_ir.errors import UsageError
from relsent_ir.lucene.documents import CONDITIONS
from relsent_ir.method import is_plain

if TYPE_CHECKING:
    from relsent_ir.executor import Executor
    from relsent_ir.hits import Run
    from relsent_ir.lucene.read.filters import Filters

F = TypeVar("F", bound=Callable[..., Any])
Option = Callable[[F], F]


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


class _Plain(click.ParamType):  # type: ignore[type-arg]
    """A number as users write it, of which Python alone reads more: ``1_0``."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if isinstance(value, str) and not is_plain(value):
            self.fail(f"{value!r} is no number", param, ctx)
        return super().convert(value, param, ctx)


class _Integer(_Plain, type(click.INT)):  # type: ignore[misc]
    pass


class _Float(_Plain, type(click.FLOAT)):  # type: ignore[misc]
    pass


class _Whole(_Plain, click.IntRange):
    pass


class Finite(_Plain, click.FloatRange):
    """A number in a range, which NaN, that compares as false, does not slip through."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: D102 (click's)
        number = super().convert(value, param, ctx)
        return number if math.isfinite(number) else self.fail(f"{value} is no number", param, ctx)


KINDS: Final[dict[type, Any]] = {int: _Integer(), float: _Float(), str: str}
"""The options' types that read values of a type."""


@dataclass(frozen=True)
class Topics:
    """The topics that a user named: a file, its format (None: by content), TREC's field."""

    path: Path
    form: str | None
    field: str

    def read(self) -> dict[str, str]:
        """Read them."""
        from relsent_ir.trec import read_topics

        return read_topics(self.path, self.form, field=self.field)


def read_runs(given: tuple[str, ...], flag: str = "--run") -> "dict[str, Run]":
    """Read the runs of ``--run NAME=FILE``, or of another flag.

    Raises
    ------
    UsageError
        If one has no name, or two have the same.
    """
    from relsent_ir.trec import read_run

    runs: dict[str, Run] = {}
    for text in given:
        name, sign, path = text.partition("=")
        if not (sign and path and name.replace("-", "").isalnum()):
            raise UsageError(f"cannot read {flag} {text}", fix=f"write {flag} dense=FILE")
        if name in runs:
            raise UsageError(f"two runs of the name {name}", fix="give each a name of its own")
        runs[name] = read_run(path)
    return runs


MOST: Final = 10**9
"""The largest number that a count may be."""

TOPICS: Final = FetchedPath("topics", ".tsv")
QRELS: Final = FetchedPath("qrels", ".txt")


def together(*listed: Callable[[Any], Any]) -> Callable[[F], F]:
    """Make one decorator of several, the first of which comes first in help."""
    return lambda function: reduce(lambda made, option: option(made), reversed(listed), function)


def file(*names: str, metavar: str = "FILE", **settings: Any) -> Callable[[F], F]:
    """Take the path of a file or folder."""
    kind = settings.pop("type", click.Path(path_type=Path))
    return click.option(*names, type=kind, metavar=metavar, **settings)


def count(
    *names: str,
    least: int = 1,
    most: int | None = None,
    default: int | None = None,
    **settings: Any,
) -> Callable[[F], F]:
    """Take a whole number between two bounds."""
    kind = _Whole(least, most)
    shown = default is not None
    return click.option(*names, type=kind, default=default, show_default=shown, **settings)


def choice(
    *names: str, choices: Iterable[str], default: Any = None, **settings: Any
) -> Callable[[F], F]:
    """Take one of several words."""
    kind = click.Choice(list(choices))
    shown = default is not None
    return click.option(*names, type=kind, default=default, show_default=shown, **settings)


def _set_cache(_ctx: click.Context, _option: click.Parameter, folder: Path | None) -> None:
    from relsent_ir.lucene.memory.derived import set_cache

    set_cache(folder)


def _require_finished(_ctx: click.Context, _option: click.Parameter, required: bool) -> None:
    from relsent_ir.lucene.commits import require_finished

    require_finished(required)


def _finished(ctx: click.Context, option: click.Parameter, path: Path) -> Path:
    _require_finished(ctx, option, True)
    return path


index = together(
    file("--index", required=True, metavar="DIR", help="The collection's indexes."),
    file(
        "--cache",
        metavar="DIR",
        expose_value=False,
        callback=_set_cache,
        help="Where data derived from the index are kept.  [default: beside it if possible]",
    ),
    click.option(
        "--require-finished",
        is_flag=True,
        expose_value=False,
        callback=_require_finished,
        help="Refuse an index whose build has not ended, instead of a warning.",
    ),
)
"""``--index DIR``, ``--cache DIR`` and ``--require-finished``."""

finished_index = file(
    "--index",
    required=True,
    metavar="DIR",
    callback=_finished,
    help="The collection's indexes; their build must have ended.",
)
"""``--index DIR`` of a verb that takes only an index whose build has ended."""

unit = choice(
    "--unit", choices=["abstracts", "sentences"], default="abstracts", help="What is searched."
)
engine = choice(
    "--engine",
    choices=["auto", "lucene", "matrix"],
    default="auto",
    help="What searches; the hits are the same.",
)


def _set_heap(_ctx: click.Context, _option: click.Parameter, size: str | None) -> None:
    from relsent_ir.lucene.jvm import set_heap

    set_heap(size)


heap = click.option(
    "--heap",
    metavar="SIZE",
    expose_value=False,
    callback=_set_heap,
    help="Java's largest heap, as 512m or 4g.  [default: RELSENT_HEAP, or 1g]",
)
"""``--heap SIZE``, applied before Java starts."""

processes = count(
    "--threads",
    default=1,
    help="Processes that read, split and tag; the result is the same, however many.",
)
records_format = click.option(
    "--format",
    "form",
    cls=GroupedOption,
    group="Input",
    help="Read the files as this format.  [default: by content]",
)
connections = count(
    "--connections", most=4, default=2, help="Files of PubMed that are fetched at a time."
)
model = file(
    "--model",
    metavar="MODEL",
    help="A model's folder.  [default: the one that comes with the package]",
)
scorer = click.option(
    "--model", required=True, metavar="MODEL|FORMULA", help="A trained model, or a formula's name."
)


def _writable(_ctx: click.Context, _option: click.Parameter, path: Path) -> Path:
    from relsent_ir.models import check_target

    check_target(path)
    return path


model_output = file(
    "--output", required=True, metavar="MODEL", callback=_writable, help="The folder to write."
)
"""``--output MODEL``, refused before long work where no model can be written."""
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def named_runs(*names: str, text: str) -> Callable[[F], F]:
    """Take runs by names of the user."""
    return click.option(*names, multiple=True, metavar="NAME=FILE", help=text)


evidence = named_runs(
    *("--run", "runs"),
    text="A run from elsewhere as a feature, by a name of yours; may be repeated.",
)
candidates = together(
    count("--depth", default=1000, help="Candidates of a topic."),
    evidence,
    file(
        "--related",
        metavar="MODEL",
        help="A trained model of related sentences whose scores are features.  [default: none]",
    ),
)
"""``--depth``, ``--run`` and ``--related``: the candidates, and what their features are of."""


def filters(function: F) -> F:
    """Take ``--year``, ``--moves`` and the flags of `CONDITIONS`; the verb gets `filters`.

    The verb's class is `Command`.
    """

    @wraps(function)
    def call(year: str | None, moves: str | None, **rest: Any) -> Any:
        if moves and rest.get("unit") == "abstracts":
            raise UsageError("--moves needs --unit sentences")
        values = {name: rest.pop(name) for name in CONDITIONS}
        return function(filters=read_filters(year, moves, values), **rest)

    options = together(
        click.option("--year", metavar="FROM:TO", help="Only of these years: 1990:2000, 1990:"),
        *(
            click.option(of.flag, name, multiple=True, metavar=of.metavar, help=of.help)
            for name, of in CONDITIONS.items()
        ),
        click.option(
            "--moves",
            cls=GroupedOption,
            group="Filters",
            metavar="MOVE,...",
            help="Only sentences with these argumentative moves.",
        ),
    )
    return cast("F", options(call))


def read_filters(
    year: str | None, moves: str | None, values: Mapping[str, Iterable[str]]
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
        moves=tuple(dict.fromkeys(names)),
        **{name: tuple(dict.fromkeys(given)) for name, given in values.items()},
    )


def _years(text: str) -> tuple[int | None, int | None]:
    ends = [part.strip() for part in text.split(":")]
    if len(ends) > 2 or not any(ends) or not all(e == "" or _is_year(e) for e in ends):
        raise UsageError(f"cannot read --year {text}", fix="write 1990:2000, 1990:, :2000 or 1990")
    first, last = (int(end) if end else None for end in (ends[0], ends[-1]))
    return first, last


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isascii() and text.isdecimal()


topics_format = click.option(
    "--topics-format", metavar="FORMAT", help="Their format.  [default: by content]"
)


def topics(text: str = "The topics.", *, required: bool = False) -> Callable[[F], F]:
    """Take ``--topics``, ``--topics-format``, ``--topics-field``; the verb gets `topics`."""

    def decorate(function: F) -> F:
        @wraps(function)
        def call(
            topics: Path | None, topics_format: str | None, topics_field: str, **rest: Any
        ) -> Any:
            request = Topics(topics, topics_format, topics_field) if topics else None
            return function(topics=request, **rest)

        options = together(
            file("--topics", help=text, required=required, type=TOPICS),
            topics_format,
            click.option(
                "--topics-field",
                metavar="FIELD",
                default="title",
                help="Of TREC topics: title, desc, narr.",
            ),
        )
        return cast("F", options(call))

    return decorate


run_output = file("--output", metavar="RUN", help="The run to write.")
"""``--output RUN``, which `run` and `takes_output` take."""

runtag = click.option("--runtag", default="relsent-ir", show_default=True)


def takes_output(function: F) -> F:
    """Return a verb its ``--output``, ``--runtag`` and view as `output`."""

    @wraps(function)
    def call(output: Path | None, runtag: str, view: View | None = None, **rest: Any) -> Any:
        return function(output=Output(output, runtag, view or View()), **rest)

    return cast("F", call)


def view(function: F) -> F:
    """Take ``--format``, ``--width``, ``--no-color``, ``--json``; the verb gets `view`."""

    @wraps(function)
    def call(
        view_format: str | None, width: int | None, no_color: bool, as_json: bool, **rest: Any
    ) -> Any:
        if as_json and view_format not in (None, "json"):
            raise UsageError(f"--json and --format {view_format} exclude each other")
        form = "json" if as_json else view_format or "text"
        return function(view=View(form, width, not no_color), **rest)

    options = together(
        choice(
            "--format", "view_format", choices=FORMATS, help="How hits are shown.  [default: text]"
        ),
        count("--width", metavar="N", help="Columns of what is shown.  [default: the terminal's]"),
        click.option(
            "--no-color", is_flag=True, help="No colours; so says NO_COLOR in the environment."
        ),
        click.option("--json", "as_json", is_flag=True, help="The same as --format json."),
    )
    return cast("F", options(call))


def run(function: F) -> F:
    """Take ``--runtag``, ``--heap`` and a view, for a verb with ``--output``; it gets `output`."""
    return runtag(heap(view(takes_output(function))))


_TLS: Final = {"key": "Our key.", "cert": "Our certificate.", "ca": "Talk by TLS; the authority."}


def executor(help_text: str = "") -> Callable[[F], F]:
    """Take ``--scheduler``, ``--tls-*`` and, if it has a help text, ``--threads``.

    The verb gets an `Executor`, to be entered where its work begins.
    """

    def decorate(function: F) -> F:
        @wraps(function)
        def call(scheduler: str | None, **rest: Any) -> Any:
            threads = rest.pop("threads") if help_text else 1  # else the verb's own
            tls = [path for name in reversed(_TLS) if (path := rest.pop(f"tls_{name}"))]
            return function(executor=_executor(threads, scheduler, tls), **rest)

        options = [
            click.option(
                "--scheduler",
                metavar="ADDRESS",
                help="Work on the workers of this Dask scheduler, as 10.0.0.1:8786.",
            ),
            *(file(f"--tls-{name}", metavar="PEM", help=_TLS[name]) for name in reversed(_TLS)),
        ]
        if help_text:
            options.insert(0, count("--threads", default=1, help=help_text))
        return cast("F", together(*options)(call))

    return decorate


def _executor(threads: int, scheduler: str | None, tls: list[Path]) -> "Executor":
    from relsent_ir.cluster import Dask
    from relsent_ir.executor import SERIAL, Processes

    if scheduler is None:
        return Processes(threads) if threads > 1 else SERIAL
    if threads > 1:
        raise UsageError("--threads and --scheduler exclude each other")
    if len(tls) not in (0, len(_TLS)):
        raise UsageError("--tls-ca, --tls-cert and --tls-key go together")
    return Dask(scheduler, (tls[0], tls[1], tls[2]) if tls else None)
