"""Game models and clips in Blender: what is registered, and nothing else.

| module | what it is |
|---|---|
| `pose` | transforms of many keys at once, in NumPy; knows nothing of Blender |
| `formats` | which formats there are, as the package tells |
| `origin` | what an import leaves on objects and actions for the way back |
| `rig` | the bones of an armature as nodes of a scene |
| `fcurves` | keys of actions, in bulk; actions with slots and without |
| `bind` | skeletons that rest elsewhere than their meshes were bound |
| `clip_keys` | keys of clips as Blender plays them right |
| `timeline` | frame rates |
| `gltf_bridge` | scenes of the package through Blender's glTF importer and exporter |
| `actions`, `names`, `images` | what actions, names and pictures need besides |
| `sampling` | keys of actions as local transforms |
| `report` | what was lost or found, as a panel |
| `import_models`, `export_models`, `import_clips`, `export_clips` | one operator each |
| `drop` | files dropped into the window |
"""

from . import drop, export_clips, export_models, import_clips, import_models, report

MODULES = (report, import_models, export_models, import_clips, export_clips, drop)


def register():
    for module in MODULES:
        module.register()


def unregister():
    for module in reversed(MODULES):
        module.unregister()
