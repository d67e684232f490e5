"""The bones of an armature as nodes of a scene of the package, so that the package's rules put clips onto them."""

import maquette
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from . import origin, pose


class Bone:
    """A bone, and where it rests: `place` for Blender, `rest` for the node it stands for (translation, rotation, scale)."""

    def __init__(self, bone, index, parent, turn):
        self.name = bone.name
        self.node_name = bone.get(origin.NAME) or bone.name
        self.index = index
        self.parent = parent
        self.is_connected = bone.use_connect and bone.parent is not None
        self.inherits = bone.use_inherit_rotation and bone.inherit_scale == "FULL" and bone.use_local_location
        matrix = np.array(bone.matrix_local if bone.parent is None else bone.parent.matrix_local.inverted() @ bone.matrix_local)
        stored = bone.get(origin.REST)
        stored = list(stored) if stored is not None and len(stored) == origin.REST_LENGTH else None
        size, parent_size = stored[10:12] if stored else (1.0, 1.0)
        self.place = pose.Place(matrix[:3, 3], pose.quaternion(matrix[:3, :3]), turn if bone.parent is None else pose.NO_TURN, size, parent_size)
        if stored:
            # As the file has it, without the sizes.
            self.rest = np.array(stored[0:3]) * parent_size, np.array(stored[3:7]), self.place.local_scales(stored[7:10])
        else:
            self.rest = (*self.place.rest(), np.ones(3))

    @property
    def path(self):
        escaped = self.name.replace("\\", "\\\\").replace('"', '\\"')
        return f'pose.bones["{escaped}"]'

    def basis_at_rest(self):
        """Location, rotation and scale of the pose bone where the node rests."""
        translation, rotation, scale = self.rest
        return self.place.basis_translations(translation[None])[0], self.place.basis_rotations(rotation[None])[0], self.place.basis_scales(scale)


class Rig:
    """All bones, parents first."""

    def __init__(self, armature_object, axes):
        self.object = armature_object
        self.axes = axes
        turn = pose.TO_Z_UP if axes == "gltf" else pose.NO_TURN
        self.bones, at = [], {}
        # Blender lists parents before their children.
        for index, bone in enumerate(armature_object.data.bones):
            at[bone.name] = index
            self.bones.append(Bone(bone, index, at[bone.parent.name] if bone.parent else -1, turn))

    def scene(self):
        """The bones as nodes at rest, in the same order."""
        scene = maquette.Scene()
        nodes = []
        for bone in self.bones:
            node = scene.nodes.add(bone.node_name)
            node.translation, node.rotation, node.scale = (tuple(map(float, part)) for part in bone.rest)
            nodes.append(node)
        children = {}
        for bone in self.bones:
            children.setdefault(bone.parent, []).append(nodes[bone.index])
        for parent, below in children.items():
            if parent >= 0:
                nodes[parent].children = below
        scene.roots = children.get(-1, [])
        # Clips that know bones by number mean places in this list.
        joints = {bone.node_name: nodes[bone.index] for bone in self.bones}
        left = [name for name in origin.structure(origin.of(self.object), "joints").get("names", ()) if name in joints]
        skin = scene.skins.add(self.object.name)
        skin.joints = [joints[name] for name in left] or nodes
        skin.inverse_bind_matrices = np.tile(np.eye(4, dtype=np.float32), (len(skin.joints), 1, 1))
        return scene

    def to_rest(self):
        """Puts all bones where their nodes rest, whatever their rotations are told in."""
        pose_bones = self.object.pose.bones
        at = {bone.name: bone for bone in self.bones}
        parts = [at[bone.name].basis_at_rest() for bone in pose_bones]
        pose_bones.foreach_set("location", np.concatenate([location for location, _, _ in parts]).astype(np.float32))
        pose_bones.foreach_set("rotation_quaternion", np.concatenate([np.roll(turn, 1) for _, turn, _ in parts]).astype(np.float32))
        pose_bones.foreach_set("scale", np.concatenate([scale for _, _, scale in parts]).astype(np.float32))
        for bone, (location, (x, y, z, w), scale) in zip(pose_bones, parts):
            if bone.rotation_mode != "QUATERNION":
                bone.matrix_basis = Matrix.LocRotScale(Vector(location), Quaternion((w, x, y, z)), Vector(scale))
        self.object.update_tag()


def axes_of(armature_object, clips):
    """`gltf` or `stored`, and why: what the importer left, else whichever brings the roots nearer to the first keys of the clips.

    Only roots can tell: the axes of other bones are the file's in both cases.
    """
    left = origin.of(armature_object).get("axes")
    if left:
        return left, "the importer of the model left it on the armature"
    gaps = {axes: _gap(Rig(armature_object, axes), clips) for axes in ("stored", "gltf")}
    if gaps["gltf"] < 0.5 * gaps["stored"]:
        return "gltf", "the roots rest where the clip begins if +Y pointed up in the file"
    return "stored", "the roots rest where the clip begins as they are" if gaps["stored"] < gaps["gltf"] else "nothing tells, and so they are as they are"


def _gap(rig, clips):
    """How far the roots rest from the first keys of absolute tracks: degrees of turns, and parts of lengths."""
    roots = {bone.node_name.lower(): bone for bone in rig.bones if bone.parent < 0}
    gap = 0.0
    for clip in clips:
        if clip.blend != "absolute":
            continue
        for track in clip.tracks:
            bone = roots.get(track.target.lower()) if isinstance(track.target, str) else None
            if bone is None or track.blend not in (None, "absolute") or not len(track.times):
                continue
            first = np.asarray(track.values[1 if track.interpolation == "cubic-spline" else 0], dtype=float)
            translation, rotation, _ = bone.rest
            if track.property == "translation":
                gap += np.linalg.norm(first - translation) / max(np.linalg.norm(first), np.linalg.norm(translation), 1e-6)
            elif track.property == "rotation":
                length = max(np.linalg.norm(first), 1e-9)
                gap += 2 * np.arccos(np.clip(abs(first @ rotation) / length, 0, 1))
    return gap
