"""Moves given by an abstract itself: by the labels of its sections, or by inline headings.

NLM's category decides if there is one, otherwise the printed label, by a table of common labels.
BACKGROUND and OBJECTIVE are both PURPOSE. Sections on trial registration, funding and ethics have
no move, whatever NLM's category (often BACKGROUND).

An inline heading ("METHODS: We …", in an abstract without sections) is a label of the same table at
the start of a sentence, in capitals or with a colon. It determines the move of its sentence. Later
sentences have the same move if headings name at least three of the four moves; a single
"Conclusion:" says nothing about its neighbours.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

MOVES: Final = ("PURPOSE", "METHODS", "RESULTS", "CONCLUSION")
"""The four moves, in the order of an abstract."""

LEAST_MOVES: Final = 3
"""Least number of moves in an abstract's labels for training and tests."""

CATEGORIES: Final = {
    "BACKGROUND": "PURPOSE",
    "OBJECTIVE": "PURPOSE",
    "METHODS": "METHODS",
    "RESULTS": "RESULTS",
    "CONCLUSIONS": "CONCLUSION",
}
"""The moves of NLM's categories; UNASSIGNED has none."""

_TABLE: Final = {
    "PURPOSE": """
        aim, aim and objectives, aims, aims and objectives, background, background context,
        background data, clinical question, context, focused question, general background, goal,
        goals, hypotheses, hypothesis, importance, introduction, main objective, motivation,
        motivations, need, object, objective, objectives, premise, problem, problem statement,
        purpose, purpose of review, purposes, question, rationale, research objective,
        research objectives, research question, scope, specific aims, statement of problem,
        statement of the problem, study aim, study aims, study hypothesis, study objective,
        study objectives, study purpose, study question, summary background data,
        summary of background data, theory, what is already known, what is known already
        """,
    "METHODS": """
        analysis, animals, approach, assessment, assessments, basic design, basic research design,
        case, case description, case descriptions, case presentation, case report, case reports,
        case summaries, case summary, cases, clinical presentation, clinical setting,
        consensus process, controls, data, data analysis, data collection, data extraction,
        data identification, data selection, data source, data sources, design, design of study,
        duration, eligibility criteria, evidence, evidence acquisition, evidence review,
        exclusion criteria, experimental approach, experimental design, exposure, exposures,
        identification, inclusion criteria, intervention, interventions, literature review,
        literature search, location, main exposure, main exposures, main measures, main methods,
        main outcome, main outcome measure, main outcome measurements, main outcome measures,
        main outcomes, main research variables, main variables, material, materials, measure,
        measurement, measurements, measures, method, methodology, methods, methods design,
        methods of data extraction, methods of study selection, observation, observations, options,
        outcome measure, outcome measurements, outcome measures, participant, participants,
        patient, patient sample, patients, place and duration of study, population,
        power calculations, primary outcome, primary outcome measure, primary outcome measures,
        primary outcomes, procedure, procedures, protocol, quality of evidence, randomisation,
        randomization, research design, review methods, sample, sample size, search methods,
        search protocol, search strategy, secondary outcome measures, secondary outcomes,
        selection criteria, setting, settings, size, sources, sources of information,
        statistical analyses, statistical analysis, statistical analysis used, statistical methods,
        statistics, studies reviewed, study appraisal, study cohort, study design,
        study participants, study population, study sample, study selection, study selections,
        study setting, subject, subjects, target population, technique, techniques, time horizon,
        treatment, trial design, type of participants, type of review, type of study,
        types of participants, variables
        """,
    "RESULTS": """
        benefits, clinical results, costs, data synthesis, evidence synthesis, finding, findings,
        harms, key finding, key findings, key results, main finding, main findings, main message,
        main result, main results, new findings, outcome, outcomes, primary results,
        principal finding, principal findings, principal results, principle findings,
        recent findings, result, results, results obtained, results of base-case analysis,
        results of data analysis, results of data synthesis, results of sensitivity analyses,
        results of sensitivity analysis, results of the analysis
        """,
    "CONCLUSION": """
        author's conclusions, authors conclusions, authors' conclusion, authors' conclusions,
        clinical implications, clinical importance, clinical relevance, clinical significance,
        comment, commentary, comments, concluding remarks, conclusion, conclusions,
        conclusive remarks, discussion, future directions, general significance, impact,
        implication, implications, implications for nursing, implications for nursing practice,
        implications for practice, implications for public health practice,
        implications for research, interpretation, interpretations, key conclusions, lesson,
        lessons, lessons learned, limitation, limitations, linking evidence to action,
        linking evidence to practice, main conclusion, main conclusions, perspective, perspectives,
        practical implications, practice implications, reasons for caution, recommendation,
        recommendations, relevance, relevance to clinical practice, reviewer's conclusions,
        reviewers' conclusions, significance, strengths and limitations, study limitations,
        summary, summary answer, take home message, translational relevance,
        what does this study add, what this study adds, wider implications of the findings
        """,
}


_NO_MOVE: Final = re.compile(
    r"\b(?:regist\w*|fund(?:ing|ed)?|sponsor\w*|ethic\w*|dissemination|clinicaltrials?(?:\.gov)?"
    r"|isrctn|eudract|prospero|trials? (?:number|identifier|code|identification)"
    r"|(?:competing|conflicts? of) interests?|citation|key ?words|copyright)\b"
)
"""Labels that have no move."""

_OPENING: Final = re.compile(r"^(?:\(?(?:\d{1,2}|[ivx]{1,4})[.):]\s*)?(?:the |our |study: )?")
_PLURAL: Final = re.compile(r"\(s\)|[^\w\s./'-]+")
_JOINED: Final = re.compile(r" and (?:the )?|/|\\|, (?:and )?|; ?| ?& ?")
_STUDY: Final = re.compile(
    r"(?: of (?:the|this|our) (?:present )?(?:study|work|review|paper|problem))$"
)


KNOWN: Final = {
    label.strip(): move
    for move, words in _TABLE.items()
    for label in " ".join(words.split()).split(",")
}
"""Moves by label, in lower case."""


def has_no_move(label: str) -> bool:
    """Return whether a section is about registration, funding, ethics and the like."""
    return bool(_NO_MOVE.search(label.lower()))


@lru_cache(maxsize=4096)
def label_move(label: str) -> str:
    """Return the move of a label as printed, or "" if it is not in the table.

    A label may have several parts ("BACKGROUND AND AIMS", "METHODS/RESULTS"). If one of their moves
    is PURPOSE, it is the label's; otherwise the last in an abstract's order is, as in NLM's table.
    """
    if has_no_move(label):
        return ""
    words = " ".join(_OPENING.sub("", label.lower().strip()).split()).rstrip(" .:;?-")
    parts = [_STUDY.sub("", _PLURAL.sub("", part).strip()) for part in _JOINED.split(words)]
    whole = KNOWN.get(words) or KNOWN.get(_STUDY.sub("", words))
    if whole:
        return whole
    moves = {KNOWN[part] for part in parts if part in KNOWN}
    if not moves:
        return ""
    return "PURPOSE" if "PURPOSE" in moves else max(moves, key=MOVES.index)


def section_move(label: str, category: str) -> str:
    """Return the move of a section; "" if it has none or its label is unknown."""
    if has_no_move(label):
        return ""
    return CATEGORIES.get(category) or label_move(label)


_COLON: Final = re.compile(r"\A([A-Z][\w&/,()’' -]{2,60}?)\s?:(?:\s+|$)")
_CAPITALS: Final = re.compile(
    r"\A([A-Z]{3,}+(?:(?: |, |/| & )(?:[A-Z]{3,}+|OF)){0,8})(?:\.(?:\s+|$)|\s+(?=[A-Z\d(]))"
)


def heading(sentence: str) -> tuple[str, int]:
    """Find the heading at the start of a sentence.

    Returns
    -------
    (str, int)
        The move, or "" if there is none, and the start of the text after the heading, 0 without a
        heading. A heading without a move ("TRIAL REGISTRATION: …") has the move "".
    """
    match = _COLON.match(sentence)
    if match and not (match[1].isupper() or match[1].lower() in KNOWN):
        match = None
    for start in (match, _CAPITALS.match(sentence)):
        if start and (label_move(start[1]) or has_no_move(start[1])):
            return label_move(start[1]), start.end()
    return "", 0


def given_moves(sentences: Sequence[str]) -> tuple[list[str], list[str]]:
    """Read the moves of inline headings, and remove these headings.

    Returns
    -------
    moves : list of str
        One move for each sentence, "" if no heading determines it.
    texts : list of str
        The sentences without their headings.
    """
    heads = [heading(sentence) for sentence in sentences]
    texts = [sentence[start:] for sentence, (_, start) in zip(sentences, heads, strict=True)]
    covers = len({move for move, _ in heads if move}) >= LEAST_MOVES
    moves = []
    current = ""
    alone = False  # whether the sentence before is only a heading
    for (move, start), text in zip(heads, texts, strict=True):
        if start:
            current = move
        moves.append(current if start or covers or alone else "")
        alone = bool(start) and not text
    return moves, texts
