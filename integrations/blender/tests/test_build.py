"""The zip of the extension."""

import importlib.util
import pathlib
import zipfile

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[1] / "build.py"
SPEC = importlib.util.spec_from_file_location("maquette_build", SOURCE)
build = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(build)


def wheel(folder, name):
    path = folder / name
    path.write_bytes(b"a wheel")
    return path


def test_the_zip_holds_the_wheel_and_a_manifest_that_names_it(tmp_path):
    wheels = [wheel(tmp_path, "maquette-1.2.3-cp39-abi3-manylinux_2_34_x86_64.whl"), wheel(tmp_path, "maquette-1.2.3-cp39-abi3-win_amd64.whl")]
    with zipfile.ZipFile(build.build(wheels, tmp_path / "out.zip")) as archive:
        manifest = archive.read("blender_manifest.toml").decode()
        names = archive.namelist()
    assert 'version = "1.2.3"' in manifest
    assert 'platforms = ["linux-x64", "windows-x64"]' in manifest
    assert all(f'"./wheels/{path.name}"' in manifest and f"wheels/{path.name}" in names for path in wheels)
    assert manifest.index("wheels = [") < manifest.index("[permissions]")
    assert {"__init__.py", "pose.py", "LICENSE-MIT"} <= set(names)


def test_the_same_wheel_makes_the_same_bytes(tmp_path):
    wheels = [wheel(tmp_path, "maquette-1.2.3-cp39-abi3-macosx_11_0_arm64.whl")]
    first, second = (build.build(wheels, tmp_path / name).read_bytes() for name in ("a.zip", "b.zip"))
    assert first == second


def test_wheels_of_other_places_and_of_several_versions_are_refused(tmp_path):
    with pytest.raises(SystemExit, match="no platform"):
        build.build([wheel(tmp_path, "maquette-1.2.3-cp39-abi3-freebsd_14_x86_64.whl")], tmp_path / "x.zip")
    two = [wheel(tmp_path, "maquette-1.2.3-cp39-abi3-win_amd64.whl"), wheel(tmp_path, "maquette-1.2.4-cp39-abi3-win_arm64.whl")]
    with pytest.raises(SystemExit, match="several versions"):
        build.build(two, tmp_path / "x.zip")
