//! Nodes of the default scene, and skins.

use super::super::buffers::Found;
use super::super::check::{JOINT_OUT_OF_RANGE, NOT_FINITE, SKIN_MATRICES, TRANSFORM_NOT_FINITE};
use super::super::rotation::{self, Normalised};
use super::super::schema;
use super::{Called, Reading, called};
use crate::rules::index_into;
use maquette_scene::glam::{Mat4, Quat};
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::mesh::Mesh;
use maquette_scene::scene::{Node, Skin, Transform, Trs};
use maquette_scene::{Diagnostic, Handle, Scene, path, valid};

/// The node of each node of the document; `None` for one that is neither in the default scene nor needed by a joint.
pub(super) type Nodes = Vec<Option<Handle<Node>>>;

/// The nodes whose quaternions were normalised.
#[derive(Default)]
struct NormalisedNodes<'a> {
    first: Option<Called<'a>>,
    all: Normalised,
}

impl<'a> NormalisedNodes<'a> {
    fn note(&mut self, node: Called<'a>, deviation: f32) {
        self.first = self.first.or(Some(node));
        self.all.note(deviation);
    }

    /// One loss for all of them: there may be as many as nodes.
    fn report(self, losses: &mut LossReport) {
        let mut subject = self.first.map(String::from).unwrap_or_default();
        if self.all.count > 1 {
            subject += " and others";
        }
        self.all.report(losses, subject);
    }
}

impl<'a> Reading<'a> {
    pub(super) fn nodes(&mut self, scene: &mut Scene, meshes: &[Option<Handle<Mesh>>]) -> Found<Nodes> {
        let document = self.document;
        let parents = self.parents();
        let roots: Vec<usize> = match document.scenes.get(document.scene.unwrap_or(0)) {
            Some(default) => default.nodes.clone(),
            None => (0..document.nodes.len()).filter(|&node| parents.get(node) == Some(&None)).collect(),
        };
        let in_scene = document.reached_from(roots.clone());
        let skins = self.skins_to_keep(&in_scene);
        let mut kept = in_scene.clone();
        for joint in skins.iter().filter_map(|&skin| document.skins.get(skin)).flat_map(|skin| &skin.joints) {
            let mut climber = Some(*joint);
            while let Some(node) = climber {
                match kept.get_mut(node) {
                    Some(kept) if !*kept => *kept = true,
                    _ => break,
                }
                climber = parents.get(node).copied().flatten();
            }
        }
        self.report_left_out(&kept);
        let mut next = 0;
        let handles: Nodes = kept
            .iter()
            .map(|&kept| {
                next += usize::from(kept);
                kept.then(|| Handle::from_index(next - 1))
            })
            .collect();
        let mut new_skins = vec![None; document.skins.len()];
        for &skin in &skins {
            if let (Some(stored), Some(slot)) = (document.skins.get(skin), new_skins.get_mut(skin)) {
                *slot = Some(scene.skins.push(self.skin(skin, stored, &handles)?));
            }
        }
        let mut normalised = NormalisedNodes::default();
        for (index, node) in document.nodes.iter().enumerate().filter(|(index, _)| kept.get(*index) == Some(&true)) {
            let mut made = self.node(index, node, &handles, &mut normalised)?;
            if in_scene.get(index) == Some(&true) {
                made.mesh = node.mesh.and_then(|mesh| meshes.get(mesh).copied().flatten());
                made.skin = made.mesh.and(node.skin).and_then(|skin| new_skins.get(skin).copied().flatten());
            }
            scene.nodes.push(made);
        }
        normalised.report(self.losses);
        self.fit_joints(scene, meshes)?;
        scene.roots = roots.iter().filter_map(|&root| handles.get(root).copied().flatten()).collect();
        Ok(handles)
    }

    fn parents(&self) -> Vec<Option<usize>> {
        let mut parents = vec![None; self.document.nodes.len()];
        for (index, node) in self.document.nodes.iter().enumerate() {
            for &child in &node.children {
                if let Some(parent) = parents.get_mut(child) {
                    *parent = Some(index);
                }
            }
        }
        parents
    }

    /// The skins that a node of the default scene uses, or whose joints are all in it.
    fn skins_to_keep(&mut self, in_scene: &[bool]) -> Vec<usize> {
        let document = self.document;
        let is_in_scene = |node: &usize| in_scene.get(*node) == Some(&true);
        let mut used = vec![false; document.skins.len()];
        for (index, node) in document.nodes.iter().enumerate() {
            let used = node.skin.filter(|_| is_in_scene(&index)).and_then(|skin| used.get_mut(skin));
            if let Some(used) = used {
                *used = true;
            }
        }
        let keep = |(index, skin): &(usize, &schema::Skin)| {
            used.get(*index) == Some(&true) || skin.joints.iter().all(is_in_scene)
        };
        let kept: Vec<usize> = document.skins.iter().enumerate().filter(keep).map(|(index, _)| index).collect();
        let others = (document.skins.len() - kept.len()) as u64;
        self.losses.dropped(Lost::Skins, "", "they belong to scenes that are not read", others);
        kept
    }

    fn report_left_out(&mut self, kept: &[bool]) {
        let left_out: Vec<usize> =
            kept.iter().enumerate().filter(|(_, kept)| !**kept).map(|(index, _)| index).collect();
        let Some(&first) = left_out.first() else { return };
        let name = self.document.nodes.get(first).and_then(|node| node.name.as_ref());
        let first = String::from(called("node", first, name));
        self.losses.dropped(
            Lost::Nodes,
            "",
            format!("they are not in the default scene, {first} first"),
            left_out.len() as u64,
        );
    }

    fn node(
        &mut self,
        index: usize,
        stored: &'a schema::Node,
        handles: &Nodes,
        normalised: &mut NormalisedNodes<'a>,
    ) -> Found<Node> {
        let subject = called("node", index, stored.name.as_ref());
        let transform = self.transform(stored, subject, normalised);
        let weights = stored.weights.as_deref().unwrap_or_default();
        if !transform.matrix().is_finite() || !weights.iter().all(|x| x.is_finite()) {
            let finding = Diagnostic::new(
                &TRANSFORM_NOT_FINITE,
                path!("json", "nodes", index),
                "its transform or a morph weight is not finite",
            );
            return Err(Box::new(finding.expected("finite numbers")));
        }
        let targets = stored.mesh.and_then(|mesh| self.document.meshes.get(mesh)?.primitives.first());
        let targets = targets.map_or(0, |primitive| primitive.targets.len());
        let morph_weights = match &stored.weights {
            Some(weights) => self.weights(Some(weights), targets, subject),
            None => Vec::new(),
        };
        let mut node = Node {
            name: stored.name.clone().unwrap_or_default(),
            transform,
            children: stored.children.iter().filter_map(|&child| handles.get(child).copied().flatten()).collect(),
            morph_weights,
            ..Node::default()
        };
        self.keep_extras(&mut node.extras, stored.extras.as_ref(), subject);
        Ok(node)
    }

    fn transform(
        &mut self,
        stored: &schema::Node,
        subject: Called<'a>,
        normalised: &mut NormalisedNodes<'a>,
    ) -> Transform {
        let trs = stored.translation.is_some() || stored.rotation.is_some() || stored.scale.is_some();
        if let Some(matrix) = stored.matrix {
            self.losses.dropped(Lost::NodeTransforms, subject, "the matrix is taken", u64::from(trs));
            return Transform::Matrix(Mat4::from_cols_array(&matrix));
        }
        let mut rotation = stored.rotation.unwrap_or(Quat::IDENTITY.to_array());
        // What is not finite is left as it is, for the caller to refuse.
        if rotation.iter().all(|x| x.is_finite()) {
            let (unit, deviation) = rotation::unit(rotation);
            rotation = unit;
            if deviation > 0.0 {
                normalised.note(subject, deviation);
            }
        }
        Transform::Trs(Trs {
            translation: stored.translation.unwrap_or_default().into(),
            rotation: Quat::from_array(rotation),
            scale: stored.scale.unwrap_or([1.0; 3]).into(),
        })
    }

    fn skin(&mut self, index: usize, stored: &schema::Skin, handles: &Nodes) -> Found<Skin> {
        let joints: Vec<_> = stored.joints.iter().filter_map(|&joint| handles.get(joint).copied().flatten()).collect();
        let at = || path!("json", "skins", index, "inverseBindMatrices");
        let joint_from_mesh = match stored.inverse_bind_matrices {
            None => vec![Mat4::IDENTITY; joints.len()],
            Some(accessor) => {
                let matrices = self.floats::<16>(accessor, at)?;
                let Some(needed) = matrices.get(..joints.len()) else {
                    let message = format!("{} matrices for {} joints", matrices.len(), joints.len());
                    let finding = Diagnostic::new(&SKIN_MATRICES, at(), message);
                    return Err(Box::new(finding.expected("a matrix for each joint")));
                };
                let surplus = (matrices.len() - joints.len()) as u64;
                let subject = called("skin", index, stored.name.as_ref());
                self.losses.dropped(Lost::BindPoses, subject, "there are more than joints", surplus);
                needed.iter().map(Mat4::from_cols_array).collect()
            }
        };
        if !joint_from_mesh.iter().all(Mat4::is_finite) {
            let finding = Diagnostic::new(&NOT_FINITE, at(), "an inverse bind matrix is not finite");
            return Err(Box::new(finding.expected("finite numbers")));
        }
        Ok(Skin { name: stored.name.clone().unwrap_or_default(), joints, joint_from_mesh })
    }

    /// Refuses vertices that follow a joint that a skin of their mesh does not have. A slot of weight 0 follows none, whatever
    /// stands in it. Each mesh is looked at once: many nodes may draw it, each with a skin of its own.
    fn fit_joints(&self, scene: &mut Scene, meshes: &[Option<Handle<Mesh>>]) -> Found<()> {
        let mut fewest: Vec<Option<usize>> = vec![None; scene.meshes.len()];
        for node in &scene.nodes {
            let joints = node.skin.and_then(|skin| scene.skins.get(skin)).map(|skin| skin.joints.len());
            let fewest = node.mesh.and_then(|mesh| fewest.get_mut(mesh.index()));
            if let (Some(joints), Some(fewest)) = (joints, fewest) {
                *fewest = Some(fewest.map_or(joints, |known| joints.min(known)));
            }
        }
        for (index, handle) in meshes.iter().enumerate() {
            let mesh = handle.and_then(|handle| scene.meshes.get_mut(handle));
            let count = handle.and_then(|handle| fewest.get(handle.index()).copied().flatten());
            if let (Some(mesh), Some(count)) = (mesh, count) {
                fit_joints_of(mesh, index, count)?;
            }
        }
        Ok(())
    }
}

/// Refuses vertices of a mesh that follow a joint past this many.
fn fit_joints_of(mesh: &mut Mesh, index: usize, count: usize) -> Found<()> {
    for influences in mesh.primitives.iter_mut().filter_map(|primitive| primitive.streams.influences.as_mut()) {
        if valid::largest(&influences.joints).is_none_or(|largest| (largest as usize) < count) {
            continue;
        }
        for (joint, weight) in influences.joints.iter_mut().zip(&influences.weights) {
            if (*joint as usize) < count {
                continue;
            }
            if *weight != 0.0 {
                let at = path!("json", "meshes", index);
                let finding = Diagnostic::new(&JOINT_OUT_OF_RANGE, at, format!("a vertex follows joint {joint}"));
                return Err(Box::new(finding.expected(index_into(count, "joints"))));
            }
            *joint = 0;
        }
    }
    Ok(())
}
