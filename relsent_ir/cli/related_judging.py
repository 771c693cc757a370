"""``relsent-ir related sheet`` and ``ratings``: best matches, judged without their methods."""

from pathlib import Path
from typing import Any

import click

from relsent_ir.cli.console import print_json, print_table, print_written, progress
from relsent_ir.cli.options import file_option, heap_option, index_option, json_option
from relsent_ir.errors import OutputError, UsageError
from relsent_ir.files import atomic_writer


@click.command()
@index_option
@click.option(
    "--model",
    "models",
    multiple=True,
    required=True,
    metavar="MODEL|FORMULA",
    help="Whose best matches are judged; several times.",
)
@click.option("--sentences", type=click.IntRange(1), default=50, show_default=True, metavar="N")
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Of the draw and the order.",
)
@file_option("--output", "sheet", required=True, metavar="TSV", help="The sheet, for judges.")
@file_option("--key", required=True, metavar="TSV", help="Which method named what; not for them.")
@heap_option
@json_option
def sheet(
    index: Path,
    models: tuple[str, ...],
    sentences: int,
    seed: int,
    sheet: Path,
    key: Path,
    as_json: bool,
) -> None:
    """Write a sheet of best matches to be rated, without method or score.

    Each method names the best match of N random sentences in other records; the matches are
    shuffled, what several name stands there once. Judges fill the column rating with whole
    numbers, 0 for unrelated.
    """
    from relsent_ir.related.quality.judging import best_matches, shuffle_matches, write_sheet

    if sheet.absolute() == key.absolute():
        raise UsageError("--output and --key are the same file")
    for path in (sheet, key):
        if not path.parent.is_dir():
            raise OutputError("there is no such folder", where=path.parent)
    with progress("Matching", "methods") as tick:
        matches, texts = best_matches(index, models, sentences, seed, tick)
    named = shuffle_matches(matches, seed)
    items = write_sheet(sheet, key, named, texts)
    counts = {"sheet": str(sheet), "key": str(key), "items": items}
    told = f"{items} matches of {len(models)} methods to be rated; key: {key}"
    print_written(sheet, told, counts, as_json)


@click.command()
@file_option("--key", required=True, metavar="TSV", help="As sheet wrote it.")
@click.option(
    "-l",
    "--relevance-level",
    "level",
    type=int,
    default=1,
    show_default=True,
    help="The least rating that says related.",
)
@file_option("--plot", metavar="SVG", help="Also draw ratings and scores of each method.")
@click.argument("sheets", nargs=-1, required=True, type=click.Path(path_type=Path))
@json_option
def ratings(
    key: Path, level: int, plot: Path | None, sheets: tuple[Path, ...], as_json: bool
) -> None:
    """Put judges' SHEETS and the key together: agreement, and ratings against scores.

    Agreement is Cohen's kappa, the mean of all pairs of judges. Each method's matches are cut into
    fifths by score; "related" is what share of ratings is at or above -l, "and better" that of this
    fifth and those above it.
    """
    from relsent_ir.related.quality.judging import (
        by_score,
        draw_ratings,
        mean_kappa,
        read_key,
        read_ratings,
        related_by_method,
    )

    judges = [read_ratings(path) for path in sheets]
    named = read_key(key)
    found = related_by_method(named, judges, level)
    if plot:
        with atomic_writer(plot) as file:
            file.write(draw_ratings(named, judges).decode())
    if str(plot) == "-":  # the plot is all that is printed then
        return
    agreement = mean_kappa(judges)
    told: dict[str, Any] = {
        method: {
            "matches": len(scores),
            "related": float(shares.mean()),
            "by_score": [
                {"score": score, "related": part, "and_better": above}
                for score, part, above in by_score(scores, shares)
            ],
        }
        for method, (scores, shares) in found.items()
    }
    if as_json:
        print_json({"judges": len(judges), "kappa": agreement, "methods": told})
        return
    if agreement is not None:
        click.echo(f"kappa {agreement:.3f} ({len(judges)} judges)\n")
    rows = []
    for method, of in told.items():
        rows.append([method, "all", str(of["matches"]), f"{of['related']:.3f}", ""])
        rows += [
            ["", f"{part['score']:.4g}", "", f"{part['related']:.3f}", f"{part['and_better']:.3f}"]
            for part in of["by_score"]
        ]
    print_table(["method", "mean score", "matches", "related", "and better"], rows)
