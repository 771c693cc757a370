"""The flags of feedback and SMART weighting, and the searcher that they ask for."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

import click

from relsent_ir.errors import UsageError
from relsent_ir.stages import is_sharing, shared

if TYPE_CHECKING:
    from relsent_ir.feedback import Expansion, SmartSearcher
    from relsent_ir.feedback.pool import Source, Topic
    from relsent_ir.feedback.search import Ranker
    from relsent_ir.hits import Run
    from relsent_ir.lucene.search import Searcher

F = TypeVar("F", bound=Callable[..., Any])
Progress = Callable[[int, int | None], None]

ORIGINS = 4  # documents or sentences that are named for a term


@dataclass(frozen=True)
class FeedbackFlags:
    """What the flags of `feedback_options` were given."""

    rm3: bool
    rocchio: bool
    fb_terms: int
    fb_docs: int
    original_query_weight: float
    alpha: float
    beta: float
    gamma: float
    bottom_fb_terms: int
    bottom_fb_docs: int
    fb_weighting: str
    fb_doc_weights: str
    fb_max_df: float
    unscaled: bool
    argumentative: str | None
    soft: bool
    related: str | None
    fb_sentences: int
    smart: str | None
    slope: float
    pivot: float | None
    candidates: int | None
    explain: bool

    @classmethod
    def take(cls, flags: dict[str, Any]) -> "FeedbackFlags":
        """Take our flags out of a command's."""
        return cls(**{field.name: flags.pop(field.name) for field in fields(cls)})

    @property
    def expands(self) -> bool:
        """Whether topics are expanded."""
        return self.rm3 or self.rocchio

    def check(self, *, fields: bool, unit: str) -> None:
        """See that flags go together.

        Raises
        ------
        UsageError
            If they do not.
        """
        if self.rm3 and self.rocchio:
            raise UsageError("--rm3 and --rocchio exclude each other")
        name = "--rm3" if self.rm3 else "--rocchio"
        if (self.expands or self.smart) and fields:
            raise UsageError(
                f"{name if self.expands else '--smart'} works in `contents` only",
                fix="leave out --fields",
            )
        if self.argumentative and self.related:
            raise UsageError("--argumentative and --related exclude each other")
        for given, flag in ((self.argumentative, "--argumentative"), (self.related, "--related")):
            if given and not self.expands:
                raise UsageError(f"{flag} needs --rocchio or --rm3")
            if given and unit != "abstracts":
                raise UsageError(f"{flag} needs --unit abstracts")
        if self.soft and not self.argumentative:
            raise UsageError("--soft needs --argumentative")
        if self.explain and not self.expands:
            raise UsageError("--explain needs --rocchio or --rm3")
        if self.candidates and not (self.smart and not self.expands):
            raise UsageError("--candidates needs --smart, without --rocchio and --rm3")


def feedback_options(function: F) -> F:
    """``--rm3``, ``--rocchio`` and what goes with them; ``--smart``."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


_OPTIONS = (
    click.option("--rm3", is_flag=True, help="Expand topics with Anserini's RM3."),
    click.option("--rocchio", is_flag=True, help="Expand topics by Rocchio's feedback."),
    click.option(
        "--fb-terms", type=int, default=10, show_default=True, help="Terms that feedback adds."
    ),
    click.option(
        "--fb-docs", type=int, default=10, show_default=True, help="Documents that it reads."
    ),
    click.option(
        "--original-query-weight", type=float, default=0.5, show_default=True, help="RM3's."
    ),
    click.option(
        "--alpha",
        "--rocchio.alpha",
        type=float,
        default=1.0,
        show_default=True,
        help="Rocchio: the topic's weight.",
    ),
    click.option(
        "--beta",
        "--rocchio.beta",
        type=float,
        default=0.75,
        show_default=True,
        help="Rocchio: the first documents' weight.",
    ),
    click.option(
        "--gamma",
        "--rocchio.gamma",
        type=float,
        default=0.0,
        show_default=True,
        help="Rocchio: the last hits' weight.",
    ),
    click.option(
        "--bottom-fb-terms", type=int, default=10, show_default=True, help="Terms of the last hits."
    ),
    click.option(
        "--bottom-fb-docs", type=int, default=10, show_default=True, help="How many last hits."
    ),
    click.option(
        "--fb-weighting",
        default="tf",
        show_default=True,
        metavar="tf|bm25|ltn...",
        help="Rocchio: how terms weigh in documents; a SMART triple or bm25.",
    ),
    click.option(
        "--fb-doc-weights",
        type=click.Choice(["uniform", "rank", "score"]),
        default="uniform",
        show_default=True,
        help="Rocchio: how documents weigh.",
    ),
    click.option(
        "--fb-max-df",
        type=float,
        default=0.1,
        show_default=True,
        metavar="SHARE",
        help="Rocchio: no terms that are in a greater share of the documents.",
    ),
    click.option(
        "--unscaled", is_flag=True, help="Rocchio: vectors keep their lengths, as in Ruch 2006."
    ),
    click.option(
        "--argumentative",
        metavar="MOVE[=W],...",
        help="Feedback from sentences with these moves; also TITLE and DOCUMENT.",
    ),
    click.option("--soft", is_flag=True, help="Weigh sentences by their move's score."),
    click.option(
        "--related", metavar="MODEL|FORMULA", help="Feedback from sentences related to the topic."
    ),
    click.option(
        "--fb-sentences", type=int, default=20, show_default=True, help="How many related ones."
    ),
    click.option("--smart", metavar="DDD.QQQ", help="Rank by SMART weights, as ltc.atn."),
    click.option("--slope", type=float, default=0.14, show_default=True, help="SMART's letter u."),
    click.option("--pivot", type=float, help="SMART's letter u.  [default: mean distinct terms]"),
    click.option(
        "--candidates",
        type=click.IntRange(1),
        metavar="N",
        help="Order the first N hits of BM25 by --smart.  [default: exact, all]",
    ),
    click.option("--explain", is_flag=True, help="Show the expanded topics."),
)


class Engine:
    """What `search` searches with: Lucene or SMART weights, with or without feedback.

    Parameters
    ----------
    searcher : Searcher
        Lucene's, without feedback of its own.
    flags : FeedbackFlags
    ranking : hashable
        All that the searcher's rankings depend on, besides the topics.
    """

    def __init__(
        self, searcher: "Searcher", flags: FeedbackFlags, ranking: tuple[Any, ...]
    ) -> None:
        from relsent_ir.feedback import FeedbackSearcher, RelevanceModel, Rocchio

        self.searcher = searcher
        self.flags = flags
        self._ranking = (*ranking, flags.smart, flags.slope, flags.pivot)
        self.smart = self._smart() if flags.smart else None
        self.feedback: FeedbackSearcher | None = None
        if flags.expands:
            method = (
                RelevanceModel(flags.fb_terms, flags.fb_docs, flags.original_query_weight)
                if flags.rm3
                else Rocchio(
                    flags.fb_terms,
                    flags.fb_docs,
                    flags.alpha,
                    flags.beta,
                    flags.gamma,
                    flags.bottom_fb_terms,
                    flags.bottom_fb_docs,
                    flags.fb_weighting,
                    flags.fb_doc_weights,
                    not flags.unscaled,
                    flags.fb_max_df,
                )
            )
            ranker: Ranker = self.smart or searcher
            self.feedback = FeedbackSearcher(ranker, searcher.index, method, self._source())

    def search(
        self, topics: "Mapping[str, Topic]", k: int, threads: int, batch_size: int, tick: Progress
    ) -> "Run":
        """Find the first `k` hits for each topic."""
        if self.feedback:
            return self.feedback.search(topics, k, first=self._first(topics, k), progress=tick)
        if self.smart and not self.flags.candidates:
            return self.smart.search(topics, k, progress=tick)
        found = self.searcher.search(
            topics,
            self.flags.candidates or k,
            threads=threads,
            batch_size=batch_size,
            progress=tick,
        )
        return self.smart.rerank(found, topics) if self.smart else found

    def explain(self, topics: Mapping[str, str]) -> dict[str, dict[str, Any]]:
        """Account for the expanded topics: each term's weight, and where it is from."""
        assert self.feedback
        return {
            topic: {"fallback": expansion.fallback, "terms": list(_terms(expansion, origins))}
            for topic, (expansion, origins) in self.feedback.explain(topics).items()
        }

    def _first(self, topics: "Mapping[str, Topic]", k: int) -> "Run | None":
        """Search once for all settings of feedback, where several are tried."""
        if not is_sharing() or not self.feedback:
            return None
        depth = max(k, 1000, self.flags.fb_docs)
        key = ("first", self._ranking, tuple(map(str, topics.items())), depth)
        ranker = self.feedback.ranker
        return shared(key, lambda: ranker.search(topics, depth))

    def _smart(self) -> "SmartSearcher":
        from relsent_ir.feedback import Smart, SmartSearcher, TermMatrix

        flags, index = self.flags, self.searcher.index
        smart = Smart.parse(str(flags.smart), flags.slope, flags.pivot)
        matrix = shared(("matrix", index), lambda: TermMatrix.read(index))
        return SmartSearcher(matrix, smart, self.searcher.analysis)

    def _source(self) -> "Source | None":
        from relsent_ir.feedback import MoveSentences, RelatedSentences, Tags
        from relsent_ir.feedback.move_sentences import parse_moves
        from relsent_ir.related import open_model

        flags, index = self.flags, self.searcher.index
        if flags.argumentative:
            moves = parse_moves(flags.argumentative)
            return MoveSentences(
                shared(("tags", index), lambda: Tags(index)), moves, soft=flags.soft
            )
        if flags.related:
            name = flags.related
            model = shared(("model", name, index), lambda: open_model(name, index.folder))
            return RelatedSentences(index, model, flags.fb_sentences)
        return None


def show_expansion(explained: Mapping[str, Mapping[str, Any]]) -> None:
    """Print expanded topics as tables."""
    from relsent_ir.cli.console import print_table

    for topic, of in explained.items():
        title = f"topic {topic}" if topic else "expanded topic"
        click.echo(f"{title} ({of['fallback']})" if of["fallback"] else title)
        rows = []
        for term in of["terms"]:
            origins = term["from"]
            more = f" and {len(origins) - ORIGINS} more" if len(origins) > ORIGINS else ""
            weights = [f"{term[name]:.4f}" for name in ("weight", "topic", "feedback")]
            rows.append([term["term"], *weights, ", ".join(origins[:ORIGINS]) + more])
        print_table(["term", "weight", "topic", "feedback", "from"], rows)
        click.echo()


def _terms(expansion: "Expansion", origins: Mapping[str, list[str]]) -> Iterator[dict[str, Any]]:
    for term, weight in expansion.weights.items():
        yield {
            "term": term,
            "weight": weight,
            "topic": expansion.original.get(term, 0.0),
            "feedback": expansion.feedback.get(term, 0.0),
            "from": origins.get(term, []),
        }
