//! Every target over every seed, once.

use maquette_fuzz::{Target, seeds};

#[test]
fn no_seed_is_a_finding() {
    let mut failures = Vec::new();
    for target in Target::all() {
        for seed in seeds::of(target) {
            if let Err(panic) = std::panic::catch_unwind(|| target.run(&seed.bytes)) {
                let message = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                failures.push(format!("{} {}: {message}", target.name(), seed.name));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_target_has_seeds_that_are_small() {
    for target in Target::all() {
        let seeds = seeds::of(target);
        assert!(seeds.len() > 10, "{}", target.name());
        assert!(seeds.iter().all(|seed| seed.bytes.len() <= seeds::MAX_BYTES), "{}", target.name());
    }
}

#[test]
fn targets_are_found_by_their_names() {
    for target in Target::all() {
        assert_eq!(Target::by_name(target.name()).map(Target::name), Some(target.name()));
    }
    assert!(Target::by_name("no-such").is_none());
}
