"""What the compiled part of the package holds, for type checkers and editors."""

import builtins
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, Literal, Optional, TypeVar, Union, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import clip as clip
from .typing import Colour, Companions, Floats, Indices, Numbers, Progress, Quaternion, Source, Vector, Writable

__version__: str

_Blend = Literal["absolute", "relative", "additive", "delta"]
_Interpolation = Literal["step", "linear", "cubic-spline"]
_Property = Literal["translation", "rotation", "scale", "morph weights"]
_Topology = Literal["triangles", "lines"]
_Wrap = Literal["repeat", "mirror", "clamp"]

_Path = Union[str, os.PathLike[str]]
_Texts = Union[str, Iterable[str]]
_Clips = Union[Source, Scene, Iterable[Union[Source, Scene]]]
_MatrixOrder = Literal["column-major", "row-major"]
_QuaternionOrder = Literal["xyzw", "wxyz"]
_AnimationMatrices = Literal["local", "skinning"]
_Size = Literal["as-stored", "original"]
_Textures = Literal["none", "fast", "default", "high"]
_LossKind = Literal["dropped", "truncated", "approximated", "baked", "renamed"]
_Strict = Union[bool, _LossKind, Iterable[_LossKind]]

# --- what can be wrong, and what was lost

@final
class Finding:
    code: str
    name: str
    severity: Literal["error", "warning", "info"]
    offset: Optional[int]
    path: str
    message: str
    expected: Optional[str]
    count: int
    why: str
    file: Optional[str]  # where there are several

@final
class Loss:
    kind: Literal["dropped", "truncated", "approximated", "baked", "renamed"]
    what: str
    subject: str
    detail: str
    count: int
    max_error: Optional[float]

class Error(Exception):
    finding: Optional[Finding]
    file: Optional[str]
    losses: Sequence[Loss]  # those that `strict` forbids, with all others

class ReadError(Error): ...
class WriteError(Error): ...

# --- the scene

_T = TypeVar("_T")
_D = TypeVar("_D")

@final
class Collection(Generic[_T]):
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[_T]: ...
    @overload
    def __getitem__(self, key: Union[int, str, _T], /) -> _T: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[_T, ...]: ...
    def __contains__(self, item: object, /) -> bool: ...
    @overload
    def get(self, name: str) -> Optional[_T]: ...
    @overload
    def get(self, name: str, default: _D) -> Union[_T, _D]: ...
    @property
    def names(self) -> list[str]: ...
    def add(self, name: str = "") -> _T: ...
    def remove(self, item: Union[int, str, _T]) -> None: ...  # clips alone: nothing refers to them

@final
class Scene:
    def __init__(self) -> None: ...
    @property
    def format(self) -> Optional[str]: ...
    @property
    def dialect(self) -> Optional[str]: ...
    @property
    def losses(self) -> list[Loss]: ...
    @property
    def nodes(self) -> Collection[Node]: ...
    @property
    def meshes(self) -> Collection[Mesh]: ...
    @property
    def skins(self) -> Collection[Skin]: ...
    @property
    def materials(self) -> Collection[Material]: ...
    @property
    def images(self) -> Collection[Image]: ...
    @property
    def clips(self) -> Collection[Clip]: ...
    @property
    def roots(self) -> tuple[Node, ...]: ...
    @roots.setter
    def roots(self, nodes: Iterable[Node]) -> None: ...
    @property
    def extras(self) -> Mapping[str, Any]: ...
    @extras.setter
    def extras(self, values: Mapping[str, Any]) -> None: ...
    def copy(self) -> Scene: ...
    def __copy__(self) -> Scene: ...
    def __deepcopy__(self, memo: Any) -> Scene: ...
    def check(self) -> None: ...  # raises Error where it breaks what must hold in a scene
    # Changes that `convert` can make, in its order; what was lost is handed back.
    def edit(
        self, *, select: Iterable[str] = (), clips: Iterable[Union[Source, Scene]] = (), clip_names: Iterable[str] = (),
        own_clips: Literal["kept", "replaced", "left-out"] = "kept", bone_map: Union[Mapping[str, str], str, os.PathLike[str], None] = None,
        strip_prefix: Iterable[str] = (), ignore_namespace: bool = False, modifier_scope: Literal["self", "children", "both"] = "both",
        flip_v: bool = False, up: Literal["y", "z"] = "y", scale: Optional[float] = None, unpack: bool = False,
    ) -> tuple[Scene, list[Loss]]: ...
    def pose(self, clip: Union[Clip, str, int, None] = None, time: float = 0.0) -> Pose: ...
    def _repr_png_(self) -> Optional[bytes]: ...

@final
class Pose:
    """Where everything is at a moment."""
    @property
    def local(self) -> Floats: ...   # (nodes, 4, 4), column vectors: parent = local[i] @ child
    @property
    def world(self) -> Floats: ...   # (nodes, 4, 4)
    @property
    def positions(self) -> Floats: ...  # (drawn vertices, 3), in scene space, skinned and morphed, nodes parents first
    @property
    def triangles(self) -> Indices: ... # (n, 3) into positions
    def joint_matrices(self, skin: Union[Skin, str, int]) -> Floats: ...  # (joints, 4, 4): world @ inverse bind

@final
class Node:
    name: str
    @property
    def index(self) -> int: ...
    @property
    def translation(self) -> Vector: ...
    @translation.setter
    def translation(self, value: Numbers) -> None: ...
    @property
    def rotation(self) -> Quaternion: ...
    @rotation.setter
    def rotation(self, value: Numbers) -> None: ...
    @property
    def scale(self) -> Vector: ...
    @scale.setter
    def scale(self, value: Numbers) -> None: ...
    @property
    def matrix(self) -> Floats: ...  # (4, 4), column vectors; a copy
    @matrix.setter
    def matrix(self, value: ArrayLike) -> None: ...
    @property
    def children(self) -> tuple[Node, ...]: ...
    @children.setter
    def children(self, nodes: Iterable[Node]) -> None: ...
    parent: Optional[Node]
    mesh: Optional[Mesh]
    skin: Optional[Skin]
    @property
    def morph_weights(self) -> Floats: ...
    @morph_weights.setter
    def morph_weights(self, values: ArrayLike) -> None: ...
    @property
    def extras(self) -> Mapping[str, Any]: ...
    @extras.setter
    def extras(self, values: Mapping[str, Any]) -> None: ...

@final
class Mesh:
    name: str
    @property
    def index(self) -> int: ...
    @property
    def primitives(self) -> tuple[Primitive, ...]: ...
    def add_primitive(self, *, positions: ArrayLike, indices: Optional[ArrayLike] = None, normals: Optional[ArrayLike] = None,
                      tangents: Optional[ArrayLike] = None, uvs: Optional[Iterable[ArrayLike]] = None, colours: Optional[Iterable[ArrayLike]] = None,
                      joints: Optional[ArrayLike] = None, weights: Optional[ArrayLike] = None,
                      material: Optional[Material] = None, topology: _Topology = "triangles") -> Primitive: ...
    @property
    def morph_names(self) -> tuple[str, ...]: ...
    @morph_names.setter
    def morph_names(self, names: Sequence[str]) -> None: ...
    @property
    def morph_weights(self) -> Floats: ...
    @morph_weights.setter
    def morph_weights(self, values: ArrayLike) -> None: ...
    @property
    def extras(self) -> Mapping[str, Any]: ...
    @extras.setter
    def extras(self, values: Mapping[str, Any]) -> None: ...

@final
class Primitive:
    # Arrays of the scene itself: a change to them is a change to it. What is set is copied into it.
    @property
    def positions(self) -> Floats: ...
    @positions.setter
    def positions(self, values: ArrayLike) -> None: ...
    @property
    def normals(self) -> Optional[Floats]: ...
    @normals.setter
    def normals(self, values: Optional[ArrayLike]) -> None: ...
    @property
    def tangents(self) -> Optional[Floats]: ...
    @tangents.setter
    def tangents(self, values: Optional[ArrayLike]) -> None: ...
    @property
    def uvs(self) -> tuple[Floats, ...]: ...
    @uvs.setter
    def uvs(self, sets: Iterable[ArrayLike]) -> None: ...
    @property
    def colours(self) -> tuple[Floats, ...]: ...
    @colours.setter
    def colours(self, sets: Iterable[ArrayLike]) -> None: ...
    @property
    def joints(self) -> Optional[Indices]: ...
    @joints.setter
    def joints(self, values: Optional[ArrayLike]) -> None: ...
    @property
    def weights(self) -> Optional[Floats]: ...
    @weights.setter
    def weights(self, values: Optional[ArrayLike]) -> None: ...
    def set_influences(self, joints: ArrayLike, weights: ArrayLike) -> None: ...
    @property
    def indices(self) -> Indices: ...
    @indices.setter
    def indices(self, values: ArrayLike) -> None: ...
    @property
    def triangles(self) -> Indices: ...  # (n, 3), the same memory
    @triangles.setter
    def triangles(self, values: ArrayLike) -> None: ...
    topology: _Topology
    material: Optional[Material]
    @property
    def morph_targets(self) -> tuple[MorphTarget, ...]: ...
    def add_morph_target(self, positions: ArrayLike, normals: Optional[ArrayLike] = None, tangents: Optional[ArrayLike] = None) -> MorphTarget: ...

@final
class MorphTarget:
    @property
    def positions(self) -> Floats: ...
    @positions.setter
    def positions(self, values: ArrayLike) -> None: ...
    @property
    def normals(self) -> Optional[Floats]: ...
    @normals.setter
    def normals(self, values: Optional[ArrayLike]) -> None: ...
    @property
    def tangents(self) -> Optional[Floats]: ...
    @tangents.setter
    def tangents(self, values: Optional[ArrayLike]) -> None: ...

@final
class Skin:
    name: str
    @property
    def index(self) -> int: ...
    @property
    def joints(self) -> tuple[Node, ...]: ...
    @joints.setter
    def joints(self, nodes: Iterable[Node]) -> None: ...
    @property
    def inverse_bind_matrices(self) -> Floats: ...  # (joints, 4, 4), column vectors
    @inverse_bind_matrices.setter
    def inverse_bind_matrices(self, values: ArrayLike) -> None: ...

@final
class TextureUse:
    """A value: a material is given another to change it."""
    def __new__(cls, image: Image, *, uv_set: int = 0, wrap: tuple[_Wrap, _Wrap] = ("repeat", "repeat"),
                 filter: tuple[Optional[int], Optional[int]] = (None, None), offset: tuple[float, float] = (0, 0),
                 rotation: float = 0, scale: tuple[float, float] = (1, 1)) -> TextureUse: ...
    @property
    def image(self) -> Image: ...
    @property
    def uv_set(self) -> int: ...
    @property
    def wrap(self) -> tuple[_Wrap, _Wrap]: ...
    @property
    def filter(self) -> tuple[Optional[int], Optional[int]]: ...  # enlarged, reduced: glTF's numbers
    @property
    def offset(self) -> tuple[float, float]: ...
    @property
    def rotation(self) -> float: ...
    @property
    def scale(self) -> tuple[float, float]: ...

@final
class Material:
    name: str
    @property
    def index(self) -> int: ...
    alpha: Literal["opaque", "mask", "blend"]
    @property
    def alpha_cutoff(self) -> Optional[float]: ...  # where alpha is "mask"
    @alpha_cutoff.setter
    def alpha_cutoff(self, value: float) -> None: ...
    double_sided: bool
    unlit: bool
    @property
    def is_packed(self) -> bool: ...  # three maps of an engine; scene.edit(unpack=True) takes them apart
    @property
    def packed_images(self) -> Mapping[str, Image]: ...
    @property
    def base_colour(self) -> Colour: ...
    @base_colour.setter
    def base_colour(self, value: Numbers) -> None: ...
    metallic: float
    roughness: float
    @property
    def emissive(self) -> Vector: ...
    @emissive.setter
    def emissive(self, value: Numbers) -> None: ...
    emissive_strength: float
    normal_scale: float
    occlusion_strength: float
    base_colour_texture: Optional[TextureUse]
    metallic_roughness_texture: Optional[TextureUse]
    normal_texture: Optional[TextureUse]
    occlusion_texture: Optional[TextureUse]
    emissive_texture: Optional[TextureUse]
    @property
    def extras(self) -> Mapping[str, Any]: ...
    @extras.setter
    def extras(self, values: Mapping[str, Any]) -> None: ...

@final
class Image:
    name: str
    @property
    def index(self) -> int: ...
    @property
    def kind(self) -> Literal["encoded", "pixels", "external"]: ...
    @property
    def mime(self) -> Optional[str]: ...
    @property
    def format(self) -> Optional[Literal["RGBA8", "RG8", "BC5", "BC7"]]: ...
    @property
    def colour_space(self) -> Optional[Literal["srgb", "linear"]]: ...
    @property
    def size(self) -> Optional[tuple[int, int]]: ...
    @property
    def bytes(self) -> Optional[builtins.bytes]: ...  # the file, untouched
    @bytes.setter
    def bytes(self, value: Union[builtins.bytes, bytearray, memoryview]) -> None: ...
    @property
    def levels(self) -> int: ...
    def pixels(self, level: int = 0) -> NDArray[np.uint8]: ...  # (height, width, 4), decoded; a copy
    def set_pixels(self, pixels: ArrayLike, *, colour_space: Literal["srgb", "linear"] = "srgb") -> None: ...
    def png(self) -> builtins.bytes: ...
    def _repr_png_(self) -> Optional[builtins.bytes]: ...

@final
class Clip:
    name: str
    @property
    def index(self) -> int: ...
    duration: float
    blend: _Blend
    looped: Optional[bool]
    frame_rate: Optional[float]
    @property
    def events(self) -> tuple[tuple[float, str], ...]: ...
    @events.setter
    def events(self, values: Iterable[tuple[float, str]]) -> None: ...
    @property
    def tracks(self) -> tuple[Track, ...]: ...
    def track(self, target: Union[Node, str], property: _Property) -> Optional[Track]: ...
    def add_track(self, target: Union[Node, str], property: _Property, times: ArrayLike, values: ArrayLike, *,
                  interpolation: _Interpolation = "linear", blend: Optional[_Blend] = None) -> Track: ...
    def clear(self) -> None: ...
    @property
    def extras(self) -> Mapping[str, Any]: ...
    @extras.setter
    def extras(self, values: Mapping[str, Any]) -> None: ...

@final
class Track:
    target: Union[Node, str]
    @builtins.property
    def property(self) -> _Property: ...
    @builtins.property
    def times(self) -> Floats: ...
    @times.setter
    def times(self, values: ArrayLike) -> None: ...
    @builtins.property
    def values(self) -> Floats: ...  # (keys, 3), (keys, 4) or (keys, targets), which is a copy; three rows a key with cubic splines
    @values.setter
    def values(self, values: ArrayLike) -> None: ...
    interpolation: _Interpolation
    blend: Optional[_Blend]
    def set_keys(self, times: ArrayLike, values: ArrayLike, *, interpolation: Optional[_Interpolation] = None) -> None: ...

# --- files

@final
class Output:
    """A file in memory or on disk, with its companion files, and what was lost on the way."""
    @property
    def format(self) -> str: ...
    @property
    def dialect(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def losses(self) -> list[Loss]: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def paths(self) -> list[str]: ...  # where it was written; empty in memory
    @property
    def files(self) -> dict[str, builtins.bytes]: ...  # the file first, then its companions
    @property
    def bytes(self) -> builtins.bytes: ...  # the file alone
    def findings(self) -> list[Finding]: ...
    def save(self, path: Optional[_Path] = None, *, force: bool = False) -> list[str]: ...

def read(
    source: Source, *, name: Optional[str] = None, companions: Optional[Companions] = None, dialect: Optional[str] = None,
    matrix_order: Optional[_MatrixOrder] = None, quaternion_order: Optional[_QuaternionOrder] = None,
    animation_matrices: Optional[_AnimationMatrices] = None, size: _Size = "as-stored",
) -> Scene: ...

# target: a path, a file object, or None for memory (then `name` or `format` says what it is).
def write(
    scene: Scene, target: Union[_Path, Writable, None] = None, *, name: Optional[str] = None, format: Optional[str] = None,
    dialect: Optional[str] = None, textures: _Textures = "default", max_size: Optional[int] = None, tolerance: float = 0.0001,
    optimize: bool = False, strict: _Strict = False, max_vertices: Optional[int] = None, max_pixels: Optional[int] = None,
    max_tracks: Optional[int] = None, force: bool = False, progress: Optional[Progress] = None,
) -> Output: ...

# The options of read, Scene.edit and write, by the same names; the name and the dialect of the source are read_name and read_dialect.
def convert(
    source: Source, target: Union[_Path, Writable, None] = None, *, read_name: Optional[str] = None,
    companions: Optional[Companions] = None, read_dialect: Optional[str] = None, matrix_order: Optional[_MatrixOrder] = None,
    quaternion_order: Optional[_QuaternionOrder] = None, animation_matrices: Optional[_AnimationMatrices] = None,
    size: _Size = "as-stored", select: _Texts = (), clips: _Clips = (), clip_names: _Texts = (),
    own_clips: Literal["kept", "replaced", "left-out"] = "kept", bone_map: Union[Mapping[str, str], _Path, None] = None,
    strip_prefix: _Texts = (), ignore_namespace: bool = False, modifier_scope: Literal["self", "children", "both"] = "both",
    flip_v: bool = False, up: Literal["y", "z"] = "y", scale: Optional[float] = None, name: Optional[str] = None,
    format: Optional[str] = None, dialect: Optional[str] = None, textures: _Textures = "default", max_size: Optional[int] = None,
    tolerance: float = 0.0001, optimize: bool = False, strict: _Strict = False, max_vertices: Optional[int] = None,
    max_pixels: Optional[int] = None, max_tracks: Optional[int] = None, force: bool = False, progress: Optional[Progress] = None,
) -> Output: ...

@final
class Checked:
    """The verdict on a file."""
    @property
    def file(self) -> str: ...
    @property
    def ok(self) -> bool: ...
    @property
    def readable(self) -> bool: ...
    @property
    def format(self) -> Optional[str]: ...
    @property
    def dialect(self) -> Optional[str]: ...
    @property
    def findings(self) -> list[Finding]: ...
    @property
    def left_out(self) -> int: ...
    @property
    def error(self) -> Optional[str]: ...
    def __bool__(self) -> bool: ...  # ok
    def __iter__(self) -> Iterator[Finding]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Finding: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Finding]: ...

def check(
    source: Source, *, name: Optional[str] = None, companions: Optional[Companions] = None, dialect: Optional[str] = None,
    each: bool = False, most: int = 1000,
) -> Checked: ...

# Plain dicts: the fields of the command's JSON, by docs/schemas.
def info(
    source: Source, *, name: Optional[str] = None, companions: Optional[Companions] = None, dialect: Optional[str] = None,
) -> dict[str, Any]: ...
def diff(
    a: Union[Source, Scene], b: Union[Source, Scene], *, tolerance: float = 0.0001, max_pixels: int = ...,
) -> list[dict[str, Any]]: ...
def formats() -> list[dict[str, Any]]: ...
# A code, its name or a loss; or with offset, a byte of a file.
def explain(
    subject: Source, offset: Optional[int] = None, *, name: Optional[str] = None, dialect: Optional[str] = None,
) -> dict[str, Any]: ...
def dump(
    source: Source, *, section: Optional[str] = None, name: Optional[str] = None, companions: Optional[Companions] = None,
    dialect: Optional[str] = None,
) -> Any: ...
def textures(
    source: Source, folder: Optional[_Path] = None, *, dds: bool = False, srgb: bool = False, force: bool = False,
    name: Optional[str] = None, companions: Optional[Companions] = None, dialect: Optional[str] = None,
) -> dict[str, bytes]: ...
def sample(
    name: str = "post.glb", *, format: Optional[str] = None, dialect: Optional[str] = None,
    model: Literal["post", "creature"] = "post", fault: Optional[str] = None,
) -> Output: ...

@final
class Picture:
    """A picture: RGBA, the first row at the top."""
    @property
    def size(self) -> tuple[int, int]: ...  # width and height
    @property
    def warnings(self) -> list[str]: ...
    def array(self) -> NDArray[np.uint8]: ...  # (height, width, 4), the picture's own memory, read-only
    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]: ...
    def png(self) -> bytes: ...
    def save(self, path: _Path, *, force: bool = False) -> None: ...
    def compare(self, other: Picture) -> dict[str, Any]: ...  # ssim, largest, differing, heat (a Picture)
    def _repr_png_(self) -> bytes: ...

# The options of `maquette render`, by the same names.
def render(
    source: Union[Source, Scene], *, on: Union[Source, Scene, None] = None, clip: Optional[str] = None,
    time: Union[float, str, None] = None, fps: Optional[float] = None, mode: str = "shaded", skeleton: bool = False,
    grid: bool = False, bounds: bool = False, axes: bool = False, view: Optional[str] = None,
    orbit: Optional[tuple[float, float]] = None, fit: Literal["pose", "clip"] = "pose", fov: float = 35.0,
    size: Union[int, tuple[int, int]] = 512, background: Optional[str] = None, tone_map: Optional[str] = None,
    exposure: float = 0.0, samples: Literal[1, 4, 8] = 4, bone_map: Union[Mapping[str, str], _Path, None] = None,
    strip_prefix: _Texts = (), ignore_namespace: bool = False, modifier_scope: Literal["self", "children", "both"] = "both",
) -> Picture: ...

def main(arguments: Optional[Sequence[str]] = None) -> int: ...  # the command, in this process
