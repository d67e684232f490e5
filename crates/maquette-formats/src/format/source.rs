//! Where a file comes from, and its companion files with it.

use super::Naming;
use maquette_scene::Bytes;
use maquette_scene::loss::{LossReport, Lost};
use std::borrow::{Borrow, Cow};

/// Where companion files come from: a folder, an archive, memory.
pub trait Resources {
    /// The bytes of the companion file of this name, which may hold folders: `textures/brick.png`.
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>>;

    /// Whether there is one, for those who need not read it.
    fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Why the companion file of this name cannot be read although it is there: a folder has its name, it may not be opened; `None` where it can be
    /// read, and where there is none.
    fn obstacle(&self, _name: &str) -> Option<String> {
        None
    }
}

/// No companion files: bytes alone never touch the disk.
pub struct NoResources;

impl Resources for NoResources {
    fn get(&self, _: &str) -> Option<Cow<'_, [u8]>> {
        None
    }
}

/// Where a file comes from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// Its file name without folders; empty when unknown.
    pub name: &'a str,
    /// Where its companion files are.
    pub resources: &'a dyn Resources,
    /// All its bytes, where what is read of them may share them.
    pub bytes: Option<&'a Bytes>,
}

impl Source<'_> {
    /// Bytes from nowhere.
    pub const BARE: Source<'static> = Source { name: "", resources: &NoResources, bytes: None };

    /// Bytes of the file for a scene to keep: shared with the file if that may be, and copied if not.
    pub fn share(&self, part: &[u8]) -> Bytes {
        self.bytes.map_or_else(|| part.to_vec().into(), |bytes| bytes.part(part))
    }

    /// The companion named so, and its name.
    pub fn companion(&self, naming: impl Borrow<Naming>) -> Option<(String, Cow<'_, [u8]>)> {
        let name = naming.borrow().apply(self.name);
        (!self.name.is_empty()).then(|| self.resources.get(&name).map(|bytes| (name, bytes)))?
    }

    /// As [`Source::companion`]; one that is there and cannot be read is a loss.
    pub fn companion_or_loss(
        &self,
        naming: impl Borrow<Naming>,
        losses: &mut LossReport,
    ) -> Option<(String, Cow<'_, [u8]>)> {
        let naming = naming.borrow();
        let found = self.companion(naming);
        if found.is_none()
            && let Some(why) = self.obstacle(naming)
        {
            let subject = format!("{:?}", naming.apply(self.name));
            losses.dropped(Lost::CompanionFiles, subject, format!("it cannot be read: {why}"), 1);
        }
        found
    }

    /// Why the companion named so cannot be read although it is there.
    pub fn obstacle(&self, naming: impl Borrow<Naming>) -> Option<String> {
        (!self.name.is_empty()).then(|| self.resources.obstacle(&naming.borrow().apply(self.name)))?
    }

    /// What to say of a companion file that could not be had: that there is none of this name, or why it cannot be read.
    pub fn lacks(&self, name: &str) -> String {
        match self.resources.obstacle(name) {
            Some(why) => format!("the companion file {name:?} cannot be read: {why}"),
            None => format!("no companion file {name:?}"),
        }
    }
}
