"""Trains and judges what the page shows."""

from typing import Final

import numpy as np

from recipes.answers.titles import HALVES, all_forms, asks, general_questions, half, read_asking
from recipes.answers.training import crossfit
from recipes.answers.vectors import learn_vectors
from recipes.answers.weights import train_weights
from recipes.data import data_path
from relsent_ir.answers.classifiers import Bools, Verdict, Weights
from relsent_ir.answers.evaluation import Scores, score
from relsent_ir.answers.language import WordVectors
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.questions import Asked, Taggers, pose, read_questions
from relsent_ir.answers.sentence_features import PLACES
from relsent_ir.moves import default_model
from relsent_ir.moves.crf import CRF, FEATURES
from relsent_ir.moves.evaluation import evaluate as evaluate_moves
from relsent_ir.moves.labelled import read_abstracts
from relsent_ir.records import read_records
from relsent_ir.typing import Floats
from reproduce.alamri_stevenson_2015 import systems, tables
from reproduce.alamri_stevenson_2015.general import general, read_general, reliability
from reproduce.alamri_stevenson_2015.trees import FEATURE_SETS, Tree
from reproduce.moves.run import zones
from reproduce.page import Page, Request, prose, table

STRUCTURED: Final = "structured"
PLAIN: Final = "structure removed"
FORMS: Final = (STRUCTURED, PLAIN)


def run(request: Request) -> Page:
    """Train on the training split, measure by cross-validation, on the validation split, ManCon."""
    progress = request.progress
    records = list(read_records(data_path("rct", "rct-train.xml.gz")))
    asked = _questions("train")
    abstracts, _ = read_abstracts([data_path("rct", "rct-train.xml.gz")])
    held, _ = read_abstracts([data_path("rct", "rct-validation.xml.gz")])
    progress(1, None)
    halves = read_general()
    among = {record.id for record in records}
    titles = [  # those of the package's model: its recipe reads this collection alone
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
    validation = _prepared(_questions("validation"), default, vectors)
    mancon = systems.Prepared(pose(systems.mancon_questions(), default), vectors)
    progress(5, None)
    trees = systems.cross_validate_trees(train[STRUCTURED], train)
    cv = {(str(number), form): judged for (number, form), judged in trees.items()}
    progress(6, None)
    taught = systems.Prepared([*all_forms(asked, taggers), *pose(titles, taggers)], vectors)
    forms = {form: train[form].examples for form in FORMS}
    own_records = train[STRUCTURED].records
    ours = systems.cross_validate_linear(taught.examples, forms, own_records, calibrated=True)
    cv |= {("ours", form): judged for form, judged in ours.items()}
    progress(7, None)
    everything = np.ones(len(asked), dtype=bool)
    weights = train_weights(taught.examples, unseen=PLACES)
    chosen = max(
        FEATURE_SETS,
        key=lambda n: score(train[STRUCTURED].posed, cv[str(n), STRUCTURED]).to_dict()["f1"],
    )
    grown = systems.grow(train[STRUCTURED], everything, chosen)
    names = (str(chosen), "ours")
    tested = {(n, f): _judged(n, grown, weights, of) for n in names for f, of in validation.items()}
    on_mancon = {name: _judged(name, grown, weights, mancon) for name in names}
    by_moves = {
        "paper's features": evaluate_moves(
            CRF.train(abstracts, FEATURES["alamri-stevenson"]), held
        ),
        "ours": evaluate_moves(default_model(), held),
    }
    progress(8, None)
    validated = {form: tested["ours", form] for form in validation}
    slots = [
        *tables.slots(train, ours, "training (cross-validation)"),
        *tables.slots(validation, validated, "validation"),
    ]
    plots: dict[str, bytes] = {}
    model = AnswerModel(weights, vectors, {})
    asking = pose(halves[HALVES[1]], taggers)
    more = {
        "general_questions": str(len(asking)),
        "general": general(model, asking),
        "reliability": reliability(plots, *_first(validation[STRUCTURED], validated[STRUCTURED])),
    }
    progress(9, None)

    def scores(system: str, form: str, *, test: bool = True) -> Scores:
        """Count over all sentences."""
        judged = (tested if test else cv)[system, form]
        return score((validation if test else train)[form].posed, judged)

    structured = train[STRUCTURED]
    text = prose(
        __name__,
        command=request.command("alamri-stevenson-2015"),
        data=tables.data(structured, validation[STRUCTURED], mancon),
        zones=zones(by_moves),
        feature_sets=tables.feature_sets(structured, cv),
        **tables.added(structured, cv),
        integrated=tables.integrated(train[PLAIN], cv, chosen),
        systems=tables.systems(scores, chosen, FORMS),
        chosen=str(chosen),
        significance=tables.significance(scores, chosen, FORMS),
        slots=table(tables.SLOT_COLUMNS, slots),
        **more,
        mancon_articles=str(len(set(mancon.records))),
        mancon_questions=str(len(mancon.posed)),
        mancon=tables.mancon(mancon, on_mancon),
        order_of_slots=tables.order_of_slots(weights),
    )
    return Page(text, plots)


def _first(data: systems.Prepared, judged: list[Verdict]) -> tuple[Floats, Bools]:
    """Return the probability of all sentences that have a slot, and whether they answer."""
    found = [
        (one.probabilities[n], bool(example.answers[n]))
        for example, one in zip(data.examples, judged, strict=True)
        for n in one.slots.values()
    ]
    return np.array([p for p, _ in found]), np.array([right for _, right in found])


def _questions(split: str) -> list[Asked]:
    records = data_path("rct", f"rct-{split}.xml.gz")
    return read_questions(data_path("answers", f"answers-{split}.jsonl"), [records], evidence=True)


def _prepared(
    asked: list[Asked], taggers: Taggers, vectors: WordVectors
) -> dict[str, systems.Prepared]:
    return {
        form: systems.Prepared(pose(asked, taggers, structure=form == STRUCTURED), vectors)
        for form in FORMS
    }


def _judged(system: str, grown: Tree, weights: Weights, data: systems.Prepared) -> list[Verdict]:
    if system == "ours":
        return [systems.judge(weights, one) for one in data.examples]
    return [systems.judge_tree(grown, data, i) for i in range(len(data.posed))]
