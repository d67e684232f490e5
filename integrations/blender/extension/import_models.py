"""Models into the scene: the package reads the file, Blender's glTF importer makes objects of it, and what glTF has no words for is added."""

import os

import bpy
import maquette
from bpy_extras.io_utils import ImportHelper

from . import actions, bind, clip_keys, formats, gltf_bridge, images, names, origin, timeline
from .report import Report, words
from .rig import Rig


class Options:
    """What can be asked for, apart from the files."""

    def __init__(self, frame_rate="AUTO", textures="PACK", scale=1.0, z_up=False, restore_size=False, keys="EXACT"):
        self.frame_rate, self.textures, self.scale, self.z_up, self.restore_size, self.keys = frame_rate, textures, scale, z_up, restore_size, keys


def import_model(path, context, options, report):
    """Imports one file."""
    label = os.path.basename(path)
    scene = maquette.read(path, size="original" if options.restore_size else "as-stored")
    report.losses(label, scene.losses)
    known = {"format": scene.format, "dialect": scene.dialect, "file": path, "extras": scene.extras}
    if options.scale != 1.0 or options.z_up:
        scene, lost = scene.edit(scale=options.scale if options.scale != 1.0 else None, up="z" if options.z_up else "y")
        report.losses(label, lost)
    _choose_rate(scene, context.scene, options, label, report)
    clip_names = _name_clips(scene, os.path.splitext(label)[0])
    _keep_names(scene)
    _name_meshes(scene, os.path.splitext(label)[0])
    images.fill_missing(scene, path, label, report)
    if options.keys == "EXACT":
        added = clip_keys.make_exact(scene, timeline.rate(context.scene))
        if added:
            report.note(label, f"{added} keys were added on whole frames, because Blender goes otherwise from key to key")
    posed = bind.settle(scene, label, report)
    _keep_rest(scene)
    imported, written = gltf_bridge.bring(scene, context, label, report)
    report.losses(label, written.losses)
    _leave_origin(imported, scene, known)
    if posed:
        for armature in imported.armatures:
            Rig(armature, "gltf").to_rest()
    actions.complete(imported, scene, clip_names, known, timeline.rate(context.scene))
    longest = max((clip.duration for clip in scene.clips), default=0.0)
    timeline.reach(context.scene, longest * timeline.rate(context.scene))
    if options.textures == "BESIDE":
        images.put_beside(imported.images, path, label, report)
    return imported


def _choose_rate(scene, blender_scene, options, label, report):
    """Before the import, because the importer puts keys onto frames of the rate there is."""
    rate = clip_keys.rate_of(scene)
    if options.frame_rate == "KEEP" or rate is None or abs(rate - timeline.rate(blender_scene)) < 1e-3:
        return
    if len(bpy.data.actions):
        report.note(label, f"its clips have {rate:g} frames a second; the scene keeps its {timeline.rate(blender_scene):g}, because it is animated already")
        return
    timeline.set_rate(blender_scene, rate)


def _name_clips(scene, stem):
    """Gives clips names that the importer keeps; the names they had."""
    had, taken = [], {action.name for action in bpy.data.actions}
    for clip in scene.clips:
        had.append(clip.name)
        clip.name = names.fitting(clip.name, taken, stem)
    return had


def _keep_names(scene):
    """Leaves the names of nodes on them where Blender would change them; bones that have none are called as the package calls them."""
    nodes = list(scene.nodes)
    for index in names.at_risk([node.name for node in nodes]):
        node = nodes[index]
        if not node.name and node.mesh is not None:
            continue
        extras = origin.plain(node.extras)
        extras[origin.EXTRAS] = {**extras.get(origin.EXTRAS, {}), origin.NAME: node.name}
        node.extras = extras
        node.name = node.name or f"node{index}"


def _keep_rest(scene):
    """Leaves the rest pose on nodes that move and are no bones: the keys of an object replace it in Blender, those of a bone do not."""
    moved = {track.target.index for clip in scene.clips for track in clip.tracks if not isinstance(track.target, str)}
    if not moved:
        return
    nodes = list(scene.nodes)
    for index in moved - bind.bones(scene):
        bind.leave_rest(nodes[index], nodes[index].translation, nodes[index].rotation, nodes[index].scale)


def _name_meshes(scene, stem):
    """Meshes without a name are called by their file; nodes without one are called by their mesh then."""
    for mesh in scene.meshes:
        mesh.name = mesh.name or stem


def _leave_origin(imported, scene, known):
    node_names = {node.name for node in scene.nodes}
    for thing in {*imported.roots, *imported.armatures}:
        origin.leave(thing, **known)
    for armature in imported.armatures:
        # An armature that stands for no node was made for the bones alone.
        origin.leave(armature, axes="gltf", added=actions.unnumbered(armature.name) not in node_names, joints={"names": _joints(armature, scene)})


def _joints(armature, scene):
    """The joints of the skin that an armature was made for, by name, in the file's order."""
    bones = {bone.get(origin.NAME) or bone.name for bone in armature.data.bones}
    lists = [[joint.name for joint in skin.joints] for skin in scene.skins]
    return next((joints for joints in lists if bones.issuperset(joints)), [])


class IMPORT_SCENE_OT_maquette(bpy.types.Operator, ImportHelper):
    """Import game models; several files at once"""

    bl_idname = "import_scene.maquette"
    bl_label = "Import game models"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    files: bpy.props.CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: bpy.props.StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    filter_glob: bpy.props.StringProperty(default=formats.pattern(formats.models()), options={"HIDDEN"})

    frame_rate: bpy.props.EnumProperty(
        name="Frame rate",
        description="Which frame rate the scene has afterwards",
        items=(
            ("AUTO", "From clips", "That of the clips, if all have the same and nothing in the scene is animated yet"),
            ("KEEP", "As it is", "Keep the scene's"),
        ),
        default="AUTO",
    )
    keys: bpy.props.EnumProperty(
        name="Keys",
        items=(
            ("EXACT", "Exact", "Add keys on whole frames where Blender would go otherwise from key to key: wide turns, splines"),
            ("STORED", "As stored", "No more keys than the file has"),
        ),
        default="EXACT",
    )
    textures: bpy.props.EnumProperty(
        name="Textures",
        items=(
            ("PACK", "Packed", "Inside the .blend file"),
            ("BESIDE", "Beside the model", "As files in a folder beside the model"),
        ),
        default="PACK",
    )
    scale: bpy.props.FloatProperty(name="Scale", description="What every length is multiplied by", default=1.0, min=1e-6, max=1e6, soft_min=0.01, soft_max=100)
    z_up: bpy.props.BoolProperty(name="Z is up in the file", description="The file has +Z up where its format has +Y", default=False)
    restore_size: bpy.props.BoolProperty(name="Restore size", description="Give NLM models that are stored at unit size the size they had", default=False)

    def execute(self, context):
        report = Report()
        options = Options(self.frame_rate, self.textures, self.scale, self.z_up, self.restore_size, self.keys)
        for path in chosen(self):
            try:
                import_model(path, context, options, report)
                report.done += 1
            except (maquette.Error, OSError, RuntimeError, gltf_bridge.NoBridge) as error:
                report.fail(os.path.basename(path), words(error))
        return report.finish(self, context, f"{report.done} of {report.done + report.failed} imported")

    def invoke(self, context, event):
        # Dropped files are known already; what is left are the options.
        if self.directory and len(self.files):
            return self.invoke_popup(context)
        return ImportHelper.invoke(self, context, event)


def chosen(operator):
    """The paths that an operator was given."""
    named = [file.name for file in operator.files if file.name]
    if named:
        folder = operator.directory or os.path.dirname(operator.filepath)
        return [os.path.join(folder, name) for name in named]
    return [operator.filepath] if operator.filepath else []


def menu(self, _context):
    self.layout.operator(IMPORT_SCENE_OT_maquette.bl_idname, text=f"Game models ({formats.listed(formats.models())})")


def register():
    bpy.utils.register_class(IMPORT_SCENE_OT_maquette)
    bpy.types.TOPBAR_MT_file_import.append(menu)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu)
    bpy.utils.unregister_class(IMPORT_SCENE_OT_maquette)
