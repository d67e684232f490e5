"""The add-on in real Blender: `bpy` as a module, and the package beside it.

    python -m pytest integrations/blender/tests

MAQUETTE_WHEEL names a wheel of the package, for the test that installs the extension.
Without `bpy` only what needs no Blender runs. Real files come from the folder that MAQUETTE_CORPUS names, or from `shared/corpus` beside the checkout.
"""

import importlib.util
import os
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
EXTENSION = HERE.parent / "extension"
NAME = "maquette_extension"

try:
    import bpy
    import maquette
except ImportError:
    bpy = maquette = None

collect_ignore = [] if bpy else [name.name for name in HERE.glob("test_*.py") if name.name not in ("test_pose.py", "test_build.py")]


def pytest_unconfigure(config):
    """As a module Blender may break down (4.2, after its glTF exporter ran) or wait for ever (4.5) when Python ends, with the add-on or without: end before that."""
    if bpy and hasattr(config, "status"):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.status)


def pytest_sessionfinish(session, exitstatus):
    session.config.status = int(exitstatus)


def missing(what):
    """Skips, but fails where everything must be looked at."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is missing")
    pytest.skip(f"{what} is missing")


def corpus_files(pattern):
    folder = pathlib.Path(os.environ.get("MAQUETTE_CORPUS") or HERE.parents[3] / "shared" / "corpus")
    return sorted(folder.glob(pattern)) if folder.is_dir() else []


def load():
    """The add-on from its sources."""
    spec = importlib.util.spec_from_file_location(NAME, EXTENSION / "__init__.py", submodule_search_locations=[str(EXTENSION)])
    module = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def extension():
    """The add-on, registered."""
    module = load()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    module.register()
    yield module
    module.unregister()


@pytest.fixture
def empty(extension):
    """An empty file."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return bpy.context


@pytest.fixture
def made(tmp_path):
    """Makes a sample file of the package: made("post.aem")."""

    def make(name, **options):
        path = tmp_path / name
        path.write_bytes(maquette.sample(name, **options).bytes)
        return path

    return make
