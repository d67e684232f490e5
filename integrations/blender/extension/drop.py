"""Files that are dropped into the 3D view."""

import bpy

from . import formats


def _in_a_view(context):
    return context.area is not None and context.area.type == "VIEW_3D"


class MAQUETTE_FH_models(bpy.types.FileHandler):
    bl_idname = "MAQUETTE_FH_models"
    bl_label = "Game models"
    bl_import_operator = "import_scene.maquette"
    bl_export_operator = "export_scene.maquette"
    bl_file_extensions = ";".join(formats.endings(formats.models()))

    @classmethod
    def poll_drop(cls, context):
        return _in_a_view(context)


class MAQUETTE_FH_clips(bpy.types.FileHandler):
    bl_idname = "MAQUETTE_FH_clips"
    bl_label = "Game clips"
    bl_import_operator = "import_anim.maquette"
    bl_file_extensions = ";".join(formats.endings(formats.clips()))

    @classmethod
    def poll_drop(cls, context):
        return _in_a_view(context)


def register():
    bpy.utils.register_class(MAQUETTE_FH_models)
    bpy.utils.register_class(MAQUETTE_FH_clips)


def unregister():
    bpy.utils.unregister_class(MAQUETTE_FH_clips)
    bpy.utils.unregister_class(MAQUETTE_FH_models)
