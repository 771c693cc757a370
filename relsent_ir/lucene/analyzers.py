"""Analysis of text into terms: Anserini's English chain, with a choice of stemmer and stop words.

The chain is the standard tokenizer, removal of the possessive 's, lower case, stop words, stemmer.
The settings are stored with an index and used at search time, so that queries are analysed in the
same way as documents.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from relsent_ir.errors import UsageError
from relsent_ir.lucene.jvm import call, exclusive, java, lines

STEMMERS: Final = ("porter", "krovetz", "s", "none")


@dataclass(frozen=True)
class Analysis:
    """The settings of an analyzer.

    Attributes
    ----------
    stemmer : {"porter", "krovetz", "s", "none"}
        ``s`` is Harman's S-stemmer (Lucene's englishMinimalStem).
    stopwords : tuple of str
        Lower-case words to drop before stemming.
    """

    stemmer: str
    stopwords: tuple[str, ...]

    @classmethod
    def choose(
        cls, stemmer: str = "porter", stopwords: Path | None = None, *, keep: bool = False
    ) -> "Analysis":
        """Read the stop words of a file; without one take Lucene's 33, or none if `keep`."""
        if stemmer not in STEMMERS:
            raise UsageError(f"no stemmer {stemmer!r}", fix=f"one of {', '.join(STEMMERS)}")
        if keep and stopwords:
            raise UsageError("--keep-stopwords and --stopwords exclude each other")
        if keep:
            words: Iterable[str] = ()
        elif stopwords:
            from relsent_ir.text.words import read_stopwords

            words = read_stopwords(stopwords)
        else:
            with exclusive():
                english = java("org.apache.lucene.analysis.en.EnglishAnalyzer")
                words = english.ENGLISH_STOP_WORDS_SET.toString()[1:-1].split(", ")
        return cls(stemmer, tuple(sorted(set(words))))

    def without(self, words: Iterable[str]) -> "Analysis":
        """Return the same analysis with more stop words, for queries."""
        return Analysis(self.stemmer, tuple(sorted({*self.stopwords, *words})))

    @property
    def analyzer(self) -> Any:
        """The Lucene Analyzer."""
        return _analyzer(self)

    def __reduce__(self) -> "tuple[type[Analysis], tuple[str, tuple[str, ...]]]":
        """Pickle the settings without Java objects, for other processes."""
        return type(self), (self.stemmer, self.stopwords)

    def terms(self, text: str) -> list[str]:
        """Return the terms of a text, in order."""
        return list(_terms(self, text))


# No cached_property: until Python 3.12 it locks. A thread would hold that lock while it waits for
# Java, and another thread that is already `exclusive` would wait for the lock.
@lru_cache(maxsize=64)
def _analyzer(analysis: Analysis) -> Any:
    with exclusive():
        settings = analysis.stemmer, list(analysis.stopwords)
        return call("Find.analyzer", *settings, where="analysis")


@lru_cache(maxsize=1024)
def _terms(analysis: Analysis, text: str) -> tuple[str, ...]:
    return tuple(lines(call("Find.terms", analysis.analyzer, encodable(text), where="analysis")))


def encodable(text: str) -> str:
    """Replace lone surrogates, which Java does not accept, by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
