//! One row of bytes: offset, bytes in hexadecimal, text; and which byte is at a place of it.

use super::ROW;
use crate::state::fields::Field;
use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{Color32, FontId, Visuals};
use std::ops::Range;

/// Columns before the bytes: the offset and two spaces.
pub fn margin(file_bytes: u64) -> usize {
    digits(file_bytes) + 2
}

fn digits(file_bytes: u64) -> usize {
    format!("{:x}", file_bytes.saturating_sub(1)).len().max(8)
}

/// Columns of a whole row.
pub fn columns(file_bytes: u64) -> usize {
    margin(file_bytes) + TEXT + ROW as usize
}

/// Where the text begins, behind the margin: three columns for each byte, one more in the middle, and one between.
const TEXT: usize = 3 * ROW as usize + 2;

/// The column of a byte, behind the margin.
fn column_of(byte: usize) -> usize {
    3 * byte + usize::from(byte >= ROW as usize / 2)
}

/// The byte at a column of a row, in either form.
pub fn byte_at(column: usize, file_bytes: u64) -> Option<u64> {
    let column = column.checked_sub(margin(file_bytes))?;
    if let Some(byte) = column.checked_sub(TEXT) {
        return (byte < ROW as usize).then_some(byte as u64);
    }
    (0..ROW as usize).find(|byte| (column_of(*byte)..column_of(*byte) + 3).contains(&column)).map(|byte| byte as u64)
}

/// How a row looks.
pub struct Look<'a> {
    /// Of the window.
    pub visuals: &'a Visuals,
    /// Of equal width.
    pub font: FontId,
    /// The fields of these rows.
    pub fields: &'a [Field],
    /// What is selected.
    pub selected: &'a Range<u64>,
    /// The byte that keys move; `None` where they do not.
    pub cursor: Option<u64>,
}

impl Look<'_> {
    fn background(&self, offset: u64) -> Color32 {
        if self.selected.contains(&offset) {
            return self.visuals.selection.bg_fill;
        }
        let place = self.fields.partition_point(|field| field.bytes.end <= offset);
        match self.fields.get(place).filter(|field| field.bytes.contains(&offset)) {
            Some(field) if field.before % 2 == 0 => self.visuals.faint_bg_color.blend(tint(self.visuals)),
            _ => Color32::TRANSPARENT,
        }
    }

    fn format(&self, offset: u64, byte: u8) -> TextFormat {
        let is_cursor = self.cursor == Some(offset);
        let color = match byte {
            _ if self.selected.contains(&offset) => self.visuals.selection.stroke.color,
            0 => self.visuals.weak_text_color(),
            _ => self.visuals.text_color(),
        };
        let underline = if is_cursor { self.visuals.widgets.active.fg_stroke } else { Default::default() };
        TextFormat {
            font_id: self.font.clone(),
            color,
            background: self.background(offset),
            underline,
            expand_bg: 0.0,
            ..TextFormat::default()
        }
    }

    /// A row that begins at this offset.
    pub fn row(&self, offset: u64, bytes: &[u8], file_bytes: u64) -> LayoutJob {
        let mut job = LayoutJob::default();
        job.wrap.max_width = f32::INFINITY;
        let plain = TextFormat {
            background: Color32::TRANSPARENT,
            ..TextFormat::simple(self.font.clone(), self.visuals.weak_text_color())
        };
        job.append(&format!("{offset:0width$x}  ", width = digits(file_bytes)), 0.0, plain.clone());
        for column in 0..ROW as usize {
            let gap = if column + 1 == ROW as usize / 2 { "  " } else { " " };
            let Some(&byte) = bytes.get(column) else {
                job.append(&format!("  {gap}"), 0.0, plain.clone());
                continue;
            };
            let at = offset + column as u64;
            let format = self.format(at, byte);
            // What is between two bytes belongs to the field of both.
            let goes_on =
                column + 1 < bytes.len() && self.background(at + 1) == format.background && self.is_joined(at);
            let between = if goes_on { format.background } else { Color32::TRANSPARENT };
            job.append(&format!("{byte:02x}"), 0.0, format);
            job.append(gap, 0.0, TextFormat { background: between, ..plain.clone() });
        }
        job.append(" ", 0.0, plain);
        for (column, &byte) in bytes.iter().enumerate() {
            let shown = if byte.is_ascii_graphic() || byte == b' ' { char::from(byte) } else { '·' };
            let mut letter = [0; 4];
            job.append(shown.encode_utf8(&mut letter), 0.0, self.format(offset + column as u64, byte));
        }
        job
    }

    /// Whether a byte and the next are of one field.
    fn is_joined(&self, offset: u64) -> bool {
        let place = self.fields.partition_point(|field| field.bytes.end <= offset);
        self.fields.get(place).is_some_and(|field| field.bytes.contains(&offset) && field.bytes.contains(&(offset + 1)))
    }
}

fn tint(visuals: &Visuals) -> Color32 {
    visuals.selection.bg_fill.gamma_multiply(0.25)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_where_they_are_written() {
        let fields = Vec::new();
        let visuals = Visuals::dark();
        let look =
            Look { visuals: &visuals, font: FontId::monospace(12.0), fields: &fields, selected: &(0..0), cursor: None };
        let bytes: Vec<u8> = (0xa0..0xb0).collect();
        for size in [16, 1 << 33] {
            let text = look.row(0, &bytes, size).text;
            assert_eq!(text.chars().count(), columns(size));
            for (place, byte) in bytes.iter().enumerate() {
                let column = text.find(&format!("{byte:02x}")).unwrap();
                assert_eq!(byte_at(column, size), Some(place as u64), "{text}");
                assert_eq!(byte_at(column + 1, size), Some(place as u64));
            }
            let last = columns(size) - 1;
            assert_eq!(byte_at(last, size), Some(15));
            assert_eq!((byte_at(last + 1, size), byte_at(0, size)), (None, None));
        }
    }
}
