"""Actions as clips: what came in goes out."""

import bpy
import maquette
import numpy as np
import pytest
from conftest import corpus_files
from models import bound_elsewhere, clip_file, skeleton
from test_clips_import import NAMES, PARENTS, armature, import_model


def assert_same_keys(a, b, tolerance=2e-5):
    a, b = maquette.read(a).clips[0], maquette.read(b).clips[0]
    assert (a.blend, a.frame_rate, bool(a.looped)) == (b.blend, b.frame_rate, bool(b.looped))
    assert [(round(secs, 5), name) for secs, name in a.events] == [(round(secs, 5), name) for secs, name in b.events]
    assert a.duration == pytest.approx(b.duration, abs=1e-6)
    mine = {(track.target, track.property): track for track in a.tracks}
    theirs = {(track.target, track.property): track for track in b.tracks}
    assert mine.keys() == theirs.keys()
    for key, track in mine.items():
        other = theirs[key]
        assert np.allclose(track.times, other.times, atol=1e-6), key
        values, others = np.asarray(track.values, dtype=float), np.asarray(other.values, dtype=float)
        if track.property == "rotation":
            others = others * np.where(np.einsum("ij,ij->i", values, others) < 0, -1, 1)[:, None]
        assert np.abs(values - others).max() < tolerance * max(1, np.abs(values).max()), key
        assert track.blend == other.blend, key


@pytest.mark.parametrize("blend", ["absolute", "relative", "additive", "delta"])
@pytest.mark.parametrize("sparse", [False, True])
def test_keys_come_back_as_they_were(empty, tmp_path, blend, sparse):
    import_model(skeleton(NAMES, PARENTS), tmp_path)
    clip = clip_file(tmp_path / "a.seanim", NAMES, blend, sparse=sparse, scales=True, looped=True, events=[(4, "step")])
    bpy.ops.import_anim.maquette(filepath=str(clip))
    out = tmp_path / "out.seanim"
    bpy.ops.export_anim.maquette(filepath=str(out))
    assert_same_keys(clip, out)


@pytest.mark.parametrize("keys", ["KEYS", "FRAMES"])
def test_keys_of_a_skeleton_that_was_bound_elsewhere_come_back(empty, tmp_path, keys):
    import_model(bound_elsewhere(NAMES, PARENTS, (0.5, 1, 3, 1, 2)), tmp_path)
    clip = clip_file(tmp_path / "a.seanim", NAMES, scales=True)
    bpy.ops.import_anim.maquette(filepath=str(clip))
    bpy.ops.export_anim.maquette(filepath=str(tmp_path / "out.seanim"), keys=keys)
    assert_same_keys(clip, tmp_path / "out.seanim", tolerance=1e-4)


@pytest.mark.parametrize("kind", ["ABSOLUTE", "RELATIVE", "ADDITIVE"])
@pytest.mark.parametrize("keys", ["KEYS", "FRAMES"])
def test_another_kind_moves_the_model_alike(empty, tmp_path, kind, keys):
    content = skeleton(NAMES, PARENTS)
    import_model(content, tmp_path)
    clip = clip_file(tmp_path / "a.seanim", NAMES, "relative", sparse=True)
    bpy.ops.import_anim.maquette(filepath=str(clip))
    out = tmp_path / "out.seanim"
    bpy.ops.export_anim.maquette(filepath=str(out), blend=kind, keys=keys)
    assert maquette.read(out).clips[0].blend == kind.lower()
    before, _ = content.edit(clips=[maquette.read(clip)])
    after, _ = content.edit(clips=[maquette.read(out)])
    for frame in range(41):
        a, b = (np.asarray(scene.pose(0, frame / 30).positions) for scene in (before, after))
        assert np.abs(a - b).max() < 1e-4 * 5, frame


def test_a_modifier_comes_back(empty, tmp_path):
    import_model(skeleton(NAMES, PARENTS), tmp_path)
    clip = clip_file(tmp_path / "a.seanim", NAMES, blends={"spine": "relative"})
    bpy.ops.import_anim.maquette(filepath=str(clip))
    bpy.ops.export_anim.maquette(filepath=str(tmp_path / "out.seanim"))
    assert_same_keys(clip, tmp_path / "out.seanim")


def test_precision_and_scale_are_as_asked_for(empty, tmp_path):
    import_model(skeleton(NAMES, PARENTS), tmp_path)
    clip = clip_file(tmp_path / "a.seanim", NAMES)
    bpy.ops.import_anim.maquette(filepath=str(clip), scale=2.0)
    out, double, single = tmp_path / "out.seanim", tmp_path / "double.seanim", tmp_path / "single.seanim"
    bpy.ops.export_anim.maquette(filepath=str(out))
    assert_same_keys(clip, out)
    bpy.ops.export_anim.maquette(filepath=str(double), precision="F64")
    bpy.ops.export_anim.maquette(filepath=str(single), precision="F32")
    assert double.read_bytes()[13] == 1 and single.read_bytes()[13] == 0
    assert_same_keys(clip, double)


def test_all_actions_are_a_file_each(empty, tmp_path):
    import_model(skeleton(NAMES, PARENTS), tmp_path)
    for name in ("walk", "run"):
        bpy.ops.import_anim.maquette(filepath=str(clip_file(tmp_path / f"{name}.seanim", NAMES)))
    bpy.data.actions.new("for something else")
    bpy.ops.export_anim.maquette(filepath=str(tmp_path / "model.seanim"), which="ALL")
    assert {path.name for path in tmp_path.glob("model.*.seanim")} == {"model.walk.seanim", "model.run.seanim"}
    assert_same_keys(tmp_path / "walk.seanim", tmp_path / "model.walk.seanim")


def test_a_key_that_was_added_and_then_changed_is_kept(empty, tmp_path):
    import_model(skeleton(NAMES, PARENTS), tmp_path)
    clip = clip_file(tmp_path / "a.seanim", ["spine"], sparse=True, translations=False)
    bpy.ops.import_anim.maquette(filepath=str(clip))
    out = tmp_path / "out.seanim"
    action = bpy.data.actions["a"]
    curves = action.fcurves if not hasattr(action, "slots") else action.layers[0].strips[0].channelbag(action.slots[0]).fcurves
    before = len(maquette.read(clip).clips[0].tracks[0].times)
    added = next(index for index, key in enumerate(curves[0].keyframe_points) if key.type != "KEYFRAME")
    for curve in curves:
        curve.keyframe_points[added].co[1] = 0.5
    bpy.ops.export_anim.maquette(filepath=str(out))
    assert len(maquette.read(out).clips[0].tracks[0].times) == before + 1


def test_curves_and_eulers_are_baked(empty, tmp_path):
    content = skeleton(NAMES, PARENTS)
    import_model(content, tmp_path)
    thing = armature()
    bone = thing.pose.bones["chest"]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((0, 0.0), (20, 1.2)):
        bone.rotation_euler = (angle, angle / 2, 0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    out = tmp_path / "out.seanim"
    bpy.ops.export_anim.maquette(filepath=str(out))
    track = maquette.read(out).clips[0].track("chest", "rotation")
    assert len(track.times) == 21
    frames = tmp_path / "frames.seanim"
    bpy.ops.export_anim.maquette(filepath=str(frames), keys="FRAMES")
    assert np.allclose(np.abs(np.asarray(track.values)), np.abs(np.asarray(maquette.read(frames).clips[0].track("chest", "rotation").values)), atol=1e-5)


@pytest.mark.parametrize("path", corpus_files("seanim/*.seanim"), ids=lambda path: path.stem)
def test_real_clips_come_back_as_they_were(empty, tmp_path, path):
    names = list(dict.fromkeys(track.target for clip in maquette.read(path).clips for track in clip.tracks))
    import_model(skeleton(names or NAMES), tmp_path)
    bpy.ops.import_anim.maquette(filepath=str(path))
    out = tmp_path / "out.seanim"
    bpy.ops.export_anim.maquette(filepath=str(out))
    assert_same_keys(path, out)
