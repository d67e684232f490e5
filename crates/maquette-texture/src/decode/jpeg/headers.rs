//! What a file says before its first scan.

use super::colour::{Colours, adobe_note};
use super::examples::is_film_note;
use super::segments::{
    BASELINE, END, EXTENDED, Frame, HUFFMAN_TABLES, PROGRESSIVE, QUANTISATION_TABLES, RESTART_INTERVAL, SCAN,
    ScanHeader, Segment, Segments,
};
use super::tables::Tables;

/// All that is known when the first scan begins.
pub struct Headers<'f> {
    pub frame: Frame,
    pub tables: Tables,
    /// `None` where nothing says what its components are.
    pub colours: Option<Colours>,
    /// The header of the first scan, and where it stands.
    pub scan: ScanHeader,
    pub scan_at: usize,
    /// What follows it.
    pub segments: Segments<'f>,
    /// Whether bytes stand between segments that belong to none.
    pub has_strays: bool,
}

impl<'f> Headers<'f> {
    /// `None` where they are not those of a file that is decoded.
    pub fn read(file: &'f [u8]) -> Option<Headers<'f>> {
        let (mut frame, mut tables, mut adobe) = (None, Tables::default(), None);
        let [mut has_strays, mut is_of_film] = [false; 2];
        let mut segments = Segments::new(file);
        loop {
            let from = segments.at();
            let segment = segments.next().filter(|segment| segment.is_whole)?;
            // One is left where a program counts wrong.
            has_strays |= file.get(from..segment.at)?.iter().filter(|&&byte| byte != 0xff).count() > 1;
            match segment.marker {
                BASELINE | EXTENDED | PROGRESSIVE if frame.is_none() => frame = Some(Frame::parse(&segment)?),
                HUFFMAN_TABLES => tables.add_codes(&segment)?,
                QUANTISATION_TABLES => tables.add_factors(&segment)?,
                RESTART_INTERVAL => tables.set_restart_interval(&segment)?,
                SCAN => {
                    if is_of_film {
                        tables.add_examples();
                    }
                    let frame = frame?;
                    let scan = ScanHeader::parse(&segment, &frame)?;
                    let colours = Colours::new(&frame, adobe);
                    let scan_at = segment.at;
                    return Some(Headers { frame, tables, colours, scan, scan_at, segments, has_strays });
                }
                0xc0..=0xcf | END => return None,
                _ => {
                    is_of_film |= is_film_note(&segment);
                    adobe = adobe_note(&segment).or(adobe);
                }
            }
        }
    }
}

/// That a file ends within the segment that begins at a byte.
pub fn broken_off(file: &[u8], at: usize) -> String {
    format!("it ends at byte {}, within the segment that begins at byte {at}", file.len())
}

/// That the tables of a scan are missing, or not as they should be.
pub fn unfit_tables(at: usize) -> String {
    format!("its tables do not fit its scan at byte {at}")
}

/// Why a file is not decoded at all.
pub fn unreadable(file: &[u8]) -> String {
    let mut has_frame = false;
    for segment in Segments::new(file) {
        let Segment { marker, at, body, is_whole } = segment;
        match marker {
            _ if !is_whole => return broken_off(file, at),
            BASELINE | EXTENDED | PROGRESSIVE => {
                if let Some(why) = unusable_frame(body) {
                    return format!("{why} (frame at byte {at})");
                }
                if Frame::parse(&segment).is_none() {
                    return format!("its frame at byte {at} contradicts itself");
                }
                has_frame = true;
            }
            0xc4 | 0xc8 | 0xcc => {}
            0xc3 | 0xc5..=0xcf => {
                return format!(
                    "its frame at byte {at} is of a kind that is not decoded: lossless, hierarchical or arithmetic"
                );
            }
            SCAN if !has_frame => return format!("its scan at byte {at} comes before any frame"),
            SCAN => return unfit_tables(at),
            _ => {}
        }
    }
    let wanted = if has_frame { "scan" } else { "frame" };
    format!("it ends at byte {} without a {wanted}", file.len())
}

/// What a frame may say that nothing can be made of.
fn unusable_frame(body: &[u8]) -> Option<String> {
    let &[bits, h1, h0, w1, w0, ..] = body else { return Some("its frame is too short".into()) };
    match bits {
        8 if [h1, h0] == [0; 2] || [w1, w0] == [0; 2] => Some("its width or height is 0".into()),
        8 => None,
        _ => Some(format!("it has {bits} bits a channel, where 8 are decoded")),
    }
}
