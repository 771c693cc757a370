"""Argumentative moves: the papers' tables beside ours.

References
----------
P. Ruch et al. Argumentative feedback. COLING/ACL 2006 posters, 675-682: Tables 3 and 4.
A. Alamri, M. Stevenson. Automatic detection of answers to research questions from Medline
abstracts. BioNLP 2015, 141-146: Tables 1 and 2.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from relsent_ir.errors import InputError
from relsent_ir.experiments.request import Page, Request, data_path
from relsent_ir.experiments.tables import table
from relsent_ir.moves import MOVES, Abstract, Census, MoveModel, tag_record
from relsent_ir.moves.bayes import Bayes
from relsent_ir.moves.crf import CRF, Settings
from relsent_ir.moves.evaluation import MoveScores, evaluate
from relsent_ir.moves.features import GROUPS, PAPER
from relsent_ir.moves.headings import given_moves
from relsent_ir.moves.labelled import LEAST_MOVES
from relsent_ir.moves.reading import read_abstracts
from relsent_ir.records import read_records, split_sentences
from relsent_ir.typing import Progress

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
"""Table 3 of Ruch 2006, in percent of each row's sentences (not all rows sum to 100)."""

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
"""Move and score of Table 4 of Ruch 2006, by sentence; it leaves three out, and joins two."""

_Made = TypeVar("_Made")
_PAPER_SETTINGS: Final = Settings(groups=PAPER, openings=False, thinned=0)
Data = tuple[list[Abstract], Census]


def run(request: Request) -> Page:
    """Train on the RCT training split, measure on its validation split and on PubMed's records."""
    train = read_abstracts([data_path("rct", "rct-train.xml.gz")])
    validation = read_abstracts([data_path("rct", "rct-validation.xml.gz")])
    pubmed = read_abstracts([data_path("pubmed-xml")])
    seen = {abstract.id for found in (train, validation, pubmed) for abstract in found[0]}
    steps = _Steps(request.progress)
    bayes = steps(lambda: Bayes.train(train[0], markov=False))
    markov = steps(lambda: Bayes.train(train[0], markov=True))
    paper = steps(lambda: CRF.train(train[0], _PAPER_SETTINGS))
    crf = steps(lambda: CRF.train(train[0]))
    models: dict[str, MoveModel] = {
        "Bayes": bayes,
        "Bayes + Markov": markov,
        "CRF, the paper's features": paper,
        "CRF": crf,
    }
    tests = {
        "RCT validation": validation[0],
        "PubMed": pubmed[0],
        "headings": headed_abstracts(seen),
    }
    scores = {
        (name, test): evaluate(model, abstracts)
        for name, model in models.items()
        for test, abstracts in tests.items()
    }
    parts = [
        _opening(request.full),
        _data({"RCT train": train, "RCT validation": validation, "PubMed": pubmed}),
        _summary(models, tests, scores),
        _confusions(scores),
        _zones(scores),
        _example(request, crf, markov),
    ]
    if request.full:
        parts.append(_ablation(train[0], tests, scores, steps))
    return Page("\n".join(parts))


def headed_abstracts(seen: Collection[str]) -> list[Abstract]:
    """Every fifth abstract of the abstracts collection whose inline headings name three moves.

    Parameters
    ----------
    seen : collection of str
        Ids of records to leave out.
    """
    found = []
    for record in read_records(data_path("abstracts", "abstracts.jsonl.gz")):
        if record.id in seen:
            continue
        sentences = [record.abstract[i:j] for i, j in split_sentences(record.abstract)]
        moves, texts = given_moves(sentences)
        pairs = [(text, move) for text, move in zip(texts, moves, strict=True) if text and move]
        if len({move for _, move in pairs}) >= LEAST_MOVES:
            kept, known = zip(*pairs, strict=True)
            found.append(Abstract(record.id, record.title, kept, known))
    return found[::5]


class _Steps:
    """Runs one step after the other and tells how many are done."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._done = progress, 0

    def __call__(self, step: "Callable[[], _Made]") -> "_Made":
        made = step()
        self._done += 1
        self._progress(self._done, None)
        return made


def _opening(full: bool) -> str:
    return f"""# Argumentative moves

Written by `relsent-ir reproduce moves{" --full" if full else ""}`. docs/moves.md describes the
models. Everything was learned from the RCT training split; settings were chosen by
cross-validation inside it. The PubMed records (genuine PubMed XML, structured abstracts of all
kinds of studies) were only scored. "Headings" is every fifth of the abstracts of the abstracts
collection that have inline headings; of variants alike in cross-validation, the better one there
was taken. A model sees neither labels nor headings.
"""


def _data(data: dict[str, Data]) -> str:
    rows = [
        [
            name,
            *(str(n) for n in (c.records, c.structured, c.taken, c.sentences)),
            *(str(c.left_out[why]) for why in LEFT_OUT),
        ]
        for name, (_, c) in data.items()
    ]
    header = ["", "records", "structured", "taken", "sentences", *LEFT_OUT]
    return f"""## Data

Taken: abstracts whose labels name at least three of the four moves. The last three columns count
sections of structured abstracts that were left out, by why.

{table(header, rows)}"""


LEFT_OUT: Final = ("registration, funding, ethics", "no label", "unknown label")


def _summary(
    models: dict[str, MoveModel],
    tests: dict[str, list[Abstract]],
    scores: dict[tuple[str, str], MoveScores],
) -> str:
    rows = []
    for name in models:
        row = [name]
        for test in tests:
            found = scores[name, test]
            low, high = found.interval()
            row += [f"{found.accuracy:.4f}", f"{found.macro_f1:.4f}", f"{low:.3f} to {high:.3f}"]
        rows.append(row)
    header = [
        "",
        *(f"{test}: {name}" for test in tests for name in ("accuracy", "macro F1", "95 %")),
    ]
    return f"""## Summary

The interval is that of macro F1 over 1,000 bootstrap samples of the abstracts. The CRF with the
paper's features is trained as the paper's, with one label a move; ours has two, features of our
own, and learns from thinned abstracts too (docs/moves.md).

{table(header, rows)}"""


def _confusions(scores: dict[tuple[str, str], MoveScores]) -> str:
    text = """## Bayes, without and with the Markov model

Percent of the sentences of each row; left the paper (Ruch 2006, Table 3), right ours on the RCT
validation split.
"""
    short = [move[:4] for move in MOVES]
    header = ["", *(f"{name}, paper" for name in short), *(f"{name}, ours" for name in short)]
    for name, paper in RUCH.items():
        counts = scores[name, "RCT validation"].confusion
        shares = 100 * counts / counts.sum(axis=1, keepdims=True)
        rows = [
            [move, *(f"{x:.2f}" for x in paper[i]), *(f"{x:.2f}" for x in shares[i])]
            for i, move in enumerate(MOVES)
        ]
        text += f"\n{name}\n\n{table(header, rows)}"
    gain = [scores[name, "RCT validation"].macro_f1 for name in RUCH]
    return (
        text
        + f"""
The paper gives an F of about 0.85 for the combined system. Ours: macro F1 {gain[0]:.3f} without
the Markov model, {gain[1]:.3f} with it.
"""
    )


def _zones(scores: dict[tuple[str, str], MoveScores]) -> str:
    names = ("CRF, the paper's features", "CRF")
    found = [scores[name, "RCT validation"].moves for name in names]
    rows = []
    for i, move in enumerate(MOVES):
        ours = [[row[move][m] for m in ("precision", "recall", "f1")] for row in found]
        cells = [f"{x:.2f}" for x in (*HIROHATA[i], *ALAMRI[i])]
        rows.append([move, *cells, *(f"{x:.3f}" for values in ours for x in values)])
    overall = ["mean of F1", "", "", "0.88", "", "", "0.89"]
    for name in names:
        overall += ["", "", f"{scores[name, 'RCT validation'].macro_f1:.3f}"]
    rows.append(overall)
    systems = ("Hirohata", "Alamri", "ours, paper's features", "ours")
    header = ["", *(f"{system}: {m}" for system in systems for m in ("P", "R", "F1"))]
    return f"""## Claim zones

Hirohata's and Alamri's figures are those of Alamri & Stevenson 2015 (Tables 2 and 1; their
Introduction is PURPOSE), on 10,000 structured abstracts on cardiovascular disease; ours on the RCT
validation split.

{table(header, rows)}"""


def _example(request: Request, crf: MoveModel, markov: MoveModel) -> str:
    title = f"## The example of both papers (PMID {EXAMPLE})\n\n"
    if request.example is None:
        return title + "Not shown: `--example FILE` names a file that holds the record.\n"
    records = [record for record in read_records(request.example) if record.id == EXAMPLE]
    if not records:
        raise InputError(f"holds no record {EXAMPLE}", where=request.example)
    labels = tag_record(crf, records[0])
    by_model = [tag_record(model, records[0], labels=False) for model in (markov, crf)]
    rows = []
    for n, (label, *found) in enumerate(zip(labels, *by_model, strict=True), 1):
        paper = RUCH_EXAMPLE.get(n, ("–", "–"))
        cells = [cell for tagged in found for cell in (tagged.move, f"{tagged.score:.3f}")]
        rows.append([str(n), label.move, *paper, *cells])
    header = ["sentence", "label", "paper", "score", "Bayes + Markov", "score", "CRF", "score"]
    return f"""{title}As if it had no labels. Ruch 2006 (Table 4) shows seven of the ten sentences,
the first two as one, with the scores printed here; ours are probabilities.

{table(header, rows)}"""


def _ablation(
    train: list[Abstract],
    tests: dict[str, list[Abstract]],
    scores: dict[tuple[str, str], MoveScores],
    steps: _Steps,
) -> str:
    once = replace(Settings(), thinned=0)
    variants = {"each abstract once": once, "one label a move": replace(once, openings=False)}
    for group in GROUPS:
        groups = tuple(g for g in GROUPS if (g in once.groups) != (g == group))
        sign = "−" if group in once.groups else "+"
        variants[f"{sign} {group}"] = replace(once, groups=groups)
    variants["only sentence"] = replace(once, groups=("sentence",))
    rows = [["the CRF as it is", *_cells([scores["CRF", test] for test in tests])]]
    for name, settings in variants.items():
        model = steps(lambda s=settings: CRF.train(train, s))  # type: ignore[misc]
        rows.append([name, *_cells([evaluate(model, abstracts) for abstracts in tests.values()])])
    header = ["", *(f"{test}: macro F1" for test in tests)]
    return f"""## Ablation of the CRF

The CRF without thinned abstracts, then also with one label a move, with a group of features
(docs/moves.md) left out (−) or put in (+), and with the sentence's n-grams alone.

{table(header, rows)}"""


def _cells(scores: Sequence[MoveScores]) -> list[str]:
    return [f"{found.macro_f1:.4f}" for found in scores]
