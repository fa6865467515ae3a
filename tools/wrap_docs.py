#!/usr/bin/env python3
"""Wraps paragraphs and list items of the documentation whose lines are longer than 120 characters.

Tables, code, headings and generated files stay as they are. With --check nothing is written; exit code 1 names each long line.
Usage: wrap_docs.py [--check] [FILE...]     README.md, docs/*.md, bench/README.md, scenes/*/README.md if no file is named
"""
import pathlib
import re
import sys
import textwrap

LIMIT = 120
GENERATED = {"scene.md", "experiment_costs.md"}
ITEM = re.compile(r"(\s*)([-*]|\d+\.) ")


def is_text(line):
    """Whether a line belongs to a paragraph or a list item."""
    return bool(line.strip()) and not re.match(r"\s*(\||#|```|<|!\[|\[[^]]+\]: )", line)


def paragraphs(lines):
    """Pairs (lines, whether they may be wrapped), in order."""
    block, in_code, in_list = [], False, False
    for line in lines:
        fence = line.lstrip().startswith("```")
        if fence:
            in_code = not in_code
        item = ITEM.match(line)
        indented = line.startswith("    ") and not in_list and not block
        plain = is_text(line) and not in_code and not fence and not (indented and not item)
        if block and (not plain or item):
            yield block, True
            block = []
        if plain:
            in_list = in_list or bool(item)
            block.append(line)
        else:
            if line.strip() and not line.startswith(" "):
                in_list = False
            yield [line], False
    if block:
        yield block, True


def wrapped(block):
    if all(len(line) <= LIMIT for line in block):
        return block
    item = ITEM.match(block[0])
    first = item.group(0) if item else re.match(r"\s*", block[0]).group(0)
    text = " ".join([block[0][len(first):]] + [line.strip() for line in block[1:]])
    return textwrap.wrap(text, LIMIT, initial_indent=first, subsequent_indent=" " * len(first), break_long_words=False,
                         break_on_hyphens=False)


def main():
    check = "--check" in sys.argv
    root = pathlib.Path(__file__).resolve().parent.parent
    files = [pathlib.Path(name) for name in sys.argv[1:] if name != "--check"]
    files = files or [root / "README.md", *sorted((root / "docs").glob("*.md")), root / "bench" / "README.md",
                      *sorted((root / "scenes").glob("*/README.md"))]
    bad = 0
    for file in files:
        if file.name in GENERATED:
            continue
        lines = file.read_text().split("\n")
        new = [line for block, text in paragraphs(lines) for line in (wrapped(block) if text else block)]
        if new == lines:
            continue
        if not check:
            file.write_text("\n".join(new))
            continue
        for number, line in enumerate(lines, 1):
            if line not in new:
                bad += 1
                print(f"{file.relative_to(root)}:{number}: {len(line)} characters; tools/wrap_docs.py wraps it")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
