"""The zip, installed as people install it: by the extension's own operator, into a folder of its own."""

import os
import pathlib
import subprocess
import sys
import sysconfig

from conftest import corpus_files, missing

HERE = pathlib.Path(__file__).resolve().parent

SCRIPT = """
import os
import sys
import bpy

zip_file, clip, *models = sys.argv[1:]
bpy.ops.extensions.package_install_files(filepath=zip_file, repo="user_default", enable_on_install=True)
assert "bl_ext.user_default.maquette" in bpy.context.preferences.addons
import maquette
assert ".local" in maquette.__file__, maquette.__file__
print("INSTALLED", flush=True)
for model in models:
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.maquette(filepath=model)
    assert len(bpy.data.objects) or "error_model" in model or "Stone_2" in model, model
bpy.ops.wm.read_homefile(use_empty=True)
bpy.ops.import_scene.maquette(filepath=clip.replace(".seanim", ".aem"))
bpy.ops.import_anim.maquette(filepath=clip)
assert len(bpy.data.actions) >= 1
bpy.ops.preferences.addon_disable(module="bl_ext.user_default.maquette")
assert not hasattr(bpy.types, "IMPORT_SCENE_OT_maquette")
print("DONE", flush=True)
# As conftest does.
os._exit(0)
"""


def test_the_zip_installs_and_real_files_come_without_a_word(tmp_path):
    wheel = os.environ.get("MAQUETTE_WHEEL")
    if not wheel:
        missing("MAQUETTE_WHEEL")
    zip_file = tmp_path / "maquette.zip"
    subprocess.run([sys.executable, HERE.parent / "build.py", "--wheel", wheel, "--out", zip_file], check=True, capture_output=True)
    import maquette

    for name in ("post.aem", "post.seanim"):
        (tmp_path / name).write_bytes(maquette.sample(name).bytes)
    models = [str(path) for pattern in ("aem/**/*.aem", "nlm/*.nlm", "pmdl/*.pmdl", "bmw/*.bmw") for path in corpus_files(pattern)]
    # Nothing of this environment but Blender, so that the package is the zip's.
    site = tmp_path / "site"
    site.mkdir()
    for other in pathlib.Path(sysconfig.get_paths()["purelib"]).iterdir():
        if not other.name.startswith("maquette"):
            (site / other.name).symlink_to(other)
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(tmp_path / "user"), "PYTHONPATH": str(site), "PYTHONNOUSERSITE": "1"}
    (tmp_path / "script.py").write_text(SCRIPT)
    python = pathlib.Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    command = [str(python), str(tmp_path / "script.py"), str(zip_file), str(tmp_path / "post.seanim"), *models]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    said = run.stdout.split("INSTALLED\n")[1]
    assert said == "DONE\n" and run.stderr == "", said + run.stderr
