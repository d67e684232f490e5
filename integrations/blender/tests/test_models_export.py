"""Models out of Blender, held against the files they came from."""

import bpy
import maquette
import numpy as np
import pytest
from conftest import corpus_files
from models import skeleton
from seen import nearest_gap

MODELS = [path for pattern in ("aem/**/*.aem", "nlm/*.nlm", "pmdl/*.pmdl", "bmw/*.bmw") for path in corpus_files(pattern)]
MOMENTS = 5


def drawn(scene, clip=None, seconds=0.0):
    pose = scene.pose(clip, seconds) if clip is not None else scene.pose()
    points, triangles = np.asarray(pose.positions, dtype=float), np.asarray(pose.triangles)
    return points[np.unique(triangles)] if len(triangles) else points


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_real_models_go_out_as_they_came_in(empty, tmp_path, path, capfd):
    before = maquette.read(path)
    bpy.ops.import_scene.maquette(filepath=str(path))
    if not any(thing.type == "MESH" for thing in bpy.data.objects):
        pytest.skip("nothing is drawn")
    out = tmp_path / path.name
    capfd.readouterr()
    bpy.ops.export_scene.maquette(filepath=str(out), textures="fast")
    said = capfd.readouterr()
    assert said.out + said.err == ""
    assert not [finding for finding in maquette.check(out) if finding.severity == "error"]
    after = maquette.read(out)
    assert (after.format, after.dialect) == (before.format, before.dialect)
    points = drawn(before)
    size = np.linalg.norm(points.max(axis=0) - points.min(axis=0))
    assert nearest_gap(points, drawn(after)) < 1e-3 * size
    joints = [{joint.name for skin in scene.skins for joint in skin.joints} for scene in (before, after)]
    assert joints[0] - {""} <= joints[1]
    assert len(after.clips) == len(before.clips)
    for clip, same in zip(sorted(before.clips, key=lambda clip: clip.name), sorted(after.clips, key=lambda clip: clip.name)):
        assert same.duration == pytest.approx(clip.duration, abs=0.05)
        for moment in range(MOMENTS):
            seconds = clip.duration * moment / (MOMENTS - 1)
            gap = nearest_gap(drawn(before, clip, seconds), drawn(after, same, seconds))
            assert gap < 2e-3 * size, f"{clip.name!r} at {seconds}: {gap / size}"


def add_cube(name="cube", at=(0, 0, 0)):
    mesh = bpy.data.meshes.new(name)
    corners = [(x, y, z) for x in (0, 1) for y in (0, 2) for z in (0, 3)]
    mesh.from_pydata(corners, [], [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
    mesh.uv_layers.new()
    thing = bpy.data.objects.new(name, mesh)
    thing.location = at
    bpy.context.scene.collection.objects.link(thing)
    return thing


@pytest.mark.parametrize("ending", ["aem", "nlm", "pmdl", "bmw"])
def test_what_was_made_in_blender_goes_to_every_format(empty, tmp_path, ending):
    add_cube()
    out = tmp_path / f"cube.{ending}"
    bpy.ops.export_scene.maquette(filepath=str(out), format=ending)
    points = drawn(maquette.read(out, size="original"))
    # Blender's +Z is up, the file's +Y.
    assert np.allclose(sorted(np.ptp(points, axis=0)), [1, 2, 3], atol=1e-4)
    assert np.ptp(points, axis=0)[1] == pytest.approx(3, abs=1e-4)


def test_selected_objects_go_alone(empty, tmp_path):
    add_cube("a"), add_cube("b", (10, 0, 0))
    out = tmp_path / "cube.bmw"
    bpy.data.objects["b"].select_set(True)
    bpy.data.objects["a"].select_set(False)
    bpy.ops.export_scene.maquette(filepath=str(out), what="SELECTION")
    assert drawn(maquette.read(out)).min(axis=0)[0] == pytest.approx(10, abs=1e-4)
    bpy.data.objects["b"].select_set(False)
    with pytest.raises(RuntimeError, match="no object is selected"):
        bpy.ops.export_scene.maquette(filepath=str(out), what="SELECTION")


def test_a_collection_goes_alone(empty, tmp_path):
    add_cube("a")
    collection = bpy.data.collections.new("props")
    bpy.context.scene.collection.children.link(collection)
    thing = add_cube("b", (10, 0, 0))
    bpy.context.scene.collection.objects.unlink(thing)
    collection.objects.link(thing)
    out = tmp_path / "cube.bmw"
    bpy.ops.export_scene.maquette(filepath=str(out), collection="props")
    assert drawn(maquette.read(out)).min(axis=0)[0] == pytest.approx(10, abs=1e-4)


def test_the_dialect_is_that_of_the_file_or_the_one_asked_for(empty, made, tmp_path):
    bpy.ops.import_scene.maquette(filepath=str(made("post.aem", dialect="channels")))
    bpy.ops.export_scene.maquette(filepath=str(tmp_path / "same.aem"), textures="fast")
    bpy.ops.export_scene.maquette(filepath=str(tmp_path / "other.aem"), format="aem", dialect="wide", textures="fast")
    assert maquette.read(tmp_path / "same.aem").dialect == "channels"
    assert maquette.read(tmp_path / "other.aem").dialect == "wide"


def test_losses_are_told_in_the_panel(empty, made, tmp_path):
    bpy.ops.import_scene.maquette(filepath=str(made("post.bmw")))
    bpy.ops.export_scene.maquette(filepath=str(tmp_path / "post.nlm"), format="nlm")
    lines = [line.text for line in bpy.context.window_manager.maquette_report]
    assert any("dropped" in line and "names" in line for line in lines), lines


def test_events_and_loops_go_out_with_the_clip(empty, tmp_path):
    scene = skeleton(["a", "b"])
    clip = scene.clips.add("walk")
    clip.frame_rate, clip.looped, clip.events = 30.0, True, [(0.5, "step")]
    clip.add_track(scene.nodes[1], "translation", [0.0, 1.0], [[0, 0, 0], [0, 1, 0]])
    maquette.write(scene, tmp_path / "model.glb")
    bpy.ops.import_scene.maquette(filepath=str(tmp_path / "model.glb"))
    from maquette_extension import export_models, formats, gltf_bridge, report, timeline

    things = list(bpy.context.view_layer.objects)
    options = {"what": "ALL", "collection": "", "apply_modifiers": False, "animations": True, "sample": True}
    told = report.Report()
    back = gltf_bridge.fetch(bpy.context, export_models._gltf_options(formats.by_id("bmw"), options, things), "x", told)
    export_models._restore_clips(back, things, timeline.rate(bpy.context.scene))
    clip = back.clips["walk"]
    assert (clip.frame_rate, clip.looped, [(round(secs, 4), name) for secs, name in clip.events]) == (30.0, True, [(0.5, "step")])


def test_without_sampling_keys_stay_as_few_as_they_are(empty, made, tmp_path):
    path = made("post.aem")
    bpy.ops.import_scene.maquette(filepath=str(path), keys="STORED")
    counts = {}
    for sample in (True, False):
        bpy.ops.export_scene.maquette(filepath=str(tmp_path / "out.aem"), textures="fast", sample=sample)
        scene = maquette.read(tmp_path / "out.aem")
        counts[sample] = max(len(track.times) for track in scene.clips[0].tracks)
    assert counts[False] <= max(len(track.times) for track in maquette.read(path).clips[0].tracks) < counts[True]
