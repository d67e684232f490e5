"""Actions of an armature as clips, a file for each."""

import os

import bpy
import maquette
import numpy as np
from bpy_extras.io_utils import ExportHelper

from . import actions, formats, origin, pose, sampling, timeline
from .import_clips import armature_for
from .report import Report, words
from .rig import Rig

DOUBLES = 1


def clip_scene(action, armature, context, wanted, options):
    """A scene that holds the action as a clip; the bones too, for formats that know them by their places."""
    group = origin.of(action)
    axes = options["axes"].lower()
    if axes == "auto":
        axes = origin.of(armature).get("axes") or group.get("axes") or "stored"
    rig = Rig(armature, axes)
    rate = timeline.rate(context.scene)
    first, last = (round(frame) for frame in action.frame_range)
    told = sampling.from_frames(action, rig, context, first, last) if options["keys"] == "FRAMES" else sampling.from_keys(action, rig)
    if not told and not len(action.pose_markers):
        raise ValueError(f"action {action.name!r} has no key for a bone of {armature.name!r}")
    by_name = wanted.holds["node_names"]
    scene = maquette.Scene() if by_name else rig.scene()
    nodes = list(scene.nodes)
    clip = scene.clips.add(group.get("name", actions.unnumbered(action.name)))
    as_imported = options["blend"] == "AUTO"
    if wanted.holds["blends"]:
        clip.blend = group.get("blend", "absolute") if as_imported else options["blend"].lower()
    own = {bone.index: blend for bone in rig.bones for name, blend in origin.structure(group, "blends").items() if name == bone.name} if as_imported and wanted.holds["blends"] else {}
    blends = pose.effective_blends([bone.parent for bone in rig.bones], own, clip.blend, group.get("scope", "both"))
    factor = options["scale"] / (group.get("scale", 1.0) if as_imported else 1.0)
    for (index, what), (frames, values) in told.items():
        bone = rig.bones[index]
        translation, rotation, _ = bone.rest
        if what == "translation":
            values = pose.relative_translations(blends[index], translation, values) * factor
        elif what == "rotation":
            values = pose.relative_rotations(blends[index], rotation, values)
        clip.add_track(bone.node_name if by_name else nodes[index], what, (np.asarray(frames) / rate).astype(np.float32), np.asarray(values, dtype=np.float32), blend=own.get(index))
    clip.duration = max([last / rate, *(float(frames[-1]) / rate for frames, _ in told.values())])
    clip.frame_rate = _rate(group.get("frame_rate"), rate, [frames for frames, _ in told.values()])
    clip.looped = actions.looped(action)
    clip.events = actions.events(action, rate)
    clip.extras = _extras(origin.structure(group, "extras"), options["precision"])
    return scene


def _rate(left, rate, lists):
    """The rate of the file an action came from, as long as every key lies on a frame of it."""
    if left and lists:
        frames = np.concatenate(lists) * (left / rate)
        if np.abs(frames - np.round(frames)).max() < 1e-2:
            return left
    return left if left and not lists else rate


def _extras(left, precision):
    """What the file had besides, with the precision that is asked for."""
    if precision == "AUTO":
        return left
    header = dict(left.get("seanim.header") or {})
    flags = header.get("data_property_flags", 0)
    header["data_property_flags"] = flags | DOUBLES if precision == "F64" else flags & ~DOUBLES
    return {**left, "seanim.header": header}


def export_clip(path, action, armature, context, wanted, options, report):
    label = os.path.basename(path)
    scene = clip_scene(action, armature, context, wanted, options)
    written = maquette.write(scene, path, format=wanted.id, force=True)
    report.losses(label, written.losses)
    report.findings(label, written.findings())


class EXPORT_ANIM_OT_maquette(bpy.types.Operator, ExportHelper):
    """Export actions of the active armature as clips"""

    bl_idname = "export_anim.maquette"
    bl_label = "Export clips"
    bl_options = {"REGISTER", "PRESET"}

    filename_ext = ""
    filter_glob: bpy.props.StringProperty(default=formats.pattern(formats.clips()), options={"HIDDEN"})
    format: bpy.props.EnumProperty(name="Format", items=lambda _self, _context: FORMAT_ITEMS)
    which: bpy.props.EnumProperty(
        name="Actions",
        items=(
            ("ACTIVE", "Active", "The action that the armature follows"),
            ("ALL", "All", "Every action with keys for its bones, each to a file of its own: model.action.seanim"),
        ),
        default="ACTIVE",
    )
    blend: bpy.props.EnumProperty(
        name="Values are",
        items=(
            ("AUTO", "As imported", "As in the file the action came from, else absolute"),
            ("ABSOLUTE", "Absolute", "Local transforms"),
            ("RELATIVE", "Relative to rest", "Locations as ways from the rest pose"),
            ("ADDITIVE", "Additive", "Locations and rotations as changes of the rest pose"),
        ),
        default="AUTO",
    )
    keys: bpy.props.EnumProperty(
        name="Keys",
        items=(
            ("KEYS", "As they are", "Those of the action; curves that are no straight lines get a key on every frame"),
            ("FRAMES", "On every frame", "As Blender shows it, constraints and drivers included"),
        ),
        default="KEYS",
    )
    precision: bpy.props.EnumProperty(
        name="Precision",
        items=(("AUTO", "As imported", "As in the file the action came from, else single"), ("F32", "Single", ""), ("F64", "Double", "")),
        default="AUTO",
    )
    axes: bpy.props.EnumProperty(
        name="Axes",
        items=(
            ("AUTO", "Automatic", "What the importer of the model, or of the clip, left"),
            ("GLTF", "Turned by glTF", "+Y shall point up in the file, as in glTF"),
            ("STORED", "As stored", "The bones as they lie"),
        ),
        default="AUTO",
    )
    scale: bpy.props.FloatProperty(name="Scale", description="What locations are multiplied by", default=1.0, min=1e-6, max=1e6, soft_min=0.01, soft_max=100)

    def execute(self, context):
        report = Report()
        armature = armature_for(context)
        chosen = self._actions(armature)
        if not chosen:
            report.fail("", "select the armature whose actions are meant" if armature is None else f"{armature.name!r} follows no action that moves its bones")
            return report.finish(self, context, "")
        options = {key: getattr(self, key) for key in ("blend", "keys", "precision", "axes", "scale")}
        wanted = next((entry for entry in formats.clips() if os.path.splitext(self.filepath)[1].lower() in entry.endings), None) or formats.by_id(self.format)
        for action in chosen:
            path = self.filepath if self.which == "ACTIVE" else _path_for(self.filepath, action, wanted)
            try:
                export_clip(path, action, armature, context, wanted, options, report)
                report.done += 1
            except (maquette.Error, OSError, RuntimeError, ValueError) as error:
                report.fail(os.path.basename(path), words(error))
        return report.finish(self, context, f"{report.done} of {len(chosen)} clips are written")

    def _actions(self, armature):
        if armature is None:
            return []
        if self.which == "ALL":
            return [action for action in bpy.data.actions if actions.bones_of(action, armature)]
        animation = armature.animation_data
        return [animation.action] if animation is not None and animation.action is not None else []

    def invoke(self, context, event):
        self.filename_ext = formats.by_id(self.format).endings[0]
        return ExportHelper.invoke(self, context, event)

    def check(self, context):
        self.filename_ext = formats.by_id(self.format).endings[0]
        return ExportHelper.check(self, context)


# Blender keeps no copies of these texts.
FORMAT_ITEMS = [(entry.id, entry.name, entry.about) for entry in formats.clips()]


def _path_for(path, action, wanted):
    """A file of its own, as the command's --each-clip names it."""
    stem, ending = os.path.splitext(path)
    name = "".join("_" if letter in '<>:"/\\|?*' or ord(letter) < 32 else letter for letter in action.name)
    return f"{stem}.{name}{ending or wanted.endings[0]}"


def menu(self, _context):
    for entry in formats.clips():
        operator = self.layout.operator(EXPORT_ANIM_OT_maquette.bl_idname, text=f"{entry.name} ({', '.join(entry.endings)})")
        operator.format = entry.id


def register():
    bpy.utils.register_class(EXPORT_ANIM_OT_maquette)
    bpy.types.TOPBAR_MT_file_export.append(menu)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(menu)
    bpy.utils.unregister_class(EXPORT_ANIM_OT_maquette)
