//! Clips put onto a model by the names of bones.

use super::{Group, mutation};

pub const GROUP: Group = Group {
    folder: "crates/maquette-scene/src",
    tests: &["-p", "maquette-scene", "--lib", "--", "attach", "compose"],
    mutations: &[
        mutation("attach/mod.rs", "a path of nodes is no namespace", "rsplit([':', '|'])", "rsplit([':'])"),
        mutation(
            "attach/mod.rs",
            "of nested namespaces only the first is passed over",
            "bare.rsplit([':', '|']).next()",
            "bare.splitn(2, [':', '|']).last()",
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
            "Some((handle, count)) if !taken.contains(&handle)",
        ),
        mutation("attach/mod.rs", "the loop flag is lost", "looped: clip.looped", "looped: None"),
        mutation("attach/mod.rs", "events are lost", "events: clip.events.clone()", "events: Vec::new()"),
        mutation("attach/mod.rs", "the frame rate is lost", "frame_rate: clip.frame_rate", "frame_rate: None"),
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
            "subject, detail, 0",
        ),
        mutation("compose.rs", "an additive rotation is applied after the rest pose", "rest * value", "value * rest"),
    ],
};
