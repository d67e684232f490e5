#!/usr/bin/env python3
"""How long imports take: python bench.py [MODEL ..], with bpy and the package beside it.

First a clip of 300 bones with 2000 keys each for location and rotation; then each model beside Blender's glTF importer alone, on the GLB that the package makes of it. Seconds
are those of the processor, all threads together, the least of several runs, so that a busy machine tells much the same.
"""

import contextlib
import io
import os
import pathlib
import sys
import tempfile
import time

import bpy
import maquette

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "tests"))
import conftest  # noqa: E402
import models  # noqa: E402

RUNS = 7


def least(work, runs=RUNS):
    times = []
    for _ in range(runs):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        with contextlib.redirect_stdout(io.StringIO()):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
    return min(times)


def clip(folder):
    names = [f"bone {index}" for index in range(300)]
    maquette.write(models.skeleton(names, [(index - 1) // 3 if index else -1 for index in range(300)]), folder / "model.glb")
    path = models.clip_file(folder / "long.seanim", names, last=1999)
    times = []
    for _ in range(3):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        bpy.ops.import_scene.maquette(filepath=str(folder / "model.glb"))
        start = time.process_time()
        bpy.ops.import_anim.maquette(filepath=str(path))
        times.append(time.process_time() - start)
    print(f"300 bones, 2000 frames: {min(times):.2f} s")


def model(path, folder):
    maquette.convert(path, folder / "same.glb", force=True)
    bpy.app.debug_value = 1
    alone = least(lambda: bpy.ops.import_scene.gltf(filepath=str(folder / "same.glb"), disable_bone_shape=True))
    ours = least(lambda: bpy.ops.import_scene.maquette(filepath=str(path)))
    print(f"{pathlib.Path(path).name}: glTF importer {alone * 1000:.0f} ms, all {ours * 1000:.0f} ms, {ours / alone:.2f} times")


def main():
    extension = conftest.load()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    extension.register()
    print(f"Blender {bpy.app.version_string}")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        clip(folder)
        for path in sys.argv[1:]:
            model(path, folder)
    # Blender as a module may wait for ever when Python ends.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
