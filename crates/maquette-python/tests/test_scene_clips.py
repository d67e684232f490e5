"""Clips, tracks and poses."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import maquette


def rig() -> maquette.Scene:
    scene = maquette.Scene()
    scene.nodes.add("hips")
    scene.nodes.add("knee").parent = scene.nodes["hips"]
    return scene


def test_keys_are_the_scenes_memory() -> None:
    scene = rig()
    clip = scene.clips.add("jump")
    track = clip.add_track(scene.nodes["hips"], "translation", [0, 0.5, 1], [[0, 0, 0], [0, 1, 0], [0, 0, 0]])
    assert (track.property, track.interpolation, track.blend, track.target) == ("translation", "linear", None, scene.nodes["hips"])
    track.values[1, 1] = 3
    assert scene.pose(clip, 0.5).world[0, 1, 3] == 3
    track.values *= 2
    track.times *= 2
    assert scene.pose(clip, 1.0).world[1, 1, 3] == 6
    assert np.shares_memory(track.values, clip.tracks[0].values)


def test_a_clip_lasts_until_its_last_key() -> None:
    clip = rig().clips.add("jump")
    track = clip.add_track("hips", "scale", [0, 2], np.ones((2, 3)))
    assert clip.duration == 2
    track.set_keys([0, 1, 3], np.ones((3, 3)))
    assert clip.duration == 3
    track.set_keys([0], np.ones((1, 3)))
    assert clip.duration == 3
    clip.duration = 1.5
    with pytest.raises(ValueError, match="does not last NaN seconds"):
        clip.duration = float("nan")
    assert clip.duration == 1.5


def test_old_keys_stay_valid_when_others_take_their_place() -> None:
    scene = rig()
    clip = scene.clips.add("jump")
    track = clip.add_track("hips", "rotation", [0, 1], [[0, 0, 0, 1], [0, 0, 1, 0]])
    times, values = track.times, track.values
    track.set_keys([0, 1], [[1, 0, 0, 0], [0, 0, 1, 0]])
    assert values[0].tolist() == [1, 0, 0, 0], "as many are set in place"
    track.set_keys(np.arange(1000), np.zeros((1000, 4)))
    clip.clear()
    scene.clips.remove("jump")
    junk = [np.random.rand(2, 4) for _ in range(1000)]
    del junk
    assert times.tolist() == [0, 1] and values.tolist() == [[1, 0, 0, 0], [0, 0, 1, 0]]


def test_objects_follow_their_clip_when_another_is_removed() -> None:
    scene = rig()
    first, second, third = (scene.clips.add(name) for name in ("a", "b", "c"))
    track = third.add_track("hips", "scale", [0], [[1, 2, 3]])
    lent = track.values
    gone = second.add_track("hips", "scale", [0], [[4, 4, 4]])
    scene.clips.remove(second)
    assert scene.clips.names == ["a", "c"] and third.index == 1 and third.name == "c"
    track.values[0, 0] = 9
    assert lent[0, 0] == 9 and scene.clips["c"].tracks[0].values[0, 0] == 9
    assert scene.clips[1] == third and scene.clips[0] == first
    looks: list[Callable[[], object]] = [
        lambda: second.name, lambda: second.index, lambda: second.tracks, lambda: second.clear(), lambda: repr(second),
        lambda: scene.pose(second), lambda: scene.clips.remove(second),
    ]
    for look in looks:
        with pytest.raises(ReferenceError, match="this clip is no longer in its scene"):
            look()
    looks = [lambda: gone.times, lambda: gone.set_keys([0], [[1, 1, 1]]), lambda: repr(gone)]
    for look in looks:
        with pytest.raises(ReferenceError, match="this track is no longer in its scene"):
            look()
    for clip in scene.clips:
        scene.clips.remove(clip)
    assert len(scene.clips) == 0
    again = scene.clips.add("d")
    assert again != first and again.index == 0
    with pytest.raises(ReferenceError):
        first.name


def test_tracks_of_a_clip_that_was_emptied_are_gone() -> None:
    clip = rig().clips.add()
    old = clip.add_track("hips", "scale", [0], [[1, 1, 1]])
    clip.clear()
    assert clip.tracks == ()
    new = clip.add_track("hips", "scale", [0], [[2, 2, 2]])
    assert old != new and new.values[0, 0] == 2
    with pytest.raises(ReferenceError):
        old.values


def test_tracks_are_found_by_node_and_by_name() -> None:
    scene = rig()
    clip = scene.clips.add()
    on_node = clip.add_track(scene.nodes["hips"], "scale", [0], [[1, 1, 1]])
    by_name = clip.add_track("tail", "rotation", [0], [[0, 0, 0, 1]])
    assert clip.track(scene.nodes["hips"], "scale") == clip.track("hips", "scale") == on_node
    assert clip.track("tail", "rotation") == by_name and by_name.target == "tail"
    assert clip.track("tail", "scale") is None and clip.track(scene.nodes["knee"], "scale") is None
    with pytest.raises(ValueError, match='property is "size"; "translation", '):
        clip.track("tail", "size")  # type: ignore[arg-type]
    by_name.target = scene.nodes["knee"]
    assert clip.track("knee", "rotation") == by_name


def test_morph_weights_are_a_copy_that_can_be_set() -> None:
    scene = maquette.Scene()
    mesh = scene.meshes.add()
    primitive = mesh.add_primitive(positions=np.zeros((3, 3)))
    primitive.add_morph_target(np.ones((3, 3)))
    primitive.add_morph_target(np.full((3, 3), 10))
    node = scene.nodes.add("face")
    node.mesh = mesh
    track = scene.clips.add("talk").add_track(node, "morph weights", [0, 1], [[0.0, 0], [1, 0.5]])
    values = track.values
    assert values.tolist() == [[0, 0], [1, 0.5]]
    with pytest.raises(ValueError, match="read-only"):
        values[0] = 1
    track.values = values * 2
    assert scene.pose("talk", 1).positions[0, 0] == 12 and scene.pose("talk", 0.5).positions[0, 0] == 6
    track.times[1] = 2
    assert scene.pose("talk", 1).positions[0, 0] == 6


def test_cubic_splines_have_three_values_a_key() -> None:
    scene = rig()
    clip = scene.clips.add()
    flat = [0.0, 0, 0]
    track = clip.add_track(scene.nodes[0], "translation", [0, 1], np.array([flat, flat, flat, flat, [32.0, 0, 0], flat]), interpolation="cubic-spline")
    assert track.values.shape == (6, 3) and scene.pose(0, 0.25).world[0, 0, 3] == 5
    with pytest.raises(ValueError, match="set_keys"):
        track.interpolation = "linear"
    track.set_keys([0, 1], [flat, [32.0, 0, 0]], interpolation="linear")
    assert scene.pose(0, 0.25).world[0, 0, 3] == 8
    track.interpolation = "step"
    assert scene.pose(0, 0.25).world[0, 0, 3] == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"times": [0, 1]}, "1 values for 2 times"),
        ({"times": [0], "interpolation": "cubic-spline"}, "with cubic splines each has three"),
        ({"times": [1, 0], "values": np.ones((2, 3))}, "times do not rise"),
        ({"times": [float("nan")]}, "times do not rise"),
        ({"property": "rotation"}, r"values has the shape \(1, 3\); \(n, 4\) would be right"),
        ({"property": "colour"}, 'property is "colour"; "translation", '),
        ({"interpolation": "cubic"}, 'interpolation is "cubic"; "step", "linear" or "cubic-spline" would be right'),
        ({"blend": "add"}, 'blend is "add"; "absolute", '),
    ],
)
def test_keys_that_do_not_fit_are_refused(options: dict[str, Any], words: str) -> None:
    clip = rig().clips.add()
    given: dict[str, Any] = {"property": "scale", "times": [0], "values": np.ones((1, 3)), **options}
    with pytest.raises(ValueError, match=words):
        clip.add_track("hips", **given)
    assert clip.tracks == ()


def test_times_and_values_are_set_to_as_many() -> None:
    track = rig().clips.add().add_track("hips", "scale", [0, 1], np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"times has the shape \(3,\); \(2,\), or set_keys with both, would be right"):
        track.times = [0, 1, 2]
    with pytest.raises(ValueError, match="values has 3 rows, and 2 would be right"):
        track.values = np.ones((3, 3))
    track.times = [0, 2]
    track.values = np.zeros((2, 3))
    assert track.times.tolist() == [0, 2] and not track.values.any()


def test_what_a_clip_is_told() -> None:
    clip = rig().clips.add("walk")
    clip.blend, clip.looped, clip.frame_rate = "additive", True, 30
    clip.events = [(0.5, "step"), (1, "step")]
    assert (clip.blend, clip.looped, clip.frame_rate) == ("additive", True, 30)
    assert clip.events == ((0.5, "step"), (1.0, "step"))
    clip.looped, clip.frame_rate = None, None
    assert clip.looped is None and clip.frame_rate is None
    with pytest.raises(TypeError, match="a pair of seconds and name"):
        clip.events = ["step"]  # type: ignore[list-item]
    with pytest.raises(ValueError, match="no 0 frames a second"):
        clip.frame_rate = 0


def test_a_pose_stays_when_the_scene_changes() -> None:
    scene = maquette.read(maquette.sample("post.glb").bytes)
    rest, moved = scene.pose(), scene.pose("sway", 0.5)
    before = rest.positions.copy()
    scene.meshes[0].primitives[0].positions[:] = 0
    scene.skins[0].inverse_bind_matrices[:] = 0
    assert np.array_equal(rest.positions, before) and moved.positions.any()
    assert rest.positions is rest.positions


def test_skinning_by_hand_gives_the_positions_of_the_pose() -> None:
    scene = maquette.read(maquette.sample("post.glb").bytes)
    node = next(node for node in scene.nodes if node.mesh is not None)
    assert node.skin is not None and node.mesh is not None
    primitive = node.mesh.primitives[0]
    assert primitive.joints is not None and primitive.weights is not None
    for time in (0.0, 0.3, 0.9):
        pose = scene.pose(scene.clips["sway"], time)
        matrices = pose.joint_matrices(node.skin)
        points = np.c_[primitive.positions, np.ones(len(primitive.positions))]
        blended = np.einsum("vs,vsij->vij", primitive.weights, matrices[primitive.joints])
        assert np.einsum("vij,vj->vi", blended, points)[:, :3] == pytest.approx(pose.positions, abs=1e-5)
        hips, above = scene.skins[0].joints[1], scene.skins[0].joints[1].parent
        assert above is not None
        assert pose.world[hips.index] == pytest.approx(pose.world[above.index] @ pose.local[hips.index], abs=1e-6)
    assert pose.triangles.max() < len(pose.positions)


def test_poses_that_make_no_sense_are_refused() -> None:
    scene = rig()
    alone = scene.clips.add("wag")
    alone.add_track("tail", "scale", [0], [[1, 1, 1]])
    with pytest.raises(ValueError, match='clip "wag" moves nodes of another scene'):
        scene.pose("wag")
    with pytest.raises(KeyError, match="no clip is called"):
        scene.pose("walk")
    with pytest.raises(ValueError, match="inf is no moment"):
        scene.pose(None, float("inf"))
    pose = scene.pose()
    late = scene.skins.add("late")
    with pytest.raises((ValueError, KeyError), match="late|added after"):
        pose.joint_matrices(late)
