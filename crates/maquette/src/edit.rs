//! What a conversion does to a scene between reading and writing, in this order: a selection, clips of other files, coordinates, axes, size.

use crate::bone_map;
use crate::ops;
use crate::read::ReadOptions;
use crate::{Error, Input, Result};
use maquette_formats::format::BUILT_IN;
use maquette_scene::Scene;
use maquette_scene::attach::{AttachOptions, Attached};
use maquette_scene::loss::LossReport;
use std::path::{Path, PathBuf};

/// Changes that are asked for. By default there are none.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// Patterns of the meshes and clips of the input to keep; all, if there are none.
    pub select: Vec<String>,
    /// Files whose clips are put onto the model, by the names of its bones. A folder stands for the files in it whose endings name a format.
    pub clips: Vec<PathBuf>,
    /// How the bones of such clips are matched with those of the model.
    pub attach: AttachOptions,
    /// A file that maps bones of such clips to those of the model, in addition.
    pub bone_map: Option<PathBuf>,
    /// Whether V of the texture coordinates runs the other way than the format's usually does.
    pub flip_v: bool,
    /// Which axis points up in the input.
    pub up: Up,
    /// What every length is multiplied by.
    pub scale: Option<f32>,
}

/// Which axis points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Up {
    /// As in every scene.
    #[default]
    Y,
    /// To be turned.
    Z,
}

impl Edits {
    /// Whether anything is asked for.
    pub fn change_anything(&self) -> bool {
        let scene = !self.select.is_empty() || !self.clips.is_empty();
        scene || self.flip_v || self.up != Up::Y || self.scale.is_some()
    }
}

/// Does to a scene what was asked for.
pub fn apply(scene: &mut Scene, edits: &Edits, losses: &mut LossReport) -> Result<()> {
    if !edits.select.is_empty() {
        ops::select(scene, &edits.select)?;
    }
    let mut matching = edits.attach.clone();
    if let Some(path) = &edits.bone_map {
        matching.map.extend(bone_map::read(path)?);
    }
    for path in &edits.clips {
        for file in clip_files(path)? {
            add_clips(scene, &file, &matching, losses)?;
        }
    }
    if edits.flip_v {
        ops::flip_v(scene);
    }
    if edits.up == Up::Z {
        ops::z_up_to_y_up(scene);
    }
    if let Some(factor) = edits.scale {
        ops::rescale(scene, factor);
    }
    Ok(())
}

/// The file, or those in the folder, in the order of their names.
fn clip_files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let folder = path.display().to_string();
    let entries = std::fs::read_dir(path).and_then(|entries| entries.collect::<std::io::Result<Vec<_>>>());
    let mut files: Vec<PathBuf> =
        entries.map_err(Error::io(&folder, "read"))?.into_iter().map(|entry| entry.path()).collect();
    let is_known = |file: &PathBuf| BUILT_IN.by_file_name(&file.to_string_lossy()).is_some();
    files.retain(|file| is_known(file) && file.is_file());
    files.sort();
    if files.is_empty() { Err(Error::NoClip { file: folder }) } else { Ok(files) }
}

/// Puts the clips of a file onto the scene. One that moves no bone at all is a mistake, not a loss.
fn add_clips(scene: &mut Scene, path: &Path, options: &AttachOptions, losses: &mut LossReport) -> Result<()> {
    let input = Input::from_path(path)?;
    let other = input.read(&ReadOptions::default())?;
    losses.extend(other.losses);
    if other.scene.clips.is_empty() {
        return Err(Error::NoClip { file: input.label });
    }
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let attached = ops::add_clips(scene, &other.scene, &name, options, losses);
    let moves = |attached: &Attached| attached.moved_nodes > 0 || attached.unmatched.is_empty();
    match attached.into_iter().find(|attached| !moves(attached)) {
        Some(attached) => Err(Error::NoBoneMatches {
            file: input.label,
            bones: attached.unmatched,
            nodes: scene.nodes.handles().map(|node| scene.node_name(node).into_owned()).collect(),
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_folder_stands_for_its_clips_in_the_order_of_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let clips = folder.path().join("clips");
        for name in ["walk.seanim", "run.seanim", "B.SEANIM"] {
            sample::save(clips.join(name)).unwrap();
        }
        std::fs::write(clips.join("notes.txt"), "no clip").unwrap();
        std::fs::create_dir(clips.join("more.seanim")).unwrap();
        let model = Input::from_bytes("post.glb", sample::make("gltf", None).unwrap().main);
        let mut scene = model.read(&ReadOptions::default()).unwrap().scene;
        let edits = |path: &Path| Edits { clips: vec![path.to_path_buf()], ..Edits::default() };
        apply(&mut scene, &edits(&clips), &mut LossReport::default()).unwrap();
        let names: Vec<&str> = scene.clips.iter().map(|clip| clip.name.as_str()).collect();
        assert_eq!(names, ["sway", "B", "run", "walk"]);
        let empty = apply(&mut scene, &edits(&clips.join("more.seanim")), &mut LossReport::default());
        assert!(matches!(empty, Err(Error::NoClip { .. })), "{empty:?}");
    }
}
