"""Clips onto an armature, an action for each: the package puts them onto its bones by name, and composes them with the rest pose."""

import os
import warnings

import bpy
import maquette
import numpy as np
from bpy_extras.io_utils import ImportHelper

from . import actions, clip_keys, fcurves, formats, names, origin, timeline
from .import_models import chosen
from .report import Report, words
from .rig import Rig, axes_of

PROPERTIES = {"translation": "location", "rotation": "rotation_quaternion", "scale": "scale"}


class Options:
    """What can be asked for, apart from the files."""

    def __init__(self, axes="AUTO", scale=1.0, frame_rate="AUTO", bone_map="", strip_prefix="", ignore_namespace=False, modifier_scope="both"):
        self.axes, self.scale, self.frame_rate = axes, scale, frame_rate
        self.matching = {
            "bone_map": bone_map or None,
            "strip_prefix": [prefix for prefix in strip_prefix.split(",") if prefix],
            "ignore_namespace": ignore_namespace,
            "modifier_scope": modifier_scope,
        }


def import_clips(path, armature, context, options, report):
    """Makes an action of each clip of a file; the actions."""
    label = os.path.basename(path)
    other = maquette.read(path)
    report.losses(label, other.losses)
    if options.scale != 1.0:
        other, lost = other.edit(scale=options.scale)
        report.losses(label, lost)
    axes = options.axes.lower()
    if axes == "auto":
        axes, why = axes_of(armature, other.clips)
        report.note(label, f"axes {'as glTF turns them' if axes == 'gltf' else 'as stored'}: {why}")
    rig = Rig(armature, axes)
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        placed, lost = rig.scene().edit(clips=[other], **options.matching)
    for note in notes:
        report.warn(label, str(note.message))
    report.losses(label, lost)
    rate = _choose_rate(other, context.scene, options, label, report)
    made = []
    for clip, before in zip(placed.clips, other.clips):
        made.append(_make_action(clip, before, rig, rate, label, report))
        _leave_origin(made[-1], clip, before, rig, options, {"format": other.format, "file": path})
    timeline.reach(context.scene, max((clip.duration for clip in placed.clips), default=0) * rate)
    return made


def play(armature, action):
    """Lets an armature follow an action; bones that it does not move go to rest."""
    Rig(armature, origin.of(armature).get("axes", "stored")).to_rest()
    for name in actions.bones_of(action, armature):
        armature.pose.bones[name].rotation_mode = "QUATERNION"
    fcurves.assign(armature, action)


def _choose_rate(other, scene, options, label, report):
    """The rate that seconds become frames with."""
    rate = clip_keys.rate_of(other)
    if rate is None or options.frame_rate == "KEEP" or abs(rate - timeline.rate(scene)) < 1e-3:
        return timeline.rate(scene)
    if options.frame_rate == "AUTO" and len(bpy.data.actions):
        report.note(label, f"it has {rate:g} frames a second; the scene keeps its {timeline.rate(scene):g}, because it is animated already, and keys may lie between frames")
        return timeline.rate(scene)
    timeline.set_rate(scene, rate)
    return timeline.rate(scene)


def _make_action(clip, before, rig, rate, label, report):
    taken = {action.name for action in bpy.data.actions}
    action = bpy.data.actions.new(names.fitting(clip.name or before.name, taken, os.path.splitext(label)[0]))
    action.use_fake_user = True
    curves = fcurves.Curves.new(action, rig.object)
    groups, added, connected = {}, 0, []
    for track in clip.tracks:
        bone = rig.bones[track.target.index]
        if track.property not in PROPERTIES or not len(track.times):
            continue
        if bone.name not in groups:
            groups[bone.name] = curves.group(bone.name)
        frames, values, extra = clip_keys.keys(track, rate)
        interpolation = fcurves.CONSTANT if track.interpolation == "step" else fcurves.LINEAR
        added += int(extra.sum())
        if track.property == "rotation":
            values = np.roll(bone.place.basis_rotations(values), 1, axis=1)
        elif track.property == "translation":
            values = bone.place.basis_translations(values)
            if bone.is_connected:
                connected.append(bone.name)
        else:
            values = bone.place.basis_scales(values)
        curves.add(f"{bone.path}.{PROPERTIES[track.property]}", groups[bone.name], frames, values, extra, interpolation)
    if added:
        report.note(label, f"{added} keys were added on whole frames, because Blender goes otherwise from key to key; they are of a type of their own, and an export leaves them out")
    if connected:
        report.warn(label, f"Blender moves no bone that is connected to its parent: {listed(connected)} stay where they are; clear Connected to let them move")
    odd = [bone.name for bone in rig.bones if not bone.inherits]
    if odd:
        report.warn(label, f"these bones do not follow their parents in everything, and so move otherwise than the clip says: {listed(odd)}")
    actions.tell(action, clip, rate)
    return action


def _leave_origin(action, clip, before, rig, options, known):
    """What a file said that an action has no words for."""
    bones = {bone.node_name.lower(): bone.name for bone in rig.bones}
    own = {}
    for track in before.tracks:
        if track.blend is not None and isinstance(track.target, str) and track.target.lower() in bones:
            own[bones[track.target.lower()]] = track.blend
    origin.leave(
        action,
        **known,
        name=clip.name if clip.name != action.name else None,
        blend=before.blend,
        blends=own,
        scope=options.matching["modifier_scope"],
        axes=rig.axes,
        scale=options.scale,
        extras=before.extras,
    )


def listed(names, most=6):
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def armature_for(context):
    """The armature that is meant: the active one, that of the active mesh, the only selected one, or the only one there is."""
    active = context.view_layer.objects.active
    if active is not None and active.type == "ARMATURE":
        return active
    if active is not None and active.find_armature() is not None:
        return active.find_armature()
    selected = [thing for thing in context.view_layer.objects if thing.type == "ARMATURE" and thing.select_get()]
    there = [thing for thing in context.view_layer.objects if thing.type == "ARMATURE"]
    for candidates in (selected, there):
        if len(candidates) == 1:
            return candidates[0]
    return None


class IMPORT_ANIM_OT_maquette(bpy.types.Operator, ImportHelper):
    """Import clips onto the active armature, an action for each; several files at once"""

    bl_idname = "import_anim.maquette"
    bl_label = "Import clips"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    files: bpy.props.CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: bpy.props.StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    filter_glob: bpy.props.StringProperty(default=formats.pattern(formats.clips()), options={"HIDDEN"})

    axes: bpy.props.EnumProperty(
        name="Axes",
        description="How the axes of root bones stand to those of the file",
        items=(
            ("AUTO", "Automatic", "What the importer of the model left, else what brings the roots nearer to the first keys"),
            ("GLTF", "Turned by glTF", "+Y points up in the file, and the armature came through glTF"),
            ("STORED", "As stored", "The bones lie as the file has them"),
        ),
        default="AUTO",
    )
    scale: bpy.props.FloatProperty(name="Scale", description="What locations are multiplied by: 2.54 from inches to centimetres", default=1.0, min=1e-6, max=1e6, soft_min=0.01, soft_max=100)
    frame_rate: bpy.props.EnumProperty(
        name="Frame rate",
        description="Which frame rate the scene has afterwards",
        items=(
            ("AUTO", "From the clip", "That of the clip, if nothing in the scene is animated yet; clips last as long in any case"),
            ("SET", "Always from the clip", "That of the clip, even if other actions play faster or slower then"),
            ("KEEP", "As it is", "Keep the scene's"),
        ),
        default="AUTO",
    )
    bone_map: bpy.props.StringProperty(name="Bone map", description="A file of lines: clip bone = model bone; nothing behind the sign leaves the bone out", subtype="FILE_PATH")
    strip_prefix: bpy.props.StringProperty(name="Strip prefix", description="Beginnings of bone names to pass over on both sides, with commas between them")
    ignore_namespace: bpy.props.BoolProperty(name="Ignore namespace", description="mixamorig:Hips is Hips", default=False)
    modifier_scope: bpy.props.EnumProperty(
        name="Modifiers are for",
        description="Where one bone is blended in a way of its own: which bones that is for",
        items=(
            ("both", "The bone and those below", "Up to the next that has one of its own"),
            ("self", "The bone alone", ""),
            ("children", "Those below", "But not the bone"),
        ),
        default="both",
    )

    def execute(self, context):
        report = Report()
        armature = armature_for(context)
        if armature is None:
            report.fail("", "select the armature that the clips are for")
            return report.finish(self, context, "")
        options = Options(self.axes, self.scale, self.frame_rate, bpy.path.abspath(self.bone_map), self.strip_prefix, self.ignore_namespace, self.modifier_scope)
        made = []
        for path in chosen(self):
            try:
                made += import_clips(path, armature, context, options, report)
                report.done += 1
            except (maquette.Error, OSError, RuntimeError) as error:
                report.fail(os.path.basename(path), words(error))
        if made:
            play(armature, made[0])
        return report.finish(self, context, f"{len(made)} clips on {armature.name}")

    def invoke(self, context, event):
        # Dropped files are known already; what is left are the options.
        if self.directory and len(self.files):
            return self.invoke_popup(context)
        return ImportHelper.invoke(self, context, event)


def menu(self, _context):
    self.layout.operator(IMPORT_ANIM_OT_maquette.bl_idname, text=f"Game clips ({formats.listed(formats.clips())})")


def register():
    bpy.utils.register_class(IMPORT_ANIM_OT_maquette)
    bpy.types.TOPBAR_MT_file_import.append(menu)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu)
    bpy.utils.unregister_class(IMPORT_ANIM_OT_maquette)
