"""The command, from Python."""

import json
import pathlib
import subprocess
import sys

import pytest

import maquette


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-m", "maquette", *arguments], capture_output=True, text=True)


def test_it_prints_as_the_command_does(tmp_path: pathlib.Path) -> None:
    path = maquette.sample("post.glb").save(tmp_path)[0]
    done = run("info", "--json", path)
    assert done.returncode == 0 and json.loads(done.stdout) == maquette.info(path)
    assert run("check", path).returncode == 0


def test_exit_codes_and_usage_are_those_of_the_command(tmp_path: pathlib.Path) -> None:
    path = maquette.sample("x.aem", fault="AEM0028").save(tmp_path)[0]
    assert run("check", path).returncode == 1
    assert run("info", str(tmp_path / "none.glb")).returncode == 2
    wrong = run("inof")
    assert wrong.returncode == 2 and "Usage: maquette [OPTIONS] <COMMAND>" in wrong.stderr
    assert "Usage: maquette" in run("--help").stdout


def test_it_can_be_called(tmp_path: pathlib.Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = maquette.sample("post.glb").save(tmp_path)[0]
    print("before")
    assert maquette.main(["--quiet", "convert", path, str(tmp_path / "a.aem")]) == 0
    assert capfd.readouterr() == ("before\n", "")
    assert maquette.main(["convert", path, str(tmp_path / "b.aem")]) == 0
    assert "wrote" in capfd.readouterr().err, "quiet was for that call alone"
    assert maquette.main(["nonsense"]) == 2
