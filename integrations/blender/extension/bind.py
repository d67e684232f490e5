"""Skeletons whose meshes were bound elsewhere than their joints rest, made such as Blender can hold.

Blender skins from where bones rest, and bones rest without a scale. A vertex that several joints move comes out right only if the rest place `R` of each
joint and its inverse bind matrix `B` agree on where the mesh is: `R · B` is the same for all joints. Where it is not, joints are made to rest where
the mesh was bound, and what they are posed at is what the file calls rest. Where bind matrices are of several sizes, the axes of each joint get a size `c` of
their own that makes up for it, so that

    local' = 1/c of the parent · local · c        B' = 1/c · B

which moves nothing. Both, the rest of the file and the size, stay on the bones for clips that come later.
"""

import numpy as np

from . import origin, pose

# How far joints may disagree: parts of the size of the skeleton.
TOLERANCE = 1e-4


def settle(scene, label, report):
    """Changes the scene where it must be; whether any bone is to be posed afterwards."""
    if not len(scene.skins):
        return False
    tree = Tree(scene)
    changed = False
    for skin in scene.skins:
        plan = Plan(tree, skin)
        if plan.agrees():
            continue
        problem = plan.problem()
        if problem:
            report.warn(label, f"skin {skin.name!r} {problem}; vertices that several joints move may be off in Blender")
            continue
        plan.carry_out()
        changed = True
    if changed:
        report.note(label, "bones rest where the mesh was bound, which is not where the file rests; clips go by the file's rest pose")
    return changed


def bones(scene):
    """The nodes that the glTF importer makes bones of."""
    tree = Tree(scene)
    return {index for skin in scene.skins for index in tree.bones([joint.index for joint in skin.joints])}


def leave_rest(node, translation, rotation, scale, size=1.0, parent_size=1.0):
    """For Blender: where the file rests, in the sizes that Blender sees, and those sizes."""
    extras = origin.plain(node.extras)
    told = [float(number) for number in (*translation, *rotation, *scale, size, parent_size)]
    extras[origin.EXTRAS] = {**extras.get(origin.EXTRAS, {}), origin.REST: told}
    node.extras = extras


class Tree:
    """The nodes of a scene and their parents, as indices."""

    def __init__(self, scene):
        self.scene = scene
        self.nodes = list(scene.nodes)
        self.parents = np.full(len(self.nodes), -1)
        for node in self.nodes:
            for child in node.children:
                self.parents[child.index] = node.index
        self.settled = set()

    def path(self, index):
        """From the root down."""
        found = []
        while index >= 0:
            found.append(index)
            index = self.parents[index]
        return found[::-1]

    def bones(self, joints):
        """What the importer makes bones of: everything between joints and the nearest node that all have above them. Parents first."""
        paths = [self.path(joint) for joint in joints]
        shared = 0
        while all(len(path) > shared + 1 and path[shared] == paths[0][shared] for path in paths):
            shared += 1
        depths = {index: depth for path in paths for depth, index in enumerate(path) if depth >= shared}
        return sorted(depths, key=depths.get)


class Plan:
    """What one skin would take."""

    def __init__(self, tree, skin):
        self.tree, self.skin = tree, skin
        self.joints = [joint.index for joint in skin.joints]
        self.binds = np.asarray(skin.inverse_bind_matrices, dtype=float)
        self.bones = tree.bones(self.joints)
        self.places = {}
        for index in self.bones:
            self.places[index] = self._above(index) @ affine(tree.nodes[index].translation, tree.nodes[index].rotation)
        self.extent = max(1e-9, np.abs([place[:3, 3] for place in self.places.values()]).max(initial=0)) if self.bones else 1.0

    def _above(self, index):
        return self.places.get(self.tree.parents[index], np.eye(4))

    def agrees(self):
        if len(self.joints) < 2:
            return True
        at_rest = np.stack([self.places[joint] for joint in self.joints]) @ self.binds
        scale = max(1e-9, np.abs(at_rest[0, :3, :3]).max())
        gap = np.abs(at_rest - at_rest[0])
        return gap[:, :3, :3].max() < TOLERANCE * scale and gap[:, :3, 3].max() < TOLERANCE * max(self.extent, np.abs(at_rest[0, :3, 3]).max())

    def problem(self):
        """Why it cannot be; empty if it can."""
        if self.tree.settled & set(self.joints):
            return "shares joints with one that is bound elsewhere"
        if any(clip.blend != "absolute" for clip in self.tree.scene.clips):
            return "is not bound where its joints rest, and clips are relative to that"
        if np.abs(np.linalg.det(self.binds)).min() < 1e-12:
            return "has bind matrices that cannot be undone"
        top = min(range(len(self.joints)), key=lambda place: len(self.tree.path(self.joints[place])))
        # Where the mesh is, by the joint nearest to the root.
        self.mesh = self.places[self.joints[top]] @ self.binds[top]
        self.bound = self.mesh @ np.linalg.inv(self.binds)
        lengths = np.linalg.norm(self.bound[:, :3, :3], axis=1)
        self.sizes = 1 / lengths.mean(axis=1)
        rigid = self.bound[:, :3, :3] * self.sizes[:, None, None]
        if np.abs(np.swapaxes(rigid, 1, 2) @ rigid - np.eye(3)).max() > 1e-3 or np.linalg.det(rigid).min() < 0:
            return "is bound with sizes that differ along the axes, or mirrored"
        return ""

    def carry_out(self):
        tree, nodes = self.tree, self.tree.nodes
        size = np.ones(len(nodes) + 1)  # The last is that of no parent.
        size[self.joints] = self.sizes
        above = size[tree.parents]
        tree.settled |= set(self.bones)
        for node in nodes:
            index = node.index
            if index not in self.places and above[index] == 1:
                continue
            rest = np.array(node.translation) / above[index], np.array(node.rotation), np.array(node.scale) * size[index] / above[index]
            node.translation, node.scale = tuple(map(float, rest[0])), tuple(map(float, rest[2]))
            if index in self.places:
                leave_rest(node, *rest, size[index], above[index])
        for joint, bound, own in zip(self.joints, self.bound, self.sizes):
            place = bound.copy()
            place[:3, :3] *= own
            self.places[joint] = place
        for index in self.bones:
            if index not in self.joints:
                self.places[index] = self._above(index) @ affine(nodes[index].translation, nodes[index].rotation)
                continue
            local = np.linalg.inv(self._above(index)) @ self.places[index]
            node = nodes[index]
            node.translation, node.rotation, node.scale = tuple(map(float, local[:3, 3])), tuple(map(float, pose.quaternion(local[:3, :3]))), (1.0, 1.0, 1.0)
        shrink = np.stack([np.diag([1 / own] * 3 + [1]) for own in self.sizes])
        self.skin.inverse_bind_matrices = (shrink @ self.binds).astype(np.float32)
        self._resize_keys(size, above)

    def _resize_keys(self, size, above):
        for clip in self.tree.scene.clips:
            for track in clip.tracks:
                index = track.target.index if not isinstance(track.target, str) else None
                if index is None:
                    continue
                if track.property == "translation" and above[index] != 1:
                    track.values = np.asarray(track.values) / np.float32(above[index])
                elif track.property == "scale" and size[index] != above[index]:
                    track.values = np.asarray(track.values) * np.float32(size[index] / above[index])


def affine(translation, rotation):
    whole = np.eye(4)
    whole[:3, :3], whole[:3, 3] = pose.matrix(np.asarray(rotation) / np.linalg.norm(rotation)), translation
    return whole
