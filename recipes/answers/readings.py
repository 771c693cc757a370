"""Learn from sentences that readers judged: verdicts, and whether an abstract answers.

Verdicts are learned from sentences with their verdict on the title of their record (`read_said`),
and from the findings of questions with evidence (`findings_said`). Whether a sentence answers is
learned by the features of `relsent_ir.answers.abstracts` from three sets: sentences with grades
(`read_graded`), those on the title of their record, which answer if they say yes or no, and
SciFact's claims for development with the evidence in the abstracts that they cite (`read_claims`).
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from recipes.answers.titles import folds
from recipes.answers.verdicts import fit_verdicts, train_verdicts
from recipes.answers.weights import logistic
from relsent_ir.answers.abstracts import ABSTRACT_NAMES, query_words, short_forms
from relsent_ir.answers.classifiers import Bools
from relsent_ir.answers.directions import VERDICTS, Verdicts, verdict_features
from relsent_ir.answers.language import Question, parse
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.questions import Posed, answer_sentences, gold
from relsent_ir.answers.searching import LIKELY, bodies
from relsent_ir.answers.sentence_features import tag_abstract
from relsent_ir.answers.stage import first_stage, frequencies
from relsent_ir.errors import InputError
from relsent_ir.files import open_text
from relsent_ir.hits import owner
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.records import Record, list_inputs, read_records
from relsent_ir.typing import Floats, Progress

LABELS: Final = {
    "significantly increased": "increased",
    "no significant difference": "no difference",
    "significantly decreased": "decreased",
}
"""Our names of directions, by the labels of the evidence."""
VERDICT_FOLDS: Final = 10
FINDINGS: Final = 0.15
"""The weight of a finding; a sentence that was read has the weight 1."""


@dataclass(frozen=True)
class Said:
    """A sentence with its verdict on a yes/no question.

    Attributes
    ----------
    record : str
    features : frozenset of str
        From `verdict_features`.
    verdict : str
        One of `VERDICTS`.
    judged : bool
        It speaks to the question, so the choice of the threshold uses it.
    weight : float
    """

    record: str
    features: frozenset[str]
    verdict: str
    judged: bool
    weight: float


def read_said(path: str | Path, records: Iterable[Record], stopwords: frozenset[str]) -> list[Said]:
    """Read the verdicts of sentences on the title of their record, which is a question.

    A line has the id of a sentence, a tab, and yes, no, unclear or silent. A silent sentence does
    not speak to the question, and is learned as unclear.

    Raises
    ------
    InputError
        With ``file:line``: another verdict; or a record that is not among the records.
    """
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    rows = [line.partition("\t")[::2] for line in lines]
    ids = {owner(name) for name, _ in rows}
    by_id = {record.id: record for record in records if record.id in ids}
    texts = {s.id: s.text for record in by_id.values() for s in tag_abstract(record)}
    said = []
    for n, (name, verdict) in enumerate(rows, 1):
        if name not in texts or verdict not in (*VERDICTS, "silent"):
            problem = f"no sentence {name!r} of these records, or no verdict {verdict!r}"
            raise InputError(problem, where=f"{path}:{n}")
        record = owner(name)
        asked = parse(_asked(by_id[record]))
        label = verdict if verdict in VERDICTS else VERDICTS[2]
        label = _turn(asked, label)
        features = verdict_features(asked.parts, texts[name], stopwords)
        said.append(Said(record, features, label, verdict != "silent", 1.0))
    return said


def _asked(record: Record) -> str:
    """Return the question that a record's title is."""
    return f"{record.title.rstrip('. ')}?".replace("??", "?")


def findings_said(posed: Sequence[Posed], stopwords: frozenset[str]) -> list[Said]:
    """Ask each labelled finding whether the outcome rises, and whether it falls.

    The answers of yes and those of no have the same total weight.
    """
    said = {}
    for p in posed:
        label = LABELS.get(p.question.label)
        answers = np.flatnonzero(gold(p))
        if p.whole or label is None or not len(answers) or p.question.id in said:
            continue
        text, parts = p.tagged[int(answers[0])].text, parse(p.question.text).parts
        said[p.question.id] = [
            Said(
                p.question.record.id,
                verdict_features(replace(parts, way=way), text, stopwords),
                VERDICTS[0] if label == yes else VERDICTS[1],
                False,
                FINDINGS,
            )
            for way, yes in (("up", "increased"), ("down", "decreased"))
        ]
    findings = [finding for both in said.values() for finding in both]
    yes = sum(finding.verdict == VERDICTS[0] for finding in findings)
    factors = {VERDICTS[0]: (len(findings) - yes) / max(1, yes), VERDICTS[1]: 1.0}
    return [replace(s, weight=s.weight * factors[s.verdict]) for s in findings]


def learn_verdicts(said: Sequence[Said]) -> Verdicts:
    """Learn to read verdicts on yes/no questions."""
    return train_verdicts(
        [sentence.features for sentence in said],
        [sentence.verdict for sentence in said],
        list(folds([sentence.record for sentence in said], VERDICT_FOLDS)),
        np.array([sentence.weight for sentence in said]),
        np.array([sentence.judged for sentence in said]),
    )


@dataclass(frozen=True)
class Answered:
    """A question with a record, and which of its sentences answer.

    Attributes
    ----------
    question : str
    record : Record
    answers : dict of str to str
        By the ids of the sentences that were judged: "" for one that does not answer, else its
        verdict, *yes* or *no*.
    """

    question: str
    record: Record
    answers: Mapping[str, str]


def read_titles(path: Path, records: Iterable[Record]) -> list[Answered]:
    """Return the titles of `read_said` as questions; a sentence answers if it says yes or no."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = dict(line.partition("\t")[::2] for line in lines)
    by_id = {record.id: record for record in records}
    return [
        Answered(
            _asked(by_id[owner(name)]),
            by_id[owner(name)],
            {name: verdict if verdict in VERDICTS[:2] else ""},
        )
        for name, verdict in rows.items()
    ]


def read_claims(claims: Path, corpus: Path, sentences: Path) -> list[Answered]:
    """Read SciFact's claims, each with the abstracts that it cites.

    Parameters
    ----------
    claims : Path
        Lines of JSON: ``claim``, ``cited``, and ``evidence``, [record, label, numbers].
    corpus : Path
    sentences : Path
        Lines of JSON with the sentences that the numbers count, from 0.
    """
    files, _ = list_inputs([corpus])
    by_id = {record.id: record for path, form in files for record in read_records(path, form)}
    with open_text(sentences) as file:
        numbered = {str(row["_id"]): row["abstract"] for row in map(json.loads, file)}
    answered = []
    with open_text(claims) as file:
        for claim in map(json.loads, file):
            for cited in claim["cited"]:
                evidence = [row for row in claim["evidence"] if row[0] == cited]
                spans = [numbered[cited][number] for *_, numbers in evidence for number in numbers]
                body = tag_abstract(by_id[cited])
                answers = answer_sentences([s.text for s in body], spans).tolist()
                verdict = VERDICTS[evidence[0][1] == "CONTRADICT"] if evidence else ""
                marks = {s.id: verdict * n for s, n in zip(body, answers, strict=True)}
                answered.append(Answered(claim["claim"], by_id[cited], marks))
    return answered


DEPTH: Final = 30
INVERSE_PENALTY: Final = 0.1
STARS: Final = (LIKELY, 0.6, 0.65)
"""The least probability of an abstract with a star, of each row of weights (docs/answers.md)."""
GRADES: Final = {"0": 0, "1": 1, "2": 2, "yes": 2, "no": 2, "unclear": 2, "part": 1, "silent": 0}
"""Readers' marks, and their marks for sentences on a claim, as grades."""
NARROW: Final = 0.1
"""The least deviation of a feature: a title that asks has nearly all words, whatever it answers."""
LEAST: Final = 1.5
"""The least mean grade, from 0 to 2, of a sentence that answers."""


@dataclass(frozen=True)
class Graded:
    """A sentence with its grade as the answer to a question.

    Attributes
    ----------
    collection : str
        The name of the folder of its indexes.
    topic, sentence : str
    grade : float
        The mean of the readers' grades: 2 answers, 1 partly, 0 does not.
    verdict : str
        *yes*, *no* or *unclear*, if a reader said so; "" if none did, or they differ.
    """

    collection: str
    topic: str
    sentence: str
    grade: float
    verdict: str = ""


def read_graded(path: str | Path) -> list[Graded]:
    """Read collection, topic, sentence and one of `GRADES` or more a line, with tabs between.

    Raises
    ------
    InputError
        With ``file:line``: a line of fewer columns, or a grade that is none of `GRADES`.
    """
    graded = []
    for n, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        collection, topic, sentence, *grades = [*line.split("\t"), "", ""]
        grades = grades[:-2]
        if not grades or not set(grades) <= GRADES.keys():
            raise InputError(
                f"no collection, topic, sentence and grades ({', '.join(GRADES)})",
                where=f"{path}:{n}",
                fix="write them with tabs between",
            )
        grade = sum(GRADES[name] for name in grades) / len(grades)
        verdicts = set(grades) & set(VERDICTS)
        verdict = verdicts.pop() if len(verdicts) == 1 else ""
        graded.append(Graded(collection, topic, sentence, grade, verdict))
    return graded


def _describe(
    model: AnswerModel,
    collection: Indexes,
    topics: Mapping[str, str],
    sentences: Mapping[str, Collection[str]],
    answering: Mapping[str, Collection[str]],
    progress: Progress | None = None,
) -> dict[tuple[str, str], list[Floats]]:
    """Return the features of sentences in the abstracts of the first stage, by topic and sentence.

    Those of an abstract that does not answer are returned again as they are in a collection without
    the abstracts that do: there it may be the best.

    Parameters
    ----------
    model : AnswerModel
    collection : Indexes
    topics : mapping of topic id to question
    sentences : mapping of topic id to collection of str
        Ids of the sentences to describe.
    answering : mapping of topic id to collection of str
        Ids of the records that answer.
    progress : callable, optional
        Gets the number of topics done, and of all.
    """
    features: dict[tuple[str, str], list[Floats]] = {}
    behind = ABSTRACT_NAMES.index("behind")
    stage = first_stage(collection, topics, model.vectors, depth=DEPTH)
    for n, (topic, hits, forms) in enumerate(stage, 1):
        owners = {owner(name) for name in sentences[topic]}
        scores = dict(zip(hits.ids.tolist(), hits.scores.tolist(), strict=True))
        others = [score for name, score in scores.items() if name not in answering[topic]]
        highest = [max((*of, 1e-9)) for of in (scores.values(), others)]
        records = collection.records([name for name in scores if name in owners])
        question = parse(topics[topic])
        idf = frequencies(collection, question, forms)
        query = query_words(question, model.vectors, idf, forms)
        for record, body in zip(records, bodies(collection, records), strict=True):
            verdict = model.judge(question, record.title or record.vernacular_title, body)
            rows = model.rows(query, record, body, verdict, 0.0)
            again = len(others) < len(scores) and record.id not in answering[topic]
            for best in highest[: 1 + again]:
                rows[:, behind] = (best - scores[record.id]) / best
                for sentence, row in zip(body, rows.copy(), strict=True):
                    if sentence.id in sentences[topic]:
                        features.setdefault((topic, sentence.id), []).append(row)
        if progress:
            progress(n, len(topics))
    return features


def learn_abstracts(
    graded: tuple[Sequence[Graded], Floats],
    titles: tuple[Floats, Sequence[str]],
    claims: tuple[Floats, Sequence[str]],
) -> Floats:
    """Learn the weights of `AnswerModel` for abstracts.

    Those of open questions are learned from all, by whether a sentence answers, and calibrated on
    graded sentences for such questions; those of claims from the graded ones, and those of claims
    that a title asks from the titles, by whether the likelier verdict of a sentence is what readers
    said.

    Parameters
    ----------
    graded : list of Graded, and ndarray of float64, shape (sentences, `ABSTRACT_NAMES`)
        From `describe_graded`; where no reader told a verdict, the likelier one is taken for right.
    titles, claims : ndarray of float64, and list of str
        From `describe_answered`.

    Returns
    -------
    ndarray of float64, shape (3, `ABSTRACT_NAMES` + 2)
        In each row the weights, the intercept, and the least probability of a star.
    """
    answers = np.array([row.grade >= LEAST for row in graded[0]])
    right = answers & _agree(graded[1], [row.verdict for row in graded[0]], unsaid=True)
    own = graded[1][:, ABSTRACT_NAMES.index("claim")] == 1.0
    if not own.any():
        own[:] = True
    others = [bool(mark) for mark in (*titles[1], *claims[1])]
    sets = (
        (np.vstack([graded[1], titles[0], claims[0]]), np.append(answers, others)),
        (graded[1][own], right[own]),
        (titles[0], _agree(*titles)),
    )
    learned = []
    for (features, y), star in zip(sets, STARS, strict=True):
        mean, deviation = features.mean(axis=0), np.maximum(features.std(axis=0), NARROW)
        fitted = logistic((features - mean) / deviation, y, inverse_penalty=INVERSE_PENALTY)
        weights = fitted[:-1] / deviation
        learned.append([*weights, fitted[-1] - weights @ mean, star])
    weights = np.array(learned)
    if not own.all():  # claims answer more often than what open questions find
        sums = graded[1][~own] @ weights[0, :-2] + weights[0, -2]
        slope, intercept = logistic(sums[:, None], answers[~own])
        weights[0, :-1] *= slope
        weights[0, -2] += intercept
    return weights


def _agree(features: Floats, verdicts: Sequence[str], *, unsaid: bool = False) -> Bools:
    """Return which sentences have the verdict that their features call the likelier."""
    no = features[:, ABSTRACT_NAMES.index("no")].astype(int).tolist()
    pairs = zip(no, verdicts, strict=True)
    return np.array([VERDICTS[n] == said or (unsaid and not said) for n, said in pairs], dtype=bool)


def _turn(question: Question, verdict: str) -> str:
    """Return the verdict on what a question denies, if it does: "X does not reduce O"."""
    if verdict not in VERDICTS[:2] or not question.denies:
        return verdict
    return VERDICTS[1 - VERDICTS.index(verdict)]


def describe_answered(
    model: AnswerModel, collection: Indexes, answered: Sequence[Answered]
) -> tuple[Floats, list[str]]:
    """Return the features of judged sentences, and their marks; words weigh as in a collection.

    Where a question denies, its marks are turned: verdicts are read on what it denies.
    """
    rows, answers = [], []
    for one in answered:
        question, body = parse(one.question), tag_abstract(one.record)
        forms = short_forms(one.question, [one.record.abstract])
        idf = frequencies(collection, question, forms)
        query = query_words(question, model.vectors, idf, forms)
        verdict = model.judge(question, one.record.title or one.record.vernacular_title, body)
        for sentence, row in zip(
            body, model.rows(query, one.record, body, verdict, 0.0), strict=True
        ):
            if sentence.id in one.answers:
                rows.append(row)
                answers.append(_turn(question, one.answers[sentence.id]))
    return np.array(rows).reshape(-1, len(ABSTRACT_NAMES)), answers


def unseen_titles(
    model: AnswerModel, titles: Sequence[Answered], said: Sequence[Said]
) -> Iterator[tuple[AnswerModel, list[Answered]]]:
    """Yield the titles of each fold, with a model that learned its verdicts from the others."""
    outs = folds([sentence.record for sentence in said], VERDICT_FOLDS)
    held = folds([title.record.id for title in titles], VERDICT_FOLDS)
    for out, mine in zip(outs, held, strict=True):
        kept = [said[n] for n in np.flatnonzero(~out).tolist()]
        unseen = copy(model)
        unseen.verdicts = fit_verdicts(
            [sentence.features for sentence in kept],
            np.array([VERDICTS.index(sentence.verdict) for sentence in kept]),
            np.array([sentence.weight for sentence in kept]),
        )
        yield unseen, [titles[n] for n in np.flatnonzero(mine).tolist()]


def describe_graded(
    model: AnswerModel,
    path: Path,
    topics: Mapping[str, str],
    indexes: Sequence[Path],
    progress: Progress | None = None,
) -> tuple[list[Graded], Floats]:
    """Return graded sentences, with the features of each; some come twice (`_describe`).

    Parameters
    ----------
    model : AnswerModel
    path : Path
        A file for `read_graded`.
    topics : mapping of topic id to question
    indexes : sequence of Path
        The collections, by the names of their folders.
    progress : callable, optional

    Raises
    ------
    InputError
        If a topic is missing, or no sentence is among the hits of its topic.
    """
    graded = read_graded(path)
    rows: dict[tuple[str, str], list[Floats]] = {}
    for folder in indexes:
        sentences: dict[str, set[str]] = {}
        answering: dict[str, set[str]] = {}
        for row in graded:
            if row.collection == folder.name:
                if row.topic not in topics:
                    raise InputError(f"no topic {row.topic} among --topics", where=path)
                sentences.setdefault(row.topic, set()).add(row.sentence)
                records = answering.setdefault(row.topic, set())
                records |= {owner(row.sentence)} if row.grade >= LEAST else set()
        with Indexes(folder) as collection:
            questions = {topic: topics[topic] for topic in sentences}
            rows |= _describe(model, collection, questions, sentences, answering, progress)
    pairs = [
        (replace(row, verdict=_turn(parse(topics[row.topic]), row.verdict)), features)
        for row in graded
        for features in rows.get((row.topic, row.sentence), ())
    ]
    if not pairs:
        raise InputError("none of these sentences is found for its topic", where=path)
    return [row for row, _ in pairs], np.vstack([features for _, features in pairs])
