"""Arrays are the scene's memory, both ways, and never dangle."""

import gc
import resource
import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import maquette


def triangle() -> maquette.Scene:
    scene = maquette.Scene()
    mesh = scene.meshes.add("sail")
    mesh.add_primitive(positions=[[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    scene.nodes.add("sail").mesh = mesh
    return scene


def sail(scene: maquette.Scene) -> maquette.Primitive:
    return scene.meshes["sail"].primitives[0]


def address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def post() -> maquette.Scene:
    return maquette.read(maquette.sample("post.glb").bytes, name="post.glb")


def test_two_arrays_of_one_stream_are_the_same_memory() -> None:
    scene = triangle()
    one, other = sail(scene).positions, sail(scene).positions
    assert np.shares_memory(one, other)
    one[1, 0] = 7
    assert other[1, 0] == 7
    assert scene.pose().positions[1, 0] == 7


def test_every_stream_shares_memory_and_is_of_its_type() -> None:
    scene = post()
    primitive = scene.meshes[0].primitives[0]
    skin, track = scene.skins[0], scene.clips[0].tracks[0]
    floats: list[Callable[[], Any]] = [
        lambda: primitive.positions, lambda: primitive.normals, lambda: primitive.uvs[0], lambda: primitive.weights,
        lambda: skin.inverse_bind_matrices, lambda: track.times, lambda: track.values,
    ]
    for get in floats:
        assert np.shares_memory(get(), get()) and get().dtype == np.float32 and get().flags.writeable
    indices: list[Callable[[], Any]] = [lambda: primitive.indices, lambda: primitive.joints, lambda: primitive.triangles]
    for get in indices:
        assert np.shares_memory(get(), get()) and get().dtype == np.uint32
    assert np.shares_memory(primitive.indices, primitive.triangles)


def test_what_is_written_to_an_array_is_written_to_the_file() -> None:
    scene = triangle()
    sail(scene).positions[:, 2] = [3, 4, 5]
    again = maquette.read(maquette.write(scene, name="sail.glb").bytes)
    assert again.meshes[0].primitives[0].positions[:, 2].tolist() == [3, 4, 5]


def test_arithmetic_in_place_works_on_attributes() -> None:
    scene = triangle()
    primitive = sail(scene)
    before = primitive.positions
    primitive.positions += 1
    primitive.indices += np.uint32(0)
    primitive.triangles += np.uint32(0)
    assert before.tolist() == [[1, 1, 1], [2, 1, 1], [1, 2, 1]]
    assert np.shares_memory(before, primitive.positions)


def test_a_stream_of_as_many_rows_is_set_in_place() -> None:
    primitive = sail(triangle())
    before = primitive.positions
    primitive.positions = primitive.positions[::-1]
    assert before[0].tolist() == [0, 1, 0] and before[2].tolist() == [0, 0, 0]


def test_an_old_array_keeps_its_values_when_its_stream_is_replaced() -> None:
    scene = triangle()
    primitive = sail(scene)
    old = primitive.positions
    old[0] = 9
    primitive.positions = np.zeros((1000, 3))
    for _ in range(100):
        primitive.positions = np.ones((np.random.randint(1, 5000), 3))
    assert old.tolist() == [[9, 9, 9], [1, 0, 0], [0, 1, 0]]
    old[0] = 8
    assert old[0, 0] == 8 and primitive.positions[0, 0] == 1
    assert not np.shares_memory(old, primitive.positions)


def test_optional_streams_and_sets_keep_old_arrays() -> None:
    primitive = sail(triangle())
    primitive.normals = [[0, 0, 1]] * 3
    primitive.uvs = [np.full((3, 2), 1), np.full((3, 2), 2)]
    primitive.colours = [np.full((3, 4), 0.5)]
    primitive.set_influences(np.zeros((3, 2), int), np.full((3, 2), 0.5))
    old = primitive.normals, primitive.uvs, primitive.colours, primitive.joints, primitive.weights
    assert old[0] is not None and old[3] is not None and old[4] is not None
    first, second = primitive.uvs
    primitive.uvs = [np.full((3, 2), 5)]
    assert first[0, 0] == 5 and second[0, 0] == 2 and len(primitive.uvs) == 1
    primitive.uvs = [*primitive.uvs, np.full((3, 2), 6)]
    assert np.shares_memory(first, primitive.uvs[0]) and primitive.uvs[1][0, 0] == 6
    primitive.normals = None
    primitive.colours = []
    primitive.joints = None
    junk = [np.random.rand(3, 4) for _ in range(1000)]
    del junk
    assert primitive.normals is None and primitive.colours == () and primitive.weights is None
    assert old[0].tolist() == [[0, 0, 1]] * 3
    assert old[2][0].tolist() == [[0.5] * 4] * 3
    assert old[3].tolist() == [[0, 0]] * 3 and old[4].tolist() == [[0.5, 0.5]] * 3


def test_an_array_keeps_its_scene_and_nothing_else_does() -> None:
    scene = triangle()
    alive = weakref.ref(scene)
    array = sail(scene).positions
    part = sail(scene)
    del scene
    gc.collect()
    assert array.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    del array
    gc.collect()
    assert part.positions.shape == (3, 3)
    del part
    gc.collect()
    assert alive() is None


def test_arrays_stay_where_they_are_when_parts_are_added() -> None:
    scene = triangle()
    array = sail(scene).positions
    mesh = scene.meshes["sail"]
    for count in range(500):
        scene.meshes.add(f"mesh {count}")
        mesh.add_primitive(positions=np.full((3, 3), count))
    assert address(sail(scene).positions) == address(array)
    array[0] = 5
    assert sail(scene).positions[0].tolist() == [5, 5, 5]


def test_inverse_bind_matrices_are_for_column_vectors_and_lent() -> None:
    scene = maquette.Scene()
    joint = scene.nodes.add("joint")
    skin = scene.skins.add("skin")
    skin.joints = [joint]
    matrix = np.arange(16, dtype=np.float32).reshape(4, 4)
    skin.inverse_bind_matrices = matrix[None]
    lent = skin.inverse_bind_matrices
    assert lent.shape == (1, 4, 4) and np.array_equal(lent[0], matrix)
    lent[0, 0, 3] = 40
    assert skin.inverse_bind_matrices[0, 0, 3] == 40
    skin.inverse_bind_matrices += 1
    assert lent[0, 0, 3] == 41
    skin.inverse_bind_matrices = np.zeros((3, 4, 4))
    assert lent[0, 0, 3] == 41 and skin.inverse_bind_matrices.shape == (3, 4, 4)
    # A move to the right of a point at the origin stands in the last column.
    skin.inverse_bind_matrices = [[[1, 0, 0, 2], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]]
    assert scene.pose().joint_matrices("skin")[0] @ [0, 0, 0, 1] == pytest.approx([2, 0, 0, 1])


def test_anything_that_numpy_takes_is_taken() -> None:
    primitive = sail(triangle())
    primitive.positions = np.asfortranarray(np.arange(9, dtype=np.float64).reshape(3, 3))
    assert primitive.positions[1].tolist() == [3, 4, 5]
    primitive.positions = [(1, 2, 3), (4, 5, 6), (7, 8, 9)]
    primitive.positions = np.arange(18, dtype=np.int16).reshape(3, 6)[:, ::2]
    assert primitive.positions[1].tolist() == [6, 8, 10]
    primitive.indices = np.array([[2, 1, 0]], np.int64)
    assert primitive.indices.tolist() == [2, 1, 0] and primitive.triangles.tolist() == [[2, 1, 0]]


@pytest.mark.parametrize(
    ("attribute", "value", "error", "words"),
    [
        ("positions", [[0, 0]], ValueError, r"positions has the shape \(1, 2\); \(n, 3\) would be right"),
        ("positions", "abc", TypeError, "positions has numbers of type <U3"),
        ("positions", None, TypeError, "positions"),
        ("normals", np.zeros(3), ValueError, r"normals has the shape \(3,\)"),
        ("indices", [0, 1], ValueError, "2 indices make no whole triangles, which take 3 each"),
        ("indices", [0, 1, -1], ValueError, "indices has -1, which is not from 0 to 4294967295"),
        ("indices", [0, 1, 2**32], ValueError, "indices has 4294967296"),
        ("indices", [0.5, 1, 2], TypeError, "indices has numbers of type float64"),
        ("triangles", [0, 1, 2], ValueError, r"triangles has the shape \(3,\); \(n, 3\) would be right"),
        ("joints", [[0]] * 3, ValueError, "set_influences sets both"),
        ("topology", "points", ValueError, 'topology is "points"; "triangles" or "lines" would be right'),
    ],
)
def test_what_does_not_fit_is_refused_in_words(attribute: str, value: Any, error: type[Exception], words: str) -> None:
    primitive = sail(triangle())
    with pytest.raises(error, match=words):
        setattr(primitive, attribute, value)
    assert primitive.positions.shape == (3, 3) and primitive.indices.tolist() == [0, 1, 2]


def test_joints_and_weights_stay_in_step() -> None:
    primitive = sail(triangle())
    with pytest.raises(ValueError, match="different shapes"):
        primitive.set_influences([[0]] * 3, [[1, 0]] * 3)
    with pytest.raises(ValueError, match=r"\(3, slots\) would be right"):
        primitive.set_influences([[0]] * 4, [[1]] * 4)
    primitive.set_influences([[0, 1]] * 3, [[1, 0]] * 3)
    lent = primitive.weights
    assert lent is not None
    primitive.weights = [[0.25, 0.75]] * 3
    assert lent[2].tolist() == [0.25, 0.75]
    with pytest.raises(ValueError, match=r"\(3, 2\), or set_influences"):
        primitive.weights = [[1]] * 3
    primitive.set_influences([[0]] * 3, [[1]] * 3)
    assert lent[2].tolist() == [0.25, 0.75] and np.all(np.asarray(primitive.weights) == 1)


def test_copies_cannot_be_changed_by_mistake() -> None:
    scene = post()
    pose = scene.pose("sway", 0.3)
    for array in (scene.nodes[0].matrix, pose.positions, pose.triangles, pose.local, pose.world, pose.joint_matrices(0)):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(TypeError):
        scene.nodes[0].translation[0] = 1  # type: ignore[index]
    with pytest.raises(TypeError):
        scene.nodes[0].extras["gltf.extras"] = 1  # type: ignore[index]
    with pytest.raises(AttributeError):
        scene.roots.append(scene.nodes[0])  # type: ignore[attr-defined]


def test_empty_streams_are_empty_arrays() -> None:
    scene = maquette.Scene()
    primitive = scene.meshes.add().add_primitive(positions=np.zeros((0, 3)))
    assert primitive.positions.shape == (0, 3) and primitive.indices.shape == (0,) and primitive.triangles.shape == (0, 3)
    assert scene.skins.add().inverse_bind_matrices.shape == (0, 4, 4)
    assert scene.nodes.add().morph_weights.shape == (0,)
    assert scene.pose().positions.shape == (0, 3) and scene.pose().triangles.shape == (0, 3)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is told in other units")
def test_replaced_streams_go_with_the_last_array_of_them() -> None:
    primitive = sail(triangle())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for turn in range(100):
        primitive.positions = np.zeros((500_000 + turn, 3), np.float32)
        primitive.positions[0] = turn
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 100_000, f"{grown} KB more, where one array is 6 MB"


def test_replaced_streams_stay_as_long_as_one_array_of_them() -> None:
    primitive = sail(triangle())
    one, other = primitive.positions, primitive.positions[1:]
    primitive.positions = np.ones((7, 3))
    del one
    junk = [np.random.rand(3, 3).astype(np.float32) for _ in range(1000)]
    assert other.tolist() == [[1, 0, 0], [0, 1, 0]] and len(junk) == 1000
    again = primitive.positions
    primitive.positions = np.zeros((9, 3))
    assert again.shape == (7, 3) and again.all()
