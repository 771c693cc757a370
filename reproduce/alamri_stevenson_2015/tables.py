"""The tables of the page of claim zones and answers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.answers.classifiers import SLOTS, Verdict, Weights
from relsent_ir.answers.evaluation import Scores, measures_of, score
from relsent_ir.trec.significance import holm, paired_t, randomisation
from reproduce.alamri_stevenson_2015.systems import Prepared, best_only, in_zone
from reproduce.alamri_stevenson_2015.trees import FEATURE_SETS
from reproduce.page import compared, table

MEASURES: Final = ("precision", "recall", "f1", "mrr", "success_at_1")
TABLE_3: Final = {
    1: (0.68, 0.34, 0.45),
    2: (0.67, 0.48, 0.56),
    3: (0.70, 0.85, 0.77),
    4: (0.73, 0.78, 0.75),
    5: (0.70, 0.83, 0.76),
    6: (0.73, 0.75, 0.74),
}
"""Precision, recall, F1 of the answers."""

TABLE_4: Final = {
    "Answer": (0.56, 0.57, 0.56),
    "Non-answer": (0.92, 0.92, 0.92),
    "Overall": (0.86, 0.86, 0.86),
}


Judgements = Mapping[tuple[str, str], Sequence[Verdict]]
Scored = Callable[..., Scores]


def data(train: Prepared, test: Prepared, mancon: Prepared) -> str:
    """Count what there is."""
    rows = []
    for name, found in (("training", train), ("validation", test), ("ManConCorpus", mancon)):
        answers = [example.answers for example in found.examples]
        inside = sum(int((a & z).sum()) for a, z in zip(answers, found.zones, strict=True))
        total = sum(int(a.sum()) for a in answers)
        counts = (
            *(len(found.posed), len(set(found.records)), sum(map(len, answers))),
            *(sum(int(zone.sum()) for zone in found.zones), total),
        )
        none = sum(not a.any() for a in answers)
        rows.append([name, *map(str, counts), f"{100 * inside / max(1, total):.0f} %", str(none)])
    header = ["", "questions", "articles", "sentences", "in claim zones", "answers"]
    return table([*header, "answers in zones", "without an answer"], rows)


def feature_sets(train: Prepared, cv: Judgements) -> str:
    """Set Table 3 beside our trees'."""
    rows = []
    for number, names in FEATURE_SETS.items():
        judged = cv[str(number), "structured"]
        inside = in_zone(train, judged).to_dict()
        whole = score(train.posed, judged).to_dict()
        paper = [f"{x:.2f}" for x in TABLE_3[number]]
        cells = [f"{inside[m]:.3f}" for m in MEASURES[:3]]
        rows.append([f"{number}: {', '.join(names)}", *paper, *cells])
        rows[-1] += [f"{whole[m]:.3f}" for m in MEASURES[2:]]
    header = [f"{name}: {m}" for name in ("paper", "zone") for m in ("P", "R", "F1")]
    return table(["", *header, "all: F1", "all: MRR", "all: success at 1"], rows)


def added(train: Prepared, cv: Judgements) -> dict[str, str]:
    """Order the feature sets by F1, and test what the role and the Z-score add."""
    inside = {n: in_zone(train, cv[str(n), "structured"]) for n in FEATURE_SETS}
    whole = {n: score(train.posed, cv[str(n), "structured"]) for n in FEATURE_SETS}
    order = sorted(FEATURE_SETS, key=lambda n: -inside[n].to_dict()["f1"])
    tests = [("The role", "MRR", whole, pair) for pair in ((5, 1), (6, 2))]
    tests += [("The Z-score", "F1", inside, pair) for pair in ((2, 1), (4, 3), (6, 5))]
    values = [[_by_record(found[n], m.lower()) for n in pair] for _, m, found, pair in tests]
    corrected = holm([paired_t(a, b) for a, b in values])
    lines = []
    for (what, m, _, pair), (a, b), p in zip(tests, values, corrected, strict=True):
        told = compared(float(a.mean()), float(b.mean()), p)
        lines.append(f"- {what}: {m} of set {pair[0]} against set {pair[1]}: {told}")
    return {"order": ", ".join(map(str, order)), "added": "\n".join(lines)}


def integrated(train: Prepared, cv: Judgements, chosen: int) -> str:
    """Set Table 4 beside our tree and our model, on abstracts without structure."""
    rows = []
    both = {name: _classes(train, cv[name, "structure removed"]) for name in (str(chosen), "ours")}
    for name, paper in TABLE_4.items():
        cells = [f"{x:.2f}" for x in paper]
        for found in both.values():
            cells += [f"{x:.3f}" for x in found[name]]
        rows.append([name, *cells])
    systems = ("paper", f"tree, set {chosen}", "ours")
    header = ["", *(f"{system}: {m}" for system in systems for m in ("P", "R", "F1"))]
    return table(header, rows)


def systems(scores: Scored, chosen: int, forms: Sequence[str]) -> str:
    """Show the validation split, the best tree and ours, with intervals."""
    rows = []
    for form in forms:
        for name in (str(chosen), "ours"):
            found = scores(name, form)
            values = found.to_dict()
            row = [f"{form}: {_system(name)}"]
            for measure in MEASURES:
                row.append(f"{values[measure]:.3f}")
                if measure in ("f1", "mrr", "success_at_1"):
                    low, high = interval(found, measure)
                    row[-1] += f" ({low:.2f} to {high:.2f})"
            rows.append(row)
    return table(["", *MEASURES], rows)


def significance(scores: Scored, chosen: int, forms: Sequence[str]) -> str:
    """Test ours against the best tree."""
    rows: list[list[str]] = []
    values: list[float] = []
    for test in (False, True):
        for form in forms:
            ours, tree = (scores(name, form, test=test) for name in ("ours", str(chosen)))
            split = "validation" if test else "training (cross-validation)"
            for measure in ("f1", "mrr", "success_at_1"):
                a, b = (_by_record(one, measure) for one in (tree, ours))
                gain = bootstrap(ours, measure) - bootstrap(tree, measure)
                low, high = np.quantile(gain, (0.025, 0.975))
                difference = ours.to_dict()[measure] - tree.to_dict()[measure]
                values += [paired_t(a, b), randomisation(a, b)]
                cells = [f"{difference:+.3f}", f"{low:+.3f} to {high:+.3f}"]
                rows.append([f"{split}, {form}: {measure}", *cells])
    corrected = holm(values)
    for n, row in enumerate(rows):
        row += [f"{corrected[2 * n]:.1e}", f"{corrected[2 * n + 1]:.1e}"]
    header = ["", "ours − tree", "95 %", "p (t)", "p (randomisation)"]
    return table(header, rows)


def slots(
    data: Mapping[str, Prepared], judged: Mapping[str, Sequence[Verdict]], split: str
) -> list[list[str]]:
    """Show how often what stands first, and what each slot has, is right; and F1 by both golds."""
    rows = []
    for form, found in data.items():
        answers = [example.answers for example in found.examples]
        cells = []
        for name in (None, *SLOTS):
            best = [j.slots.get(name, -1) if name else int(j.scores.argmax()) for j in judged[form]]
            right = [n >= 0 and bool(of[n]) for of, n in zip(answers, best, strict=True)]
            cells.append(f"{np.mean(right):.3f}")
        cells += [f"{score(found.posed, judged[form]).to_dict()[m]:.3f}" for m in MEASURES[:3]]
        alone = best_only(judged[form])
        cells.append(f"{score(found.posed, alone).to_dict()['f1']:.3f}")
        rows.append([f"{split}, {form}", *cells])
    return rows


SLOT_COLUMNS: Final = (
    "", "what stands first", *SLOTS, "span P", "span R", "span F1", "of the first"
)  # fmt: skip


def mancon(data: Prepared, judged: Mapping[str, Sequence[Verdict]]) -> str:
    """Show ManConCorpus."""
    rows = []
    for name, found in judged.items():
        scores = score(data.posed, found)
        values = scores.to_dict()
        low, high = interval(scores, "f1")
        cells = [f"{values[m]:.3f}" for m in MEASURES]
        rows.append([_system(name), *cells, f"{low:.2f} to {high:.2f}"])
    return table(["", *MEASURES, "f1: 95 %"], rows)


def order_of_slots(learned: Weights) -> str:
    """Show the probability that the conclusion comes first."""
    told = {
        "neither a comparator nor an intervention's outcome": (0, 0, 0),
        "a comparator": (1, 0, 0),
        "an intervention's outcome": (0, 1, 0),
        "both": (1, 1, 1),
    }
    rows = [[name, f"{learned.concludes(np.array(x)):.2f}"] for name, x in told.items()]
    return table(["", "conclusion first"], rows)


def _system(name: str) -> str:
    return name if name == "ours" else f"tree, set {name}"


def interval(
    scores: Scores, measure: str, samples: int = 1000, seed: int = 0
) -> tuple[float, float]:
    """95 % of a measure over bootstrap samples of the records."""
    low, high = np.quantile(bootstrap(scores, measure, samples, seed), (0.025, 0.975))
    return float(low), float(high)


def bootstrap(
    scores: Scores, measure: str, samples: int = 1000, seed: int = 0
) -> NDArray[np.float64]:
    """Return a measure on samples of the records, each with all its questions."""
    _, place = np.unique(np.array(scores.records, dtype=object), return_inverse=True)
    columns = np.column_stack([scores.counts, scores.ranks, scores.ranks == 1, scores.ranks >= 0])
    sums = np.array([np.bincount(place, weights=column) for column in columns.T])
    n = sums.shape[1]
    rng = np.random.default_rng(seed)
    times = rng.multinomial(n, np.full(n, 1 / n), size=samples)
    return measures_of(times @ sums.T)[measure]


def f1_by_question(scores: Scores) -> NDArray[np.float64]:
    """F1 of each question's answers, for paired tests."""
    right, wrong, missed = scores.counts.T
    values: NDArray[np.float64] = 2 * right / np.maximum(2 * right + wrong + missed, 1)
    return values


def _by_record(scores: Scores, measure: str) -> NDArray[np.float64]:
    """Return each article's mean over its questions."""
    values = {
        "f1": f1_by_question(scores),
        "mrr": scores.ranks,
        "success_at_1": (scores.ranks == 1).astype(np.float64),
    }[measure]
    _, place = np.unique(np.array(scores.records, dtype=object), return_inverse=True)
    means: NDArray[np.float64] = np.bincount(place, weights=values) / np.bincount(place)
    return means


def _classes(data: Prepared, judged: Sequence[Verdict]) -> dict[str, Sequence[float]]:
    """Compute precision, recall and F1 of answers, of other sentences, and their weighted mean."""
    from sklearn.metrics import precision_recall_fscore_support as score_classes

    wanted = np.concatenate([example.answers for example in data.examples])
    given = np.concatenate([one.answers for one in judged])
    by_class = score_classes(wanted, given, labels=[True, False], zero_division=0)
    overall = score_classes(wanted, given, average="weighted", zero_division=0)
    yes, no = zip(*by_class[:3], strict=True)
    return {"Answer": yes, "Non-answer": no, "Overall": overall[:3]}
