"""Verbs by kind (verbs.txt), in all their forms."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final

OTHER: Final = "other"
_VOWELS: Final = "aeiou"
_IRREGULAR: Final = {
    "bind": "bound",
    "find": "found",
    "give": "gave given",
    "make": "made",
    "lead": "led",
    "show": "shown",
    "see": "saw seen",
    "know": "knew known",
    "think": "thought",
    "become": "became",
    "have": "has had",
    "be": "is are was were been am being",
    "drive": "drove driven",
    "cut": "cut",
    "underlie": "underlies underlying underlay underlain",
}


@cache
def _forms() -> dict[str, str]:
    """The kind of every form of every listed verb; of a verb listed twice, the first."""
    found: dict[str, str] = {}
    for kind, verb in listed():
        for form in inflect(verb):
            found.setdefault(form, kind)
    return found


def kind_of(verb: str) -> str:
    """Tell the kind of a verb, in any form and in small letters."""
    return _forms().get(verb, OTHER)


def inflect(verb: str) -> list[str]:
    """Give the forms of a verb, its British spelling included."""
    forms = [verb, *_IRREGULAR.get(verb, "").split()]
    stems = [verb]
    if verb.endswith("ize"):
        stems.append(f"{verb[:-2]}se")
    if verb.endswith("yze"):
        stems.append(f"{verb[:-2]}se")
    for base in stems:
        if base != verb:
            forms.append(base)
        stem = base.removesuffix("e")
        if base.endswith("y") and base[-2] not in _VOWELS:
            forms += [f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base}ing"]
        else:
            end = "es" if base.endswith(("s", "x", "ch", "sh", "z")) else "s"
            forms += [f"{base}{end}", f"{stem}ed", f"{stem}ing"]
            if base[-1] not in f"{_VOWELS}wxyz" and base[-2] in _VOWELS:
                forms += [f"{base}{base[-1]}ed", f"{base}{base[-1]}ing"]
    return list(dict.fromkeys(forms))


def listed() -> Iterator[tuple[str, str]]:
    """Yield each kind with each of its verbs, as verbs.txt has them."""
    text = (files("relsent_ir") / "relations" / "verbs.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        kind, colon, verbs = line.partition("#")[0].partition(":")
        if colon:
            yield from ((kind.strip(), verb) for verb in verbs.split())
