//! From bytes to a model: parsed, every rule applied, and the small tables made structures of C.

use super::clips::Clips;
use super::images::FirstImages;
use super::{Loading, Model, Table, info};
use crate::failure::Failure;
use crate::layout::{Joint, LoadResult, Material, Mesh, Texture};
use crate::lent::Lent;
use crate::storage::Storage;
use maquette_anim::Transform;
use maquette_anim::skeleton::{self, Skeleton};
use maquette_formats::aem::{self, File, mips};
use maquette_formats::locate;
use maquette_scene::{Report, Severity};
use std::ffi::CStr;
use std::path::Path;
use std::sync::Mutex;

impl Model {
    /// Loads a file.
    pub fn open(path: &CStr) -> Result<Model, Failure> {
        let storage = path_of(path).map_or_else(|| Err(std::io::ErrorKind::NotFound.into()), Storage::open);
        Model::load(storage.map_err(|error| Failure::io(&error))?)
    }

    /// Loads a copy of bytes in memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, Failure> {
        Model::load(Storage::copy_of(bytes).map_err(|error| Failure::io(&error))?)
    }

    fn load(mut storage: Storage) -> Result<Model, Failure> {
        let file = File::parse(storage.own(0..storage.len())).map_err(|error| Failure::format(&error))?;
        check(&file)?;
        let vertices = table(file.dialect.header_bytes() as usize, &file.vertices);
        let indices = table(vertices.bytes.end, &file.indices);
        let images = table(indices.bytes.end, &file.image_buffer);
        let end = storage.len() - file.trailing.len();
        let keyframes = end - size_of_val(&*file.keyframes)..end;
        let tracks = keyframes.start - size_of_val(&*file.tracks)..keyframes.start;
        let chains = mips::chains(&file);
        let textures = textures(&file, &chains);
        let first = FirstImages::new(&textures, &chains, &file.image_buffer).map_err(|_| Failure::no_memory())?;
        let meshes = all(file.meshes.iter().map(mesh))?;
        let materials = all(file.materials.iter().map(material))?;
        let joints = all(file.joints.iter().map(joint))?;
        let names = all(file.animations.iter().map(|animation| animation.name.0))?;
        let skeleton = Skeleton::new(file.joints.iter().map(link));
        let skeleton = skeleton.map_err(|error| Failure::new(LoadResult::InvalidFileType, &error.to_string()))?;
        let clips = Clips::new(&file, tracks, keyframes);
        let info = info::of(&file);
        let lent = images.bytes.end;
        storage.lend(lent);
        Ok(Model {
            storage,
            loading: Some(Loading { vertices, indices, images, textures: Lent::new(textures), first }),
            meshes: Lent::new(meshes),
            materials: Lent::new(materials),
            joints: Lent::new(joints),
            names: Lent::new(names),
            clips,
            skeleton,
            scratches: Mutex::default(),
            info,
        })
    }
}

#[cfg(unix)]
fn path_of(text: &CStr) -> Option<&Path> {
    use std::os::unix::ffi::OsStrExt;
    Some(Path::new(std::ffi::OsStr::from_bytes(text.to_bytes())))
}

#[cfg(not(unix))]
fn path_of(text: &CStr) -> Option<&Path> {
    text.to_str().ok().map(Path::new)
}

/// Every rule; the first error in the order of the file refuses it.
fn check(file: &File<'_>) -> Result<(), Failure> {
    let mut report = Report::default();
    aem::check::check(file, &mut report);
    if report.worst() != Some(Severity::Error) {
        return Ok(());
    }
    locate::resolve(file, &mut report);
    let first = report.items().iter().find(|finding| finding.severity() == Severity::Error);
    let unlisted = || Failure::new(LoadResult::InvalidFileType, "more rules are broken than can be listed");
    Err(first.map_or_else(unlisted, Failure::finding))
}

/// A table of C, or that there is no memory for it.
fn all<T>(elements: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, Failure> {
    let mut table = Vec::new();
    table.try_reserve_exact(elements.len()).map_err(|_| Failure::no_memory())?;
    table.extend(elements);
    Ok(table)
}

/// A table that begins at this place.
fn table<T>(first: usize, elements: &[T]) -> Table {
    Table { bytes: first..first + size_of_val(elements), count: elements.len() }
}

/// Textures with their channels, by the file or by how much room there is.
fn textures(file: &File<'_>, chains: &[Option<mips::Chain>]) -> Vec<Texture> {
    let stores_channels = matches!(file.dialect, aem::Dialect::Channels | aem::Dialect::Wide);
    let texture = |(texture, chain): (&aem::raw::Texture, &Option<mips::Chain>)| Texture {
        offset: texture.offset,
        width: texture.width,
        height: texture.height,
        wrap_mode: [texture.wrap_x, texture.wrap_y],
        channel_count: match texture.compression {
            1 if !stores_channels => 2,
            _ => chain.map_or(texture.channels, |chain| chain.channels),
        },
        compression: texture.compression,
    };
    file.textures.iter().zip(chains).map(texture).collect()
}

fn mesh(mesh: &aem::raw::Mesh) -> Mesh {
    Mesh {
        first_index: mesh.first_index.get(),
        index_count: mesh.index_count.get(),
        material_index: mesh.material_index.get(),
    }
}

fn material(material: &aem::raw::Material) -> Material {
    Material {
        base_color_texture_index: material.base_color_texture_index.get(),
        normal_texture_index: material.normal_texture_index.get(),
        pbr_texture_index: material.pbr_texture_index.get(),
        kind: material.kind.get(),
    }
}

fn joint(joint: &aem::raw::Joint) -> Joint {
    Joint {
        name: joint.name.0,
        inverse_bind_matrix: joint.inverse_bind_matrix.map(|number| number.get()),
        parent_joint_index: joint.parent.get(),
    }
}

/// A joint as it is played. Where it is at rest does not matter: a track says all about it.
fn link(joint: &aem::raw::Joint) -> skeleton::Joint {
    let parent = u32::try_from(joint.parent.get()).ok();
    skeleton::Joint { name: String::new(), parent, rest: Transform::IDENTITY }
}
