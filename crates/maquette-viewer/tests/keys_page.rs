//! The keys in docs/viewer.md are those that there are. With `MAQUETTE_UPDATE_FIXTURES=1` they are written anew.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use eframe::egui::{Context, os::OperatingSystem};
use maquette_viewer::actions::{Action, Section};
use maquette_viewer::ui::keys;
use std::fmt::Write;
use std::path::Path;

const HEADING: &str = "## Keys\n";

fn tables() -> String {
    let context = Context::default();
    context.set_os(OperatingSystem::Nix);
    let mut text = String::new();
    let mut table = |title: &str, rows: Vec<(String, String)>| {
        write!(text, "\n| {title} | |\n|---|---|\n").unwrap();
        rows.into_iter().for_each(|(key, what)| writeln!(text, "| {key} | {what} |").unwrap());
    };
    for section in Section::ALL {
        let listed = Action::LISTED.iter().filter(|(there, _)| *there == section);
        let rows = listed.map(|(_, action)| {
            let key = keys::shown(&context, *action).expect("every listed action has a key");
            (format!("`` {key} ``"), action.label().trim_end_matches('…').to_owned())
        });
        table(section.title(), rows.collect());
    }
    for (title, rows) in [("Held", keys::HELD), ("Pointer", keys::POINTER)] {
        table(title, rows.iter().map(|(key, what)| ((*key).to_owned(), (*what).to_owned())).collect());
    }
    text
}

#[test]
fn the_page_lists_all_keys() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/viewer.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, listed) = page.split_once(HEADING).expect("a heading");
    if std::env::var_os("MAQUETTE_UPDATE_FIXTURES").is_some() {
        std::fs::write(&path, format!("{before}{HEADING}{}", tables())).unwrap();
        return;
    }
    assert!(listed == tables(), "docs/viewer.md lists other keys; MAQUETTE_UPDATE_FIXTURES=1 writes them anew");
}
