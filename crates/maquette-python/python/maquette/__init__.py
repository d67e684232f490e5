"""Game models and animations: read, check, write, convert, animate and draw them.

>>> import maquette
>>> maquette.formats  # doctest: +SKIP
"""

from ._maquette import *  # noqa: F403
from ._maquette import __version__ as __version__
