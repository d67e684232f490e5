//! Which motion of a root is meant: `xz,yaw`, or what goes over the ground.

use super::{Refusal, Rig};
use maquette_motion::ops::{RootAxes, Up};
use std::str::FromStr;

/// Which motion of a root is meant, as people write it: `xz,yaw`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// Along x, y and z.
    pub along: [bool; 3],
    /// About the axis that points up.
    pub yaw: bool,
}

impl FromStr for Axes {
    type Err = String;

    fn from_str(text: &str) -> Result<Axes, String> {
        let mut axes = Axes { along: [false; 3], yaw: false };
        for word in text.split(',') {
            match word.trim() {
                "yaw" => axes.yaw = true,
                letters if !letters.is_empty() && letters.chars().all(|letter| "xyz".contains(letter)) => {
                    let named = ["x", "y", "z"].map(|axis| letters.contains(axis));
                    axes.along.iter_mut().zip(named).for_each(|(is_meant, is_named)| *is_meant |= is_named);
                }
                _ => return Err("write some of x, y, z and yaw, such as xz,yaw".into()),
            }
        }
        Ok(axes)
    }
}

/// The axes that are asked for, or those of the ground and the turning about the axis that points up: Y by default for a model, as in every scene.
pub fn root_axes(axes: Option<Axes>, up: Option<Up>, rig: Option<&Rig>) -> Result<RootAxes, Refusal> {
    let up = up.or_else(|| rig.map(|_| Up::Y));
    let no_up = || {
        Refusal("a file of animation alone does not say which axis points up; say --up y or --up z, or name the model with --skeleton".into())
    };
    Ok(match axes {
        Some(Axes { along, yaw: false }) => RootAxes { along, yaw: None },
        Some(Axes { along, yaw: true }) => RootAxes { along, yaw: Some(up.ok_or_else(no_up)?) },
        None => {
            let up = up.ok_or_else(no_up)?;
            RootAxes { along: [true, up == Up::Z, up == Up::Y], yaw: Some(up) }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_as_people_write_them() {
        assert_eq!("xz,yaw".parse(), Ok(Axes { along: [true, false, true], yaw: true }));
        assert_eq!("z, x".parse(), Ok(Axes { along: [true, false, true], yaw: false }));
        assert_eq!("yaw".parse(), Ok(Axes { along: [false; 3], yaw: true }));
        assert!(["", "w", "x,,y", "yawn", "xz yaw"].into_iter().all(|text| text.parse::<Axes>().is_err()));
    }
}
