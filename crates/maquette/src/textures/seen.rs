//! Textures as people see them: colours in sRGB and normals with all three channels, as image files have them.
//!
//! What a texture becomes depends on what it is used as, so there is a file for each way of using it, named after the first material that does so:
//! `fox.fur.base_color.png`. Emission is a part of the base colour in packed maps and has no texture of its own; it gets a file where anything shines.

use super::{Extracted, UseRow, extension, row};
use crate::fit::pictures::{self, Purpose};
use crate::ops::unpack::emitted;
use maquette_formats::companions::{Taken, companion_file, encoded_file, file_stem, media_type, numbered};
use maquette_formats::format::WriteOptions;
use maquette_formats::rules::images::image_kind;
use maquette_scene::image::{Image, ImageData};
use maquette_scene::material::{Material, PackedTexture};
use maquette_scene::{Handle, Scene};
use maquette_texture::{Picture, png};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// What files are named after where the model has no name.
const UNNAMED_MODEL: &str = "model";

/// A file to be made.
struct Look {
    image: Handle<Image>,
    of: Of,
    /// The material and the slot that it is named after; none where nothing uses the image.
    title: Option<(String, &'static str)>,
    uses: Vec<UseRow>,
}

/// What a file shows.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    /// The image, used so.
    Image(Purpose),
    /// The image, which is a packed map, without its emission.
    Packed,
    /// This base colour × the emission in the image, which is a packed map.
    Emission { base_colour: PackedTexture, packed: PackedTexture },
}

pub(super) fn extract(scene: &Scene, model: &str) -> Extracted {
    let looks = looks(scene);
    let made: Vec<Made> = looks.par_iter().map(|look| look.made(scene)).collect();
    let mut taken = Taken::default();
    let mut extracted = Extracted { rows: Vec::new(), files: Vec::new() };
    for (look, made) in looks.into_iter().zip(made) {
        let Some(image) = scene.images.get(look.image) else { continue };
        let file = match made {
            Made::Nothing if matches!(look.of, Of::Emission { .. }) => continue,
            Made::Nothing => None,
            Made::File { extension, bytes } => Some((look.name(image, model, extension, &bytes, &mut taken), bytes)),
        };
        extracted.rows.push(row(look.image, image, look.uses, file.as_ref().map(|(name, _)| name.clone())));
        extracted.files.extend(file);
    }
    extracted
}

/// Every file that there is to make, in the order of the textures.
fn looks(scene: &Scene) -> Vec<Look> {
    let mut looks: BTreeMap<Handle<Image>, Vec<Look>> = BTreeMap::new();
    let mut add = |image: Handle<Image>, of: Of, index: usize, material: &Material, slot: &'static str| {
        let usage = UseRow::of(index, material, slot);
        let looks = looks.entry(image).or_default();
        match looks.iter_mut().find(|look| shows_the_same(scene, image, look.of, of)) {
            Some(look) => look.uses.push(usage),
            None => looks.push(Look { image, of, title: Some((title(index, material), slot)), uses: vec![usage] }),
        }
    };
    for (index, material) in scene.materials.iter().enumerate() {
        for (slot, image) in material.images() {
            let of = if slot == "packed" { Of::Packed } else { Of::Image(Purpose::of_slot(slot)) };
            add(image, of, index, material, slot);
        }
        if let Some(maps) = material.packed() {
            let of = Of::Emission { base_colour: maps.base_colour, packed: maps.surface };
            add(maps.surface.image, of, index, material, "emissive");
        }
    }
    for (image, stored) in scene.images.entries() {
        let of = Of::Image(Purpose::likely(stored).unwrap_or(Purpose::Data));
        looks.entry(image).or_insert_with(|| vec![Look { image, of, title: None, uses: Vec::new() }]);
    }
    looks.into_values().flatten().collect()
}

/// Whether two ways to use an image make the same file.
fn shows_the_same(scene: &Scene, image: Handle<Image>, a: Of, b: Of) -> bool {
    match (a, b) {
        (Of::Image(a), Of::Image(b)) => {
            scene.images.get(image).is_some_and(|image| a.treatment(image) == b.treatment(image))
        }
        _ => a == b,
    }
}

/// What a material is called in the name of a file.
fn title(index: usize, material: &Material) -> String {
    match file_stem(&material.name) {
        name if name.is_empty() => format!("material{index}"),
        name => name,
    }
}

enum Made {
    Nothing,
    File { extension: &'static str, bytes: Vec<u8> },
}

impl Look {
    fn made(&self, scene: &Scene) -> Made {
        match (scene.images.get(self.image).map(|image| (image, &*image.data)), self.of) {
            (Some((_, ImageData::Encoded { bytes, .. })), Of::Image(_) | Of::Packed) => {
                Made::File { extension: extension(image_kind(bytes)), bytes: bytes.to_vec() }
            }
            (Some((image, ImageData::Pixels { .. })), Of::Image(purpose)) => {
                encoded(pictures::shown(image, purpose).ok().map(|shown| shown.picture))
            }
            (Some((image, ImageData::Pixels { .. })), Of::Packed) => {
                encoded(pictures::shown(image, Purpose::Data).ok().map(|shown| opaque(shown.picture)))
            }
            (Some(_), Of::Emission { base_colour, packed }) => encoded(emission(scene, base_colour, packed)),
            _ => Made::Nothing,
        }
    }

    fn name(&self, image: &Image, model: &str, extension: &str, bytes: &[u8], taken: &mut Taken) -> String {
        let model = model.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).unwrap_or(UNNAMED_MODEL);
        match &self.title {
            Some((material, slot)) => {
                // Its extension is cut off again as that of a model is.
                let material = companion_file(model, material, extension);
                taken.first_free(|turn| companion_file(&material, &numbered(word(slot), turn), extension))
            }
            None => {
                let options = WriteOptions { dialect: "", name: model, others: &[] };
                encoded_file(image, media_type(bytes).unwrap_or_default(), &options, taken)
            }
        }
    }
}

fn encoded(picture: Option<Picture>) -> Made {
    let bytes = picture.and_then(|picture| png::encode(picture.width(), picture.height(), picture.pixels()));
    bytes.map_or(Made::Nothing, |bytes| Made::File { extension: "png", bytes })
}

/// The emission of a packed map stands where viewers look for opacity, and has a file of its own.
fn opaque(mut picture: Picture) -> Picture {
    picture.pixels_mut().iter_mut().for_each(|[.., emission]| *emission = u8::MAX);
    picture
}

/// Base colour × emission; `None` where nothing shines.
fn emission(scene: &Scene, base_colour: PackedTexture, packed: PackedTexture) -> Option<Picture> {
    let picture = |map: PackedTexture| pictures::picture(scene.images.get(map.image)?).ok();
    let map = picture(packed).filter(|map| map.pixels().iter().any(|&[.., emission]| emission > 0))?;
    emitted((&picture(base_colour)?, base_colour.wrap), (&map, packed.wrap))
}

/// A slot in the name of a file, as other programs spell it.
fn word(slot: &str) -> &str {
    match slot {
        "base colour" => "base_color",
        "metallic-roughness" => "metallic_roughness",
        slot => slot,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::image::{ColourSpace, PixelFormat};
    use maquette_scene::material::{PackedMaps, Pbr, TextureUse, Wrap};
    use maquette_texture::decode::decode;
    use std::collections::HashSet;

    /// An image of one row.
    fn push(scene: &mut Scene, format: PixelFormat, width: u32, level: Vec<u8>) -> Handle<Image> {
        let colour_space = ColourSpace::Linear;
        let data = ImageData::Pixels { format, colour_space, width, height: 1, levels: vec![level.into()] };
        scene.images.push(Image::new("", data))
    }

    fn add_packed(scene: &mut Scene, name: &str, images: [Handle<Image>; 3]) {
        let [base_colour, normal, surface] = images.map(|image| PackedTexture { image, wrap: [Wrap::Repeat; 2] });
        let surface = PackedMaps { base_colour, normal, surface }.into();
        scene.materials.push(Material { name: name.into(), surface, ..Material::default() });
    }

    fn names(extracted: &Extracted) -> Vec<&str> {
        extracted.files.iter().map(|(name, _)| name.as_str()).collect()
    }

    fn pixels(extracted: &Extracted, name: &str) -> Vec<[u8; 4]> {
        let (_, bytes) = extracted.files.iter().find(|(file, _)| file == name).unwrap();
        decode(bytes).unwrap().into_pixels()
    }

    #[test]
    fn colours_are_srgb_and_normals_have_three_channels() {
        let mut scene = Scene::default();
        // Half the light is 188 of sRGB; opacity is no light.
        let base = push(&mut scene, PixelFormat::Rgba8, 2, vec![128, 0, 255, 128, 255, 255, 255, 255]);
        // Flat, and to the right: there is nothing left for Z.
        let normal = push(&mut scene, PixelFormat::Rg8, 2, vec![128, 128, 255, 128]);
        let packed = push(&mut scene, PixelFormat::Rgba8, 2, vec![10, 20, 30, 0, 40, 50, 60, 128]);
        add_packed(&mut scene, "fur", [base, normal, packed]);
        let extracted = extract(&scene, "fox.aem");
        let expected = ["fox.fur.base_color.png", "fox.fur.normal.png", "fox.fur.packed.png", "fox.fur.emissive.png"];
        assert_eq!(names(&extracted), expected);
        assert_eq!(pixels(&extracted, expected[0]), [[188, 0, 255, 128], [255; 4]]);
        assert_eq!(pixels(&extracted, expected[1]), [[128, 128, 255, 255], [255, 128, 128, 255]]);
        assert_eq!(
            pixels(&extracted, expected[2]),
            [[10, 20, 30, 255], [40, 50, 60, 255]],
            "no colour, and nothing to see through"
        );
        assert_eq!(pixels(&extracted, expected[3]), [[0, 0, 0, 255], [188, 188, 188, 255]], "half of white");
        let uses: Vec<_> = extracted.rows.iter().map(|row| (row.index, row.uses[0].r#as)).collect();
        assert_eq!(uses, [(0, "base colour"), (1, "normal"), (2, "packed"), (2, "emissive")]);
        assert!(extracted.rows.iter().zip(&extracted.files).all(|(row, (name, _))| row.file.as_ref() == Some(name)));
    }

    #[test]
    fn normals_of_blocks_have_three_channels_too() {
        let mut scene = Scene::default();
        let level = vec![128, 128, 0, 0, 0, 0, 0, 0, 128, 128, 0, 0, 0, 0, 0, 0];
        let normal = push(&mut scene, PixelFormat::Bc5, 3, level);
        let pbr = Pbr { normal_texture: Some(TextureUse::new(normal)), ..Pbr::default() };
        scene.materials.push(Material { surface: pbr.into(), ..Material::default() });
        let extracted = extract(&scene, "");
        assert_eq!(pixels(&extracted, "model.material0.normal.png"), [[128, 128, 255, 255]; 3]);
    }

    #[test]
    fn one_image_is_a_file_for_each_way_it_is_used() {
        let mut scene = Scene::default();
        let image = push(&mut scene, PixelFormat::Rgba8, 1, vec![128, 128, 0, 255]);
        add_packed(&mut scene, "a", [image, image, image]);
        add_packed(&mut scene, "b", [image, image, image]);
        let extracted = extract(&scene, "fox.aem");
        let expected = ["fox.a.base_color.png", "fox.a.normal.png", "fox.a.packed.png", "fox.a.emissive.png"];
        assert_eq!(names(&extracted), expected);
        assert_eq!(pixels(&extracted, expected[0]), [[188, 188, 0, 255]]);
        assert_eq!(pixels(&extracted, expected[1]), [[128, 128, 255, 255]]);
        assert_eq!(pixels(&extracted, expected[2]), [[128, 128, 0, 255]]);
        let materials: Vec<_> = extracted.rows[0].uses.iter().map(|usage| usage.material.as_str()).collect();
        assert_eq!(materials, ["a", "b"]);
    }

    #[test]
    fn image_files_stay_as_they_are() {
        let mut scene = Scene::default();
        let bytes = b"\xff\xd8\xff not a picture".to_vec();
        let image =
            scene.images.push(Image::new("", ImageData::Encoded { mime: "image/jpeg".into(), bytes: bytes.into() }));
        let gone = scene.images.push(Image::new("", ImageData::External("gone.png".into())));
        let [base_colour_texture, normal_texture] = [image, gone].map(|image| Some(TextureUse::new(image)));
        let emissive_texture = base_colour_texture.clone();
        let pbr = Pbr { base_colour_texture, normal_texture, emissive_texture, ..Pbr::default() };
        scene.materials.push(Material { name: "v1.2".into(), surface: pbr.into(), ..Material::default() });
        let extracted = extract(&scene, "some/fox.glb");
        assert_eq!(extracted.files, [("fox.v1_2.base_color.jpg".into(), b"\xff\xd8\xff not a picture".to_vec())]);
        assert_eq!(extracted.rows.len(), 2);
        assert_eq!((extracted.rows[0].uses.len(), extracted.rows[1].file.as_deref()), (2, None));
    }

    #[test]
    fn names_are_unique_and_safe_whatever_materials_are_called() {
        let mut scene = Scene::default();
        let long = "é".repeat(300);
        let titles = ["fur", "FUR", "fur", "", "..", "../../etc", "a/b", "a:b", "\0\n", "fox", &long, &long, &long];
        for title in titles {
            let base = push(&mut scene, PixelFormat::Rgba8, 1, vec![255; 4]);
            let pbr = Pbr { base_colour_texture: Some(TextureUse::new(base)), ..Pbr::default() };
            scene.materials.push(Material { name: title.into(), surface: pbr.into(), ..Material::default() });
        }
        push(&mut scene, PixelFormat::Rgba8, 1, vec![0; 4]);
        for model in ["fox.aem", "", &format!("{long}.aem"), "a/b\\fox.aem"] {
            let extracted = extract(&scene, model);
            let lower: HashSet<String> = names(&extracted).iter().map(|name| name.to_lowercase()).collect();
            assert_eq!(lower.len(), titles.len() + 1, "{lower:?}");
            for name in names(&extracted) {
                let is_forbidden = |letter: char| letter.is_control() || "/\\:*?\"<>|".contains(letter);
                assert!(!name.contains(is_forbidden) && name.len() < 255 && !name.starts_with('.'), "{name:?}");
            }
        }
        let extracted = extract(&scene, "fox.aem");
        assert_eq!(
            names(&extracted)[..4],
            [
                "fox.fur.base_color.png",
                "fox.FUR.base_color-2.png",
                "fox.fur.base_color-3.png",
                "fox.material3.base_color.png"
            ]
        );
        assert_eq!(names(&extracted).last(), Some(&"fox.texture.png"), "nothing uses it");
    }
}
