//! `maquette.h`, made from the source of the library for C.

use crate::root;
use cbindgen::{Builder, Config, DocumentationStyle, EnumConfig, ExportConfig, Language, RenameRule, Style};

/// The header.
pub fn page() -> Result<String, String> {
    let config = Config {
        language: Language::C,
        include_guard: Some("MAQUETTE_H".into()),
        cpp_compat: true,
        documentation_style: DocumentationStyle::C99,
        style: Style::Both,
        line_length: 120,
        usize_is_size_t: true,
        header: Some(
            "// maquette for C. Made from crates/maquette-capi/src by `cargo xtask pages`; do not edit.\n\
             // What holds for every function stands in docs/c.md: who owns what, threads, null pointers, text."
                .into(),
        ),
        export: ExportConfig {
            include: ["MaquetteEasing", "MaquetteScope", "MaquetteTextures"].map(str::to_owned).into(),
            ..ExportConfig::default()
        },
        enumeration: EnumConfig { rename_variants: RenameRule::QualifiedScreamingSnakeCase, ..EnumConfig::default() },
        ..Config::default()
    };
    let mut header = Vec::new();
    Builder::new()
        .with_crate(root().join("crates/maquette-capi"))
        .with_config(config)
        .generate()
        .map_err(|error| format!("the header for C cannot be made: {error}"))?
        .write(&mut header);
    String::from_utf8(header).map_err(|error| format!("the header for C is no text: {error}"))
}
