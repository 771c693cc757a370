"""Read the names and values of a grid as flags of methods, or as parts of flags."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from relsent_ir.errors import UsageError
from relsent_ir.method import Parameter
from relsent_ir.tuning.grid import Setting, Values, parse_texts, parse_values, spelled

ARGUMENTATIVE: Final = "--argumentative"


@dataclass(frozen=True)
class Flags:
    """The flags that a grid may set.

    Attributes
    ----------
    verb : str
        The verb with these flags, for error messages.
    parameters : mapping of str to Parameter
        Parameters by all their spellings.
    """

    verb: str
    parameters: Mapping[str, Parameter]

    def given(self, setting: Setting) -> dict[str, Any]:
        """Return the values of the flags of a setting; parts of a flag are combined to its value.

        Feedback documents' parts of weight 0 are left out; without any, documents are whole.
        """
        flags: dict[str, Any] = {}
        parts: dict[str, dict[str, str]] = {}
        for name, value in setting.items():
            flag, part = self.split(name)
            if part:
                parts.setdefault(flag, {})[part] = spelled(value)
                continue
            declared, text = self.parameters[flag], spelled(value)
            flags[declared.flags[0]] = text if declared.kind is dict else declared.read(text)
        for flag, of in parts.items():
            if all(map(str.isdigit, of)):
                weights = [of[part] for part in sorted(of, key=int)]
            else:
                weights = [
                    f"{part.upper()}={weight}"
                    for part, weight in of.items()
                    if flag != ARGUMENTATIVE or weight != "0"
                ]
                weights = weights or ["DOCUMENT"]
            flags[flag] = ",".join(weights)
        return flags

    def split(self, name: str) -> tuple[str, str]:
        """Split ``--argumentative.MESH`` into ``--argumentative`` and its part ``MESH``."""
        flag, _, part = name.rpartition(".")
        is_part = name not in self.parameters and flag in self.parameters
        return (flag, part) if is_part else (name, "")

    def values(self, name: str, text: str) -> Values:
        """Read the values of a flag, or of a part of a flag, as numbers or texts.

        Raises
        ------
        UsageError
            If no method of the verb has this flag, or the flag has no parts.
        """
        flag, part = self.split(name)
        if flag not in self.parameters:
            raise UsageError(f"{self.verb} has no flag {name} that could be tuned")
        declared = self.parameters[flag]
        if part and not _has_parts(declared):
            owners = [name for name, of in self.parameters.items() if _has_parts(of)]
            raise UsageError(f"{flag} has no parts", fix=f"{', '.join(owners) or 'no flag'} has")
        if part or declared.kind is float:
            return parse_values(text)
        return parse_values(text, whole=True) if declared.kind is int else parse_texts(text)


def _has_parts(declared: Parameter) -> bool:
    """Return whether a flag takes a weight for each of several names or runs."""
    return declared.kind is dict or declared.metavar == "W,W,..."
