"""Clips: the animations of any file, edited in full precision."""

import builtins
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Optional, TypedDict, Union, final

from typing_extensions import Unpack

from ._maquette import Output, Scene
from .typing import Companions, Progress, Source, Writable

_Path = Union[str, os.PathLike[str]]
_Texts = Union[str, Iterable[str]]
_Model = Union[Source, Scene]
_Moment = Union[float, str]  # seconds, or frames as "12f"
_Names = Union[Mapping[str, str], _Path]
_Up = Literal["y", "z"]
_Scope = Literal["self", "children", "both"]
_LossKind = Literal["dropped", "truncated", "approximated", "baked", "renamed"]

class _Reading(TypedDict, total=False):
    matrix_order: Optional[Literal["column-major", "row-major"]]
    quaternion_order: Optional[Literal["xyzw", "wxyz"]]
    animation_matrices: Optional[Literal["local", "skinning"]]
    size: Literal["as-stored", "original"]

class _ReduceOptions(_Reading, total=False):
    name: Optional[str]
    format: Optional[str]
    dialect: Optional[str]
    read_name: Optional[str]
    companions: Optional[Companions]
    read_dialect: Optional[str]
    textures: Literal["none", "fast", "default", "high"]
    max_size: Optional[int]
    optimize: bool
    strict: Union[bool, _LossKind, Iterable[_LossKind]]
    max_vertices: Optional[int]
    max_pixels: Optional[int]
    max_tracks: Optional[int]
    force: bool
    progress: Optional[Progress]

# What all functions take that edit a file.
class _Options(_ReduceOptions, total=False):
    tolerance: float

@final
class Edited:
    """Files with edited clips, and what was done to each clip."""
    @property
    def outputs(self) -> tuple[Output, ...]: ...
    @property
    def clips(self) -> list[dict[str, Any]]: ...

@final
class Plot:
    """The curves of a clip as a picture."""
    @property
    def bytes(self) -> builtins.bytes: ...
    @property
    def clip(self) -> str: ...
    @property
    def format(self) -> Literal["png", "svg"]: ...
    @property
    def drawn(self) -> int: ...
    @property
    def left_out(self) -> int: ...
    def save(self, path: _Path, *, force: bool = False) -> None: ...
    def _repr_png_(self) -> Optional[builtins.bytes]: ...
    def _repr_svg_(self) -> Optional[str]: ...

def trim(
    source: Source, target: Union[_Path, Writable, None] = None, *, start: _Moment = 0.0, end: Optional[_Moment] = None, clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...
def resample(
    source: Source, target: Union[_Path, Writable, None] = None, *, fps: float, clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...
def reverse(
    source: Source, target: Union[_Path, Writable, None] = None, *, clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...
def retime(
    source: Source, target: Union[_Path, Writable, None] = None, *, speed: Optional[float] = None, duration: Optional[float] = None, fps: Optional[float] = None,
    keep_fps: bool = False, clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...
def split(
    source: Source, target: Union[_Path, Writable, None] = None, *, at: Union[_Moment, Iterable[_Moment]] = (), parts: Optional[int] = None,
    every: Optional[_Moment] = None, events: bool = False, clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...
def loop(
    source: Source, target: Union[_Path, Writable, None] = None, *, seam: bool = False, blend: Optional[_Moment] = None, except_: _Texts = (),
    count: Optional[int] = None, accumulate: bool = False, axes: Optional[str] = None, up: Optional[_Up] = None, root: Optional[str] = None,
    skeleton: Optional[_Model] = None, modifier_scope: _Scope = "both", flag: Optional[bool] = None, clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...
def scale(
    source: Source, target: Union[_Path, Writable, None] = None, *, factor: float, clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...
def reduce(
    source: Source, target: Union[_Path, Writable, None] = None, *, tolerance: Union[float, str] = "0.1mm", at: Optional[float] = None,
    drop_rest: bool = False, skeleton: Optional[_Model] = None, clips: _Texts = (), **options: Unpack[_ReduceOptions],
) -> Edited: ...
def fix(
    source: Source, target: Union[_Path, Writable, None] = None, *, blend: Optional[Literal["absolute", "relative", "additive", "delta"]] = None,
    up: Optional[_Up] = None, looped: Optional[bool] = None, fps: Optional[float] = None, frame_count: Optional[int] = None,
    spikes: bool = False, rotations: Optional[Literal["w-first", "inverse"]] = None, skeleton: Optional[_Model] = None, clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...
def rename(
    source: Source, target: Union[_Path, Writable, None] = None, *, clip_name: Optional[str] = None,
    bones: Optional[Mapping[str, str]] = None, prefix_strip: Optional[str] = None, prefix_add: Optional[str] = None,
    map: Optional[_Names] = None, events: Optional[Mapping[str, str]] = None, clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...
def merge(
    sources: Union[Source, Sequence[Source]], target: Union[_Path, Writable, None] = None, *, layers: bool = False,
    prefer: Optional[Literal["first", "last"]] = None, clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...
def apply(
    model: Source, clip_files: Union[_Model, Iterable[_Model]], target: Union[_Path, Writable, None] = None, *, clip_names: _Texts = (),
    own_clips: Literal["kept", "replaced", "left-out"] = "kept", bone_map: Optional[_Names] = None, strip_prefix: _Texts = (),
    ignore_namespace: bool = False, modifier_scope: _Scope = "both", **options: Unpack[_Options],
) -> Edited: ...
def mirror(
    source: Source, target: Union[_Path, Writable, None] = None, *, axis: Literal["x", "y", "z"] = "x",
    skeleton: Optional[_Model] = None, map: Optional[_Names] = None, clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...
def additive_make(
    source: Source, target: Union[_Path, Writable, None] = None, *, relative_to: Union[Source, tuple[Source, _Moment]],
    base_clip: Optional[str] = None, skeleton: Optional[_Model] = None, modifier_scope: _Scope = "both", clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...
def additive_compose(
    source: Source, target: Union[_Path, Writable, None] = None, *, onto: Union[Source, tuple[Source, _Moment]],
    base_clip: Optional[str] = None, duration: Optional[Literal["base", "clip", "longer"]] = None,
    as_: Optional[Literal["additive", "relative"]] = None, skeleton: Optional[_Model] = None, modifier_scope: _Scope = "both", clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...
def root_motion_extract(
    source: Source, target: Union[_Path, Writable, None] = None, *, axes: Optional[str] = None, up: Optional[_Up] = None, into: Optional[str] = None,
    root: Optional[str] = None, skeleton: Optional[_Model] = None, modifier_scope: _Scope = "both", clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...
def root_motion_remove(
    source: Source, target: Union[_Path, Writable, None] = None, *, axes: Optional[str] = None, up: Optional[_Up] = None, 
    root: Optional[str] = None, skeleton: Optional[_Model] = None, modifier_scope: _Scope = "both", clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...
def root_motion_bake(
    source: Source, target: Union[_Path, Writable, None] = None, *, from_: Optional[str] = None,
    root: Optional[str] = None, skeleton: Optional[_Model] = None, modifier_scope: _Scope = "both", clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...
def retarget(
    source: Source, target: Union[_Path, Writable, None] = None, *, skeleton: _Model,
    skeleton_from: Optional[_Model] = None, map: Optional[_Names] = None, translations: Literal["root", "scaled", "all"] = "root",
    factor: Optional[float] = None, modifier_scope: _Scope = "both", clips: _Texts = (), **options: Unpack[_Options],
) -> Edited: ...

# Plain dicts: the fields of the command's JSON, by docs/schemas.
def propose(skeleton_from: _Model, skeleton: _Model) -> dict[str, Any]: ...
def info(
    source: Source, *, clips: _Texts = (), name: Optional[str] = None, companions: Optional[Companions] = None,
    dialect: Optional[str] = None, **options: Unpack[_Reading],
) -> dict[str, Any]: ...
def doctor(
    source: Source, *, skeleton: Optional[_Model] = None, name: Optional[str] = None, companions: Optional[Companions] = None,
    dialect: Optional[str] = None, **options: Unpack[_Reading],
) -> dict[str, Any]: ...
def plot(
    source: Source, *, format: Literal["png", "svg"] = "png", clip: Optional[str] = None, bones: _Texts = (), properties: _Texts = (),
    most: int = 24, name: Optional[str] = None, companions: Optional[Companions] = None,
    dialect: Optional[str] = None, **options: Unpack[_Reading],
) -> Plot: ...
