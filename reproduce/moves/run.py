"""Trains models of moves; measures them and the packaged ones as the papers do."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

import numpy as np

from recipes.data import data_path
from relsent_ir.errors import InputError
from relsent_ir.files import open_text
from relsent_ir.models import load_folder, packaged
from relsent_ir.moves import MOVES, Abstract, LabelCounts, MoveModel, default_model, tag_record
from relsent_ir.moves.crf import CRF, FEATURES, CRFSettings
from relsent_ir.moves.evaluation import MoveScores, evaluate, held_out
from relsent_ir.moves.labelled import read_abstracts, record_ids
from relsent_ir.records import read_records
from reproduce.moves.bayes import Bayes
from reproduce.page import Page, Request, Steps, prose, table

ABSTRACTS: Final = "abstracts.jsonl.gz"
LEAST: Final = 90
"""The fewest abstracts of a source that is left out by name; smaller sources form one group."""

FOLDS: Final = 3
"""Groups of sources that are left out in turn, with a model for each."""

SHORT: Final = replace(CRFSettings(), thinned=0, iterations=40)
"""A third of the work of the packaged model; the same for all models compared here."""


def interval(scores: MoveScores, samples: int = 1000, seed: int = 0) -> tuple[float, float]:
    """Return the 95 % interval of the macro F1 over bootstrap samples of the abstracts."""
    rng = np.random.default_rng(seed)
    n = len(scores.by_abstract)
    values = [
        MoveScores(scores.by_abstract[rng.integers(n, size=n)]).macro_f1 for _ in range(samples)
    ]
    low, high = np.quantile(values, (0.025, 0.975))
    return float(low), float(high)


def sources(train: Sequence[Abstract], headed: Sequence[Abstract], steps: Steps) -> str:
    """Leave out whole sources of the abstracts with headings in turn."""
    trials = CRF.train(train, SHORT)
    steps()
    source = _sources()
    sizes = Counter(source[abstract.id] for abstract in headed)
    named = {name if n >= LEAST else "" for name, n in sizes.items()}
    groups: list[list[str]] = [[] for _ in range(FOLDS)]
    for name in sorted(named, key=lambda name: (-sizes[name], name)):
        min(groups, key=lambda group: sum(sizes[other] for other in group)).append(name)
    rows: dict[str, list[str]] = {}

    def name_of(abstract: Abstract) -> str:
        name = source[abstract.id]
        return name if name in named else ""

    for group in filter(None, groups):
        rest = [a for a in headed if name_of(a) not in group and not held_out(a.id)]
        model = CRF.train([*train, *rest], SHORT)
        steps()
        for name in group:
            left = [abstract for abstract in headed if name_of(abstract) == name]
            scores = evaluate(model, left)
            low, high = interval(scores)
            rows[name] = [
                name or "the others",
                str(len(left)),
                f"{evaluate(trials, left).macro_f1:.4f}",
                f"{scores.macro_f1:.4f}",
                f"{low:.3f} to {high:.3f}",
            ]
    order = sorted(rows, key=lambda name: (not name, -sizes[name], name))
    header = ["source", "abstracts", "trials alone", "all other sources", "95 %"]
    return table(header, [rows[name] for name in order])


def _sources() -> dict[str, str]:
    """Read the source of each abstract of the collection."""
    with open_text(data_path("abstracts", ABSTRACTS)) as lines:
        return {line["id"]: line.get("source", "") for line in map(json.loads, lines)}


RUCH: Final = {
    "Bayes": (
        (80.65, 0, 3.23, 16),
        (8, 78, 8, 6),
        (18.58, 5.31, 52.21, 23.89),
        (18.18, 0, 2.27, 79.55),
    ),
    "Bayes + Markov": (
        (93.35, 0, 3.23, 3),
        (3, 78, 8, 6),
        (12.73, 2.07, 57.15, 10.01),
        (2.27, 0, 2.27, 95.45),
    ),
}
"""Table 3 of Ruch 2006, in percent of each row's sentences (not all rows add up to 100)."""

ALAMRI: Final = ((0.96, 0.95, 0.96), (0.83, 0.82, 0.83), (0.87, 0.89, 0.88), (0.93, 0.92, 0.92))
HIROHATA: Final = ((0.96, 0.94, 0.95), (0.81, 0.84, 0.83), (0.88, 0.86, 0.87), (0.91, 0.91, 0.91))
"""Precision, recall, F1 of each move: Tables 1 and 2 of Alamri & Stevenson 2015."""

EXAMPLE: Final = "12404725"
RUCH_EXAMPLE: Final = {
    1: ("PURPOSE", "00167817"),
    2: ("PURPOSE", "00167817"),
    3: ("PURPOSE", "00156456"),
    5: ("METHODS", "00160119"),
    6: ("METHODS", "00162303"),
    8: ("RESULTS", "00155338"),
    10: ("CONCLUSION", "00160116"),
}
"""Move and score of Table 4 of Ruch 2006, by sentence; it omits three sentences, and joins two."""

LEFT_OUT: Final = ("registration, funding, ethics", "no label", "unknown label")
TRIALS: Final = "CRF, trials alone"
OURS: Final = "CRF, the package's"
Data = tuple[list[Abstract], LabelCounts]


def run(request: Request) -> Page:
    """Train on the RCT training split; measure these models and the packaged one on unseen data."""
    train = read_abstracts([data_path("rct", "rct-train.xml.gz")])
    validation = read_abstracts([data_path("rct", "rct-validation.xml.gz")])
    pubmed = read_abstracts([data_path("pubmed-xml")])
    headed = read_abstracts(
        [data_path("abstracts", ABSTRACTS)],
        headings=True,
        without=record_ids([data_path("rct"), data_path("pubmed-xml")]),
    )
    steps = Steps(request)
    models: dict[str, MoveModel] = {}
    for name, markov in (("Bayes", False), ("Bayes + Markov", True)):
        models[name] = Bayes.train(train[0], markov=markov)
        steps()
    for name, features in (("CRF, the paper's features", "alamri-stevenson"), (TRIALS, "ours")):
        models[name] = CRF.train(train[0], FEATURES[features])
        steps()
    models[OURS] = default_model()
    scored = [abstract for abstract in headed[0] if held_out(abstract.id)]
    tests = {"RCT validation": validation[0], "PubMed": pubmed[0], "headings": scored}
    scores = {
        (name, test): evaluate(model, abstracts)
        for name, model in models.items()
        for test, abstracts in tests.items()
    }
    alone, chained = (scores[name, "RCT validation"] for name in RUCH)
    full = ""
    if request.full:
        full = prose(__name__, "full.md", sources=sources(train[0], headed[0], steps))
    collections = (train, validation, pubmed, headed)
    data = dict(zip(("RCT train", *tests), collections, strict=True))
    return Page(
        prose(
            __name__,
            command=request.command("moves"),
            data=_data(data),
            scored=f"{len(scored):,}",
            made=str(load_folder(packaged("moves")).facts["command"]),
            summary=_summary(models, tests, scores),
            bayes=_confusion(RUCH["Bayes"], alone),
            markov=_confusion(RUCH["Bayes + Markov"], chained),
            bayes_f1=f"{alone.macro_f1:.3f}",
            markov_f1=f"{chained.macro_f1:.3f}",
            example=_example(request, models[OURS], models["Bayes + Markov"]),
            full=full,
        )
    )


def _data(data: dict[str, Data]) -> str:
    rows = [
        [
            name,
            *(str(n) for n in (c.records, c.structured, c.headed, c.taken, c.sentences)),
            *(str(c.left_out[why]) for why in LEFT_OUT),
        ]
        for name, (_, c) in data.items()
    ]
    return table(["", "records", "structured", "headings", "taken", "sentences", *LEFT_OUT], rows)


def _summary(
    models: dict[str, MoveModel],
    tests: dict[str, list[Abstract]],
    scores: dict[tuple[str, str], MoveScores],
) -> str:
    rows = []
    for name in models:
        row = [name]
        for test in tests:
            score = scores[name, test]
            low, high = interval(score)
            row += [f"{score.accuracy:.4f}", f"{score.macro_f1:.4f}", f"{low:.3f} to {high:.3f}"]
        rows.append(row)
    header = [
        "",
        *(f"{test}: {name}" for test in tests for name in ("accuracy", "macro F1", "95 %")),
    ]
    return table(header, rows)


def _confusion(paper: Sequence[Sequence[float]], ours: MoveScores) -> str:
    short = [move[:4] for move in MOVES]
    columns = product(("paper (MEDLINE)", "ours (RCT)"), short)
    header = ["", *(f"{name}, {whose}" for whose, name in columns)]
    shares = 100 * ours.confusion / ours.confusion.sum(axis=1, keepdims=True)
    rows = [
        [move, *(f"{x:.2f}" for x in paper[i]), *(f"{x:.2f}" for x in shares[i])]
        for i, move in enumerate(MOVES)
    ]
    return table(header, rows)


def zones(systems: Mapping[str, MoveScores]) -> str:
    """Compare Tables 1 and 2 of Alamri & Stevenson with systems of ours."""
    rows = []
    for i, move in enumerate(MOVES):
        ours = [
            scores.moves[move][m]
            for scores in systems.values()
            for m in ("precision", "recall", "f1")
        ]
        cells = [f"{x:.2f}" for x in (*HIROHATA[i], *ALAMRI[i])]
        rows.append([move, *cells, *(f"{x:.3f}" for x in ours)])
    overall = ["mean of F1", "", "", "0.88", "", "", "0.89"]
    for scores in systems.values():
        overall += ["", "", f"{scores.macro_f1:.3f}"]
    names = ("Hirohata", "Alamri", *systems)
    return table(
        ["", *(f"{name}: {m}" for name in names for m in ("P", "R", "F1"))], [*rows, overall]
    )


def _example(request: Request, crf: MoveModel, markov: MoveModel) -> str:
    if request.example is None:
        return "Not shown: `--example FILE` names a file that holds the record."
    records = [record for record in read_records(request.example) if record.id == EXAMPLE]
    if not records:
        raise InputError(f"holds no record {EXAMPLE}", where=request.example)
    labels = tag_record(crf, records[0])
    by_model = [tag_record(model, records[0], labels=False) for model in (markov, crf)]
    rows = []
    for n, (label, *ours) in enumerate(zip(labels, *by_model, strict=True), 1):
        paper = RUCH_EXAMPLE.get(n, ("–", "–"))
        cells = [cell for tagged in ours for cell in (tagged.move, f"{tagged.score:.3f}")]
        rows.append([str(n), label.move, *paper, *cells])
    header = ["sentence", "label", "paper", "score", "Bayes + Markov", "score", "CRF", "score"]
    return table(header, rows)
