"""Wording of queries: weighted alternatives for what a query says, and likely misspellings.

Alternatives are spellings (tumour, tumor; TNF-alpha, TNFα), abbreviations and long forms that the
first hits define (Schwartz, Hearst 2003), and entry terms of MeSH, if they are beside the index, as
in PubMed's mapping. Text in quotation marks has no alternatives. A text that is only a PMID or a
DOI refers to a record.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, product
from typing import Final

import numpy as np

from relsent_ir.counts.weighting import bm25_idf
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import open_searcher
from relsent_ir.lucene.read.strategy import Strategy
from relsent_ir.records import find_abbreviations
from relsent_ir.text.names import is_common, normal_form, pieces, spellings, synonyms_beside
from relsent_ir.text.strategy import is_doi

WEIGHT: Final = 0.5
"""The weight of all words of an abbreviation, long form or entry term together; a word has 1."""
SHARE: Final = 100
"""An alternative spelling has at least one document for this many documents of the word."""
PHRASED: Final = 10
"""At least one in this many of a term's documents has the phrase for which it stands."""
LOOKED_AT: Final = 50
"""Number of first records in which abbreviations are looked for."""
DEFINED: Final = 3
"""Number of these that must define an abbreviation."""
RARE: Final = 10
"""Largest number of documents that have a word which may be misspelt."""
TIMES: Final = 20
"""How many times as many documents must have the meant word; also the least number of these."""
SHORTEST: Final = 5
"""Least length of a word that may be misspelt."""
TWO_EDITS, TWO_EDITS_ABSENT = 8, 6
"""Least length of a word in which two letters may be wrong; the latter if no document has it."""
_BEFORE_ID: Final = re.compile(
    r"^(?:pmid|doi)\s*:?\s*|^(?:https?://)?(?:pubmed\.ncbi\.nlm\.nih\.gov|(?:dx\.)?doi\.org)/",
    re.IGNORECASE,
)
CONTENT_WORDS: Final = 2
"""Least number of terms that must remain when question words are dropped."""
_QUESTION_WORDS: Final = re.compile(
    r"\b(?:what|which|who|whom|whose|why|when|where|how(?: (?:many|much|often|long))?|does|do|did"
    r"|is|are|was|were|can|could|should|would|will|has|have|may|might|there"
    r"|(?:effects?|roles?|impacts?|influences?|mechanisms?) (?:of|for|in|on))\b|\?",
    re.IGNORECASE,
)
_WAYS: Final = 64
_MOST_WORDS: Final = 6

_QUOTED: Final = re.compile(r'["“”][^"“”]*(?:["“”]|$)')
_CUT: Final = re.compile(r"\b\w+[*$#]\S*")
"""A truncated word, which need not be in any document itself."""
_WORD: Final = re.compile(r"[^\W_](?:[^\s,;:()\[\]?!]*[^\W_])?")
_MARK: Final = " \x00 "


@dataclass(frozen=True)
class Alternative:
    """Another way to write words of a query.

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
    """A query and its alternatives.

    Attributes
    ----------
    text : str
    found : tuple of Alternative
    terms : dict of str to float
        The terms of the query and of the alternatives, with weights; empty without alternatives.
    """

    text: str
    found: tuple[Alternative, ...]
    terms: dict[str, float]

    @property
    def widened(self) -> str:
        """The text followed by other spellings, for searches that do not support weights."""
        return " ".join((self.text, *(one.other for one in self.found if one.kind == "spelling")))


def read_alternatives(text: str, index: Index, stopwords: Sequence[str] = ()) -> Alternatives:
    """Find alternatives for the words of a query.

    Spellings that are single terms share one idf, as if they were the same term; a spelling of
    several words weights each word by its part. The words of an abbreviation, a long form or an
    entry term share the weight `WEIGHT`.

    Parameters
    ----------
    text : str
    index : Index
        An index of records or sentences, whose frequencies weight the terms.
    stopwords : sequence of str
        Words to drop, besides the stop words of the index.
    """
    analysis = index.facts.analysis.without(stopwords)
    open_text = _QUOTED.sub(_MARK, text)
    own = Counter(analysis.terms(text))
    weights: dict[str, float] = {term: float(count) for term, count in own.items()}
    found: list[Alternative] = []
    for word in dict.fromkeys(_WORD.findall(open_text)):
        found += _spelt(word, index, analysis, own, weights)
    others = [*_of_mesh(open_text, index), *_abbreviated(text, open_text, index)]
    for one in dict.fromkeys(others):
        new = [term for term in analysis.terms(one.other) if term not in own]
        if new and index.frequencies(new).all():
            found.append(one)
            for term in new:
                weights[term] = max(weights.get(term, 0.0), WEIGHT / len(new))
    return Alternatives(text, tuple(found), weights if found else {})


def without_question_words(text: str, analysis: Analysis) -> str:
    """Drop the question words of a topic if at least `CONTENT_WORDS` other terms are left.

    A word in capitals, such as WHO, is a short form, unless the whole topic is in capitals.
    """
    shouted = text.isupper()
    left = _QUESTION_WORDS.sub(lambda m: m[0] if m[0].isupper() and not shouted else " ", text)
    return left if len(set(analysis.terms(left))) >= CONTENT_WORDS else text


def other_spellings(text: str, index: Index) -> list[str]:
    """Return the other spellings of a text's words that are in the index (`read_alternatives`)."""
    analysis = index.facts.analysis
    own = Counter(analysis.terms(text))
    words = dict.fromkeys(_WORD.findall(text))
    return [one.other for word in words for one in _spelt(word, index, analysis, own, {})]


def _spelt(
    word: str, index: Index, analysis: Analysis, own: Counter[str], weights: dict[str, float]
) -> Iterator[Alternative]:
    """Yield the other spellings of a word, and set the weights of their terms and of its own."""
    written = analysis.terms(word)
    parts = {form: analysis.terms(form) for form in _forms(word)}
    sizes = {
        term: (form, len(terms))
        for form, terms in reversed(parts.items())
        for term in terms
        if term not in own and (len(term) > 1 or not term.isascii())
    }
    if not sizes or not written:
        return
    counts = dict(zip(sizes, index.frequencies(list(sizes)).tolist(), strict=True))
    first = int(index.frequencies(written).min())
    likely = {term: count for term, count in counts.items() if count and count * SHARE >= first}
    # Terms are searched separately, so documents must have the form itself; if the word has fewer
    # terms ("HAND2", "hand-2"), a large share of the term's documents must have it.
    forms = {form for form, size in map(sizes.__getitem__, likely) if size > 1}
    strategies = {form: (("terms",), ("contents",), (form,), (0,), (0,)) for form in forms}
    phrases = {form: index.count(index.strategy(*of)) for form, of in strategies.items()}
    kept = [
        term
        for term, count in likely.items()
        if (found := phrases.get(sizes[term][0], count))
        if sizes[term][1] in (1, len(written)) or found * PHRASED >= count
    ]
    alike = [term for term in kept if len(written) == sizes[term][1] == 1]
    total = first + sum(counts[term] for term in alike)
    for term in kept:
        weights[term] = 1 / sizes[term][1] if len(written) == 1 else 1.0
    if alike:
        terms = [written[0], *alike]
        sizes_of = [min(total, len(index)), first, *(counts[term] for term in alike)]
        together, *each = bm25_idf(np.array(sizes_of), len(index)).tolist()
        shares = [own[written[0]] * together / one for one in each]
        weights.update(zip(terms, shares, strict=True))
    for form in dict.fromkeys(sizes[term][0] for term in reversed(kept)):
        yield Alternative(word, form, "spelling")


def _forms(word: str) -> list[str]:
    """Return the other ways to write a word, without its other grammatical number."""
    if not pieces(word):
        return []
    ways = [
        [form for form in forms if len(form) > 1 or not form.isascii() or len(forms) == 1]
        for forms in spellings(word)
    ]
    # "splenomegaly" and "betaine" contain no Greek letter, "tnfalpha" does
    greek = not "".join(ways[-1]).isascii()
    plain = word.isascii() and word.isalpha() and word[1:].islower() and not greek
    numbers = any(a[-1].isdigit() and b[0].isdigit() for a, b in pairwise(pieces(word)))
    joints = ("",) if len(ways) == 1 or plain else ("-",) if numbers else ("-", "")
    chosen = islice(product(*ways, joints), _WAYS)
    forms = dict.fromkeys(joint.join(parts) for *parts, joint in chosen)
    return [form for form in forms if normal_form(form) == normal_form(word)]


def _of_mesh(text: str, index: Index) -> Iterator[Alternative]:
    """Yield other names of the headings that a text names, the longest first."""
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
                    others = (name for name in names if normal_form(name) != key)
                    yield from (Alternative(written, other, "MeSH") for other in others)
                    start = end - 1
                    break
            start += 1


def _abbreviated(text: str, open_text: str, index: Index) -> Iterator[Alternative]:
    """Yield long forms of a text's abbreviations, and the reverse, as defined in its first hits."""
    (hits,) = open_searcher(index).search({"": text}, LOOKED_AT).values()
    long: dict[str, Counter[str]] = {}
    short: dict[str, Counter[str]] = {}
    names: dict[str, str] = {}
    for document in _texts(index, hits.ids.tolist()):
        for one, other in dict.fromkeys(find_abbreviations(document)):
            key = normal_form(other)
            names.setdefault(key, other)
            long.setdefault(one, Counter())[key] += 1
            short.setdefault(key, Counter())[one] += 1
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
    """Yield the texts of hits; each sentence or record is read once."""
    for line in dict.fromkeys(index.raw(ids)):
        stored = json.loads(line)  # only the text of a record is needed
        sections = (section["text"] for section in stored.get("sections", ()))
        yield stored.get("contents") or " ".join((stored.get("title", ""), *sections))


def record_of(text: str, collection: Indexes) -> str | None:
    """Return the id of a record if a text is nothing but its PMID, DOI, link or id; else None."""
    alone = _BEFORE_ID.sub("", text.strip()).rstrip("/")
    is_number = alone.isascii() and alone.isdecimal()
    index = collection.abstracts
    if not is_number and not is_doi(alone):
        word = len(alone.split()) == 1 and any(map(str.isdigit, alone))
        is_id = word and index.documents([alone])[0] >= 0
        return alone if is_id else None
    if not is_number and not index.facts.facets:
        return None
    query = Strategy(f"{alone}[pmid]" if is_number else alone, index).query()
    (hits,) = open_searcher(index).search_queries([query], 2)
    return str(hits.ids[0]) if len(hits) == 1 else None


def meant(text: str, index: Index) -> dict[str, str]:
    """Return the words of a text that may be misspelt, each with the word that may be meant.

    Such a word is in few documents, and one or two edits turn it into a word that many documents
    have and that has the same first letter. The latter is spelled as in most of these documents.
    """
    analysis = index.facts.analysis
    found: dict[str, str] = {}
    for word in dict.fromkeys(_WORD.findall(_CUT.sub(_MARK, _QUOTED.sub(_MARK, text)))):
        terms = analysis.terms(word)
        if len(word) < SHORTEST or not word.isalpha() or len(terms) != 1:
            continue
        count = int(index.frequencies(terms)[0])
        if count > RARE:
            continue
        edits = 1 + (len(word) >= (TWO_EDITS if count else TWO_EDITS_ABSENT))
        near = [one for one in index.near(terms[0]) if _changes(terms[0], one) <= edits]
        counts = index.frequencies(near) if near else np.zeros(0, int)
        likely = [one for one, n in zip(near, counts, strict=True) if n >= TIMES * max(1, count)]
        if likely and (as_written := _written(likely[0], index)):
            found[word] = as_written
    return found


def _changes(one: str, other: str) -> int:
    """Count the letters to change, insert, delete or swap to turn a word into another."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _written(term: str, index: Index) -> str:
    """Return a term in the spelling of the first documents that have it; "" if there is none."""
    (hits,) = open_searcher(index).search({"": {term: 1.0}}, LOOKED_AT).values()
    analysis = index.facts.analysis
    forms = Counter(
        word.casefold()
        for text in _texts(index, hits.ids.tolist())
        for word in set(re.findall(r"[^\W\d_]{3,}", text))
        if word[0] == term[0] or word[0].casefold() == term[0]
        if analysis.terms(word) == [term]
    )
    return forms.most_common(1)[0][0] if forms else ""
