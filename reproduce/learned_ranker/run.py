"""Learns rankers on each collection, and measures them against feedback and without parts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from recipes.data import data_path
from relsent_ir.dense.retrieval import DenseSearcher
from relsent_ir.feedback import Engine
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.methods import Dense
from relsent_ir.models import packaged
from relsent_ir.ranker.candidates import CandidateReader
from relsent_ir.ranker.features import GROUPS
from relsent_ir.ranker.judgements import JudgedTopic, Judgements, from_records
from relsent_ir.ranker.model import STRENGTHS, RankerModel, load_ranker
from relsent_ir.ranker.store import open_store
from relsent_ir.ranker.training import fit, judged_topics
from relsent_ir.related.store import PACKAGED as RELATED
from relsent_ir.related.store import load_related
from relsent_ir.trec import Qrels, evaluate, read_cystic_fibrosis_qrels, read_topics
from reproduce.data import collection_index
from reproduce.learned_ranker import sources
from reproduce.learned_ranker.study import (
    Study,
    Values,
    against,
    beside,
    changed,
    mean_of,
    p_of,
    worths,
)
from reproduce.page import Page, Request, Steps, compared, prose
from reproduce.shatkay_wilbur_2000.systems import labelled_groups

OURS: Final = "Rocchio, --fb-preset medline"
LINEAR: Final = "linear: all"
FROM_REFERENCES: Final = "linear, no judgements: learned from its references"
FROM_TITLES: Final = "linear, no judgements: learned from its titles and MeSH"
PACKAGED: Final = "linear, no judgements: the packaged model"
FIRST: Final = ("first-stage", "feedback", "titles")
STEPS: Final = {
    "linear: first stage and feedback": FIRST,
    "… and neighbours": (*FIRST, "neighbours"),
    "… and reference lists": (*FIRST, "neighbours", "references"),
}
GIVEN: Final = {"related": "Huber+ (`--related`)", "dense": "vectors (`--dense`)"}
"""Groups that are there where they are asked for."""
BOTH_GIVEN: Final = "linear: all, Huber+ and vectors"
TWO_PARTS: Final = ", both parts"
DENSE_ALONE: Final = "all-MiniLM-L6-v2 alone"
TELLING: Final = ("references", "mesh")
ALIKE: Final = "linear, nothing that tells one collection from the other"
TITLES_OF_OTHERS: Final = 200


@dataclass(frozen=True)
class Asked:
    """The topics, judgements and settings of all measurements.

    Attributes
    ----------
    topics : dict of str to str
    qrels : Qrels
    steps : Steps
    """

    topics: dict[str, str]
    qrels: Qrels
    steps: Steps


def run(request: Request) -> Page:
    """Measure on cystic fibrosis, inside the abstracts, on drug reviews and on citations."""
    queries = data_path(sources.CF, "cfquery")
    asked = Asked(read_topics(queries), read_cystic_fibrosis_qrels(queries), Steps(request))
    small, carried, cited = _small(
        collection_index(request, sources.CF), asked, request.indexes / sources.ENCODER
    )
    large, reviews = _large(sources.mixed(request), asked, carried)
    abroad = _cited(collection_index(request, "rct"), asked)
    others = {"drug reviews": reviews, f"titles, {sources.CF}": cited, "titles, rct": abroad}
    linear, peer = small[LINEAR], small[sources.PEERS[1]]
    text = prose(
        __name__,
        command=request.command("learned-ranker"),
        topics=str(len(linear)),
        linear=f"{mean_of(linear):.4f}",
        peer=f"{mean_of(peer):.4f}",
        told=compared(mean_of(linear), mean_of(peer), p_of(linear, peer)),
        cystic=against(small, sources.PEERS[1]),
        mixed=against(large, OURS),
        parts=worths(small, large, LINEAR),
        changed=changed(small, large, LINEAR),
        elsewhere=beside(others, OURS),
    )
    return Page(text)


def _small(
    folder: Path, asked: Asked, encoder: Path
) -> tuple[dict[str, Values], dict[str, RankerModel], dict[str, Values]]:
    """Measure on cystic fibrosis; give what was learned without judgements, and titles' rows."""
    topics, qrels, steps = asked.topics, asked.qrels, asked.steps
    with Indexes(folder) as collection:
        rows = sources.peers(Engine(collection), topics, qrels, steps)
        vectors = sources.encoded(collection, encoder) if encoder.exists() else None
        if vectors:
            alone = DenseSearcher(collection.abstracts, vectors, Dense(str(encoder)))
            rows[DENSE_ALONE] = _measured(alone.search(topics), qrels)
        reader = CandidateReader(collection, related=load_related(RELATED), vectors=vectors)
        read, groups = judged_topics(reader, topics, qrels)
        steps()
        study = Study(sources.CF, read, groups, steps)
        own = [name for name in groups if name not in GIVEN]
        rows[OURS] = study.first_stage()
        for name, some in STEPS.items():
            rows[name] = study.crossed([one for one in own if one in some])
        rows[LINEAR] = study.crossed(own)
        for name in groups:
            if name in GIVEN:
                rows[f"{LINEAR}, and {GIVEN[name]}"] = study.crossed([*own, name])
        rows[LINEAR + TWO_PARTS] = study.crossed(own, exact=STRENGTHS)
        if vectors:
            rows[BOTH_GIVEN] = study.crossed(groups)
            rows[BOTH_GIVEN + TWO_PARTS] = study.crossed(groups, exact=STRENGTHS)
        rows |= study.without_each(own)
        store = open_store(collection)
        carried = {}
        for name, source in ((FROM_REFERENCES, "references"), (FROM_TITLES, "titles")):
            judged = from_records(collection, store, source, TITLES_OF_OTHERS)
            found, kept = _judged(collection, judged, own)
            carried[name] = fit(found, kept)
            rows[name] = study.measured(carried[name])
            if name == FROM_REFERENCES:
                cited = _elsewhere(Study("titles", found, kept, steps))
        if packaged("ranker").exists():
            carried[PACKAGED] = load_ranker()
            rows[PACKAGED] = study.measured(carried[PACKAGED], own)
            if vectors:
                rows[f"{PACKAGED}, and {GIVEN['dense']}"] = study.measured(carried[PACKAGED])
    return rows, carried, cited


def _large(
    folder: Path, asked: Asked, carried: Mapping[str, RankerModel]
) -> tuple[dict[str, Values], dict[str, Values]]:
    """Measure inside the abstracts, where what is unjudged is not relevant; and drug reviews."""
    topics, qrels, steps = asked.topics, asked.qrels, asked.steps
    with Indexes(folder) as collection:
        rows = sources.peers(Engine(collection), topics, qrels, steps, tuned=False)
        read, groups = judged_topics(CandidateReader(collection), topics, qrels)
        study = Study("mixed", read, groups, steps)
        rows[OURS] = study.first_stage()
        rows[LINEAR] = study.crossed(groups)
        rows[ALIKE] = study.crossed([one for one in groups if one not in TELLING])
        rows |= study.without_each(groups)
        for name, model in carried.items():
            where = "" if name == PACKAGED else ", on cystic fibrosis alone"
            rows[name + where] = study.measured(model)
        titles, relevant, review = sources.drug_reviews(collection, labelled_groups()[0])
        reader = CandidateReader(collection, without_own=True)
        found, kept = judged_topics(reader, titles, relevant)
        study = Study("drug reviews", found, kept, steps, review)
        reviews = _elsewhere(study)
        if PACKAGED in carried:
            reviews[PACKAGED] = study.measured(carried[PACKAGED])
    return rows, {name: sources.means(values, review) for name, values in reviews.items()}


def _cited(folder: Path, asked: Asked) -> dict[str, Values]:
    """Measure on titles whose relevant records are those that share references."""
    with Indexes(folder) as collection:
        judged = from_records(collection, open_store(collection), "references", TITLES_OF_OTHERS)
        found, kept = _judged(collection, judged, list(GROUPS))
        return _elsewhere(Study("rct", found, kept, asked.steps))


def _judged(
    collection: Indexes, judged: Judgements, groups: Sequence[str]
) -> tuple[list[JudgedTopic], tuple[str, ...]]:
    """Compute features of topics without judgements by people, but those the labels are made of."""
    reader = CandidateReader(collection, field=judged.field, without_own=judged.without_own)
    wanted = [one for one in groups if one not in judged.left_out]
    return judged_topics(reader, judged.topics, judged.qrels, wanted)


def _elsewhere(study: Study) -> dict[str, Values]:
    """Measure the first stage and the linear ranker."""
    return {OURS: study.first_stage(), LINEAR: study.crossed(study.groups)}


def _measured(run: Run, qrels: Qrels) -> Values:
    """Measure a run by average precision."""
    return {topic: of["map"] for topic, of in evaluate(qrels, run, ["map"]).topics.items()}
