//! Each rule by numbers worked out by hand.

use super::*;
use crate::colour::srgb_table;

fn one(pixel: [u8; 4]) -> Picture {
    Picture::of_one(pixel)
}

fn source(picture: &Picture) -> Source<'_> {
    Source { picture, edges: [Edge::Clamp; 2], decode_table: data_table() }
}

fn base_colour(picture: &Picture, decode_table: &[f32; 256], factor: [f32; 4], opacity: Opacity) -> Picture {
    BaseColour::new(picture, decode_table, factor, opacity).whole().0
}

fn normals(picture: &Picture, scale: f32) -> (Picture, u64) {
    let (picture, shortfall) = Normals { picture, scale, two_channels: false }.whole();
    (picture, shortfall.below_surface)
}

fn dull<'p>() -> Surface<'p> {
    Surface {
        roughness: 1.0,
        metalness: 1.0,
        metallic_roughness: None,
        occlusion_strength: 1.0,
        occlusion: None,
        emissive: [0.0; 3],
        emissive_map: None,
        base_colour: [1.0; 3],
        base_colour_map: None,
    }
}

#[test]
fn base_colour_is_linear_light_times_its_factor() {
    let factor = [0.5, 1.0, 1.0, 0.5];
    let packed = base_colour(&one([188, 188, 0, 200]), &srgb_table(), factor, Opacity::Kept);
    // 188 of sRGB is 0.5029 of the light: 128 of 255, and 64 for half of it.
    assert_eq!(packed.pixels(), [[64, 128, 0, 100]]);
    let packed = base_colour(&one([188, 3, 255, 0]), &data_table(), [1.0, 1.0, 2.0, 1.0], Opacity::Ignored);
    assert_eq!(packed.pixels(), [[188, 3, 255, 255]]);
}

#[test]
fn a_cut_out_is_there_or_not_after_the_factor() {
    let cut = |alpha: u8, factor: f32, cutoff: f32| {
        let factor = [1.0, 1.0, 1.0, factor];
        base_colour(&one([0, 0, 0, alpha]), &data_table(), factor, Opacity::CutOut(cutoff)).pixels()[0][3]
    };
    assert_eq!([cut(127, 1.0, 0.5), cut(128, 1.0, 0.5)], [0, 255]);
    assert_eq!([cut(255, 0.49, 0.5), cut(255, 0.5, 0.5)], [0, 255]);
    assert_eq!([cut(0, 1.0, 0.0), cut(255, 1.0, 1.1)], [255, 0], "all and nothing");
}

#[test]
fn normals_are_scaled_and_of_unit_length() {
    let (packed, below) = normals(&one([128, 128, 255, 255]), 1.0);
    assert_eq!((packed.pixels()[0], below), ([128, 128, 255, 255], 0));
    // X and Z of 0.6 and 0.8; twice the X makes 1.2 and 0.8, of unit length 0.832 and 0.555.
    let (packed, _) = normals(&one([204, 128, 230, 255]), 2.0);
    let [x, y, z, _] = packed.pixels()[0];
    assert!(x.abs_diff(234) <= 1 && y == 128 && z.abs_diff(198) <= 1, "{x} {y} {z}");
    let (packed, _) = normals(&one([255, 10, 200, 255]), 0.0);
    assert_eq!(packed.pixels()[0][..2], [128, 128]);
    let (packed, below) = normals(&one([255, 128, 0, 255]), 1.0);
    assert_eq!((packed.pixels()[0][..2].to_vec(), below), (vec![255, 128], 1));
}

#[test]
fn roughness_occlusion_and_metalness_take_their_channels() {
    let map = one([9, 200, 100, 9]);
    let occlusion = one([51, 9, 9, 9]);
    let surface = Surface {
        roughness: 0.5,
        metalness: 0.25,
        metallic_roughness: Some(source(&map)),
        occlusion: Some(source(&occlusion)),
        occlusion_strength: 0.5,
        ..dull()
    };
    // Half of the way from 1 to 0.2 is 0.6.
    assert_eq!(surface.whole().0.pixels(), [[100, 153, 25, 0]]);
    let bare = Surface { roughness: 0.2, metalness: 0.0, occlusion_strength: 0.0, ..dull() };
    assert_eq!(bare.whole().0.pixels(), [[51, 255, 0, 0]]);
}

#[test]
fn maps_of_different_sizes_become_as_large_as_the_largest() {
    let wide = Picture::new(4, 1, vec![[0, 80, 40, 0]; 4]).unwrap();
    let tall = Picture::new(1, 3, vec![[255; 4], [128; 4], [0; 4]]).unwrap();
    let surface = Surface { metallic_roughness: Some(source(&wide)), occlusion: Some(source(&tall)), ..dull() };
    let packed = surface.whole().0;
    assert_eq!((packed.width(), packed.height()), (4, 3));
    assert_eq!(packed.row(0), [[80, 255, 40, 0]; 4]);
    assert_eq!(packed.row(2), [[80, 0, 40, 0]; 4]);
    // A map of light is no reason for pixels where nothing shines.
    let dark = Surface { emissive_map: Some(source(&wide)), base_colour_map: Some(source(&wide)), ..dull() };
    assert_eq!(dark.size(), [1, 1]);
}

#[test]
fn emission_is_the_part_of_the_base_colour_that_is_most_like_it() {
    let pack = |emissive: [f32; 3], base_colour: [f32; 3]| {
        let (packed, shortfall) = Surface { emissive, base_colour, ..dull() }.whole();
        (packed.pixels()[0][3], shortfall.emission_error)
    };
    let (part, error) = pack([0.4, 0.2, 0.1], [0.8, 0.4, 0.2]);
    assert_eq!(part.abs_diff(128), u8::from(part < 128), "half of 255 is between two");
    assert!((error - 0.8 * 0.5 / 255.0).abs() < 1e-5, "half a step of eight bits, of 0.8: {error}");
    // Red light from white: a third of it in each channel.
    let (part, error) = pack([1.0, 0.0, 0.0], [1.0; 3]);
    assert_eq!(part, 85);
    assert!((error - 2.0 / 3.0).abs() < 0.01, "{error}");
    assert_eq!(pack([30.0, 30.0, 30.0], [0.5; 3]), (255, 29.5), "there is no more than all");
    assert_eq!(pack([0.5, 0.25, 0.0], [0.0; 3]).0, 128, "of black, the brightness");
    assert_eq!(pack([0.0; 3], [1.0; 3]), (0, 0.0));
    assert_eq!(pack([f32::NAN; 3], [1.0; 3]).0, 0);
}

#[test]
fn an_average_is_one_of_light() {
    let picture = Picture::new(2, 1, vec![[0, 0, 0, 0], [255; 4]]).unwrap();
    assert_eq!(average(&picture, &srgb_table()), [0.5; 4]);
}

fn noise(width: u32, height: u32, seed: u32) -> Picture {
    let pixel = |at: u32| (at + seed).wrapping_mul(0x9e37_79b9).to_le_bytes();
    Picture::new(width, height, (0..width * height).map(pixel).collect()).unwrap()
}

#[test]
fn a_map_is_the_same_in_whatever_bands_it_is_made() {
    let (large, small) = (noise(300, 41, 1), noise(7, 5, 2));
    let spots = Picture::new(300, 41, (0..12_300).map(|at| [u8::from(at % 7 == 0) * 200; 4]).collect()).unwrap();
    let surface = Surface {
        metallic_roughness: Some(source(&large)),
        occlusion: Some(source(&small)),
        emissive: [0.9, 0.5, 0.1],
        emissive_map: Some(source(&spots)),
        base_colour_map: Some(source(&large)),
        ..dull()
    };
    let colour = BaseColour::new(&large, &srgb_table(), [0.5, 1.0, 0.3, 0.9], Opacity::Kept);
    let [three, two] = [false, true].map(|two_channels| Normals { picture: &large, scale: 0.7, two_channels });
    let maps: [&dyn Map; 4] = [&colour, &three, &two, &surface];
    for (which, map) in maps.into_iter().enumerate() {
        let (whole, shortfall) = map.whole();
        for rows in [1, 4, 17, 40] {
            let mut pixels = vec![[77; 4]; whole.pixels().len()];
            let bands = pixels.chunks_mut(rows * 300).enumerate();
            let sum = bands.map(|(band, pixels)| map.rows(band * rows, pixels)).reduce(Shortfall::and).unwrap();
            assert!(pixels == whole.pixels(), "{which}, by {rows}");
            assert_eq!(sum, shortfall, "{which}, by {rows}");
        }
    }
    assert!(
        three.whole().1.below_surface > 0 && two.whole().1.below_surface == 0 && surface.whole().1.emission_error > 0.0
    );
}

#[test]
fn normals_of_two_channels_get_their_third() {
    let flat = one([128, 128, 0, 255]);
    let packed = |two_channels| Normals { picture: &flat, scale: 1.0, two_channels }.whole();
    assert_eq!(packed(true).0.pixels(), [[128, 128, 255, 255]]);
    assert_eq!((packed(true).1.below_surface, packed(false).1.below_surface), (0, 1));
}
