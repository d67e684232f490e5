"""Models out of the scene: Blender's glTF exporter makes a file of it, and the package makes another of that."""

import os

import bpy
import maquette
import numpy as np
from bpy_extras.io_utils import ExportHelper

from . import actions, formats, gltf_bridge, origin, timeline
from .report import Report, words

AUTO = "AUTO"


def export_model(path, context, wanted, options, report):
    """Writes the objects that are asked for to a file of the format `wanted`."""
    label = os.path.basename(path)
    things = _objects(context, options)
    if not things:
        raise ValueError("there is nothing to export: no object is selected" if options["what"] == "SELECTION" else "there is nothing to export")
    scene = gltf_bridge.fetch(context, _gltf_options(wanted, options, things), label, report)
    _restore_nodes(scene, things)
    _restore_clips(scene, things, timeline.rate(context.scene))
    extras, dialect = _way_back(things, wanted, options)
    if extras:
        scene.extras = {**origin.plain(scene.extras), **extras}
    written = maquette.write(
        scene, path, format=wanted.id, dialect=dialect, textures=options["textures"], max_size=options["max_size"] or None, optimize=options["optimize"], force=True
    )
    report.losses(label, written.losses)
    for note in written.notes:
        report.note(label, str(note))
    report.findings(label, written.findings())
    report.note(label, f"written as {written.format}, dialect {written.dialect}")
    return written


def _objects(context, options):
    if options["collection"]:
        collection = bpy.data.collections.get(options["collection"])
        return list(collection.all_objects) if collection else []
    if options["what"] == "SELECTION":
        chosen = set(context.selected_objects)
        return [thing for thing in context.view_layer.objects if thing in chosen]
    return list(context.view_layer.objects)


def _gltf_options(wanted, options, things):
    """The exporter's options that let everything through which the format holds; the package reports what it leaves out."""
    added = [thing for thing in things if thing.type == "ARMATURE" and origin.of(thing).get("added")]
    # The exporter takes them away only if all have one root, and gets it wrong below other objects: the package does it then.
    can_go = added and all(thing.parent is None and sum(bone.parent is None for bone in thing.data.bones) == 1 for thing in things if thing.type == "ARMATURE")
    return {
        "use_selection": options["what"] == "SELECTION" and not options["collection"],
        "collection": options["collection"],
        "export_apply": options["apply_modifiers"],
        "export_animations": options["animations"],
        "export_force_sampling": options["sample"],
        # An action without keys on every frame keeps those it has.
        "export_optimize_animation_size": True,
        "use_mesh_edges": bool(wanted.holds.get("lines")),
        "export_vertex_color": "ACTIVE" if wanted.holds.get("colours") else "MATERIAL",
        "export_armature_object_remove": bool(can_go),
        "export_rest_position_armature": True,
        # Bones that rest where the mesh was bound are posed where the file rests, and stay there where no curve moves them.
        "export_reset_pose_bones": not any(origin.REST in bone for thing in things if thing.type == "ARMATURE" for bone in thing.data.bones),
    }


def _restore_nodes(scene, things):
    """Names that Blender could not hold, the rest pose of the file, and the tree without what the importer added; its notes go."""
    added = []
    for node in scene.nodes:
        extras = origin.plain(node.extras)
        told = extras.get(origin.EXTRAS, {})
        left = {key: value for key, value in told.items() if key not in (origin.KEY, origin.NAME, origin.REST)}
        if len(left) == len(told):
            continue
        if origin.NAME in told:
            node.name = str(told[origin.NAME])
        rest = told.get(origin.REST, ())
        if len(rest) == origin.REST_LENGTH:
            node.translation, node.rotation, node.scale = rest[0:3], rest[3:7], rest[7:10]
        if isinstance(told.get(origin.KEY), dict) and told[origin.KEY].get("added"):
            added.append(node)
        extras.pop(origin.EXTRAS)
        node.extras = {**extras, origin.EXTRAS: left} if left else extras
    moved = {track.target.index for clip in scene.clips for track in clip.tracks if not isinstance(track.target, str)}
    for node in added:
        if node.index not in moved and np.allclose(node.matrix, np.eye(4), atol=1e-6):
            for child in node.children:
                child.parent = node.parent
    stems = {os.path.splitext(os.path.basename(origin.of(thing).get("file", "")))[0] for thing in things}
    for mesh in scene.meshes:
        if actions.unnumbered(mesh.name) in stems:
            mesh.name = ""


def _restore_clips(scene, things, rate):
    """What actions know of clips besides keys."""
    known = {}
    for thing in things:
        for action in actions.of_object(thing):
            known.setdefault(action.name, action)
    for clip in scene.clips:
        _make_steady(clip)
        action = known.get(clip.name) or bpy.data.actions.get(clip.name)
        group = origin.of(action)
        # A file that had no frame rate is not given one.
        clip.frame_rate = group.get("frame_rate") if group else rate
        if action is None:
            continue
        clip.name = group.get("name", actions.unnumbered(clip.name))
        clip.looped = actions.looped(action)
        clip.events = actions.events(action, rate)


def _make_steady(clip):
    """The exporter writes what does not change as two steps; one key says it, and formats that have no steps need no more."""
    for track in clip.tracks:
        values = np.asarray(track.values)
        if track.interpolation == "step" and len(values) and track.property != "morph weights" and (values == values[0]).all():
            track.set_keys(track.times[:1].copy(), values[:1].copy(), interpolation="linear")


def _way_back(things, wanted, options):
    """Extras and dialect of the file that the objects came from, if it was of the same format."""
    groups = [group for group in map(origin.of, things) if group.get("format") == wanted.id]
    dialects = {group.get("dialect") for group in groups}
    dialect = options["dialect"] if options["dialect"] != AUTO else (dialects.pop() if len(dialects) == 1 else None)
    files = {group.get("file") for group in groups}
    extras = origin.structure(groups[0], "extras") if len(files) == 1 else {}
    return extras, dialect


def _format_items(_self, _context):
    return FORMAT_ITEMS


def _dialect_items(self, _context):
    return DIALECT_ITEMS.get(self.format) or [AUTO_ITEM]


AUTO_ITEM = (AUTO, "Automatic", "That of the file it came from, else the one that loses least")
# Blender keeps no copies of these texts.
FORMAT_ITEMS = [(entry.id, entry.name, entry.about) for entry in formats.models()]
DIALECT_ITEMS = {entry.id: [AUTO_ITEM] + [(row["id"], row["id"], f"{row['about']} Read by {row['read_by']}") for row in entry.dialects] for entry in formats.models()}


class EXPORT_SCENE_OT_maquette(bpy.types.Operator, ExportHelper):
    """Export a game model"""

    bl_idname = "export_scene.maquette"
    bl_label = "Export game model"
    bl_options = {"REGISTER", "PRESET"}

    filename_ext = ""
    filter_glob: bpy.props.StringProperty(default=formats.pattern(formats.models()), options={"HIDDEN"})
    collection: bpy.props.StringProperty(name="Source collection", description="Export the objects of this collection alone", options={"HIDDEN"})
    format: bpy.props.EnumProperty(name="Format", items=_format_items)
    dialect: bpy.props.EnumProperty(name="Dialect", description="Which programs shall read it", items=_dialect_items)
    what: bpy.props.EnumProperty(name="Objects", items=(("ALL", "All", "Everything in the view layer"), ("SELECTION", "Selected", "Selected objects alone")), default="ALL")
    textures: bpy.props.EnumProperty(
        name="Texture quality",
        description="For formats that pack textures into blocks",
        items=(("fast", "Fast", ""), ("default", "Default", ""), ("high", "High", "Takes long"), ("none", "Not packed", "")),
        default="default",
    )
    max_size: bpy.props.IntProperty(name="Largest texture", description="Larger ones are made smaller; 0 leaves them as they are", default=0, min=0)
    optimize: bpy.props.BoolProperty(name="Optimise", description="Order triangles and vertices for graphics processors", default=False)
    animations: bpy.props.BoolProperty(name="Animation", default=True)
    sample: bpy.props.BoolProperty(name="Sample every frame", description="Bakes constraints and Blender's curves; without it keys stay as they are where they can", default=True)
    apply_modifiers: bpy.props.BoolProperty(name="Apply modifiers", description="But not armatures; leaves shape keys out", default=False)

    def execute(self, context):
        report = Report()
        wanted = _by_ending(self.filepath) or formats.by_id(self.format)
        keys = ("what", "dialect", "textures", "max_size", "optimize", "animations", "sample", "apply_modifiers", "collection")
        try:
            export_model(self.filepath, context, wanted, {key: getattr(self, key) for key in keys}, report)
            report.done += 1
        except (maquette.Error, OSError, RuntimeError, ValueError, gltf_bridge.NoBridge) as error:
            report.fail(os.path.basename(self.filepath), words(error))
        return report.finish(self, context, f"{os.path.basename(self.filepath)} is written")

    def invoke(self, context, event):
        self.filename_ext = formats.by_id(self.format).endings[0]
        return ExportHelper.invoke(self, context, event)

    def check(self, context):
        self.filename_ext = formats.by_id(self.format).endings[0]
        return ExportHelper.check(self, context)


def _by_ending(path):
    ending = os.path.splitext(path)[1].lower()
    return next((entry for entry in formats.models() if ending in entry.endings), None)


def menu(self, _context):
    for entry in formats.models():
        operator = self.layout.operator(EXPORT_SCENE_OT_maquette.bl_idname, text=f"{entry.name} ({', '.join(entry.endings)})")
        operator.format = entry.id


def register():
    bpy.utils.register_class(EXPORT_SCENE_OT_maquette)
    bpy.types.TOPBAR_MT_file_export.append(menu)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(menu)
    bpy.utils.unregister_class(EXPORT_SCENE_OT_maquette)
