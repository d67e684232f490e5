//! The mutations, and the tests that should notice them.

mod aem;
mod attach;
mod fit;
mod rising;
mod seanim;

/// All of them.
pub const GROUPS: &[Group] = &[aem::GROUP, seanim::GROUP, rising::GROUP, attach::GROUP, fit::GROUP];

/// Mutations that the same tests should notice.
pub struct Group {
    /// Where the files are.
    pub folder: &'static str,
    /// What `cargo test` is to build, and after `--` which of the tests to run.
    pub tests: &'static [&'static str],
    pub mutations: &'static [Mutation],
}

impl Group {
    /// The file of a mutation, from the root of the workspace.
    pub fn path(&self, mutation: &Mutation) -> String {
        format!("{}/{}", self.folder, mutation.file)
    }
}

/// A small, likely mistake.
///
/// What it changes is an expression, or statements with their semicolons. Where it is neither (a pattern, a field, the tail of a chain), the text that
/// takes its place is right and wrong in one, and tells them apart by the word `MUTANT`, which holds when the mutation is on.
pub struct Mutation {
    /// The file in the folder of the group.
    pub file: &'static str,
    /// What is wrong then.
    pub what: &'static str,
    /// A text that is in the file once.
    pub from: &'static str,
    /// What takes its place.
    pub to: &'static str,
    /// Why no test can see it, where that is so.
    pub unseen: Option<&'static str>,
}

pub const fn mutation(file: &'static str, what: &'static str, from: &'static str, to: &'static str) -> Mutation {
    Mutation { file, what, from, to, unseen: None }
}
