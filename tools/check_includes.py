#!/usr/bin/env python3
"""Holds the table of rooms: which room of src/phiflex may include which. Exit code 1 names every breach.

The table is transitive: a room may include what the rooms it names may include. And what keeps additions small: the
tables of names are included by their catalogues alone, and a law's header by other laws alone.
"""
import pathlib
import re
import sys

MAY_INCLUDE = {
    "base": [],
    "linalg": ["base"],
    "matfun": ["linalg"],
    "system": ["linalg"],
    "integrate": ["system", "matfun"],
    "mesh": ["base"],
    "material": ["base"],
    "fem": ["mesh", "linalg"],
    "contact": ["mesh", "system"],
    "energy": ["fem", "material", "contact", "system"],
    "cuda": ["material"],
    "model": ["energy", "system"],
    "build": ["model"],
    "scene": ["build", "integrate"],
    "record": ["system", "mesh"],
    "run": ["build", "integrate", "scene", "record", "cuda"],
    "pages": ["record"],
    "study": ["run", "pages"],
    "live": ["study"],
    "picture": ["record", "model"],
    "exchange": ["record", "scene", "picture"],
    "mpi": ["run"],
}
# Foreign headers, by the room that may see them directly; rooms above it must go through it.
FOREIGN = {
    "cholmod.h": {"linalg"},
    "umfpack.h": {"linalg"},
    "SuiteSparse_config.h": {"linalg"},
    "nlohmann/": {"scene", "record", "run", "pages", "study", "live", "picture", "exchange", "mpi"},
    "zlib.h": {"mesh", "picture"},
    "embree3/": {"picture"},
    "microhttpd.h": {"pages"},
    "cuda_runtime.h": {"cuda"},
    "mpi.h": {"mpi"},
    "petsc": {"mpi"},
    "CLI/": set(),
}
# A line more in one of these compiles what includes it.
TABLES = {
    "phiflex/integrate/method_names.h": {"integrate/catalogue.cpp"},
    "phiflex/matfun/evaluator_names.h": {"matfun/catalogue.cpp"},
    "phiflex/mesh/generator_names.h": {"mesh/generator_catalogue.cpp"},
    "phiflex/mesh/format_names.h": {"mesh/mesh_io.cpp"},
    "phiflex/material/laws.h": {"material/catalogue.cpp", "energy/law_kernels.cpp", "cuda/law_table.h"},
    "phiflex/material/all_laws.h": {"material/catalogue.cpp"},
}
FORBIDDEN_NAMES = {"utils", "common", "helpers", "core", "misc"}


def reachable(room):
    seen, todo = {room}, list(MAY_INCLUDE[room])
    while todo:
        other = todo.pop()
        if other not in seen:
            seen.add(other)
            todo += MAY_INCLUDE[other]
    return seen


def main():
    root = pathlib.Path(__file__).resolve().parent.parent / "src" / "phiflex"
    laws = re.findall(r"LAW\(([a-z0-9_]+), ", (root / "material" / "laws.h").read_text())
    law_headers = {f"phiflex/material/{law}.h" for law in laws}
    breaches = []
    for path in sorted(root.rglob("*")):
        where = path.relative_to(root)
        if path.is_dir():
            if len(where.parts) == 1 and where.parts[0] not in MAY_INCLUDE:
                breaches.append(f"src/phiflex/{where}: a room that tools/check_includes.py does not know")
            continue
        if path.stem in FORBIDDEN_NAMES:
            breaches.append(f"src/phiflex/{where}: a name that says nothing")
        if path.suffix not in (".h", ".cpp", ".cu") or where.parts[0] not in MAY_INCLUDE:
            continue
        room = where.parts[0]
        allowed = reachable(room)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = re.match(r'\s*#\s*include\s+["<]([^">]+)[">]', line)
            if not found:
                continue
            target = found.group(1)
            place = f"src/phiflex/{where}:{number}"
            if target.startswith("phiflex/"):
                other = target.split("/")[1]
                if other not in allowed:
                    breaches.append(f"{place}: {room} may not include {other} (allowed: {', '.join(sorted(allowed))})")
            if target in TABLES and where.as_posix() not in TABLES[target]:
                breaches.append(f"{place}: only {', '.join(sorted(TABLES[target]))} may include {target}")
            if target in law_headers and where.as_posix() not in {header.removeprefix("phiflex/") for header in law_headers}:
                breaches.append(f"{place}: only material/all_laws.h and other laws may include {target}")
            for foreign, rooms in FOREIGN.items():
                if target.startswith(foreign) and room not in rooms:
                    breaches.append(f"{place}: {room} may not include {target}")
    for breach in breaches:
        print(breach)
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
