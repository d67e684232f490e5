//! What files hold beyond a scene: cameras and lights, other scenes, extensions that are not known here, and what authors put into extras.
//!
//! Readers count it and let it go, so that of two files with as much of it only that can be said.

use super::Difference;
use crate::Read;
use crate::authored::{Authored, authored};
use maquette_scene::Scene;
use maquette_scene::loss::{LossReport, Lost};

/// What readers let go that another file may have as well.
const UNREAD: [Lost; 4] = [Lost::Scenes, Lost::CamerasAndLights, Lost::Extensions, Lost::Extras];

/// What two files hold beyond their scenes.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Beyond {
    /// What one of them has and the other has not.
    pub differences: Vec<Difference>,
    /// What both have as much of, and nobody looked into.
    pub not_compared: Vec<String>,
}

/// Compares what two files hold beyond their scenes.
pub fn beyond(a: &Read, b: &Read) -> Beyond {
    let mut beyond = Beyond::default();
    for what in UNREAD {
        let (of_a, of_b) = (told(&a.losses, what), told(&b.losses, what));
        match of_a == of_b {
            true => beyond.not_compared.extend(of_a.into_iter().map(|told| format!("{what}: {told}"))),
            false => beyond.push(what, of_a, of_b),
        }
    }
    beyond.push(Lost::Extras, told_of_authors(&a.scene), told_of_authors(&b.scene));
    beyond
}

impl Beyond {
    /// What only one of two lists has.
    fn push(&mut self, what: Lost, a: Vec<String>, b: Vec<String>) {
        let only = |these: &[String], those: &[String]| {
            let only: Vec<&str> = these.iter().filter(|it| !those.contains(it)).map(String::as_str).collect();
            if only.is_empty() { "none besides".to_owned() } else { only.join(", ") }
        };
        if a != b {
            let (subject, what) = (String::new(), what.word());
            let (a, b) = (only(&a, &b), only(&b, &a));
            self.differences.push(Difference { what, subject, a, b, size: None, psnr_db: None });
        }
    }
}

/// What a reader said that it let go, in any order.
fn told(losses: &LossReport, what: Lost) -> Vec<String> {
    let of_kind = losses.iter().filter(|loss| loss.what == what);
    let mut told: Vec<String> =
        of_kind.map(|loss| format!("{} ×{} of {}", loss.detail, loss.count, loss.subject)).collect();
    told.sort();
    told
}

/// What authors put into extras, by whose they are.
fn told_of_authors(scene: &Scene) -> Vec<String> {
    let told = |it: &Authored<'_>| format!("{} {:?} {}", it.kind, it.name, it.value);
    let mut told: Vec<String> = authored(scene).iter().map(told).collect();
    told.sort();
    told
}
