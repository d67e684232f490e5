"""Local transforms of bones out of an action: the keys as they are where they are straight lines of quaternions, else a key on every frame."""

import numpy as np
from mathutils import Euler, Matrix, Quaternion

from . import actions, pose
from .fcurves import Curves, assign, keys_of

WIDTHS = {"location": 3, "rotation_quaternion": 4, "rotation_euler": 3, "rotation_axis_angle": 4, "scale": 3}
PROPERTIES = {"location": "translation", "rotation_quaternion": "rotation", "rotation_euler": "rotation", "rotation_axis_angle": "rotation", "scale": "scale"}


def from_keys(action, rig):
    """Frames and local values for each bone and property that the action has keys for."""
    curves = Curves.of(action, rig.object)
    found = {}
    for curve in curves.fcurves if curves else ():
        name, path = actions.bone_of(curve.data_path), curve.data_path.rsplit(".", 1)[-1]
        if path in WIDTHS and len(curve.keyframe_points):
            found.setdefault((name, path), {})[curve.array_index] = curve
    told = {}
    for bone in rig.bones:
        pose_bone = rig.object.pose.bones[bone.name]
        turns = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(pose_bone.rotation_mode, "rotation_euler")
        for path in ("location", turns, "scale"):
            columns = found.get((bone.name, path))
            if columns:
                told[bone.index, PROPERTIES[path]] = _channel(columns, path, bone, pose_bone)
    return told


def _channel(columns, path, bone, pose_bone):
    now = [*getattr(pose_bone, path)]
    read = {index: keys_of(curve) for index, curve in columns.items()}
    frames = _union([frames for frames, _, _, _ in read.values()])
    straight = all(straight for _, _, straight, _ in read.values()) and path in ("location", "rotation_quaternion", "scale")
    if not straight and len(frames) > 1:
        frames = np.union1d(frames, np.arange(np.ceil(frames[0]), np.floor(frames[-1]) + 1))
    values = np.empty((len(frames), WIDTHS[path]))
    added = np.ones(len(frames), dtype=bool)
    for index in range(WIDTHS[path]):
        if index not in read:
            values[:, index] = now[index]
            continue
        own_frames, own_values, _, own_added = read[index]
        if len(own_frames) == len(frames) and np.array_equal(own_frames, frames):
            values[:, index] = own_values
            added &= own_added
        else:
            values[:, index] = [columns[index].evaluate(frame) for frame in frames]
            added &= np.isin(frames, own_frames[own_added]) & straight
    if path == "location":
        return frames, bone.place.local_translations(values)
    if path == "scale":
        return frames, bone.place.local_scales(values)
    rotations = pose.rotations_from(_quaternions(values, path, pose_bone.rotation_mode))
    stay = pose.without_added(frames, rotations, added)
    return frames[stay], pose.rotations_from(bone.place.local_rotations(rotations[stay]))


def _union(lists):
    first = lists[0]
    if all(len(other) == len(first) and np.array_equal(other, first) for other in lists[1:]):
        return first
    return np.unique(np.concatenate(lists))


def _quaternions(values, path, mode):
    """Rows of x, y, z, w."""
    if path == "rotation_quaternion":
        return np.roll(values, -1, axis=1)
    if path == "rotation_axis_angle":
        turns = [Quaternion(row[1:], row[0]) for row in values]
    else:
        turns = [Euler(row, mode).to_quaternion() for row in values]
    return np.array([[turn.x, turn.y, turn.z, turn.w] for turn in turns])


def from_frames(action, rig, context, first, last):
    """The same, as Blender shows it on every whole frame, constraints and all."""
    scene, armature = context.scene, rig.object
    animation = armature.animation_data or armature.animation_data_create()
    before = animation.action, getattr(animation, "action_slot", None), scene.frame_current
    posed = [bone.matrix_basis.copy() for bone in armature.pose.bones]
    frames = np.arange(first, last + 1, dtype=float)
    matrices = np.empty((len(frames), len(rig.bones), 4, 4))
    try:
        assign(armature, action)
        rig.to_rest()
        for row, frame in enumerate(frames):
            scene.frame_set(int(frame))
            seen = armature.evaluated_get(context.evaluated_depsgraph_get()).pose.bones
            for bone in rig.bones:
                shown = seen[bone.name]
                matrices[row, bone.index] = (shown.parent.matrix.inverted_safe() @ shown.matrix) if shown.parent else shown.matrix
    finally:
        animation.action = before[0]
        if before[1] is not None:
            animation.action_slot = before[1]
        for bone, basis in zip(armature.pose.bones, posed):
            bone.matrix_basis = basis
        scene.frame_set(before[2])
    told = {}
    for bone in rig.bones:
        parts = [Matrix(matrix).decompose() for matrix in matrices[:, bone.index]]
        back = pose.inverse(bone.place.turn)
        told[bone.index, "translation"] = frames, pose.turned(back, np.array([translation for translation, _, _ in parts])) * bone.place.parent_size
        turns = np.array([[turn.x, turn.y, turn.z, turn.w] for _, turn, _ in parts])
        told[bone.index, "rotation"] = frames, pose.rotations_from(pose.multiply(back, turns))
        scales = bone.place.local_scales([scale for _, _, scale in parts])
        if np.abs(scales - 1).max() > 1e-5:
            told[bone.index, "scale"] = frames, scales
    return told
