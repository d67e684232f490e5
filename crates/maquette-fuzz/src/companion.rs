//! Companion files of a sound one: settings, hashes, materials, clips, buffers, images.

use crate::file::check;
use crate::outlets::{OUTLETS, Outlet};
use crate::round_trip::{Folder, read};
use maquette::formats::format::{Bundle, ReadOptions};
use std::sync::LazyLock;

/// A sample, and which of its companion files is replaced.
pub struct Slot {
    /// What the sample is in.
    pub outlet: Outlet,
    /// The sample with all its companion files, sound.
    pub bundle: Bundle,
    /// Index of the companion file that is replaced.
    pub companion: usize,
}

/// Every companion file of every sample.
pub static SLOTS: LazyLock<Vec<Slot>> = LazyLock::new(|| {
    let samples = OUTLETS.iter().map(|&outlet| (outlet, (outlet.format.sample)(outlet.dialect)));
    let slots = samples.flat_map(|(outlet, bundle)| {
        (0..bundle.companions.len()).map(move |companion| Slot { outlet, bundle: bundle.clone(), companion })
    });
    slots.collect()
});

/// One execution: the first byte chooses the companion file, the others are what it holds.
pub fn run(data: &[u8]) {
    let Some((&first, bytes)) = data.split_first() else { return };
    let Slot { outlet, bundle, companion } = &SLOTS[usize::from(first) % SLOTS.len()];
    let mut companions = bundle.companions.clone();
    companions[*companion].1 = bytes.to_vec();
    let folder = Folder { name: &outlet.file_name(), companions: &companions };
    let file = (outlet.format.open)(&bundle.main, None).expect("a sample is opened");
    check(&*file, &folder.source());
    file.references(&folder.source());
    read(&*file, &ReadOptions { source: folder.source(), ..ReadOptions::default() });
}
