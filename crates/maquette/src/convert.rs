//! From file to file. Within one format and dialect the bytes come out as they went in.

use crate::{Error, Input, Result, sample};
use maquette_formats::format::Opened;

/// What a conversion writes: the file, and files beside it by name.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The file itself.
    pub main: Vec<u8>,
    /// Names and bytes of its companions.
    pub beside: Vec<(String, Vec<u8>)>,
}

/// Converts a file for the output of this name; `None` keeps the format, whatever the name.
///
/// Reads the whole file, so that nothing damaged is passed on, and carries along the companions that belong to
/// it by name.
pub fn convert(input: &Input, opened: &Opened<'_>, output_name: Option<&str>) -> Result<Converted> {
    if let Some(name) = output_name {
        let target = sample::by_file_name(name)?;
        if target.id != opened.format.id {
            return Err(Error::request(format!(
                "{} is {} and {name} would be {}: converting between formats does not work yet",
                input.label, opened.format.name, target.name
            )));
        }
    }
    let source = input.source();
    let mut beside = Vec::new();
    if let Some(output_name) = output_name {
        for naming in opened.format.companions {
            if let Some((_, bytes)) = source.companion(naming) {
                beside.push((naming.apply(output_name), bytes.into_owned()));
            }
        }
    }
    Ok(Converted { main: opened.file.encode(), beside })
}
