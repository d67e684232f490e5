"""Models into Blender: what is there, where it is while it moves, and that nothing is said on the console."""

import os

import bpy
import maquette
import numpy as np
import pytest
from conftest import corpus_files
from models import skeleton
from seen import at_frame, clips, farthest, play, vertices

MODELS = [path for pattern in ("aem/**/*.aem", "nlm/*.nlm", "pmdl/*.pmdl", "bmw/*.bmw", "glb/*.glb", "gltf/*/*.gltf") for path in corpus_files(pattern)]
MOMENTS = 7


def bones():
    return [bone for thing in bpy.data.objects if thing.type == "ARMATURE" for bone in thing.data.bones]


def drawn(scene):
    return sum(1 for node in scene.nodes if node.mesh is not None)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_real_models_are_all_there_and_nothing_is_said(empty, path, capfd):
    scene = maquette.read(path)
    capfd.readouterr()
    bpy.ops.import_scene.maquette(filepath=str(path))
    said = capfd.readouterr()
    assert said.out + said.err == ""
    assert sum(1 for thing in bpy.data.objects if thing.type == "MESH") == drawn(scene)
    joints = {joint.index for skin in scene.skins for joint in skin.joints}
    assert len(bones()) >= len(joints)
    names = {bone.get("maquette_name", bone.name) for bone in bones()}
    assert {scene.nodes[joint].name for joint in joints} - {""} <= names
    moving = [clip for clip in scene.clips if any(len(track.times) for track in clip.tracks)]
    assert len(clips()) == len(moving)


def posed(scene, clip, seconds):
    """All vertices, and those that are drawn: Blender leaves out what belongs to nothing."""
    pose = scene.pose(clip, seconds) if clip else scene.pose()
    points = np.asarray(pose.positions, dtype=float)
    triangles = np.asarray(pose.triangles)
    return points, points[np.unique(triangles)] if len(triangles) else points


def one_way(shown, everything, drawn):
    """The largest way from what is shown to what is there, and from what is drawn to what is shown."""
    return max(farthest(shown, everything), farthest(drawn, shown))


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_real_models_move_as_the_package_says(empty, path):
    scene = maquette.read(path)
    bpy.ops.import_scene.maquette(filepath=str(path))
    expected = np.asarray(scene.pose().positions, dtype=float)
    if not len(expected):
        pytest.skip("nothing is drawn")
    size = np.linalg.norm(expected.max(axis=0) - expected.min(axis=0))
    # What was approximated on the way is reported with how far it moves a vertex.
    told = max((loss.max_error or 0.0 for loss in maquette.write(scene, format="gltf").losses if loss.what == "influences"), default=0.0)
    rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    for name, action in clips().items() or [("", None)]:
        clip = None
        if action is not None:
            play(name)
            clip = next(clip for clip in scene.clips if action["maquette"].get("name", action.name) == clip.name)
        for moment in range(MOMENTS if clip else 1):
            frame = round(clip.duration * rate * moment / (MOMENTS - 1)) if clip else 0
            at_frame(frame)
            shown = np.concatenate(vertices())
            gap = one_way(shown, *posed(scene, clip, frame / rate))
            assert gap < 1e-4 * size + told, f"{name!r}, frame {frame}: {gap / size} of the size"


def report():
    return [(line.level, line.text) for line in bpy.context.window_manager.maquette_report]


def test_many_files_come_at_once_and_one_that_is_broken_stops_no_other(empty, made, tmp_path, capfd):
    made("post.nlm"), made("post.aem")
    (tmp_path / "broken.aem").write_bytes(b"no model")
    files = [{"name": name} for name in ("post.nlm", "broken.aem", "post.aem")]
    bpy.ops.import_scene.maquette(directory=str(tmp_path), files=files)
    assert "broken.aem" in capfd.readouterr().out
    assert sum(thing.type == "MESH" for thing in bpy.data.objects) == 2
    assert [level for level, _ in report()].count("ERROR") == 1


def test_a_broken_file_is_an_error_in_words(empty, tmp_path):
    (tmp_path / "broken.aem").write_bytes(b"no model")
    with pytest.raises(RuntimeError, match="broken.aem: "):
        bpy.ops.import_scene.maquette(filepath=str(tmp_path / "broken.aem"))
    with pytest.raises(RuntimeError, match="not there.aem"):
        bpy.ops.import_scene.maquette(filepath=str(tmp_path / "not there.aem"))


def test_the_import_leaves_where_things_came_from(empty, made):
    path = made("post.aem", dialect="wide")
    bpy.ops.import_scene.maquette(filepath=str(path))
    armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    left = armature["maquette"].to_dict()
    assert (left["format"], left["dialect"], left["file"], left["axes"]) == ("aem", "wide", str(path), "gltf")


def test_textures_are_packed_or_beside_the_model(empty, made, tmp_path):
    path = made("post.aem")
    bpy.ops.import_scene.maquette(filepath=str(path))
    assert all(image.packed_file for image in bpy.data.images if image.source == "FILE") and len(bpy.data.images)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.import_scene.maquette(filepath=str(path), textures="BESIDE")
    pictures = list((tmp_path / "post textures").glob("*.png"))
    shown = [image for image in bpy.data.images if image.source == "FILE"]
    assert len(pictures) == len(shown) >= 1
    assert all(image.packed_file is None and image.has_data | bool(image.size[0]) for image in shown)
    assert {os.path.realpath(image.filepath) for image in shown} == {os.path.realpath(path) for path in pictures}


def test_names_that_blender_cannot_hold_stay_on_bones(empty, tmp_path):
    long = "bone with a name that is much longer than any that Blender can hold" * 4
    path = tmp_path / "model.glb"
    maquette.write(skeleton([long, "twin", "twin"]), path)
    bpy.ops.import_scene.maquette(filepath=str(path))
    names = sorted(bone.get("maquette_name", bone.name) for bone in bones())
    assert names == sorted([long, "twin", "twin"])


def test_a_scene_that_is_animated_keeps_its_rate(empty, tmp_path):
    scene = skeleton(["a", "b"])
    clip = scene.clips.add("turn")
    clip.frame_rate = 30.0
    clip.add_track(scene.nodes[1], "translation", [0.0, 1.0], [[0, 0, 0], [0, 1, 0]])
    maquette.write(scene, tmp_path / "model.glb")
    bpy.data.actions.new("mine")
    bpy.ops.import_scene.maquette(filepath=str(tmp_path / "model.glb"))
    assert bpy.context.scene.render.fps == 24
    assert any("keeps its 24" in text for _, text in report())
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.import_scene.maquette(filepath=str(tmp_path / "model.glb"))
    assert bpy.context.scene.render.fps == 30
    assert tuple(bpy.data.actions["turn"].frame_range) == (0, 30)


def test_a_rate_that_is_no_whole_number_lands_on_frames(empty, tmp_path):
    scene = skeleton(["a", "b"])
    clip = scene.clips.add("turn")
    clip.frame_rate = 29.97
    times = (np.arange(31) / 29.97).astype(np.float32)
    clip.add_track(scene.nodes[1], "translation", times, np.random.default_rng(1).normal(size=(31, 3)).astype(np.float32))
    maquette.write(scene, tmp_path / "model.glb")
    bpy.ops.import_scene.maquette(filepath=str(tmp_path / "model.glb"))
    render = bpy.context.scene.render
    assert render.fps / render.fps_base == pytest.approx(29.97, abs=1e-4)
    assert bpy.data.actions["turn"].curve_frame_range[1] == pytest.approx(30, abs=1e-3)


def test_undo_takes_a_model_away(empty, made):
    path = made("post.bmw")
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.import_scene.maquette("EXEC_DEFAULT", True, filepath=str(path))
    assert len(bpy.data.objects)
    bpy.ops.ed.undo()
    assert not len(bpy.data.objects)


def test_lengths_are_scaled(empty, made):
    path = made("post.aem")
    bpy.ops.import_scene.maquette(filepath=str(path), scale=2.54)
    at_frame(0)
    shown = np.concatenate(vertices())
    expected = np.asarray(maquette.read(path).pose().positions) * 2.54
    assert np.allclose(np.ptp(shown, axis=0), np.ptp(expected, axis=0), rtol=1e-4)


def test_every_format_has_its_ending_in_the_file_browser_and_for_drops(empty):
    known = {"." + ending for row in maquette.formats() if row["holds"]["meshes"] and row["id"] != "gltf" for ending in row["extensions"]}
    handler = bpy.types.MAQUETTE_FH_models
    assert set(handler.bl_file_extensions.split(";")) == known
    assert set(bpy.types.MAQUETTE_FH_clips.bl_file_extensions.split(";")) == {".seanim", ".pani"}
