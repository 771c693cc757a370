"""Options, spelled as in Pyserini and Anserini, written as defaults of a verb's parameters.

::

    @options.verb()
    def command(
        index: Path = options.index,
        seed: int = options.count("Of the draw.", default=0, least=0),
    ) -> None:

An option is the default of the parameter that gets its value. Unless a flag is given, its name is
that of the parameter. A line of help follows, which shows the default if there is one. Options such
as `filters`, which build one value from several flags, work in the same way.
"""

import importlib
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args

import click

from relsent_ir.cli.command import Command as Command
from relsent_ir.cli.command import Group as Group
from relsent_ir.cli.command import Option as Option
from relsent_ir.cli.command import WithDefault as WithDefault
from relsent_ir.cli.output import FORMATS, Display, Outcome, Output
from relsent_ir.errors import UsageError
from relsent_ir.lucene.read.filters import CONDITIONS, Filters
from relsent_ir.method import is_plain

if TYPE_CHECKING:
    from relsent_ir.executor import Executor

F = TypeVar("F", bound=Callable[..., Any])


class FetchedPath(click.Path):
    """A file, or the name of a collection whose file ``relsent-ir fetch`` has written here.

    ``cystic-fibrosis`` means ``topics/cystic-fibrosis.tsv``, unless a file has this name;
    ``irds:NAME`` means what ir_datasets has on this machine.
    """

    def __init__(self, folder: str, suffix: str) -> None:
        super().__init__(path_type=Path)
        self._folder, self._suffix = folder, suffix

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: D102 (click's)
        if str(value).startswith("irds:"):
            from relsent_ir.datasets.irds import file_of

            return file_of(str(value), self._folder)
        path = super().convert(value, param, ctx)
        fetched = Path(self._folder, f"{value}{self._suffix}")
        is_name = Path(value).name == str(value) and not Path(value).exists()
        return fetched if is_name and fetched.is_file() else path


class _Plain(click.ParamType):  # type: ignore[type-arg]
    """A number as users write it; Python would also read forms like ``1_0``."""

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
    """A number in a range; NaN, for which comparisons are false, is refused too."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: D102 (click's)
        number = super().convert(value, param, ctx)
        return number if math.isfinite(number) else self.fail(f"{value} is no number", param, ctx)


class _Words(click.ParamType):  # type: ignore[type-arg]
    """A text with at least one letter or digit."""

    name = "text"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if not any(map(str.isalnum, value)):
            self.fail(f"{value!r} has neither letter nor digit", param, ctx)
        return value


WORDS: Final = _Words()

KINDS: Final[dict[type, Any]] = {int: _Integer(), float: _Float(), str: str}
"""The types of options, by the type of the values that they read."""


@dataclass(frozen=True)
class Topics:
    """A file of topics, its format (None to recognise it by content), and TREC's field."""

    path: Path
    form: str | None
    field: str = "title"

    def read(self) -> dict[str, str]:
        """Read the topics."""
        from relsent_ir.trec.topics import read_topics

        return read_topics(self.path, self.form, field=self.field)


PATH: Final = click.Path(path_type=Path)
COUNT_MAX: Final = 10**9
"""The largest value of a count."""

TOPICS: Final = FetchedPath("topics", ".tsv")
QRELS: Final = FetchedPath("qrels", ".txt")


@dataclass(frozen=True)
class Declared:
    """Options that together give a single value.

    Attributes
    ----------
    make : callable
        Takes the name of the parameter that gets the value, and the function to decorate.
    """

    make: Callable[[str, Any], Any]


def declare(target: Callable[..., Any], declared: Mapping[str, Any]) -> Callable[..., Any]:
    """Decorate a function with the options in its parameters' defaults, in order."""
    for name, default in reversed(list(declared.items())):
        if isinstance(default, Declared):
            target = default.make(name, target)
    return target


def verb(group: click.Group | None = None, name: str | None = None) -> Callable[[Any], Command]:
    """Create a verb from a function whose parameters are options; the docstring is its help.

    If the function returns an `Outcome`, the verb also has ``--json``.

    Parameters
    ----------
    group : click.Group, optional
        The verb of which it is a sub-word.
    name : str, optional
        The name of the verb; by default that of the function.
    """

    def decorate(function: Callable[..., Any]) -> Command:
        signature = inspect.signature(function)
        declared = {key: parameter.default for key, parameter in signature.parameters.items()}
        result = signature.return_annotation

        @wraps(function)
        def show(*context: click.Context, as_json: bool, **values: Any) -> None:
            if outcome := function(*context, **values):
                outcome.show(as_json=as_json)

        shown = Outcome in (result, *get_args(result))
        if shown:
            declared["as_json"] = as_json
        target = declare(show if shown else function, declared)
        command = click.command(name, cls=Command)(target)
        if group:
            group.add_command(command)
        return command

    return decorate


def grouped(make: Callable[..., Any], **options: Any) -> Any:
    """Build a single value from several options with a function that takes them by name."""

    def decorate(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(**values: Any) -> Any:
            parts = {part: values.pop(f"{name}__{part}") for part in options}
            return function(**{name: make(**parts)}, **values)

        return declare(call, {f"{name}__{part}": of for part, of in options.items()})

    return Declared(decorate)


def option(*words: str, **settings: Any) -> Any:
    """Declare an option with a text, or with a value described by click's settings.

    Parameters
    ----------
    *words : str
        Flags, and one line of help; without a flag, the parameter's name becomes the flag.
    **settings
        Settings of `relsent_ir.cli.command.Option`.
    """
    flags = [word for word in words if word.startswith("-")]
    text = next((word for word in words if word not in flags), None)

    def decorate(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        spelled = flags or [f"--{name.rpartition('__')[2].replace('_', '-')}"]
        return click.option(*spelled, name, cls=Option, help=text, **settings)(function)

    return Declared(decorate)


def argument(metavar: str, **settings: Any) -> Any:
    """Declare arguments without a flag; by default they are paths."""
    settings.setdefault("type", PATH)
    declared = partial(click.argument, metavar=metavar, **settings)
    return Declared(lambda name, function: declared(name)(function))


def flag(*words: str, **settings: Any) -> Any:
    """Declare a switch."""
    return option(*words, is_flag=True, **settings)


def file(*words: str, metavar: str = "FILE", **settings: Any) -> Any:
    """Declare an option with the path of a file or folder."""
    settings.setdefault("type", PATH)
    return option(*words, metavar=metavar, **settings)


def files(*words: str, metavar: str = "PATH...", **settings: Any) -> Any:
    """Declare an option with the paths of several files or folders."""
    return file(*words, metavar=metavar, multiple=True, **settings)


def count(
    *words: str,
    least: int = 1,
    most: int | None = None,
    default: int | None = None,
    **settings: Any,
) -> Any:
    """Declare an option with a whole number between two bounds."""
    kind, shown = _Whole(least, most), default is not None
    return option(*words, type=kind, default=default, show_default=shown, **settings)


def choice(*words: str, choices: Iterable[str], default: Any = None, **settings: Any) -> Any:
    """Declare an option with one of several words."""
    kind, shown = click.Choice(list(choices)), default is not None
    return option(*words, type=kind, default=default, show_default=shown, **settings)


def _given_to(place: str, *, always: bool = True) -> Callable[..., Any]:
    """Return a callback that passes an option's value to a function, which is imported then."""

    def callback(_ctx: click.Context, _option: click.Parameter, value: Any) -> Any:
        module, _, name = place.rpartition(".")
        if value is None and not always:
            return value
        getattr(importlib.import_module(f"relsent_ir.{module}"), name)(value)
        return value

    return callback


_heap = click.option(
    "--heap",
    metavar="SIZE",
    expose_value=False,
    callback=_given_to("lucene.jvm.set_heap"),
    help="Java's largest heap, as 512m or 4g.  [default: RELSENT_HEAP, or 1g]",
)


def heap(declared: Any) -> Any:
    """Add ``--heap SIZE`` after an option, and apply it before Java starts."""
    return Declared(lambda name, function: declared.make(name, _heap(function)))


def folder(*words: str, **settings: Any) -> Any:
    """Declare the folder of an index, and ``--heap``."""
    return heap(file(*(words or ("The collection's indexes.",)), metavar="DIR", **settings))


_AS_OPENED: Final = (
    click.option(
        "--cache",
        type=PATH,
        metavar="DIR",
        expose_value=False,
        callback=_given_to("files.set_cache"),
        help="Where data derived from the index are kept.  [default: beside it if possible]",
    ),
    click.option(
        "--ca",
        type=PATH,
        metavar="FILE",
        expose_value=False,
        callback=_given_to("opensearch.client.set_ca", always=False),
        help="Certificates to trust, of a cluster.  [default: the well-known ones]",
    ),
    click.option(
        "--search-type",
        type=click.Choice(["dfs_query_then_fetch", "query_then_fetch"]),
        expose_value=False,
        callback=_given_to("opensearch.client.set_search_type", always=False),
        help="A cluster counts terms in all shards, which is exact, or in each, which is faster.  "
        "[default: the first]",
    ),
    click.option(
        "--require-finished",
        is_flag=True,
        expose_value=False,
        callback=_given_to("lucene.commits.require_finished"),
        help="Refuse an index whose build has not ended, instead of a warning.",
    ),
)


def _index(name: str, function: Callable[..., Any]) -> Any:
    for add in reversed(_AS_OPENED):
        function = add(function)
    return folder(required=True).make(name, function)


index: Any = Declared(_index)
"""The options ``--index DIR``, ``--cache DIR``, ``--require-finished`` and ``--heap``."""
unit = choice("What is searched.", choices=["abstracts", "sentences"], default="abstracts")
engine = choice(
    "What searches; the hits are the same.", choices=["auto", "lucene", "matrix"], default="auto"
)
processes = count(
    "--threads",
    "Processes that read, split and tag; the result is the same, however many.",
    default=1,
)
records = files("Files and folders of records, in any mixture of formats.", "--input")
records_format = grouped(
    lambda form, names: f"{form or ''}:{names}" if names else form,
    form=option("--format", "Read the files as this format.  [default: by content]", group="Input"),
    names=option(
        "--map",
        "The names that the files have for fields: id=No,abstract=Summary.",
        metavar="FIELD=NAME,...",
    ),
)
"""The options ``--format`` and ``--map``: the name of a format with its map, or None."""
connections = count("Files of PubMed that are fetched at a time.", most=4, default=2)
model = file("A model's folder.  [default: the one that comes with the package]", metavar="MODEL")


def matcher(text: str) -> Any:
    """Declare ``--model``, a model or formula of related sentences; default: the packaged."""
    shown = {"default": "huber-plus", "show_default": True}
    return option("--model", text, metavar="MODEL|FORMULA", **shown)


model_output = file(
    "--output",
    "The folder to write.",
    required=True,
    metavar="MODEL",
    callback=_given_to("models.check_target"),
)
"""The option ``--output MODEL``, refused before long work if the model cannot be written."""
as_json = flag("--json", "Print JSON.")


evidence = option(
    "--run",
    "A run from elsewhere as a feature, by a name of yours; may be repeated.",
    multiple=True,
    metavar="NAME=FILE",
)
depth = count("Candidates of a topic.", default=1000)
related_model = file(
    "--related",
    "A trained model of related sentences whose scores are features.  [default: none]",
    metavar="MODEL",
)


filters = grouped(
    Filters.read,
    year=option("Only of these years: 1990:2000, 1990:", metavar="FROM:TO"),
    **{
        name: option(of.flag, of.help, multiple=True, metavar=of.metavar, group="Filters")
        for name, of in CONDITIONS.items()
    },
    no_retracted=flag("No retracted publications.", group="Filters"),
    moves=option(
        "Only sentences with these argumentative moves.", group="Filters", metavar="MOVE,..."
    ),
)
"""The options ``--year``, ``--moves`` and the flags of `CONDITIONS`, which give `Filters`."""

FILTERS: Final = " ".join(
    ["--year --moves --no-retracted", *(of.flag for of in CONDITIONS.values())]
)
"""The flags of `filters`."""

topics_format = option(
    "--topics-format", "Their format.  [default: by content]", metavar="FORMAT", needs="--topics"
)


def topics(text: str = "The topics.", **settings: Any) -> Any:
    """Declare ``--topics``, ``--topics-format`` and ``--topics-field``: `Topics`, or None."""
    return grouped(
        lambda topics, form, field: Topics(topics, form, field) if topics else None,
        topics=file("--topics", text, type=TOPICS, **settings),
        form=topics_format,
        field=option(
            "--topics-field",
            "Of TREC topics: title, desc, narr.",
            metavar="FIELD",
            default="title",
            needs="--topics",
        ),
    )


qrels = file("Judgements.", metavar="QRELS", type=QRELS)


def _view(view_format: str | None, width: int | None, no_color: bool, as_json: bool) -> Display:
    if as_json and view_format not in (None, "json"):
        raise UsageError(f"--json and --format {view_format} exclude each other")
    return Display("json" if as_json else view_format or "text", width, not no_color)


view = grouped(
    _view,
    view_format=choice("--format", "How hits are shown.  [default: text]", choices=FORMATS),
    width=count("Columns of what is shown.  [default: the terminal's]", metavar="N"),
    no_color=flag("No colours; so says NO_COLOR in the environment."),
    as_json=flag("--json", "The same as --format json."),
)
"""The options ``--format``, ``--width``, ``--no-color`` and ``--json``, which give a `Display`."""
run = grouped(
    Output,
    path=file("--output", "The run to write.", metavar="RUN"),
    tag=option("--runtag", default="relsent-ir", show_default=True),
    view=view,
    settings=file("--save-settings", "Write the method in one line, for --settings."),
)
"""The options ``--output``, ``--runtag``, a view and ``--save-settings``: an `Output`."""

_TLS: Final = {"ca": "Talk by TLS; the authority.", "cert": "Our certificate.", "key": "Our key."}


def executor(text: str = "", needs: str = "") -> Any:
    """Declare ``--scheduler``, ``--tls-*`` and, with a help text, ``--threads``: an `Executor`.

    Enter the executor where the work starts.
    """
    threads = {"threads": count(text, default=1)} if text else {}
    return grouped(
        open_executor,
        **threads,
        scheduler=option(
            "Work on the workers of this Dask scheduler, as 10.0.0.1:8786.",
            metavar="ADDRESS",
            needs=needs,
        ),
        **{f"tls_{name}": file(text, metavar="PEM") for name, text in _TLS.items()},
    )


def open_executor(scheduler: str | None, threads: int = 1, **tls: Path | None) -> "Executor":
    """Return the executor: processes of this machine, or the workers of a scheduler."""
    from relsent_ir.executor import SERIAL, Processes

    if scheduler is None:
        return Processes(threads) if threads > 1 else SERIAL
    from relsent_ir.cluster import Dask

    if threads > 1:
        raise UsageError("--threads and --scheduler exclude each other")
    given = [path for path in tls.values() if path]
    if len(given) not in (0, 3):
        raise UsageError("--tls-ca, --tls-cert and --tls-key go together")
    return Dask(scheduler, (given[0], given[1], given[2]) if given else None)
