//! What is held at once: little beside the file, however long a field of it is.
//!
//! A counting allocator measures the most that is held. Files in memory are made before, so that they do not count.

#![allow(unsafe_code, clippy::indexing_slicing, clippy::unwrap_used)]

use maquette::convert::{ConvertOptions, convert};
use maquette::dump::{Form, dump};
use maquette::edit::Edits;
use maquette::formats::{aem, gltf};
use maquette::scene::glam::{Mat4, Vec3};
use maquette::scene::image::{Image, ImageData};
use maquette::scene::material::{Material, Pbr, TextureUse};
use maquette::scene::mesh::{Mesh, Primitive, Streams};
use maquette::scene::scene::{Node, Transform};
use maquette::{Input, Scene, WriteOptions};
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

/// A rough grid of this many vertices on each side, without tangents, drawn this often.
fn grid(side: u32, has_normals: bool, draws: usize) -> Scene {
    let places = 0..side * side;
    let height = |at: u32| (at.wrapping_mul(at).wrapping_mul(2_654_435_761) >> 16) as f32 / 65536.0;
    let positions = places.clone().map(|at| [(at % side) as f32, (at / side) as f32, height(at)]);
    let uvs = places.clone().map(|at| [(at % side) as f32 * 0.5, (at / side) as f32 * 0.25]);
    let cells = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| y * side + x));
    let streams = Streams {
        positions: positions.collect(),
        normals: has_normals.then(|| places.map(|_| [0.0, 0.0, 1.0]).collect()),
        uvs: vec![uvs.collect()],
        ..Streams::default()
    };
    let indices = cells.flat_map(|at| [at, at + 1, at + side, at + side, at + 1, at + side + 1]).collect();
    let mut scene = Scene::default();
    let primitives = vec![Primitive { streams, indices, ..Primitive::default() }];
    let mesh = scene.meshes.push(Mesh { primitives, ..Mesh::default() });
    for draw in 0..draws {
        let transform = Transform::Matrix(Mat4::from_translation(Vec3::splat(draw as f32)));
        let node = scene.nodes.push(Node { mesh: Some(mesh), transform, ..Node::default() });
        scene.roots.push(node);
    }
    scene
}

fn a_mesh_takes_twice_its_output_at_most() {
    let folder = tempfile::tempdir().unwrap();
    for (side, has_normals, draws) in [(300, true, 1), (300, false, 1), (30, true, 100), (30, false, 100)] {
        let path = folder.path().join("grid.glb");
        maquette::write(&grid(side, has_normals, draws), &path).unwrap();
        let input = Input::from_path(&path).unwrap();
        let (held, written) = converted(&input, folder.path(), "document", Edits::default());
        let times = held as f64 / written.len() as f64;
        assert!(times < 2.0, "{times:.2} times what is written: {side}², normals: {has_normals}, drawn {draws} times");
    }
}

/// A triangle with a picture of this size, in patches of one colour.
fn picture(width: u32, height: u32) -> Scene {
    let patch = |x: u32, y: u32| [(x / 64 * 9) as u8, (y / 64 * 7) as u8, 90, 255];
    let pixels: Vec<[u8; 4]> = (0..width * height).map(|at| patch(at % width, at / width)).collect();
    let bytes = maquette::texture::png::encode(width, height, &pixels).unwrap().into();
    let mut scene = grid(2, true, 1);
    let image = scene.images.push(Image::new("wood", ImageData::Encoded { mime: "image/png".into(), bytes }));
    let used = TextureUse::new(image);
    let surface = Pbr { base_colour_texture: Some(used), ..Pbr::default() }.into();
    let material = scene.materials.push(Material { surface, ..Material::default() });
    scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives).for_each(|part| part.material = Some(material));
    scene
}

fn a_packed_picture_is_never_there_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.glb");
    let (width, height) = (2048, 2048);
    maquette::write(&picture(width, height), &path).unwrap();
    let input = Input::from_path(&path).unwrap();
    let (held, written) = converted(&input, folder.path(), "document", Edits::default());
    let decoded = 4 * width as usize * height as usize;
    // A few bands, and tables.
    let rest = decoded / 2;
    assert!(held < decoded + written.len() + rest, "{held} bytes held for {decoded} that become {}", written.len());
}

// One test, so that no other allocates meanwhile.
#[test]
fn little_is_held_beside_the_file() {
    for input in [large_model(), large_text()] {
        a_byte_is_explained_without_its_field(&input);
        a_dump_holds_no_field(&input);
    }
    what_stays_as_it_is_is_not_held();
    a_mesh_takes_twice_its_output_at_most();
    a_packed_picture_is_never_there_as_a_whole();
}
