//! The order of keys.

use super::{Group, mutation};

pub const GROUP: Group = Group {
    folder: "crates/maquette-formats/src",
    tests: &["-p", "maquette-formats", "--lib", "--", "rising"],
    mutations: &[
        mutation(
            "rising.rs",
            "of two keys at one time the first holds",
            "kept.1 = later.1;",
            "kept.1 = later.1.min(kept.1);",
        ),
        mutation(
            "rising.rs",
            "keys that fall stay where they are",
            "sorted.sort_by(|(a, _), (b, _)| a.total_cmp(b));",
            "{}",
        ),
    ],
};
