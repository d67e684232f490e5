//! Bits and Huffman codes of JPEG's scans. [ITU T.81, Annexes C and F]

/// The bits that are looked up at once; few codes are longer.
const LOOKED_UP: u32 = 11;

/// A table of codes.
pub struct Codes {
    /// By the next bits: the length of the code in them and its symbol; a length of 0 where it is longer.
    short: [(u8, u8); 1 << LOOKED_UP],
    /// For each length, one more than its last code, to the left in 16 bits; and what leads from a code to the place of its symbol.
    ends: [(u32, i32); 17],
    symbols: Vec<u8>,
}

impl Codes {
    /// Of how many codes there are of each length, and their symbols; `None` where there are more than fit.
    pub fn new(counts: &[u8; 16], symbols: &[u8]) -> Option<Codes> {
        let mut codes = Codes { short: [(0, 0); 1 << LOOKED_UP], ends: [(0, 0); 17], symbols: symbols.to_vec() };
        let (mut code, mut place) = (0_u32, 0_usize);
        for (length, &count) in (1..=16_u32).zip(counts) {
            let first = code;
            code += u32::from(count);
            if code > 1 << length {
                return None;
            }
            *codes.ends.get_mut(length as usize)? = (code << (16 - length), place as i32 - first as i32);
            let here = symbols.get(place..place + usize::from(count))?;
            for (&symbol, code) in here.iter().zip(first..).filter(|_| length <= LOOKED_UP) {
                let spare = LOOKED_UP - length;
                let start = (code << spare) as usize;
                codes.short.get_mut(start..start + (1 << spare))?.fill((length as u8, symbol));
            }
            place += usize::from(count);
            code <<= 1;
        }
        Some(codes)
    }
}

/// The bits between two markers.
pub struct Bits<'d> {
    data: &'d [u8],
    at: usize,
    /// Those that come next, to the left.
    next: u64,
    count: u32,
    /// How many of them are made up, as the data has ended.
    made_up: u32,
}

impl<'d> Bits<'d> {
    pub fn new(data: &'d [u8]) -> Bits<'d> {
        Bits { data, at: 0, next: 0, count: 0, made_up: 0 }
    }

    /// Whether more was taken than there is.
    pub fn is_short(&self) -> bool {
        self.count < self.made_up
    }

    /// Whole bytes that nobody has taken.
    pub fn left(&self) -> usize {
        self.data.len().saturating_sub(self.at) + (self.count.saturating_sub(self.made_up) / 8) as usize
    }

    /// How many bytes were looked at, nearly.
    pub fn passed(&self) -> usize {
        self.at.min(self.data.len()).saturating_sub((self.count.saturating_sub(self.made_up) / 8) as usize)
    }

    /// Sees to it that 32 bits are there.
    #[inline(always)]
    fn fill(&mut self) {
        if self.count >= 32 {
            return;
        }
        if let Some(&four) = self.data.get(self.at..).and_then(|rest| rest.first_chunk::<4>()) {
            let word = u32::from_be_bytes(four);
            // Where no byte of it is 0xff, none of the inverse is 0.
            let inverse = !word;
            if inverse.wrapping_sub(0x0101_0101) & word & 0x8080_8080 == 0 {
                self.next |= u64::from(word) << (32 - self.count);
                self.count += 32;
                self.at += 4;
                return;
            }
        }
        while self.count < 32 {
            let byte = self.data.get(self.at).copied();
            // The zero after 0xff only says that this is no marker.
            self.at += if byte == Some(0xff) { 2 } else { 1 };
            self.next |= u64::from(byte.unwrap_or(0)) << (56 - self.count);
            self.count += 8;
            self.made_up += if byte.is_none() { 8 } else { 0 };
        }
    }

    /// Passes over up to 16 bits.
    #[inline]
    pub fn skip(&mut self, count: u32) {
        self.fill();
        self.drop(count);
    }

    /// Passes over up to 16 bits that follow a symbol: these are there.
    #[inline(always)]
    pub fn skip_after(&mut self, count: u32) {
        self.drop(count);
    }

    /// Passes over any number of bits.
    #[inline]
    pub fn skip_many(&mut self, mut count: u32) {
        while count > 16 {
            self.skip(16);
            count -= 16;
        }
        self.skip(count);
    }

    /// Takes up to 16 bits.
    pub fn take(&mut self, count: u32) -> u32 {
        self.fill();
        let taken = (self.next >> 32) as u32;
        self.drop(count);
        taken.checked_shr(32 - count).unwrap_or(0)
    }

    #[inline(always)]
    fn drop(&mut self, count: u32) {
        self.next <<= count;
        self.count -= count;
    }

    /// The next symbol; `None` where the bits are no code. There are 16 bits left for what the symbol says that follows.
    #[inline(always)]
    pub fn symbol(&mut self, codes: &Codes) -> Option<u8> {
        self.fill();
        let (length, symbol) = codes.short.get((self.next >> (64 - LOOKED_UP)) as usize).copied().unwrap_or_default();
        if length > 0 {
            self.drop(length.into());
            return Some(symbol);
        }
        self.long_symbol(codes)
    }

    #[cold]
    fn long_symbol(&mut self, codes: &Codes) -> Option<u8> {
        let code = (self.next >> 48) as u32;
        let lengths = (0..).zip(&codes.ends).skip(1);
        let (length, (_, shift)) = lengths.into_iter().find(|(_, (end, _))| code < *end)?;
        self.drop(length);
        let place = (code >> (16 - length)) as i32 + shift;
        codes.symbols.get(usize::try_from(place).ok()?).copied()
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
    fn stuffed_zeros_are_no_bits_and_the_end_is_noticed() {
        let mut bits = Bits::new(&[0xff, 0x00, 0x0f, 0xab, 0xcd, 0xef]);
        assert_eq!([(); 3].map(|()| bits.take(8)), [0xff, 0x0f, 0xab]);
        assert_eq!((bits.left(), bits.is_short()), (2, false));
        assert_eq!((bits.take(16), bits.left(), bits.is_short()), (0xcdef, 0, false));
        bits.skip(1);
        assert!(bits.is_short());
    }
}
