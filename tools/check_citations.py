#!/usr/bin/env python3
"""Every citation key in the sources (.citation = "key" or citation = "key, key") has an entry in docs/references.bib."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
known = set(re.findall(r"@\w+\{([^,]+),", (root / "docs" / "references.bib").read_text()))
missing = []
for path in sorted((root / "src").rglob("*")):
    if path.suffix not in (".h", ".cpp"):
        continue
    for keys in re.findall(r'citation\s*=\s*"([^"]*)"', path.read_text()):
        missing += [f"{path.relative_to(root)}: {key.strip()}" for key in keys.split(",") if key.strip() not in known]
for line in missing:
    print(line, "is not in docs/references.bib")
sys.exit(1 if missing else 0)
