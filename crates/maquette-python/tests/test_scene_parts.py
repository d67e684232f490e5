"""Lists of parts, what refers to what, and what must hold."""

import copy
from typing import Any

import numpy as np
import pytest

import maquette


def post() -> maquette.Scene:
    return maquette.read(maquette.sample("post.glb").bytes, name="post.glb")


def test_parts_are_had_by_position_and_by_name() -> None:
    scene = maquette.Scene()
    for name in ("hips", "knee", "", "knee"):
        scene.nodes.add(name)
    nodes = scene.nodes
    assert len(nodes) == 4 and nodes.names == ["hips", "knee", "", "knee"]
    assert nodes["knee"] == nodes[1] == nodes[-3] and nodes["knee"] != nodes[3]
    place: Any = np.int64(1)
    assert nodes[place].name == "knee"
    assert [node.index for node in nodes] == [0, 1, 2, 3]
    assert [node.index for node in nodes[1:]] == [1, 2, 3] and [node.index for node in nodes[::-2]] == [3, 1]
    assert "hips" in nodes and nodes[0] in nodes and "toe" not in nodes and 7 not in nodes
    assert nodes.get("toe") is None and nodes.get("toe", 5) == 5
    assert scene.meshes.get("x") is None


def test_what_is_not_there_is_told_with_what_is() -> None:
    scene = maquette.Scene()
    scene.nodes.add("hips")
    scene.nodes.add("knee")
    with pytest.raises(KeyError, match='no node is called \\\\?"toe\\\\?"; there are \\\\?"hips\\\\?", \\\\?"knee\\\\?"'):
        scene.nodes["toe"]
    with pytest.raises(IndexError, match="there are 2 nodes, and 2 is none of them"):
        scene.nodes[2]
    with pytest.raises(IndexError, match="not so many nodes"):
        scene.nodes[2**70]
    with pytest.raises(IndexError, match="there are no meshes"):
        scene.meshes[0]
    with pytest.raises(TypeError, match="a node is asked for by its name or its position, not by float"):
        scene.nodes[0.5]  # type: ignore[call-overload]


def test_objects_that_name_one_part_are_equal_and_hash_alike() -> None:
    scene = post()
    assert scene.nodes[0] == scene.nodes[0] and len({scene.nodes[0], scene.nodes[0], scene.nodes[1]}) == 2
    assert scene.meshes[0].primitives[0] == scene.meshes[0].primitives[0]
    assert scene.clips[0].tracks[0] == scene.clips[0].tracks[0] != scene.clips[0].tracks[1]
    others: list[object] = [post().nodes[0], scene.meshes[0], 0, None]
    assert scene.nodes[0] not in others
    lengths = {node: len(node.children) for node in scene.nodes}
    assert lengths[scene.roots[0]] == len(scene.roots[0].children)


def test_a_scene_made_by_hand_is_written_and_read() -> None:
    scene = maquette.Scene()
    hips, knee = scene.nodes.add("hips"), scene.nodes.add("knee")
    knee.parent = hips
    knee.translation = (0, 1, 0)
    body = scene.nodes.add("body")
    mesh = scene.meshes.add("body")
    primitive = mesh.add_primitive(
        positions=[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], indices=[[0, 1, 2], [2, 1, 3]],
        normals=np.tile([0, 0, 1], (4, 1)), uvs=[np.zeros((4, 2))], colours=[np.ones((4, 4))],
        joints=[[0, 1]] * 4, weights=[[0.5, 0.5]] * 4,
    )
    primitive.material = scene.materials.add("skin")
    skin = scene.skins.add("rig")
    skin.joints = [hips, knee]
    skin.inverse_bind_matrices = np.tile(np.eye(4), (2, 1, 1))
    body.mesh, body.skin = mesh, skin
    clip = scene.clips.add("bend")
    clip.add_track(knee, "rotation", [0, 1], [[0, 0, 0, 1], [0, 0, 1, 0]])
    scene.check()
    again = maquette.read(maquette.write(scene, name="made.glb").bytes)
    assert again.nodes.names == ["hips", "knee", "body"] and again.nodes["knee"].parent == again.nodes["hips"]
    assert again.nodes["body"].skin == again.skins["rig"] and again.skins[0].joints == (again.nodes[0], again.nodes[1])
    assert again.meshes["body"].primitives[0].triangles.tolist() == [[0, 1, 2], [2, 1, 3]]
    assert again.meshes["body"].primitives[0].material == again.materials["skin"]
    assert again.clips["bend"].duration == 1


def test_parts_of_another_scene_are_refused() -> None:
    scene, other = post(), post()
    node, material, track = scene.nodes[0], scene.materials[0], scene.clips[0].tracks[0]
    use = maquette.TextureUse(other.images[0])

    attempts: list[tuple[Any, str, Any, str]] = [
        (node, "mesh", other.meshes[0], "this mesh belongs to another scene"),
        (node, "skin", other.skins[0], "this skin belongs to another scene"),
        (node, "children", [other.nodes[1]], "this node belongs to another scene"),
        (node, "parent", other.nodes[1], "this node belongs to another scene"),
        (scene, "roots", [other.nodes[0]], "this node belongs to another scene"),
        (scene.skins[0], "joints", other.skins[0].joints, "this node belongs to another scene"),
        (scene.meshes[0].primitives[0], "material", other.materials[0], "this material belongs to another scene"),
        (material, "base_colour_texture", use, "the image of this texture belongs to another scene"),
        (track, "target", other.nodes[0], "this node belongs to another scene"),
    ]
    for part, attribute, value, words in attempts:
        with pytest.raises(ValueError, match=words):
            setattr(part, attribute, value)
    with pytest.raises(ValueError, match="another scene"):
        scene.pose(other.clips[0])
    with pytest.raises(ValueError, match="another scene"):
        scene.clips.remove(other.clips[0])
    with pytest.raises(ValueError, match="another scene"):
        scene.nodes[other.nodes[0]]
    assert other.nodes[0] not in scene.nodes
    scene.check()


def test_nodes_stay_trees() -> None:
    scene = maquette.Scene()
    a, b, c = (scene.nodes.add(name) for name in "abc")
    assert [*scene.roots] == [a, b, c]
    a.children = [b]
    c.parent = b
    assert [*scene.roots] == [a] and [*b.children] == [c] and c.parent == b
    attempts: list[tuple[maquette.Node, str, Any]] = [(a, "parent", c), (c, "children", [a]), (b, "children", [a])]
    for node, attribute, value in attempts:
        with pytest.raises(ValueError, match='node "a" cannot be below itself'):
            setattr(node, attribute, value)
    with pytest.raises(ValueError, match='node "a" cannot be its own child'):
        a.parent = a
    with pytest.raises(ValueError, match='node "b" is given twice'):
        a.children = [b, b]
    with pytest.raises(ValueError, match='node "c" cannot be a root: it is a child of "b"'):
        scene.roots = [a, c]
    a.children = [c, b]
    assert [*a.children] == [c, b] and [*b.children] == [] and [*scene.roots] == [a]
    a.children = [b]
    assert [*scene.roots] == [a, c] and c.parent is None
    b.parent = None
    assert [*scene.roots] == [a, c, b]
    scene.roots = [b, a]
    assert [*scene.roots] == [b, a]
    scene.check()


def test_transforms_are_parts_or_matrices() -> None:
    node = maquette.Scene().nodes.add()
    assert (node.translation, node.rotation, node.scale) == ((0, 0, 0), (0, 0, 0, 1), (1, 1, 1))
    node.translation = np.array([1, 2, 3])
    node.scale = [2, 2, 2]
    node.rotation = (0, 0, 1, 0)
    assert node.matrix @ [1, 0, 0, 1] == pytest.approx([-1, 2, 3, 1])
    node.matrix = np.diag([3, 3, 3, 1])
    node.translation = (5, 0, 0)
    assert node.scale == pytest.approx((3, 3, 3)) and node.matrix[0, 3] == 5
    shear = np.eye(4)
    shear[0, 1] = 1
    node.matrix = shear
    assert np.array_equal(node.matrix, shear)
    with pytest.raises(ValueError, match="shear"):
        node.rotation = (0, 0, 0, 1)
    for wrong in ((1, 2), "abc", 5):
        with pytest.raises(TypeError, match="translation is 3 numbers"):
            node.translation = wrong  # type: ignore[assignment]
    with pytest.raises(ValueError, match=r"\(4, 4\)"):
        node.matrix = np.eye(3)


def test_only_clips_can_be_removed() -> None:
    scene = post()
    with pytest.raises(TypeError, match="meshes cannot be removed, for other parts of a scene refer to them; clips can"):
        scene.meshes.remove(0)
    assert len(scene.meshes) == 1


def test_what_does_not_hold_is_found_and_not_written() -> None:
    scene = post()
    primitive = scene.meshes[0].primitives[0]
    primitive.indices[0] = 10_000
    with pytest.raises(maquette.Error, match=r"the scene is not sound: meshes\[0\].primitives\[0\].*past the 28 vertices"):
        scene.check()
    with pytest.raises(maquette.Error):
        maquette.write(scene, name="post.glb")
    with pytest.raises(maquette.Error, match="not sound"):
        scene.edit(scale=2)
    primitive.indices[0] = 0
    scene.check()
    primitive.positions = primitive.positions[:-1]
    with pytest.raises(maquette.Error, match="a stream has"):
        scene.check()


def test_a_primitive_is_checked_when_it_is_added() -> None:
    mesh = maquette.Scene().meshes.add()
    four = np.zeros((4, 3))
    for options, words in [
        ({}, "4 vertices make no whole triangles: give indices"),
        ({"indices": [0, 1, 2], "normals": np.zeros((3, 3))}, "normals has 3 rows for 4 vertices"),
        ({"indices": [0, 1, 2], "uvs": [np.zeros((5, 2))]}, "uvs has 5 rows for 4 vertices"),
        ({"indices": [0, 1, 2], "joints": np.zeros((4, 1), int)}, "joints and weights go together"),
    ]:
        with pytest.raises(ValueError, match=words):
            mesh.add_primitive(positions=four, **options)  # type: ignore[arg-type]
    assert mesh.primitives == ()
    lines = mesh.add_primitive(positions=four, topology="lines")
    assert lines.topology == "lines" and lines.indices.tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="draw lines"):
        lines.triangles


def test_morph_targets_are_added_with_a_name_and_a_weight() -> None:
    scene = maquette.Scene()
    mesh = scene.meshes.add("face")
    primitive = mesh.add_primitive(positions=[[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    scene.nodes.add("face").mesh = mesh
    lent = mesh.morph_weights
    target = primitive.add_morph_target(np.full((3, 3), 2), normals=np.zeros((3, 3)))
    assert mesh.morph_weights.tolist() == [0] and mesh.morph_names == ("",) and lent.shape == (0,)
    mesh.morph_names = ["smile"]
    mesh.morph_weights = [0.5]
    assert scene.pose().positions[0].tolist() == [1, 1, 1]
    target.positions *= 2
    assert scene.pose().positions[0].tolist() == [2, 2, 2]
    assert primitive.morph_targets == (target,) and target.tangents is None
    scene.nodes[0].morph_weights = [1]
    assert scene.pose().positions[0].tolist() == [4, 4, 4]
    scene.check()
    mesh.add_primitive(positions=[[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    with pytest.raises(maquette.Error, match="another number of morph weights"):
        scene.check()


def test_extras_are_json_under_the_id_of_a_format() -> None:
    scene = post()
    node = scene.nodes[0]
    node.extras = {"gltf.extras": {"hp": 3, "tags": ["a", {"b": 0.1}], "none": None}}
    assert node.extras["gltf.extras"]["tags"][1]["b"] == 0.1 and node.extras["gltf.extras"]["none"] is None
    with pytest.raises(TypeError):
        node.extras["gltf.extras"]["hp"] = 4
    with pytest.raises(AttributeError):
        node.extras["gltf.extras"]["tags"].append("c")
    node.extras = {**node.extras, "gltf.more": (1, 2)}
    assert node.extras["gltf.more"] == (1, 2) and node.extras["gltf.extras"]["hp"] == 3
    with pytest.raises(ValueError, match="gltf.extras"):
        node.extras = {"hp": 3}
    with pytest.raises(TypeError, match="JSON"):
        node.extras = {"gltf.x": object()}
    with pytest.raises(TypeError, match="mapping"):
        node.extras = 5  # type: ignore[assignment]
    again = maquette.read(maquette.write(scene, name="post.glb").bytes)
    assert again.nodes[0].extras["gltf.extras"]["tags"] == ("a", {"b": 0.1})


def test_copies_are_of_their_own() -> None:
    scene = post()
    for other in (scene.copy(), copy.copy(scene), copy.deepcopy(scene)):
        assert other.format == "gltf" and other.nodes.names == scene.nodes.names
        assert not np.shares_memory(other.meshes[0].primitives[0].positions, scene.meshes[0].primitives[0].positions)
        other.nodes[0].name = "other"
        assert scene.nodes[0].name != "other"


def test_reprs_tell_what_there_is() -> None:
    scene = post()
    clip = scene.clips[0]
    print(scene, scene.nodes, scene.clips, *scene.nodes, *scene.meshes, *scene.meshes[0].primitives, *scene.skins, *scene.materials, *scene.images, clip, *clip.tracks[:2], scene.pose(), scene.pose("sway", 0.5), sep="\n")
    assert repr(scene.clips) == '<1 clip: "sway">' and repr(maquette.Scene().nodes) == "<no nodes>"
    assert repr(scene.nodes[0]).startswith('<Node 0 "') and repr(clip).startswith('<Clip 0 "sway": ')
    assert "28 vertices" in repr(scene.meshes[0].primitives[0]) and "28 vertices" in repr(scene.pose())
