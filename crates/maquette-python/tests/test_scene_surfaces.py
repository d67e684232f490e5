"""Materials and images."""

import io
import warnings

import numpy as np
import pytest

import maquette


def png() -> bytes:
    image = maquette.Scene().images.add("dot")
    image.set_pixels(np.array([[[1, 2, 3, 4], [5, 6, 7, 8]]]))
    return image.png()


def test_a_material_has_its_colours_and_factors() -> None:
    material = maquette.Scene().materials.add("wood")
    assert material.base_colour == (1, 1, 1, 1) and material.metallic == 1 and not material.is_packed
    material.base_colour = np.array([0.5, 0.25, 0, 1])
    material.emissive = [1, 0, 0]
    material.metallic, material.roughness, material.emissive_strength = 0, 0.5, 2
    material.normal_scale, material.occlusion_strength = 0.5, 0.25
    material.double_sided, material.unlit = True, True
    assert material.base_colour == (0.5, 0.25, 0, 1) and material.emissive == (1, 0, 0)
    assert (material.metallic, material.roughness, material.emissive_strength) == (0, 0.5, 2)
    assert (material.normal_scale, material.occlusion_strength) == (0.5, 0.25)
    assert material.double_sided and material.unlit and len(material.packed_images) == 0
    with pytest.raises(TypeError, match="base_colour is 4 numbers"):
        material.base_colour = (1, 1, 1)


def test_a_cutoff_is_there_with_a_mask_alone() -> None:
    material = maquette.Scene().materials.add()
    assert material.alpha == "opaque" and material.alpha_cutoff is None
    with pytest.raises(ValueError, match="set alpha first"):
        material.alpha_cutoff = 0.3
    material.alpha = "mask"
    assert material.alpha_cutoff == 0.5
    material.alpha_cutoff = 0.25
    material.alpha = "mask"
    assert material.alpha_cutoff == 0.25
    material.alpha = "blend"
    assert material.alpha_cutoff is None
    with pytest.raises(ValueError, match='alpha is "glass"; "opaque", "mask" or "blend" would be right'):
        material.alpha = "glass"  # type: ignore[assignment]


def test_textures_are_values_that_materials_are_given() -> None:
    scene = maquette.Scene()
    image = scene.images.add("wood")
    image.bytes = png()
    material = scene.materials.add("wood")
    use = maquette.TextureUse(image, uv_set=1, wrap=("mirror", "clamp"), filter=(9729, None), offset=(0.5, 0), rotation=1, scale=(2, 3))
    for slot in ("base_colour", "metallic_roughness", "normal", "occlusion", "emissive"):
        assert getattr(material, f"{slot}_texture") is None
        setattr(material, f"{slot}_texture", use)
        assert getattr(material, f"{slot}_texture") == use
    back = material.normal_texture
    assert back is not None and back.image == image and back.wrap == ("mirror", "clamp")
    assert (back.uv_set, back.filter, back.offset, back.rotation, back.scale) == (1, (9729, None), (0.5, 0), 1, (2, 3))
    with pytest.raises(AttributeError):
        back.uv_set = 2  # type: ignore[misc]
    material.normal_texture = None
    assert material.normal_texture is None
    plain = maquette.TextureUse(image)
    assert (plain.offset, plain.scale, plain.wrap) == ((0, 0), (1, 1), ("repeat", "repeat")) and plain != use
    with pytest.raises(ValueError, match='wrap is "tile"'):
        maquette.TextureUse(image, wrap=("tile", "tile"))  # type: ignore[arg-type]


def test_packed_maps_are_taken_apart_by_edit() -> None:
    scene = maquette.read(maquette.sample("post.aem").bytes)
    material = scene.materials[0]
    assert material.is_packed and list(material.packed_images) == ["base colour", "normal", "packed"]
    assert material.packed_images["normal"] in scene.images
    for attempt in (lambda: material.base_colour, lambda: setattr(material, "roughness", 1), lambda: material.normal_texture):
        with pytest.raises(ValueError, match=r"packed maps and no factors: .*edit\(unpack=True\)"):
            attempt()
    unpacked, losses = scene.edit(unpack=True)
    assert not unpacked.materials[0].is_packed and scene.materials[0].is_packed
    unpacked.materials[0].roughness = 0.25
    assert isinstance(losses, list)


def test_an_image_file_stays_as_it_is() -> None:
    scene = maquette.Scene()
    image = scene.images.add("dot")
    assert (image.kind, image.bytes, image.size, image.levels, image.mime) == ("external", None, None, 0, None)
    with pytest.raises(maquette.Error, match='"dot" was not there to be read'):
        image.pixels()
    assert image._repr_png_() is None
    file = png()
    image.bytes = file
    assert (image.kind, image.bytes, image.size, image.mime, image.format) == ("encoded", file, (2, 1), "image/png", None)
    assert image.pixels().tolist() == [[[1, 2, 3, 4], [5, 6, 7, 8]]] and image.png() == file == image._repr_png_()
    image.bytes = bytearray(file)
    with pytest.raises(ValueError, match="no PNG, JPEG, WebP, KTX or DDS file"):
        image.bytes = b"hello"
    with pytest.raises(TypeError, match="an image file is bytes"):
        image.bytes = "dot.png"  # type: ignore[assignment]
    with pytest.raises(maquette.Error, match="one level"):
        image.pixels(1)
    assert image.bytes == file and image.name == "dot"


def test_pixels_are_set_and_read_back() -> None:
    image = maquette.Scene().images.add("noise")
    pixels = np.random.default_rng(5).integers(0, 256, (5, 7, 4), np.uint8)
    image.set_pixels(pixels, colour_space="linear")
    assert (image.kind, image.size, image.format, image.colour_space, image.levels) == ("pixels", (7, 5), "RGBA8", "linear", 1)
    assert np.array_equal(image.pixels(), pixels) and image.pixels().dtype == np.uint8 and image.bytes is None
    image.set_pixels(pixels[:, :, :3])
    assert image.colour_space == "srgb" and np.array_equal(image.pixels()[:, :, :3], pixels[:, :, :3])
    assert (image.pixels()[:, :, 3] == 255).all()
    copy = image.pixels().copy()
    copy[0, 0] = 0
    image.set_pixels(copy)
    assert image.pixels()[0, 0].tolist() == [0, 0, 0, 0]
    for wrong in (pixels[:, :, :2], pixels[0], np.zeros((0, 4, 4), np.uint8), pixels.astype(float)):
        with pytest.raises((ValueError, TypeError), match="pixels has"):
            image.set_pixels(wrong)
    with pytest.raises(ValueError, match="pixels has 256, which is not from 0 to 255"):
        image.set_pixels(np.full((1, 1, 4), 256))


def test_levels_of_blocks_are_decoded() -> None:
    scene = maquette.read(maquette.sample("post.aem").bytes)
    image = max(scene.images, key=lambda image: image.levels)
    assert image.kind == "pixels" and image.levels > 1 and image.size is not None
    width, height = image.size
    for level in range(image.levels):
        assert image.pixels(level).shape == (max(height >> level, 1), max(width >> level, 1), 4)
    with pytest.raises(maquette.Error, match="levels"):
        image.pixels(image.levels)
    with pytest.raises(OverflowError):
        image.pixels(-1)


def test_textures_reach_a_file_and_come_back() -> None:
    scene = maquette.read(maquette.sample("post.glb").bytes)
    material = scene.materials[0]
    image = scene.images.add("new")
    image.bytes = png()
    material.base_colour_texture = maquette.TextureUse(image, wrap=("clamp", "repeat"))
    again = maquette.read(io.BytesIO(maquette.write(scene, name="post.glb").bytes))
    use = again.materials[0].base_colour_texture
    assert use is not None and use.wrap == ("clamp", "repeat") and use.image.bytes == image.bytes


def test_a_damaged_file_is_decoded_with_a_warning() -> None:
    whole = maquette.Scene().images.add()
    whole.bytes = jpeg()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert whole.pixels().shape == (16, 16, 4)
    cut = maquette.Scene().images.add("cut")
    cut.bytes = jpeg()[:-4]
    with pytest.warns(UserWarning, match='image 0 "cut": the file is damaged'):
        assert cut.pixels().shape == (16, 16, 4)


def jpeg() -> bytes:
    """A grey square: a baseline JPEG of four blocks."""
    def segment(marker: int, content: bytes) -> bytes:
        return bytes([0xFF, marker]) + (len(content) + 2).to_bytes(2, "big") + content
    # One code each: DC differences of no bits are `0`, and of eleven bits `10`; of AC coefficients there is the end of the block, `0`.
    tables = segment(0xC4, bytes([0x00, 1, 1, *[0] * 14, 0, 8])) + segment(0xC4, bytes([0x10, 1, *[0] * 15, 0]))
    bits = "".join("10" + format(64 + place, "08b") + "0" for place in range(4))
    bits += "1" * (-len(bits) % 8)
    data = bytes(int(bits[at:at + 8], 2) for at in range(0, len(bits), 8)).replace(b"\xff", b"\xff\x00")
    frame = segment(0xC0, bytes([8, 0, 16, 0, 16, 1, 1, 0x11, 0]))
    scan = segment(0xDA, bytes([1, 1, 0x00, 0, 63, 0]))
    return b"\xff\xd8" + segment(0xDB, bytes([0, *[1] * 64])) + frame + tables + scan + data + b"\xff\xd9"
