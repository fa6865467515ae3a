#!/usr/bin/env python3
"""docs/library.md shows programs of examples/cpp: they must be those files, word for word."""
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent.parent
text = (root / "docs" / "library.md").read_text()
missing = [name for name in ("scene", "model", "matrix_functions")
           if f"```cpp\n{(root / 'examples' / 'cpp' / (name + '.cpp')).read_text().rstrip()}\n```" not in text]
for name in missing:
    print(f"docs/library.md: the program is not that of examples/cpp/{name}.cpp")
sys.exit(1 if missing else 0)
