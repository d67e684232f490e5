"""Names for what functions take and give, for annotations: `from maquette.typing import Source`."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional, Protocol, Union

import numpy as np
from numpy.typing import NDArray


class Readable(Protocol):
    """A file object that gives bytes."""

    def read(self) -> bytes: ...


class Writable(Protocol):
    """A file object that takes bytes."""

    def write(self, data: bytes, /) -> Any: ...


Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, Readable]
Companions = Union[Mapping[str, bytes], Callable[[str], Optional[bytes]]]
Progress = Callable[[str, int, int], object]

Floats = NDArray[np.float32]
Indices = NDArray[np.uint32]
Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Colour = tuple[float, float, float, float]
# As many as are wanted.
Numbers = Union[Sequence[float], NDArray[Any]]
