"""What a conversion can do to a scene, and clips of other scenes."""

import io
import pathlib
import warnings
from typing import Literal, Union

import numpy as np
import pytest

import maquette
from maquette.typing import Source


def post() -> maquette.Scene:
    return maquette.read(maquette.sample("post.glb").bytes, name="post.glb")


def wave() -> maquette.Scene:
    """A clip for another model, by the name of a bone of the post."""
    bone = post().skins[0].joints[1].name
    scene = maquette.Scene()
    clip = scene.clips.add("wave")
    clip.add_track(bone, "translation", [0, 1], [[0, 0, 0], [0, 5, 0]])
    return scene


def test_an_edit_is_another_scene() -> None:
    scene = post()
    larger, losses = scene.edit(scale=2)
    ours, theirs = scene.meshes[0].primitives[0].positions, larger.meshes[0].primitives[0].positions
    assert theirs == pytest.approx(2 * ours) and not np.shares_memory(ours, theirs)
    assert larger.format == "gltf" and losses == []


def test_axes_and_coordinates_are_turned() -> None:
    scene = post()
    turned, _ = scene.edit(up="z", flip_v=True)
    before, after = (it.meshes[0].primitives[0] for it in (scene, turned))
    assert after.positions[:, 1].tolist() == before.positions[:, 2].tolist()
    assert after.uvs[0][:, 1] == pytest.approx(1 - before.uvs[0][:, 1])


def test_a_selection_keeps_what_it_names() -> None:
    scene = post()
    scene.clips.add("walk")
    for names in (["wa*"], ("walk",), "walk"):
        chosen, _ = scene.edit(select=names)
        assert chosen.clips.names == ["walk"] and scene.clips.names == ["sway", "walk"]
    with pytest.raises(maquette.Error, match="run"):
        scene.edit(select=["run"])


def test_clips_of_scenes_files_and_bytes_are_put_onto_a_model(tmp_path: pathlib.Path) -> None:
    scene = post()
    file = maquette.write(wave(), tmp_path / "wave.seanim")
    bytes_of_it = file.bytes

    def given() -> list[Union[Source, maquette.Scene]]:
        return [wave(), tmp_path / "wave.seanim", str(tmp_path), bytes_of_it, io.BytesIO(bytes_of_it)]

    for alone, one in zip(given(), given()):
        for clips in (alone, [one]):
            moved, _ = scene.edit(clips=clips)  # type: ignore[arg-type]
            assert len(moved.clips) == 2, clips
            node = moved.nodes[scene.skins[0].joints[1].index]
            track = moved.clips[1].track(node, "translation")
            assert track is not None and track.target == node and track.values[-1].tolist() == [0, 5, 0]
    all_of_them, losses = scene.edit(clips=given())
    assert len(all_of_them.clips) == 6
    assert any(loss.kind == "renamed" for loss in losses), "five clips of one name"
    assert scene.clips.names == ["sway"]


def test_own_clips_stay_or_go() -> None:
    scene, other = post(), wave()
    other.clips[0].name = "sway"
    assert scene.edit(clips=[other])[0].clips.names[0] == "sway" and len(scene.edit(clips=[other])[0].clips) == 2
    owns: list[Literal["replaced", "left-out"]] = ["replaced", "left-out"]
    for own in owns:
        moved, _ = scene.edit(clips=[other], own_clips=own)
        assert moved.clips.names == ["sway"] and len(moved.clips[0].tracks) == 1
    other.clips.add("still").add_track(scene.skins[0].joints[1].name, "scale", [0], [[1, 1, 1]])
    assert scene.edit(clips=[other], clip_names=["st*"])[0].clips.names == ["sway", "still"]


def test_bones_are_matched_by_map_prefix_and_namespace(tmp_path: pathlib.Path) -> None:
    scene = post()
    bone = scene.skins[0].joints[1].name
    other = maquette.Scene()
    track = other.clips.add("wave").add_track("tail", "scale", [0], [[2, 2, 2]])
    with pytest.raises(maquette.Error, match="tail"):
        scene.edit(clips=[other])
    (tmp_path / "map.txt").write_text(f"tail = {bone}\n")
    for bone_map in ({"tail": bone}, tmp_path / "map.txt"):
        assert len(scene.edit(clips=[other], bone_map=bone_map)[0].clips) == 2
    track.target = f"rig:{bone}"
    assert len(scene.edit(clips=[other], ignore_namespace=True)[0].clips) == 2
    track.target = f"Bip_{bone}"
    assert len(scene.edit(clips=[other], strip_prefix=["Bip_"])[0].clips) == 2


def test_what_was_passed_over_is_a_warning(tmp_path: pathlib.Path) -> None:
    (tmp_path / "map.txt").write_text("no such bone = nothing\n")
    with pytest.warns(UserWarning, match="no such bone.* is unused: no clip has such a bone"):
        post().edit(clips=[wave()], bone_map=tmp_path / "map.txt")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        post().edit(clips=[wave()])


def test_what_is_no_option_or_no_value_is_refused() -> None:
    scene = post()
    for options, error, words in [
        ({"scael": 2}, TypeError, 'edit\\(\\) has no option "scael"; did you mean scale'),
        ({"scale": -1}, ValueError, "scale is -1"),
        ({"up": "x"}, ValueError, 'up is "x"'),
        ({"clips": [5]}, TypeError, "a path, bytes or a file object is wanted, not int"),
        ({"clips": [maquette.Scene()]}, maquette.Error, "clip"),
        ({"clips": ["no such file.seanim"]}, FileNotFoundError, "no such file"),
    ]:
        with pytest.raises(error, match=words):
            scene.edit(**options)  # type: ignore[arg-type]


def test_clips_of_a_model_can_be_put_onto_another() -> None:
    moved, _ = post().edit(clips=[post()], own_clips="left-out")
    assert moved.clips.names == ["sway"]
    assert moved.pose("sway", 0.5).positions == pytest.approx(post().pose("sway", 0.5).positions, abs=1e-5)
