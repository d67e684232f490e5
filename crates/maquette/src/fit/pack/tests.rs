//! Materials packed whole: formats, sizes, sharing, wrap modes, and what is said about it.

use super::super::Effort;
use super::*;
use maquette_formats::aem;
use maquette_scene::image::{ColourSpace, PixelFormat};
use maquette_scene::loss::Lost;
use maquette_scene::mesh::{Mesh, Primitive};
use maquette_texture::{Quality, png};

fn of(pbr: Pbr) -> Material {
    Material { surface: pbr.into(), ..Material::default() }
}

fn scene_of(materials: Vec<Material>) -> Scene {
    let mut scene = Scene::default();
    let primitives = materials.into_iter().map(|material| {
        let material = Some(scene.materials.push(material));
        Primitive { material, ..Primitive::default() }
    });
    let primitives = primitives.collect();
    scene.meshes.push(Mesh { primitives, ..Mesh::default() });
    scene
}

fn file(width: u32, height: u32, pixel: [u8; 4]) -> ImageData {
    let bytes = png::encode(width, height, &vec![pixel; (width * height) as usize]).unwrap();
    ImageData::Encoded { mime: "image/png".into(), bytes: bytes.into() }
}

fn texture(scene: &mut Scene, data: ImageData) -> Option<TextureUse> {
    Some(TextureUse::new(scene.images.push(Image::new("map", data))))
}

const PIXELS: TextureOptions = TextureOptions { quality: None, max_size: None, effort: Effort::Whole };
const BLOCKS: TextureOptions = TextureOptions { quality: Some(Quality::Fast), max_size: None, effort: Effort::Whole };

fn packed(scene: &mut Scene, options: &TextureOptions) -> LossReport {
    let mut losses = LossReport::default();
    pack(scene, &(aem::FORMAT.caps)("wide"), options, &Progress::default(), &mut losses);
    assert_eq!(maquette_scene::valid::check(scene), Ok(()));
    losses
}

/// Format, size, levels and the first bytes of base colour, normals and the rest of a material.
fn textures(scene: &Scene, material: usize) -> [(PixelFormat, [u32; 2], usize, Vec<u8>); 3] {
    let packed = scene.materials.iter().nth(material).unwrap().packed().copied().unwrap();
    packed.textures().map(|(_, texture)| match &*scene.images.get(texture.image).unwrap().data {
        ImageData::Pixels { format, colour_space: ColourSpace::Linear, width, height, levels } => {
            (*format, [*width, *height], levels.len(), levels[0][..levels[0].len().min(4)].to_vec())
        }
        other => panic!("{other:?}"),
    })
}

#[test]
fn factors_alone_become_one_pixel_each() {
    let mut scene =
        scene_of(vec![of(Pbr { base_colour: [0.5, 1.0, 0.0, 0.2], roughness: 0.4, metallic: 0.6, ..Pbr::default() })]);
    let losses = packed(&mut scene, &BLOCKS);
    let one = |bytes: [u8; 4]| (PixelFormat::Rgba8, [1, 1], 1, bytes.to_vec());
    let expected = [one([128, 255, 0, 255]), one([128, 128, 255, 255]), one([102, 255, 153, 0])];
    assert_eq!(textures(&scene, 0), expected);
    let told: Vec<(&str, Lost)> = losses.iter().map(|loss| (loss.kind.word(), loss.what)).collect();
    assert_eq!(told, [("approximated", Lost::BaseColours), ("dropped", Lost::BaseColours)], "{losses:?}");
}

#[test]
fn what_eight_bits_change_of_factors_is_told() {
    let error = |pbr: Pbr, alpha: AlphaMode, what: Lost| {
        let losses = packed(&mut scene_of(vec![Material { alpha, ..of(pbr) }]), &BLOCKS);
        let errors = losses.iter().filter(|loss| loss.what == what).filter_map(|loss| match loss.kind {
            LossKind::Approximated { max_error } => Some((max_error * 255.0 * 1e3).round() / 1e3),
            _ => None,
        });
        errors.collect::<Vec<f32>>()
    };
    let steps = |steps: f32| steps / 255.0;
    let grey = |grey: f32, alpha: f32| Pbr { base_colour: [1.0, steps(grey), 0.0, steps(alpha)], ..Pbr::default() };
    assert_eq!(error(grey(22.75, 255.0), AlphaMode::Opaque, Lost::BaseColours), [0.25]);
    assert_eq!(error(grey(22.0, 255.0), AlphaMode::Opaque, Lost::BaseColours), [0.0; 0]);
    assert_eq!(error(grey(22.0, 51.4), AlphaMode::Blend, Lost::BaseColours), [0.4]);
    assert_eq!(error(grey(22.0, 51.4), AlphaMode::Opaque, Lost::BaseColours), [0.0; 0]);
    let rough = Pbr { roughness: steps(229.5), metallic: steps(3.1), ..Pbr::default() };
    assert_eq!(error(rough, AlphaMode::Opaque, Lost::MetalnessAndRoughness), [0.5]);
    let shining = Pbr { emissive: [steps(10.25); 3], ..Pbr::default() };
    assert_eq!(error(shining, AlphaMode::Opaque, Lost::Emission), [0.25]);
}

#[test]
fn names_of_pictures_are_told_and_each_picture_once() {
    let mut scene = scene_of(vec![Material::default()]);
    let used = texture(&mut scene, file(4, 4, [9, 200, 30, 255]));
    let nameless = Some(TextureUse::new(scene.images.push(Image::new("", file(4, 4, [255; 4])))));
    let pbr = scene.materials.iter_mut().next().unwrap().pbr_mut().unwrap();
    (pbr.base_colour_texture, pbr.emissive_texture) = (used.clone(), used);
    pbr.normal_texture = nameless;
    for options in [PIXELS, BLOCKS] {
        let losses = packed(&mut scene.clone(), &options);
        let names: Vec<_> = losses.iter().filter(|loss| loss.what == Lost::ImageNames).collect();
        assert!(matches!(names[..], [loss] if loss.subject == "image \"map\"" && loss.count == 1), "{losses}");
        let pixels = losses.iter().filter(|loss| loss.what == Lost::Pixels && loss.subject == "material 0");
        let approximated = pixels.filter(|loss| matches!(loss.kind, LossKind::Approximated { .. }));
        assert_eq!(approximated.count(), 1, "{losses}");
    }
}

#[test]
fn colours_are_off_as_they_are_seen() {
    // 9 of 255 in sRGB is 0.7 of 255 in linear light, which becomes 1, and that is seen as 13.
    let mut scene = scene_of(vec![Material::default()]);
    let used = texture(&mut scene, file(4, 4, [9, 9, 9, 255]));
    scene.materials.iter_mut().next().unwrap().pbr_mut().unwrap().base_colour_texture = used;
    let losses = packed(&mut scene, &PIXELS);
    let told = losses.iter().find(|loss| loss.what == Lost::Pixels).unwrap();
    let LossKind::Approximated { max_error } = told.kind else { panic!("{told}") };
    assert!((max_error * 255.0 - 3.75).abs() < 0.1, "{told}");
    assert!(told.detail.contains("0.015 of 1, as light or as it is seen"), "{told}");
}

#[test]
fn maps_become_levels_of_blocks_or_pixels() {
    let mut scene = scene_of(vec![Material::default()]);
    let base_colour_texture = texture(&mut scene, file(6, 5, [188, 188, 188, 255]));
    let normal_texture = texture(&mut scene, file(4, 2, [128, 128, 255, 255]));
    let occlusion_texture = texture(&mut scene, file(3, 3, [51, 0, 0, 255]));
    let material = of(Pbr { base_colour_texture, normal_texture, occlusion_texture, ..Pbr::default() });
    *scene.materials.iter_mut().next().unwrap() = material;
    let mut plain = scene.clone();
    packed(&mut plain, &PIXELS);
    let [base, normal, surface] = textures(&plain, 0);
    assert_eq!(base, (PixelFormat::Rgba8, [6, 5], 3, vec![128, 128, 128, 255]));
    assert_eq!(normal, (PixelFormat::Rg8, [4, 2], 3, vec![128; 4]));
    assert_eq!(surface, (PixelFormat::Rgba8, [3, 3], 2, vec![255, 51, 255, 0]));
    packed(&mut scene, &BLOCKS);
    let formats = textures(&scene, 0).map(|(format, _, levels, _)| (format, levels));
    assert_eq!(formats, [(PixelFormat::Bc7, 3), (PixelFormat::Bc5, 3), (PixelFormat::Bc7, 2)]);
    let lengths: Vec<Vec<usize>> = scene.images.iter().skip(3).map(level_lengths).collect();
    // 6 × 5 takes two by two blocks, 3 × 2 and 1 × 1 one each.
    assert_eq!(lengths, [vec![64, 16, 16], vec![16, 16, 16], vec![16, 16]]);
}

#[test]
fn what_is_predicted_has_levels_like_what_is_made() {
    let mut scene = scene_of(vec![Material::default()]);
    let base_colour_texture = texture(&mut scene, file(6, 5, [188, 188, 188, 255]));
    *scene.materials.iter_mut().next().unwrap() = of(Pbr { base_colour_texture, ..Pbr::default() });
    let losses = packed(&mut scene, &TextureOptions { effort: Effort::Predicted, ..BLOCKS });
    assert!(losses.names(Lost::Pixels), "{losses:?}");
    let lengths: Vec<Vec<usize>> = scene.images.iter().skip(1).map(level_lengths).collect();
    assert_eq!(lengths, [vec![120, 24, 4], vec![4], vec![4]]);
    let fitted = maquette_formats::format::Fitted::check(&scene, &(aem::FORMAT.caps)("wide"));
    assert_eq!(fitted.err(), None, "a writer takes it");
}

fn level_lengths(image: &Image) -> Vec<usize> {
    match &*image.data {
        ImageData::Pixels { levels, .. } => levels.iter().map(|level| level.len()).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn equal_textures_are_there_once_and_equal_materials_stay_two() {
    let mut scene = scene_of(vec![Material::default(), Material::default()]);
    let [first, second] = [0, 1].map(|_| texture(&mut scene, file(4, 4, [9, 9, 9, 255])));
    for (material, texture) in scene.materials.iter_mut().zip([first, second]) {
        material.pbr_mut().unwrap().base_colour_texture = texture;
    }
    packed(&mut scene, &BLOCKS);
    let [a, b] = [0, 1].map(|index| scene.materials.iter().nth(index).unwrap().packed().copied().unwrap());
    assert_eq!(a, b);
    assert_eq!((scene.materials.len(), scene.images.len()), (2, 2 + 3));
}

#[test]
fn wrap_modes_stay_and_disagreement_is_named() {
    let mut scene = scene_of(vec![Material::default()]);
    let wrapped = |scene: &mut Scene, wrap| {
        let used = texture(scene, file(2, 2, [9, 9, 9, 255])).unwrap();
        Some(TextureUse { wrap: [wrap; 2], ..used })
    };
    let base_colour_texture = wrapped(&mut scene, Wrap::Mirror);
    let normal_texture = wrapped(&mut scene, Wrap::Clamp);
    let occlusion_texture = wrapped(&mut scene, Wrap::Clamp);
    let metallic_roughness_texture = wrapped(&mut scene, Wrap::Repeat);
    let material = of(Pbr {
        base_colour_texture,
        normal_texture,
        occlusion_texture,
        metallic_roughness_texture,
        ..Pbr::default()
    });
    *scene.materials.iter_mut().next().unwrap() = material;
    let losses = packed(&mut scene, &PIXELS);
    let packed = scene.materials.iter().next().unwrap().packed().copied().unwrap();
    let wraps = packed.textures().map(|(_, texture)| texture.wrap[0]);
    assert_eq!(wraps, [Wrap::Mirror, Wrap::Clamp, Wrap::Mirror]);
    assert!(losses.names(Lost::TextureWrapping));
}

#[test]
fn what_cannot_be_decoded_is_named_and_the_factor_stays() {
    let strange = [
        (ImageData::External("gone.png".into()), "gone.png"),
        (ImageData::Encoded { mime: "image/vnd-ms.dds".into(), bytes: b"DDS .......".to_vec().into() }, "DDS"),
        (ImageData::Encoded { mime: "image/png".into(), bytes: b"\x89PNG\r\n\x1a\nrubbish".to_vec().into() }, "PNG"),
    ];
    for (data, named) in strange {
        let mut scene = scene_of(vec![of(Pbr { base_colour: [0.5, 0.5, 0.5, 1.0], ..Pbr::default() })]);
        let base_colour_texture = texture(&mut scene, data);
        scene.materials.iter_mut().next().unwrap().pbr_mut().unwrap().base_colour_texture = base_colour_texture;
        let losses = packed(&mut scene, &BLOCKS);
        assert_eq!(textures(&scene, 0)[0].3, [128, 128, 128, 255]);
        let lost = losses.losses().iter().find(|loss| loss.what == Lost::Textures).unwrap();
        assert!(lost.detail.contains(named), "{lost}");
    }
}

#[test]
fn a_longest_side_leaves_the_large_levels_out() {
    let mut scene = scene_of(vec![Material::default()]);
    let base_colour_texture = texture(&mut scene, file(64, 16, [188, 188, 188, 255]));
    scene.materials.iter_mut().next().unwrap().pbr_mut().unwrap().base_colour_texture = base_colour_texture;
    let losses = packed(&mut scene, &TextureOptions { max_size: Some(20), ..PIXELS });
    assert_eq!(textures(&scene, 0)[0], (PixelFormat::Rgba8, [16, 4], 5, vec![128, 128, 128, 255]));
    let told = |losses: &LossReport| {
        let sizes = losses.iter().filter(|loss| loss.what == Lost::TextureSizes && loss.kind == LossKind::Truncated);
        sizes.map(|loss| (loss.detail.clone(), loss.count)).collect::<Vec<_>>()
    };
    assert_eq!(told(&losses), [("halved from 64 × 16 to 16 × 4".to_owned(), 1)]);
    // Once more, on what is packed already.
    let losses = packed(&mut scene, &TextureOptions { max_size: Some(4), ..BLOCKS });
    assert_eq!(textures(&scene, 0)[0], (PixelFormat::Rgba8, [4, 1], 3, vec![128, 128, 128, 255]));
    assert_eq!(told(&losses), [("halved from 16 × 4 to 4 × 1".to_owned(), 1)]);
}

#[test]
fn halved_pictures_and_normals_below_the_surface_are_counted_apart() {
    let mut scene = scene_of(vec![Material::default()]);
    let mut normals = vec![[128, 128, 255, 255]; 64];
    normals[..17].fill([128, 200, 60, 255]);
    let bytes = png::encode(8, 8, &normals).unwrap();
    let normal_texture = texture(&mut scene, ImageData::Encoded { mime: "image/png".into(), bytes: bytes.into() });
    let base_colour_texture = texture(&mut scene, file(8, 8, [188, 188, 188, 255]));
    let pbr = Pbr { normal_texture, base_colour_texture, ..Pbr::default() };
    *scene.materials.iter_mut().next().unwrap() = of(pbr);
    let losses = packed(&mut scene, &TextureOptions { max_size: Some(4), ..PIXELS });
    let truncated = losses.iter().filter(|loss| loss.kind == LossKind::Truncated);
    let told: Vec<_> = truncated.map(|loss| (loss.what, loss.count)).collect();
    assert_eq!(told, [(Lost::TextureSizes, 2), (Lost::Pixels, 17)], "{losses}");
}

#[test]
fn what_eight_bits_leave_of_colours_is_told_of_halved_pictures_too() {
    // Columns of 9 and 12 of sRGB: their mean is 0.8 of 255 in linear light, which becomes 1.
    let error = |pixels: &[[u8; 4]], alpha: AlphaMode, options: &TextureOptions| {
        let mut scene = scene_of(vec![Material::default()]);
        let bytes = png::encode(4, pixels.len() as u32 / 4, pixels).unwrap();
        let used = texture(&mut scene, ImageData::Encoded { mime: "image/png".into(), bytes: bytes.into() });
        let material = scene.materials.iter_mut().next().unwrap();
        material.pbr_mut().unwrap().base_colour_texture = used;
        material.alpha = alpha;
        let losses = packed(&mut scene, options);
        let of_pixels = losses.iter().filter(|loss| loss.what == Lost::Pixels).map(|loss| loss.kind);
        of_pixels
            .fold(0.0, |sum, kind| if let LossKind::Approximated { max_error } = kind { sum + max_error } else { sum })
    };
    let half = TextureOptions { max_size: Some(2), ..PIXELS };
    let dark: Vec<[u8; 4]> = [[9, 9, 9, 255], [12, 12, 12, 255]].repeat(8);
    // 1 of 255 in linear light is seen as 12.92 of 255; the mean as 10.5.
    let seen = error(&dark, AlphaMode::Opaque, &half) * 255.0;
    assert!((2.3..4.5).contains(&seen), "{seen}");
    // What nobody sees does not count.
    let hidden: Vec<[u8; 4]> = [[9, 9, 9, 255], [60, 60, 60, 0]].repeat(8);
    let seen = error(&hidden, AlphaMode::Blend, &half) * 255.0;
    assert!((3.0..6.5).contains(&seen), "{seen}");
    assert_eq!(error(&[[255; 4]; 16], AlphaMode::Opaque, &half), 0.0, "white stays white");
    let blocks = TextureOptions { max_size: Some(2), ..BLOCKS };
    assert!(error(&dark, AlphaMode::Opaque, &blocks) * 255.0 > 2.3, "blocks have linear light too");
}

#[test]
fn no_channel_is_worse_than_the_report_promises() {
    let mut scene = scene_of(vec![Material::default()]);
    let noise = |place: u32| (place.wrapping_mul(0x9e37_79b9) >> 24) as u8;
    // Noise in roughness and occlusion, nothing in metalness and emission.
    let pixels: Vec<[u8; 4]> = (0..256).map(|place| [noise(place), noise(place + 999), 0, 255]).collect();
    let bytes = png::encode(16, 16, &pixels).unwrap();
    let used = texture(&mut scene, ImageData::Encoded { mime: "image/png".into(), bytes: bytes.into() });
    let pbr = Pbr { metallic_roughness_texture: used.clone(), occlusion_texture: used, ..Pbr::default() };
    *scene.materials.iter_mut().next().unwrap() = of(pbr);
    let losses = packed(&mut scene, &BLOCKS);
    let told = losses.iter().find(|loss| loss.detail.contains(" dB or better in every channel")).unwrap();
    let promised: f64 = told.detail.split(' ').find_map(|word| word.parse().ok()).unwrap();
    let surface = scene.materials.iter().next().unwrap().packed().unwrap().surface.image;
    let stored = pictures::picture(scene.images.get(surface).unwrap()).unwrap();
    let wanted: Vec<[u8; 4]> = pixels.iter().map(|&[occlusion, roughness, ..]| [roughness, occlusion, 0, 0]).collect();
    let by_channel = [0, 1].map(|channel| maquette_texture::compare::psnr(&wanted, stored.pixels(), &[channel]));
    assert!(by_channel.iter().all(|found| *found >= promised - 0.05), "{by_channel:?} {promised}");
    assert!(by_channel.iter().any(|found| *found <= promised + 0.05), "{by_channel:?} {promised}");
}

#[test]
fn primitives_without_a_material_get_one() {
    let mut scene = scene_of(Vec::new());
    scene.meshes.iter_mut().next().unwrap().primitives = vec![Primitive::default()];
    let losses = packed(&mut scene, &BLOCKS);
    assert_eq!(textures(&scene, 0)[2].3, [128, 255, 0, 0]);
    assert!(losses.names(Lost::Materials));
}

#[test]
fn a_cut_out_covers_as_much_in_every_level() {
    let mut scene = scene_of(vec![Material { alpha: AlphaMode::Mask(0.5), ..Material::default() }]);
    // A soft disc.
    let pixels: Vec<[u8; 4]> = (0..64 * 64)
        .map(|place| {
            let (x, y) = ((place % 64) as f32 - 31.5, (place / 64) as f32 - 31.5);
            [200, 10, 10, ((26.0 - x.hypot(y)) * 20.0 + 128.0) as u8]
        })
        .collect();
    let bytes = png::encode(64, 64, &pixels).unwrap();
    let base_colour_texture = texture(&mut scene, ImageData::Encoded { mime: "image/png".into(), bytes: bytes.into() });
    scene.materials.iter_mut().next().unwrap().pbr_mut().unwrap().base_colour_texture = base_colour_texture;
    packed(&mut scene, &PIXELS);
    let packed = scene.materials.iter().next().unwrap().packed().copied().unwrap();
    let ImageData::Pixels { levels, .. } = &*scene.images.get(packed.base_colour.image).unwrap().data else { panic!() };
    let covered = |level: &[u8]| {
        let alphas: Vec<u8> = level.chunks(4).map(|pixel| pixel[3]).collect();
        alphas.iter().filter(|&&alpha| alpha >= 128).count() as f32 / alphas.len() as f32
    };
    assert!(levels[0].chunks(4).all(|pixel| pixel[3] == 0 || pixel[3] == 255));
    let disc = std::f32::consts::PI * 26.0 * 26.0 / 4096.0;
    for level in &levels[..4] {
        assert!((covered(level) - disc).abs() < 0.1, "{} of {disc} at {}", covered(level), level.len());
    }
}

#[test]
fn what_is_blended_keeps_its_opacity() {
    let surface = Pbr { base_colour: [1.0, 1.0, 1.0, 0.2], ..Pbr::default() };
    let mut scene = scene_of(vec![Material { alpha: AlphaMode::Blend, ..of(surface) }]);
    let losses = packed(&mut scene, &BLOCKS);
    assert_eq!(textures(&scene, 0)[0].3, [255, 255, 255, 51]);
    assert!(losses.is_empty(), "{losses:?}");
}

#[test]
fn emission_has_its_strength() {
    let mut scene = scene_of(vec![of(Pbr { emissive: [0.25; 3], emissive_strength: 2.0, ..Pbr::default() })]);
    packed(&mut scene, &BLOCKS);
    assert_eq!(textures(&scene, 0)[2].3[3], 128);
}

#[test]
fn what_a_material_is_no_longer_told_apart_by_is_named() {
    let mut scene = scene_of(vec![Material { alpha: AlphaMode::Mask(0.5), ..Material::default() }]);
    let used = texture(&mut scene, file(2, 2, [9, 9, 9, 255])).unwrap();
    let filter = Filter { magnify: Some(9728), ..Filter::default() };
    scene.materials.iter_mut().next().unwrap().pbr_mut().unwrap().base_colour_texture =
        Some(TextureUse { filter, ..used });
    let losses = packed(&mut scene, &PIXELS);
    assert!(losses.names(Lost::TextureFilters) && losses.names(Lost::AlphaModes), "{losses:?}");
}

/// Pixel formats and lengths of levels of base colour and normals, packed for a dialect.
fn packed_for(dialect: &str, scene: &mut Scene, options: &TextureOptions) -> [(PixelFormat, Vec<usize>); 2] {
    let caps = (aem::FORMAT.caps)(dialect);
    pack(scene, &caps, options, &Progress::default(), &mut LossReport::default());
    let maps = scene.materials.iter().next().unwrap().packed().copied().unwrap();
    [maps.base_colour, maps.normal].map(|map| {
        let image = scene.images.get(map.image).unwrap();
        let ImageData::Pixels { format, .. } = &*image.data else { panic!("{image:?}") };
        (*format, level_lengths(image))
    })
}

fn with_normals() -> Scene {
    let mut scene = scene_of(vec![Material::default()]);
    let base_colour_texture = texture(&mut scene, file(8, 4, [9, 9, 9, 255]));
    let normal_texture = texture(&mut scene, file(8, 4, [128, 128, 255, 255]));
    *scene.materials.iter_mut().next().unwrap() = of(Pbr { base_colour_texture, normal_texture, ..Pbr::default() });
    scene
}

#[test]
fn blocks_and_two_channels_are_made_only_where_they_can_be_held() {
    use PixelFormat::{Bc5, Bc7, Rg8, Rgba8};
    let formats = |dialect, options| packed_for(dialect, &mut with_normals(), options).map(|(format, _)| format);
    assert_eq!(formats("wide", &BLOCKS), [Bc7, Bc5]);
    assert_eq!(formats("wide-early", &BLOCKS), [Rgba8, Rgba8]);
    assert_eq!(formats("wide", &PIXELS), [Rgba8, Rg8]);
    assert_eq!(formats("document", &PIXELS), [Rgba8, Rgba8]);
}

#[test]
fn blocks_that_are_packed_already_become_pixels_level_for_level() {
    let mut scene = with_normals();
    packed_for("wide", &mut scene, &BLOCKS);
    let mut plain = scene.clone();
    let [base, normal] = packed_for("wide", &mut plain, &PIXELS);
    assert_eq!(base, (PixelFormat::Rgba8, vec![128, 32, 8, 4]));
    assert_eq!(normal, (PixelFormat::Rg8, vec![64, 16, 4, 2]));
    let [_, normal] = packed_for("document", &mut plain, &PIXELS);
    assert_eq!(normal, (PixelFormat::Rgba8, vec![128, 32, 8, 4]));
    let [_, (.., first), _] = textures(&plain, 0);
    assert_eq!(first, [128, 128, 255, 255], "the third channel follows from the two");
}

#[test]
fn pixels_are_counted_before_any_are_made() {
    let mut scene = scene_of(Vec::new());
    let image = scene.images.push(Image::new("a", file(8, 4, [1, 2, 3, 255])));
    let material = |factor: f32| {
        let map = Some(TextureUse::new(image));
        of(Pbr { base_colour: [factor; 4], base_colour_texture: map.clone(), occlusion_texture: map, ..Pbr::default() })
    };
    let made = scene_of([0.25, 0.5, 0.5].map(material).to_vec());
    let scene = Scene { images: scene.images, ..made };
    let count = |max_size| pixels(&scene, &TextureOptions { max_size, ..TextureOptions::default() });
    assert_eq!(count(None), 3 * 32, "two base colours, and occlusion once");
    assert_eq!(count(Some(4)), 3 * 8);
}

/// A grey JPEG of two blocks side by side, with the data of so many of them.
fn jpeg_with(blocks: usize) -> ImageData {
    let mut bytes = vec![0xff, 0xd8];
    let mut segment = |marker: u8, parts: &[&[u8]]| {
        let body = parts.concat();
        bytes.extend([0xff, marker, 0, body.len() as u8 + 2]);
        bytes.extend(body);
    };
    segment(0xdb, &[&[0], &[8; 64]]);
    segment(0xc0, &[&[8, 0, 8, 0, 16, 1, 1, 0x11, 0]]);
    // `0` says that six bits of the mean follow, and then that nothing more does.
    segment(0xc4, &[&[0x00, 1], &[0; 15], &[6]]);
    segment(0xc4, &[&[0x10, 1], &[0; 15], &[0]]);
    segment(0xda, &[&[1, 1, 0, 0, 63, 0]]);
    bytes.extend(vec![40 << 1; blocks]);
    bytes.extend([0xff, 0xd9]);
    ImageData::Encoded { mime: "image/jpeg".into(), bytes: bytes.into() }
}

#[test]
fn a_damaged_picture_is_used_and_named_once() {
    let told = |blocks: usize| {
        let mut scene = scene_of(vec![]);
        let image = texture(&mut scene, jpeg_with(blocks));
        let pbr = Pbr { base_colour_texture: image.clone(), occlusion_texture: image, ..Pbr::default() };
        let materials = [pbr.clone(), Pbr { roughness: 0.5, ..pbr }].map(|pbr| scene.materials.push(of(pbr)));
        let primitives = materials.map(|material| Primitive { material: Some(material), ..Primitive::default() });
        scene.meshes.push(Mesh { primitives: primitives.to_vec(), ..Mesh::default() });
        let losses = packed(&mut scene, &PIXELS);
        assert_eq!(textures(&scene, 0)[0].1, [16, 8], "it is used");
        let damaged = losses.losses().iter().filter(|loss| loss.detail.contains("damaged")).cloned();
        damaged.collect::<Vec<_>>()
    };
    assert_eq!(told(2), []);
    let told = told(1);
    let [loss] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((loss.kind, loss.what, loss.count), (LossKind::Truncated, Lost::Pixels, 1));
    assert_eq!(loss.subject, "image \"map\"");
    assert!(loss.detail.contains("its data ends at byte 139, after 50 % of the picture"), "{}", loss.detail);
}

#[test]
fn a_row_and_a_column_are_halved_before_they_make_a_square() {
    // Together they would have four thousand million pixels.
    const LONG: u32 = 65535;
    let stripes = |width: u32, height: u32| {
        let pixels: Vec<[u8; 4]> =
            (0..LONG).map(|at| if at < LONG / 2 { [10, 20, 30, 255] } else { [90, 80, 70, 255] }).collect();
        let bytes = png::encode(width, height, &pixels).unwrap();
        ImageData::Encoded { mime: "image/png".into(), bytes: bytes.into() }
    };
    let mut scene = scene_of(vec![of(Pbr::default())]);
    let metallic_roughness_texture = texture(&mut scene, stripes(LONG, 1));
    let occlusion_texture = texture(&mut scene, stripes(1, LONG));
    let surface = Pbr { metallic_roughness_texture, occlusion_texture, ..Pbr::default() }.into();
    scene.materials.iter_mut().next().unwrap().surface = surface;
    let losses = packed(&mut scene, &TextureOptions { max_size: Some(8), ..PIXELS });
    let [.., (format, size, levels, first)] = textures(&scene, 0);
    assert_eq!((format, size, levels, first.as_slice()), (PixelFormat::Rgba8, [7, 7], 3, &[20, 10, 30, 0][..]));
    let told = losses.losses().iter().find(|loss| loss.kind == LossKind::Truncated).unwrap();
    assert!(told.detail.contains("65535 × 65535"), "{}", told.detail);
}

#[test]
fn textures_without_room_are_refused_before_they_are_made() {
    // Sizes alone: were these opened, there would be no pixels and no reason to refuse.
    let claimed = |mark: u8| ImageData::Pixels {
        format: PixelFormat::Rgba8,
        colour_space: ColourSpace::Srgb,
        width: 16384,
        height: 16384,
        levels: vec![vec![mark; 4].into()],
    };
    let of_marks = |marks: [u8; 4]| {
        let mut scene = scene_of(vec![of(Pbr::default()); 4]);
        let used = marks.map(|mark| texture(&mut scene, claimed(mark)));
        for (index, (material, used)) in scene.materials.iter_mut().zip(used).enumerate() {
            let pbr = material.pbr_mut().unwrap();
            pbr.base_colour_texture = used;
            pbr.base_colour = [1.0, 1.0, 0.25 * index as f32, 1.0];
        }
        scene
    };
    let document = (aem::FORMAT.caps)("document");
    let one: u64 = (0..15).map(|level| 4 << (2 * level)).sum();
    assert_eq!(bytes(&of_marks([1, 2, 3, 4]), &document, &PIXELS), 4 * one);
    assert_eq!(
        bytes(&of_marks([1, 2, 1, 2]), &document, &PIXELS),
        2 * one,
        "copies of a picture may become one texture"
    );
    let blocks: u64 = (0..15_u32).map(|level| 16 << (2 * level.saturating_sub(2))).sum();
    assert_eq!(bytes(&of_marks([1, 2, 3, 4]), &document, &BLOCKS), 4 * blocks);
    let smaller = TextureOptions { max_size: Some(8192), ..PIXELS };
    assert_eq!(bytes(&of_marks([1, 2, 3, 4]), &document, &smaller), 4 * (one - (4 << 28)));
    let write = |marks, dialect: &str, textures| {
        let fit = crate::fit::FitOptions { textures, ..Default::default() };
        let options = crate::WriteOptions { dialect: Some(dialect.into()), fit, ..Default::default() };
        crate::write::encode(of_marks(marks), "a.aem", &options).map(drop).map_err(|error| error.to_string())
    };
    let refused = write([1, 2, 3, 4], "document", PIXELS).unwrap_err();
    assert!(refused.contains("the textures take more than 4 GiB, which only the dialect `wide` can hold"), "{refused}");
    assert_eq!(write([1, 2, 3, 4], "wide", PIXELS), Ok(()));
    assert_eq!(write([1, 2, 1, 2], "document", PIXELS), Ok(()));
    assert_eq!(write([1, 2, 3, 4], "document", smaller), Ok(()));
}
