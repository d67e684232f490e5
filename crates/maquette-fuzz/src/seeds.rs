//! What fuzzing starts from: a fuzzer does not get past a magic by itself.
//!
//! Samples and faults of every format, small files made from scattered bytes, and inputs that were findings once. All are small, since
//! the size of the seeds decides how many executions a second there are.

use crate::choices::Choices;
use crate::companion::SLOTS;
use crate::outlets::{OUTLETS, Outlet};
use crate::round_trip::written;
use crate::{Target, any_scene};
use maquette::fit::{FitOptions, TextureOptions};
use maquette::formats::format::{BUILT_IN, Format};
use maquette::scene::valid;
use std::path::Path;

/// The largest seed, and the largest input a fuzzer is to make of them.
pub const MAX_BYTES: usize = 6 * 1024;
/// The largest of the files made from scattered bytes.
const MAX_SMALL_BYTES: usize = 1024;

/// An input to start from.
pub struct Seed {
    /// What it is, fit for the name of a file.
    pub name: String,
    /// What the target is run with, at most [`MAX_BYTES`].
    pub bytes: Vec<u8>,
}

/// The seeds of a target.
pub fn of(target: Target) -> Vec<Seed> {
    let mut seeds = match target {
        Target::File(format) => files(format),
        Target::Any => BUILT_IN.into_iter().flat_map(files).collect(),
        Target::Scene => scenes(),
        Target::Companion => companions(),
        Target::Picture => pictures(),
    };
    seeds.extend(folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions").join(target.name())));
    seeds.retain(|seed| seed.bytes.len() <= MAX_BYTES);
    seeds
}

/// Real files of a target that are small enough, of all those in a folder.
pub fn real_files(target: Target, folder: &Path) -> Vec<Seed> {
    let wanted = |seed: &Seed| {
        let claims = BUILT_IN.probe(&seed.bytes);
        match target {
            Target::File(format) => claims.iter().any(|claim| claim.id == format.id),
            Target::Any => !claims.is_empty(),
            Target::Scene | Target::Companion | Target::Picture => false,
        }
    };
    self::folder(folder).into_iter().filter(wanted).collect()
}

/// Bytes that look random and are the same every time.
pub fn scattered_bytes(seed: u64, count: usize) -> Vec<u8> {
    Choices::of(&seed.to_le_bytes()).bytes(count)
}

fn files(format: &'static Format) -> Vec<Seed> {
    let samples = format.dialects.iter().map(|dialect| (dialect.id, (format.sample)(dialect.id)));
    let faults = format.faults.iter().map(|fault| (fault.code.id, (fault.make)()));
    let whole = samples.chain(faults).map(|(name, bundle)| (name.to_owned(), bundle.main));
    let small = Outlet::of(format).flat_map(small_files);
    whole.chain(small).map(|(name, bytes)| Seed { name: format!("{}-{name}", format.id), bytes }).collect()
}

/// Files of a few hundred bytes with a little of everything, in one dialect.
fn small_files(outlet: Outlet) -> impl Iterator<Item = (String, Vec<u8>)> {
    let textures = TextureOptions { quality: None, max_size: Some(2), ..TextureOptions::default() };
    let options = FitOptions { textures, ..FitOptions::default() };
    (0..200u64)
        .filter_map(move |seed| {
            let scene = any_scene::from_bytes(&scattered_bytes(seed, 30 + seed as usize * 4));
            valid::check(&scene).ok()?;
            Some((format!("{}-{seed}", outlet.dialect), written(scene, outlet, &options)?.bundle.main))
        })
        .filter(|(_, bytes)| bytes.len() <= MAX_SMALL_BYTES)
        .take(16)
}

fn scenes() -> Vec<Seed> {
    let scene = |outlet: usize| {
        let bytes = scattered_bytes(outlet as u64, 40 + outlet * 20);
        Seed { name: format!("scattered-{outlet}"), bytes: [&[outlet as u8][..], &bytes].concat() }
    };
    (0..OUTLETS.len() * 2).map(scene).collect()
}

/// Scenes that are drawn in every mode and in every way.
fn pictures() -> Vec<Seed> {
    let picture = |index: u8| {
        let scene = scattered_bytes(u64::from(index), 60 + usize::from(index) * 9);
        Seed { name: format!("scattered-{index}"), bytes: [&[index, index.wrapping_mul(37)][..], &scene].concat() }
    };
    (0..108).map(picture).collect()
}

fn companions() -> Vec<Seed> {
    let mut seeds = Vec::new();
    for (index, slot) in SLOTS.iter().enumerate() {
        let naming = slot.bundle.companions.get(slot.companion).map(|(naming, _)| naming);
        let faults = slot.outlet.format.faults.iter().map(|fault| (fault.code.id, (fault.make)()));
        for (name, bundle) in faults.chain([("sample", slot.bundle.clone())]) {
            for (_, bytes) in bundle.companions.iter().filter(|(known, _)| Some(known) == naming) {
                let bytes = [&[index as u8][..], bytes].concat();
                seeds.push(Seed { name: format!("{index}-{name}"), bytes });
            }
        }
    }
    seeds.sort_by(|a, b| (&a.bytes, &a.name).cmp(&(&b.bytes, &b.name)));
    seeds.dedup_by(|a, b| a.bytes == b.bytes);
    seeds
}

/// Every file in a folder and below that is small enough.
fn folder(folder: &Path) -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(folder) = pending.pop() {
        let mut paths: Vec<_> =
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let small = path.metadata().is_ok_and(|metadata| metadata.len() <= MAX_BYTES as u64);
            if path.is_dir() {
                pending.push(path);
            } else if let (true, Ok(bytes), Some(name)) = (small, std::fs::read(&path), path.file_name()) {
                seeds.push(Seed { name: format!("{}", name.display()), bytes });
            }
        }
    }
    seeds
}
