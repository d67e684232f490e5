"""Textures: pictures that are not there, and pictures that are to lie beside the model."""

import os

import numpy as np

# What Blender shows for a picture that is missing.
MISSING = np.array([[[255, 0, 255, 255]]], dtype=np.uint8)
ENDINGS = {"PNG": ".png", "JPEG": ".jpg", "WEBP": ".webp", "BMP": ".bmp", "TARGA": ".tga"}


def fill_missing(scene, path, label, report):
    """Reads pictures that lie beside the model; those that do not are one pixel each, because Blender's importer stumbles over names alone."""
    for image in scene.images:
        if image.kind != "external":
            continue
        beside = os.path.join(os.path.dirname(path), *image.name.replace("\\", "/").lstrip("/").split("/"))
        if os.path.isfile(beside):
            with open(beside, "rb") as file:
                image.bytes = file.read()
        else:
            report.warn(label, f"image {image.name!r} is not there; its material is magenta where it would be")
            image.set_pixels(MISSING)


def put_beside(images, path, label, report):
    """Takes packed pictures out into a folder beside the model."""
    folder = os.path.splitext(path)[0] + " textures"
    for image in images:
        if image.packed_file is None:
            continue
        os.makedirs(folder, exist_ok=True)
        stem = "".join("_" if letter in '<>:"/\\|?*' or ord(letter) < 32 else letter for letter in os.path.splitext(image.name)[0]) or "image"
        target = os.path.join(folder, stem + ENDINGS.get(image.file_format, ".png"))
        if os.path.exists(target):
            report.note(label, f"{os.path.basename(target)} lies in {os.path.basename(folder)!r} already, and is used as it is")
        else:
            with open(target, "wb") as file:
                file.write(image.packed_file.data)
        image.unpack(method="REMOVE")
        image.filepath = target
        image.reload()
