"""Models made by code, to put clips onto."""

import maquette
import numpy as np


def turn(axis, angle):
    axis = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    return (*(axis * np.sin(angle / 2)).tolist(), float(np.cos(angle / 2)))


def skeleton(names, parents=None, seed=3, root_rotation=None):
    """A scene of joints with these names that rest turned and apart, and a few vertices around each, which two joints share."""
    scene = maquette.Scene()
    draw = np.random.default_rng(seed)
    parents = parents or [index - 1 for index in range(len(names))]
    nodes = []
    for index, name in enumerate(names):
        node = scene.nodes.add(name)
        node.translation = tuple(draw.uniform(-1, 1, 3) + [0, 2, 0]) if index else (0.25, 1.0, -0.5)
        node.rotation = turn(draw.normal(size=3), draw.uniform(0.2, 1.5))
        nodes.append(node)
    if root_rotation is not None:
        nodes[0].rotation = root_rotation
    for index in range(len(names)):
        below = [nodes[child] for child, parent in enumerate(parents) if parent == index]
        if below:
            nodes[index].children = below
    world = np.asarray(scene.pose().world, dtype=float)
    corners = np.array([[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3]])
    positions, joints, weights = [], [], []
    for index, parent in enumerate(parents):
        for corner in corners:
            positions.append(world[index, :3, :3] @ corner + world[index, :3, 3])
            joints.append([index, max(parent, 0), 0, 0])
            weights.append([0.7, 0.3, 0, 0] if parent >= 0 else [1.0, 0, 0, 0])
    faces = [[4 * bone + a, 4 * bone + b, 4 * bone + c] for bone in range(len(names)) for a, b, c in ((0, 1, 2), (0, 2, 3), (0, 3, 1))]
    mesh = scene.meshes.add("body")
    mesh.add_primitive(
        positions=np.array(positions, dtype=np.float32),
        indices=np.array(faces, dtype=np.uint32).ravel(),
        normals=np.tile(np.array([[0, 1, 0]], dtype=np.float32), (len(positions), 1)),
        joints=np.array(joints, dtype=np.uint32),
        weights=np.array(weights, dtype=np.float32),
    )
    skin = scene.skins.add("skin")
    skin.joints = nodes
    skin.inverse_bind_matrices = np.linalg.inv(world[: len(names)]).astype(np.float32)
    body = scene.nodes.add("body")
    body.mesh, body.skin = mesh, skin
    return scene


def bound_elsewhere(names, parents, sizes=()):
    """A skeleton that rests elsewhere than its mesh was bound, with joints of these sizes."""
    scene = skeleton(names, parents)
    nodes, skin = list(scene.nodes), scene.skins[0]
    for node, size in zip(nodes, sizes):
        node.scale = (size, size, size)
    world = np.asarray(scene.pose().world, dtype=float)
    skin.inverse_bind_matrices = np.linalg.inv(world[: len(names)]).astype(np.float32)
    for index, node in enumerate(nodes[: len(names)]):
        node.rotation = turn([1, index, 2], 0.4 + 0.3 * index)
        node.translation = tuple(np.array(node.translation) + [0.1 * index, 0.2, 0])
    return scene


def clip_file(path, names, blend="absolute", rate=30.0, last=40, seed=11, sparse=False, blends=None, translations=True, scales=False, events=(), looped=False):
    """A SEAnim file with keys for these bones: on every frame, or wide apart."""
    draw = np.random.default_rng(seed)
    scene = maquette.Scene()
    clip = scene.clips.add(path.stem)
    clip.blend, clip.frame_rate, clip.looped = blend, rate, looped
    frames = np.unique(np.append(draw.integers(0, last, 5), [0, last])) if sparse else np.arange(last + 1)
    times = (frames / rate).astype(np.float32)
    for name in names:
        axis, speed = draw.normal(size=3), draw.uniform(0.5, 3)
        turns = np.array([turn(axis, speed * frame / last * 2) for frame in frames], dtype=np.float32)
        own = (blends or {}).get(name)
        clip.add_track(name, "rotation", times, turns, blend=own)
        if translations:
            ways = np.stack([np.sin(frames / last * 3 + shift) for shift in draw.uniform(0, 3, 3)], axis=1).astype(np.float32)
            clip.add_track(name, "translation", times, ways, blend=own)
        if scales:
            sizes = np.repeat(1 + 0.3 * np.sin(frames / last * 4)[:, None], 3, axis=1).astype(np.float32)
            clip.add_track(name, "scale", times, sizes, blend=own)
    clip.duration = last / rate
    clip.events = [(frame / rate, text) for frame, text in events]
    maquette.write(scene, path)
    return path
