//! What is held at once: little beside the file, however long a field of it is.
//!
//! A counting allocator measures the most that is held. Files in memory are made before, so that they do not count.

#![allow(unsafe_code, clippy::indexing_slicing, clippy::unwrap_used)]

use maquette::convert::{ConvertOptions, convert};
use maquette::dump::{Form, dump};
use maquette::edit::Edits;
use maquette::formats::{aem, gltf};
use maquette::{Input, WriteOptions};
use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system allocator unchanged; only numbers are kept beside.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(now, Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes held at once while `work` runs.
fn most_held(work: impl FnOnce()) -> usize {
    let before = NOW.load(Relaxed);
    MOST.store(before, Relaxed);
    work();
    MOST.load(Relaxed) - before
}

const LARGE: usize = 8 << 20;
const LITTLE: usize = 1 << 20;

/// A model with an image buffer of this size, which no texture fills.
fn large_model() -> Input {
    let sample = aem::sample("wide").main;
    let mut file = aem::File::parse(&sample).unwrap();
    file.image_buffer.to_mut().resize(LARGE, 7);
    Input::from_bytes("large.aem", file.encode())
}

/// A GLB with as much JSON.
fn large_text() -> Input {
    let sample = gltf::sample("binary").main;
    let mut file = gltf::File::parse(&sample).unwrap();
    let end = file.json.iter().rposition(|&byte| byte == b'}').unwrap();
    let json = file.json.to_mut();
    json.truncate(end);
    json.extend_from_slice(b",\"extras\":\"");
    json.resize(LARGE, b'x');
    json.extend_from_slice(b"\"}  ");
    Input::from_bytes("large.glb", file.encode())
}

fn a_byte_is_explained_without_its_field(input: &Input) {
    let opened = input.open(None).unwrap();
    let held = most_held(|| {
        let meaning = maquette::explain::byte(input, &opened, LARGE as u64 / 2).unwrap();
        assert!(meaning.field_bytes >= LARGE as u64 && meaning.around.len() == 33 * 3 - 1);
    });
    assert!(held < LITTLE, "{}: {held} bytes held", input.label);
}

fn a_dump_holds_no_field(input: &Input) {
    let opened = input.open(None).unwrap();
    for form in [Form::Json, Form::Hex, Form::Tree { most: None }] {
        let held = most_held(|| dump(&opened, form, None, &mut std::io::sink()).unwrap());
        assert!(held < LITTLE, "{} {form:?}: {held} bytes held", input.label);
    }
}

/// A sound model, most of which is one texture; how many bytes that takes.
fn large_texture(folder: &Path) -> (Input, usize) {
    let sample = aem::sample("wide").main;
    let mut file = aem::File::parse(&sample).unwrap();
    let (width, height, offset) = (1024, 1024, file.image_buffer.len() as u64);
    let bytes: usize = (0..11).map(|level| 4 << (2 * level)).sum();
    file.textures[0] =
        aem::raw::Texture { offset, width, height, wrap_x: 0, wrap_y: 0, channels: 4, compression: 0, padding: 0 };
    file.image_buffer.to_mut().resize(offset as usize + bytes, 7);
    let path = folder.join("large.aem");
    std::fs::write(&path, file.encode()).unwrap();
    (Input::from_path(&path).unwrap(), bytes)
}

/// Converts to a dialect and saves; what that holds beside the input, which is mapped.
fn converted(input: &Input, folder: &Path, dialect: &str, edits: Edits) -> (usize, Vec<u8>) {
    let path = folder.join(format!("{dialect}.aem"));
    let write = WriteOptions { dialect: Some(dialect.into()), ..WriteOptions::default() };
    let options = ConvertOptions { write, edits, ..ConvertOptions::default() };
    let held = most_held(|| {
        let output = convert(input, Some("out.aem"), &options).unwrap();
        assert!(output.findings().iter().all(|found| found.finding.severity != "error"));
        output.save(&path, Default::default()).unwrap();
    });
    (held, std::fs::read(&path).unwrap())
}

fn what_stays_as_it_is_is_not_held() {
    let folder = tempfile::tempdir().unwrap();
    let (input, texture) = large_texture(folder.path());
    let (held, copy) = converted(&input, folder.path(), "wide", Edits::default());
    assert!(held < LITTLE, "{held} bytes held for a copy");
    assert!(copy == input.bytes());
    let (held, other) = converted(&input, folder.path(), "channels", Edits::default());
    assert!(held < LITTLE, "{held} bytes held for another dialect");
    let [before, after] = [input.bytes(), &other].map(|bytes| aem::File::parse(bytes).unwrap());
    assert_eq!(after.dialect, aem::Dialect::Channels);
    assert!(before.image_buffer == after.image_buffer);
    // The scene and the file.
    let scaled = Edits { scale: Some(2.0), ..Edits::default() };
    let (held, _) = converted(&input, folder.path(), "document", scaled);
    assert!(held < 2 * texture + LITTLE, "{held} bytes held for a texture of {texture} that goes through a scene");
}

// One test, so that no other allocates meanwhile.
#[test]
fn little_is_held_beside_the_file() {
    for input in [large_model(), large_text()] {
        a_byte_is_explained_without_its_field(&input);
        a_dump_holds_no_field(&input);
    }
    what_stays_as_it_is_is_not_held();
}
