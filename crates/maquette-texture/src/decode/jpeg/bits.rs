//! Bits of JPEG's scans, and the codes and numbers they are. [ITU T.81, Annex F]

use super::codes::Codes;

/// The bits between two markers.
///
/// Loops over many codes work on a copy and put it back, so that it stays in registers.
#[derive(Clone, Copy)]
pub struct Bits<'d> {
    /// Bytes that were not looked at.
    rest: &'d [u8],
    /// Those that come next, to the left.
    next: u64,
    count: u32,
    /// How many of them are made up, as the data has ended.
    made_up: u32,
}

impl<'d> Bits<'d> {
    pub fn new(data: &'d [u8]) -> Bits<'d> {
        Bits { rest: data, next: 0, count: 0, made_up: 0 }
    }

    /// Whether more was taken than there is.
    #[inline(always)]
    pub fn is_short(&self) -> bool {
        self.count < self.made_up
    }

    /// Whole bytes that nobody has taken.
    pub fn left(&self) -> usize {
        self.rest.len() + (self.count.saturating_sub(self.made_up) / 8) as usize
    }

    /// Sees to it that 32 bits are there.
    #[inline(always)]
    fn fill(&mut self) {
        if self.count >= 32 {
            return;
        }
        if let Some(&eight) = self.rest.first_chunk::<8>() {
            let word = u64::from_be_bytes(eight);
            // Where no byte of it is 0xff, none of the inverse is 0.
            if (!word).wrapping_sub(0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080 == 0 {
                // Bits beyond the count are those of the byte that comes next, and stay what they are.
                self.next |= word >> self.count;
                self.rest = self.rest.get(((63 - self.count) >> 3) as usize..).unwrap_or_default();
                self.count |= 56;
                return;
            }
        }
        *self = self.filled_by_bytes();
    }

    #[inline(never)]
    fn filled_by_bytes(mut self) -> Bits<'d> {
        while self.count <= 56 {
            let byte = self.rest.first().copied();
            // The zero after 0xff only says that this is no marker.
            let passed = if byte == Some(0xff) { 2 } else { 1 };
            self.rest = self.rest.get(passed..).unwrap_or_default();
            self.next |= u64::from(byte.unwrap_or(0)) << (56 - self.count);
            self.count += 8;
            self.made_up += if byte.is_none() { 8 } else { 0 };
        }
        self
    }

    #[inline(always)]
    fn drop(&mut self, count: u32) {
        self.next <<= count;
        self.count -= count;
    }

    /// Takes up to 16 bits.
    #[inline(always)]
    pub fn take(&mut self, count: u32) -> u32 {
        self.fill();
        self.take_after(count)
    }

    /// Takes up to 16 bits that follow a symbol: these are there.
    #[inline(always)]
    pub fn take_after(&mut self, count: u32) -> u32 {
        let taken = (self.next >> 1) >> (63 - count);
        self.drop(count);
        taken as u32
    }

    /// The number in up to 16 bits that follow a symbol: those that begin with 0 are negative.
    #[inline(always)]
    fn number_after(&mut self, size: u32) -> i32 {
        let is_negative = !((self.next as i64) >> 63) as i32;
        self.take_after(size) as i32 + (is_negative & (1 - (1 << size)))
    }

    /// The next symbol; `None` where the bits are no code. There are 16 bits left for what the symbol says that follows.
    #[inline(always)]
    pub fn symbol(&mut self, codes: &Codes) -> Option<u32> {
        self.fill();
        let entry = codes.look_up(self.next);
        if entry.code_length() > 0 {
            self.drop(entry.code_length());
            return Some(entry.symbol());
        }
        self.long_symbol(codes)
    }

    /// The next symbol, and the number that follows it, of as many bits as its lower half says; 0 where these are none.
    #[inline(always)]
    pub fn symbol_and_number(&mut self, codes: &Codes) -> Option<(u32, i32)> {
        self.fill();
        let entry = codes.look_up(self.next);
        if entry.number() != 0 {
            self.drop(entry.length());
            return Some((entry.symbol(), entry.number()));
        }
        let symbol = if entry.length() > 0 {
            self.drop(entry.length());
            entry.symbol()
        } else {
            self.long_symbol(codes)?
        };
        Some((symbol, self.number_after(symbol & 15)))
    }

    #[inline(always)]
    fn long_symbol(&mut self, codes: &Codes) -> Option<u32> {
        let (length, symbol) = codes.long((self.next >> 48) as u32)?;
        self.drop(length);
        Some(symbol)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_any_length_are_told_from_those_there_are_not() {
        // `0`, `10`, and one of sixteen bits: `1100000000000000`.
        let mut counts = [0; 16];
        (counts[0], counts[1], counts[15]) = (1, 1, 1);
        let codes = Codes::new(&counts, &[5, 6, 7]).unwrap();
        let mut bits = Bits::new(&[0b0101_1000, 0, 0b0000_1111]);
        assert_eq!([(); 4].map(|()| bits.symbol(&codes)), [Some(5), Some(6), Some(7), Some(5)]);
        assert_eq!((bits.symbol(&codes), bits.is_short()), (None, false));
        assert!(Codes::new(&[3; 16], &[0; 48]).is_none(), "three codes of one bit");
    }

    #[test]
    fn numbers_follow_symbols_whether_they_are_looked_up_with_them_or_not() {
        // `0` with a number of one bit, `10` with one of fifteen, `110` with none, `1110 0000 0000` with one of two.
        let mut counts = [0; 16];
        (counts[0], counts[1], counts[2], counts[11]) = (1, 1, 1, 1);
        let codes = Codes::new(&counts, &[0x31, 0x0f, 0xf0, 0x52]).unwrap();
        let bits = "01".to_owned()
            + "00"
            + "10000000000000000"
            + "10111111111111111"
            + "110"
            + "11100000000001"
            + "11100000000010";
        let mut data = Vec::new();
        for byte in bits.as_bytes().chunks(8) {
            data.push(byte.iter().fold(0, |byte, bit| byte << 1 | (bit - b'0')) << (8 - byte.len()));
            // The zero that tells it from a marker.
            data.extend((data.last() == Some(&0xff)).then_some(0));
        }
        let mut bits = Bits::new(&data);
        let expected = [(0x31, 1), (0x31, -1), (0x0f, -32767), (0x0f, 32767), (0xf0, 0), (0x52, -2), (0x52, 2)];
        assert_eq!([(); 7].map(|()| bits.symbol_and_number(&codes).unwrap()), expected);
        let mut bits = Bits::new(&data);
        assert_eq!((bits.symbol(&codes), bits.take_after(1), bits.symbol(&codes)), (Some(0x31), 1, Some(0x31)));
    }

    #[test]
    fn stuffed_zeros_are_no_bits_and_the_end_is_noticed() {
        let mut bits = Bits::new(&[0xff, 0x00, 0x0f, 0xab, 0xcd, 0xef]);
        assert_eq!([(); 3].map(|()| bits.take(8)), [0xff, 0x0f, 0xab]);
        assert_eq!((bits.left(), bits.is_short()), (2, false));
        assert_eq!((bits.take(16), bits.left(), bits.is_short()), (0xcdef, 0, false));
        bits.take(1);
        assert!(bits.is_short());
    }

    #[test]
    fn eight_bytes_at_once_are_what_they_are_one_by_one() {
        let data: Vec<u8> =
            (0..100_u8).flat_map(|at| if at % 17 == 3 { vec![0xff, 0] } else { vec![at ^ 0x5a] }).collect();
        let whole: Vec<u8> = (0..100_u8).map(|at| if at % 17 == 3 { 0xff } else { at ^ 0x5a }).collect();
        let mut bits = Bits::new(&data);
        let mut place = 0;
        while place + 16 <= 800 {
            let count = place % 17;
            let expected = (0..count).fold(0, |taken, bit| {
                let at = place + bit;
                taken << 1 | u32::from(whole[at / 8] >> (7 - at % 8) & 1)
            });
            assert_eq!(bits.take(count as u32), expected, "{place}");
            place += count.max(1);
            if count == 0 {
                bits.take(1);
            }
        }
        assert!(!bits.is_short());
    }
}
