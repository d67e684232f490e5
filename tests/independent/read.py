#!/usr/bin/env python3
"""A second reader for AEM, NLM, SEAnim, PMDL (with PANI and PMAT) and BMW files.

It was written from the documents of the formats alone, without sight of any other
implementation, so that what it finds in a file can be compared with what another
reader finds, and so that it can judge what another writer has written.

    python3 read.py [--dialect NAME] FILE...

For every file it prints one JSON object on one line: the format, the dialect, and
counts as they are stored. A file is accepted only if one dialect's layout consumes it
to its last byte; otherwise a message goes to standard error and the exit status is 1.
Nothing is repaired, and nothing but the standard library is needed.
"""

from __future__ import annotations

import argparse
import json
import math
import struct
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path


class Bad(Exception):
    """The bytes do not follow the layout that is being tried."""


class Cursor:
    """Reads little-endian values from front to back, never past the end."""

    def __init__(self, data):
        self.data = memoryview(data)
        self.at = 0

    @property
    def left(self):
        return len(self.data) - self.at

    def take(self, size, what):
        if size > self.left:
            raise Bad(f"{what} at byte {self.at} needs {size} bytes, {self.left} are left")
        self.at += size
        return self.data[self.at - size:self.at]

    def many(self, layout, what):
        """The values of a struct layout, as a tuple."""
        return struct.unpack("<" + layout, self.take(struct.calcsize("<" + layout), what))

    def one(self, layout, what):
        return self.many(layout, what)[0]

    def u32(self, what):
        return self.one("I", what)

    def records(self, layout, count, what):
        """`count` packed records of one struct layout, lazily, each a tuple."""
        packed = struct.Struct("<" + layout)
        return packed.iter_unpack(self.take(packed.size * count, f"{count} × {what}"))

    def text(self, size, what):
        """A string of a known number of bytes."""
        return bytes(self.take(size, what))

    def counted_text(self, what):
        """A string after its length as u32."""
        return self.text(self.u32(f"length of {what}"), what)

    def terminated_text(self, what):
        """A string up to a NUL, which is consumed."""
        end = self.data.obj.find(b"\0", self.at)
        if end < 0:
            raise Bad(f"{what} at byte {self.at} has no NUL")
        return self.text(end + 1 - self.at, what)[:-1]

    def finish(self):
        if self.left:
            raise Bad(f"the layout ends at byte {self.at}, {self.left} bytes are left over")


@dataclass
class Clip:
    name: str
    duration_secs: float | None
    tracks: int
    keys: int


@dataclass
class Model:
    """What is told about a file; the fields every format shares."""

    meshes: int = 0
    vertices: int = 0
    indices: int = 0
    triangles: int = 0
    lines: int = 0
    materials: int = 0
    textures: int = 0
    nodes: int = 0
    joints: int = 0
    clips: list[Clip] = field(default_factory=list)
    bounds: dict | None = None

    def include(self, position):
        """Widens the bounds by a position, unless a component of it is not finite."""
        if not all(map(math.isfinite, position)):
            return
        if self.bounds is None:
            self.bounds = {"min": list(position), "max": list(position)}
            return
        low, high = self.bounds["min"], self.bounds["max"]
        for axis, value in enumerate(position):
            if value < low[axis]:
                low[axis] = value
            if value > high[axis]:
                high[axis] = value


def lossy(raw):
    return raw.decode("utf-8", errors="replace")


def before_nul(raw):
    return bytes(raw).split(b"\0", 1)[0]


def seconds(duration, rate=1.0):
    """Ticks over ticks per second; None where that is no finite number."""
    if rate == 0:
        return None
    value = duration / rate
    return value if math.isfinite(value) else None


def expect(truth, message):
    if not truth:
        raise Bad(message)


# --- AEM ---------------------------------------------------------------------------

# The header after magic and version, whose counts are always in the same order, and a
# texture: offset, width, height, wrap x, wrap y, then channels and compression where
# the dialect has them.
AEM_NARROW_HEADER = "2I I 7I"
AEM_WIDE_HEADER = "2I Q 7I 4x"
AEM_DIALECTS = {
    # dialect: header, texture, has channels, has compression
    "document": (AEM_NARROW_HEADER, "I 5I", False, True),
    "channels": (AEM_NARROW_HEADER, "I 6I", True, True),
    "wide": (AEM_WIDE_HEADER, "Q 6I", True, True),
    "wide-early": (AEM_WIDE_HEADER, "Q 4I", False, False),
    "wide-compression": (AEM_WIDE_HEADER, "Q 5I 4x", False, True),
}
AEM_UNCOMPRESSED, AEM_BC5, AEM_BC7 = 0, 1, 2


def read_aem(data, dialect):
    header, texture_layout, has_channels, has_compression = AEM_DIALECTS[dialect]
    cursor = Cursor(data)
    magic, version = cursor.many("3s B", "header")
    expect(magic == b"AEM", "the magic is not AEM")
    expect(version == 1, f"version {version}, not 1")
    (
        vertex_count, index_count, image_size, texture_count, mesh_count, material_count,
        joint_count, animation_count, track_count, key_count,
    ) = cursor.many(header, "header")

    vertices = cursor.records("3f 44x 4i 4f", vertex_count, "vertex")
    indices = cursor.records("I", index_count, "index")
    cursor.take(image_size, "image buffer")
    textures = list(cursor.records(texture_layout, texture_count, "texture"))
    meshes = list(cursor.records("3I", mesh_count, "mesh"))
    materials = cursor.records("4I", material_count, "material")
    joints = cursor.records("128s 64x i", joint_count, "joint")
    animations = cursor.records("128s f", animation_count, "animation")
    tracks = list(cursor.records("4I", track_count, "track"))
    cursor.take(20 * key_count, f"{key_count} × keyframe")
    cursor.finish()

    model = Model(
        meshes=mesh_count, vertices=vertex_count, indices=index_count,
        triangles=sum(count // 3 for _, count, _ in meshes),
        materials=material_count, textures=texture_count, joints=joint_count,
    )
    aem_check_textures(textures, image_size, has_channels, has_compression)

    for number, values in enumerate(vertices):
        model.include(values[:3])
        for joint, weight in zip(values[3:7], values[7:]):
            # A slot with weight 0 or a negative index is unused.
            expect(joint < joint_count or weight == 0,
                   f"vertex {number} names joint {joint} of {joint_count}")
    for number, (index,) in enumerate(indices):
        expect(index < vertex_count, f"index {number} is {index}, of {vertex_count} vertices")
    for number, (first, count, material) in enumerate(meshes):
        expect(count == 0 or first + count <= index_count,
               f"mesh {number} ends at index {first + count} of {index_count}")
        expect(material < material_count,
               f"mesh {number} names material {material} of {material_count}")
    for number, (*of_material, _) in enumerate(materials):
        for texture in of_material:
            expect(texture < texture_count,
                   f"material {number} names texture {texture} of {texture_count}")
    for number, (_, parent) in enumerate(joints):
        expect(-1 <= parent < joint_count,
               f"joint {number} has parent {parent}, of {joint_count} joints")

    expect(track_count == joint_count * animation_count,
           f"{track_count} tracks for {animation_count} animations of {joint_count} joints")
    for number, (first, *counts) in enumerate(tracks):
        expect(sum(counts) == 0 or first + sum(counts) <= key_count,
               f"track {number} ends at keyframe {first + sum(counts)} of {key_count}")
    for number, (name, duration) in enumerate(animations):
        own = tracks[number * joint_count:(number + 1) * joint_count]
        keys = sum(sum(counts) for _, *counts in own)
        driven = sum(any(counts) for _, *counts in own)
        model.clips.append(Clip(lossy(before_nul(name)), seconds(duration), driven, keys))
    return model


def aem_check_textures(textures, image_size, has_channels, has_compression):
    """The mip chains must tile the image buffer: no gap, no overlap, no rest."""
    chains = []
    for number, (offset, width, height, _, _, *rest) in enumerate(textures):
        channels = rest.pop(0) if has_channels else None
        compression = rest.pop(0) if has_compression else AEM_UNCOMPRESSED
        expect(width and height, f"texture {number} is {width} × {height} pixels")
        expect(channels in (None, 2, 4), f"texture {number} has {channels} channels")
        expect(compression in (AEM_UNCOMPRESSED, AEM_BC5, AEM_BC7),
               f"texture {number} has compression {compression}")
        if compression != AEM_UNCOMPRESSED:
            sizes = [aem_chain_of_blocks(width, height)]
        elif channels is not None:
            sizes = [aem_chain_of_pixels(width, height, channels)]
        else:
            # Where no channels are stored, four are meant, but some writers stored two.
            sizes = [aem_chain_of_pixels(width, height, channels) for channels in (4, 2)]
        chains.append((offset, number, sizes))
    chains.sort()

    expected = 0
    ends = [offset for offset, _, _ in chains[1:]] + [image_size]
    for (offset, number, sizes), end in zip(chains, ends):
        expect(offset == expected,
               f"texture {number} begins at image byte {offset}, not at {expected}")
        expect(end - offset in sizes,
               f"texture {number} has room for {end - offset} bytes, "
               f"its mip chain takes {' or '.join(map(str, sizes))}")
        expected = end
    expect(expected == image_size, f"no texture uses the {image_size} image bytes")


def aem_levels(width, height):
    """The sizes of all levels, down to and with 1 × 1."""
    yield width, height
    while width > 1 or height > 1:
        width, height = max(1, width // 2), max(1, height // 2)
        yield width, height


def aem_chain_of_pixels(width, height, channels):
    return sum(w * h * channels for w, h in aem_levels(width, height))


def aem_chain_of_blocks(width, height):
    return sum((w + 3) // 4 * ((h + 3) // 4) * 16 for w, h in aem_levels(width, height))


# --- NLM ---------------------------------------------------------------------------

NLM_DIALECTS = {
    # dialect: is there a hash before the magic, magic
    "document": (True, b"MODL"),
    "engine": (True, b"LDOM"),
    "engine-12": (False, b"LDOM"),
    "document-12": (False, b"MODL"),
}


def read_nlm(data, dialect):
    has_hash, expected_magic = NLM_DIALECTS[dialect]
    cursor = Cursor(data)
    if has_hash:
        cursor.u32("hash")
    magic, version, animated = cursor.many("4s 2I", "header")
    expect(magic == expected_magic, f"the magic is not {expected_magic.decode()}")
    expect(version == 2, f"version {version}, not 2")
    cursor.take(24, "bounding box")

    model = Model(meshes=cursor.u32("mesh count"))
    for _ in range(model.meshes):
        vertex_count, index_count = cursor.many("2I", "mesh header")
        for position in cursor.records("3f 64x", vertex_count, "vertex"):
            model.include(position)
        cursor.take(4 * index_count, f"{index_count} × index")
        texture_size = cursor.u32("texture size")
        cursor.take(texture_size, "texture")

        model.vertices += vertex_count
        model.indices += index_count
        if index_count % 3 != 0 and index_count % 2 == 0:
            model.lines += index_count // 2
        else:
            model.triangles += index_count // 3
        model.textures += texture_size > 0

    if animated:
        duration, ticks_per_second = cursor.many("f i", "animation")
        model.joints = cursor.u32("bone info count")
        joints = {node for (node,) in cursor.records("i 68x", model.joints, "bone info")}

        clip = Clip("", seconds(duration, ticks_per_second), 0, 0)
        for _ in range(cursor.u32("bone count")):
            _, _, positions, rotations, scales = cursor.many("2i 3I", "bone")
            cursor.take(16 * positions + 20 * rotations + 16 * scales, "keys of a bone")
            clip.keys += positions + rotations + scales
            clip.tracks += positions + rotations + scales > 0
        model.clips.append(clip)

        for _ in range(cursor.u32("node count")):
            (node,) = cursor.many("i 64x", "node")
            model.nodes += node not in joints
            cursor.take(4 * cursor.u32("child count"), "children of a node")

    cursor.finish()
    return model


# --- SEAnim ------------------------------------------------------------------------

SEANIM_DIALECTS = ("1.0.2", "1.0.1")
SEANIM_LOC, SEANIM_ROT, SEANIM_SCALE = 1, 2, 4
SEANIM_BONE = SEANIM_LOC | SEANIM_ROT | SEANIM_SCALE
SEANIM_NOTE, SEANIM_CUSTOM = 0x40, 0x80
SEANIM_HIGH_PRECISION = 1
SEANIM_HEADER_END = 36
SEANIM_BLEND = b"SEBlend\n"


def read_seanim(data, dialect):
    # Without any channel the document has no bone block, but most writers have one.
    try:
        return seanim_parse(data, dialect, block_without_channels=True)
    except Bad:
        return seanim_parse(data, dialect, block_without_channels=False)


def seanim_parse(data, dialect, block_without_channels):
    cursor = Cursor(data)
    magic, version, header_size = cursor.many("6s 2H", "header")
    expect(magic == b"SEAnim", "the magic is not SEAnim")
    expect(version == 1, f"version {version}, not 1")
    (
        _type, _flags, presence, properties, framerate, frame_count, bone_count,
        modifier_count, note_count,
    ) = cursor.many("4B 2x f 2I B 3x I", "header")
    # 0x1C counts the size field itself; 0x1A is the same header without it.
    expect(header_size == 0x1A or header_size >= 0x1C, f"a header of {header_size} bytes")
    cursor.take(max(8 + header_size, SEANIM_HEADER_END) - SEANIM_HEADER_END, "more header")

    model = Model(joints=bone_count)
    clip = Clip("", seconds(max(frame_count - 1, 0), framerate), 0, 0)
    model.clips.append(clip)
    frame_t = seanim_frame_type(frame_count, dialect)

    if presence & SEANIM_BONE or (bone_count and block_without_channels):
        for _ in range(bone_count):
            cursor.terminated_text("bone name")
        for _ in range(modifier_count):
            cursor.many(seanim_unsigned(bone_count) + "B", "modifier")
        number = struct.calcsize("d" if properties & SEANIM_HIGH_PRECISION else "f")
        key_sizes = [
            struct.calcsize("<" + frame_t) + components * number
            for flag, components in ((SEANIM_LOC, 3), (SEANIM_ROT, 4), (SEANIM_SCALE, 3))
            if presence & flag
        ]
        for _ in range(bone_count):
            cursor.take(1, "bone flags")
            before = clip.keys
            for key_size in key_sizes:
                key_count = cursor.one(frame_t, "key count")
                cursor.take(key_size * key_count, f"{key_count} × key")
                clip.keys += key_count
            clip.tracks += clip.keys > before

    if presence & SEANIM_NOTE:
        for _ in range(note_count):
            cursor.one(frame_t, "frame of a note")
            cursor.terminated_text("note")
    if presence & SEANIM_CUSTOM:
        cursor.take(cursor.u32("custom size"), "custom block")
    if bytes(cursor.data[cursor.at:cursor.at + len(SEANIM_BLEND)]) == SEANIM_BLEND:
        seanim_skip_blend_shapes(cursor)
    cursor.finish()
    return model


def seanim_unsigned(largest):
    """The narrowest unsigned integer that holds a value."""
    return "B" if largest <= 0xFF else "H" if largest <= 0xFFFF else "I"


def seanim_frame_type(frame_count, dialect):
    if dialect == "1.0.1":
        frame_count = (frame_count - 1) & 0xFFFFFFFF  # as C computes it in a uint32_t
    return seanim_unsigned(frame_count)


def seanim_skip_blend_shapes(cursor):
    """The trailer that one exporter adds, most often without any shape in it."""
    cursor.take(len(SEANIM_BLEND), "trailer")
    shape_count = cursor.one("Q", "shape count")
    expect(shape_count <= cursor.left, f"{shape_count} shapes in {cursor.left} bytes")
    for _ in range(shape_count):
        cursor.terminated_text("shape name")
    for _ in range(shape_count):
        cursor.take(16 * cursor.u32("key count"), "keys of a shape")


# --- PMDL, PANI, PMAT --------------------------------------------------------------

PMDL_DIALECTS = {
    # dialect: has a mesh header bones, has it animations, vertex types
    "document": (True, True, {1}),
    "engine": (True, True, {1, 2, 3}),
    "engine-20": (False, False, {1, 2, 3}),
    "engine-24": (True, False, {1, 2, 3}),
}
PMDL_VERTEX_REST = {1: 20, 2: 32, 3: 64}  # bytes of a vertex after its position
PMDL_NO_INDICES, PMDL_U32_INDICES = 0, 1
PMDL_NOTHING = 1e-6  # what a translation must exceed to be one


class Pmdl:
    """One PMDL file in one dialect."""

    def __init__(self, data, dialect):
        self.has_bones, self.has_animations, self.vertex_types = PMDL_DIALECTS[dialect]
        self.cursor = Cursor(data)
        self.model = Model()
        self.material_names = set()
        self.animation_names = {}  # a dict keeps the order of first appearance
        self.row_major = self.column_major = 0

        magic, version, self.model.meshes = self.cursor.many("4s 2I", "header")
        expect(magic == b"PMDL", "the magic is not PMDL")
        expect(version == 0, f"version {version}, not 0")
        self.cursor.counted_text("model name")
        for _ in range(self.model.meshes):
            self.read_mesh()
        self.cursor.finish()

        self.model.materials = len(self.material_names)
        self.model.clips = [Clip(lossy(name), None, 0, 0) for name in self.animation_names]

    def read_mesh(self):
        cursor, model = self.cursor, self.model
        vertex_type, vertex_count, index_type, index_count = cursor.many("4I", "mesh header")
        bone_count = cursor.u32("bone count") if self.has_bones else 0
        animation_count = cursor.u32("animation count") if self.has_animations else 0
        expect(vertex_type in self.vertex_types, f"vertex type {vertex_type}")
        expect(index_type in (PMDL_NO_INDICES, PMDL_U32_INDICES), f"index type {index_type}")
        self.material_names.add(cursor.counted_text("material name"))
        for _ in range(animation_count):
            self.animation_names[cursor.counted_text("animation name")] = True
        for _ in range(bone_count):
            cursor.take(4, "bone")
            self.note_matrix(cursor.many("16f", "matrix of a bone"))
            cursor.counted_text("bone name")
        layout = f"3f {PMDL_VERTEX_REST[vertex_type]}x"
        for position in cursor.records(layout, vertex_count, "vertex"):
            model.include(position)

        model.vertices += vertex_count
        model.joints = max(model.joints, bone_count)
        if index_type == PMDL_NO_INDICES:
            model.triangles += vertex_count // 3
        else:
            cursor.take(4 * index_count, f"{index_count} × index")
            model.indices += index_count
            model.triangles += index_count // 3

    def note_matrix(self, matrix):
        """Counts where translations stand: in the last column or in the last row."""
        column = any(abs(value) > PMDL_NOTHING for value in (matrix[3], matrix[7], matrix[11]))
        row = any(abs(value) > PMDL_NOTHING for value in matrix[12:15])
        self.row_major += column and not row
        self.column_major += row and not column


def read_pmdl(data, dialect):
    return Pmdl(data, dialect).model


def pmdl_prefers(data, dialect):
    """Both lay out the same bytes: the matrices tell the document from the engine."""
    if dialect != "document":
        return True
    pmdl = Pmdl(data, dialect)
    return pmdl.row_major >= pmdl.column_major


def read_pani(data, _dialect):
    cursor = Cursor(data)
    magic, version, bone_count, duration, rate = cursor.many("4s 2I 2f", "header")
    expect(magic == b"PANI", "the magic is not PANI")
    expect(version == 0, f"version {version}, not 0")
    name = cursor.counted_text("animation name")
    clip = Clip(lossy(name), seconds(duration, rate), 0, 0)
    for _ in range(bone_count):
        positions, rotations, scales = cursor.many("3I", "bone")
        cursor.take(16 * positions + 20 * rotations + 16 * scales, "keys of a bone")
        clip.keys += positions + rotations + scales
        clip.tracks += positions + rotations + scales > 0
    cursor.finish()
    return Model(joints=bone_count, clips=[clip])


def read_pmat(data, _dialect):
    cursor = Cursor(data)
    magic, version, texture_count = cursor.many("4s 2I", "header")
    expect(magic == b"PMAT", "the magic is not PMAT")
    expect(version == 0, f"version {version}, not 0")
    cursor.counted_text("material name")
    for _ in range(texture_count):
        cursor.u32("texture type")
        cursor.counted_text("texture path")
    cursor.finish()
    return Model(materials=1, textures=texture_count)


# --- BMW ---------------------------------------------------------------------------

BMW_MAGIC = b"Beo-Model-Wolf Format Version "
BMW_DIALECTS = {
    # dialect: the order of the blocks, matrices of a bone beyond the duration
    "document": ("textures meshes nodes animations", 0),
    "engine": ("textures animations meshes nodes names", 1),
    "engine-unnamed": ("textures animations meshes nodes", 1),
    "2019-10-29": ("textures meshes nodes animations", 1),
    "2019-10-14": ("textures meshes nodes", 0),
    "2019-10-09": ("textures meshes nodes", 0),
}


class Bmw:
    """One BMW file in one dialect."""

    def __init__(self, data, dialect):
        blocks, self.more_matrices = BMW_DIALECTS[dialect]
        early = dialect in ("2019-10-14", "2019-10-09")
        self.has_weights = self.has_node_ids = not early
        self.has_faces = dialect != "2019-10-09"
        self.cursor = Cursor(data)
        self.model = Model()
        self.joint_ids = set()
        self.idle_ids = []  # of nodes that draw nothing

        header = self.cursor.terminated_text("header")
        expect(header == BMW_MAGIC + b"1", f"the header is {lossy(header)!r}")
        for block in blocks.split():
            getattr(self, "read_" + block)()
        self.cursor.finish()
        self.model.joints = len(self.joint_ids)
        self.model.nodes -= sum(node in self.joint_ids for node in self.idle_ids)

    def read_textures(self):
        self.model.materials = self.cursor.u32("material count")
        for _ in range(self.model.materials):
            texture_count = self.cursor.u32("texture count")
            for _ in range(texture_count):
                self.cursor.terminated_text("texture path")
            self.model.textures += texture_count

    def read_meshes(self):
        cursor, model = self.cursor, self.model
        model.meshes = cursor.u32("mesh count")
        for _ in range(model.meshes):
            if self.has_weights:
                for _ in range(cursor.u32("weighted vertex count")):
                    _, weight_count = cursor.many("2I", "weighted vertex")
                    for node, _ in cursor.records("I f", weight_count, "weight"):
                        self.joint_ids.add(node)
            vertex_count = cursor.u32("vertex count")
            for position in cursor.records("3f 36x", vertex_count, "vertex"):
                model.include(position)
            model.vertices += vertex_count
            if self.has_faces:
                face_count = cursor.u32("face count")
                cursor.take(12 * face_count, f"{face_count} × face")
                model.triangles += face_count
                model.indices += 3 * face_count
            else:
                model.triangles += vertex_count // 3

    def read_nodes(self):
        # The tree lies there in pre-order, so it is enough to know how many are to come.
        cursor, to_come = self.cursor, 1
        while to_come:
            node = cursor.u32("node id") if self.has_node_ids else None
            cursor.take(64, "matrix of a node")
            mesh_count = cursor.u32("mesh count of a node")
            cursor.take(4 * mesh_count, "meshes of a node")
            if not mesh_count:
                self.idle_ids.append(node)
            to_come += cursor.u32("child count") - 1
            self.model.nodes += 1

    def read_animations(self):
        cursor = self.cursor
        for _ in range(cursor.u32("animation count")):
            duration, rate, bone_count = cursor.many("3I", "animation")
            matrix_count = duration + self.more_matrices
            for _ in range(bone_count):
                self.joint_ids.add(cursor.u32("node id of a bone"))
                cursor.take(64 * matrix_count, f"{matrix_count} × matrix of a bone")
            keys = bone_count * matrix_count
            driven = bone_count if matrix_count else 0
            self.model.clips.append(Clip("", seconds(duration, rate), driven, keys))

    def read_names(self):
        for _ in range(self.cursor.u32("bone name count")):
            self.cursor.u32("node id of a bone name")
            self.cursor.terminated_text("bone name")


def read_bmw(data, dialect):
    return Bmw(data, dialect).model


# --- which format, which dialect ---------------------------------------------------

# In each format the dialects are in the order in which they are tried.
FORMATS = {
    # format: has the file its magic, dialects, reader
    "aem": (lambda data: data[:3] == b"AEM", AEM_DIALECTS, read_aem),
    "seanim": (lambda data: data[:6] == b"SEAnim", SEANIM_DIALECTS, read_seanim),
    "pmdl": (lambda data: data[:4] == b"PMDL", PMDL_DIALECTS, read_pmdl),
    "pani": (lambda data: data[:4] == b"PANI", ("document",), read_pani),
    "pmat": (lambda data: data[:4] == b"PMAT", ("document",), read_pmat),
    "bmw": (lambda data: data.startswith(BMW_MAGIC), BMW_DIALECTS, read_bmw),
    # Last, because four bytes of hash, which may be anything, can stand before its magic.
    "nlm": (
        lambda data: data[:4] in (b"MODL", b"LDOM") or data[4:8] in (b"MODL", b"LDOM"),
        NLM_DIALECTS, read_nlm,
    ),
}
DIALECTS = list(dict.fromkeys(name for _, names, _ in FORMATS.values() for name in names))


def identify_and_read(data, wanted=None):
    """The format, the dialect and the model of the first layout that fits."""
    formats = [name for name, (has_magic, _, _) in FORMATS.items() if has_magic(data)]
    expect(formats, "no magic of a known format")
    reasons = []
    for name in formats:
        _, dialects, reader = FORMATS[name]
        for dialect in dialects:
            if wanted not in (None, dialect):
                continue
            try:
                model = reader(data, dialect)
            except Bad as reason:
                reasons.append(f"{name} {dialect}: {reason}")
                continue
            if wanted is None and name == "pmdl" and not pmdl_prefers(data, dialect):
                reasons.append(f"{name} {dialect}: its matrices are column-major")
                continue
            return name, dialect, model
    raise Bad("; ".join(reasons) or f"{' and '.join(formats)} has no dialect {wanted}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--dialect", metavar="NAME", choices=DIALECTS,
                        help="try only this layout: " + ", ".join(DIALECTS))
    parser.add_argument("files", metavar="FILE", nargs="+")
    arguments = parser.parse_args()

    failed = False
    for file in arguments.files:
        try:
            data = Path(file).read_bytes()
            name, dialect, model = identify_and_read(data, arguments.dialect)
        except (Bad, OSError) as error:
            print(f"{file}: {error}", file=sys.stderr)
            failed = True
            continue
        line = {"file": file, "format": name, "dialect": dialect, "bytes": len(data)}
        print(json.dumps({**line, **asdict(model)}, allow_nan=False))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
