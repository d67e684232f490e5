"""Transforms of many keys at once, in NumPy. Nothing here knows Blender, so it is tested alone.

A *local* transform says where a node is in its parent: `translation`, `rotation` (x, y, z, w), `scale`. A *basis* is what Blender keys: where a pose
bone is from its rest place. With the rest place `E` of a bone in its parent and the turn `A` of its axes,

    E · basis = A · local

`A` is a quarter-turn about X for the roots of an armature that came through glTF, whose +Y points up where Blender's +Z does, and nothing for all other
bones: the importer keeps their axes. Rest places have no scale in Blender, so translation and rotation come apart and the scale is the same on both sides.

Quaternions are rows of x, y, z, w, as in the package; Blender's w, x, y, z are made where they are keyed.
"""

import numpy as np

# From +Y up to +Z up: a quarter-turn about X.
TO_Z_UP = np.array([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])
NO_TURN = np.array([0.0, 0.0, 0.0, 1.0])

# How far, in radians, a rotation between two keys may be off where Blender mixes numbers and the clip turns on the sphere.
TURN_TOLERANCE = 2e-5


def multiply(a, b):
    """The products of quaternions: first `b`, then `a`."""
    a, b = np.asarray(a), np.asarray(b)
    ax, ay, az, aw = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bx, by, bz, bw = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    product = np.empty(np.broadcast_shapes(a.shape, b.shape))
    product[..., 0] = aw * bx + ax * bw + ay * bz - az * by
    product[..., 1] = aw * by - ax * bz + ay * bw + az * bx
    product[..., 2] = aw * bz + ax * by - ay * bx + az * bw
    product[..., 3] = aw * bw - ax * bx - ay * by - az * bz
    return product


def inverse(q):
    """The opposite turns of unit quaternions."""
    return np.asarray(q) * [-1.0, -1.0, -1.0, 1.0]


def matrix(q):
    """The 3 × 3 matrix of one unit quaternion."""
    x, y, z, w = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])


def quaternion(m):
    """The unit quaternion of a 3 × 3 rotation, by the largest of its four numbers."""
    m = np.asarray(m, dtype=float)
    squares = np.array([
        1 + m[0, 0] - m[1, 1] - m[2, 2],
        1 - m[0, 0] + m[1, 1] - m[2, 2],
        1 - m[0, 0] - m[1, 1] + m[2, 2],
        1 + m[0, 0] + m[1, 1] + m[2, 2],
    ])
    rows = {
        0: [squares[0], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0], m[2, 1] - m[1, 2]],
        1: [m[0, 1] + m[1, 0], squares[1], m[1, 2] + m[2, 1], m[0, 2] - m[2, 0]],
        2: [m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], squares[2], m[1, 0] - m[0, 1]],
        3: [m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], squares[3]],
    }
    q = np.array(rows[int(np.argmax(squares))])
    return q / np.linalg.norm(q)


def turned(q, vectors):
    """Vectors, one a row, turned by one quaternion."""
    return np.asarray(vectors) @ matrix(q).T


def rotations_from(values):
    """Unit quaternions without jumps: of a turn's two quaternions the one nearer to the key before."""
    q = np.array(values, dtype=float).reshape(-1, 4)
    lengths = np.linalg.norm(q, axis=1, keepdims=True)
    q = np.where(lengths > 0, q / np.where(lengths > 0, lengths, 1), NO_TURN)
    signs = np.where(np.einsum("ij,ij->i", q[1:], q[:-1]) < 0, -1.0, 1.0)
    q[1:] *= np.cumprod(signs)[:, None]
    return q


class Place:
    """Where one bone rests in its parent, and how its axes are turned against those of the node it stands for."""

    def __init__(self, translation, rotation, turn=NO_TURN, size=1.0, parent_size=1.0):
        self.translation = np.asarray(translation, dtype=float)
        self.rotation = np.asarray(rotation, dtype=float)
        self.turn = np.asarray(turn, dtype=float)
        # What the axes of the bone, and of its parent, are multiplied by against those of their nodes.
        self.size, self.parent_size = size, parent_size

    def rest(self):
        """The node's local transform at rest."""
        back = inverse(self.turn)
        return turned(back, self.translation[None])[0] * self.parent_size, multiply(back, self.rotation)

    def basis_translations(self, values):
        return turned(inverse(self.rotation), turned(self.turn, np.asarray(values) / self.parent_size) - self.translation)

    def basis_rotations(self, values):
        return multiply(multiply(inverse(self.rotation), self.turn), values)

    def local_translations(self, basis):
        return turned(inverse(self.turn), turned(self.rotation, basis) + self.translation) * self.parent_size

    def local_rotations(self, basis):
        return multiply(multiply(inverse(self.turn), self.rotation), basis)

    def basis_scales(self, values):
        return np.asarray(values) * (self.size / self.parent_size)

    def local_scales(self, basis):
        return np.asarray(basis) * (self.parent_size / self.size)


def slerp(a, b, amounts):
    """Between unit quaternions on the shorter way, one amount a row."""
    dots = np.einsum("ij,ij->i", a, b)
    b = np.where(dots[:, None] < 0, -b, b)
    angles = np.arccos(np.clip(np.abs(dots), 0.0, 1.0))
    sines = np.sin(angles)
    flat = sines < 1e-6
    safe = np.where(flat, 1.0, sines)
    first = np.where(flat, 1 - amounts, np.sin((1 - amounts) * angles) / safe)
    second = np.where(flat, amounts, np.sin(amounts * angles) / safe)
    q = first[:, None] * a + second[:, None] * b
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def mixing_error(a, b):
    """By how many radians a mix of numbers, made a unit again, strays at most from the turn on the sphere."""
    half = np.arccos(np.clip(np.abs(np.einsum("ij,ij->i", a, b)), 0.0, 1.0))
    # Both agree at the ends and in the middle; between, the gap is widest near a fifth of the way.
    amounts = np.linspace(0.15, 0.25, 5)[:, None]
    mixed = np.arctan2(amounts * np.sin(half), (1 - amounts) + amounts * np.cos(half))
    return 2 * np.abs(mixed - amounts * half).max(axis=0)


def with_whole_frames(frames, rotations, tolerance=TURN_TOLERANCE):
    """Keys of a rotation, and more of them on whole frames where mixing numbers would stray from the sphere.

    Returns frames, rotations, and for each key whether it was added.
    """
    frames, rotations = np.asarray(frames, dtype=float), np.asarray(rotations, dtype=float)
    if len(frames) < 2:
        return frames, rotations, np.zeros(len(frames), dtype=bool)
    # Those that have a whole frame between them.
    wide = np.ceil(frames[1:] - 1e-6) - np.floor(frames[:-1] + 1e-6) > 1
    strays = np.flatnonzero(wide & (mixing_error(rotations[:-1], rotations[1:]) > tolerance))
    if not len(strays):
        return frames, rotations, np.zeros(len(frames), dtype=bool)
    new_frames, first = [], []
    for index in strays:
        between = np.arange(np.floor(frames[index] + 1e-6) + 1, np.ceil(frames[index + 1] - 1e-6))
        new_frames.append(between)
        first.append(np.full(len(between), index))
    new_frames, first = np.concatenate(new_frames), np.concatenate(first)
    amounts = (new_frames - frames[first]) / (frames[first + 1] - frames[first])
    made = slerp(rotations[first], rotations[first + 1], amounts)
    all_frames = np.concatenate([frames, new_frames])
    order = np.argsort(all_frames, kind="stable")
    added = np.concatenate([np.zeros(len(frames), dtype=bool), np.ones(len(new_frames), dtype=bool)])[order]
    return all_frames[order], rotations_from(np.concatenate([rotations, made])[order]), added


def without_added(frames, rotations, added, tolerance=1e-3):
    """The other way round: leaves out added keys that still say what the keys around them do; which keys stay."""
    frames, rotations = np.asarray(frames, dtype=float), np.asarray(rotations, dtype=float)
    stay = ~np.asarray(added, dtype=bool)
    if stay.all() or not stay.any():
        return np.ones(len(frames), dtype=bool)
    own, extra = np.flatnonzero(stay), np.flatnonzero(~stay)
    after = np.searchsorted(own, extra)
    lone = (after == 0) | (after == len(own))
    after = np.clip(after, 1, len(own) - 1)
    a, b = own[after - 1], own[after]
    amounts = (frames[extra] - frames[a]) / np.maximum(frames[b] - frames[a], 1e-9)
    expected = slerp(rotations[a], rotations[b], amounts)
    off = 2 * np.arccos(np.clip(np.abs(np.einsum("ij,ij->i", expected, rotations[extra])), 0.0, 1.0))
    stay[extra[lone | (off > tolerance)]] = True
    return stay


def sample_spline(times, values, moments):
    """Cubic splines as glTF has them, three rows a key: tangent in, value, tangent out."""
    times, moments = np.asarray(times, dtype=float), np.asarray(moments, dtype=float)
    width = np.asarray(values).shape[-1]
    rows = np.asarray(values, dtype=float).reshape(len(times), 3, width)
    if len(times) == 1:
        return np.repeat(rows[:, 1], len(moments), axis=0)
    index = np.clip(np.searchsorted(times, moments, side="right") - 1, 0, len(times) - 2)
    length = times[index + 1] - times[index]
    u = np.clip((moments - times[index]) / np.where(length > 0, length, 1), 0.0, 1.0)[:, None]
    length = length[:, None]
    return (
        (2 * u**3 - 3 * u**2 + 1) * rows[index, 1]
        + (u**3 - 2 * u**2 + u) * length * rows[index, 2]
        + (-2 * u**3 + 3 * u**2) * rows[index + 1, 1]
        + (u**3 - u**2) * length * rows[index + 1, 0]
    )


def effective_blends(parents, own, clip_blend, scope):
    """What each bone's keys are relative to: its own blend, or that of the nearest bone above that reaches down to it.

    `parents` are indices, -1 for roots, parents before children; `own` maps indices to blends; `scope` is `both`, `self` or `children`.
    """
    reaching, effective = [], []
    for index, parent in enumerate(parents):
        above = reaching[parent] if parent >= 0 else None
        mine = own.get(index)
        below = above if scope == "self" else (mine or above)
        reaching.append(None if scope == "self" else below)
        here = above if scope == "children" else (mine or above)
        effective.append(here or clip_blend)
    return effective


def relative_translations(blend, rest, values):
    """What a file of this kind stores for local translations."""
    return values if blend == "absolute" else np.asarray(values) - rest


def relative_rotations(blend, rest, values):
    """What a file of this kind stores for local rotations."""
    return multiply(inverse(rest), values) if blend == "additive" else values
