//! Huffman codes of JPEG's scans. [ITU T.81, Annex C]

/// The bits that are looked up at once; few codes are longer.
const LOOKED_UP: u32 = 10;

/// A table of codes.
pub struct Codes {
    /// By the next bits.
    short: [Entry; 1 << LOOKED_UP],
    /// For each length, one more than its last code, to the left in 16 bits; and what leads from a code to the place of its symbol.
    ends: [(u32, i32); 17],
    symbols: Vec<u8>,
}

/// A code, and the number that follows it where all of that is within the bits that are looked up. All 0 where the code is longer.
#[derive(Clone, Copy, Default)]
pub struct Entry(u32);

impl Entry {
    fn new(length: u32, symbol: u8, number: i32) -> Entry {
        Entry((number as u32) << 16 | u32::from(symbol) << 8 | length)
    }

    /// Of the code and the number.
    #[inline(always)]
    pub fn length(self) -> u32 {
        self.0 & 31
    }

    #[inline(always)]
    pub fn code_length(self) -> u32 {
        self.length() - if self.number() == 0 { 0 } else { self.symbol() & 15 }
    }

    #[inline(always)]
    pub fn symbol(self) -> u32 {
        self.0 >> 8 & 0xff
    }

    /// 0 where it is not told.
    #[inline(always)]
    pub fn number(self) -> i32 {
        self.0 as i32 >> 16
    }
}

impl Codes {
    /// Of how many codes there are of each length, and their symbols; `None` where there are more than fit.
    pub fn new(counts: &[u8; 16], symbols: &[u8]) -> Option<Codes> {
        let mut codes =
            Codes { short: [Entry::default(); 1 << LOOKED_UP], ends: [(0, 0); 17], symbols: symbols.to_vec() };
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
                let entries = codes.short.get_mut(start..start + (1 << spare))?;
                for (entry, rest) in entries.iter_mut().zip(0_u32..) {
                    *entry = Self::entry(length, symbol, spare, rest);
                }
            }
            place += usize::from(count);
            code <<= 1;
        }
        Some(codes)
    }

    /// What a code of this length is with these spare bits after it.
    fn entry(length: u32, symbol: u8, spare: u32, rest: u32) -> Entry {
        let size = u32::from(symbol & 15);
        if size == 0 || size > spare {
            return Entry::new(length, symbol, 0);
        }
        let number = (rest >> (spare - size)) as i32;
        let is_negative = number < 1 << (size - 1);
        Entry::new(length + size, symbol, if is_negative { number + 1 - (1 << size) } else { number })
    }

    /// By the next bits, to the left.
    #[inline(always)]
    pub fn look_up(&self, next: u64) -> Entry {
        self.short.get((next >> (64 - LOOKED_UP)) as usize).copied().unwrap_or_default()
    }

    /// The length and symbol of a code that is longer than is looked up, by the next sixteen bits.
    #[cold]
    pub fn long(&self, code: u32) -> Option<(u32, u32)> {
        let (length, (_, shift)) = (0..).zip(&self.ends).skip(1).find(|(_, (end, _))| code < *end)?;
        let place = (code >> (16 - length)) as i32 + shift;
        Some((length, self.symbols.get(usize::try_from(place).ok()?).copied()?.into()))
    }
}
