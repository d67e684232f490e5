//! Indices: of triangles, by the edges and vertices that were used shortly before; and of anything else, by what they differ by.

use super::{CUT, Decoded, byte};

/// Indices as a view holds them: of 2 bytes, cut to that, or of 4.
pub fn stored(indices: &[u32], stride: usize) -> Vec<u8> {
    match stride {
        2 => indices.iter().flat_map(|&index| (index as u16).to_le_bytes()).collect(),
        _ => indices.iter().flat_map(|&index| index.to_le_bytes()).collect(),
    }
}

/// A number in groups of 7 bits, the lowest first; what goes beyond 32 bits is passed over.
fn varint(data: &mut &[u8]) -> Decoded<u32> {
    let mut number = 0;
    for shift in [0, 7, 14, 21, 28] {
        let byte = byte(data)?;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err("a number takes more than 5 bytes")
}

/// A difference whose lowest bit is its sign.
fn signed(stored: u32) -> u32 {
    stored >> 1 ^ (stored & 1).wrapping_neg()
}

/// Decodes `count` indices of any kind.
pub fn sequence(stream: &[u8], count: usize) -> Decoded<Vec<u32>> {
    let (head, rest) = stream.split_first().ok_or(CUT)?;
    if *head != 0xd1 {
        return Err("indices begin with d1");
    }
    let mut data = rest.get(..rest.len().checked_sub(4).ok_or(CUT)?).ok_or(CUT)?;
    let (mut even, mut odd) = (0u32, 0u32);
    let mut indices = Vec::new();
    for _ in 0..count {
        let stored = varint(&mut data)?;
        let last = if stored & 1 == 0 { &mut even } else { &mut odd };
        *last = last.wrapping_add(signed(stored >> 1));
        indices.push(*last);
    }
    if data.is_empty() { Ok(indices) } else { Err("bytes are left over after the last index") }
}

/// The last 16 of something.
struct Recent<T> {
    items: [T; 16],
    pushed: usize,
}

impl<T: Copy + Default> Recent<T> {
    fn new() -> Recent<T> {
        Recent { items: [T::default(); 16], pushed: 0 }
    }

    fn push(&mut self, item: T) {
        if let Some(slot) = self.items.get_mut(self.pushed % 16) {
            *slot = item;
        }
        self.pushed += 1;
    }

    /// The one that was pushed so many before the last.
    fn get(&self, before_last: u8) -> Decoded<T> {
        let at = self.pushed.checked_sub(1 + usize::from(before_last));
        let item = at.and_then(|at| self.items.get(at % 16)).copied();
        item.ok_or("something is taken for recent that has not been there")
    }
}

/// What is known while triangles are decoded.
struct Triangles<'s> {
    data: &'s [u8],
    next: u32,
    last: u32,
    edges: Recent<(u32, u32)>,
    vertices: Recent<u32>,
}

/// Decodes so many triangles.
pub fn triangles(stream: &[u8], count: usize) -> Decoded<Vec<u32>> {
    let (head, rest) = stream.split_first().ok_or(CUT)?;
    if *head != 0xe1 {
        return Err("triangles begin with e1");
    }
    let (codes, rest) = rest.split_at_checked(count).ok_or(CUT)?;
    let (data, table) = rest.split_at_checked(rest.len().checked_sub(16).ok_or(CUT)?).ok_or(CUT)?;
    let mut state = Triangles { data, next: 0, last: 0, edges: Recent::new(), vertices: Recent::new() };
    let mut indices = Vec::with_capacity(3 * count);
    for &code in codes {
        let (high, low) = (code >> 4, code & 15);
        indices.extend(match (high, low) {
            (0..15, _) => state.beside_an_edge(high, low)?,
            (_, 0..14) => {
                let corners = table.get(usize::from(low)).copied().ok_or(CUT)?;
                let first = state.fresh();
                state.from(first, corners)?
            }
            _ => {
                let corners = byte(&mut state.data)?;
                if corners == 0 {
                    state.next = 0;
                }
                let first = if low == 14 { state.fresh() } else { state.delta()? };
                state.from(first, corners)?
            }
        });
    }
    if state.data.is_empty() { Ok(indices) } else { Err("bytes are left over after the last triangle") }
}

impl Triangles<'_> {
    /// A vertex that no triangle has used yet.
    fn fresh(&mut self) -> u32 {
        let fresh = self.next;
        self.next = self.next.wrapping_add(1);
        fresh
    }

    /// A vertex stored as its difference from the last one so stored.
    fn delta(&mut self) -> Decoded<u32> {
        self.last = self.last.wrapping_add(signed(varint(&mut self.data)?));
        Ok(self.last)
    }

    /// A triangle at a recent edge.
    fn beside_an_edge(&mut self, edge: u8, third: u8) -> Decoded<[u32; 3]> {
        let (a, b) = self.edges.get(edge)?;
        let c = match third {
            0 => self.fresh(),
            1..13 => self.vertices.get(third)?,
            13 | 14 => {
                self.last = if third == 13 { self.last.wrapping_sub(1) } else { self.last.wrapping_add(1) };
                self.last
            }
            _ => self.delta()?,
        };
        if !(1..13).contains(&third) {
            self.vertices.push(c);
        }
        self.edges.push((c, b));
        self.edges.push((a, c));
        Ok([a, b, c])
    }

    /// A triangle of a first vertex and two that the halves of a byte encode.
    fn from(&mut self, a: u32, corners: u8) -> Decoded<[u32; 3]> {
        let (second, third) = (corners >> 4, corners & 15);
        let b = self.corner(second)?;
        let c = self.corner(third)?;
        self.vertices.push(a);
        for (vertex, half) in [(b, second), (c, third)] {
            if matches!(half, 0 | 15) {
                self.vertices.push(vertex);
            }
        }
        self.edges.push((b, a));
        self.edges.push((c, b));
        self.edges.push((a, c));
        Ok([a, b, c])
    }

    fn corner(&mut self, half: u8) -> Decoded<u32> {
        match half {
            0 => Ok(self.fresh()),
            15 => self.delta(),
            _ => self.vertices.get(half - 1),
        }
    }
}
