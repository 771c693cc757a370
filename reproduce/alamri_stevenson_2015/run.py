"""Trains and judges what the page shows."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from relsent_ir.answers.abstract_training import (
    HALVES,
    asks,
    general_questions,
    half,
    read_asking,
    untitled_index,
)
from relsent_ir.answers.evaluation import Scores, score
from relsent_ir.answers.features import PLACES
from relsent_ir.answers.linear import Bools, Judged, Weights, train_weights
from relsent_ir.answers.model import LinearModel
from relsent_ir.answers.questions import Question, read_questions
from relsent_ir.answers.training import Taggers, all_forms, crossfit, pose
from relsent_ir.answers.tree import FEATURE_SETS, Tree
from relsent_ir.answers.words import WordVectors, learn_vectors
from relsent_ir.datasets.catalogue import data_path
from relsent_ir.moves import default_model
from relsent_ir.moves.evaluation import MoveScores as ZoneScores
from relsent_ir.moves.evaluation import evaluate as evaluate_moves
from relsent_ir.moves.labelled import read_abstracts
from relsent_ir.records import Record, read_records
from relsent_ir.typing import Floats
from reproduce.alamri_stevenson_2015 import tables
from reproduce.alamri_stevenson_2015.ablation import ablation
from reproduce.alamri_stevenson_2015.attempts import attempts
from reproduce.alamri_stevenson_2015.directions import Labelled, directions
from reproduce.alamri_stevenson_2015.general import (
    general,
    over_index,
    read_general,
    reliability,
)
from reproduce.alamri_stevenson_2015.mancon import mancon_questions
from reproduce.alamri_stevenson_2015.systems import (
    Prepared,
    cross_validate_linear,
    cross_validate_trees,
    grow,
    judge_linear,
    judge_tree,
)
from reproduce.alamri_stevenson_2015.thirty import thirty
from reproduce.moves.run import zones
from reproduce.page import Page, Request, prose, table

STRUCTURED: Final = "structured"
PLAIN: Final = "structure removed"
FORMS: Final = (STRUCTURED, PLAIN)
UNTITLED: Final = "untitled"  # the index of abstracts without titles that ask
OWN: Final = 100  # articles of ManConCorpus from which on trees are grown on it


@dataclass(frozen=True)
class Results:
    """All that the page shows.

    Attributes
    ----------
    zones : moves.evaluation.MoveScores
        Of the package's CRF on the RCT validation split.
    train, test : dict of str to Prepared
        The questions by form.
    taught : Prepared
        All forms of the training questions that ours learns from.
    mancon : Prepared
    cv, tested : dict of (system, form) to list of Judged
        A system is the number of a feature set, as a string, or ``ours``.
    on_mancon : dict of str to list of Judged
    chosen : int
        The feature set that is best in cross-validation.
    tree : Tree
        Grown on all training questions with that set.
    model : LinearModel
        Ours, learned from all training questions, and from those asked of an index.
    asking : dict of str to Record
        The records of that index whose titles were taken off.
    slots : list of rows
    more : dict of str to str
        Tables of directions, general questions and an index, by mark.
    plots : dict of str to bytes
    """

    zones: ZoneScores
    train: dict[str, Prepared]
    test: dict[str, Prepared]
    taught: Prepared
    mancon: Prepared
    cv: dict[tuple[str, str], list[Judged]]
    tested: dict[tuple[str, str], list[Judged]]
    on_mancon: dict[str, list[Judged]]
    chosen: int
    tree: Tree
    model: LinearModel
    asking: dict[str, Record]
    slots: list[list[str]]
    more: dict[str, str]
    plots: dict[str, bytes]

    def scores(self, system: str, form: str, *, test: bool = True) -> Scores:
        """Count over all sentences."""
        judged = (self.tested if test else self.cv)[system, form]
        return score((self.test if test else self.train)[form].posed, judged)


def run(request: Request) -> Page:
    """Train on the training split, measure by cross-validation, on the validation split, ManCon."""
    found = measure(request)
    train, cv, chosen = found.train[STRUCTURED], found.cv, found.chosen
    full = {}
    if request.full:
        ours = {form: cv["ours", form] for form in FORMS}
        full = {
            **ablation(found.train, found.taught, request.progress),
            "attempts": attempts(found.train, found.taught, ours),
        }
    return Page(
        prose(
            __name__,
            command=request.command("alamri-stevenson-2015"),
            data=tables.data(train, found.test[STRUCTURED], found.mancon),
            zones=zones({"ours": found.zones}),
            feature_sets=tables.feature_sets(train, cv),
            **tables.added(train, cv),
            integrated=tables.integrated(found.train[PLAIN], cv, chosen),
            systems=tables.systems(found.scores, chosen, FORMS),
            chosen=str(chosen),
            significance=tables.significance(found.scores, chosen, FORMS),
            slots=table(tables.SLOT_COLUMNS, found.slots),
            **found.more,
            mancon_articles=str(len(set(found.mancon.records))),
            mancon_questions=str(len(found.mancon.posed)),
            mancon=tables.mancon(found.mancon, found.on_mancon, chosen),
            mancon_table_3=mancon_table_3(found.mancon),
            tree=str(found.tree),
            **tables.weights(found.model.weights),
            **thirty(found.model, request.indexes / UNTITLED, found.asking),
            full=prose(__name__, "full.md", **full) if full else "",
        ),
        found.plots,
    )


def mancon_table_3(mancon: Prepared) -> str:
    """Set Table 3 beside trees of the paper's own corpus, where its abstracts are here."""
    articles = len(set(mancon.records))
    if articles < OWN:
        return f"Table 3 on this corpus takes {OWN} of its articles at least (`fetch mancon`)."
    trees = cross_validate_trees(mancon, {STRUCTURED: mancon})
    cv = {(str(number), form): judged for (number, form), judged in trees.items()}
    return tables.feature_sets(mancon, cv)


def measure(request: Request) -> Results:
    """Train and judge all that the page shows."""
    progress = request.progress
    records = list(read_records(data_path("rct", "rct-train.xml.gz")))
    asked = _questions("train")
    abstracts, _ = read_abstracts([data_path("rct", "rct-train.xml.gz")])
    held, _ = read_abstracts([data_path("rct", "rct-validation.xml.gz")])
    progress(1, None)
    halves = read_general()
    among = {record.id for record in records}
    titles = [  # those of the package's model: `train answers` reads this collection alone
        q
        for q in general_questions(read_asking([data_path("abstracts", "abstracts.jsonl.gz")]))
        if half(q.record.id) == HALVES[0] and q.record.id not in among
    ]
    posed = (*asked, *titles, *(q for some in halves.values() for q in some))
    own = [*(q.record.id for q in posed), *(r.id for r in records if asks(r))]
    taggers = crossfit(abstracts, own, progress)
    default = Taggers(default_model())
    vectors = learn_vectors(records)
    train = _prepared(asked, taggers, vectors)
    test = _prepared(_questions("validation"), default, vectors)
    mancon = Prepared(pose(mancon_questions(), default), vectors)
    progress(5, None)
    trees = cross_validate_trees(train[STRUCTURED], train)
    cv = {(str(number), form): judged for (number, form), judged in trees.items()}
    progress(6, None)
    taught = Prepared([*all_forms(asked, taggers), *pose(titles, taggers)], vectors)
    forms = {form: train[form].examples for form in FORMS}
    own_records = train[STRUCTURED].records
    ours = cross_validate_linear(taught.examples, forms, own_records, calibrated=True)
    crossed = ours[STRUCTURED]
    cv |= {("ours", form): judged for form, judged in ours.items()}
    progress(7, None)
    everything = np.ones(len(asked), dtype=bool)
    grown = {number: grow(train[STRUCTURED], everything, number) for number in FEATURE_SETS}
    weights = train_weights(taught.examples, unseen=PLACES)
    names = (*map(str, FEATURE_SETS), "ours")
    tested = {(n, f): _judged(n, grown, weights, of) for n in names for f, of in test.items()}
    on_mancon = {name: _judged(name, grown, weights, mancon) for name in names}
    chosen = max(
        FEATURE_SETS,
        key=lambda n: score(train[STRUCTURED].posed, cv[str(n), STRUCTURED]).to_dict()["f1"],
    )
    by_moves = evaluate_moves(default_model(), held)
    progress(8, None)
    validated = {form: tested["ours", form] for form in test}
    slots = [
        *tables.slots(train, ours, "training (cross-validation)"),
        *tables.slots(test, validated, "validation"),
    ]
    stopwords = vectors.stopwords
    read = directions(
        Labelled(train[STRUCTURED].posed, crossed, stopwords),
        Labelled(test[STRUCTURED].posed, validated[STRUCTURED], stopwords),
    )
    plots: dict[str, bytes] = {}
    model = LinearModel(weights, vectors, {})
    source = data_path("abstracts", "abstracts.jsonl.gz")
    asking_records = untitled_index([source], request.indexes / UNTITLED)
    asking = pose(halves[HALVES[1]], taggers)
    more = {
        **read,
        "general_questions": str(len(asking)),
        "general": general(model, asking),
        "reliability": reliability(plots, *_first(test[STRUCTURED], validated[STRUCTURED])),
        **over_index(request.indexes / UNTITLED, asking_records, model, plots),
    }
    progress(9, None)
    return Results(
        by_moves,
        train,
        test,
        taught,
        mancon,
        cv,
        tested,
        on_mancon,
        chosen,
        grown[chosen],
        model,
        asking_records,
        slots,
        more,
        plots,
    )


def _first(data: Prepared, judged: list[Judged]) -> tuple[Floats, Bools]:
    """Give the probability of all sentences that have a slot, and whether they answer."""
    found = [
        (one.probabilities[n], bool(example.answers[n]))
        for example, one in zip(data.examples, judged, strict=True)
        for n in one.slots.values()
    ]
    return np.array([p for p, _ in found]), np.array([right for _, right in found])


def _questions(split: str) -> list[Question]:
    records = data_path("rct", f"rct-{split}.xml.gz")
    return read_questions(data_path("answers", f"answers-{split}.jsonl"), [records], evidence=True)


def _prepared(asked: list[Question], taggers: Taggers, vectors: WordVectors) -> dict[str, Prepared]:
    return {
        form: Prepared(pose(asked, taggers, structure=form == STRUCTURED), vectors)
        for form in FORMS
    }


def _judged(system: str, grown: dict[int, Tree], weights: Weights, data: Prepared) -> list[Judged]:
    if system == "ours":
        return [judge_linear(weights, example) for example in data.examples]
    return [judge_tree(grown[int(system)], data, i) for i in range(len(data.posed))]
