//! A scene to AEM.
//!
//! The scene has been fitted: meshes stand at root nodes in model space, one skin lists all joints, parents first, and tracks move
//! joints only; every part has a material, and that its packed textures. Each part becomes a mesh of the file. Every joint gets a track in every animation with at least one key of each kind,
//! because the format knows no rest pose.

use super::geometry::{Made, Part};
use super::materials::{self, Textures};
use super::raw::{Animation, Dialect, File, Joint, Keyframe, Mesh, Track};
use crate::format::{Bundle, Error, Fitted, Result, WriteOptions};
use crate::layout::FixedText;
use crate::walk;
use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target};
use maquette_scene::glam::Mat4;
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::material::Material;
use maquette_scene::scene::{Node, Skin, Trs};
use maquette_scene::{Handle, Scene};
use std::borrow::Cow;
use std::collections::HashMap;
use zerocopy::little_endian::U32;

/// Writes a fitted scene.
pub fn write(scene: &Fitted<'_>, options: &WriteOptions<'_>, losses: &mut LossReport) -> Result<Bundle> {
    let dialect = Dialect::known(options.dialect)?;
    let mut file = empty(dialect);
    let skin = match scene.skins.iter().collect::<Vec<_>>().as_slice() {
        [] => None,
        [skin] => Some(*skin),
        skins => return Err(cannot(format!("AEM holds one skeleton, the scene has {} skins", skins.len()))),
    };
    write_joints(scene, skin, &mut file)?;
    report_rest_pose(scene, skin, losses);
    let (parts, textures) = write_meshes(scene.scene(), skin, &mut file, losses)?;
    for (index, clip) in scene.clips.iter().enumerate() {
        write_clip(scene, skin, clip, &subject("clip", index, &clip.name), &mut file, losses)?;
    }
    (super::FORMAT.caps)(dialect.id()).check_texture_bytes(textures.bytes)?;
    file.textures = textures.records;
    let made = Made { file: &file, parts: &parts, levels: &textures.levels };
    Ok(walk::encode_sized(&made, made.bytes()).into())
}

fn cannot(why: impl Into<String>) -> Error {
    Error::CannotHold(why.into())
}

fn empty(dialect: Dialect) -> File<'static> {
    File {
        dialect,
        evidence: "made as such".into(),
        header_padding: 0,
        vertices: Cow::default(),
        indices: Cow::default(),
        image_buffer: Cow::default(),
        textures: Vec::new(),
        meshes: Cow::default(),
        materials: Cow::default(),
        joints: Cow::default(),
        animations: Cow::default(),
        tracks: Cow::default(),
        keyframes: Cow::default(),
        trailing: Cow::default(),
    }
}

fn name(text: &str) -> Result<FixedText<128>> {
    FixedText::new(text).ok_or_else(|| cannot(format!("the name {text:?} does not fit 127 bytes")))
}

fn write_joints(scene: &Scene, skin: Option<&Skin>, file: &mut File<'_>) -> Result<()> {
    let Some(skin) = skin else { return Ok(()) };
    let parents = scene.parents();
    let index_of: HashMap<Handle<Node>, usize> =
        skin.joints.iter().enumerate().map(|(at, &joint)| (joint, at)).collect();
    for (index, (joint, inverse_bind)) in skin.joints.iter().zip(&skin.joint_from_mesh).enumerate() {
        let node = scene.nodes.get(*joint).ok_or_else(|| cannot("a joint is no node of the scene"))?;
        let parent = parents.get(joint.index()).copied().flatten();
        let parent = match parent.map(|parent| index_of.get(&parent)) {
            None => -1,
            Some(Some(&parent)) => parent as i32,
            Some(None) => {
                return Err(cannot(format!("the parent of {} is no joint", subject("joint", index, &node.name))));
            }
        };
        file.joints.to_mut().push(Joint {
            name: name(&node.name)?,
            inverse_bind_matrix: inverse_bind.to_cols_array().map(Into::into),
            parent: parent.into(),
        });
    }
    Ok(())
}

/// The format has no rest transforms of joints, only the bind pose and the keys.
fn report_rest_pose(scene: &Scene, skin: Option<&Skin>, losses: &mut LossReport) {
    let Some(skin) = skin else { return };
    let world = scene.rest_world_from_node();
    let apart = |(joint, joint_from_mesh): &(&Handle<Node>, &Mat4)| {
        let rest = world.get(joint.index()).copied().unwrap_or_default() * **joint_from_mesh;
        !rest.abs_diff_eq(Mat4::IDENTITY, 1e-4)
    };
    let count = skin.joints.iter().zip(&skin.joint_from_mesh).filter(apart).count();
    losses.dropped(Lost::RestPoses, "the skeleton", "at rest the model is shown as it was bound", count as u64);
}

/// Adds all meshes and their materials; what meshes are made of, and the textures that materials have.
fn write_meshes<'s>(
    scene: &'s Scene,
    skin: Option<&Skin>,
    file: &mut File<'_>,
    losses: &mut LossReport,
) -> Result<(Vec<Part<'s>>, Textures<'s>)> {
    let mut parts: Vec<Part<'s>> = Vec::new();
    let (mut first_vertex, mut first_index) = (0, 0);
    let mut textures = Textures::default();
    let mut materials: HashMap<Handle<Material>, u32> = HashMap::new();
    for handle in scene.nodes_parents_first() {
        let Some(node) = scene.nodes.get(handle) else { continue };
        let Some((index, mesh)) = node.mesh.and_then(|mesh| Some((mesh, scene.meshes.get(mesh)?))) else { continue };
        let name = if mesh.name.is_empty() { &node.name } else { &mesh.name };
        let whose = subject("mesh", index.index(), name);
        losses.dropped(Lost::MeshNames, &whose, "the format has none", u64::from(!name.is_empty()));
        for primitive in &mesh.primitives {
            let Some((handle, material)) = primitive.material.and_then(|it| Some((it, scene.materials.get(it)?)))
            else {
                return Err(cannot(format!("{whose} has no material")));
            };
            let material = match materials.get(&handle) {
                Some(&known) => known,
                None => {
                    let subject = subject("material", handle.index(), &material.name);
                    let record = materials::write(scene, material, &mut textures, &subject, losses)?;
                    file.materials.to_mut().push(record);
                    materials.insert(handle, file.materials.len() as u32 - 1);
                    file.materials.len() as u32 - 1
                }
            };
            let part = Part::new(primitive, skin, first_vertex, &whose)?;
            file.meshes.to_mut().push(Mesh {
                first_index: U32::new(first_index as u32),
                index_count: U32::new(part.indices.len() as u32),
                material_index: material.into(),
            });
            first_vertex += part.vertex_count();
            first_index += part.indices.len();
            parts.push(part);
        }
    }
    Ok((parts, textures))
}

fn write_clip(
    scene: &Scene,
    skin: Option<&Skin>,
    clip: &Clip,
    subject: &str,
    file: &mut File<'_>,
    losses: &mut LossReport,
) -> Result<()> {
    losses.dropped(Lost::Events, subject, "the format has none", clip.events.len() as u64);
    losses.dropped(Lost::LoopFlags, subject, "the format has none", u64::from(clip.looped.is_some()));
    losses.dropped(Lost::FrameRates, subject, "keys have times in seconds", u64::from(clip.frame_rate.is_some()));
    let missing = -clip.duration_secs.min(0.0);
    let kind = LossKind::Approximated { max_error: missing as f32 };
    losses.push(kind, Lost::Durations, subject, "less than no time becomes none", u64::from(missing > 0.0));
    let duration = clip.duration_secs.max(0.0) as f32;
    file.animations.to_mut().push(Animation { name: name(&clip.name)?, duration: duration.into() });
    let mut curves: HashMap<Handle<Node>, Vec<&Curve>> = HashMap::new();
    for track in &clip.tracks {
        match track.target {
            Target::Node(node) => curves.entry(node).or_default().push(&track.curve),
            Target::Name(_) => return Err(cannot(format!("{subject} moves bones of another model"))),
        }
    }
    for joint in skin.iter().flat_map(|skin| &skin.joints) {
        let rest = scene.nodes.get(*joint).map_or(Trs::IDENTITY, |node| node.transform.trs());
        let curves = curves.get(joint).map_or(&[][..], Vec::as_slice);
        write_track(curves, &rest, file)
            .ok_or_else(|| cannot(format!("{subject} has curves that are not straight")))?;
    }
    Ok(())
}

/// Adds the track of one joint; `None` for curves other than straight ones.
fn write_track(curves: &[&Curve], rest: &Trs, file: &mut File<'_>) -> Option<()> {
    let first_keyframe = U32::new(file.keyframes.len() as u32);
    let (mut translation, mut rotation, mut scale) = (None, None, None);
    for curve in curves.iter().filter(|curve| !curve.times_secs().is_empty()) {
        if curve.interpolation() != Interpolation::Linear {
            return None;
        }
        match curve {
            Curve::Translation(keys) => translation = Some(keys),
            Curve::Rotation(keys) => rotation = Some(keys),
            Curve::Scale(keys) => scale = Some(keys),
            Curve::MorphWeights(_) => return None,
        }
    }
    let vector = |[x, y, z]: [f32; 3]| [x, y, z, 0.0];
    let keyframes = file.keyframes.to_mut();
    let translation_count = add_run(keyframes, translation, rest.translation.to_array(), vector);
    let rotation_count = add_run(keyframes, rotation, rest.rotation.to_array(), |value| value);
    let scale_count = add_run(keyframes, scale, rest.scale.to_array(), vector);
    file.tracks.to_mut().push(Track { first_keyframe, translation_count, rotation_count, scale_count });
    Some(())
}

/// Adds the keys of a curve, or one of the rest pose where there is none; how many.
fn add_run<const N: usize>(
    keyframes: &mut Vec<Keyframe>,
    keys: Option<&Keys<[f32; N]>>,
    rest: [f32; N],
    widened: impl Fn([f32; N]) -> [f32; 4],
) -> U32 {
    let before = keyframes.len();
    let mut add = |time: f32, value: [f32; N]| {
        let [x, y, z, w] = widened(value);
        keyframes.push(Keyframe { time: time.into(), value: [x.into(), y.into(), z.into(), w.into()] });
    };
    match keys {
        None => add(0.0, rest),
        Some(keys) => keys.times_secs.iter().zip(&keys.values).for_each(|(&time, &value)| add(time, value)),
    }
    U32::new((keyframes.len() - before) as u32)
}
