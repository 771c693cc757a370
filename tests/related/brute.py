"""Smith & Wilbur's features and formulas, string by string and with dictionaries only."""

import math
from collections import Counter

Feature = tuple[str, str]


def features(sentence: str, stopwords: tuple[str, ...]) -> Counter[Feature]:
    """Count words (W) and their substrings of 2 to 6 characters (S)."""
    tokens = "".join(c if c.isalnum() else " " for c in sentence.lower()).split()
    found: Counter[Feature] = Counter()
    for token in tokens:
        if token in stopwords or not any(c.isalpha() for c in token):
            continue
        found["W", token] += 1
        for length in range(2, 7):
            for start in range(len(token) - length + 1):
                piece = token[start : start + length]
                if any(c.isalpha() for c in piece):
                    found["S", piece] += 1
    return found


class Collection:
    """What the formulas know of a collection."""

    def __init__(self, sentences: list[Counter[Feature]]) -> None:
        self.n = len(sentences)
        self.frequency: Counter[Feature] = Counter()
        self.total: Counter[Feature] = Counter()
        for sentence in sentences:
            self.frequency.update(sentence.keys())
            self.total.update(sentence)
        self.mean = sum(self.total.values()) / self.n

    def score(self, name: str, a: Counter[Feature], b: Counter[Feature]) -> float:
        """Score a pair by one formula."""
        both = a.keys() & b.keys()
        n = {t: max(1, self.frequency[t]) for t in a.keys() | b.keys()}
        total = {t: max(1, self.total[t]) for t in a.keys() | b.keys()}
        if name == "D":
            return 2 * len(both) / (len(a) + len(b)) if a or b else 0.0
        if name in ("T1", "T2"):
            dot = sum(a[t] / total[t] * b[t] / total[t] for t in both)
            if name == "T2":
                return dot
            lengths = [math.sqrt(sum((s[t] / total[t]) ** 2 for t in s)) for s in (a, b)]
            return dot / (lengths[0] * lengths[1]) if both else 0.0
        if name[0] == "O":
            return sum(
                {"O1": self._tf(a, t) * self._tf(b, t), "O3": 1.0}.get(
                    name, math.sqrt(self._tf(a, t) * self._tf(b, t))
                )
                * math.log((self.n - n[t] + 0.5) / (n[t] + 0.5))
                for t in both
            )
        if name == "A":
            return sum(
                (0.5 + 0.5 * a[t] / max(a.values()))
                * (0.5 + 0.5 * b[t] / max(b.values()))
                * math.log(self.n / n[t]) ** 2
                for t in both
            )
        assert name[0] in "IL", f"tests/related/brute.py has no {name}: in Collection.score"
        power = float(name[1:])
        if name[0] == "I":
            return sum(n[t] ** -power for t in both)
        return sum(math.log(self.n / n[t]) ** power for t in both)

    def _tf(self, sentence: Counter[Feature], t: Feature) -> float:
        f, length = sentence[t], sum(sentence.values())
        return f * 2.2 / (f + 1.2 * (0.25 + 0.75 * length / self.mean))
