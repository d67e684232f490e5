"""Pictures of models."""

import pathlib

import numpy as np
import pytest

import maquette


@pytest.fixture
def post() -> bytes:
    return maquette.sample("post.glb").bytes


def test_a_file_and_its_scene_are_the_same_picture(post: bytes) -> None:
    one, other = maquette.render(post, size=64), maquette.render(maquette.read(post), size=64)
    assert one.compare(other)["largest"] == 0 and one.compare(other)["ssim"] == 1.0
    assert len(np.unique(one.array().reshape(-1, 4), axis=0)) > 10, "something is to be seen"


def test_pixels_are_an_array_without_a_copy(post: bytes) -> None:
    picture = maquette.render(post, size=(64, 32), background="transparent")
    array = picture.array()
    assert (picture.size, array.shape, array.dtype.name) == ((64, 32), (32, 64, 4), "uint8")
    assert np.shares_memory(array, picture.array()) and np.shares_memory(array, np.asarray(picture))
    assert not array.flags.writeable
    assert np.array(picture).flags.writeable and np.array(picture, dtype=np.float32).dtype == np.float32
    assert array[0, 0, 3] == 0 and array[..., 3].max() == 255


def test_a_moment_of_a_clip_is_another_picture(post: bytes) -> None:
    rest, lean = maquette.render(post, size=64), maquette.render(post, size=64, clip="sway", time=0.5)
    assert lean.compare(rest)["differing"] > 0
    assert maquette.render(post, size=64, time="15f", fps=30).compare(lean)["largest"] == 0
    with pytest.raises(maquette.Error, match="9 s is no moment"):
        maquette.render(post, time=9)
    with pytest.raises(maquette.Error, match='it has "sway"'):
        maquette.render(post, clip="run")
    with pytest.raises(maquette.Error, match='fit="clip" needs a clip: name it with clip$'):
        maquette.render(post, fit="clip")


def test_clips_alone_move_another_model(post: bytes) -> None:
    walk = maquette.sample("walk.seanim").bytes
    on = maquette.render(walk, on=post, time=0.5, size=64)
    assert on.compare(maquette.render(post, time=0.5, size=64))["largest"] == 0
    assert on.compare(maquette.render(maquette.read(walk), on=maquette.read(post), time=0.5, size=64))["largest"] == 0
    with pytest.raises(TypeError, match="say on"):
        maquette.render(post, strip_prefix="x")


def test_every_option_is_looked_at(post: bytes) -> None:
    wrong: "list[dict[str, object]]" = [
        {"mode": "x"}, {"size": 0}, {"size": (1, 2, 3)}, {"view": "x"}, {"samples": 2}, {"orbit": (0, 91)}, {"fov": 0.5},
        {"fov": 171}, {"background": "#12"}, {"tone_map": "x"}, {"exposure": 99}, {"time": "x"}, {"fit": "x"},
    ]
    for options in wrong:
        with pytest.raises(ValueError):
            maquette.render(post, **options)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="did you mean background"):
        maquette.render(post, bakground="white")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="choose one"):
        maquette.render(post, view="front", orbit=(0, 0))
    plain = maquette.render(post, size=64)
    for change in ({"skeleton": True}, {"grid": True}, {"bounds": True}, {"axes": True}, {"view": "top"}, {"mode": "normal"}, {"fov": 0}, {"exposure": 1}):
        assert maquette.render(post, size=64, **change).compare(plain)["differing"] > 0, change


def test_pictures_are_saved_and_shown_in_notebooks(post: bytes, tmp_path: pathlib.Path) -> None:
    picture = maquette.render(post, size=32)
    picture.save(tmp_path / "new" / "a.png")
    assert (tmp_path / "new" / "a.png").read_bytes() == picture.png() == picture._repr_png_()
    (tmp_path / "a.txt").write_text("mine")
    with pytest.raises(maquette.Error, match="force=True overwrites it"):
        picture.save(tmp_path / "a.txt")
    assert (maquette.read(post)._repr_png_() or b"").startswith(b"\x89PNG")
    assert maquette.Scene()._repr_png_() is None
    with pytest.raises(ValueError, match="cannot be compared"):
        picture.compare(maquette.render(post, size=33))


def test_what_is_missing_is_told() -> None:
    files = {name: file for name, file in maquette.sample("post.gltf").files.items() if not name.endswith(".png")}
    scene = maquette.read(files["post.gltf"], name="post.gltf", companions=files)
    assert any("checker" in warning for warning in maquette.render(scene, size=32).warnings)
    with pytest.raises(maquette.Error, match="holds nothing to be drawn"):
        maquette.render(maquette.Scene())


def test_a_scene_that_is_not_sound_is_refused(post: bytes) -> None:
    scene = maquette.read(post)
    scene.meshes[0].primitives[0].indices[0] = 99999
    for use in (maquette.render, lambda scene: maquette.write(scene, name="a.glb")):
        with pytest.raises(maquette.Error, match="not sound"):
            use(scene)
