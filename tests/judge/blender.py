"""What Blender makes of glTF files: counts, and where vertices are at moments of a clip.

Blender's importer shares nothing with this project, so it is an independent judge. `cargo xtask judge --blender` fetches it and has it
look at files made from every format. By hand:

    target/judge/blender/bin/python tests/judge/blender.py model.glb ..                one JSON object a line
    target/judge/blender/bin/python tests/judge/blender.py --poses 5 model.glb ..      with the places of vertices at 5 moments a clip

Counted are meshes, vertices and triangles that are drawn, bones of all armatures, and actions. Vertices of edges that belong to
no triangle count too. The importer adds a shape to draw bones with, `Icosphere`, which belongs to no file and is left out.
"""

import argparse
import contextlib
import io
import json
import os
import sys

import bpy

BONE_SHAPE = "Icosphere"


def load(path):
    """Imports a file into an empty scene; what Blender prints goes nowhere."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with contextlib.redirect_stdout(io.StringIO()):
        # A guess at the bind pose from the inverse bind matrices goes wrong where bones have a scale; nodes tell the rest pose.
        options = {"import_pack_images": True, "merge_vertices": False, "guess_original_bind_pose": False}
        bpy.ops.import_scene.gltf(filepath=path, **options)


def mesh_objects():
    """Objects that draw a mesh of the file, in the order of their names."""
    shapes = {bone.custom_shape for thing in bpy.data.objects if thing.type == "ARMATURE" for bone in thing.pose.bones}
    drawn = (thing for thing in bpy.data.objects if thing.type == "MESH" and thing not in shapes)
    return sorted((thing for thing in drawn if not thing.name.startswith(BONE_SHAPE)), key=lambda thing: thing.name)


def counts(path):
    """The counts of the file that is loaded."""
    drawn = mesh_objects()
    for thing in drawn:
        thing.data.calc_loop_triangles()
    return {
        "file": path,
        "meshes": len(drawn),
        "vertices": sum(len(thing.data.vertices) for thing in drawn),
        "triangles": sum(len(thing.data.loop_triangles) for thing in drawn),
        "bones": sum(len(armature.bones) for armature in bpy.data.armatures),
        "actions": len(bpy.data.actions),
    }


def play(action):
    """Lets whatever the action was made for follow it, and nothing else follow anything."""
    for thing in bpy.data.objects:
        if thing.animation_data is None:
            continue
        for track in thing.animation_data.nla_tracks:
            track.mute = True
        thing.animation_data.action = None
        for bone in thing.pose.bones if thing.pose else ():
            bone.matrix_basis.identity()
        for slot in action.slots:
            if slot.target_id_type == "OBJECT" and slot.identifier == "OB" + thing.name:
                thing.animation_data.action = action
                thing.animation_data.action_slot = slot


def points():
    """Every drawn vertex where it is now, with +Y up again."""
    found = []
    graph = bpy.context.evaluated_depsgraph_get()
    for thing in mesh_objects():
        evaluated = thing.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        for vertex in mesh.vertices:
            x, y, z = evaluated.matrix_world @ vertex.co
            found.append([x, z, -y])
        evaluated.to_mesh_clear()
    return found


def poses(moments):
    """For each action, the box around all vertices at each of some moments, and every vertex."""
    rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    told = []
    for action in bpy.data.actions:
        play(action)
        start, end = action.frame_range
        for moment in range(moments):
            frame = start + (end - start) * moment / max(moments - 1, 1)
            bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
            told.append({"action": action.name, "secs": frame / rate, "points": points()})
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--poses", type=int, default=0, metavar="MOMENTS")
    arguments = parser.parse_args()
    for path in arguments.files:
        load(os.path.abspath(path))
        told = counts(path)
        if arguments.poses:
            told["poses"] = poses(arguments.poses)
        print(json.dumps(told))
        sys.stdout.flush()


main()
