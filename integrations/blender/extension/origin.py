"""What an import leaves for the way back: one group of custom properties, `maquette`, on objects, armatures and actions.

| on | keys |
|---|---|
| objects without a parent, armatures | `format`, `dialect`, `file`, `extras` |
| armatures | `axes`, `added`: whether the object stands for no node of the file |
| bones, where the file's name does not fit | the property `maquette_name` |
| bones, where the file rests elsewhere than the bone does | the property `maquette_rest`: translation, rotation, scale, and the sizes of its axes and of its parent's (`bind`) |
| actions | `format`, `file`, `blend`, `blends`, `scope`, `looped`, `frame_rate`, `extras` |
"""

import json
from collections.abc import Mapping

KEY = "maquette"
NAME = "maquette_name"
REST = "maquette_rest"
REST_LENGTH = 12

# What the package calls the extras of a glTF file, which are Blender's custom properties.
EXTRAS = "gltf.extras"


def leave(thing, **facts):
    """Adds to the group; values that are None are left out, and structures become JSON."""
    group = dict(of(thing))
    group.update({key: _flat(value) for key, value in facts.items() if value is not None})
    thing[KEY] = group


def of(thing):
    """The group of a thing; empty if it has none."""
    group = thing.get(KEY) if thing is not None else None
    return group.to_dict() if hasattr(group, "to_dict") else {}


def structure(group, key):
    """A structure that was left; empty if it cannot be read any more."""
    try:
        value = json.loads(group.get(key) or "{}")
    except (TypeError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def plain(value):
    """A structure of the package, which cannot be changed, as one that can."""
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return value


def _flat(value):
    return json.dumps(plain(value)) if isinstance(value, (Mapping, list, tuple)) else value
