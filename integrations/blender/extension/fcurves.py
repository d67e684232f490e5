"""Keys of actions, in bulk. Blender 4.4 gave actions slots and layers, and 5.0 took the curves of the action itself away; 4.2 has only those."""

import bpy
import numpy as np

LINEAR, CONSTANT = 1, 0


def _type_of_added_keys():
    """Keys that the importer adds are of a type of their own, so that an export can leave them out again."""
    types = bpy.types.Keyframe.bl_rna.properties["type"].enum_items
    name = "GENERATED" if "GENERATED" in types else "JITTER"
    return types[name].value


class Curves:
    """The curves of an action for one object."""

    def __init__(self, fcurves, groups):
        self.fcurves = fcurves
        self._groups = groups

    @staticmethod
    def new(action, thing):
        """Of an action that has none."""
        if not hasattr(action, "slots"):
            action.id_root = "OBJECT"
            return Curves(action.fcurves, action.groups)
        slot = action.slots.new(id_type="OBJECT", name=thing.name)
        strip = action.layers.new("Layer").strips.new(type="KEYFRAME")
        bag = strip.channelbag(slot, ensure=True)
        return Curves(bag.fcurves, bag.groups)

    @staticmethod
    def of(action, thing):
        """Of an action that is there: those of the object's slot, else of the first slot for objects; None if there are none."""
        if not hasattr(action, "slots"):
            return Curves(action.fcurves, action.groups)
        slot = slot_for(action, thing)
        for layer in action.layers if slot else ():
            for strip in layer.strips:
                bag = strip.channelbag(slot)
                if bag is not None:
                    return Curves(bag.fcurves, bag.groups)
        return None

    def group(self, name):
        return self._groups.new(name)

    def add(self, path, group, frames, values, added=None, interpolation=LINEAR):
        """One curve for each column of values."""
        keys = np.empty((len(frames), 2), dtype=np.float32)
        keys[:, 0] = frames
        kinds = np.full(len(frames), interpolation, dtype=np.uint8)
        for index, column in enumerate(np.asarray(values).T):
            keys[:, 1] = column
            curve = self.fcurves.new(path, index=index)
            curve.group = group
            points = curve.keyframe_points
            points.add(len(frames))
            points.foreach_set("co", keys.ravel())
            points.foreach_set("interpolation", kinds)
            if added is not None and added.any():
                points.foreach_set("type", np.where(added, _type_of_added_keys(), 0).astype(np.uint8))
            curve.update()


def slot_for(action, thing):
    animation = thing.animation_data
    if animation is not None and animation.action == action and animation.action_slot is not None:
        return animation.action_slot
    wanted = [slot for slot in action.slots if slot.target_id_type in ("OBJECT", "UNSPECIFIED")]
    named = [slot for slot in wanted if slot.name_display == thing.name]
    return next(iter(named or wanted), None)


def assign(thing, action):
    """Lets an object follow an action, with its slot where there are slots."""
    animation = thing.animation_data or thing.animation_data_create()
    animation.action = action
    if hasattr(action, "slots"):
        animation.action_slot = slot_for(action, thing)


def keys_of(curve):
    """Frames, values, whether all keys are straight lines, and which were added by the importer."""
    points = curve.keyframe_points
    keys = np.empty(2 * len(points), dtype=np.float32)
    points.foreach_get("co", keys)
    kinds, types = np.empty(len(points), dtype=np.int32), np.empty(len(points), dtype=np.int32)
    points.foreach_get("interpolation", kinds)
    points.foreach_get("type", types)
    keys = keys.reshape(-1, 2).astype(float)
    straight = bool((kinds[:-1] == LINEAR).all()) and not len(curve.modifiers)
    return keys[:, 0], keys[:, 1], straight, types == _type_of_added_keys()
