#!/usr/bin/env python3
"""Every test that docs/attack.md names exists: `Suite.Fact` in the last column of its findings is a TEST of tests/, `Suite.*` a suite."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
facts = set()
for path in sorted((root / "tests").rglob("*.cpp")):
    facts |= set(re.findall(r"^(?:TYPED_)?TEST(?:_P|_F)?\(\s*(\w+),\s*(\w+)\s*\)", path.read_text(), re.MULTILINE))
suites = {suite for suite, _ in facts}
named, bad, findings = 0, 0, False
for number, line in enumerate((root / "docs" / "attack.md").read_text().split("\n"), 1):
    if line.startswith("## "):
        findings = line == "## What the attack found"
    if not findings or not line.startswith("|"):
        continue
    for suite, fact in re.findall(r"`(\w+)\.(\*|\w+)`", line.rstrip(" |").rsplit("|", 1)[-1]):
        named += 1
        if (suite not in suites) if fact == "*" else ((suite, fact) not in facts):
            bad += 1
            print(f"docs/attack.md:{number}: there is no test {suite}.{fact}")
if named == 0:
    print("docs/attack.md names no test")
sys.exit(1 if bad or named == 0 else 0)
