//! Odd scenes: every format takes them or says that it cannot.

use maquette_fuzz::scene::survives_everywhere;
use maquette_fuzz::{Target, seeds};

#[test]
fn every_format_survives_every_scene() {
    let scattered = (0..600).map(|seed| (format!("seed {seed}"), seeds::scattered_bytes(seed, 40 + seed as usize * 5)));
    let known =
        seeds::of(Target::Scene).into_iter().map(|seed| (seed.name, seed.bytes.get(1..).unwrap_or_default().to_vec()));
    let failures: Vec<String> = scattered
        .chain(known)
        .filter_map(|(name, bytes)| {
            let panic = std::panic::catch_unwind(|| survives_everywhere(&bytes)).err()?;
            Some(format!("{name}: {}", panic.downcast_ref::<String>().cloned().unwrap_or_default()))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
