//! Numbers that the software renderer hands over: as constants of shaders, and as tables on the device.

use bytemuck::{Pod, Zeroable};
use maquette_render::parts::{self, Encoding};
use maquette_render::{Mode, ToneMap};
use maquette_scene::glam::Vec3;

/// What shaders know by name.
pub(crate) fn constants() -> String {
    let numbers = [
        ("MOST_TEXTURE_TAPS", parts::MOST_TEXTURE_TAPS),
        ("GUARD", parts::GUARD),
        ("FURTHEST_LINE", parts::FURTHEST_LINE),
        ("NEARER_TIMES", parts::NEARER_TIMES),
        ("NEARER_BY", parts::NEARER_BY),
        ("SHADOW_WIDEST", parts::SHADOW_WIDEST),
        ("SHADOW_SPREAD", parts::SHADOW_SPREAD),
        ("HOLLOWS_RADIUS", parts::HOLLOWS_RADIUS),
        ("HOLLOWS_MOST_PIXELS", parts::HOLLOWS_MOST_PIXELS),
        ("HOLLOWS_STRENGTH", parts::HOLLOWS_STRENGTH),
    ];
    let mut text: String = numbers.iter().map(|(name, value)| format!("const {name}: f32 = {value:?};\n")).collect();
    text += &format!("const REFLECTED_SIDE: i32 = {};\n", parts::REFLECTED_SIDE);
    for mode in Mode::ALL {
        text += &format!("const MODE_{}: u32 = {}u;\n", shouted(&format!("{mode:?}")), mode_number(mode));
    }
    for tone_map in ToneMap::ALL {
        text += &format!("const TONE_{}: u32 = {}u;\n", shouted(&format!("{tone_map:?}")), tone_number(tone_map));
    }
    text += &format!("const ENCODING_PLAIN: u32 = {}u;\n", encoding_number(Encoding::Plain));
    text
}

/// `BaseColour` as `BASE_COLOUR`.
fn shouted(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(letter.to_uppercase());
    }
    text
}

pub(crate) fn mode_number(mode: Mode) -> u32 {
    (0..).zip(Mode::ALL).find(|(_, other)| *other == mode).map_or(0, |(number, _)| number)
}

pub(crate) fn tone_number(tone_map: ToneMap) -> u32 {
    (0..).zip(ToneMap::ALL).find(|(_, other)| *other == tone_map).map_or(0, |(number, _)| number)
}

pub(crate) fn encoding_number(encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Srgb => 0,
        Encoding::Plain => 1,
    }
}

/// Tables that are looked up, as shaders have them.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct Tables {
    /// Two places in each.
    disc: [[f32; 4]; 8],
    turns: [[[f32; 4]; 8]; 16],
    heat: [[f32; 4]; 6],
    /// Direction and sharpness, then colour.
    lamps: [[[f32; 4]; 2]; 4],
    /// Sky, horizon and floor.
    walls: [[f32; 4]; 3],
    unknown: [f32; 4],
}

impl Tables {
    pub fn new() -> Tables {
        let mut tables = Tables::zeroed();
        fill(&mut tables.disc, pairs(parts::shadow_disc()));
        for (places, turn) in tables.turns.iter_mut().zip(parts::hollows_turns()) {
            fill(places, pairs(&turn));
        }
        fill(&mut tables.heat, parts::HEAT.into_iter().map(wide));
        let lamps = parts::studio_lamps().map(|lamp| [lamp.towards.extend(lamp.sharpness).into(), wide(lamp.colour)]);
        fill(&mut tables.lamps, lamps);
        fill(&mut tables.walls, parts::STUDIO_WALLS.into_iter().map(wide));
        tables.unknown = wide(parts::UNKNOWN);
        tables
    }
}

fn fill<T>(to: &mut [T], from: impl IntoIterator<Item = T>) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = from);
}

fn pairs(places: &[[f32; 2]]) -> impl Iterator<Item = [f32; 4]> {
    places.as_chunks::<2>().0.iter().map(|[a, b]| [a[0], a[1], b[0], b[1]])
}

fn wide(v: Vec3) -> [f32; 4] {
    v.extend(0.0).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_modes_are_those_of_shaders() {
        assert_eq!(shouted("BaseColour"), "BASE_COLOUR");
        assert!(constants().contains("const MODE_UV_CHECKER: u32 = 12u;"));
        assert!(constants().contains("const TONE_REINHARD_EXTENDED: u32 = 3u;"));
    }

    #[test]
    fn tables_are_full() {
        let tables = Tables::new();
        let last = [tables.disc[7], tables.turns[15][7], tables.lamps[3][0], tables.walls[2], tables.unknown];
        assert!(last.iter().all(|row| *row != [0.0; 4]), "{last:?}");
    }
}
