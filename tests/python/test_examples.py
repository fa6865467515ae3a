"""The programs of examples/python run, and docs/python.md shows what is in them."""

import os
import re
import subprocess
import sys

import pytest

from conftest import ROOT

EXAMPLES = sorted((ROOT / "examples" / "python").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_runs(example, tmp_path):
    result = subprocess.run([sys.executable, "-B", str(example)], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    assert result.stdout


def test_there_are_eight_and_the_documentation_names_them_all():
    text = (ROOT / "docs" / "python.md").read_text()
    assert len(EXAMPLES) == 8
    for example in EXAMPLES:
        assert example.name in text


def test_the_programs_of_the_documentation_run(tmp_path):
    """Blocks of Python in docs/python.md and README.md, one after the other in one program, in the clone's folder."""
    for document in ("docs/python.md", "README.md"):
        blocks = re.findall(r"```python\n(.*?)```", (ROOT / document).read_text(), re.S)
        assert blocks, document
        program = tmp_path / "program.py"
        program.write_text("\n".join(blocks))
        os.symlink(ROOT / "scenes", tmp_path / "scenes") if not (tmp_path / "scenes").exists() else None
        result = subprocess.run([sys.executable, "-B", str(program)], cwd=tmp_path, capture_output=True, text=True,
                                timeout=300)
        assert result.returncode == 0, f"{document}\n{result.stderr}"
