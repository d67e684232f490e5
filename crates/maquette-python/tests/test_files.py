"""Files in and out: paths, bytes, file objects, companions, formats, what is overwritten and what is lost."""

import io
import os
import pathlib

import numpy as np
import pytest

import maquette


@pytest.fixture
def scene() -> maquette.Scene:
    return maquette.read(maquette.sample("post.glb").bytes)


def test_a_path_gets_the_format_of_its_ending(scene: maquette.Scene, tmp_path: pathlib.Path) -> None:
    written = maquette.write(scene, tmp_path / "a.aem")
    assert (written.format, written.name, written.paths) == ("aem", "a.aem", [str(tmp_path / "a.aem")])
    assert (tmp_path / "a.aem").read_bytes() == written.bytes == written.files["a.aem"]
    assert maquette.read(tmp_path / "a.aem").format == "aem"


def test_memory_gets_a_name_or_a_format(scene: maquette.Scene) -> None:
    by_name = maquette.write(scene, name="x.gltf")
    assert list(by_name.files) == ["x.gltf", "x.bin", "x.checker.png"]
    assert by_name.paths == []
    by_format = maquette.write(scene, format="gltf", dialect="text")
    assert (by_format.name, by_format.dialect) == ("model.gltf", "text")
    with pytest.raises(ValueError, match="say what to write"):
        maquette.write(scene)


def test_a_file_object_is_written_to(scene: maquette.Scene, tmp_path: pathlib.Path) -> None:
    memory = io.BytesIO()
    written = maquette.write(scene, memory, format="glb")
    assert memory.getvalue() == written.bytes
    with open(tmp_path / "b.glb", "wb") as file:
        assert maquette.write(scene, file).name == "b.glb"
    assert (tmp_path / "b.glb").read_bytes() == written.bytes


def test_a_file_object_takes_no_companion_files(scene: maquette.Scene) -> None:
    memory = io.BytesIO()
    with pytest.raises(maquette.WriteError, match="a file object takes one file"):
        maquette.write(scene, memory, name="x.gltf")
    assert memory.getvalue() == b""


def test_bytes_find_their_companions_in_a_dict_or_by_a_function() -> None:
    files = maquette.sample("post.gltf").files
    by_dict = maquette.read(files["post.gltf"], name="post.gltf", companions=files)
    asked = []

    def companion(name: str) -> "bytes | None":
        asked.append(name)
        return files.get(name)

    by_function = maquette.read(files["post.gltf"], name="post.gltf", companions=companion)
    assert maquette.diff(by_dict, by_function) == []
    assert asked and set(asked) <= set(files)
    files = maquette.write(by_dict, name="post.gltf").files
    assert "post.bin" in files
    with pytest.raises(maquette.ReadError) as raised:
        maquette.read(files["post.gltf"], name="post.gltf")
    assert raised.value.finding is not None and raised.value.file == "post.gltf"


def test_what_a_function_for_companions_raises_is_told() -> None:
    files = maquette.sample("post.gltf").files

    def companion(name: str) -> bytes:
        if name.endswith(".png"):
            raise RuntimeError("the archive is locked")
        return files[name]

    scene = maquette.read(files["post.gltf"], name="post.gltf", companions=companion)
    assert any("the archive is locked" in loss.detail for loss in scene.losses)


def test_what_was_read_stays_whatever_becomes_of_the_file(tmp_path: pathlib.Path) -> None:
    scene = maquette.read(maquette.sample("post.glb").bytes)
    scene.images[0].set_pixels(np.random.default_rng(7).integers(0, 256, (256, 256, 4), dtype=np.uint8))
    path = maquette.write(scene, tmp_path / "a.glb").paths[0]
    whole = pathlib.Path(path).read_bytes()
    again, copy = maquette.read(path), maquette.convert(path)
    os.truncate(path, 10)
    assert copy.bytes == whole
    assert np.array_equal(again.images[0].pixels(), scene.images[0].pixels())


def test_file_objects_and_other_bytes_are_read() -> None:
    data = maquette.sample("post.glb").bytes
    for source in (io.BytesIO(data), bytearray(data), memoryview(data)):
        assert len(maquette.read(source).meshes) == 1
    with pytest.raises(TypeError, match="open it as binary"):
        maquette.read(io.StringIO("text"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not int"):
        maquette.read(7)  # type: ignore[arg-type]


def test_what_would_do_nothing_raises(scene: maquette.Scene, tmp_path: pathlib.Path) -> None:
    with pytest.raises(TypeError, match="a path has its own name"):
        maquette.write(scene, tmp_path / "a.glb", name="b.glb")
    maquette.write(scene, tmp_path / "a.glb")
    with pytest.raises(TypeError, match="a path has its own name"):
        maquette.read(tmp_path / "a.glb", name="b.glb")


def test_unknown_options_are_told_with_the_near_one(scene: maquette.Scene) -> None:
    with pytest.raises(TypeError, match='write\\(\\) has no option "formt"; did you mean format?'):
        maquette.write(scene, formt="gltf")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match='textures is "best"; "none", "fast", "default" or "high" would be right'):
        maquette.write(scene, name="a.aem", textures="best")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="max_size is a whole number of pixels"):
        maquette.write(scene, name="a.aem", max_size="large")  # type: ignore[arg-type]


def test_errors_speak_of_options_as_python_has_them(scene: maquette.Scene) -> None:
    with pytest.raises(maquette.Error, match='or ask for format="aem"'):
        maquette.write(scene, name="a.aem", format="gltf")
    with pytest.raises(maquette.Error, match='or ask for dialect="text"'):
        maquette.write(scene, name="a.gltf", dialect="binary")


def test_a_missing_file_is_an_os_error(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError):
        maquette.read(tmp_path / "none.glb")
    with pytest.raises(FileNotFoundError):
        maquette.check(tmp_path / "none.glb")
    with pytest.raises(OSError):
        maquette.convert(tmp_path, tmp_path / "a.glb")


def test_losses_are_told_or_forbidden(scene: maquette.Scene, tmp_path: pathlib.Path) -> None:
    lost = maquette.write(scene, name="a.aem").losses
    assert {"dropped", "approximated"} <= {loss.kind for loss in lost}
    with pytest.raises(maquette.WriteError, match="strict") as raised:
        maquette.write(scene, tmp_path / "a.aem", strict=True)
    assert len(raised.value.losses) == len(lost)
    assert not (tmp_path / "a.aem").exists()
    maquette.write(scene, tmp_path / "a.aem", strict=["truncated", "renamed"])
    assert (tmp_path / "a.aem").exists()


def test_companion_files_of_others_are_not_overwritten(scene: maquette.Scene, tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.glb").write_bytes(maquette.sample("post.glb").bytes)
    (tmp_path / "a.bin").write_bytes(b"of another")
    with pytest.raises(maquette.Error, match="force=True"):
        maquette.write(scene, tmp_path / "a.gltf")
    assert (tmp_path / "a.bin").read_bytes() == b"of another"
    maquette.write(scene, tmp_path / "a.gltf", force=True)
    assert (tmp_path / "a.bin").read_bytes() != b"of another"


def test_an_output_in_memory_can_be_saved(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = maquette.sample("post.gltf")
    (tmp_path / "models").mkdir()
    assert output.save(tmp_path / "models") == [str(tmp_path / "models" / name) for name in output.files]
    monkeypatch.chdir(tmp_path)
    output.save()
    assert maquette.check("post.gltf").ok


def test_converting_within_a_format_keeps_every_byte(tmp_path: pathlib.Path) -> None:
    data = maquette.sample("post.aem").bytes
    assert maquette.convert(data, read_name="post.aem").bytes == data
    (tmp_path / "a.aem").write_bytes(data)
    assert maquette.convert(tmp_path / "a.aem", tmp_path / "b.aem").bytes == data


def test_converting_takes_the_options_of_all_three() -> None:
    data = maquette.sample("post.glb").bytes
    bigger = maquette.convert(data, name="a.glb", scale=2.0, clip_names="sway", optimize=True)
    top = maquette.info(bigger.bytes)["bounds"]["max"][1]
    assert top == 2 * maquette.info(data)["bounds"]["max"][1]
    clip = maquette.sample("walk.seanim").bytes
    both = maquette.convert(data, name="a.glb", clips=[maquette.read(clip)], own_clips="left-out")
    assert len(maquette.read(both.bytes).clips) == 1
    with pytest.raises(ValueError, match="must be above 0"):
        maquette.convert(data, name="a.glb", scale=-1)
    with pytest.raises(TypeError, match="did you mean scale"):
        maquette.convert(data, name="a.glb", scal=2)  # type: ignore[call-arg]


def test_what_was_made_is_checked(scene: maquette.Scene) -> None:
    assert maquette.write(scene, name="a.glb").findings() == []
    assert maquette.sample("x.aem", fault="AEM0028").findings()[-1].file == "x.aem"


def test_outputs_and_errors_are_worth_reading() -> None:
    assert repr(maquette.sample("post.glb")).startswith('<Output "post.glb": gltf binary, ')
    assert "Writes a scene" in (maquette.write.__doc__ or "")
    with pytest.raises(maquette.ReadError, match="cannot read bytes: it is plain text"):
        maquette.read(b"hello")
