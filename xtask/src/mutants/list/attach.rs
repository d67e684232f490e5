//! Clips put onto a model by the names of bones.

use super::{Group, mutation};

pub const GROUP: Group = Group {
    folder: "crates/maquette-scene/src",
    tests: &["-p", "maquette-scene", "--lib", "--", "attach", "compose"],
    mutations: &[
        mutation("attach/mod.rs", "a path of nodes is no namespace", "'|'", "':'"),
        mutation(
            "attach/mod.rs",
            "of nested namespaces only the first is passed over",
            ".next().unwrap_or(bare);",
            ".nth(usize::from(MUTANT && bare.matches(':').count() > 1)).unwrap_or(bare);",
        ),
        mutation(
            "attach/mod.rs",
            "prefixes must be in the same case",
            "start.eq_ignore_ascii_case(prefix)",
            "start == prefix",
        ),
        mutation(
            "attach/mod.rs",
            "of nodes alike without a prefix the last moves",
            "bare.entry(options.bare(&node.name)).or_insert(handle);",
            "bare.insert(options.bare(&node.name), handle);",
        ),
        mutation(
            "attach/mod.rs",
            "two bones get one node",
            "Some((handle, count)) if taken.insert(handle)",
            "Some((handle, count)) if (if MUTANT { !taken.contains(&handle) } else { taken.insert(handle) })",
        ),
        mutation(
            "attach/mod.rs",
            "the loop flag is lost",
            "looped: clip.looped",
            "looped: if MUTANT { None } else { clip.looped }",
        ),
        mutation(
            "attach/mod.rs",
            "events are lost",
            "events: clip.events.clone()",
            "events: if MUTANT { Vec::new() } else { clip.events.clone() }",
        ),
        mutation(
            "attach/mod.rs",
            "the frame rate is lost",
            "frame_rate: clip.frame_rate",
            "frame_rate: if MUTANT { None } else { clip.frame_rate }",
        ),
        mutation(
            "attach/mod.rs",
            "only the last track of a bone says its blend",
            "*slot = slot.or(track.blend)",
            "*slot = track.blend",
        ),
        mutation(
            "attach/mod.rs",
            "a track may move the node after the last",
            "handle.index() < self.count",
            "handle.index() <= self.count",
        ),
        mutation(
            "attach/mod.rs",
            "bones that the map leaves out are not told",
            "subject, detail, self.left_out.len() as u64",
            "subject, detail, if MUTANT { 0 } else { self.left_out.len() as u64 }",
        ),
        mutation("compose.rs", "an additive rotation is applied after the rest pose", "rest * value", "value * rest"),
    ],
};
