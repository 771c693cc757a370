"""Tables of evaluations and comparisons of runs: text, HTML for notebooks, JSON."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any, Final, TypedDict, Unpack

from relsent_ir.drawing import aligned
from relsent_ir.errors import Advising, UsageError, checked
from relsent_ir.lazy import needed
from relsent_ir.trec.accepted import AnyQrels, AnyRuns, measures_of, qrels_of, runs_of
from relsent_ir.trec.comparison import Comparison, compare
from relsent_ir.trec.evaluation import Evaluation, evaluate

if TYPE_CHECKING:
    import pandas as pd

SIGNIFICANT: Final = 0.05


class EvaluateOptions(TypedDict, total=False):
    """Options of measuring runs, as in `evaluate`."""

    complete: bool
    relevance_level: int
    max_docs: int | None


class _Table(Advising):
    """A table whose cells are in `rows`, starting with the head."""

    rows: Callable[[], list[list[str]]]

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """Return the cells as HTML for a notebook."""
        lines = [
            "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>"
            for tag, row in zip(["th", *["td"] * len(self.rows())], self.rows(), strict=False)
        ]
        return f"<table>{''.join(lines)}</table>"


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationTable(_Table):
    """The measures of one or more runs.

    `str` gives trec_eval's layout for one run; for several a table with one row per run.

    Attributes
    ----------
    names : tuple of str
        The names of the runs.
    evaluations : tuple of Evaluation
        The measures of each run.
    """

    names: tuple[str, ...]
    evaluations: tuple[Evaluation, ...]

    def __getitem__(self, name: str) -> Evaluation:
        if name not in self.names:
            fix = f"one of {', '.join(self.names)}; a mean is [RUN].summary[MEASURE]"
            raise UsageError(f"no run {name!r:.40}", fix=fix)
        return self.evaluations[self.names.index(name)]

    def text(self, *, per_topic: bool = False) -> str:
        """Return a line for each measure; if `per_topic`, the topics come before the means.

        Each of several runs gets a block, headed by a line ``runid``.
        """
        rows = []
        for name, evaluation in zip(self.names, self.evaluations, strict=True):
            if len(self.names) > 1:
                rows.append(("runid", "all", name))
            parts = evaluation.topics if per_topic else {}
            for topic, values in (*parts.items(), ("all", evaluation.summary)):
                rows += [(measure, topic, _number(value)) for measure, value in values.items()]
        return "\n".join(f"{measure:22s}\t{topic}\t{value}" for measure, topic, value in rows)

    def to_json(self, *, per_topic: bool = False) -> dict[str, Any]:
        """Return the object that ``relsent-ir evaluate --json`` prints."""
        objects = []
        for evaluation in self.evaluations:
            summary = {n: value for n, value in evaluation.summary.items() if n != "num_q"}
            topics = {"topics": evaluation.topics} if per_topic else {}
            objects.append({**summary, "num_q": len(evaluation.topics), **topics})
        if len(objects) == 1:
            return objects[0]
        return {"runs": [{"run": n, **o} for n, o in zip(self.names, objects, strict=True)]}

    def to_dataframe(self, *, per_topic: bool = False) -> "pd.DataFrame":
        """Return a row for each run, or for each topic of each run: run, qid, measures.

        Raises
        ------
        MissingError
            If pandas is not installed.
        """
        rows: list[dict[str, Any]] = []
        for name, evaluation in zip(self.names, self.evaluations, strict=True):
            if per_topic:
                parts = evaluation.topics.items()
                rows += [{"run": name, "qid": topic, **values} for topic, values in parts]
            else:
                rows.append({"run": name, **evaluation.summary})
        return needed("pandas", "pandas", "pandas").DataFrame(rows)

    def rows(self) -> list[list[str]]:
        """Return the cells of the table, starting with the head."""
        summaries = [evaluation.summary for evaluation in self.evaluations]
        body = [
            [name, *map(_number, of.values())]
            for name, of in zip(self.names, summaries, strict=True)
        ]
        return [["run", *summaries[0]], *body]

    def to_latex(self) -> str:
        """Write systems by measures for LaTeX with the package booktabs; the best are bold."""
        return latex([[name.strip() for name in row] for row in self.rows()], texts=1)

    def __str__(self) -> str:
        return aligned(self.rows()) if len(self.names) > 1 else self.text()


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonTable(_Table):
    """Comparisons of runs with a baseline; `str` is what ``relsent-ir compare`` prints.

    Attributes
    ----------
    baseline : str
    names : tuple of str
        The names of the other runs.
    comparisons : list of Comparison
        The result of `compare`.
    evaluations : EvaluationTable or None
        The compared measures by topic; set by `compare_runs`.
    pairs : callable or None
        Returns the comparisons of all pairs, from which letters are derived; None if `comparisons`
        already has them.
    """

    baseline: str
    names: tuple[str, ...]
    comparisons: list[Comparison]
    evaluations: EvaluationTable | None = None
    pairs: Callable[[], list[Comparison]] | None = None

    def rows(self) -> list[list[str]]:
        """Return the cells of the table, the head first; rows of the baseline have three cells.

        If runs are compared with each other, a column names the other run.
        """
        tests = list(self.comparisons[0].p)
        pairs = any(one.other >= 0 for one in self.comparisons)
        head = ["run", *(["less"] if pairs else []), "measure", "mean", "difference"]
        head += ["95 % interval", "won/lost/tied"]
        rows = [head + [name for test in tests for name in (f"p({test})", "Holm")]]
        names = (*self.names, self.baseline)  # the baseline has the index -1
        rows += [
            [self.baseline, *([""] if pairs else []), one.measure, f"{one.baseline:.4f}"]
            for one in self.comparisons
            if (one.run, one.other) == (0, -1)
        ]
        for one in self.comparisons:
            interval = "" if one.low is None else f"{one.low:+.4f} to {one.high:+.4f}"
            score = f"{one.wins}/{one.losses}/{one.ties}"
            ps = [_p(p) for test in tests for p in (one.p[test], one.holm[test])]
            less = [names[one.other]] if pairs else []
            cells = [f"{one.mean:.4f}", f"{one.difference:+.4f}", interval, score]
            rows.append([names[one.run], *less, one.measure, *cells, *ps])
        return rows

    def to_latex(self) -> str:
        """Write systems by measures for LaTeX with the package booktabs; the best values are bold.

        The letters above a mean name the runs that it exceeds significantly, as in `to_ranx`; a
        comment names the test.
        """
        head, *rows = self._lettered()
        body = [
            [letter, name, *(f"{mean}$^{{{above}}}$" if above else mean for mean, above in cells)]
            for letter, name, *cells in rows
        ]
        test = next(iter(self.comparisons[0].p))
        note = f"% Letters: runs that a mean is above, Holm's p < {SIGNIFICANT} by the {test} test"
        return f"{note} of all pairs\n{latex([['', 'system', *head[2:]], *body], texts=2)}"

    def to_ranx(self) -> str:
        """Write the table in the form of ranx: a line for each run, marked by a letter.

        The letters after a mean name the runs that it exceeds with Holm's p below .05 in the first
        test, corrected for all pairs.
        """
        head, *body = self._lettered()
        rows = [head, *([*row[:2], *("".join(cell) for cell in row[2:])] for row in body)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        rows.insert(1, ["-" * width for width in widths])
        return aligned(rows)

    def _lettered(self) -> list[list[Any]]:
        """Return the head, and for each run its letter, name, and means with others' letters."""
        names = (self.baseline, *self.names)
        measures = list(dict.fromkeys(one.measure for one in self.comparisons))
        means: dict[tuple[int, str], float] = {}
        above: dict[tuple[int, str], str] = {}
        for one in self.pairs() if self.pairs else self.comparisons:
            run, other = one.run + 1, one.other + 1
            means |= {(run, one.measure): one.mean, (other, one.measure): one.baseline}
            if next(iter(one.holm.values())) < SIGNIFICANT and one.difference:
                better, worse = (run, other) if one.difference > 0 else (other, run)
                above[better, one.measure] = above.get((better, one.measure), "") + _letter(worse)
        rows: list[list[Any]] = [["#", "Model", *measures]]
        for i, name in enumerate(names):
            cells = [
                (f"{means[i, m]:.4f}", "".join(sorted(above.get((i, m), "")))) for m in measures
            ]
            rows.append([_letter(i), name, *cells])
        return rows

    def to_json(self) -> dict[str, Any]:
        """Return the object that ``relsent-ir compare --json`` prints."""
        first = self.comparisons[0]
        return {
            "baseline": self.baseline,
            "num_q": first.wins + first.losses + first.ties,
            "comparisons": [
                {
                    **asdict(c),
                    "run": self.names[c.run],
                    "other": (*self.names, self.baseline)[c.other],
                }
                for c in self.comparisons
            ],
        }

    def to_dataframe(self, *, per_topic: bool = False) -> "pd.DataFrame":
        """Return a row for each comparison; or for the measures of each topic, with the baseline's.

        Raises
        ------
        MissingError
            If pandas is not installed.
        """
        if per_topic:
            if self.evaluations is None:
                raise UsageError("a comparison without topics", fix="rir.compare keeps them")
            return self.evaluations.to_dataframe(per_topic=True)
        rows = []
        for one in self.to_json()["comparisons"]:
            tests = {f"p({name})": value for name, value in one.pop("p").items()}
            holm = {f"Holm({name})": value for name, value in one.pop("holm").items()}
            rows.append({**one, **tests, **holm})
        return needed("pandas", "pandas", "pandas").DataFrame(rows)

    def __str__(self) -> str:
        return aligned(self.rows())


def latex(rows: Sequence[Sequence[str]], texts: int) -> str:
    """Write cells as a booktabs table, with the first row as its head.

    If there are several rows, the highest number of each column is bold; the first `texts` columns
    are not numbers.
    """
    head, *body = [
        [
            re.sub(r"([_%&#$])", r"\\\1", cell) if not number or place < texts else cell
            for place, cell in enumerate(row)
        ]
        for number, row in enumerate(rows)
    ]
    for place in range(texts, len(head) if len(body) > 1 else 0):
        best = max(float(row[place].partition("$")[0]) for row in body)
        for row in body:
            mean, dollar, letters = row[place].partition("$")
            if float(mean) == best:
                row[place] = rf"\textbf{{{mean}}}{dollar}{letters}"
    lines = [" & ".join(row) + r" \\" for row in (head, *body)]
    columns = "l" * texts + "r" * (len(head) - texts)
    rules = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", lines[0], r"\midrule", *lines[1:]]
    return "\n".join([*rules, r"\bottomrule", r"\end{tabular}"])


@checked
def evaluate_runs(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: object = ("official",),
    **options: Unpack[EvaluateOptions],
) -> EvaluationTable:
    """Measure runs, given by name, or a single run.

    Parameters
    ----------
    qrels : mapping, DataFrame, path …
        Judgements in any form of `relsent_ir.trec.accepted`.
    runs : mapping of str to Run, several or one
        Runs, likewise.
    measures : str, iterable of str, or measures of ir_measures
        Names of trec_eval (``map P.10``), ir_measures (``nDCG@10``) or ranx; a text may contain
        several names separated by spaces.
    **options
        Options as in `EvaluateOptions`.
    """
    judged, by_name, names = qrels_of(qrels), runs_of(runs), measures_of(measures)
    evaluations = (evaluate(judged, run, names, **options) for run in by_name.values())
    return EvaluationTable(tuple(by_name), tuple(evaluations))


@checked
def compare_runs(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: object = ("map",),
    tests: str | Iterable[str] = ("t",),
    *,
    all_pairs: bool = False,
    permutations: int = 100_000,
    seed: int = 0,
    **options: Unpack[EvaluateOptions],
) -> ComparisonTable:
    """Compare runs, given by name, with the first of them.

    Parameters
    ----------
    qrels, runs, measures
        As in `evaluate_runs`; there must be two or more runs, of which the first is the baseline,
        and the measures need a value for each topic.
    tests : str or iterable of str
        ``t``, ``sign``, ``wilcoxon`` or ``randomisation``. Holm's correction covers all runs and
        measures of a test.
    all_pairs : bool
        Also compare each run with all runs before it.
    permutations, seed : int
        Parameters of the randomisation test.
    **options
        Options as in `EvaluateOptions`.

    Raises
    ------
    UsageError
        If there is nothing to compare.
    """
    names = measures_of(measures)
    tests = [tests] if isinstance(tests, str) else list(tests)
    table = evaluate_runs(qrels, runs, names, **options)
    if len(table.names) < 2:
        raise UsageError("one run cannot be compared", fix="give two or more, by their names")
    return compared(table, names, tests, pairs=all_pairs, permutations=permutations, seed=seed)


def compared(
    table: EvaluationTable, measures: Sequence[str], tests: Sequence[str], **settings: Any
) -> ComparisonTable:
    """Compare the runs of a table with its first run; `settings` are options of `compare`."""
    first, *others = table.evaluations
    call = partial(compare, first, others, measures, tests)
    pairs = partial(call, **{**settings, "pairs": True})
    return ComparisonTable(table.names[0], table.names[1:], call(**settings), table, pairs)


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:6.4f}"


def _p(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 or p == 0 else f"{p:.1e}"


def _letter(number: int) -> str:
    return chr(ord("a") + number) if number < 26 else f"[{number + 1}]"
