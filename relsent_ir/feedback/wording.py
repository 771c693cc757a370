"""Queries as people write them: weighted alternative wordings, and misspelt words.

Alternatives are spellings (tumour, tumor; TNF-alpha, TNFα), abbreviations and long forms that the
first hits define (Schwartz, Hearst 2003), and entry terms of MeSH if they lie beside the index, as
in PubMed's mapping. Text in quotation marks is left as it is. A PMID or a DOI alone names a record.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Final

import numpy as np

from relsent_ir.counts.weighting import bm25_idf
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.jvm import exclusive
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index, lines
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.read.strategy import Strategy
from relsent_ir.records import find_abbreviations
from relsent_ir.text.names import is_common, normal_form, pieces, spellings
from relsent_ir.text.strategy import is_doi
from relsent_ir.text.synonyms import synonyms_beside

WEIGHT: Final = 0.5
"""Of all words of an abbreviation, a long form or an entry term together; a word has 1."""
SHARE: Final = 100
"""A spelling is an alternative if it has 1/SHARE of the documents of the query's, at least."""
LOOKED_AT: Final = 50
"""First records whose definitions of abbreviations are read."""
DEFINED: Final = 3
"""Least number of definitions of an abbreviation among them."""
RARE: Final = 3
"""Largest number of documents with a word that may be misspelt."""
TIMES: Final = 20
"""Least ratio of the documents of the word that it may mean, and least number of them."""
SHORTEST: Final = 5
"""Least number of letters of a word that may be misspelt; with 8 letters it may have two errors."""
_WAYS: Final = 64
_MOST_WORDS: Final = 6

_QUOTED: Final = re.compile(r'["“”][^"“”]*(?:["“”]|$)')
_WORD: Final = re.compile(r"[^\W_](?:[^\s,;:()\[\]?!]*[^\W_])?")
_MARK: Final = " \x00 "


@dataclass(frozen=True)
class Alternative:
    """Another wording of a part of a query.

    Attributes
    ----------
    written, other : str
    kind : str
        ``spelling``, ``abbreviation``, ``long form`` or ``MeSH``.
    """

    written: str
    other: str
    kind: str


@dataclass(frozen=True)
class Alternatives:
    """A query and its alternative wordings.

    Attributes
    ----------
    text : str
    found : tuple of Alternative
    terms : dict of str to float
        The terms of the query and of its alternatives, with weights; empty without alternatives.
    """

    text: str
    found: tuple[Alternative, ...]
    terms: dict[str, float]

    @property
    def widened(self) -> str:
        """The text followed by its other spellings, for searches without weights."""
        forms = (each.other for each in self.found if each.kind == "spelling")
        return " ".join((self.text, *forms))


def read_alternatives(text: str, index: Index, stopwords: Sequence[str] = ()) -> Alternatives:
    """Find alternative wordings of a query.

    Spellings of a single term each have the idf of all of them together, as if they were the same;
    the words of a longer spelling divide it. An abbreviation, a long form or an entry term has
    `WEIGHT`, divided among its words.

    Parameters
    ----------
    text : str
    index : Index
        Of records or of sentences; its frequencies weigh the terms.
    stopwords : sequence of str
        Words to drop, besides those that were dropped from the index.
    """
    analysis = index.facts.analysis.without(stopwords)
    open_text = _QUOTED.sub(_MARK, text)
    query = Counter(analysis.terms(text))
    weights: dict[str, float] = {term: float(count) for term, count in query.items()}
    alternatives: list[Alternative] = []
    for word in dict.fromkeys(_WORD.findall(open_text)):
        alternatives += _spelt(word, index, analysis, query, weights)
    synonyms = [*_of_mesh(open_text, index), *_abbreviated(text, open_text, index)]
    for synonym in dict.fromkeys(synonyms):
        new = [term for term in analysis.terms(synonym.other) if term not in query]
        if new and index.frequencies(new).all():
            alternatives.append(synonym)
            for term in new:
                weights[term] = max(weights.get(term, 0.0), WEIGHT / len(new))
    return Alternatives(text, tuple(alternatives), weights if alternatives else {})


def other_spellings(text: str, index: Index) -> list[str]:
    """Return the other spellings of a text's words that an index has; see `read_alternatives`."""
    analysis = index.facts.analysis
    query = Counter(analysis.terms(text))
    words = dict.fromkeys(_WORD.findall(text))
    return [each.other for word in words for each in _spelt(word, index, analysis, query, {})]


def _spelt(
    word: str, index: Index, analysis: Analysis, query: Counter[str], weights: dict[str, float]
) -> Iterator[Alternative]:
    """Yield the other spellings of a word, and weigh their terms and its own."""
    written = analysis.terms(word)
    parts = {form: analysis.terms(form) for form in _forms(word)}
    sizes = {
        term: (form, len(terms))
        for form, terms in reversed(parts.items())
        for term in terms
        if term not in query and (len(term) > 1 or not term.isascii())
    }
    if not sizes or not written:
        return
    counts = dict(zip(sizes, index.frequencies(list(sizes)).tolist(), strict=True))
    first = int(index.frequencies(written).min())
    frequent = [term for term, count in counts.items() if count and count * SHARE >= first]
    alike = [term for term in frequent if len(written) == sizes[term][1] == 1]
    total = first + sum(counts[term] for term in alike)
    for term in frequent:
        weights[term] = 1 / sizes[term][1] if len(written) == 1 else 1.0
    if alike:
        terms = [written[0], *alike]
        df = [min(total, len(index)), first, *(counts[term] for term in alike)]
        together, *single = bm25_idf(np.array(df), len(index)).tolist()
        shares = [query[written[0]] * together / idf for idf in single]
        weights.update(zip(terms, shares, strict=True))
    for form in dict.fromkeys(sizes[term][0] for term in reversed(frequent)):
        yield Alternative(word, form, "spelling")


def _forms(word: str) -> list[str]:
    """Return the other spellings of a word, but not its plural or singular."""
    if not pieces(word):
        return []
    ways = [
        [form for form in forms if len(form) > 1 or not form.isascii() or len(forms) == 1]
        for forms in spellings(word)
    ]
    joints = ("",) if len(ways) == 1 else ("-", "")
    chosen = islice(product(*ways, joints), _WAYS)
    forms = dict.fromkeys(joint.join(parts) for *parts, joint in chosen)
    return [form for form in forms if normal_form(form) == normal_form(word)]


def _of_mesh(text: str, index: Index) -> Iterator[Alternative]:
    """Yield the MeSH synonyms of names in a text, the longest name first."""
    synonyms = synonyms_beside(index.folder)
    if not synonyms:
        return
    for words in (part.split() for part in text.split(_MARK)):
        start = 0
        while start < len(words):
            for end in range(min(len(words), start + _MOST_WORDS), start, -1):
                written = " ".join(words[start:end]).strip(".,;:?!()")
                names = synonyms.get(normal_form(written), ())
                if names and not is_common(written):
                    key = normal_form(written)
                    synonyms_of = (name for name in names if normal_form(name) != key)
                    yield from (Alternative(written, other, "MeSH") for other in synonyms_of)
                    start = end - 1
                    break
            start += 1


def _abbreviated(text: str, open_text: str, index: Index) -> Iterator[Alternative]:
    """Yield the long forms of a text's abbreviations, and the reverse, from its first hits."""
    (hits,) = Searcher(index).search({"": text}, LOOKED_AT).values()
    long: dict[str, Counter[str]] = {}
    short: dict[str, Counter[str]] = {}
    names: dict[str, str] = {}
    for document in _texts(index, hits.ids.tolist()):
        for abbreviation, name in dict.fromkeys(find_abbreviations(document)):
            key = normal_form(name)
            names.setdefault(key, name)
            long.setdefault(abbreviation, Counter())[key] += 1
            short.setdefault(key, Counter())[abbreviation] += 1
    for word in dict.fromkeys(_WORD.findall(open_text)):
        if word in long and not is_common(word):
            key, count = long[word].most_common(1)[0]
            if count >= DEFINED and 2 * count > long[word].total():
                yield Alternative(word, names[key], "long form")
    words = [word.strip(".,;:?!()") for word in open_text.split()]
    for start, end in product(range(len(words)), range(2, _MOST_WORDS + 1)):
        written = " ".join(words[start : start + end])
        forms = short.get(normal_form(written)) if start + end <= len(words) else None
        if forms:
            form, count = forms.most_common(1)[0]
            if count >= DEFINED:
                yield Alternative(written, form, "abbreviation")


def _texts(index: Index, ids: Sequence[str]) -> Iterator[str]:
    """Yield the texts of hits, each sentence or record once."""
    if index.unit == "abstracts":
        yield from (f"{record.title} {record.abstract}" for record in index.records(ids))
    else:
        yield from (str(json.loads(line)["contents"]) for line in dict.fromkeys(index.raw(ids)))


def record_of(text: str, collection: Indexes) -> str | None:
    """Return the id of the record, if a text is a PMID or a DOI and nothing else; else None."""
    alone = text.strip()
    is_number = alone.isascii() and alone.isdecimal()
    if not is_number and not is_doi(alone):
        return None
    index = collection.abstracts
    if not is_number and not index.facts.facets:
        return None
    with exclusive():
        query = Strategy(f"{alone}[pmid]" if is_number else alone, index).query()
        (hits,) = Searcher(index).search_queries([query], 2)
    return str(hits.ids[0]) if len(hits) == 1 else None


def meant(text: str, index: Index) -> dict[str, str]:
    """Return the words of a text that may be misspelt, each with the word that it may mean.

    Such a word is in few documents, and one or two changes after its first letter make a word that
    is in many. This is returned in the spelling of most of these documents.
    """
    analysis = index.facts.analysis
    corrections: dict[str, str] = {}
    for word in dict.fromkeys(_WORD.findall(_QUOTED.sub(_MARK, text))):
        terms = analysis.terms(word)
        if len(word) < SHORTEST or not word.isalpha() or len(terms) != 1:
            continue
        count = int(index.frequencies(terms)[0])
        if count > RARE:
            continue
        near = lines(index.call("Find.near", index.reader, terms[0]))
        near = [term for term in near if _changes(terms[0], term) <= (1 + (len(word) >= 8))]
        counts = index.frequencies(near) if near else np.zeros(0, int)
        likely = [term for term, n in zip(near, counts, strict=True) if n >= TIMES * max(1, count)]
        if likely and (as_written := _written(likely[0], index)):
            corrections[word] = as_written
    return corrections


def _changes(word: str, other: str) -> int:
    """Compute the edit distance of words; swapping two adjacent letters counts as one change."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(word, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and word[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _written(term: str, index: Index) -> str:
    """Return the usual spelling of a term in its first documents; "" if there is none."""
    (hits,) = Searcher(index).search({"": {term: 1.0}}, LOOKED_AT).values()
    analysis = index.facts.analysis
    forms = Counter(
        word.casefold()
        for text in _texts(index, hits.ids.tolist())
        for word in set(re.findall(r"[^\W\d_]{3,}", text))
        if word[0] == term[0] or word[0].casefold() == term[0]
        if analysis.terms(word) == [term]
    )
    return forms.most_common(1)[0][0] if forms else ""
