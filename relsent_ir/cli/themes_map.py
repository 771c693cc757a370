"""``relsent-ir themes map``: the themes that cover a collection, and where they overlap."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli.console import SeveralValues, print_json, print_table, progress
from relsent_ir.cli.options import file_option, heap_option, index_option, json_option
from relsent_ir.cli.theme_options import parameter_options, read_parameters

if TYPE_CHECKING:
    from relsent_ir.themes import ThemeMap

_SHOWN = 10  # overlaps


@click.command("map", cls=SeveralValues)
@index_option
@click.option(
    "--count", type=click.IntRange(2), default=12, show_default=True, help="Themes to find."
)
@click.option(
    "--terms", type=click.IntRange(1), default=10, show_default=True, help="Of each theme."
)
@file_option("--output", metavar="SVG", help="Draw the map.")
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Of what is drawn by chance.",
)
@click.option("--threads", type=click.IntRange(1), help="Themes found at once.  [default: all]")
@parameter_options
@heap_option
@json_option
def map_command(
    index: Path,
    count: int,
    terms: int,
    output: Path | None,
    seed: int,
    threads: int | None,
    as_json: bool,
    **parameters: Any,
) -> None:
    """Map a collection: themes that cover it, their names, and where they overlap.

    Kernels are chosen so that each stands for most of what the others leave out. As many records
    are expected on each theme as the collection has for each, if --size says nothing else.
    """
    from relsent_ir.files import atomic_writer
    from relsent_ir.lucene.read.index import Index
    from relsent_ir.themes import draw_map, map_themes

    settings, chosen = read_parameters(**parameters)
    if parameters["size"] is None and settings.size:
        with Index(index) as opened:
            settings = replace(settings, size=max(1.0, len(opened) / count))
    with progress("Themes", "themes") as tick:
        found = map_themes(
            index,
            count,
            settings=settings,
            terms=chosen,
            labels=terms,
            seed=seed,
            threads=threads,
            progress=tick,
        )
    if output:
        with atomic_writer(output) as file:
            file.write(draw_map(found))
    if str(output) == "-":  # the map is all that is printed then
        return
    if as_json:
        print_json(found.to_json())
    else:
        _show(found)


def _show(found: "ThemeMap") -> None:
    click.echo(
        f"{len(found.themes)} themes, {100 * found.coverage:.0f} % of {found.records:,} records on "
        f"some; topic diversity {found.diversity:.2f}, NPMI {_figure(found.coherence)}, held out "
        f"{found.held_out:+.2f}\n"
    )
    rows = [
        [
            f"{number:>2} {theme.name}",
            theme.kernel,
            f"{theme.own:,}",
            f"{theme.likely:,}",
            _figure(theme.coherence),
            f"{theme.held_out:+.2f}",
        ]
        for number, theme in enumerate(found.themes, 1)
    ]
    print_table(["", "kernel", "own", "likely", "NPMI", "held out"], rows)
    number = {theme.kernel: str(i) for i, theme in enumerate(found.themes, 1)}
    pairs = found.to_json()["overlaps"][:_SHOWN]
    told = [
        f"{' and '.join(number[name] for name in pair['kernels'])} {100 * pair['overlap']:.0f} %"
        for pair in pairs
    ]
    click.echo(f"\noverlaps: {', '.join(told) or 'none'}")


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
