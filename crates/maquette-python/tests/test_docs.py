"""The examples of docs/python.md, run one after the other."""

import contextlib
import doctest
import io
import pathlib
import re

import maquette
import pytest

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "python.md"


def test_the_examples_of_the_page_work(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) > 8
    names: dict[str, object] = {}
    for number, block in enumerate(blocks, 1):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, f"example {number} of {PAGE.name}", "exec"), names)
        if "print(" in block:
            assert printed.getvalue().strip(), f"example {number} prints nothing"
    assert (tmp_path / "large.glb").stat().st_size > 1000


def test_the_examples_of_the_package_print_what_they_say() -> None:
    results = doctest.testmod(maquette, optionflags=doctest.ELLIPSIS)
    assert results.attempted >= 5 and results.failed == 0
