"""What actions keep of clips: names, events as pose markers, the range, whether they repeat, and what is needed for the way back."""

import re

import bpy

from . import clip_keys, origin
from .fcurves import Curves


def complete(imported, scene, clip_names, known, rate):
    """Gives the actions that an import made what glTF has no words for."""
    tracks = {}
    holders = [holder for thing in imported.objects for holder in (thing, getattr(thing.data, "shape_keys", None)) if holder is not None]
    for holder in holders:
        for track in holder.animation_data.nla_tracks if holder.animation_data else ():
            for strip in track.strips:
                tracks.setdefault(track.name, []).append(strip.action)
    for clip, had in zip(scene.clips, clip_names):
        moved = {action for action in tracks.get(clip.name, ()) if action in imported.actions}
        for action in moved:
            # Blender 4.2 makes an action for each object, named after both.
            if len(moved) == 1:
                action.name = clip.name
            tell(action, clip, rate)
            origin.leave(action, format=known["format"], file=known["file"], name=had if had != action.name else None, extras=clip.extras)


def tell(action, clip, rate):
    """Events, range and repetition."""
    last = float(clip_keys.on_frames(clip.duration * rate))
    if last > 0:
        action.use_frame_range = True
        action.frame_start, action.frame_end = 0, last
    action.use_cyclic = bool(clip.looped)
    for seconds, name in clip.events:
        marker = action.pose_markers.new(name)
        marker.frame = round(seconds * rate)
        if marker.name != name:
            origin.leave(action, **{f"event {marker.name}": name})
    origin.leave(action, frame_rate=clip.frame_rate, looped=clip.looped)


def events(action, rate):
    """The pose markers as events: seconds and names, in the order of their times."""
    group = origin.of(action)
    told = [(marker.frame / rate, group.get(f"event {marker.name}", marker.name)) for marker in action.pose_markers]
    return sorted(told, key=lambda event: event[0])


def looped(action):
    """Whether it repeats; None if nobody said so."""
    left = origin.of(action).get("looped")
    return True if action.use_cyclic else (False if left is not None else None)


def unnumbered(name):
    """The name without the number that Blender puts behind one that is taken."""
    return re.sub(r"\.\d{3}$", "", name)


def of_object(thing):
    """The action an object follows, and those that wait in its tracks, each once."""
    found = []
    animation = thing.animation_data
    if animation is not None:
        candidates = [animation.action] + [strip.action for track in animation.nla_tracks for strip in track.strips]
        for action in candidates:
            if action is not None and action not in found:
                found.append(action)
    return found


def bones_of(action, armature):
    """The bones of an armature that an action has curves for."""
    curves = Curves.of(action, armature)
    named = {bone_of(curve.data_path) for curve in curves.fcurves} if curves is not None else set()
    return named & set(armature.data.bones.keys())


def bone_of(path):
    """The bone that a path of a curve is about, or an empty text."""
    match = re.match(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]', path)
    return bpy.utils.unescape_identifier(match.group(1)) if match else ""
