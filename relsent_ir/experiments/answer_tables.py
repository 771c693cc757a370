"""The tables of the page of claim zones and answers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.answers.evaluation import Scores, score
from relsent_ir.answers.features import NAMES
from relsent_ir.answers.linear import Weights
from relsent_ir.answers.model import Judged
from relsent_ir.answers.paper import FEATURE_SETS
from relsent_ir.answers.tree import Tree
from relsent_ir.experiments.answer_runs import Prepared, best_only, in_zone
from relsent_ir.experiments.moves import ALAMRI, HIROHATA
from relsent_ir.experiments.tables import table
from relsent_ir.moves import MOVES
from relsent_ir.moves.evaluation import MoveScores as ZoneScores
from relsent_ir.trec.significance import holm, paired_t, randomisation

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

MEASURES: Final = ("precision", "recall", "f1", "mrr", "success_at_1")
LARGEST: Final = 12  # weights that are shown

Judgements = Mapping[tuple[str, str], Sequence[Judged]]
Scored = Callable[..., Scores]


def opening(full: bool) -> str:
    """Say how the page was made."""
    return f"""# Claim zones and answers (Alamri & Stevenson 2015)

Written by `relsent-ir reproduce alamri-stevenson-2015{" --full" if full else ""}`. docs/answers.md
describes the models. Everything was learned from the training split (questions of Evidence
Inference whose evidence is in the abstract); settings were chosen by cross-validation over records
inside it. The validation split and ManConCorpus were only scored. In cross-validation, an abstract
that the CRF was trained on gets its moves from a CRF that was not. A sentence is an answer when it
and a span of the evidence share at least half the words of the shorter of the two.
"""


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
    return f"""## Data

Sentences are counted once a question, moves given by labels where there are some. Of ManConCorpus,
17 of 254 PMIDs have their abstract in our data, all without structure.

{table([*header, "answers in zones", "without an answer"], rows)}"""


def zones(found: ZoneScores) -> str:
    """Set Tables 1 and 2 beside the package's CRF."""
    rows = []
    for i, move in enumerate(MOVES):
        ours = [found.moves[move][name] for name in ("precision", "recall", "f1")]
        cells = [f"{x:.2f}" for x in (*HIROHATA[i], *ALAMRI[i])]
        rows.append([move, *cells, *(f"{x:.3f}" for x in ours)])
    mean = f"{found.macro_f1:.3f}"
    rows.append(["mean of F1", "", "", "0.88", "", "", "0.89", "", "", mean])
    header = [f"{name}: {m}" for name in ("Hirohata", "Alamri", "ours") for m in ("P", "R", "F1")]
    return f"""## Claim zones (Tables 1 and 2)

The paper: 10,000 abstracts on cardiovascular disease. Ours: the CRF that comes with the package,
trained on RCT abstracts, on the RCT validation split. moves.md has it with the paper's features.

{table(["", *header], rows)}"""


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
    return f"""## The six feature sets (Table 3)

Decision trees, ten-fold cross-validation by record, abstracts as they are. The paper: 24 review
questions on cardiovascular disease. "Zone" counts the sentences of the claim zones, as the paper
does; "all" counts all sentences, so that answers outside the zone are missed.

{table(["", *header, "all: F1", "all: MRR", "all: success at 1"], rows)}
By F1 the paper has 3, 5, 4, 6, 2, 1; here it is 6, then 1, 5 and 2 alike, and 3 and 4 far behind.
In the paper the role decides, and the question adds nothing to it: its corpus has one question for
each abstract, and the claim is a sentence of the conclusion that looks like the title. Here an
abstract has about two questions, each on one outcome, and the answer is most often the sentence of
the RESULTS that reports it. Without the question (3, 4) a tree gives every question to an abstract
the same answer, and hardly a leaf has more answers than others. The role adds to the ranking (5 and
6 against 1 and 2). The Z-score in the place of the title's similarity changes nothing in the sets
of two, and adds recall to the set of three; the paper found it to add precision.
"""


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
    return f"""## Both components together (Table 4)

The paper: 69 abstracts without structure. Ours: the training split with the structure taken off,
ten-fold cross-validation, moves from CRFs that have not seen the abstract, all sentences; the tree
of the set that is best in cross-validation. Overall is the mean, weighted by sentences.

{table(header, rows)}"""


def systems(scores: Scored, chosen: int, forms: Sequence[str]) -> str:
    """Show the validation split, all systems, with intervals."""
    rows = []
    for form in forms:
        for name in (*map(str, FEATURE_SETS), "ours"):
            found = scores(name, form)
            values = found.to_dict()
            row = [f"{form}: {_system(name, chosen)}"]
            for measure in MEASURES:
                row.append(f"{values[measure]:.3f}")
                if measure in ("f1", "mrr", "success_at_1"):
                    low, high = found.interval(measure)
                    row[-1] += f" ({low:.2f} to {high:.2f})"
            rows.append(row)
    return f"""## The validation split

Learned from the whole training split, all sentences counted. In brackets 95 % of 1,000 bootstrap
samples of the articles. A star: the feature set that is best in cross-validation.

{table(["", *MEASURES], rows)}"""


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
                gain = ours.bootstrap(measure) - tree.bootstrap(measure)
                low, high = np.quantile(gain, (0.025, 0.975))
                difference = ours.to_dict()[measure] - tree.to_dict()[measure]
                values += [paired_t(a, b), randomisation(a, b)]
                cells = [f"{difference:+.3f}", f"{low:+.3f} to {high:+.3f}"]
                rows.append([f"{split}, {form}: {measure}", *cells])
    corrected = holm(values)
    for n, row in enumerate(rows):
        row += [f"{corrected[2 * n]:.1e}", f"{corrected[2 * n + 1]:.1e}"]
    header = ["", "ours − tree", "95 %", "p (t)", "p (randomisation)"]
    return f"""## Ours against the paper's tree (set {chosen})

The difference over all questions with 95 % of bootstrap samples of the articles, the same for both;
p of paired tests over articles (the mean of each one's questions; F1 by question), corrected for
the number of tests (Holm).

{table(header, rows)}"""


def repeats(test: Mapping[str, Prepared], tested: Judgements, chosen: int) -> str:
    """Show what the systems find when each may name one sentence only."""
    rows = []
    for form, found in test.items():
        for name in (str(chosen), "ours"):
            values = score(found.posed, best_only(tested[name, form])).to_dict()
            cells = [f"{values[m]:.3f}" for m in MEASURES[:3]]
            rows.append([f"{form}: {_system(name, chosen)}", *cells])
    return f"""## One sentence a question

Many questions have a second answer by the definition: a sentence that repeats half the words of the
first, often in METHODS. Ours looks for these (docs/answers.md), the tree does not. Here each system
names its first sentence only, on the validation split; what both miss are the repetitions.

{table(["", *MEASURES[:3]], rows)}"""


def mancon(data: Prepared, judged: Mapping[str, Sequence[Judged]], chosen: int) -> str:
    """Show ManConCorpus."""
    rows = []
    for name, found in judged.items():
        scores = score(data.posed, found)
        values = scores.to_dict()
        low, high = scores.interval("f1")
        cells = [f"{values[m]:.3f}" for m in MEASURES]
        rows.append([_system(name, chosen), *cells, f"{low:.2f} to {high:.2f}"])
    return f"""## ManConCorpus

The paper's own corpus, as far as the abstracts are here: {len(data.posed)} questions. Learned from
the training split; nothing was fitted here.

{table(["", *MEASURES, "f1: 95 %"], rows)}
None of the systems is of use here, ours included. These questions ask about a whole review, and
their claims are mostly in the CONCLUSION; a model that has learned to look for the RESULTS of one
outcome takes the result for the claim. Seventeen questions tell little more than that.
"""


def tree(grown: Tree, chosen: int) -> str:
    """Print the tree."""
    return f"""## The tree of set {chosen}

Grown on the whole training split, in brackets the share of answers.

```
{grown}
```
"""


def weights(learned: Weights) -> str:
    """Show the largest weights of our first step."""
    order = np.argsort(-np.abs(learned.weights))[:LARGEST]
    rows = [[NAMES[i], f"{learned.weights[i]:+.3f}"] for i in order.tolist()]
    return f"""## The largest weights of ours

Of the first step, for features of deviation one. A sentence is an answer from a probability of
{learned.threshold:.2f}.

{table(["", "weight"], rows)}"""


def _system(name: str, chosen: int) -> str:
    if name == "ours":
        return name
    return f"tree, set {name}" + (" *" if name == str(chosen) else "")


def _by_record(scores: Scores, measure: str) -> NDArray[np.float64]:
    """Give each article's mean over its questions."""
    values = {
        "f1": scores.f1_by_question(),
        "mrr": scores.ranks,
        "success_at_1": (scores.ranks == 1).astype(np.float64),
    }[measure]
    _, place = np.unique(np.array(scores.records, dtype=object), return_inverse=True)
    means: NDArray[np.float64] = np.bincount(place, weights=values) / np.bincount(place)
    return means


def _classes(data: Prepared, judged: Sequence[Judged]) -> dict[str, tuple[float, float, float]]:
    """Give precision, recall and F1 of answers, of other sentences, and their weighted mean."""
    gold = np.concatenate([example.answers for example in data.examples])
    given = np.concatenate([one.answers for one in judged])
    yes, no = _prf(gold, given), _prf(~gold, ~given)
    share = float(gold.mean())
    overall = [share * a + (1 - share) * b for a, b in zip(yes, no, strict=True)]
    return {"Answer": yes, "Non-answer": no, "Overall": (overall[0], overall[1], overall[2])}


def _prf(gold: NDArray[np.bool_], given: NDArray[np.bool_]) -> tuple[float, float, float]:
    right = float((gold & given).sum())
    precision, recall = right / max(1, given.sum()), right / max(1, gold.sum())
    return precision, recall, 2 * right / max(1, given.sum() + gold.sum())
