"""Sentences as sequences of phrases: base noun phrases, verb groups, and the words between.

Each phrase has a one-letter code, so that the structure of a sentence is a string in which regular
expressions can search:

    N noun phrase           V active verb group      o of      c and, or, as well as
    D noun phrase with      P passive verb group     y by      d but, whereas
      an article            b "be" alone             i in      e such as, including, e.g.
    W relative pronoun      t "to" and a verb        w via     ( ) , ; :
    a adjective             g gerund                 p other   s that, while, because, ...
    q passive infinitive    n participle               preposition
                            v base verb                        x anything else

Adverbs, quotes and "both", "either", "neither" have no code. "not" belongs to its verb group.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

NOUN_PHRASES: Final = "ND"
TENSED: Final = "VPb"


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


_BE: Final = word_set("be is are was were been being am 's 're")
_VERB_TAGS: Final = word_set("VB VBD VBG VBN VBP VBZ MD")
_SILENT: Final = frozenset(["``", "''", '"', "RB", "RBR", "RBS", "RP", "UH", "LS"])
_PREPOSITIONS: Final = {
    "of": "o", "by": "y", "in": "i", "within": "i", "via": "w", "through": "w",
    "but": "d", "whereas": "d", "like": "e", "versus": "c", "vs": "c", "vs.": "c",
}  # fmt: skip
_SUBORDINATORS: Final = word_set(
    "that while because although though since if whether when where why how unless until once"
)
_MARKS: Final = {
    ",": ",", ";": ";", ":": ":", "--": ",", "-LRB-": "(", "-RRB-": ")",
    "(": "(", ")": ")", "[": "(", "]": ")",
}  # fmt: skip
_EXAMPLES: Final = frozenset(["including", "e.g.", "i.e.", "namely"])
_CORRELATIVES: Final = frozenset(["both", "either", "neither"])
_SEVERAL: Final = {
    "c": "as well as|and/or",
    "e": "such as",
    "p": "due to|because of|according to",
    "d": "rather than",
    "w": "by means of|by way of",
    "": "in turn|in part|in addition|in contrast|in vitro|in vivo|de novo|et al.|et al",
}
_BY_FIRST: Final = defaultdict[str, list[tuple[tuple[str, ...], str]]](list)
for _code, _phrases in _SEVERAL.items():
    for _phrase in _phrases.split("|"):
        _BY_FIRST[_phrase.split()[0]].append((tuple(_phrase.split()), _code))
_ARTICLES: Final = frozenset(["a", "an", "the", "one", "another"])


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases of a sentence.

    Attributes
    ----------
    codes : str
        One letter for each phrase.
    starts, ends : list of int
        The range of each phrase's tokens, [start, end).
    """

    codes: str
    starts: list[int]
    ends: list[int]


def find_phrases(words: Sequence[str], tags: Sequence[str], chunks: Sequence[str]) -> Phrases:
    """Group tokens into phrases.

    Parameters
    ----------
    words, tags, chunks : sequence of str
        The tokens, with their tags and chunks from `Tagger` and `Chunker`.
    """
    codes: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    n = len(words)
    i = 0
    while i < n:
        tag, chunk = tags[i], chunks[i]
        if words[i].lower() in _EXAMPLES:
            j, code = i + 1, "e"
        elif chunk != "O":
            j = i + 1
            while j < n and chunks[j] == "I-NP":
                j += 1
            code = "D" if words[i].lower() in _ARTICLES and j > i + 1 else "N"
            if j == i + 1 and tag in ("WDT", "WP"):
                code = "W"
        elif tag in _VERB_TAGS or (tag == "TO" and _verb_follows(tags, chunks, i + 1)):
            j, code = _verb_group(words, tags, chunks, i)
        else:
            j, code = _other(words, tags, i)
        if code and (code != "," or (codes and codes[-1] not in ",e(")):
            codes.append(code)
            starts.append(i)
            ends.append(j)
        i = j
    return Phrases("".join(codes), starts, ends)


def _verb_follows(tags: Sequence[str], chunks: Sequence[str], i: int) -> bool:
    while i < len(tags) and tags[i] == "RB":
        i += 1
    return i < len(tags) and tags[i] == "VB" and chunks[i] == "O"


def _verb_group(
    words: Sequence[str], tags: Sequence[str], chunks: Sequence[str], start: int
) -> tuple[int, str]:
    """Find the end of a verb group, and return it with its kind."""
    n = len(words)
    first = tags[start]
    end = start + 1  # behind the last verb of the group
    i = end
    be = words[start].lower() in _BE
    last = first
    while i < n and chunks[i] == "O":
        tag = tags[i]
        if tag in _VERB_TAGS:
            if not _continues(last, tag, be, first):
                break
            be = be or words[i].lower() in _BE
            last = tag
            end = i + 1
        elif tag != "RB":
            break
        i += 1
    head_is_be = words[end - 1].lower() in _BE
    if first == "TO":
        return end, "q" if be and last == "VBN" else "t"
    if first == "VBG":
        return end, "n" if last == "VBN" and be else "g"
    if first == "VBN" and end == start + 1:
        return end, "n"
    if first == "VB":
        return end, "v"
    if head_is_be:
        return end, "b"
    return end, "P" if be and last == "VBN" else "V"


def _continues(last: str, tag: str, be: bool, first: str) -> bool:
    """Return whether a verb belongs to the group of the verb before it: "has been shown"."""
    if last in ("MD", "TO"):
        return tag == "VB"
    if tag == "VBN":
        return last != "VBN" or be
    if tag == "VBG":
        return be
    if tag == "VB":  # as in "does not bind"
        return last in ("VBZ", "VBP", "VBD") and first == last
    return False


def _other(words: Sequence[str], tags: Sequence[str], i: int) -> tuple[int, str]:
    """Return the code of a word outside noun phrases and verb groups; "" if it has none."""
    tag = tags[i]
    word = words[i].lower()
    for several, code in _BY_FIRST.get(word, ()):
        j = i + len(several)
        if tuple([w.lower() for w in words[i:j]]) == several:
            return j, code
    mark = _MARKS.get(tag) or _MARKS.get(word)
    if mark:
        return i + 1, mark
    if tag == "CC":
        if word in _CORRELATIVES:
            return i + 1, ""
        return i + 1, "d" if word in ("but", "yet") else "c"
    if tag in ("IN", "TO", "WRB"):
        if word in _PREPOSITIONS:
            return i + 1, _PREPOSITIONS[word]
        if word in _SUBORDINATORS:
            return i + 1, "s"
        return i + 1, "p"
    if tag in _SILENT or tag == ".":
        return i + 1, ""
    if tag in ("WDT", "WP", "WP$"):
        return i + 1, "W"
    if tag in ("JJ", "JJR", "JJS", "VBN"):
        return i + 1, "a"
    return i + 1, "x"
