"""The page of Tbahriti et al. 2004: its tables beside ours."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from relsent_ir.experiments.citation_study import PEER, Study, set_means
from relsent_ir.experiments.citation_systems import STEPS, Measured
from relsent_ir.experiments.tables import table
from relsent_ir.moves import MOVES
from relsent_ir.trec.significance import holm, paired_t
from relsent_ir.typing import Floats

PAPER_3: Final = {
    ("atc.atn", False): (0.1402, 0.1417, 0.1438, 0.1476, 0.1433),
    ("atc.atn", True): (0.1440, 0.1431, 0.1477, 0.1465, 0.1452),
    ("ltc.atn", False): (0.1505, 0.1528, 0.1506, 0.1529, 0.1517),
    ("ltc.atn", True): (0.1524, 0.1534, 0.1530, 0.1539, 0.1532),
}
PAPER_4: Final = {"PURPOSE": 62.5, "METHODS": 16.4, "RESULTS": 17.6, "CONCLUSION": 56.0}
PAPER_5: Final = {
    "none": (0.1532, 0.2080, 0.1840),
    "PURPOSE": (0.1593, 0.2240, 0.1760),
    "CONCLUSION": (0.1584, 0.2160, 0.1920),
    "both": (0.1616, 0.2320, 0.1960),
}
BASELINE: Final = "ltc.atn + T"
COMBINATION: Final = "PURPOSE and CONCLUSION, S·k"


@dataclass
class Found:
    """What was measured on a collection."""

    name: str
    study: Study
    weightings: dict[tuple[str, bool], Measured]
    moves: dict[str, Measured]
    systems: dict[str, Measured] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    fields: dict[str, Measured] = field(default_factory=dict)


def opening(phrases: int) -> str:
    """Say what the page is about; `phrases` is the thesaurus's size."""
    return f"""# Similar citations

Written by `relsent-ir reproduce tbahriti-2004`. docs/citation.md describes the methods. A topic is
a record (title, abstract, MeSH), its targets are the ten records that share the most references
with it. Four sets of 25 topics, drawn with seed 0 from the records that have ten targets and a
sentence of every move, as the paper's. What is tuned is tuned on one set and measured on the three
others, each set in turn; a topic's value is the mean over the three tunings that it was no part of.
P values are of the paired t test over the topics, Holm's correction over the rows of a table.

The moves are those of the package's CRF. The thesaurus (T) is made of the MeSH headings that the
collections' records have ({phrases:,} phrases, no synonyms: NLM's file is not among the data;
`Thesaurus.read` takes it). The paper's collection (12,500 records on small peptides, 3,200 with
references) is not public: its figures stand beside ours for their order and proportions, not their
height.
"""


def section(found: Found, wide: Found) -> str:
    """Write what was found on a collection, on the paper's sets and on all candidates."""
    summary = found.study.benchmark.summary
    census = summary["census"]
    references, most = summary["references_of_a_record"], summary["most_shared_of_a_record"]
    partners, shared = summary["partners_of_a_topic"], summary["shared_of_a_target"]
    return f"""## {found.name}

{census["records"]} records, {census["with_references"]} with references; {census["references"]}
references to {census["works"]} works, {census["inside"]} of them to records of the collection
(left out: {census["duplicates"]} duplicates, {census["to_itself"]} of a record to itself). A target
shares {summary["plan"]["min_shared"]} or more; {summary["candidates"]} records can be topics.

{
        table(
            ["", "mean", "sd", "95 % interval", "paper"],
            [
                _spread("references of a record", references, "28.30 ± 24.15 (27.47 to 29.13)"),
                _spread(
                    "most references shared with another record",
                    most,
                    "7.79 ± 6.99 (7.55 to 8.03): co-citations",
                ),
                _spread(
                    "records that share as much with a topic", partners, "15.70 ± 6.58: more than 9"
                ),
                _spread("references shared with a target", shared, ""),
            ],
        )
    }
### Table 3: weighting (document.query), MAP of the sets

{_table_3(found)}
### Table 4: queries of one move

{_table_4(found)}
### Table 5: boosting, peers, ours

Under S·k the weights are the paper's W·S·k; 1 + S·k is ours. The column "p, base" compares with
{BASELINE}, "p, both" with the paper's combination ({COMBINATION}).

{_table_5(found)}
{_tuned(found)}
{_verdict(found)}
### Boosting, on all candidates

With 25 topics to tune on and 75 to measure on, a difference of a few percent cannot be told from
chance. The same, tuned and measured on all candidates in four sets of
{len(wide.study.sets[0])} (moves may be missing, and a test has that many more topics):

{_table_5(wide)}
{_tuned(wide)}
{_wide_verdict(wide)}
![MAP against k]({plot_name(found.name)}.svg)

### BM25 by the topic's fields

{len(next(iter(found.fields.values()))["map"])} records with five targets or more, at most ten of
them counted; BM25 with Anserini's k1 0.9, b 0.4.

{
        table(
            ["", "MAP", "P@5", "P@10"],
            [[name, *_means(values)] for name, values in found.fields.items()],
        )
    }"""


def _spread(label: str, found: dict[str, float], paper: str) -> list[str]:
    interval = f"{found['low']:.2f} to {found['high']:.2f}"
    return [label, f"{found['mean']:.2f}", f"{found['sd']:.2f}", interval, paper]


def _means(values: Measured) -> list[str]:
    return [f"{float(some.mean()):.4f}" for some in values.values()]


def _table_3(found: Found) -> str:
    rows = []
    base = found.weightings["ltc.atn", False]["map"]
    others = [key for key in found.weightings if key != ("ltc.atn", False)]
    p = dict(
        zip(
            others,
            holm([paired_t(found.weightings[key]["map"], base) for key in others]),
            strict=True,
        )
    )
    for (scheme, thesaurus), values in found.weightings.items():
        label = f"{scheme} + T" if thesaurus else scheme
        paper = PAPER_3.get((scheme, thesaurus))
        ours = [f"{x:.4f}" for x in (*set_means(found.study, values), values["map"].mean())]
        told = f"{p[scheme, thesaurus]:.3f}" if (scheme, thesaurus) in p else ""
        theirs = [f"{x:.4f}" for x in paper] if paper else ["–"] * 5
        rows.append([label, *ours, told, *theirs])
    sets = ["1", "2", "3", "4", "mean"]
    header = ["", *sets, "p, ltc.atn", *(f"paper: {name}" for name in sets)]
    return table(header, rows)


def _table_4(found: Found) -> str:
    base = found.systems[BASELINE]["map"].mean()
    order = sorted(MOVES, key=lambda move: -found.moves[move]["map"].mean())
    rows = []
    for move in order:
        values = found.moves[move]["map"]
        told = "" if move == order[0] else f"{paired_t(values, found.moves[order[0]]['map']):.3f}"
        share = 100 * values.mean() / base
        rows.append(
            [move, f"{values.mean():.4f}", f"{share:.1f} %", told, f"{PAPER_4[move]:.1f} %"]
        )
    header = ["", "MAP", f"of {BASELINE}", f"p, {order[0]}", "paper: of its baseline"]
    theirs = sorted(MOVES, key=lambda move: -PAPER_4[move])
    return (
        table(header, rows)
        + f"\nThe order of usefulness: {', '.join(order)}; the paper's: {', '.join(theirs)}.\n"
    )


def _table_5(found: Found) -> str:
    base = found.systems[BASELINE]
    both = found.systems[COMBINATION]
    names = [name for name in found.systems if name != BASELINE]
    against_base = _corrected(found, names, base["map"])
    compared = [name for name in names if name != COMBINATION]
    against_both = _corrected(found, compared, both["map"])
    paper = {
        BASELINE: PAPER_5["none"],
        "PURPOSE, S·k": PAPER_5["PURPOSE"],
        "CONCLUSION, S·k": PAPER_5["CONCLUSION"],
        COMBINATION: PAPER_5["both"],
    }
    rows = []
    for name, values in found.systems.items():
        change = 100 * (values["map"].mean() / base["map"].mean() - 1)
        theirs = paper.get(name) if found.name else None
        rows.append(
            [
                name,
                *_means(values),
                *(f"{x:.4f}" for x in set_means(found.study, values)),
                "" if name == BASELINE else f"{change:+.1f} %",
                against_base.get(name, ""),
                against_both.get(name, ""),
                " ".join(f"{x:.4f}" for x in theirs) if theirs else "",
            ]
        )
    header = ["", "MAP", "P@5", "P@10", "1", "2", "3", "4", "MAP ±", "p, base", "p, both"]
    if not found.name:
        return table(header, [row[:-1] for row in rows])
    return table([*header, "paper: MAP P@5 P@10"], rows)


def _corrected(found: Found, names: Sequence[str], base: Floats) -> dict[str, str]:
    values = holm([paired_t(found.systems[name]["map"], base) for name in names])
    return {name: _p(p) for name, p in zip(names, values, strict=True)}


def _p(value: float) -> str:
    return f"{value:.4f}" if value >= 0.0001 else "< 0.0001"


def _tuned(found: Found) -> str:
    rows = [f"- {label}: {note}" for label, note in found.notes.items()]
    return "Chosen on sets 1, 2, 3, 4:\n\n" + "\n".join(rows) + "\n"


def _verdict(found: Found) -> str:
    """Say what the tests say, whichever way."""
    both, base = found.systems[COMBINATION]["map"], found.systems[BASELINE]["map"]
    ours = found.systems["Learned: all"]["map"]
    huber = found.systems["Learned: Huber sentences"]["map"]
    lines = [
        _claim("The paper's tuned combination", both, "the unboosted baseline", base),
        _claim("The learned combination of all", ours, "the paper's combination", both),
        _claim("Huber sentence matching", huber, "the paper's combination", both),
    ]
    return "\n".join(f"- {line}" for line in lines) + "\n"


def _wide_verdict(wide: Found) -> str:
    base = wide.systems[BASELINE]["map"]
    added = wide.systems[COMBINATION.replace("S·k", "1 + S·k")]["map"]
    both = wide.systems[COMBINATION]["map"]
    lines = [
        _claim("The paper's tuned combination", both, "the unboosted baseline", base),
        _claim("The same with 1 + S·k", added, "the unboosted baseline", base),
        _claim("The same with 1 + S·k", added, "the paper's combination", both),
    ]
    return "\n".join(f"- {line}" for line in lines) + "\n"


def _claim(what: str, a: Floats, other: str, b: Floats) -> str:
    p = paired_t(a, b)
    verb = "beats" if a.mean() > b.mean() else "does not beat"
    sure = "significant at 0.05" if p < 0.05 else "not significant"
    return f"{what} {verb} {other}: {a.mean():.4f} against {b.mean():.4f}, p {_p(p)}, {sure}."


def plot_name(name: str) -> str:
    """Name a collection's plot."""
    return f"tbahriti-2004-{name}"


def closing(pairs: int) -> str:
    """Say what it comes to, and the settings; `pairs` are those of the Huber model."""
    steps = ", ".join(f"{k:g}" for k in STEPS)
    return f"""## What it comes to, and why, as we think

- The moves differ in use as in the paper on its kind of collection, but far less: METHODS and
  RESULTS alone find more than half of what the whole article finds, not a sixth. The abstracts here
  are longer, and trials that share references share their methods, which are the best move there.
- Boosting: "with hindsight" is the best that any factor of the grid could reach on all topics, one
  to two percent above the baseline. Twenty-five topics are too few to find it: the factors chosen
  on the four sets differ widely. Three attempts were made: the paper's form, a form that takes no
  weight away, and sets as large as the collection allows.
- Linear weights of the moves alone change little too: the words of an article's moves are mostly
  the same words. What helps brings in words that the topic lacks (latent dimensions, the nearest
  articles, sentence relatedness learned elsewhere), and several opinions.
- pmra has the parameters that were tuned on MEDLINE as PubMed indexes it; a collection of one
  subject, stemmed, of other lengths, is not what they were made for. They were not tuned here.

## Settings

Seed 0 everywhere. k from {steps}; for two moves all pairs. BM25
and "more like this": k1 {PEER.k1}, b {PEER.b}, not tuned. The Huber model: {pairs:,} positive pairs
of the abstracts collection, which knows nothing of references; it compares the sentences of the
topic with those of BM25's first hundred. The features of "Learned: all" were chosen with these
collections in view (their weights were not); "whole articles" and "all" are close.
"""
