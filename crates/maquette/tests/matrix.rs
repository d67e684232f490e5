//! Every format into every other: what comes back differs only where the loss report says so, and moves as the source does.

#![allow(clippy::unwrap_used, clippy::panic)]

mod accounting;

use accounting::{laid_out, scene_of, unnamed};
use maquette::formats::format::{BUILT_IN, Naming};

#[test]
fn samples_become_every_format_and_every_loss_is_named() {
    let mut failures = Vec::new();
    for source in BUILT_IN {
        for dialect in source.dialects {
            let folder = tempfile::tempdir().unwrap();
            let name = format!("{}-{}.{}", source.id, dialect.id, source.extensions.first().unwrap());
            let bundle = (source.sample)(dialect.id);
            let companions: Vec<_> = bundle
                .companions
                .into_iter()
                .map(|(naming, bytes): (Naming, _)| (naming.apply(&name), bytes))
                .collect();
            let input = laid_out(folder.path(), &name, &bundle.main, &companions);
            let before = scene_of(&input);
            for target in BUILT_IN {
                for dialect in target.dialects {
                    failures.extend(unnamed(&input, &before, target, dialect.id));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
