"""Similar citations: the tables of Tbahriti et al. 2004 beside ours.

References
----------
I. Tbahriti, C. Chichester, F. Lisacek, P. Ruch. Using argumentation to retrieve articles with
similar citations from MEDLINE. NLPBA/BioNLP 2004: Tables 3 to 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from relsent_ir.citation.benchmark import Plan
from relsent_ir.citation.documents import FIELDS, topic_text
from relsent_ir.citation.thesaurus import Thesaurus
from relsent_ir.collection import read_records
from relsent_ir.experiments.citation_study import PEER, Collection, Floats, Study, set_means
from relsent_ir.experiments.citation_systems import (
    BOTH,
    LEARNED,
    STEPS,
    Boosts,
    Measured,
    learned,
    moves_alone,
    peers,
    weighting,
)
from relsent_ir.experiments.indexes import FILES, collection_index
from relsent_ir.experiments.plots import plot
from relsent_ir.experiments.request import Page, Request, data_path
from relsent_ir.experiments.tables import table
from relsent_ir.lucene.index import Index
from relsent_ir.lucene.search import Searcher
from relsent_ir.moves import MOVES
from relsent_ir.related import Model, load_model, save_model
from relsent_ir.related.training import train
from relsent_ir.trec.significance import holm, paired_t

COLLECTIONS: Final = {"cystic-fibrosis": 2, "rct": 1}
"""What a target must share with its topic, at least."""
PAIRS: Final = 60_000
HUBER: Final = "huber-60000"
SCHEMES: Final = ("ltc.atn", "atc.atn", "atn.ltc", "atn.atc")
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


def run(request: Request) -> Page:
    """Build the benchmark on each collection, and measure every system on it."""
    steps = _Steps(request)
    thesaurus = Thesaurus.of_headings(
        record
        for file in (*FILES["abstracts"], *FILES["cystic-fibrosis"])
        for record in read_records(data_path(file))
    )
    model = _huber(request)
    plots: dict[str, bytes] = {}
    parts = [_opening(len(thesaurus.phrases))]
    for name, min_shared in COLLECTIONS.items():
        cited = [record for file in FILES[name] for record in read_records(data_path(file))]
        folder = collection_index(request, name)
        with Index(folder) as abstracts, Index(folder, "sentences") as sentences:
            collection = Collection.read(abstracts, sentences, thesaurus, cited)
            found, boosts = _measure(name, collection, abstracts, min_shared, model, steps)
            wide = _wide(collection, min_shared, steps)
        parts.append(_section(found, wide))
        _draw(plots, name, boosts)
    parts.append(_closing())
    return Page("\n".join(parts), plots)


class _Steps:
    """Counts what is done."""

    def __init__(self, request: Request) -> None:
        self._progress, self._done = request.progress, 0

    def __call__(self) -> None:
        self._done += 1
        self._progress(self._done, None)


def _huber(request: Request) -> Model:
    """Open the model of related sentences; train it on the abstracts collection if need be."""
    path: Path = request.indexes / HUBER
    if not (path / "model.json").exists():
        with Index(collection_index(request, "abstracts")) as index:
            save_model(train(index, "huber", pairs=PAIRS, command="reproduce tbahriti-2004"), path)
    return load_model(path)


def _measure(
    name: str,
    collection: Collection,
    abstracts: Index,
    min_shared: int,
    model: Model,
    steps: _Steps,
) -> tuple[Found, Boosts]:
    """Measure everything on four sets of 25 topics that have a sentence of every move."""
    study = Study.build(collection, Plan(min_shared=min_shared), all_moves=True)
    found = Found(
        name,
        study,
        {(scheme, t): weighting(study, scheme, t) for scheme in SCHEMES for t in (False, True)},
        moves_alone(study),
    )
    found.systems[BASELINE] = found.weightings["ltc.atn", True]
    boosts = Boosts(study, steps)
    _add_boosts(found, boosts)
    found.systems.update(peers(study, abstracts))
    features = study.features(abstracts, model)
    for label, names in LEARNED.items():
        found.systems[label], fitted = learned(study, features, names)
        found.notes[label] = "C " + ", ".join(f"{one.strength:g}" for one in fitted)
    everyone = Study.build(
        collection, Plan(queries=1, sets=1, least=5, min_shared=min_shared), all_moves=False
    )
    found.fields = _fields(collection, abstracts, everyone, min_shared)
    steps()
    return found, boosts


def _add_boosts(found: Found, boosts: Boosts) -> None:
    rows = [("PURPOSE",), ("CONCLUSION",), BOTH, ("METHODS",), ("RESULTS",)]
    for form, sign in (("product", "S·k"), ("sum", "1 + S·k")):
        for moves in rows:
            label = f"{' and '.join(moves)}, {sign}"
            found.systems[label], chosen = boosts.tuned(form, moves)
            best, factors = boosts.best(form, moves)
            each = "; ".join(" ".join(f"{k:g}" for k in some.values()) for some in chosen)
            top = " ".join(f"{k:g}" for k in factors.values())
            found.notes[label] = f"k {each}; with hindsight {top}: {best:.4f}"


def _wide(collection: Collection, min_shared: int, steps: _Steps) -> Found:
    """Boost the topics of all candidates, cut into four sets."""
    small = Study.build(collection, Plan(queries=1, sets=1, min_shared=min_shared), all_moves=False)
    size = int(small.benchmark.summary["candidates"]) // 4
    study = Study.build(collection, Plan(queries=size, min_shared=min_shared), all_moves=False)
    found = Found("", study, {}, {})
    found.systems[BASELINE] = weighting(study, "ltc.atn", thesaurus=True)
    _add_boosts(found, Boosts(study, steps))
    return found


def _fields(
    collection: Collection, abstracts: Index, some: Study, min_shared: int
) -> dict[str, Measured]:
    """Search BM25 for the fields of all records with five targets or more."""
    candidates = int(some.benchmark.summary["candidates"])
    study = Study.build(
        collection,
        Plan(queries=candidates, sets=1, least=5, min_shared=min_shared),
        all_moves=False,
    )
    found = {}
    kinds = (FIELDS, ("title", "abstract"), ("abstract",), ("mesh",), ("title",))
    searcher = Searcher(abstracts)
    for kept in kinds:
        topics = {n: topic_text(collection.records[n], kept) for n in study.topics}
        hits = searcher.search(topics, 1001)
        without = {topic: some.without(topic).head(1000) for topic, some in hits.items()}
        if any(map(len, without.values())):
            found[" + ".join(kept)] = study.measure(without)
    return found


def _opening(phrases: int) -> str:
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


def _section(found: Found, wide: Found) -> str:
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
{len(wide.study.sets[0])} (moves may be missing):

{_table_5(wide)}
{_tuned(wide)}
![MAP against k]({_plot(found.name)}.svg)

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
        theirs = paper.get(name)
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
    return table([*header, "paper: MAP P@5 P@10"], rows)


def _corrected(found: Found, names: Sequence[str], base: Floats) -> dict[str, str]:
    values = holm([paired_t(found.systems[name]["map"], base) for name in names])
    return {name: f"{p:.4f}" for name, p in zip(names, values, strict=True)}


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


def _claim(what: str, a: Floats, other: str, b: Floats) -> str:
    p = paired_t(a, b)
    verb = "beats" if a.mean() > b.mean() else "does not beat"
    sure = "significant at 0.05" if p < 0.05 else "not significant"
    return f"{what} {verb} {other}: {a.mean():.4f} against {b.mean():.4f}, p {p:.4f}, {sure}."


def _plot(name: str) -> str:
    return f"tbahriti-2004-{name}"


def _draw(plots: dict[str, bytes], name: str, boosts: Boosts) -> None:
    with plot(plots, _plot(name), "k", "MAP over all four sets") as axes:
        for form, style in (("product", "-"), ("sum", "--")):
            for i, move in enumerate(MOVES):
                label = f"{move}, {'S·k' if form == 'product' else '1 + S·k'}"
                axes.plot(STEPS, boosts.curve(form, move), style, color=f"C{i}", label=label)
        axes.set(xscale="log")


def _closing() -> str:
    return f"""## Settings

Seed 0 everywhere. k from {", ".join(f"{k:g}" for k in STEPS)}, for two moves all pairs. BM25 and
"more like this": k1 {PEER.k1}, b {PEER.b}, not tuned. The Huber model: {PAIRS:,} positive pairs of
the abstracts collection, which knows nothing of references; it compares the sentences of the topic
with those of BM25's first hundred.
"""
