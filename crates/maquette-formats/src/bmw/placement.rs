//! How the JSON file places the whole model: a node of the scene above the model's own root.
//!
//! The node keeps the words of the file in its extras, so that a model that was read is placed by its JSON file again when
//! it is written, and not by one more node, which the engine would not look at.

use super::sidecar::{Settings, Sidecar, vector};
use maquette_scene::glam::{Mat4, Quat, Vec3};
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::scene::{Node, Transform};
use maquette_scene::{Handle, Scene};

/// The prefix of this format's extras.
pub(super) const PREFIX: &str = "bmw";
/// On the node that places the model: what the JSON file says.
const PLACEMENT: &str = "placement";

/// Scaled, then turned, then moved; `None` where the settings leave the model as it is. An axis that is missing or has no
/// length turns nothing.
pub(super) fn matrix(settings: &Settings, losses: &mut LossReport) -> Option<Mat4> {
    let three = |text: &Option<String>| text.as_deref().and_then(vector).map(|v| Vec3::from(v.map(|x| x as f32)));
    let scale = three(&settings.scale).unwrap_or(Vec3::ONE);
    let translation = three(&settings.translation).unwrap_or(Vec3::ZERO);
    let degrees = settings.rotation.unwrap_or(0.0);
    let axis = three(&settings.rotation_angle).and_then(Vec3::try_normalize);
    let rotation = match axis {
        Some(axis) if degrees != 0.0 => Quat::from_axis_angle(axis, degrees.to_radians() as f32),
        _ => Quat::IDENTITY,
    };
    let unturned = degrees != 0.0 && axis.is_none();
    losses.dropped(
        Lost::NodeTransforms,
        "the JSON file",
        "there is no axis to turn the model about",
        u64::from(unturned),
    );
    let matrix = Mat4::from_scale_rotation_translation(scale, rotation, translation);
    (matrix != Mat4::IDENTITY && matrix.is_finite()).then_some(matrix)
}

/// Puts a node above the root of the model that places it as the settings say.
pub(super) fn read(settings: &Settings, file_name: &str, scene: &mut Scene, losses: &mut LossReport) {
    let Some(matrix) = matrix(settings, losses) else { return };
    let words = Settings {
        rotation: settings.rotation,
        rotation_angle: settings.rotation_angle.clone(),
        scale: settings.scale.clone(),
        translation: settings.translation.clone(),
        ..Settings::default()
    };
    let stem = file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem);
    let mut node = Node {
        name: stem.into(),
        transform: Transform::Matrix(matrix),
        children: std::mem::take(&mut scene.roots),
        ..Node::default()
    };
    node.extras.set(PREFIX, PLACEMENT, words.to_json());
    scene.roots = vec![scene.nodes.push(node)];
}

/// The node that a reader put above the model, if it is still as it was, and what the JSON file says about it.
pub(super) fn find(scene: &Scene, is_animated: impl Fn(Handle<Node>) -> bool) -> Option<(Handle<Node>, Settings)> {
    let [root] = scene.roots[..] else { return None };
    let node = scene.nodes.get(root)?;
    let words = Sidecar::parse(node.extras.get(PREFIX, PLACEMENT)?.as_bytes()).ok()?.settings;
    let is_own = node.transform.matrix() == matrix(&words, &mut LossReport::default())?;
    let is_bare = node.mesh.is_none() && node.children.len() == 1 && !is_animated(root);
    (is_own && is_bare).then_some((root, words))
}
