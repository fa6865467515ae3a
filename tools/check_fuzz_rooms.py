#!/usr/bin/env python3
"""Every fuzz target has the sources that it needs (fuzz/CMakeLists.txt). Exit code 1 names what a target lacks.

No other test builds the targets, because that takes long. This one follows the includes of a target's program and of its
rooms' sources: a header that is met needs the source of the same name, where there is one. Functions that are defined in
a source of another name than their header's are not seen.

    tools/check_fuzz_rooms.py [FILE]      FILE instead of fuzz/CMakeLists.txt
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src"
INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.MULTILINE)


def calls(text, function):
    """The arguments of all calls of a CMake function, by the first of each."""
    found = re.findall(rf"^{function}\(([^)]*)\)", text, re.MULTILINE)
    return {words[0]: words[1:] for words in map(str.split, found)}


def sources_of(room, files):
    folder = SOURCES / "phiflex" / room
    return [folder / name for name in files] or sorted(folder.glob("*.cpp"))


def met_from(files):
    """The files that are reached by includes, each with the one that was first to include it."""
    met, todo = dict.fromkeys(files), list(files)
    while todo:
        file = todo.pop()
        for name in INCLUDE.findall(file.read_text()):
            for folder in (SOURCES, ROOT, file.parent):
                header = folder / name
                if header.is_file():
                    if header not in met:
                        met[header] = file
                        todo.append(header)
                    break
    return met


def main():
    text = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "fuzz" / "CMakeLists.txt").read_text()
    rooms, targets = calls(text, "phiflex_fuzz_room"), calls(text, "phiflex_fuzz")
    lacking = []
    for program in sorted((ROOT / "fuzz").glob("fuzz_*.cpp")):
        if program.stem[len("fuzz_"):] not in targets:
            lacking.append(f"{program.name} is no target")
    for target, names in targets.items():
        sources = [ROOT / "fuzz" / f"fuzz_{target}.cpp"]
        for room in names:
            sources += sources_of(room, rooms[room])
        met = met_from(sources)
        for header, file in met.items():
            source = header.with_suffix(".cpp")
            if header.suffix == ".h" and source.is_file() and source not in sources:
                lacking.append(f"fuzz_{target} lacks {source.relative_to(ROOT)}: "
                               f"{file.relative_to(ROOT)} includes its header")
    if not targets:
        lacking.append("no target was found")
    for words in lacking:
        print(words)
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
