"""The searcher that the flags of feedback and SMART weighting ask for, and what it explains."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.stages import is_sharing, shared
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from relsent_ir.cli.feedback_options import FeedbackFlags
    from relsent_ir.feedback import Expansion, SmartSearcher
    from relsent_ir.feedback.pool import Source, Topic
    from relsent_ir.feedback.search import Ranker
    from relsent_ir.hits import Run
    from relsent_ir.lucene.search import Searcher


ORIGINS = 4  # documents or sentences that are named for a term


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
        self, searcher: "Searcher", flags: "FeedbackFlags", ranking: tuple[Any, ...]
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
        width = max((len(row[-1]) for row in rows), default=0)  # names start on the left
        table = [[*row[:-1], row[-1].ljust(width)] for row in rows]
        print_table(["term", "weight", "topic", "feedback", "from".ljust(width)], table)
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
