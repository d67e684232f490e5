"""The command, from Python."""

import json
import pathlib
import subprocess
import sys

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


def test_it_can_be_called(tmp_path: pathlib.Path) -> None:
    """In a process of its own: from then on that heeds signals as the command does."""
    path = maquette.sample("post.glb").save(tmp_path)[0]
    script = """
import maquette, sys
path = sys.argv[1]
print("before")
assert maquette.main(["--quiet", "convert", path, path + ".aem"]) == 0
print("between", file=sys.stderr)
assert maquette.main(["convert", path, path + ".aem"]) == 0
assert maquette.main(["nonsense"]) == 2
"""
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "before\n"), done.stderr
    assert done.stderr.startswith("between\nwrote "), "quiet was for that call alone"
