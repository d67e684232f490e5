//! Pictures one after another in one file: PNG, GIF and WebP that move.
//!
//! PNG and WebP keep every pixel. GIF has 256 colours, and no half opacity: pixels are opaque or not there.
//!
//! Files count time in whole numbers, of hundredths or thousandths of a second. What is rounded off one picture is given to the next, so that the whole is as long as it should be.

mod palette;

use crate::Picture;
use palette::Palette;

/// What a file of moving pictures is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// APNG: a PNG that shows its first picture where nothing moves.
    Png,
    /// Everywhere, in 256 colours.
    Gif,
    /// Smaller than PNG, without loss.
    Webp,
}

impl Kind {
    /// The kind of files that end so, without the dot.
    pub fn from_ending(ending: &str) -> Option<Kind> {
        Some(match ending.to_ascii_lowercase().as_str() {
            "png" | "apng" => Kind::Png,
            "gif" => Kind::Gif,
            "webp" => Kind::Webp,
            _ => return None,
        })
    }
}

/// The least hundredths of a second that programs show a picture of a GIF for: they take less for ten.
const LEAST_HUNDREDTHS: u64 = 2;

/// A file that shows these pictures over and over, so many a second. A GIF of more than 50 a second has fewer of them, evenly. `None` where they are not all of one size, or none, or larger than the kind can hold.
pub fn encode(kind: Kind, pictures: &[Picture], rate: f64) -> Option<Vec<u8>> {
    let first = pictures.first()?;
    let size = (first.width(), first.height());
    if pictures.iter().any(|picture| (picture.width(), picture.height()) != size) {
        return None;
    }
    let secs = pictures.len() as f64 / Some(rate).filter(|rate| rate.is_finite() && *rate > 0.0)?;
    match kind {
        Kind::Png => png(size, pictures, secs),
        Kind::Gif => gif(size, pictures, secs),
        Kind::Webp => webp(size, pictures, secs),
    }
}

/// How long each of so many pictures is shown for all to take so many seconds: in units of which a second has so many, and at least one.
fn shares(count: usize, secs: f64, units: f64) -> impl Iterator<Item = u64> {
    let whole = (secs * units).round().max(count as f64) as u64;
    let until = move |at: usize| (u128::from(whole) * at as u128 / count.max(1) as u128) as u64;
    (0..count).map(move |at| until(at + 1) - until(at))
}

fn png((width, height): (u32, u32), pictures: &[Picture], secs: f64) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut file, width, height);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_color(::png::ColorType::Rgba);
    encoder.set_compression(::png::Compression::Fast);
    encoder.set_animated(u32::try_from(pictures.len()).ok()?, 0).ok()?;
    let mut writer = encoder.write_header().ok()?;
    for (picture, millis) in pictures.iter().zip(shares(pictures.len(), secs, 1000.0)) {
        writer.set_frame_delay(u16::try_from(millis).ok()?, 1000).ok()?;
        writer.write_image_data(picture.pixels().as_flattened()).ok()?;
    }
    writer.finish().ok()?;
    Some(file)
}

fn gif((width, height): (u32, u32), pictures: &[Picture], secs: f64) -> Option<Vec<u8>> {
    let (width, height) = (u16::try_from(width).ok()?, u16::try_from(height).ok()?);
    let most = ((secs * 100.0).round() as u64 / LEAST_HUNDREDTHS).max(1);
    let count = pictures.len().min(usize::try_from(most).ok()?);
    let palette = Palette::of(pictures);
    let mut file = Vec::new();
    let mut encoder = ::gif::Encoder::new(&mut file, width, height, &palette.bytes()).ok()?;
    encoder.set_repeat(::gif::Repeat::Infinite).ok()?;
    for (at, hundredths) in shares(count, secs, 100.0).enumerate() {
        let picture = pictures.get(at * pictures.len() / count)?;
        let frame = ::gif::Frame {
            width,
            height,
            buffer: palette.places(picture).into(),
            transparent: Some(palette.nothing()),
            delay: u16::try_from(hundredths.max(LEAST_HUNDREDTHS)).ok()?,
            dispose: ::gif::DisposalMethod::Background,
            ..::gif::Frame::default()
        };
        encoder.write_frame(&frame).ok()?;
    }
    drop(encoder);
    Some(file)
}

/// The container is RIFF: a chunk of four letters, a length, and bytes in even number.
fn webp((width, height): (u32, u32), pictures: &[Picture], secs: f64) -> Option<Vec<u8>> {
    const LONGEST: u32 = 1 << 14;
    if width > LONGEST || height > LONGEST {
        return None;
    }
    let three = |number: u32| [number as u8, (number >> 8) as u8, (number >> 16) as u8];
    let size = [three(width - 1), three(height - 1)].concat();
    let mut chunks = b"WEBP".to_vec();
    // Animation and opacity.
    put(&mut chunks, b"VP8X", &[&[0b0001_0010, 0, 0, 0][..], &size].concat())?;
    // No background, and over and over.
    put(&mut chunks, b"ANIM", &[0; 6])?;
    for (picture, millis) in pictures.iter().zip(shares(pictures.len(), secs, 1000.0)) {
        let mut one = Vec::new();
        let encoder = image_webp::WebPEncoder::new(&mut one);
        encoder.encode(picture.pixels().as_flattened(), width, height, image_webp::ColorType::Rgba8).ok()?;
        // The file of one picture is the same container with the chunk that is wanted here.
        let chunk = one.get(12..)?;
        // In its place, whole: its corner, its size, how long, and that it replaces what was there.
        let head = [
            &[0; 6][..],
            &size,
            &three(u32::try_from(millis).ok().filter(|millis| *millis < 1 << 24)?),
            &[0b0000_0010],
        ]
        .concat();
        put(&mut chunks, b"ANMF", &[head.as_slice(), chunk].concat())?;
    }
    let mut file = Vec::new();
    put(&mut file, b"RIFF", &chunks)?;
    Some(file)
}

fn put(to: &mut Vec<u8>, name: &[u8; 4], bytes: &[u8]) -> Option<()> {
    to.extend(name);
    to.extend(u32::try_from(bytes.len()).ok()?.to_le_bytes());
    to.extend(bytes);
    to.extend((bytes.len() % 2 == 1).then_some(0));
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn pictures() -> Vec<Picture> {
        let picture = |shade: u8| Picture::new(5, 3, (0..15).map(|at| [shade, at * 17, 40, 255]).collect()).unwrap();
        vec![picture(0), picture(100), picture(200)]
    }

    #[test]
    fn png_and_webp_keep_every_pixel_of_every_picture() {
        let file = encode(Kind::Png, &pictures(), 25.0).unwrap();
        let mut reader = ::png::Decoder::new(Cursor::new(&file)).read_info().unwrap();
        assert_eq!(
            reader.info().animation_control().map(|control| (control.num_frames, control.num_plays)),
            Some((3, 0))
        );
        for picture in pictures() {
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            assert_eq!(pixels, picture.pixels().as_flattened());
            let control = reader.info().frame_control().unwrap();
            assert_eq!((control.delay_num, control.delay_den), (40, 1000));
        }
        let file = encode(Kind::Webp, &pictures(), 25.0).unwrap();
        let mut decoder = image_webp::WebPDecoder::new(Cursor::new(&file)).unwrap();
        assert_eq!((decoder.num_frames(), decoder.dimensions()), (3, (5, 3)));
        for picture in pictures() {
            let mut pixels = vec![0; decoder.output_buffer_size().unwrap()];
            assert_eq!(decoder.read_frame(&mut pixels).unwrap(), 40);
            let expected: Vec<u8> = match decoder.has_alpha() {
                true => picture.pixels().as_flattened().to_vec(),
                false => picture.pixels().iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect(),
            };
            assert_eq!(pixels, expected);
        }
    }

    #[test]
    fn gif_holds_every_picture_in_its_colours() {
        let mut holey = pictures();
        holey[1].pixels_mut()[0] = [9, 9, 9, 0];
        let file = encode(Kind::Gif, &holey, 25.0).unwrap();
        let mut options = ::gif::DecodeOptions::new();
        options.set_color_output(::gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(Cursor::new(&file)).unwrap();
        for picture in &holey {
            let frame = decoder.read_next_frame().unwrap().unwrap();
            assert_eq!((frame.delay, frame.width, frame.height), (4, 5, 3));
            let shown = frame.buffer.as_chunks::<4>().0;
            for (shown, pixel) in shown.iter().zip(picture.pixels()) {
                assert_eq!(shown[3], pixel[3]);
                // Forty-five colours have room among 256.
                assert!(pixel[3] == 0 || shown == pixel, "{shown:?} for {pixel:?}");
            }
        }
        assert!(decoder.read_next_frame().unwrap().is_none());
    }

    #[test]
    fn a_film_is_as_long_as_it_should_be_and_no_picture_too_short() {
        let delays = |count: usize, rate: f64| {
            let film: Vec<Picture> = (0..count).map(|at| Picture::of_one([at as u8, 0, 0, 255])).collect();
            let file = encode(Kind::Gif, &film, rate).unwrap();
            let mut decoder = ::gif::DecodeOptions::new().read_info(Cursor::new(&file)).unwrap();
            let mut delays = Vec::new();
            while let Some(frame) = decoder.read_next_frame().unwrap() {
                delays.push(frame.delay);
            }
            delays
        };
        // A second and a third; a second at a hundred pictures, of which half are shown; 24 pictures at their own pace.
        assert_eq!(delays(4, 3.0), [33, 33, 33, 34]);
        assert_eq!(delays(100, 100.0), [2; 50]);
        assert_eq!(delays(24, 24.0).iter().map(|delay| u32::from(*delay)).sum::<u32>(), 100);
        assert!(delays(31, 41.7).iter().all(|delay| *delay >= 2));
        assert_eq!(shares(7, 1.0, 1000.0).sum::<u64>(), 1000);
        assert_eq!(delays(1, 1000.0), [2]);
    }

    #[test]
    fn pictures_must_be_of_one_size() {
        let mut mixed = pictures();
        mixed.push(Picture::of_one([0; 4]));
        for kind in ["png", "GIF", "webp"].map(|ending| Kind::from_ending(ending).unwrap()) {
            assert_eq!((encode(kind, &mixed, 25.0), encode(kind, &[], 25.0)), (None, None));
        }
    }
}
