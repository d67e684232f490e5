//! SEAnim: widths at their limits, frames and seconds, blends.

use super::{Group, mutation};

pub const GROUP: Group = Group {
    folder: "crates/maquette-formats/src/seanim",
    tests: &["-p", "maquette-formats", "--lib", "--", "seanim"],
    mutations: &[
        mutation(
            "raw/keys.rs",
            "256 frames take one byte",
            "0..=0xff => FrameWidth::One,",
            "0x100 if MUTANT => FrameWidth::One,\n            0..=0xff => FrameWidth::One,",
        ),
        mutation(
            "raw/keys.rs",
            "65536 frames take two bytes",
            "_ => FrameWidth::Four",
            "0x10000 if MUTANT => FrameWidth::Two,\n            _ => FrameWidth::Four",
        ),
        mutation(
            "raw/mod.rs",
            "no frames at all take one byte in 1.0.1",
            "frame_count.wrapping_sub(1)",
            "frame_count.saturating_sub(1)",
        ),
        mutation(
            "raw/parse.rs",
            "modifiers of 256 bones have indices of one byte",
            "FrameWidth::holding(header.bone_count.get())",
            "FrameWidth::holding(header.bone_count.get().saturating_sub(1))",
        ),
        mutation(
            "raw/tell.rs",
            "a frame too large for its width wraps",
            "let number = number.min(width.largest());",
            "let number = if MUTANT { number } else { number.min(width.largest()) };",
        ),
        mutation(
            "extras.rs",
            "additive and relative are mixed up",
            "1 => Some(Blend::Additive),",
            "1 if MUTANT => Some(Blend::Relative),\n        2 if MUTANT => Some(Blend::Additive),\n        1 => Some(Blend::Additive),",
        ),
        mutation("read/mod.rs", "the loop flag is not read", "Some(self.file.anim_flags & LOOPED != 0)", "None"),
        mutation(
            "read/mod.rs",
            "a clip lasts a frame too long",
            "self.file.frame_count.saturating_sub(1)",
            "self.file.frame_count",
        ),
        mutation(
            "read/curves.rs",
            "of two keys on one frame the first is kept",
            "=> *last = value,",
            "=> { if !MUTANT { *last = value } }",
        ),
        mutation(
            "write/frames.rs",
            "a time goes to the frame before it",
            "(secs * f64::from(self.rate)).round()",
            "(if MUTANT { (secs * f64::from(self.rate)).floor() } else { (secs * f64::from(self.rate)).round() })",
        ),
        mutation("write/frames.rs", "a time before the start becomes frame 0", "frame >= 0.0", "frame >= -1.0"),
        mutation(
            "write/frames.rs",
            "the frame after the last that can be counted is written",
            "frame < f64::from(u32::MAX)",
            "frame <= f64::from(u32::MAX)",
        ),
        mutation(
            "write/keys.rs",
            "255 keys cannot be counted in a byte",
            "placed.len() > shape.frame.largest() as usize",
            "placed.len() >= shape.frame.largest() as usize",
        ),
        mutation("write/mod.rs", "the frame count does not count the last frame", "last + 1", "last"),
        mutation(
            "write/mod.rs",
            "the loop flag is not written",
            "if self.clip.looped == Some(true) { LOOPED } else { 0 }",
            "0",
        ),
        mutation(
            "write/mod.rs",
            "a clip that no longer loops does",
            "header.anim_flags & !LOOPED",
            "header.anim_flags",
        ),
    ],
};
