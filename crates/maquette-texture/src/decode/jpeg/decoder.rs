//! All scans of a file to pixels, as far as they go, and what is wrong with them.
//!
//! Where the first scan has all of the picture, a few rows of units are held at a time, and painted while the next are followed. Else all
//! coefficients are held until the last scan.

use super::coefficients::Coefficients;
use super::colour::Colours;
use super::fault::Fault;
use super::headers::{Headers, broken_off};
use super::paint::Painter;
use super::scan::Scan;
use super::segments::{
    END, Frame, HUFFMAN_TABLES, QUANTISATION_TABLES, RESTART_INTERVAL, SCAN, ScanHeader, Segment, Segments,
};
use super::tables::{Factors, Tables};

/// As many blocks as are followed before they are painted.
const BAND_BLOCKS: usize = 1 << 10;

/// The tables of the first scan are not there.
#[derive(Debug)]
pub struct UnfitTables;

/// Paints a picture, and tells what is wrong with it.
pub fn decode(
    file: &[u8],
    headers: Headers<'_>,
    colours: Colours,
    pixels: &mut [[u8; 4]],
) -> Result<Option<String>, UnfitTables> {
    let Headers { frame, tables, scan, segments, has_strays, .. } = headers;
    let mut decoder =
        Decoder { file, frame: &frame, tables, factors: vec![None; frame.components.len()], scans: 0, damage: None };
    let is_one_scan = !frame.is_progressive && scan.components.len() == frame.components.len();
    let rest = if is_one_scan {
        decoder.in_one_scan(&scan, segments.at(), colours, pixels)?;
        decoder.walk(segments, None)
    } else {
        let [_, rows] = frame.units();
        let mut coefficients = Coefficients::new(&frame, rows);
        decoder.hold_scan(&scan, segments.at(), &mut coefficients).ok_or(UnfitTables)?;
        let rest = decoder.walk(segments, Some(&mut coefficients));
        decoder.painter(colours).paint_all(&coefficients, pixels);
        rest
    };
    let strays = has_strays.then(|| BREAKS_A_RULE.to_owned());
    Ok(decoder.damage.or(rest).or(strays))
}

/// What is said where nothing more exact is known.
const BREAKS_A_RULE: &str = "it breaks a rule of the format, and is decoded as far as it goes";

struct Decoder<'f> {
    file: &'f [u8],
    frame: &'f Frame,
    tables: Tables,
    /// Of each component, from its first scan on.
    factors: Vec<Option<Factors>>,
    scans: usize,
    /// What was wrong with a scan first.
    damage: Option<String>,
}

impl<'f> Decoder<'f> {
    fn painter(&self, colours: Colours) -> Painter<'f> {
        let factors = self.factors.iter().map(|factors| factors.unwrap_or([0; 64])).collect();
        Painter::new(self.frame, factors, colours)
    }

    /// Paints a picture that has only this scan.
    fn in_one_scan(
        &mut self,
        header: &ScanHeader,
        from: usize,
        colours: Colours,
        pixels: &mut [[u8; 4]],
    ) -> Result<(), UnfitTables> {
        self.begin_scan(header).ok_or(UnfitTables)?;
        let frame = self.frame;
        let painter = self.painter(colours);
        let mut scan = Scan::new(self.file, from, frame, &self.tables, header).ok_or(UnfitTables)?;
        let [width, _] = frame.size;
        let [units, rows] = frame.units();
        let blocks_of_unit: usize =
            frame.components.iter().map(|component| component.blocks.iter().product::<usize>()).sum();
        let share = (BAND_BLOCKS / (units * blocks_of_unit)).clamp(1, rows);
        let [mut followed, mut painted] = [(); 2].map(|()| Coefficients::new(frame, share));
        let mut canvas = painter.canvas();
        let mut follow = |first: usize, coefficients: &mut Coefficients| {
            for row in 0..share.min(rows.saturating_sub(first)) {
                scan.follow_row(row, coefficients);
            }
        };
        follow(0, &mut followed);
        let mut rest = pixels;
        for first in (0..rows).step_by(share) {
            std::mem::swap(&mut followed, &mut painted);
            let range = first..rows.min(first + share);
            let count = painter.painted(range.end - 1).end - painter.painted(first).start;
            let (pixels, after) = std::mem::take(&mut rest).split_at_mut_checked(count * width).unwrap_or_default();
            rest = after;
            let ahead = || {
                if range.end < rows {
                    follow(range.end, &mut followed);
                }
            };
            rayon::join(ahead, || painter.paint(&mut canvas, range.clone(), 0, &painted, pixels));
        }
        let fault = scan.finish();
        self.tell(fault);
        Ok(())
    }

    /// Reads a scan into coefficients that are held; `None` where its tables do not fit.
    fn hold_scan(
        &mut self,
        header: &ScanHeader,
        from: usize,
        coefficients: &mut Coefficients,
    ) -> Option<Option<Fault>> {
        self.begin_scan(header)?;
        let mut scan = Scan::new(self.file, from, self.frame, &self.tables, header)?;
        for row in 0..scan.rows() {
            scan.follow_row(row, coefficients);
        }
        let fault = scan.finish();
        self.tell(fault);
        Some(fault)
    }

    /// Counts a scan, and keeps the factors of components that come for the first time; `None` where these are missing.
    fn begin_scan(&mut self, header: &ScanHeader) -> Option<()> {
        self.scans += 1;
        for &(component, _) in &header.components {
            let of_component = self.factors.get_mut(component)?;
            let number = self.frame.components.get(component)?.quantisation;
            *of_component = Some((*of_component).or(*self.tables.factors.get(number)?)?);
        }
        Some(())
    }

    fn tell(&mut self, fault: Option<Fault>) {
        let whole = || if self.frame.is_progressive { format!("scan {}", self.scans) } else { "the picture".into() };
        if let (Some(fault), None) = (fault, &self.damage) {
            self.damage = Some(fault.told(&whole()));
        }
    }

    /// Goes through all segments after the first scan. Further scans go to coefficients, if the picture is not painted yet. What is wrong comes back.
    fn walk(&mut self, segments: Segments<'_>, mut coefficients: Option<&mut Coefficients>) -> Option<String> {
        let mut segments = segments;
        while let Some(segment) = segments.next() {
            match segment.marker {
                _ if !segment.is_whole => return Some(broken_off(self.file, segment.at)),
                END => return self.missing(),
                SCAN => {
                    let Some(coefficients) = &mut coefficients else { continue };
                    let header = ScanHeader::parse(&segment, self.frame);
                    let Some(fault) = header.and_then(|header| self.hold_scan(&header, segments.at(), coefficients))
                    else {
                        return Some(BREAKS_A_RULE.into());
                    };
                    // What follows would add to what is not there.
                    if self.frame.is_progressive && fault.is_some_and(|fault| fault.has_gap()) {
                        return None;
                    }
                }
                _ => {
                    if self.take_tables(&segment).is_none() {
                        return Some(BREAKS_A_RULE.into());
                    }
                }
            }
        }
        let end = self.file.len();
        let unended = || format!("it ends at byte {end} without an end marker, and finer scans may be missing");
        self.missing().or_else(|| self.frame.is_progressive.then(unended))
    }

    fn take_tables(&mut self, segment: &Segment<'_>) -> Option<()> {
        match segment.marker {
            HUFFMAN_TABLES => self.tables.add_codes(segment),
            QUANTISATION_TABLES => self.tables.add_factors(segment),
            RESTART_INTERVAL => self.tables.set_restart_interval(segment),
            // A second frame.
            0xc0..=0xcf => None,
            _ => Some(()),
        }
    }

    /// That there are components without any scan.
    fn missing(&self) -> Option<String> {
        let (missing, all) = (self.factors.iter().filter(|factors| factors.is_none()).count(), self.factors.len());
        (missing > 0).then(|| format!("{missing} of its {all} components have no data"))
    }
}
