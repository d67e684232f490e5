"""Frame rates. Blender has a whole number and what it is divided by; its glTF importer and exporter multiply by the divisor instead."""

from contextlib import contextmanager


def rate(scene):
    return scene.render.fps / scene.render.fps_base


def set_rate(scene, wanted):
    whole = max(1, round(wanted))
    scene.render.fps = whole
    scene.render.fps_base = whole / wanted


@contextmanager
def as_gltf_reads_it(scene):
    """While the glTF importer or exporter runs: the rate it works out is the scene's."""
    base = scene.render.fps_base
    scene.render.fps_base = 1 / base
    try:
        yield
    finally:
        scene.render.fps_base = base


def reach(scene, last_frame):
    """Makes the scene long enough."""
    scene.frame_end = max(scene.frame_end, int(-(-last_frame // 1)))
