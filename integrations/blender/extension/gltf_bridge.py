"""Scenes of the package through Blender's own glTF importer and exporter, by way of a temporary file."""

import io
import os
import tempfile
from contextlib import contextmanager, redirect_stderr, redirect_stdout

import bpy
import maquette

from . import timeline


class NoBridge(Exception):
    """Blender's glTF add-on cannot be used."""


class Imported:
    """What an import brought."""

    def __init__(self, before):
        self.objects = [thing for thing in bpy.data.objects if thing not in before.objects]
        self.actions = [action for action in bpy.data.actions if action not in before.actions]
        self.images = [image for image in bpy.data.images if image not in before.images]

    @property
    def roots(self):
        return [thing for thing in self.objects if thing.parent is None or thing.parent not in self.objects]

    @property
    def armatures(self):
        return [thing for thing in self.objects if thing.type == "ARMATURE"]


class Before:
    """What was there."""

    def __init__(self):
        self.objects, self.actions, self.images = set(bpy.data.objects), set(bpy.data.actions), set(bpy.data.images)


def bring(scene, context, label, report):
    """Imports a scene of the package."""
    _must_be_there("import_scene")
    content = maquette.write(scene, format="gltf", dialect="binary", textures="none")
    wanted = {
        # Bones keep the axes of their nodes, and are drawn as Blender draws bones.
        "bone_heuristic": "BLENDER",
        "disable_bone_shape": True,
        "guess_original_bind_pose": False,
        "import_pack_images": True,
        "merge_vertices": False,
        "import_scene_extras": False,
        "import_scene_as_collection": False,
        "import_merge_material_slots": False,
    }
    before = Before()
    with _temporary_file() as path:
        with open(path, "wb") as file:
            file.write(content.bytes)
        with timeline.as_gltf_reads_it(context.scene), _heard(label, report):
            bpy.ops.import_scene.gltf(filepath=path, **_known(bpy.ops.import_scene.gltf, wanted))
    return Imported(before), content


def fetch(context, options, label, report):
    """Exports what is asked for, and reads it into a scene of the package."""
    _must_be_there("export_scene")
    wanted = {
        "export_format": "GLB",
        "export_yup": True,
        "export_extras": True,
        "export_all_influences": True,
        "export_morph_normal": True,
        **options,
    }
    with _temporary_file() as path:
        with timeline.as_gltf_reads_it(context.scene), _heard(label, report):
            bpy.ops.export_scene.gltf(filepath=path, **_known(bpy.ops.export_scene.gltf, wanted))
        with open(path, "rb") as file:
            return maquette.read(file.read(), name="blender.glb")


@contextmanager
def _heard(label, report):
    """Takes what the glTF add-on tells from the console to the report, and its progress to nowhere."""
    before, bpy.app.debug_value = bpy.app.debug_value, 1
    said = io.StringIO()
    try:
        with redirect_stdout(said), redirect_stderr(said):
            yield
    finally:
        bpy.app.debug_value = before
        for line in filter(None, map(str.strip, said.getvalue().splitlines())):
            # It looks for a compression that is not asked for.
            if "INFO" in line or "Draco mesh compression" in line:
                continue
            report.warn(label, f"Blender's glTF add-on: {line}")


def _known(operator, wanted):
    """Options that this Blender's operator has; they differ from version to version."""
    known = operator.get_rna_type().properties.keys()
    return {key: value for key, value in wanted.items() if key in known}


def _must_be_there(module):
    if not hasattr(getattr(bpy.types, module.upper() + "_OT_gltf", None), "bl_rna"):
        raise NoBridge("Blender's glTF add-on is switched off; models travel through it: switch it on in Preferences, Add-ons, glTF 2.0 format")


@contextmanager
def _temporary_file():
    """A path that nothing lies at afterwards."""
    handle, path = tempfile.mkstemp(suffix=".glb", dir=bpy.app.tempdir or None)
    os.close(handle)
    try:
        yield path
    finally:
        if os.path.exists(path):
            os.remove(path)
