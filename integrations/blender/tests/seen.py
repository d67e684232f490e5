"""What Blender shows, for comparisons with what the package says."""

import bpy
import numpy as np
from mathutils.kdtree import KDTree


def vertices():
    """Every drawn vertex where it is now, +Y up, mesh objects in the order they were made."""
    graph = bpy.context.evaluated_depsgraph_get()
    found = []
    for thing in bpy.data.objects:
        if thing.type != "MESH":
            continue
        evaluated = thing.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", points)
        points = points.reshape(-1, 3).astype(float)
        world = np.array(evaluated.matrix_world)
        points = points @ world[:3, :3].T + world[:3, 3]
        evaluated.to_mesh_clear()
        found.append(points @ np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]).T)
    return found


def at_frame(frame):
    scene = bpy.context.scene
    whole = int(np.floor(frame + 1e-6))
    scene.frame_set(whole, subframe=max(0.0, min(frame - whole, 0.999999)))


def holders():
    """Everything that follows actions."""
    things = [holder for thing in bpy.data.objects for holder in (thing, getattr(thing.data, "shape_keys", None)) if holder]
    return [holder for holder in things if holder.animation_data]


def clips():
    """The names of clips in Blender, and one action of each."""
    return {track.name: strip.action for holder in holders() for track in holder.animation_data.nla_tracks for strip in track.strips}


def play(name):
    """Lets everything follow this clip, and nothing follow anything else."""
    for holder in holders():
        animation = holder.animation_data
        strip = next((strip for track in animation.nla_tracks if track.name == name for strip in track.strips), None)
        for track in animation.nla_tracks:
            track.mute = True
        animation.action = strip.action if strip else None
        if strip and hasattr(strip, "action_slot"):
            animation.action_slot = strip.action_slot


def farthest(points, others):
    """The largest way from a point to the nearest of others."""
    tree = KDTree(len(others))
    for index, point in enumerate(others):
        tree.insert(point, index)
    tree.balance()
    return max((tree.find(point)[2] for point in points), default=0.0)


def nearest_gap(points, others):
    """The same both ways, for sets in different orders."""
    return max(farthest(points, others), farthest(others, points))
