//! Attributes: elements of equal size, each stored as what it differs by from the one before.
//!
//! Elements come in blocks of up to 256. In a block all first bytes stand together, then all second bytes, and so on; those
//! of 16 elements make a group, which is packed into as few bits as its largest difference needs. In version 1 a control says for
//! each byte of the element how its groups are packed, and a channel of four bytes can be taken as two or one larger numbers.

use super::{CUT, Decoded, byte, take};

const GROUP: usize = 16;

/// How the four bytes of a channel differ from those of the element before.
#[derive(Clone, Copy)]
enum Channel {
    /// Byte by byte, by a sum.
    Bytes,
    /// As two 16-bit numbers, by a sum.
    Pairs,
    /// As a 32-bit number, by an exclusive or that is rotated by so many bits.
    Whole(u32),
}

/// What the head and the end of a stream say.
struct Form<'s> {
    has_controls: bool,
    /// The element before the first.
    baseline: &'s [u8],
    channels: Vec<Channel>,
    blocks: &'s [u8],
}

impl<'s> Form<'s> {
    fn of(stream: &'s [u8], stride: usize) -> Decoded<Form<'s>> {
        let (head, rest) = stream.split_first().ok_or(CUT)?;
        let (has_controls, tail, least) = match head {
            0xa0 => (false, stride, 32),
            0xa1 => (true, stride + stride / 4, 24),
            _ => return Err("attributes begin with a0 or a1"),
        };
        let blocks = rest.len().checked_sub(tail.max(least)).ok_or(CUT)?;
        let end = rest.get(rest.len() - tail..).ok_or(CUT)?;
        let (baseline, modes) = end.split_at_checked(stride).ok_or(CUT)?;
        let channels = match has_controls {
            true => modes.iter().map(|&mode| channel(mode)).collect::<Decoded<_>>()?,
            false => vec![Channel::Bytes; stride / 4],
        };
        Ok(Form { has_controls, baseline, channels, blocks: rest.get(..blocks).ok_or(CUT)? })
    }
}

fn channel(mode: u8) -> Decoded<Channel> {
    match (mode & 15, mode >> 4) {
        (0, 0) => Ok(Channel::Bytes),
        (1, 0) => Ok(Channel::Pairs),
        (2, bits) => Ok(Channel::Whole(bits.into())),
        _ => Err("the mode of a channel is not known"),
    }
}

/// Decodes `count` elements of `stride` bytes, a multiple of 4 up to 256.
pub fn decode(stream: &[u8], count: usize, stride: usize) -> Decoded<Vec<u8>> {
    let form = Form::of(stream, stride)?;
    let mut blocks = form.blocks;
    let mut before = form.baseline.to_vec();
    let most = ((8192 / stride) & !(GROUP - 1)).min(256);
    let mut decoded = Vec::new();
    let mut left = count;
    let mut planes = Vec::new();
    while left > 0 {
        let elements = left.min(most);
        let room = elements.next_multiple_of(GROUP);
        planes.clear();
        planes.resize(room * stride, 0);
        let controls = if form.has_controls { take(&mut blocks, stride / 4)? } else { &[] };
        for (index, plane) in planes.chunks_exact_mut(room).enumerate() {
            let control = controls.get(index / 4).map(|controls| controls >> (index % 4 * 2) & 3);
            match control {
                None => groups(&mut blocks, plane, [0, 2, 4, 8])?,
                Some(0) => groups(&mut blocks, plane, [0, 1, 2, 4])?,
                Some(1) => groups(&mut blocks, plane, [1, 2, 4, 8])?,
                Some(2) => {}
                Some(_) => {
                    let bytes = take(&mut blocks, elements)?;
                    plane.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
                }
            }
        }
        let from = decoded.len();
        decoded.resize(from + elements * stride, 0);
        for (at, &channel) in form.channels.iter().enumerate() {
            let ours = 4 * room * at..4 * room * (at + 1);
            let (planes, before) = (planes.get(ours).ok_or(CUT)?, before.get_mut(4 * at..4 * at + 4).ok_or(CUT)?);
            add_up(channel, planes, before, decoded.get_mut(from + 4 * at..).unwrap_or_default(), stride);
        }
        left -= elements;
    }
    if blocks.is_empty() { Ok(decoded) } else { Err("bytes are left over after the last element") }
}

/// Unpacks the groups of one byte of the element; a head of two bits for each says which of the widths it has.
fn groups(stream: &mut &[u8], plane: &mut [u8], widths: [usize; 4]) -> Decoded<()> {
    let heads = take(stream, (plane.len() / GROUP).div_ceil(4))?;
    for (index, group) in plane.as_chunks_mut::<GROUP>().0.iter_mut().enumerate() {
        let head = heads.get(index / 4).map_or(0, |heads| heads >> (index % 4 * 2) & 3);
        let width = widths.get(usize::from(head)).copied().unwrap_or(0);
        match width {
            0 => {}
            8 => group.copy_from_slice(take(stream, GROUP)?),
            _ => narrow(stream, group, width)?,
        }
    }
    Ok(())
}

/// Differences of 1, 2 or 4 bits; one with all bits set stands for a whole byte further on.
fn narrow(stream: &mut &[u8], group: &mut [u8; GROUP], width: usize) -> Decoded<()> {
    let packed = take(stream, 2 * width)?;
    let largest = (1u8 << width) - 1;
    let each = 8 / width;
    for (index, place) in group.iter_mut().enumerate() {
        let byte_at = packed.get(index / each).copied().unwrap_or(0);
        // Single bits begin with the lowest, the others with the highest.
        let shift = if width == 1 { index % 8 } else { 8 - width - index % each * width };
        let difference = byte_at >> shift & largest;
        *place = if difference == largest { byte(stream)? } else { difference };
    }
    Ok(())
}

/// The numbers of one channel from their differences, into every `stride`th place.
fn add_up(channel: Channel, planes: &[u8], before: &mut [u8], decoded: &mut [u8], stride: usize) {
    let room = planes.len() / 4;
    let [Some(a), Some(b), Some(c), Some(d)] = [0, 1, 2, 3].map(|at| planes.get(at * room..(at + 1) * room)) else {
        return;
    };
    let mut last = <[u8; 4]>::try_from(&*before).unwrap_or_default();
    let differences = a.iter().zip(b).zip(c).zip(d).map(|(((a, b), c), d)| [*a, *b, *c, *d]);
    for (element, difference) in decoded.chunks_mut(stride).zip(differences) {
        last = match channel {
            Channel::Bytes => std::array::from_fn(|at| match (last.get(at), difference.get(at)) {
                (Some(last), Some(&stored)) => last.wrapping_add(stored >> 1 ^ (stored & 1).wrapping_neg()),
                _ => 0,
            }),
            Channel::Pairs => {
                let [w, x, y, z] = last;
                let [a, b, c, d] = difference;
                let [[w, x], [y, z]] = [pair([w, x], [a, b]), pair([y, z], [c, d])];
                [w, x, y, z]
            }
            Channel::Whole(bits) => {
                let difference = u32::from_le_bytes(difference).rotate_right(bits);
                (u32::from_le_bytes(last) ^ difference).to_le_bytes()
            }
        };
        if let Some(place) = element.first_chunk_mut::<4>() {
            *place = last;
        }
    }
    before.iter_mut().zip(last).for_each(|(place, byte)| *place = byte);
}

fn pair(last: [u8; 2], stored: [u8; 2]) -> [u8; 2] {
    let stored = u16::from_le_bytes(stored);
    u16::from_le_bytes(last).wrapping_add(stored >> 1 ^ (stored & 1).wrapping_neg()).to_le_bytes()
}
