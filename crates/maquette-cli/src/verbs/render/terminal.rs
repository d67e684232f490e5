//! Pictures in the terminal itself: by kitty's protocol, by iTerm2's, or as sixels.

use super::args::Protocol;
use maquette::formats::gltf::uri::base64_encoded;
use maquette_render::Picture;
use std::io::{self, Write};

impl Protocol {
    /// What the terminal says of itself.
    pub fn of_terminal() -> Option<Protocol> {
        let of = |name: &str| std::env::var(name).unwrap_or_default().to_ascii_lowercase();
        Protocol::by_words(&of("TERM"), &of("TERM_PROGRAM"), &of("LC_TERMINAL"), !of("KITTY_WINDOW_ID").is_empty())
    }

    fn by_words(term: &str, program: &str, lc_terminal: &str, in_kitty: bool) -> Option<Protocol> {
        let any = |words: &[&str], text: &str| words.iter().any(|word| text.contains(word));
        if in_kitty || any(&["kitty", "ghostty"], term) || program == "ghostty" {
            Some(Protocol::Kitty)
        } else if any(&["iterm", "wezterm", "mintty", "vscode"], program) || lc_terminal == "iterm2" {
            Some(Protocol::Iterm2)
        } else if any(&["sixel", "foot", "mlterm", "yaft", "contour"], term) {
            Some(Protocol::Sixel)
        } else {
            None
        }
    }
}

/// Shows a picture. `file` is the same as a PNG file.
pub fn show(out: &mut impl Write, protocol: Protocol, picture: &Picture, file: &[u8]) -> io::Result<()> {
    match protocol {
        Protocol::Kitty => kitty(out, file),
        Protocol::Iterm2 => {
            let size = file.len();
            write!(out, "\x1b]1337;File=inline=1;size={size}:{}\x07", base64_encoded(file))?;
            writeln!(out)
        }
        Protocol::Sixel => sixel(out, picture),
    }
}

/// In pieces, of which all but the last say that there are more.
fn kitty(out: &mut impl Write, file: &[u8]) -> io::Result<()> {
    let text = base64_encoded(file);
    let pieces: Vec<&[u8]> = text.as_bytes().chunks(4096).collect();
    for (at, piece) in pieces.iter().enumerate() {
        let first = if at == 0 { "a=T,f=100," } else { "" };
        let more = u8::from(at + 1 < pieces.len());
        write!(out, "\x1b_G{first}m={more};")?;
        out.write_all(piece)?;
        write!(out, "\x1b\\")?;
    }
    writeln!(out)
}

/// Colours of a cube of six by seven by six, mixed by a pattern of four by four; rows of six pixels, colour by colour.
fn sixel(out: &mut impl Write, picture: &Picture) -> io::Result<()> {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    write!(out, "\x1bPq\"1;1;{width};{height}")?;
    for colour in 0..LEVELS.iter().product::<u32>() {
        let [r, g, b] = parts(colour);
        let percent = |part: u32, levels: u32| part * 100 / (levels - 1);
        let [red, green, blue] = LEVELS;
        write!(out, "#{colour};2;{};{};{}", percent(r, red), percent(g, green), percent(b, blue))?;
    }
    for top in (0..height).step_by(6) {
        let rows: Vec<Vec<Option<u32>>> = (top..height.min(top + 6))
            .map(|y| picture.row(y).iter().enumerate().map(|(x, pixel)| nearest(*pixel, x, y)).collect())
            .collect();
        let mut colours: Vec<u32> = rows.iter().flatten().flatten().copied().collect();
        colours.sort_unstable();
        colours.dedup();
        for colour in colours {
            write!(out, "#{colour}")?;
            let bits = |x: usize| {
                let set = |row: &Vec<Option<u32>>| row.get(x).copied().flatten() == Some(colour);
                rows.iter().enumerate().fold(0_u8, |bits, (at, row)| bits | u8::from(set(row)) << at)
            };
            let line: Vec<u8> = (0..width).map(bits).collect();
            for run in line.chunk_by(|one, next| one == next) {
                let letter = char::from(63 + run.first().copied().unwrap_or(0));
                match run.len() {
                    count @ 4.. => write!(out, "!{count}{letter}")?,
                    count => write!(out, "{}", letter.to_string().repeat(count))?,
                }
            }
            write!(out, "$")?;
        }
        write!(out, "-")?;
    }
    writeln!(out, "\x1b\\")
}

const LEVELS: [u32; 3] = [6, 7, 6];
/// What is added before rounding, in sixteenths.
const PATTERN: [[u32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

fn parts(colour: u32) -> [u32; 3] {
    let [_, green, blue] = LEVELS;
    [colour / (green * blue), colour / blue % green, colour % blue]
}

/// The colour of the cube; `None` where the picture is transparent.
fn nearest([r, g, b, a]: [u8; 4], x: usize, y: usize) -> Option<u32> {
    let more = PATTERN.get(y % 4).and_then(|row| row.get(x % 4)).copied().unwrap_or(0);
    let level = |part: u8, levels: u32| (u32::from(part) * (levels - 1) * 16 + more * 255 + 127) / (255 * 16);
    let [red, green, blue] = LEVELS;
    let [r, g, b] = [level(r, red).min(red - 1), level(g, green).min(green - 1), level(b, blue).min(blue - 1)];
    (a >= 128).then_some((r * green + g) * blue + b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_known_by_what_they_say() {
        assert_eq!(Protocol::by_words("xterm-kitty", "", "", false), Some(Protocol::Kitty));
        assert_eq!(Protocol::by_words("xterm-256color", "iterm.app", "", false), Some(Protocol::Iterm2));
        assert_eq!(Protocol::by_words("foot", "", "", false), Some(Protocol::Sixel));
        assert_eq!(Protocol::by_words("xterm-256color", "", "", false), None);
    }

    #[test]
    fn sixels_draw_each_row_of_six_in_each_of_its_colours() {
        let picture = Picture::new(5, 7, [[255, 0, 0, 255]; 30].into_iter().chain([[0, 0, 0, 0]; 5]).collect());
        let mut out = Vec::new();
        sixel(&mut out, &picture.unwrap()).unwrap();
        let text = String::from_utf8(out).unwrap();
        // Red is the last of six levels; five columns of all six rows; the seventh row has nothing.
        let red = 5 * 7 * 6;
        assert!(text.ends_with(&format!("#{red}!5~$--\x1b\\\n")), "{text:?}");
        assert!(text.contains(&format!("#{red};2;100;0;0")));
    }

    #[test]
    fn kitty_takes_pieces_of_which_the_last_says_so() {
        let mut out = Vec::new();
        kitty(&mut out, &[7; 4000]).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!((text.matches("\x1b_G").count(), text.matches("m=0;").count()), (2, 1));
        assert!(text.starts_with("\x1b_Ga=T,f=100,m=1;"));
    }
}
