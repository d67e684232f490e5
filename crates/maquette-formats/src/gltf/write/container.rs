//! The container of document and buffer: one GLB, or JSON with companion files; and the names of such files.

use super::super::raw::Dialect;
use super::super::schema::{self, Buffer, Document};
use crate::format::{Bundle, Error, Naming, Result};

const MAGIC: &[u8] = b"glTF";
const VERSION: u32 = 2;
const JSON: &[u8] = b"JSON";
const BIN: &[u8] = b"BIN\0";

/// The two forms of a glTF file: GLB and JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// One file with everything inside.
    Binary,
    /// JSON, with the buffer and images as companion files.
    Text,
}

impl Container {
    /// The one of this dialect.
    pub fn of(dialect: &str) -> Result<Container> {
        Ok(match Dialect::known(dialect)? {
            Dialect::Binary => Container::Binary,
            Dialect::Text => Container::Text,
        })
    }

    /// The finished file. `files` are the images that are companion files.
    pub fn wrap(
        self,
        mut document: Document,
        buffer: Vec<u8>,
        files: Vec<(String, Vec<u8>)>,
        file_name: &str,
    ) -> Result<Bundle> {
        let naming = Naming::Extension("bin");
        if !buffer.is_empty() {
            let uri = (self == Container::Text).then(|| percent_encoded(&naming.apply(file_name)));
            document.buffers = vec![Buffer { byte_length: buffer.len(), uri, ..Buffer::default() }];
        }
        match self {
            Container::Binary => Ok(glb(schema::to_json(&document), buffer)?.into()),
            Container::Text => {
                let mut main = schema::to_indented_json(&document);
                main.push(b'\n');
                let images = files.into_iter().map(|(name, bytes)| (Naming::Named(name), bytes));
                let companions = (!buffer.is_empty()).then_some((naming, buffer)).into_iter().chain(images).collect();
                Ok(Bundle { main, companions })
            }
        }
    }
}

/// A header, the JSON filled up with spaces, the buffer filled up with zeros. The buffer becomes the file, so that there are not two of it.
fn glb(mut json: Vec<u8>, mut buffer: Vec<u8>) -> Result<Vec<u8>> {
    json.resize(json.len().next_multiple_of(4), b' ');
    buffer.resize(buffer.len().next_multiple_of(4), 0);
    let length =
        12 + [&json, &buffer].iter().filter(|chunk| !chunk.is_empty()).map(|chunk| 8 + chunk.len()).sum::<usize>();
    let mut head = [MAGIC, &VERSION.to_le_bytes(), &size(length)?.to_le_bytes()].concat();
    head.extend_from_slice(&size(json.len())?.to_le_bytes());
    head.extend_from_slice(JSON);
    head.append(&mut json);
    if !buffer.is_empty() {
        head.extend_from_slice(&size(buffer.len())?.to_le_bytes());
        head.extend_from_slice(BIN);
    }
    buffer.reserve_exact(head.len());
    buffer.splice(..0, head);
    Ok(buffer)
}

fn size(bytes: usize) -> Result<u32> {
    u32::try_from(bytes).map_err(|_| {
        Error::CannotHold(format!("{bytes} bytes do not fit a GLB, which ends at 4 GiB; write it as text"))
    })
}

/// A file name as a relative URI.
pub fn percent_encoded(name: &str) -> String {
    let mut uri = String::with_capacity(name.len());
    for &byte in name.as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=@/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

/// A relative path as a URI; `None` for an absolute path or an address.
pub fn relative_uri(name: &str) -> Option<String> {
    let name = name.replace('\\', "/");
    let drive = name.split('/').next().is_some_and(|first| first.contains(':'));
    (!name.is_empty() && !name.starts_with('/') && !drive).then(|| percent_encoded(&name))
}
