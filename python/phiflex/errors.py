"""The exceptions of the package. Messages are the engine's own sentences."""

from __future__ import annotations

from typing import Iterable, List, NamedTuple, Sequence, Tuple


class Problem(NamedTuple):
    """One thing that is wrong with what was given."""

    file: str  #: the scene or mesh file; empty where there is none
    place: str  #: a JSON pointer, a line of a file, or the name of a body or an argument
    message: str  #: the value and what is allowed

    def __str__(self) -> str:
        return ": ".join(part for part in self if part)


class InputError(ValueError):
    """Wrong input: scenes, arrays, settings. ``problems`` lists everything that was found."""

    problems: List[Problem]

    def __init__(self, message: str, problems: Iterable[Tuple[str, str, str]] = ()):
        super().__init__(message)
        self.problems = [Problem(*problem) for problem in problems] or [Problem("", "", message)]


class FileError(OSError):
    """A file that cannot be opened, read or written."""


class FolderNotEmpty(FileExistsError):
    """A results folder that holds something; ``overwrite=True`` uses it anyway."""


class DeviceError(RuntimeError):
    """A graphics card was asked for, and there is none that can be used: no card, no kernels, too little memory."""


class StepError(RuntimeError):
    """A step that failed numerically. The simulation is in the state before it."""

    status: str  #: the kind of failure, in words

    def __init__(self, message: str, status: str = ""):
        super().__init__(message)
        self.status = status


class EvaluationError(RuntimeError):
    """A matrix function or modes that could not be computed to their tolerance."""


def require_word(value: object, words: Sequence[str], place: str) -> None:
    """An InputError unless the value is one of the words."""
    if not isinstance(value, str) or value not in words:
        raise refuse(place, f"{value!r} is not allowed; expected {', '.join(words[:-1])} or {words[-1]}")


def refuse(place: str, message: str) -> InputError:
    """An InputError with one problem, to be raised."""
    problem = Problem("", place, message)
    return InputError(str(problem), [problem])
