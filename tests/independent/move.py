#!/usr/bin/env python3
"""Tells how far apart a GLB file and an AEM file made from it are drawn while they move.

Its mathematics are its own, from the documents of the two formats, so that it can judge
what a converter made of skins and animation. Of the converter it knows nothing but the
order in which meshes and triangles are written.

    python3 move.py [--triangles COUNT] GLB AEM [GLB AEM]...

For every pair it prints one JSON object on one line: for every clip its name, its
duration in both files, the moments that were looked at, and `distance`, the farthest
that a corner of a triangle is in one file from where it is in the other, as a part of
`size`, the diagonal of the box around the GLB's corners over those moments. Of a model
without clips and skins the places at rest are compared; AEM knows no rest pose of a skin.

What is held to be true: a skinned vertex of a GLB is the sum of weight × global matrix
of the joint × inverse bind matrix × position, whatever the node of its mesh does; any
other vertex is the global matrix of the node × position. A vertex of an AEM is the sum
of weight × product of the joints' matrices from the root × inverse bind matrix ×
position, or the position where no joint moves it. Meshes are drawn in the order of the
scene, depth first, and triangles keep their order. Morph targets are as they are at
rest: AEM has none, so a clip that moves them is not followed.
If files cannot be compared a message goes to standard error and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import math
import struct
import sys
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True  # the folder belongs to the sources

import read  # noqa: E402
from read import Bad, expect  # noqa: E402

PARTS_OF_DURATION = (0.0, 0.137, 1 / 3, 0.5, 0.713, 0.9, 1.0)
JUMP_SECS = 2e-4  # a step may take a little time, up to its key; no moment is so short before one


# --- matrices as 16 numbers, column by column, and quaternions as x y z w -------------

IDENTITY = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)


def product(a, b):
    return tuple(
        sum(a[4 * inner + row] * b[4 * column + inner] for inner in range(4))
        for column in range(4) for row in range(4)
    )


def moved(matrix, point):
    x, y, z = point
    return tuple(
        matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z + matrix[12 + row] for row in range(3)
    )


def is_mirroring(matrix):
    a, b, c, _, d, e, f, _, g, h, i = matrix[:11]
    return a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e) < 0


def composed(translation, rotation, scale):
    """Scaled, then turned, then moved."""
    x, y, z, w = rotation
    axes = (
        (1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
        (2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
        (2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)),
    )
    columns = [(*(value * factor for value in axis), 0.0) for axis, factor in zip(axes, scale)]
    return (*columns[0], *columns[1], *columns[2], *translation, 1.0)


def unit(values):
    length = math.sqrt(sum(value * value for value in values))
    expect(length > 0, "a rotation is no quaternion")
    return tuple(value / length for value in values)


def mixed(a, b, part):
    return tuple(x + (y - x) * part for x, y in zip(a, b))


def turned(a, b, part):
    """The rotation a part of the way from one to another along the shorter arc."""
    a, b = unit(a), unit(b)
    cosine = sum(x * y for x, y in zip(a, b))
    if cosine < 0:
        b, cosine = tuple(-value for value in b), -cosine
    if cosine > 1 - 1e-12:  # the sine is too small to divide by, and the arc is straight
        return unit(mixed(a, b, part))
    angle = math.acos(cosine)
    of_a, of_b = math.sin((1 - part) * angle), math.sin(part * angle)
    return unit(tuple((x * of_a + y * of_b) / math.sin(angle) for x, y in zip(a, b)))


# --- curves --------------------------------------------------------------------------

@dataclass
class Curve:
    """Keys over time; a key of a spline is a tangent, a value and a tangent."""

    interpolation: str
    times: list[float]
    keys: list
    is_rotation: bool

    def at(self, time):
        value = self.value_at(time)
        return unit(value) if self.is_rotation else value

    def value_at(self, time):
        after = bisect_right(self.times, time)
        if after == 0 or after == len(self.times):
            return self.key(after and after - 1)
        before = after - 1
        span = self.times[after] - self.times[before]
        part = (time - self.times[before]) / span
        if self.interpolation == "STEP":
            return self.key(before)
        if self.interpolation == "CUBICSPLINE":
            return self.spline(before, part, span)
        between = turned if self.is_rotation else mixed
        return between(self.key(before), self.key(after), part)

    def key(self, index):
        return self.keys[index][1] if self.interpolation == "CUBICSPLINE" else self.keys[index]

    def spline(self, before, t, span):
        _, start, out_of_start = self.keys[before]
        into_end, end, _ = self.keys[before + 1]
        factors = (
            2 * t ** 3 - 3 * t ** 2 + 1, span * (t ** 3 - 2 * t ** 2 + t),
            3 * t ** 2 - 2 * t ** 3, span * (t ** 3 - t ** 2),
        )
        terms = zip(start, out_of_start, end, into_end)
        return tuple(sum(f * value for f, value in zip(factors, term)) for term in terms)

    def jumps(self):
        """When a value jumps; nothing comes before the first key."""
        return self.times[1:] if self.interpolation == "STEP" else []


@dataclass
class Corner:
    """A corner of a triangle as it is stored, and what moves it: (weight, number of a matrix)."""

    position: tuple
    influences: list


# --- GLB -----------------------------------------------------------------------------

# component type: struct letter, what an integer is divided by where it is normalised
COMPONENTS = {
    5120: ("b", 127), 5121: ("B", 255), 5122: ("h", 32767), 5123: ("H", 65535), 5125: ("I", None), 5126: ("f", None),
}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
KNOWN_EXTENSIONS = {"KHR_materials_unlit", "KHR_texture_transform", "KHR_mesh_quantization"}
TRIANGLES, STRIP, FAN = 4, 5, 6


class Glb:
    """A GLB file: which corners it draws, and where its matrices are at a moment."""

    def __init__(self, data):
        self.json, self.binary = glb_chunks(data)
        unknown = set(self.json.get("extensionsRequired", ())) - KNOWN_EXTENSIONS
        expect(not unknown, f"the file requires {', '.join(sorted(unknown))}")
        self.cache = {}
        self.nodes = self.json.get("nodes", [])
        self.skins = self.json.get("skins", [])
        children = {child for node in self.nodes for child in node.get("children", ())}
        roots = [number for number in range(len(self.nodes)) if number not in children]
        self.parents = {child: number for number, node in enumerate(self.nodes) for child in node.get("children", ())}
        self.order = self.depth_first(roots)
        self.clips = [self.clip(animation) for animation in self.json.get("animations", ())]

        # The matrices of the nodes, then those of the joints of every skin: the
        # inverse bind matrix goes with its joint.
        self.bindings = []
        self.first_binding = []
        for skin in self.skins:
            self.first_binding.append(len(self.nodes) + len(self.bindings))
            inverse = skin.get("inverseBindMatrices")
            matrices = [IDENTITY] * len(skin["joints"]) if inverse is None else self.accessor(inverse)
            self.bindings += zip(skin["joints"], matrices)

    def depth_first(self, roots):
        order, pending = [], list(reversed(roots))
        while pending:
            number = pending.pop()
            order.append(number)
            expect(len(order) <= len(self.nodes), "the nodes are no tree")
            pending += reversed(self.nodes[number].get("children", ()))
        return order

    def view(self, number, offset, size):
        view = self.json["bufferViews"][number]
        expect(view["buffer"] == 0 and "uri" not in self.json["buffers"][0], "a buffer outside of the file")
        expect(offset + size <= view["byteLength"], "an accessor goes past its view")
        start = view.get("byteOffset", 0) + offset
        expect(start + size <= len(self.binary), "a view goes past the file")
        return self.binary[start:start + size]

    def elements(self, view, offset, component, width, count):
        letter, _ = COMPONENTS[component]
        packed = struct.Struct(f"<{width}{letter}")
        stride = self.json["bufferViews"][view].get("byteStride", packed.size)
        data = self.view(view, offset, stride * (count - 1) + packed.size if count else 0)
        return [packed.unpack_from(data, stride * number) for number in range(count)]

    def accessor(self, number):
        """The elements of an accessor as tuples, integers as numbers where they stand for such."""
        if number not in self.cache:
            self.cache[number] = self.decode(self.json["accessors"][number])
        return self.cache[number]

    def decode(self, accessor):
        component, count, width = accessor["componentType"], accessor["count"], WIDTHS[accessor["type"]]
        if "bufferView" in accessor:
            offset = accessor.get("byteOffset", 0)
            elements = self.elements(accessor["bufferView"], offset, component, width, count)
        else:
            elements = [(0,) * width] * count
        if "sparse" in accessor:
            sparse = accessor["sparse"]
            places, values = sparse["indices"], sparse["values"]
            where = self.elements(
                places["bufferView"], places.get("byteOffset", 0), places["componentType"], 1, sparse["count"])
            what = self.elements(values["bufferView"], values.get("byteOffset", 0), component, width, sparse["count"])
            for (place,), value in zip(where, what):
                elements[place] = value
        if accessor.get("normalized"):
            _, most = COMPONENTS[component]
            elements = [tuple(max(value / most, -1.0) for value in element) for element in elements]
        return elements

    def clip(self, animation):
        name, curves, duration = animation.get("name", ""), {}, 0.0
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            node, path = channel["target"].get("node"), channel["target"]["path"]
            times = [time for time, in self.accessor(sampler["input"])]
            duration = max(duration, times[-1])
            if node is None or path == "weights":
                continue
            keys = self.accessor(sampler["output"])
            interpolation = sampler.get("interpolation", "LINEAR")
            if interpolation == "CUBICSPLINE":
                keys = list(zip(keys[0::3], keys[1::3], keys[2::3]))
            expect(len(times) == len(keys) > 0, f"clip {name}: {len(times)} times for {len(keys)} keys")
            curves[node, path] = Curve(interpolation, times, keys, path == "rotation")
        return name, duration, curves

    def local(self, number, curves, time):
        node = self.nodes[number]
        if "matrix" in node:
            return tuple(node["matrix"])

        def value(path, otherwise):
            curve = curves.get((number, path))
            return curve.at(time) if curve else node.get(path, otherwise)

        return composed(
            value("translation", (0, 0, 0)), value("rotation", (0, 0, 0, 1)), value("scale", (1, 1, 1)))

    def matrices(self, clip, time):
        """Of every node, then of every joint of every skin."""
        curves = self.clips[clip][2] if clip is not None else {}
        world = [IDENTITY] * len(self.nodes)
        for number in self.order:
            local = self.local(number, curves, time)
            parent = self.parents.get(number)
            world[number] = local if parent is None else product(world[parent], local)
        return world + [product(world[joint], inverse) for joint, inverse in self.bindings]

    def triangles(self):
        """The corners of every triangle drawn, and the node it is drawn at."""
        scenes = self.json.get("scenes", [])
        roots = scenes[self.json.get("scene", 0)].get("nodes", []) if scenes else []
        found = []
        for number in self.depth_first(roots):
            node = self.nodes[number]
            if "mesh" not in node:
                continue
            for primitive in self.json["meshes"][node["mesh"]]["primitives"]:
                weights = node.get("weights", self.json["meshes"][node["mesh"]].get("weights", []))
                vertex = self.vertices(primitive, weights, number, node.get("skin"))
                count = self.json["accessors"][primitive["attributes"]["POSITION"]]["count"]
                indices = range(count)
                if "indices" in primitive:
                    indices = [index for index, in self.accessor(primitive["indices"])]
                drawn = triangles_of(indices, primitive.get("mode", TRIANGLES))
                found += ((vertex, corners, number) for corners in drawn)
        return found

    def morphed(self, primitive, weights):
        """The positions with the morph targets as they are at rest."""
        positions = self.accessor(primitive["attributes"]["POSITION"])
        for weight, target in zip(weights, primitive.get("targets", ())):
            if weight != 0 and "POSITION" in target:
                both = zip(positions, self.accessor(target["POSITION"]))
                positions = [tuple(x + weight * more for x, more in zip(*pair)) for pair in both]
        return positions

    def vertices(self, primitive, weights, node, skin):
        """What makes a corner of an index."""
        attributes = primitive["attributes"]
        positions = self.morphed(primitive, weights)
        if skin is None:
            return lambda index: Corner(positions[index], [(1.0, node)])
        first = self.first_binding[skin]
        sets = []
        while f"JOINTS_{len(sets)}" in attributes:
            sets.append(tuple(self.accessor(attributes[f"{name}_{len(sets)}"]) for name in ("JOINTS", "WEIGHTS")))

        def corner(index):
            pairs = (pair for joints, weights in sets for pair in zip(joints[index], weights[index]))
            return Corner(positions[index], [(weight, first + joint) for joint, weight in pairs if weight != 0])

        return corner


def glb_chunks(data):
    expect(len(data) >= 20, "too short for a GLB")
    magic, version, _, json_size, json_kind = struct.unpack_from("<4s 3I 4s", data)
    expect((magic, version, json_kind) == (b"glTF", 2, b"JSON"), "no GLB of version 2")
    after = 20 + json_size
    binary = b""
    if after + 8 <= len(data):
        size, kind = struct.unpack_from("<I 4s", data, after)
        expect(kind == b"BIN\0", "the second chunk is not binary")
        binary = data[after + 8:after + 8 + size]
    return json.loads(data[20:after]), binary


def triangles_of(indices, mode):
    """The corners of every triangle of a list of indices, in the order of drawing; none for points and lines."""
    if mode == TRIANGLES:
        return list(zip(indices[0::3], indices[1::3], indices[2::3]))
    runs = range(len(indices) - 2)
    if mode == STRIP:
        return [(indices[i], indices[i + 1 + i % 2], indices[i + 2 - i % 2]) for i in runs]
    if mode == FAN:
        return [(indices[i + 1], indices[i + 2], indices[0]) for i in runs]
    return []


# --- AEM -----------------------------------------------------------------------------

class Aem:
    """An AEM file: which corners it draws, and where its matrices are at a moment."""

    def __init__(self, data):
        # The other reader checks every index, and finds the dialect.
        name, dialect, _ = read.identify_and_read(data)
        expect(name == "aem", f"the second file is {name}")
        header, texture, _, _ = read.AEM_DIALECTS[dialect]
        cursor = read.Cursor(data)
        cursor.take(4, "magic and version")
        counts = cursor.many(header, "header")
        vertices, indices, image_size, textures, meshes, materials, joints, animations, tracks, keys = counts

        self.vertices = list(cursor.records("3f 44x 4i 4f", vertices, "vertex"))
        self.indices = [index for index, in cursor.records("I", indices, "index")]
        cursor.take(image_size, "image buffer")
        list(cursor.records(texture, textures, "texture"))
        self.meshes = list(cursor.records("3I", meshes, "mesh"))
        cursor.take(16 * materials, "materials")
        self.joints = [(tuple(values[:16]), values[16]) for values in cursor.records("128x 16f i", joints, "joint")]
        animations = list(cursor.records("128s f", animations, "animation"))
        tracks = list(cursor.records("4I", tracks, "track"))
        keys = list(cursor.records("5f", keys, "keyframe"))

        self.order = self.parents_first()
        self.clips = []
        for number, (name, duration) in enumerate(animations):
            own = tracks[number * joints:(number + 1) * joints]
            curves = [aem_curves(track, keys) for track in own]
            self.clips.append((read.lossy(read.before_nul(name)), duration, curves))

    def parents_first(self):
        order, known = [], set()
        for joint in range(len(self.joints)):
            chain = []
            while joint >= 0 and joint not in known:
                expect(joint not in chain, "the joints are no tree")
                chain.append(joint)
                joint = self.joints[joint][1]
            order += reversed(chain)
            known.update(chain)
        return order

    def matrices(self, clip, time):
        """Of every joint, with its inverse bind matrix; without a clip nothing moves."""
        if clip is None:
            return [IDENTITY] * len(self.joints)
        curves = self.clips[clip][2]
        world = [IDENTITY] * len(self.joints)
        for joint in self.order:
            local = composed(*(curve.at(time) for curve in curves[joint]))
            parent = self.joints[joint][1]
            world[joint] = local if parent < 0 else product(world[parent], local)
        return [product(matrix, inverse) for matrix, (inverse, _) in zip(world, self.joints)]

    def triangles(self):
        found = []
        for first, count, _ in self.meshes:
            own = self.indices[first:first + count]
            found += ((self.corner, corners, None) for corners in triangles_of(own, TRIANGLES))
        return found

    def corner(self, index):
        values = self.vertices[index]
        used = [(weight, joint) for joint, weight in zip(values[3:7], values[7:]) if joint >= 0 and weight != 0]
        return Corner(values[:3], used)


def aem_curves(track, keys):
    """Translation, rotation and scale of a joint."""
    first, *counts = track
    expect(all(counts), "a joint has no key of a kind, and the format no rest pose")
    curves = []
    for count, width in zip(counts, (3, 4, 3)):
        own = keys[first:first + count]
        curves.append(Curve("LINEAR", [key[0] for key in own], [key[1:1 + width] for key in own], width == 4))
        first += count
    return curves


# --- both ----------------------------------------------------------------------------

def place(corner, matrices):
    """Where a corner is; as it is stored if nothing moves it."""
    if not corner.influences:
        return corner.position
    places = [(weight, moved(matrices[number], corner.position)) for weight, number in corner.influences]
    return tuple(sum(weight * point[axis] for weight, point in places) for axis in range(3))


def apart(ours, theirs, is_mirrored):
    """How far two triangles are apart; which corner is the first does not matter, but which way round they go does.
    A matrix that mirrors turns that round."""
    if is_mirrored:
        ours = ours[::-1]
    turns = (ours[turn:] + ours[:turn] for turn in range(3))
    return min(max(math.dist(a, b) for a, b in zip(turn, theirs)) for turn in turns)


def evenly(things, most):
    """At most so many of a list, from all over it."""
    if len(things) <= most:
        return things
    return [things[number * len(things) // most] for number in range(most)]


def moments(clip):
    _, duration, curves = clip
    jumps = [time for curve in curves.values() for time in curve.jumps()]
    times = (part * duration for part in PARTS_OF_DURATION)
    return sorted({time for time in times if not any(0 < jump - time < JUMP_SECS for jump in jumps)})


def compare(glb, aem, most):
    ours, theirs = glb.triangles(), aem.triangles()
    expect(len(ours) == len(theirs), f"{len(ours)} triangles in the GLB, {len(theirs)} in the AEM")
    expect(len(glb.clips) == len(aem.clips), f"{len(glb.clips)} clips in the GLB, {len(aem.clips)} in the AEM")
    pairs = []
    for (our_vertex, our_corners, node), (their_vertex, their_corners, _) in evenly(list(zip(ours, theirs)), most):
        is_skinned = "skin" in glb.nodes[node]
        both = [our_vertex(index) for index in our_corners], [their_vertex(index) for index in their_corners]
        pairs.append((*both, None if is_skinned else node))

    def told(clip, times):
        distance, low, high = 0.0, [math.inf] * 3, [-math.inf] * 3
        for time in times:
            in_glb, in_aem = glb.matrices(clip, time), aem.matrices(clip, time)
            for our_corners, their_corners, node in pairs:
                here = [place(corner, in_glb) for corner in our_corners]
                there = [place(corner, in_aem) for corner in their_corners]
                # Which way round a triangle is stored follows from one pose: that at rest.
                off = apart(here, there, node is not None and is_mirroring(at_rest[node]))
                expect(math.isfinite(off), f"a corner is nowhere at {time} s")
                distance = max(distance, off)
                low = [min(axis) for axis in zip(low, *here)]
                high = [max(axis) for axis in zip(high, *here)]
        size = math.dist(low, high)
        expect(size > 0 and math.isfinite(size), "the model has no size")
        return {"moments": times, "size": size, "distance": distance / size}

    at_rest = glb.matrices(None, 0.0)
    if not pairs:
        return []
    if not glb.clips and not glb.skins:
        return [{"name": None, **told(None, [0.0])}]
    return [
        {"name": ours[0], "name_in_aem": theirs[0], "duration": ours[1], "duration_in_aem": theirs[1],
         **told(number, moments(ours))}
        for number, (ours, theirs) in enumerate(zip(glb.clips, aem.clips))
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--triangles", metavar="COUNT", type=int, default=300,
                        help="look at so many triangles at most, evenly chosen (300)")
    parser.add_argument("files", metavar="FILE", nargs="+")
    arguments = parser.parse_args()
    if len(arguments.files) % 2:
        parser.error("every GLB needs an AEM")

    failed = False
    for glb, aem in zip(arguments.files[0::2], arguments.files[1::2]):
        try:
            clips = compare(Glb(Path(glb).read_bytes()), Aem(Path(aem).read_bytes()), arguments.triangles)
        except (Bad, OSError, ValueError, KeyError, IndexError, struct.error) as error:
            print(f"{glb} and {aem}: {type(error).__name__}: {error}", file=sys.stderr)
            failed = True
            continue
        print(json.dumps({"glb": glb, "aem": aem, "clips": clips}, allow_nan=False))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
