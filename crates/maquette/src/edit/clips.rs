//! Clips of other files, put onto a model. A file that is named, and moves no bone of it, is a mistake; in a folder it may be there for another model.

use super::{ClipScene, Edits, OwnClips, numbered};
use crate::clips::{ClipRow, Did};
use crate::note::{Note, NoteKind};
use crate::read::ReadOptions;
use crate::{Error, Input, Result, bone_map, error, ops};
use maquette_formats::companions::{self, stem_of};
use maquette_formats::format::BUILT_IN;
use maquette_scene::Scene;
use maquette_scene::attach::{AttachOptions, Attached, attach};
use maquette_scene::clip::{Clip, Target};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

/// Adds the clips of all files that are asked for; what is to be known about them.
pub fn add(scene: &mut Scene, edits: &Edits, losses: &mut LossReport, rows: &mut Vec<ClipRow>) -> Result<Vec<Note>> {
    let map = edits.bone_map.as_deref().map(bone_map::read).transpose()?.unwrap_or_default();
    let own = std::mem::take(&mut scene.clips);
    let mut adding = Adding {
        edits,
        matching: edits.attach.clone(),
        unused: map.clone(),
        notes: Vec::new(),
        rows,
        passed_over: Vec::new(),
        taken: match edits.own_clips {
            OwnClips::Kept => own.iter().map(|clip| clip.name.clone()).collect(),
            OwnClips::Replaced | OwnClips::LeftOut => HashSet::new(),
        },
    };
    adding.matching.map.extend(map);
    for path in &edits.clips {
        adding.add_path(scene, path, losses)?;
    }
    for other in &edits.clip_scenes {
        let mut mistakes = Vec::new();
        adding.add_scene(scene, other, losses, &mut mistakes);
        if let Some((_, mistake)) = mistakes.into_iter().next() {
            return Err(mistake);
        }
    }
    if scene.clips.is_empty() && !adding.passed_over.is_empty() {
        return Err(Error::NothingSelected { patterns: edits.clip_names.clone(), names: adding.passed_over });
    }
    let added = std::mem::take(&mut scene.clips);
    for (index, clip) in own.into_iter().enumerate() {
        let why = match edits.own_clips {
            OwnClips::LeftOut => Some("--only leaves out what the model has"),
            OwnClips::Replaced if adding.taken.contains(&clip.name) => Some("--replace puts another in its place"),
            _ => None,
        };
        match why {
            Some(why) => {
                let note = Note::new(NoteKind::Unselected, subject("clip", index, &clip.name), why);
                adding.notes.push(note);
            }
            None => _ = scene.clips.push(clip),
        }
    }
    added.into_iter().for_each(|clip| _ = scene.clips.push(clip));
    Ok(adding.finish())
}

struct Adding<'e> {
    edits: &'e Edits,
    matching: AttachOptions,
    /// Lines of the bone map that are about bones of no clip so far.
    unused: BTreeMap<String, String>,
    notes: Vec<Note>,
    /// What became of each clip.
    rows: &'e mut Vec<ClipRow>,
    /// Clips that are not asked for.
    passed_over: Vec<String>,
    /// Names that no other clip may get.
    taken: HashSet<String>,
}

impl Adding<'_> {
    fn add_path(&mut self, scene: &mut Scene, path: &Path, losses: &mut LossReport) -> Result<()> {
        let (mut added, mut mistakes) = (0, Vec::new());
        for file in clip_files(path)? {
            let input = Input::from_path(&file)?;
            let read = input.read(&ReadOptions::default())?;
            let other = ClipScene { name: input.label.clone(), scene: read.scene, losses: read.losses };
            added += self.add_scene(scene, &other, losses, &mut mistakes);
        }
        for (subject, mistake) in mistakes {
            let why = match mistake {
                Error::NoBoneMatches { bones, .. } if path.is_dir() && added > 0 => {
                    format!("no bone of the model is called {}", error::listed(&bones))
                }
                Error::NoClip { .. } if path.is_dir() && added > 0 => "it holds no clip".to_owned(),
                mistake => return Err(mistake),
            };
            self.notes.push(Note::new(NoteKind::Skipped, subject, why));
        }
        Ok(())
    }

    /// Adds the clips of a scene; how many. What cannot be added is a mistake, with its subject.
    fn add_scene(
        &mut self,
        scene: &mut Scene,
        other: &ClipScene,
        losses: &mut LossReport,
        mistakes: &mut Vec<(String, Error)>,
    ) -> usize {
        let bones = bones(&other.scene);
        self.unused.retain(|bone, _| !bones.contains(bone));
        let (mut added, mut lost) = (0, other.losses.clone());
        if other.scene.clips.is_empty() {
            mistakes.push((other.name.clone(), Error::NoClip { file: other.name.clone() }));
        }
        let stem = Path::new(&other.name).file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
        for (index, clip) in other.scene.clips.iter().enumerate() {
            // Some formats know a clip by the name of its file alone.
            let is_named = !clip.name.is_empty() && clip.name != stem;
            let name = if is_named { &*clip.name } else { without_model(&stem, &self.edits.model) };
            if !self.is_chosen(&clip.name) && !self.is_chosen(name) {
                let which = format!("{} of {}", subject("clip", index, name), other.name);
                self.notes.push(Note::new(NoteKind::Unselected, which, "--clip does not name it"));
                self.passed_over.push(name.to_owned());
                continue;
            }
            let free = (1..).map(|turn| companions::numbered(name, turn)).find(|name| !self.taken.contains(name));
            let free = free.unwrap_or_default();
            let on_joints = match self.matching.map.is_empty() {
                true => numbered::on_joints(clip, scene),
                false => None,
            };
            if on_joints.is_some() {
                let which = format!("{} of {}", subject("clip", index, name), other.name);
                self.notes.push(Note::new(NoteKind::Numbered, which, "the model has as many joints"));
            }
            let added_clip = match on_joints {
                Some(clip) => Ok(attach(scene, &Clip { name: free.clone(), ..clip }, &self.matching, &mut lost)),
                None => add_clip(scene, &other.scene, clip, &free, &self.matching, &mut lost),
            };
            match added_clip {
                Ok(attached) => {
                    added += 1;
                    if free != name {
                        let why = format!("another clip is called {name:?} already; it is called {free:?}");
                        lost.push(LossKind::Renamed, Lost::ClipNames, subject("clip", index, name), why, 1);
                    }
                    self.rows.push(row(&free, &attached));
                    self.taken.insert(free);
                }
                Err(bones) => {
                    let nodes = scene.nodes.handles().map(|node| scene.node_name(node).into_owned()).collect();
                    let which = match is_named {
                        true => format!("{} of {}", subject("clip", index, name), other.name),
                        false => other.name.clone(),
                    };
                    mistakes.push((which, Error::NoBoneMatches { file: other.name.clone(), bones, nodes }));
                }
            }
        }
        if added > 0 {
            losses.extend(lost);
        }
        added
    }

    fn is_chosen(&self, clip: &str) -> bool {
        let asked = &self.edits.clip_names;
        asked.is_empty() || asked.iter().any(|pattern| ops::matches(pattern, clip))
    }

    fn finish(mut self) -> Vec<Note> {
        let map = self.edits.bone_map.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        let unused = self.unused.into_keys().map(|bone| format!("{bone:?} of {map}"));
        self.notes.extend(unused.map(|line| Note::new(NoteKind::Unused, line, "no clip has such a bone")));
        self.notes
    }
}

/// Puts a clip onto the scene, unless it moves no bone at all: then the names it looks for.
fn add_clip(
    scene: &mut Scene,
    other: &Scene,
    clip: &Clip,
    name: &str,
    options: &AttachOptions,
    losses: &mut LossReport,
) -> std::result::Result<Attached, Vec<String>> {
    let mut lost = LossReport::default();
    let attached = ops::add_clip(scene, other, clip, name.to_owned(), options, &mut lost);
    if attached.moved_nodes == 0 && !attached.unmatched.is_empty() {
        scene.clips.pop();
        return Err(attached.unmatched);
    }
    losses.extend(lost);
    Ok(attached)
}

/// How many bones of the model a clip moves.
fn row(name: &str, attached: &Attached) -> ClipRow {
    let (moved, missing) = (attached.moved_nodes, attached.unmatched.len());
    let words = match missing {
        0 => "is put onto the model".to_owned(),
        _ => format!("is put onto the model, which has no {}", error::listed(&attached.unmatched)),
    };
    let did = Did::new(words).with("bones moved", moved as f64, "").with("bones without a match", missing as f64, "");
    ClipRow::new(name.to_owned(), did)
}

/// The bones that the clips of a scene move, by name.
fn bones(scene: &Scene) -> BTreeSet<String> {
    let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
    let targets = tracks.map(|track| match &track.target {
        Target::Node(node) => scene.node_name(*node).into_owned(),
        Target::Name(name) => name.clone(),
    });
    targets.collect()
}

/// The name of a clip's file without that of the model before it, in any case.
fn without_model<'s>(stem: &'s str, model: &str) -> &'s str {
    let model = stem_of(model);
    let rest = stem.split_at_checked(model.len()).filter(|(start, _)| start.eq_ignore_ascii_case(model));
    let rest = rest.and_then(|(_, rest)| rest.strip_prefix('.'));
    rest.filter(|rest| !rest.is_empty() && !model.is_empty()).unwrap_or(stem)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::apply;
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

    #[test]
    fn clips_of_scenes_come_after_those_of_files_and_are_called_by_their_file() {
        let folder = tempfile::tempdir().unwrap();
        sample::save(folder.path().join("run.seanim")).unwrap();
        let read = |name: &str, id: &str| {
            Input::from_bytes(name, sample::make(id, None).unwrap().main).read(&ReadOptions::default())
        };
        let mut model = read("post.glb", "gltf").unwrap().scene;
        let mut walk = read("walk.seanim", "seanim").unwrap();
        walk.scene.clips.iter_mut().for_each(|clip| clip.name.clear());
        let given =
            |name: &str| ClipScene { name: name.into(), scene: walk.scene.clone(), losses: walk.losses.clone() };
        let edits = Edits {
            clips: vec![folder.path().join("run.seanim")],
            clip_scenes: vec![given("post.walk.seanim"), given("scene")],
            own_clips: OwnClips::LeftOut,
            model: "post.glb".into(),
            ..Edits::default()
        };
        assert!(edits.change_anything());
        apply(&mut model, &edits, &mut LossReport::default()).unwrap();
        let names: Vec<&str> = model.clips.iter().map(|clip| clip.name.as_str()).collect();
        assert_eq!(names, ["run", "walk", "scene"]);
        let nothing = Edits { clip_scenes: vec![ClipScene::default()], ..Edits::default() };
        let refused = apply(&mut model, &nothing, &mut LossReport::default());
        assert!(matches!(refused, Err(Error::NoClip { .. })), "{refused:?}");
    }
}
