"""Game models and animations: read, check, write, convert, animate and draw them.

>>> import maquette
>>> post = maquette.sample("post.aem")
>>> scene = maquette.read(post.bytes, name=post.name)
>>> scene
<Scene from aem document: 1 mesh, 4 nodes, 1 skin, 1 material, 3 images, 1 clip>
>>> scene.meshes[0].primitives[0].positions.shape
(28, 3)
>>> maquette.write(scene, name="post.nlm").losses[0]
<Loss ...>

`maquette.clip` has the operations on clips, `maquette.typing` the types of arguments; docs/python.md of the project tells more.
"""

from ._maquette import *  # noqa: F403
from ._maquette import __version__ as __version__
