#!/usr/bin/env python3
"""Makes the extension's zip of a wheel of the package: python build.py --wheel maquette-0.1.0-cp39-abi3-….whl --out maquette-blender.zip

The zip holds the files of `extension/`, the manifest with the wheel's version and platform added, the licences, and the wheel under `wheels/`. The same
wheel gives the same bytes. It needs nothing but Python.
"""

import argparse
import pathlib
import re
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
MOMENT = (2026, 1, 1, 0, 0, 0)

# What a wheel calls a platform, and what Blender does.
PLATFORMS = (
    (r"linux_x86_64|manylinux.*_x86_64", "linux-x64"),
    (r"macosx.*_arm64", "macos-arm64"),
    (r"macosx.*_x86_64", "macos-x64"),
    (r"win_amd64", "windows-x64"),
    (r"win_arm64", "windows-arm64"),
)


def platforms_of(wheels):
    found = []
    for wheel in wheels:
        tag = wheel.stem.rsplit("-", 1)[-1]
        names = [name for pattern, name in PLATFORMS if re.search(pattern, tag)]
        if not names:
            raise SystemExit(f"{wheel.name}: Blender runs on no platform called {tag}")
        found += [name for name in names if name not in found]
    return found


def version_of(wheels):
    versions = {wheel.name.split("-")[1] for wheel in wheels}
    if len(versions) != 1:
        raise SystemExit(f"the wheels are of several versions: {', '.join(sorted(versions))}")
    return versions.pop()


def manifest(wheels):
    """The manifest, completed; Blender wants three numbers for a version."""
    text = (HERE / "extension" / "blender_manifest.toml").read_text(encoding="utf-8")
    text = re.sub(r'^version = ".*"$', f'version = "{version_of(wheels)}"', text, flags=re.MULTILINE)
    head, permissions = text.split("[permissions]")
    lines = [f'platforms = [{", ".join(chr(34) + name + chr(34) for name in platforms_of(wheels))}]', "wheels = ["]
    lines += [f'    "./wheels/{wheel.name}",' for wheel in wheels] + ["]"]
    permissions = "\n".join(line for line in permissions.splitlines() if not line.startswith("#")).rstrip()
    return head + "\n".join(lines) + "\n\n[permissions]" + permissions + "\n"


def build(wheels, out):
    wheels = sorted(map(pathlib.Path, wheels))
    files = {"blender_manifest.toml": manifest(wheels).encode()}
    for source in sorted((HERE / "extension").glob("*.py")):
        files[source.name] = source.read_bytes()
    for licence in ("LICENSE-MIT", "LICENSE-APACHE"):
        path = HERE.parent.parent / licence
        if path.exists():
            files[licence] = path.read_bytes()
    for wheel in wheels:
        files[f"wheels/{wheel.name}"] = wheel.read_bytes()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.compress_type = zipfile.ZIP_STORED if name.endswith(".whl") else zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", action="append", required=True, type=pathlib.Path, metavar="FILE", help="a wheel of the package; again for other platforms")
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="ZIP")
    arguments = parser.parse_args()
    print(build(arguments.wheel, arguments.out))


if __name__ == "__main__":
    main()
