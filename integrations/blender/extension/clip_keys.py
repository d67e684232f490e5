"""Keys of clips as Blender plays them right: it mixes the numbers of rotations where clips turn on the sphere, and has other splines."""

import numpy as np

from . import pose

RATES = (24.0, 25.0, 30.0, 50.0, 60.0, 120.0)


def on_frames(frames):
    """Times in single precision come out next to a frame; there they are meant to be."""
    whole = np.round(frames)
    return np.where(np.abs(frames - whole) < 2e-3, whole, frames)


def keys(track, rate):
    """Frames, values and which keys were added, so that straight lines between them show the track on every whole frame."""
    times = np.asarray(track.times, dtype=float)
    frames = on_frames(times * rate)
    values = np.asarray(track.values, dtype=float)
    if track.interpolation == "cubic-spline":
        every = np.union1d(frames, np.arange(np.ceil(frames[0]), np.floor(frames[-1]) + 1))
        added = ~np.isin(every, frames)
        values = pose.sample_spline(times, values, np.clip(every / rate, times[0], times[-1]))
        return every, pose.rotations_from(values) if track.property == "rotation" else values, added
    added = np.zeros(len(frames), dtype=bool)
    if track.property != "rotation":
        return frames, values, added
    rotations = pose.rotations_from(values)
    return pose.with_whole_frames(frames, rotations) if track.interpolation == "linear" else (frames, rotations, added)


def make_exact(scene, rate):
    """Gives the tracks of a scene the keys that Blender needs; how many were added."""
    count = 0
    for clip in scene.clips:
        for track in clip.tracks:
            if not len(track.times) or (track.interpolation != "cubic-spline" and track.property != "rotation"):
                continue
            frames, values, added = keys(track, rate)
            if track.interpolation == "cubic-spline" or added.any():
                track.set_keys((frames / rate).astype(np.float32), values.astype(np.float32), interpolation="step" if track.interpolation == "step" else "linear")
                count += int(added.sum())
    return count


def rate_of(scene):
    """The frame rate that all clips have which have one, else one whose frames all keys lie on; None if there is none."""
    known = [clip.frame_rate for clip in scene.clips if clip.frame_rate]
    if known:
        return known[0] if max(known) - min(known) <= 1e-3 * max(known) else None
    times = [np.asarray(track.times, dtype=float) for clip in scene.clips for track in clip.tracks if len(track.times)]
    if not times:
        return None
    times = np.unique(np.concatenate(times))
    return next((rate for rate in RATES if np.abs(times - np.round(times * rate) / rate).max() < 1e-4), None)
