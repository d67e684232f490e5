//! Blocks against an independent decoder.

use super::*;
use crate::blocks::decode_bc7;
use crate::compare::psnr;
use crate::lanes::{Block, levels};
use proptest::prelude::*;

const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Default, Quality::High];

/// Numbers that look random, the same on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn byte(&mut self) -> u8 {
        self.roll(256) as u8
    }

    fn colour(&mut self) -> [u8; 4] {
        [self.byte(), self.byte(), self.byte(), self.byte()]
    }
}

/// Blocks of all kinds: noise, gradients, edges, three colours, channels that go their own ways; opaque, transparent, and neither.
fn blocks() -> Vec<Block> {
    let mut dice = Dice(1);
    let mut blocks = Vec::new();
    for kind in 0..1600 {
        let mut ends = [dice.colour(), dice.colour(), dice.colour(), dice.colour()];
        let shape = partition::PARTITIONS[kind % 64];
        // Ends that are close together call for finer ends.
        if kind % 3 == 0 {
            let base = ends[0].map(|value| value / 2);
            ends = ends.map(|end| std::array::from_fn(|channel| base[channel] + end[channel] / 16));
        }
        let [second, third] = partition::TRIPLES[kind % 16];
        let noise = [0, 2, 20][kind / 4 % 3];
        let mut block = [[0; 4]; 16];
        for (pixel, target) in block.iter_mut().enumerate() {
            let place = dice.roll(16) as u32;
            for channel in 0..4 {
                let part = match kind % 5 {
                    0 => usize::from(shape >> pixel & 1) * 2,
                    3 => usize::from(second >> pixel & 1) + usize::from(third >> pixel & 1) * 2,
                    _ => 0,
                };
                let place = if kind % 5 == 1 && channel == kind / 5 % 4 { dice.roll(16) as u32 } else { place };
                let (from, to) = (u32::from(ends[part][channel]), u32::from(ends[part + 1][channel]));
                let value = (from * (15 - place) + to * place) / 15 + dice.roll(noise + 1) as u32;
                target[channel] = if kind % 5 == 2 { dice.byte() } else { value.min(255) as u8 };
            }
            match kind / 64 % 3 {
                0 => target[3] = 255,
                1 => target[3] = 0,
                _ => {}
            }
        }
        blocks.push(block);
    }
    blocks
}

fn decoded(block: u128) -> Block {
    let mut pixels = [[0; 4]; 16];
    bcdec_rs::bc7(&block.to_le_bytes(), pixels.as_flattened_mut(), 16);
    pixels
}

fn error(a: &Block, b: &Block) -> u32 {
    a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
}

#[test]
fn decoders_see_exactly_the_error_that_was_reckoned_with_in_every_mode() {
    let blocks = blocks();
    let mut modes = [0; 8];
    for quality in QUALITIES {
        let mut found = search::Found::new(blocks.len());
        vectorized!(Level::new(), simd => search::search(simd, &blocks, &search::Effort::new(quality), &mut found));
        for ((block, encoded), reckoned) in blocks.iter().zip(&found.blocks).zip(&found.errors) {
            let mode = encoded.trailing_zeros();
            modes[mode as usize] += 1;
            let decoded = decoded(*encoded);
            assert_eq!(error(block, &decoded) as f32, *reckoned, "mode {mode}, {block:?}, {decoded:?}");
        }
    }
    assert!([0, 1, 4, 5, 6, 7].into_iter().all(|mode| modes[mode] > 20), "{modes:?}");
}

#[test]
fn blocks_are_the_same_whatever_the_processor_can_do() {
    let blocks = blocks();
    let search = |level: Level, quality| {
        let mut found = search::Found::new(blocks.len());
        vectorized!(level, simd => search::search(simd, &blocks, &search::Effort::new(quality), &mut found));
        found.blocks
    };
    for quality in QUALITIES {
        let expected = search(Level::new(), quality);
        assert!(levels().into_iter().all(|level| search(level, quality) == expected));
    }
}

#[test]
fn opaque_and_transparent_blocks_stay_so() {
    for block in blocks() {
        for opacity in [0, 255] {
            let pixels = block.map(|[r, g, b, _]| [r, g, b, opacity]);
            for quality in QUALITIES {
                let bytes = encode(4, 4, &pixels, quality).unwrap();
                assert!(decode_bc7(4, 4, &bytes).unwrap().iter().all(|pixel| pixel[3] == opacity), "{pixels:?}");
            }
        }
    }
}

#[test]
fn bytes_do_not_depend_on_the_number_of_threads() {
    let mut dice = Dice(7);
    // More blocks than one core takes at a time, of all kinds of opacity.
    let (width, height) = (203, 331);
    let opacity = |place: usize| [255, 0, place as u8][place / width / 4 % 3];
    let pixels: Vec<_> =
        (0..width * height).map(|place| [(place / 7) as u8, dice.byte(), place as u8, opacity(place)]).collect();
    for quality in QUALITIES {
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| encode(width, height, &pixels, quality))
        };
        assert!(with(1).is_some());
        assert!(with(1) == with(5), "{quality:?}");
    }
}

#[test]
fn a_gradient_is_hardly_changed() {
    let size = 64;
    let pixels: Vec<_> = (0..size * size).map(|n| [(n % size * 3) as u8, (n / size * 2) as u8, 90, 255]).collect();
    for (quality, least) in QUALITIES.into_iter().zip([42.0, 43.0, 45.0]) {
        let decoded = decode_bc7(size, size, &encode(size, size, &pixels, quality).unwrap()).unwrap();
        let distance = psnr(&pixels, &decoded, &[0, 1, 2]);
        assert!(distance > least, "{quality:?}: {distance}");
    }
}

#[test]
fn more_effort_gives_better_pictures() {
    let pixels = blocks().concat();
    let distances = QUALITIES.map(|quality| {
        let decoded = decode_bc7(4, pixels.len() / 4, &encode(4, pixels.len() / 4, &pixels, quality).unwrap()).unwrap();
        psnr(&pixels, &decoded, &[0, 1, 2, 3])
    });
    assert!(distances[0] < distances[1] && distances[1] + 0.1 < distances[2], "{distances:?}");
}

#[test]
fn more_effort_is_worth_it_for_channels_that_go_their_own_ways() {
    let mut dice = Dice(3);
    for highest in [0, 255] {
        let pixels: Vec<_> = (0..64 * 64)
            .map(|n: usize| {
                let mut near = |base: usize| (base as u64 + dice.roll(9)) as u8;
                [near(n % 64 * 3), near(n / 64 * 3), near((n % 13) * (n / 64 % 5)), near(n / 64).min(highest)]
            })
            .collect();
        let [_, default, high] = QUALITIES.map(|quality| {
            let decoded = decode_bc7(64, 64, &encode(64, 64, &pixels, quality).unwrap()).unwrap();
            psnr(&pixels, &decoded, &[0, 1, 2, 3])
        });
        assert!(default + 0.05 < high, "opacities up to {highest}: {default}, {high}");
    }
}

#[test]
fn pixels_must_fit_the_size() {
    assert_eq!(encode(3, 2, &[[0; 4]; 5], Quality::Fast), None);
    assert_eq!(encode(usize::MAX, 2, &[], Quality::Fast), None);
    assert_eq!(encode(0, 7, &[], Quality::Fast), Some(Vec::new()));
}

#[test]
fn past_the_edge_pixels_are_repeated() {
    // 5 × 1 pixels: the second block has one column, and all its pixels are that one.
    let pixels = [[9, 9, 9, 255], [9, 9, 9, 255], [9, 9, 9, 255], [9, 9, 9, 255], [201, 7, 33, 4]];
    let bytes = encode(5, 1, &pixels, Quality::Default).unwrap();
    let [first, second] = bytes.as_chunks::<16>().0 else { panic!("{}", bytes.len()) };
    assert_eq!(decoded(u128::from_le_bytes(*first)), [[9, 9, 9, 255]; 16]);
    assert_eq!(decoded(u128::from_le_bytes(*second)), [[201, 7, 33, 4]; 16]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn one_colour_is_exact_at_any_size(colour: [u8; 4], width in 1..14_usize, height in 1..14_usize) {
        let pixels = vec![colour; width * height];
        let bytes = encode(width, height, &pixels, Quality::Default).unwrap();
        prop_assert_eq!(decode_bc7(width, height, &bytes).unwrap(), pixels);
    }

    #[test]
    fn two_values_of_grey_are_at_most_one_step_off(a: u8, b: u8, shape: u16) {
        let pixels: Vec<_> = (0..16).map(|pixel| if shape >> pixel & 1 == 0 { a } else { b }).map(|v| [v, v, v, 255]).collect();
        let decoded = decode_bc7(4, 4, &encode(4, 4, &pixels, Quality::High).unwrap()).unwrap();
        let worst = pixels.iter().zip(&decoded).map(|(a, b)| a[0].abs_diff(b[0])).max();
        prop_assert!(worst <= Some(1), "{:?}", worst);
    }
}
