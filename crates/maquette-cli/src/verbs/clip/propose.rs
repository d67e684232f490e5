//! `maquette clip retarget --propose`: the map of bones that the names of two skeletons suggest.

use super::files::Files;
use crate::Verdict;
use crate::terminal::{self, notes};
use crate::verbs::{is_standard, make_folder_of, print_json, printing, said};
use maquette::clips::{Proposed, Rig};
use maquette::{Error, Result, save};
use std::io::Write;

/// Writes the map, or tells it.
pub fn run(files: &Files, from: &Rig, to: &Rig) -> Result<Verdict> {
    let proposed = Proposed::new(from, to);
    let (path, text) = (&files.output, proposed.text());
    let mut told = notes();
    if is_standard(path) && !files.json {
        let mut out = terminal::output(false);
        text.lines().try_for_each(|line| writeln!(out, "{line}")).and_then(|()| out.flush()).map_err(printing)?;
    } else if !is_standard(path) && !files.dry_run {
        if path.exists() && !files.force {
            return Err(Error::Usage(format!("{} is there already; --force overwrites it", path.display())));
        }
        make_folder_of(path)?;
        save::write(path, text.as_bytes())?;
        said(&mut told, std::slice::from_ref(path));
    }
    if files.json {
        let mut out = terminal::output(true);
        print_json(&mut out, &proposed)?;
        out.flush().map_err(printing)?;
    }
    writeln!(told, "{} of {} bones are mapped", proposed.mapped, from.joints.len()).map_err(printing)?;
    told.flush().map_err(printing)?;
    Ok(Verdict::Fine)
}
