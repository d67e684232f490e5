"""Clips onto armatures, held against what the package says the same clip does to the same model."""

import bpy
import maquette
import numpy as np
import pytest
from conftest import corpus_files
from models import bound_elsewhere, clip_file, skeleton
from seen import at_frame, nearest_gap, vertices

NAMES = ["hips", "spine", "chest", "arm.L", "arm.R"]
PARENTS = [-1, 0, 1, 2, 2]


def import_model(scene, tmp_path):
    path = tmp_path / "model.glb"
    maquette.write(scene, path)
    bpy.ops.import_scene.maquette(filepath=str(path))
    return path


def armature():
    return next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")


def assert_moves_alike(model, clip, scale=1.0, frames=None, tolerance=1e-4, **matching):
    """At every frame the vertices are where `convert --clip` puts them."""
    content = maquette.read(model)
    other = maquette.read(clip)
    if scale != 1.0:
        other, _ = other.edit(scale=scale)
    placed, _ = content.edit(clips=[other], own_clips="left-out", **matching)
    name = placed.clips[0].name
    rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    last = round(placed.clips[0].duration * rate)
    rest = np.asarray(content.pose().positions)
    size = np.linalg.norm(rest.max(axis=0) - rest.min(axis=0))
    for frame in frames or range(last + 1):
        at_frame(frame)
        expected = np.asarray(placed.pose(name, frame / rate).positions, dtype=float)
        gap = nearest_gap(np.concatenate(vertices()), expected)
        assert gap < tolerance * size, f"frame {frame}: {gap} of {size}"


@pytest.mark.parametrize("blend", ["absolute", "relative", "additive", "delta"])
@pytest.mark.parametrize("sparse", [False, True])
def test_a_clip_moves_vertices_as_convert_does(empty, tmp_path, blend, sparse):
    model = import_model(skeleton(NAMES, PARENTS), tmp_path)
    clip = clip_file(tmp_path / "move.seanim", NAMES, blend, sparse=sparse, scales=True)
    bpy.ops.import_anim.maquette(filepath=str(clip))
    assert_moves_alike(model, clip)


@pytest.mark.parametrize("blend", ["absolute", "additive"])
@pytest.mark.parametrize("sizes", [(), (0.5, 1, 3, 1, 2)])
def test_a_clip_goes_by_the_rest_pose_of_the_file_and_not_by_where_the_mesh_was_bound(empty, tmp_path, blend, sizes):
    model = import_model(bound_elsewhere(NAMES, PARENTS, sizes), tmp_path)
    at_rest = np.asarray(maquette.read(model).pose().positions, dtype=float)
    assert nearest_gap(np.concatenate(vertices()), at_rest) < 1e-4 * 5
    for names in (NAMES, NAMES[2:3]):
        clip = clip_file(tmp_path / "move.seanim", names, blend, scales=True)
        bpy.ops.import_anim.maquette(filepath=str(clip))
        assert_moves_alike(model, clip, frames=[0, 5, 22, 40])


def test_a_bone_may_be_blended_in_a_way_of_its_own(empty, tmp_path):
    model = import_model(skeleton(NAMES, PARENTS), tmp_path)
    clip = clip_file(tmp_path / "move.seanim", NAMES, blends={"spine": "relative"})
    for scope in ("both", "self", "children"):
        bpy.ops.import_anim.maquette(filepath=str(clip), modifier_scope=scope)
        assert_moves_alike(model, clip, frames=[0, 7, 23, 40], modifier_scope=scope)


def test_a_clip_of_another_rate_lasts_as_long_on_a_scene_that_is_animated(empty, tmp_path):
    model = import_model(skeleton(NAMES, PARENTS), tmp_path)
    bpy.data.actions.new("something")
    clip = clip_file(tmp_path / "move.seanim", NAMES, rate=60.0, sparse=True)
    bpy.ops.import_anim.maquette(filepath=str(clip))
    assert bpy.context.scene.render.fps == 24
    assert_moves_alike(model, clip)


def test_the_scene_takes_the_rate_of_the_first_clip(empty, tmp_path):
    import_model(skeleton(NAMES, PARENTS), tmp_path)
    bpy.ops.import_anim.maquette(filepath=str(clip_file(tmp_path / "a.seanim", NAMES, rate=29.97)))
    render = bpy.context.scene.render
    assert render.fps / render.fps_base == pytest.approx(29.97, abs=1e-4)
    assert armature().animation_data.action.frame_range[1] == pytest.approx(40, abs=1e-3)


def test_names_are_matched_as_convert_matches_them(empty, tmp_path):
    model = import_model(skeleton(NAMES, PARENTS), tmp_path)
    clip = clip_file(tmp_path / "a.seanim", ["rig:HIPS", "rig:Spine", "rig:chest"])
    bpy.ops.import_anim.maquette(filepath=str(clip), ignore_namespace=True)
    assert_moves_alike(model, clip, frames=[0, 20], ignore_namespace=True)
    clip = clip_file(tmp_path / "b.seanim", ["Bip01 hips", "Bip01 spine"])
    bpy.ops.import_anim.maquette(filepath=str(clip), strip_prefix="Bip01 ")
    assert_moves_alike(model, clip, frames=[0, 20], strip_prefix=["Bip01 "])
    clip = clip_file(tmp_path / "c.seanim", ["pelvis", "back"])
    (tmp_path / "bones.txt").write_text("pelvis = hips\nback = spine\n")
    bpy.ops.import_anim.maquette(filepath=str(clip), bone_map=str(tmp_path / "bones.txt"))
    assert_moves_alike(model, clip, frames=[0, 20], bone_map={"pelvis": "hips", "back": "spine"})


def test_locations_are_scaled(empty, tmp_path):
    model = import_model(skeleton(NAMES, PARENTS), tmp_path)
    clip = clip_file(tmp_path / "a.seanim", NAMES)
    bpy.ops.import_anim.maquette(filepath=str(clip), scale=2.54)
    assert_moves_alike(model, clip, scale=2.54, frames=[0, 9, 40])


def test_notes_are_pose_markers_and_a_loop_is_cyclic(empty, tmp_path):
    import_model(skeleton(NAMES, PARENTS), tmp_path)
    clip = clip_file(tmp_path / "a.seanim", NAMES, events=[(3, "left foot"), (17, "right foot")], looped=True)
    bpy.ops.import_anim.maquette(filepath=str(clip))
    action = bpy.data.actions["a"]
    assert [(marker.frame, marker.name) for marker in action.pose_markers] == [(3, "left foot"), (17, "right foot")]
    assert action.use_cyclic and action.use_frame_range and tuple(action.frame_range) == (0, 40)
    assert action.use_fake_user


def test_many_files_are_an_action_each(empty, tmp_path):
    import_model(skeleton(NAMES, PARENTS), tmp_path)
    for name in ("walk", "run", "jump"):
        clip_file(tmp_path / f"{name}.seanim", NAMES)
    files = [{"name": f"{name}.seanim"} for name in ("walk", "run", "jump")]
    bpy.ops.import_anim.maquette(directory=str(tmp_path), files=files)
    assert {action.name for action in bpy.data.actions} == {"walk", "run", "jump"}
    assert armature().animation_data.action.name == "walk"
    if hasattr(bpy.types.Action, "slots"):
        assert armature().animation_data.action_slot.target_id_type == "OBJECT"


def test_an_armature_from_elsewhere_keeps_the_axes_of_the_file(empty, tmp_path):
    """As the importers of SEModel and Cast make it: matrices as stored, +Z up."""
    scene = skeleton(NAMES, PARENTS)
    world = np.asarray(scene.pose().world, dtype=float)
    data = bpy.data.armatures.new("rig")
    thing = bpy.data.objects.new("rig", data)
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.view_layer.objects.active = thing
    bpy.ops.object.mode_set(mode="EDIT")
    from mathutils import Matrix

    for index, name in enumerate(NAMES):
        bone = data.edit_bones.new(name)
        bone.tail = (0, 1, 0)
        bone.matrix = Matrix(world[index])
        if PARENTS[index] >= 0:
            bone.parent = data.edit_bones[NAMES[PARENTS[index]]]
    bpy.ops.object.mode_set(mode="OBJECT")
    clip = clip_file(tmp_path / "a.seanim", NAMES)
    # The first keys of the root are where it rests, as clips mostly begin.
    other = maquette.read(clip)
    other.clips[0].track("hips", "translation").values[:] += np.array(scene.nodes[0].translation) - other.clips[0].track("hips", "translation").values[0]
    other.clips[0].track("hips", "rotation").values[:] = scene.nodes[0].rotation
    maquette.write(other, clip, force=True)
    bpy.ops.import_anim.maquette(filepath=str(clip))
    lines = [line.text for line in bpy.context.window_manager.maquette_report]
    assert any("as stored: the roots rest" in line for line in lines), lines
    placed, _ = scene.edit(clips=[maquette.read(clip)])
    for frame in (0, 11, 40):
        at_frame(frame)
        expected = np.asarray(placed.pose(0, frame / 30).world, dtype=float)
        for index, name in enumerate(NAMES):
            assert np.allclose(np.array(thing.pose.bones[name].matrix), expected[index], atol=1e-4), (frame, name)


def test_an_armature_of_blenders_own_gltf_importer_is_known_by_its_roots(empty, tmp_path):
    scene = skeleton(NAMES, PARENTS)
    model = tmp_path / "model.glb"
    maquette.write(scene, model)
    bpy.ops.import_scene.gltf(filepath=str(model), guess_original_bind_pose=False, disable_bone_shape=True)
    clip = clip_file(tmp_path / "a.seanim", NAMES)
    other = maquette.read(clip)
    for what in ("translation", "rotation"):
        other.clips[0].track("hips", what).values[:] = getattr(scene.nodes[0], what)
    maquette.write(other, clip, force=True)
    bpy.ops.import_anim.maquette(filepath=str(clip))
    assert any("as glTF turns them" in line.text for line in bpy.context.window_manager.maquette_report)
    assert_moves_alike(model, clip, frames=[0, 13, 40])


def test_undo_takes_the_action_away(empty, tmp_path):
    import_model(skeleton(NAMES, PARENTS), tmp_path)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.import_anim.maquette("EXEC_DEFAULT", True, filepath=str(clip_file(tmp_path / "a.seanim", NAMES)))
    assert "a" in bpy.data.actions
    bpy.ops.ed.undo()
    assert "a" not in bpy.data.actions


def test_a_clip_for_other_bones_is_an_error_in_words(empty, tmp_path):
    import_model(skeleton(NAMES, PARENTS), tmp_path)
    clip = clip_file(tmp_path / "a.seanim", ["wheel"])
    with pytest.raises(RuntimeError, match="wheel"):
        bpy.ops.import_anim.maquette(filepath=str(clip))
    assert not len(bpy.data.actions)
    assert any(line.level == "ERROR" for line in bpy.context.window_manager.maquette_report)


def test_without_an_armature_the_error_says_so(empty, tmp_path):
    with pytest.raises(RuntimeError, match="select the armature"):
        bpy.ops.import_anim.maquette(filepath=str(clip_file(tmp_path / "a.seanim", NAMES)))


@pytest.mark.parametrize("path", corpus_files("seanim/*.seanim"), ids=lambda path: path.stem)
def test_real_clips_move_a_model_of_their_bones(empty, tmp_path, path):
    names = list(dict.fromkeys(track.target for clip in maquette.read(path).clips for track in clip.tracks))
    model = import_model(skeleton(names or NAMES), tmp_path)
    bpy.ops.import_anim.maquette(filepath=str(path))
    assert_moves_alike(model, path)


def test_a_pani_file_moves_the_model_it_was_made_with(empty, tmp_path):
    scene = maquette.read(maquette.sample("post.glb").bytes, name="post.glb")
    path = tmp_path / "post.pmdl"
    maquette.write(scene, path)
    clip = tmp_path / "post.pani"
    assert clip.exists()
    bpy.ops.import_scene.maquette(filepath=str(path))
    bpy.ops.import_anim.maquette(filepath=str(clip))
    assert_moves_alike(path, clip)
    bpy.ops.export_anim.maquette(filepath=str(tmp_path / "out.pani"))
    content = maquette.read(path)
    before, after = (content.edit(clips=[maquette.read(file)], own_clips="left-out")[0] for file in (clip, tmp_path / "out.pani"))
    for moment in np.linspace(0, before.clips[0].duration, 9):
        assert np.allclose(before.pose(0, moment).positions, after.pose(0, moment).positions, atol=1e-4)


def test_bones_that_are_connected_are_told_of(empty, tmp_path):
    import_model(skeleton(NAMES, PARENTS), tmp_path)
    bpy.context.view_layer.objects.active = armature()
    bpy.ops.object.mode_set(mode="EDIT")
    bone = armature().data.edit_bones["chest"]
    bone.parent.tail = bone.head
    bone.use_connect = True
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.import_anim.maquette(filepath=str(clip_file(tmp_path / "a.seanim", NAMES)))
    assert any("connected to its parent: chest" in line.text for line in bpy.context.window_manager.maquette_report)


SKINNED = [path for pattern in ("glb/Fox.glb", "glb/CesiumMan.glb", "glb/Rigged*.glb", "bmw/lich_Run*.bmw", "aem/converter/Rigged*.aem", "nlm/trotting_cat.nlm") for path in corpus_files(pattern)]


@pytest.mark.parametrize("path", SKINNED, ids=lambda path: path.name)
def test_clips_of_real_models_move_them_as_convert_does(empty, tmp_path, path):
    content = maquette.read(path)
    bpy.ops.import_scene.maquette(filepath=str(path))
    bones = {bone.get("maquette_name") or bone.name for thing in bpy.data.objects if thing.type == "ARMATURE" for bone in thing.data.bones}

    def name(node):
        return node.name or f"node{node.index}"

    if any(name(track.target) not in bones for clip in content.clips for track in clip.tracks):
        pytest.skip("objects move too, which a clip on an armature does not")
    render = bpy.context.scene.render
    for index, clip in enumerate(content.clips):
        file = maquette.Scene()
        alone = file.clips.add(f"clip {index}")
        alone.frame_rate = render.fps / render.fps_base
        for track in clip.tracks:
            alone.add_track(name(track.target), track.property, track.times, track.values, interpolation=track.interpolation)
        out = tmp_path / f"clip {index}.seanim"
        maquette.write(file, out)
        bpy.ops.import_anim.maquette(filepath=str(out))
        assert_moves_alike(path, out, tolerance=1e-4 + influences(content))


def influences(scene):
    """What glTF cannot hold of weights, as parts of the size."""
    points = np.asarray(scene.pose().positions)
    size = np.linalg.norm(points.max(axis=0) - points.min(axis=0))
    return max((loss.max_error or 0.0 for loss in maquette.write(scene, format="gltf").losses if loss.what == "influences"), default=0.0) / size
