//! Streams that another program made of numbers that are made again here; and streams that are no such.

mod vectors;

use super::*;
use maquette_scene::glam::{Vec3, Vec4};
use vectors::*;

fn unhex(text: &str) -> Vec<u8> {
    text.as_bytes().chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

fn compressed(mode: &str, filter: &str, count: usize, stride: usize) -> MeshoptCompression {
    MeshoptCompression {
        buffer: 0,
        byte_offset: 0,
        byte_length: 0,
        byte_stride: stride,
        count,
        mode: mode.into(),
        filter: Some(filter.into()),
    }
}

fn attributes(stream: &str, filter: &str, count: usize, stride: usize) -> Vec<u8> {
    let decoded = decode(&compressed("ATTRIBUTES", filter, count, stride), &unhex(stream)).unwrap();
    assert_eq!(decoded.len(), count * stride);
    decoded
}

fn ramp(count: usize, stride: usize) -> Vec<u8> {
    let byte = |at: usize| (at / stride * (at % stride + 1) * [1, 0, 7, 31][at % stride % 4] + at % stride * 5) as u8;
    (0..count * stride).map(byte).collect()
}

fn floats(count: usize) -> Vec<f32> {
    let three = |i: f64| [i * 0.37, 1.0 / (i + 1.0), -i * i * 0.01];
    (0..count).flat_map(|i| three(i as f64)).map(|x| x as f32).collect()
}

fn bytes_of(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn shorts(count: u32) -> Vec<u8> {
    let four = |i: u32| [i * 300, 65535 - i * 7, i * i * 11, 1000 + i % 2];
    (0..count).flat_map(four).flat_map(|x| (x as u16).to_le_bytes()).collect()
}

fn flips(count: u32) -> Vec<u8> {
    let two = |i: u32| [0x3f80_0000 ^ (((i * 5) & 15) << 13), if i % 2 == 1 { 0xbfc0_0000 } else { 0x3fc0_0000 }];
    (0..count).flat_map(two).flat_map(u32::to_le_bytes).collect()
}

fn noise(count: usize) -> Vec<u8> {
    let mut state = 1u64;
    let mut next = || {
        state = (state * 1_103_515_245 + 12345) & 0x7fff_ffff;
        (state >> 16) as u8
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn attributes_come_out_byte_for_byte() {
    for (stream, expected, stride) in [
        (RAMP_0, ramp(20, 8), 8),
        (RAMP_1, ramp(20, 8), 8),
        (LONG_0, ramp(300, 4), 4),
        (LONG_1, ramp(300, 4), 4),
        (FLOATS_0, bytes_of(&floats(20)), 12),
        (FLOATS_1, bytes_of(&floats(20)), 12),
        (FLIPS_1, flips(40), 8),
        (SHORTS_1, shorts(40), 8),
        (NOISE_0, noise(80), 4),
        (NOISE_1, noise(80), 4),
    ] {
        assert_eq!(attributes(stream, "NONE", expected.len() / stride, stride), expected, "{stream:.40}");
    }
}

#[test]
fn the_streams_use_every_way_to_store_a_channel() {
    let modes = |stream: &str, stride: usize| unhex(stream).into_iter().rev().take(stride / 4).collect::<Vec<_>>();
    assert_eq!(modes(RAMP_1, 8), [0, 0]);
    assert!(modes(SHORTS_1, 8).contains(&1));
    // Rotated by 3 bits and by 1.
    assert_eq!(modes(FLIPS_1, 8), [0x12, 0x32]);
}

/// The example of the specification.
#[test]
fn sixteen_differences_of_four_bits() {
    let mut stream = vec![0xa0];
    let stored = [0x02, 0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5];
    stream.extend(stored);
    stream.extend([0, 0, 0]);
    stream.extend([0; 32]);
    let decoded = decode(&compressed("ATTRIBUTES", "NONE", 16, 4), &stream).unwrap();
    let mut sum = 0u8;
    let differences: [i8; 16] = [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0];
    for (element, difference) in decoded.chunks(4).zip(differences) {
        sum = sum.wrapping_add(difference as u8);
        assert_eq!(element, [sum, 0, 0, 0]);
    }
}

fn grid() -> Vec<u32> {
    let corner = |square: u32| square / 8 * 9 + square % 8;
    let square = |c: u32| [c, c + 1, c + 9, c + 9, c + 1, c + 10];
    let others = (0..20).flat_map(|i| [i * 7 % 81, (i * 13 + 1) % 81, (i * 29 + 2) % 81]);
    (0..64).map(corner).flat_map(square).chain(others).collect()
}

#[test]
fn triangles_come_out_in_order_though_turned() {
    let count = grid().len();
    for stride in [2, 4] {
        let decoded = decode(&compressed("TRIANGLES", "NONE", count, stride), &unhex(GRID)).unwrap();
        let indices: Vec<u32> = match stride {
            2 => decoded.chunks(2).map(|two| u16::from_le_bytes(two.try_into().unwrap()).into()).collect(),
            _ => decoded.chunks(4).map(|four| u32::from_le_bytes(four.try_into().unwrap())).collect(),
        };
        for (found, expected) in indices.chunks(3).zip(grid().chunks(3)) {
            let turns = [[0, 1, 2], [1, 2, 0], [2, 0, 1]].map(|turn| turn.map(|at| expected[at]));
            assert!(turns.iter().any(|turn| turn == found), "{found:?} for {expected:?}");
        }
    }
}

#[test]
fn sequences_come_out() {
    let expected: Vec<u8> = (0..40u32).flat_map(|i| [i, 70000 - i * 3]).flat_map(u32::to_le_bytes).collect();
    assert_eq!(decode(&compressed("INDICES", "NONE", 80, 4), &unhex(LINES)).unwrap(), expected);
}

fn directions(count: usize) -> Vec<[f32; 4]> {
    let direction = |i: f64| {
        let (turn, z) = (i * 0.9, -0.95 + i * 0.08);
        let radius = (1.0 - z * z).sqrt();
        [radius * turn.cos(), radius * turn.sin(), z, i % 2.0 * 2.0 - 1.0]
    };
    (0..count).map(|i| direction(i as f64).map(|x| x as f32)).collect()
}

fn shorts_of(bytes: &[u8]) -> Vec<[i16; 4]> {
    let short = |two: &[u8]| i16::from_le_bytes(two.try_into().unwrap());
    bytes.chunks(8).map(|eight| std::array::from_fn(|at| short(&eight[2 * at..2 * at + 2]))).collect()
}

#[test]
fn directions_come_out_nearly() {
    let bytes = attributes(OCTAHEDRAL_4, "OCTAHEDRAL", 24, 4);
    let small = bytes.chunks(4).map(|four| std::array::from_fn(|at| f32::from(four[at] as i8) / 127.0));
    let bytes = attributes(OCTAHEDRAL_8, "OCTAHEDRAL", 24, 8);
    let large = shorts_of(&bytes).into_iter().map(|four| four.map(|x| f32::from(x) / 32767.0));
    let check = |found: Vec<[f32; 4]>, most: f32| {
        for ([x, y, z, w], [a, b, c, d]) in found.into_iter().zip(directions(24)) {
            assert!((Vec3::new(x, y, z) - Vec3::new(a, b, c)).length() < most, "{x} {y} {z} for {a} {b} {c}");
            assert!((w - d).abs() < 0.01, "{w} for {d}");
        }
    };
    check(small.collect(), 0.02);
    check(large.collect(), 0.001);
}

#[test]
fn quaternions_come_out_nearly_and_perhaps_negated() {
    let found = shorts_of(&attributes(QUATERNIONS, "QUATERNION", 24, 8));
    for (i, four) in found.into_iter().enumerate() {
        let i = i as f32;
        let expected = Vec4::new(i.sin(), (2.0 * i).cos(), (3.0 * i + 1.0).sin(), (5.0 * i).cos()).normalize();
        let found = Vec4::from_array(four.map(|x| f32::from(x) / 32767.0));
        assert!(found.dot(expected).abs() > 0.9999, "{found} for {expected}");
    }
}

#[test]
fn floats_of_few_bits_come_out_nearly() {
    let bytes = attributes(EXPONENTIAL, "EXPONENTIAL", 20, 12);
    let found: Vec<f32> = bytes.chunks(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect();
    for (found, expected) in found.chunks(3).zip(floats(20).chunks(3)) {
        // The three share the power of two of the largest.
        let largest = expected.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() <= largest * 1e-4, "{found} for {expected}");
        }
    }
}

#[test]
fn colours_come_out_nearly() {
    let small = attributes(COLOURS_4, "COLOR", 24, 4);
    let small: Vec<[f32; 4]> =
        small.chunks(4).map(|four| std::array::from_fn(|at| f32::from(four[at]) / 255.0)).collect();
    let large = shorts_of(&attributes(COLOURS_8, "COLOR", 24, 8));
    let large: Vec<[f32; 4]> = large.iter().map(|four| four.map(|x| f32::from(x as u16) / 65535.0)).collect();
    for (found, most) in [(small, 0.012), (large, 0.001)] {
        for (i, found) in found.into_iter().enumerate() {
            let share = i as f32 / 23.0;
            let expected = [share, 1.0 - share, (i * 5 % 24) as f32 / 23.0, if i % 2 == 1 { 1.0 } else { 0.5 }];
            let off = Vec4::from_array(found) - Vec4::from_array(expected);
            assert!(off.abs().max_element() < most, "{found:?} for {expected:?}");
        }
    }
}

#[test]
fn any_change_to_a_stream_is_survived() {
    let cases = [
        (RAMP_0, "ATTRIBUTES", "NONE", 20, 8),
        (RAMP_1, "ATTRIBUTES", "OCTAHEDRAL", 20, 8),
        (SHORTS_1, "ATTRIBUTES", "COLOR", 40, 8),
        (QUATERNIONS, "ATTRIBUTES", "QUATERNION", 24, 8),
        (FLIPS_1, "ATTRIBUTES", "EXPONENTIAL", 40, 8),
        (GRID, "TRIANGLES", "NONE", grid().len(), 4),
        (LINES, "INDICES", "NONE", 80, 2),
    ];
    for (stream, mode, filter, count, stride) in cases {
        let sound = unhex(stream);
        let compressed = compressed(mode, filter, count, stride);
        for at in 0..sound.len() {
            assert!(decode(&compressed, &sound[..at]).is_err(), "{mode} cut to {at} bytes");
            for now in [0, 0xff, sound[at] ^ 0x10] {
                let mut changed = sound.clone();
                changed[at] = now;
                if let Ok(decoded) = decode(&compressed, &changed) {
                    assert_eq!(decoded.len(), count * stride);
                }
            }
        }
    }
}

#[test]
fn what_the_extension_does_not_allow_is_refused() {
    for (mode, filter, count, stride) in [
        ("ATTRIBUTES", "NONE", 20, 6),
        ("ATTRIBUTES", "NONE", 20, 260),
        ("ATTRIBUTES", "NONE", 20, 0),
        ("ATTRIBUTES", "QUATERNION", 20, 4),
        ("ATTRIBUTES", "SOMETHING", 20, 8),
        ("TRIANGLES", "NONE", 20, 4),
        ("TRIANGLES", "NONE", 21, 8),
        ("INDICES", "OCTAHEDRAL", 21, 4),
        ("SOMETHING", "NONE", 20, 8),
    ] {
        assert!(decode(&compressed(mode, filter, count, stride), &unhex(RAMP_0)).is_err(), "{mode} {filter} {stride}");
    }
    assert!(decode(&compressed("ATTRIBUTES", "NONE", usize::MAX, 4), &unhex(RAMP_0)).is_err());
}
