"""Learns rankers on each collection, and measures them against feedback and without parts."""

import gzip
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Final

from relsent_ir.experiments.indexes import FILES, collection_index
from relsent_ir.experiments.learned_ranker.peers import PEERS, peers
from relsent_ir.experiments.learned_ranker.study import Study, Values
from relsent_ir.experiments.page import (
    Page,
    Request,
    Steps,
    compared,
    data_path,
    interval,
    prose,
    table,
)
from relsent_ir.feedback import Engine
from relsent_ir.files import atomic_bytes
from relsent_ir.lucene.collection import Collection
from relsent_ir.lucene.documents import Tagger
from relsent_ir.lucene.indexing import build_index
from relsent_ir.models import packaged
from relsent_ir.moves import default_model as moves_model
from relsent_ir.moves import tag_record
from relsent_ir.ranker.judgements import Judgements, from_references, from_titles
from relsent_ir.ranker.model import RankerModel, load_ranker
from relsent_ir.ranker.pairs import Judged
from relsent_ir.ranker.reading import Reader
from relsent_ir.ranker.store import open_store
from relsent_ir.ranker.training import fit, judged_topics
from relsent_ir.records import list_inputs
from relsent_ir.trec import Qrels, holm, paired_t, read_cystic_fibrosis_qrels, read_topics

CF: Final = "cystic-fibrosis"
MIXED: Final = "mixed"
OURS: Final = "Rocchio, --fb-preset medline"
LINEAR: Final = "linear: all"
TREES: Final = "LambdaMART: all"
FROM_REFERENCES: Final = "linear, no judgements: learned from its references"
FROM_TITLES: Final = "linear, no judgements: learned from its titles and MeSH"
PACKAGED: Final = "linear, no judgements: the packaged model"
FIRST: Final = ("first-stage", "feedback", "titles")
STEPS: Final = {
    "linear: first stage and feedback": FIRST,
    "… and neighbours": (*FIRST, "neighbours"),
    "… and reference lists": (*FIRST, "neighbours", "references"),
}
TELLING: Final = ("references", "mesh", "record")
ALIKE: Final = "linear, nothing that tells one collection from the other"
HELD: Final = 0.01
"""λ0 where a group is left out: it is not chosen again."""
TITLES_OF_OTHERS: Final = 200


def run(request: Request) -> Page:
    """Measure on cystic fibrosis, inside the abstracts collection, and on both citation sets."""
    steps = Steps(request)
    topics = read_topics(data_path(CF, "cfquery"))
    qrels = read_cystic_fibrosis_qrels(data_path(CF, "cfquery"))
    alone = collection_index(request, CF, folder=f"{CF}-moves", tagger=_tagger())
    small, carried, cited = _small(alone, topics, qrels, steps)
    large = _large(_mixed(request), topics, qrels, carried, steps, request.full)
    abroad = _cited(collection_index(request, "rct"), steps)
    page = {
        "cystic": _table(small, PEERS[1]),
        "mixed": _table(large, OURS),
        "parts": _parts(small, large),
        "citations": _citations({CF: cited, "rct": abroad}),
    }
    linear, peer = small[LINEAR], small[PEERS[1]]
    text = prose(
        __name__,
        command=request.command("learned-ranker"),
        topics=str(len(linear)),
        linear=f"{_mean(linear):.4f}",
        peer=f"{_mean(peer):.4f}",
        told=compared(_mean(linear), _mean(peer), _p(linear, peer)),
        **page,
    )
    return Page(text)


def _tagger() -> Tagger:
    return Tagger("moves that come with the package", partial(tag_record, moves_model()))


def _small(
    folder: Path, topics: dict[str, str], qrels: Qrels, steps: Steps
) -> tuple[dict[str, Values], dict[str, RankerModel], dict[str, Values]]:
    """Measure on cystic fibrosis; give what was learned without judgements, and citations' rows."""
    with Collection(folder) as collection:
        engine = Engine(collection)
        rows = peers(engine, topics, qrels, steps)
        read, groups = judged_topics(Reader(collection), topics, qrels)
        steps()
        study = Study(CF, read, groups, steps)
        rows[OURS] = study.first_stage()
        for name, some in STEPS.items():
            rows[name] = study.crossed([one for one in groups if one in some])
        rows[LINEAR] = study.crossed(groups)
        rows[TREES] = study.crossed(groups, "lambdamart")
        rows |= _without_each(study)
        store = open_store(collection)
        carried = {}
        for name, draw in ((FROM_REFERENCES, from_references), (FROM_TITLES, from_titles)):
            judged = draw(collection, store, TITLES_OF_OTHERS)
            found, kept = _judged(collection, judged, groups)
            carried[name] = fit(found, kept)
            rows[name] = study.measured(carried[name])
            if name == FROM_REFERENCES:
                cited = _of_citations(Study(CF, found, kept, steps))
        if packaged("ranker").exists():
            carried[PACKAGED] = load_ranker()
            rows[PACKAGED] = study.measured(carried[PACKAGED])
    return rows, carried, cited


def _large(
    folder: Path,
    topics: dict[str, str],
    qrels: Qrels,
    carried: dict[str, RankerModel],
    steps: Steps,
    full: bool,
) -> dict[str, Values]:
    """Measure inside the abstracts collection, where what is unjudged is not relevant."""
    with Collection(folder) as collection:
        rows = peers(Engine(collection), topics, qrels, steps, tuned=False)
        read, groups = judged_topics(Reader(collection), topics, qrels)
        study = Study(MIXED, read, groups, steps)
        rows[OURS] = study.first_stage()
        rows[LINEAR] = study.crossed(groups)
        if full:
            rows[TREES] = study.crossed(groups, "lambdamart")
        rows[ALIKE] = study.crossed([one for one in groups if one not in TELLING])
        rows |= _without_each(study)
        for name, model in carried.items():
            where = "" if name == PACKAGED else ", on cystic fibrosis alone"
            rows[name + where] = study.measured(model)
    return rows


def _cited(folder: Path, steps: Steps) -> dict[str, Values]:
    """Measure on titles whose relevant records are those that share references."""
    with Collection(folder) as collection:
        judged = from_references(collection, open_store(collection), TITLES_OF_OTHERS)
        found, kept = _judged(collection, judged, None)
        return _of_citations(Study("rct", found, kept, steps))


def _judged(
    collection: Collection, judged: Judgements, groups: tuple[str, ...] | None
) -> tuple[list[Judged], tuple[str, ...]]:
    reader = Reader(collection, field=judged.field, without_own=judged.without_own)
    wanted = None if groups is None else [one for one in groups if one not in judged.left_out]
    found, kept = judged_topics(reader, judged.topics, judged.qrels, wanted)
    if wanted is None and judged.left_out:
        study = Study("", found, kept)
        left = tuple(one for one in kept if one not in judged.left_out)
        return study.taken(left), left
    return found, kept


def _of_citations(study: Study) -> dict[str, Values]:
    return {
        OURS: study.first_stage(),
        LINEAR: study.crossed(study.groups),
    }


def _without_each(study: Study) -> dict[str, Values]:
    """Leave each group out in turn."""
    return {
        f"linear without {one}": study.crossed(
            [name for name in study.groups if name != one], strength=HELD
        )
        for one in study.groups
    }


def _mixed(request: Request) -> Path:
    """Give the index of the abstracts without those of cystic fibrosis, and that collection."""
    target = request.indexes / MIXED
    if not target.exists():
        others = request.indexes / "abstracts-without-cf.jsonl.gz"
        with gzip.open(data_path(*FILES["abstracts"][0].split("/")), "rb") as lines:
            kept = b"".join(line for line in lines if b'"id": "cf-' not in line[:40])
        with atomic_bytes(others) as file:
            file.write(gzip.compress(kept, 1, mtime=0))
        inputs, _ = list_inputs([others, *(data_path(name) for name in FILES[CF])])
        build_index(inputs, target)
    return target


def _table(rows: dict[str, Values], base: str) -> str:
    """Set all rows against one of them, with intervals, and Holm over the table."""
    others = [name for name in rows if name != base]
    corrected = dict(zip(others, holm([_p(rows[o], rows[base]) for o in others]), strict=True))
    cells = []
    for name, values in rows.items():
        row = [name, f"{_mean(values):.4f}"]
        if name == base:
            cells.append([*row, "", "", ""])
            continue
        low, high = interval(*_paired(values, rows[base]))
        more = f"{_mean(values) - _mean(rows[base]):+.4f}"
        cells.append([*row, more, f"{low:+.3f} to {high:+.3f}", f"{corrected[name]:.2g}"])
    return table(["", "MAP", f"more than {base}", "95 %", "p (t, Holm)"], cells)


def _parts(small: dict[str, Values], large: dict[str, Values]) -> str:
    """Set what each group is worth beside each other: alone, and among many records."""
    cells = []
    for name in small:
        if not name.startswith("linear without "):
            continue
        row = [name.removeprefix("linear without ")]
        for rows in (small, large):
            if name not in rows:
                row += ["–", "–"]
                continue
            worth = _mean(rows[LINEAR]) - _mean(rows[name])
            row += [f"{worth:+.4f}", f"{_p(rows[LINEAR], rows[name]):.2g}"]
        cells.append(row)
    return table(["group", CF, "p (t)", "among the abstracts", "p (t)"], cells)


def _citations(found: dict[str, dict[str, Values]]) -> str:
    cells = []
    for name, rows in found.items():
        for row, values in rows.items():
            worth = _mean(values) - _mean(rows[OURS])
            p = "" if row == OURS else f"{_p(values, rows[OURS]):.2g}"
            more = "" if row == OURS else f"{worth:+.4f}"
            cells.append([f"{name}: {row}", str(len(values)), f"{_mean(values):.4f}", more, p])
    return table(["", "topics", "MAP", "more", "p (t)"], cells)


def _mean(values: Values) -> float:
    return mean(values.values())


def _paired(a: Values, b: Values) -> tuple[list[float], list[float]]:
    return list(a.values()), [b[topic] for topic in a]


def _p(a: Values, b: Values) -> float:
    return paired_t(*_paired(a, b))
