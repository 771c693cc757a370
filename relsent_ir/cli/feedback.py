"""The flags of feedback and SMART weighting, what they ask for, and how feedback is explained."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from relsent_ir.cli import options
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.feedback import FeedbackSearcher

NEGATIVE: Final = 0.15  # Pyserini's gamma with --rocchio-use-negative
ORIGINS: Final = 4  # documents or sentences that are named for a term

_WEIGHTS: Final = click.Choice(["uniform", "rank", "score"])
_FLAGS: Final[tuple[tuple[str, str, Any, str, dict[str, Any]], ...]] = (
    ("--rm3", "", False, "Expand topics with Anserini's RM3.", {}),
    ("--rocchio", "", False, "Expand topics by Rocchio's feedback.", {}),
    ("--rocchio-use-negative", "rocchio", False, "Rocchio: gamma is 0.15, if not given.", {}),
    ("--fb-preset", "", None,
     "Rocchio with good settings, BM25's among them; flags that are given win.",
     {"type": click.Choice(["medline"])}),
    ("--fb-terms", "rocchio rm3", 10, "Terms that feedback adds.", {}),
    ("--fb-docs", "rocchio rm3", 10, "Documents that it reads.", {}),
    ("--original-query-weight", "rm3", 0.5, "RM3's.", {}),
    ("--alpha --rocchio.alpha", "rocchio", 1.0, "Rocchio: the topic's weight.", {}),
    ("--beta --rocchio.beta", "rocchio", 0.75, "Rocchio: the first documents' weight.", {}),
    ("--gamma --rocchio.gamma", "rocchio", 0.0, "Rocchio: the last hits' weight.", {}),
    ("--bottom-fb-terms", "rocchio", 10, "Terms of the last hits.", {}),
    ("--bottom-fb-docs", "rocchio", 10, "How many last hits.", {}),
    ("--fb-weighting", "rocchio", "tf",
     "Rocchio: how terms weigh in documents; a SMART triple or bm25.",
     {"metavar": "tf|bm25|ltn..."}),
    ("--fb-doc-weights", "rocchio", "uniform", "Rocchio: how documents weigh.",
     {"type": _WEIGHTS}),
    ("--fb-max-df", "rocchio", 0.1,
     "Rocchio: no terms that are in a greater share of the documents.", {"metavar": "SHARE"}),
    ("--unscaled", "rocchio", False,
     "Rocchio: vectors keep their lengths, as in Ruch 2006.", {}),
    ("--argumentative", "rocchio rm3", None,
     "Feedback from sentences with these moves; also TITLE, MESH and DOCUMENT.",
     {"metavar": "MOVE[=W],..."}),
    ("--soft", "argumentative", False, "Weigh sentences by their move's score.", {}),
    ("--related", "rocchio rm3", None, "Feedback from sentences related to the topic.",
     {"metavar": "MODEL|FORMULA"}),
    ("--fb-sentences", "related", 20, "How many related ones.", {}),
    ("--associations", "", None,
     "Add terms that the topic's words are associated with, by a model of Huber+ or by the"
     " sentences of a collection's indexes; beside feedback, or alone.", {"metavar": "DIR"}),
    ("--association-terms", "associations", 20, "How many terms.", {}),
    ("--association-weight", "associations", 0.3, "Their weight, the topic's own being 1.", {}),
    ("--smart", "", None, "Rank by SMART weights, as ltc.atn.", {"metavar": "DDD.QQQ"}),
    ("--slope", "smart rocchio", 0.14, "SMART's letter u.", {}),
    ("--pivot", "smart rocchio", None, "SMART's letter u.  [default: mean distinct terms]",
     {"type": float}),
    ("--candidates", "smart", None,
     "Order the first N hits of BM25 by --smart.  [default: exact, all]",
     {"type": click.IntRange(1), "metavar": "N"}),
    ("--explain", "rocchio rm3 associations", False, "Show the expanded topics.", {}),
)  # fmt: skip
"""Names, the flags of which one is needed beside it, default, help, and more for click."""


def feedback_options(function: options.F) -> options.F:
    """``--rm3``, ``--rocchio`` and what goes with them; ``--smart``."""
    for names, _, default, text, more in reversed(_FLAGS):
        settings: dict[str, Any] = {"default": default, "help": text, **more}
        if default is False:
            settings["is_flag"] = True
        elif default is not None:
            settings = {"type": type(default), "show_default": True, **settings}
        function = click.option(*names.split(), **settings)(function)
    return function


def read_feedback(flags: Mapping[str, Any], *, fields: bool, unit: str) -> dict[str, Any]:
    """Return what flags of `feedback_options` ask for, as `Engine.searcher` takes it.

    Raises
    ------
    UsageError
        If the flags do not go together.
    """
    for first, second in (("rm3", "rocchio"), ("argumentative", "related")):
        if flags[first] and flags[second]:
            raise UsageError(f"{_flag(first)} and {_flag(second)} exclude each other")
    for names, needed, *_ in _FLAGS:
        name = names.split()[0][2:].replace("-", "_")
        if needed and _given(name) and not any(flags[second] for second in needed.split()):
            wanted = " or ".join(map(_flag, needed.split()))
            raise UsageError(f"{_flag(name)} needs {wanted}")
    triples = [
        part for name in ("smart", "fb_weighting") for part in (flags[name] or "").split(".")
    ]
    for name in ("slope", "pivot"):
        if _given(name) and not any(len(part) == 3 and part[2] == "u" for part in triples):
            fix = "--smart dtu.dtn, or --fb-weighting dtu"
            raise UsageError(f"{_flag(name)} needs the letter u", fix=fix)
    for name in ("argumentative", "related"):
        if flags[name] and unit != "abstracts":
            raise UsageError(f"{_flag(name)} needs --unit abstracts")
    for name in ("rm3", "rocchio", "associations", "smart"):
        if flags[name] and fields:
            raise UsageError(f"{_flag(name)} works in `contents` only", fix="leave out --fields")
    expands = flags["rm3"] or flags["rocchio"]
    if flags["candidates"] and (expands or flags["associations"]):
        raise UsageError("--candidates needs --smart without --rocchio, --rm3 and --associations")
    ways: dict[str, Any] = {"candidates": flags["candidates"]}
    if flags["associations"]:
        from relsent_ir.methods import FromAssociations

        how_many, weight = flags["association_terms"], flags["association_weight"]
        ways["associations"] = FromAssociations(flags["associations"], how_many, weight)
    if flags["smart"]:
        from relsent_ir.methods import Smart

        ways["smart"] = Smart(flags["smart"], flags["slope"], flags["pivot"])
    return ways | _feedback(flags) if expands else ways


def with_preset(flags: dict[str, Any], k1: float, b: float) -> tuple[dict[str, Any], float, float]:
    """Put the settings of ``--fb-preset`` in the place of flags that are not given; BM25's too.

    Raises
    ------
    UsageError
        If it is asked for with another kind of feedback.
    """
    if not flags["fb_preset"]:
        return flags, k1, b
    if flags["rm3"]:
        raise UsageError("--fb-preset is Rocchio's, and excludes --rm3")
    from relsent_ir.feedback.search import PRESETS

    bm25, rocchio = PRESETS[flags["fb_preset"]]
    settings = {
        "fb_terms": rocchio.fb_terms,
        "fb_docs": rocchio.fb_docs,
        "alpha": rocchio.alpha,
        "beta": rocchio.beta,
        "fb_weighting": rocchio.weighting,
        "fb_doc_weights": rocchio.documents,
        "fb_max_df": rocchio.max_df,
    }
    chosen = {name: value for name, value in settings.items() if not _given(name)}
    return (
        {**flags, **chosen, "rocchio": True},
        k1 if _given("k1") else bm25.k1,
        b if _given("b") else bm25.b,
    )


def _feedback(flags: Mapping[str, Any]) -> dict[str, Any]:
    from relsent_ir.feedback.sources import parse_moves
    from relsent_ir.methods import RM3, FromMoves, FromRelated, Rocchio

    source: FromMoves | FromRelated | None = None
    if flags["argumentative"] == "learn":
        raise UsageError(
            "--argumentative learn needs judgements",
            fix="relsent-ir tune --qrels QRELS -- search ..., then give the weights that it chose",
        )
    if flags["argumentative"]:
        source = FromMoves(parse_moves(flags["argumentative"]), flags["soft"])
    elif flags["related"]:
        source = FromRelated(flags["related"], flags["fb_sentences"])
    if flags["rm3"]:
        rm3 = RM3(flags["fb_terms"], flags["fb_docs"], flags["original_query_weight"])
        return {"feedback": rm3, "source": source}
    negative = flags["rocchio_use_negative"] and not _given("gamma")
    rocchio = Rocchio(
        flags["fb_terms"],
        flags["fb_docs"],
        flags["alpha"],
        flags["beta"],
        NEGATIVE if negative else flags["gamma"],
        flags["bottom_fb_terms"],
        flags["bottom_fb_docs"],
        flags["fb_weighting"],
        flags["fb_doc_weights"],
        not flags["unscaled"],
        flags["fb_max_df"],
        flags["slope"],
        flags["pivot"],
    )
    return {"feedback": rocchio, "source": source}


def explain(searcher: "FeedbackSearcher", topics: Mapping[str, str]) -> dict[str, Any]:
    """Account for the expanded topics: each term's weight, and where it is from."""
    return {
        topic: {
            "fallback": expansion.fallback,
            "terms": [
                {
                    "term": term,
                    "weight": weight,
                    "topic": expansion.original.get(term, 0.0),
                    "feedback": expansion.feedback.get(term, 0.0),
                    "associated": expansion.associated.get(term, 0.0),
                    "from": origins.get(term, []),
                }
                for term, weight in expansion.weights.items()
            ],
        }
        for topic, (expansion, origins) in searcher.explain(topics).items()
    }


def show_expansion(explained: Mapping[str, Mapping[str, Any]]) -> None:
    """Print expanded topics as tables."""
    from relsent_ir.cli.output import print_table

    for topic, of in explained.items():
        title = f"topic {topic}" if topic else "expanded topic"
        click.echo(f"{title} ({of['fallback']})" if of["fallback"] else title)
        rows = []
        names = ["weight", "topic", "feedback"]
        names += ["associated"] if any(term["associated"] for term in of["terms"]) else []
        for term in of["terms"]:
            origins = term["from"]
            more = f" and {len(origins) - ORIGINS} more" if len(origins) > ORIGINS else ""
            weights = [f"{term[name]:.4f}" for name in names]
            rows.append([term["term"], *weights, ", ".join(origins[:ORIGINS]) + more])
        width = max((len(row[-1]) for row in rows), default=0)  # names start on the left
        table = [[*row[:-1], row[-1].ljust(width)] for row in rows]
        print_table(["term", *names, "from".ljust(width)], table)
        click.echo()


def _given(name: str) -> bool:
    """Whether a flag is on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
