//! Files that lie beside a sound one: settings, hashes, materials, clips, buffers, images.

use crate::file::check;
use crate::round_trip::{Beside, file_name, read};
use crate::scene::outlets;
use maquette::formats::format::{Bundle, Format, ReadOptions};
use std::sync::LazyLock;

/// A sample, and which of its companions is replaced.
pub struct Slot {
    /// The sample's format.
    pub format: &'static Format,
    /// The sample.
    pub bundle: Bundle,
    /// The companion's place in it.
    pub companion: usize,
}

/// Every companion of every sample.
pub static SLOTS: LazyLock<Vec<Slot>> = LazyLock::new(|| {
    let samples = outlets().map(|(format, dialect)| (format, (format.sample)(dialect)));
    let slots = samples.flat_map(|(format, bundle)| {
        (0..bundle.companions.len()).map(move |companion| Slot { format, bundle: bundle.clone(), companion })
    });
    slots.collect()
});

/// One execution: the first byte chooses the companion, the others are what it holds.
pub fn run(data: &[u8]) {
    let Some((&first, bytes)) = data.split_first() else { return };
    let Slot { format, bundle, companion } = &SLOTS[usize::from(first) % SLOTS.len()];
    let mut companions = bundle.companions.clone();
    companions[*companion].1 = bytes.to_vec();
    let name = file_name(format);
    let beside = Beside { name: &name, companions: &companions };
    let file = (format.open)(&bundle.main, None).expect("a sample is opened");
    check(&*file, &beside.source());
    read(format, &bundle.main, &ReadOptions { source: beside.source(), ..ReadOptions::default() });
}
