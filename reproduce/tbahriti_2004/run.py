"""Builds the benchmark on each collection, and measures the paper's systems and ours."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from relsent_ir import models
from relsent_ir.citation.benchmark import Plan
from relsent_ir.citation.documents import FIELDS, topic_text
from relsent_ir.citation.thesaurus import Thesaurus
from relsent_ir.datasets.catalogue import data_path
from relsent_ir.hits import Run
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.moves import MOVES
from relsent_ir.records import read_records
from relsent_ir.related import Model
from relsent_ir.related.training.train import train
from reproduce.indexes import FILES, collection_index
from reproduce.page import Page, Request, Steps, plot, prose
from reproduce.tbahriti_2004.study import PEER, Collection, Study
from reproduce.tbahriti_2004.systems import (
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
from reproduce.tbahriti_2004.tables import BASELINE, Found, plot_name, section

COLLECTIONS: Final = {"cystic-fibrosis": 2, "rct": 1}
"""What a target must share with its topic, at least."""
PAIRS: Final = 60_000
HUBER: Final = "huber-60000"
SCHEMES: Final = ("ltc.atn", "atc.atn", "atn.ltc", "atn.atc")


def run(request: Request) -> Page:
    """Build the benchmark on each collection, and measure every system on it."""
    steps = Steps(request)
    thesaurus = Thesaurus.of_headings(
        record
        for file in (*FILES["abstracts"], *FILES["cystic-fibrosis"])
        for record in read_records(data_path(file))
    )
    model = _huber(request)
    plots: dict[str, bytes] = {}
    sections = []
    for name, min_shared in COLLECTIONS.items():
        cited = [record for file in FILES[name] for record in read_records(data_path(file))]
        folder = collection_index(request, name)
        with Index(folder) as abstracts, Index(folder, "sentences") as sentences:
            collection = Collection.read(abstracts, sentences, thesaurus, cited)
            found, boosts = _measure(name, collection, abstracts, min_shared, model, steps)
            wide = _wide(collection, min_shared, steps)
        sections.append(section(found, wide))
        _draw(plots, name, boosts)
    text = prose(
        __name__,
        phrases=f"{len(thesaurus.phrases):,}",
        sections="\n".join(sections),
        steps=", ".join(f"{k:g}" for k in STEPS),
        k1=str(PEER.k1),
        b=str(PEER.b),
        pairs=f"{PAIRS:,}",
    )
    return Page(text, plots)


def _huber(request: Request) -> Model:
    """Open the model of related sentences; train it on the abstracts collection if need be."""
    path: Path = request.indexes / HUBER
    if not (path / "model.json").exists():
        with Index(collection_index(request, "abstracts")) as index:
            made = train(index, "huber", pairs=PAIRS, command="reproduce tbahriti-2004")
            models.save(path, made)
    model: Model = models.load(path, "related")
    return model


def _measure(
    name: str, collection: Collection, abstracts: Index, min_shared: int, model: Model, steps: Steps
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
    found.systems.update(peers(study))
    features = study.features(model)
    for label, names in LEARNED.items():
        found.systems[label], fitted = learned(study, features, names)
        found.notes[label] = "C " + ", ".join(f"{one.strength:g}" for one in fitted)
    found.fields = _fields(collection, abstracts, min_shared)
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


def _wide(collection: Collection, min_shared: int, steps: Steps) -> Found:
    """Boost the topics of all candidates, cut into four sets."""
    plan = Plan(min_shared=min_shared)
    quarter = replace(plan, queries=_candidates(collection, plan) // 4)
    study = Study.build(collection, quarter, all_moves=False)
    found = Found("", study, {}, {})
    found.systems[BASELINE] = weighting(study, "ltc.atn", thesaurus=True)
    _add_boosts(found, Boosts(study, steps))
    return found


def _candidates(collection: Collection, plan: Plan) -> int:
    small = Study.build(collection, replace(plan, queries=1, sets=1), all_moves=False)
    return int(small.benchmark.summary["candidates"])


def _fields(collection: Collection, abstracts: Index, min_shared: int) -> dict[str, Measured]:
    """Search BM25 for the fields of all records with five targets or more."""
    plan = Plan(sets=1, least=5, min_shared=min_shared)
    everyone = replace(plan, queries=_candidates(collection, plan))
    study = Study.build(collection, everyone, all_moves=False)
    found = {}
    kinds = (FIELDS, ("title", "abstract"), ("abstract",), ("mesh",), ("title",))
    searcher = Searcher(abstracts)
    for kept in kinds:
        topics = {n: topic_text(collection.records[n], kept) for n in study.topics}
        hits = searcher.search(topics, 1001)
        without = Run((topic, some.without(topic).head(1000)) for topic, some in hits.items())
        if any(map(len, without.values())):
            found[" + ".join(kept)] = study.measure(without)
    return found


def _draw(plots: dict[str, bytes], name: str, boosts: Boosts) -> None:
    with plot(plots, plot_name(name), "k", "MAP over all four sets") as axes:
        for form, style in (("product", "-"), ("sum", "--")):
            for i, move in enumerate(MOVES):
                label = f"{move}, {'S·k' if form == 'product' else '1 + S·k'}"
                axes.plot(STEPS, boosts.curve(form, move), style, color=f"C{i}", label=label)
        axes.set(xscale="log")
