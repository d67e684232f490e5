//! Odd scenes: every format takes them or says that it cannot, and what it takes moves as before.

use maquette_fuzz::scene::{Tally, survives_everywhere};
use maquette_fuzz::{Target, seeds};
use std::collections::BTreeMap;

/// The scenes that are tried.
const SCENES: u64 = 600;

#[test]
fn every_format_survives_every_scene() {
    let scattered =
        (0..SCENES).map(|seed| (format!("seed {seed}"), seeds::scattered_bytes(seed, 40 + seed as usize * 5)));
    let known =
        seeds::of(Target::Scene).into_iter().map(|seed| (seed.name, seed.bytes.get(1..).unwrap_or_default().to_vec()));
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut failures = Vec::new();
    for (name, bytes) in scattered.chain(known) {
        let mut counted = tallies.clone();
        match std::panic::catch_unwind(move || {
            survives_everywhere(&bytes, &mut counted);
            counted
        }) {
            Ok(counted) => tallies = counted,
            Err(panic) => {
                failures.push(format!("{name}: {}", panic.downcast_ref::<String>().cloned().unwrap_or_default()))
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let few: Vec<_> = tallies.iter().filter(|(outlet, tally)| is_below_the_floor(outlet, tally)).collect();
    assert!(few.is_empty(), "too few scenes got through: {few:?} of {tallies:?}");
}

/// A format that takes fewer scenes than it did, or fewer that can be seen to move, refuses what it could hold.
fn is_below_the_floor(outlet: &str, tally: &Tally) -> bool {
    let format = outlet.split(' ').next().unwrap_or_default();
    let (through, moving) = match format {
        "aem" => (520, 80),
        "bmw" => (460, 44),
        "gltf" => (630, 65),
        "nlm" => (580, 150),
        "pmdl" => (115, 70),
        // These draw nothing.
        "pani" | "seanim" => (230, 0),
        "pmat" => (380, 0),
        _ => (100, 50),
    };
    tally.through < through || tally.moving < moving
}
