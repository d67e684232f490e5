//! Pages made of documentation that rustdoc compiles and runs: `docs/library.md` and the README of each library.
//!
//! On a page there are no lines that rustdoc hides, no links that only rustdoc can follow, and no tables of modules.

use crate::root;

const LICENCE: &str = "Licensed under either of MIT or Apache 2.0, as you choose.";

/// The examples of the library, from the page that `maquette::cookbook` is made of.
pub fn library() -> Result<String, String> {
    let source = "crates/maquette/src/cookbook.md";
    let page = read(source)?;
    let (title, rest) = page.split_once("\n\n").unwrap_or((&page, ""));
    Ok(format!("{title}\n\n<!-- {} -->\n\n{}\n", made_from(source), shown(rest.lines())))
}

/// The README of a crate: the documentation of its `lib.rs` up to the first table.
pub fn readme(name: &str) -> Result<String, String> {
    let source = format!("crates/{name}/src/lib.rs");
    let text = read(&source)?;
    let comment = text.lines().map_while(|line| line.strip_prefix("//!"));
    let lead = comment.map(|line| line.strip_prefix(' ').unwrap_or(line)).take_while(|line| !line.starts_with('|'));
    let page = shown(lead).replace("[`", "`").replace("`]", "`");
    Ok(format!("# {name}\n\n<!-- {} -->\n\n{}\n\n{LICENCE}\n", made_from(&source), page.trim_end()))
}

fn made_from(source: &str) -> String {
    format!("Made from {source} by `cargo xtask pages`; do not edit.")
}

fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(root().join(path)).map_err(|error| format!("cannot read {path}: {error}"))
}

/// The lines that readers see.
fn shown<'l>(lines: impl Iterator<Item = &'l str>) -> String {
    let mut is_code = false;
    let mut shown = Vec::new();
    for line in lines {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        let is_hidden = is_code && (line.trim() == "#" || line.trim_start().starts_with("# "));
        match line {
            _ if is_hidden => {}
            "```" if is_code => shown.push("```rust"),
            _ => shown.push(line),
        }
    }
    shown.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rustdoc_hides_is_left_out_of_code_alone() {
        let page = "# Title\n\n```\n# hidden\nlet a = 1;\n#\n    # hidden\n#[test]\n```\n# Heading";
        let expected = "# Title\n\n```rust\nlet a = 1;\n#[test]\n```\n# Heading";
        assert_eq!(shown(page.lines()), expected);
    }
}
