"""An item of a paper: a program with its ITEM, and the catalogue of all of them."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import pathlib
import re
import sys
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from ..errors import FileError, InputError

#: Folder of the catalogue -> paper, in the catalogue's order.
FOLDERS = {"ere": "ere", "siere": "siere", "sai": "sai", "eigenfit": "thesis", "thesis": "thesis", "zheng": "zheng"}
PAPERS = {
    "ere": "Chen, Ascher, Pai: Exponential Rosenbrock-Euler Integrators for Elastodynamic Simulation (2018)",
    "siere": "Chen, Sheen, Ascher, Pai: SIERE: A Hybrid Semi-Implicit Exponential Integrator for Efficiently Simulating Stiff "
             "Deformable Objects (2020)",
    "sai": "Michels, Luan, Tokman: A Stiffly Accurate Integrator for Elastodynamic Problems (2017)",
    "thesis": "Chen: Integrators for Elastodynamic Simulation with Stiffness and Stiffening (thesis, 2019)",
    "zheng": "Zheng, Yuan, Tong, Zhang, Zhu: A novel unconditionally stable explicit integration method for finite element "
             "method (2017)"}
GRADES = {"A": "fully specified", "B": "something is left open",
          "C": "cannot be repeated as printed; a stand-in shows the effect"}


@dataclasses.dataclass
class Item:
    """What a program says about itself."""

    number: str  #: "Table 2"
    grade: str
    says: str  #: what the paper says, with its section or page
    asks: str
    differs: Sequence[str]
    full: Mapping[str, Any]
    quick: Optional[Mapping[str, Any]]
    open: Mapping[str, Tuple[str, Sequence[Any]]]
    found: str
    # Filled in when it is read:
    id: str = ""
    title: str = ""
    file: pathlib.Path = pathlib.Path()
    run: Callable[[Any], None] = None

    @property
    def folder(self) -> pathlib.Path:
        return self.file.parent

    @property
    def paper(self) -> str:
        return FOLDERS[self.folder.name]

    @property
    def same(self) -> bool:
        """The quick variant is the full one."""
        return not self.quick

    def variant(self, quick: bool) -> str:
        return "quick" if quick and not self.same else "full"

    def values(self, quick: bool) -> Dict[str, Any]:
        return {**self.full, **((self.quick or {}) if quick else {})}


def item(*, number: str, grade: str, says: str, asks: str, differs: Sequence[str] = (), full: Mapping[str, Any] = {},
         quick: Optional[Mapping[str, Any]] = None, open: Mapping[str, Tuple[str, Sequence[Any]]] = {}, found: str = "") -> Item:
    """The head of a program.

    number: how the paper calls it. grade: "A", "B" or "C". says: what the paper states, in other words, with its section or page.
    asks: the question. differs: what differs from the paper, and why. full: the values at the paper's size; quick: those that
    the small variant replaces (none: it is the same computation). open: value that the paper leaves open -> (why,
    alternatives). found: what came out, in a sentence or two.
    """
    return Item(number, grade, says, asks, tuple(differs), dict(full), dict(quick) if quick else None, dict(open), found)


def _wrong(file: pathlib.Path, words: str) -> InputError:
    return InputError(f"{file}: {words}", [(str(file), "", words)])


def read_item(file: pathlib.Path) -> Item:
    """A program as it is on disk. InputError, in a sentence, when it is wrong."""
    file = file.resolve()
    name = f"{file.parent.name}-{file.stem}"
    spec = importlib.util.spec_from_file_location(f"phiflex_experiment_{re.sub(r'[^a-z0-9]', '_', name)}", file)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(file.parent))
    no_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    except FileNotFoundError as error:
        raise FileError(f"{file}: {error.strerror}") from None
    except Exception as error:
        raise _wrong(file, f"cannot be read: {type(error).__name__}: {error}") from error
    finally:
        sys.dont_write_bytecode = no_bytecode
        sys.path.remove(str(file.parent))
        # Helpers of one paper (_name.py) are not those of another.
        for helper in [key for key, one in sys.modules.items() if getattr(one, "__file__", None) and
                       key.startswith("_") and pathlib.Path(one.__file__).resolve().parent == file.parent]:
            del sys.modules[helper]
    made = getattr(module, "ITEM", None)
    if not isinstance(made, Item) or not callable(getattr(module, "run", None)):
        raise _wrong(file, "needs ITEM = item(...) and a function run(x)")
    made.id, made.file, made.run = name, file, module.run
    made.title = (module.__doc__ or "").strip().split("\n")[0].rstrip(".")
    problems = [words for words, bad in (
        ("a first line of its docstring, the title", not made.title), (f"a grade of {', '.join(GRADES)}", made.grade not in GRADES),
        ("quick values that full has too", set(made.quick or {}) - set(made.full)),
        ("open values that full has too", set(made.open) - set(made.full))) if bad]
    if problems:
        raise _wrong(file, "needs " + "; ".join(problems))
    return made


def find_catalogue() -> pathlib.Path:
    """PHIFLEX_EXPERIMENTS, else experiments/ in the current folder or above it, else where the package installs it."""
    named = os.environ.get("PHIFLEX_EXPERIMENTS")
    if named:
        if not pathlib.Path(named).is_dir():
            raise FileError(f"{named}: PHIFLEX_EXPERIMENTS names no folder")
        return pathlib.Path(named)
    here = pathlib.Path.cwd()
    places = [one / "experiments" for one in (here, *here.parents)]
    places += [pathlib.Path(prefix) / "share" / "phiflex" / "experiments" for prefix in (sys.prefix, "/usr/local", "/usr")]
    for place in places:
        if place.is_dir() and list_items(place):
            return place
    raise FileError("the experiments' programs are not here: go to a clone, install the package phiflex, or name their folder in "
                    "PHIFLEX_EXPERIMENTS")


def _natural(name: str) -> List[Any]:
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def list_items(catalogue: pathlib.Path) -> List[pathlib.Path]:
    """The programs, by paper, then by name with numbers in order."""
    return [file for folder in FOLDERS for file in sorted((catalogue / folder).glob("*.py"), key=lambda one: _natural(one.stem))
            if not file.stem.startswith("_")]


def id_of(file: pathlib.Path) -> str:
    return f"{file.parent.name}-{file.stem}"


def find_meshes() -> Optional[pathlib.Path]:
    """The papers' mesh files: PHIFLEX_MESHES, else shared/meshes in the current folder or above it."""
    named = os.environ.get("PHIFLEX_MESHES")
    if named:
        return pathlib.Path(named) if pathlib.Path(named).is_dir() else None
    here = pathlib.Path.cwd()
    return next((one / "shared" / "meshes" for one in (here, *here.parents) if (one / "shared" / "meshes").is_dir()), None)
