"""Texts made from a pattern's own parse tree, on which a pattern with nested repeats takes long."""

import math
import re
import re._constants as sre
import re._parser as parser
import signal
import time
from collections.abc import Iterator

from tests.patterns.found import Found

SHORT, LONG = 3_000, 12_000
"""Characters of the texts whose times are compared."""
QUICK = 0.02
"""Seconds that are no cause for concern, however they grow."""
GROWTH = 2
"""How much faster than its text's length a pattern's time may grow."""
AGAIN = 10
"""Times that a pattern that seems to take long is run, to take the mean."""
SLOW = 0.2
"""Seconds that are too long for the longer text, however they grow."""
LIMIT = 1.0
"""Seconds after which a text is given up."""
PREFERRED = ("a", "1", " ", "-", "A", ".", "\n", "%")
"""Characters that a class is represented by, as far as it has them."""


def slow(found: Found) -> str | None:
    """Return the beginning of a text that takes the pattern too long, or None."""
    pattern, anywhere = found.pattern, found.anywhere
    for before, fragment in dict.fromkeys(_all_fragments(pattern)):
        short, long = (_repeated(before, fragment, length) for length in (SHORT, LONG))
        first = _seconds(pattern, short, anywhere)
        if first < QUICK / (LONG / SHORT) ** 3:  # even cubed it would be quick
            continue
        last = _seconds(pattern, long, anywhere)
        if last > QUICK:  # the clock may tick in 4 ms: only several runs in one tell
            first, last = (_seconds(pattern, text, anywhere, AGAIN) for text in (short, long))
        if last > SLOW or (last > QUICK and last > first * GROWTH * LONG / SHORT):
            return f"{long[:60]!r}: {last:.3f} s"
    return None


def _repeated(before: str, fragment: str, length: int) -> str:
    return (before + fragment * (length // len(fragment) + 1))[:length] + "\0"


def _all_fragments(pattern: re.Pattern) -> Iterator[tuple[str, str]]:
    """Yield the fragments of the pattern's tree, each after what stands before it."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    for preferred in PREFERRED:
        for before, fragment in _fragments(tree, "", preferred):
            if fragment:
                yield before, fragment


def _seconds(pattern: re.Pattern, text: str, anywhere: bool, times: int = 1) -> float:
    """Return the processor time of a pattern on a text, infinite beyond the limit."""
    data = text.encode("utf-8") if isinstance(pattern.pattern, bytes) else text

    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGPROF, stop)
    start = time.process_time()
    try:
        signal.setitimer(signal.ITIMER_PROF, LIMIT * times)
        try:
            for _ in range(times):
                if anywhere:
                    for _match in pattern.finditer(data):
                        pass
                else:
                    pattern.match(data)
                    pattern.fullmatch(data)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except TimeoutError:
        return math.inf
    return (time.process_time() - start) / times


def _fragments(tree, before: str, preferred: str) -> Iterator[tuple[str, str]]:
    """Yield what a part of the tree can follow, and an example of the part."""
    yield before, _example(tree, preferred)
    for op, value in tree:
        for inner in _inner(op, value):
            yield from _fragments(inner, before, preferred)
        before += _example([(op, value)], preferred)


def _inner(op, value) -> list:
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        return [value[2]]
    if op is sre.BRANCH:
        return value[1]
    if op is sre.SUBPATTERN:
        return [value[3]]
    if op is sre.ATOMIC_GROUP:
        return [value]
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return [value[1]]
    return []


def _example(tree, preferred: str) -> str:
    """Return a text that the tree matches, repeats once, of preferred characters."""
    parts = []
    for op, value in tree:
        if op is sre.LITERAL:
            parts.append(chr(value))
        elif op is sre.ANY or op is sre.NOT_LITERAL:
            parts.append(preferred)
        elif op is sre.IN:
            parts.append(_one_of(value, preferred))
        elif op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            parts.append(_example(value[2], preferred) * max(1, min(value[0], 50)))
        elif op is sre.BRANCH:
            options = [_example(option, preferred) for option in value[1]]
            parts.append(next((text for text in options if preferred in text), options[0]))
        elif op is sre.SUBPATTERN:
            parts.append(_example(value[3], preferred))
        elif op is sre.ATOMIC_GROUP:
            parts.append(_example(value, preferred))
    return "".join(parts)


def _one_of(options, preferred: str) -> str:
    pattern = re.compile(_written(options))
    for char in (
        preferred,
        *PREFERRED,
        *map(chr, range(33, 0x250)),
        *map(chr, range(0x370, 0x400)),
    ):
        if pattern.fullmatch(char):
            return char
    return ""


_CATEGORIES = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}


def _written(options) -> str:
    """Write a class of characters again."""
    parts = []
    for op, value in options:
        if op is sre.NEGATE:
            parts.append("^")
        elif op is sre.LITERAL:
            parts.append(re.escape(chr(value)))
        elif op is sre.RANGE:
            parts.append(f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}")
        elif op is sre.CATEGORY:
            parts.append(_CATEGORIES[value])
    return f"[{''.join(parts)}]"
