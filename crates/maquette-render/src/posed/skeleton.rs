//! Bones: joints and what they carry, as octahedra, and crosses where a joint carries nothing.

use crate::bounds::Bounds;
use crate::maths::{Affine, at, unit_or};
use crate::stage::Stage;
use maquette_scene::clip::{Clip, Curve, Target};
use maquette_scene::glam::Vec3;
use maquette_scene::pose;

/// A bone, from a joint to what it carries.
pub(crate) struct Bone {
    pub from: Vec3,
    pub to: Vec3,
}

/// Bones and the joints without any.
#[derive(Default)]
pub(crate) struct Skeleton {
    pub bones: Vec<Bone>,
    /// Where a joint carries nothing, and how large a cross is to be there.
    pub ends: Vec<(Vec3, f32)>,
}

/// Keys of a bone that are looked at to know how far it goes.
const MOST_LOOKS: usize = 64;

impl Skeleton {
    /// The joints of all skins, or all nodes where there are no skins.
    pub fn of(stage: &Stage<'_>, world_from_node: &[Affine]) -> Skeleton {
        let scene = stage.scene();
        let mut is_joint = vec![scene.skins.is_empty(); scene.nodes.len()];
        for joint in scene.skins.iter().flat_map(|skin| &skin.joints) {
            if let Some(is_joint) = is_joint.get_mut(joint.index()) {
                *is_joint = true;
            }
        }
        let place = |node: usize| at(world_from_node, node).origin;
        let mut skeleton = Skeleton::default();
        let mut lonely = Vec::new();
        for (handle, node) in scene.nodes.entries().filter(|(handle, _)| at(&is_joint, handle.index())) {
            let from = place(handle.index());
            let children = node.children.iter().filter(|child| at(&is_joint, child.index()));
            let before = skeleton.bones.len();
            let ends = children.map(|child| place(child.index()));
            let long = |to: &Vec3| from.is_finite() && to.is_finite() && (*to - from).abs().max_element() > 0.0;
            skeleton.bones.extend(ends.filter(long).map(|to| Bone { from, to }));
            if skeleton.bones.len() == before && from.is_finite() {
                lonely.push((handle, from));
            }
        }
        let mut lengths: Vec<f32> = skeleton.bones.iter().map(|bone| (bone.to - bone.from).length()).collect();
        lengths.sort_unstable_by(f32::total_cmp);
        let usual = lengths.get(lengths.len() / 2).copied();
        for (handle, place_of) in lonely {
            let parent = stage.parents.get(handle.index()).copied().flatten();
            let above = parent
                .filter(|parent| at(&is_joint, parent.index()))
                .map(|parent| (place(parent.index()) - place_of).length());
            let size = above.filter(|size| *size > 0.0 && size.is_finite()).or(usual).unwrap_or(1.0);
            skeleton.ends.push((place_of, size * 0.2));
        }
        skeleton
    }

    /// The bones of a clip alone, which it knows by name and not who carries whom: a cross at the translation of each. Crosses are as large at every moment: one that moves alone is
    /// seen from where all of its way is.
    pub fn of_clip(clip: &Clip, secs: f32) -> Skeleton {
        let tracks = || {
            clip.tracks.iter().filter_map(|track| match (&track.target, &track.curve) {
                (Target::Name(_), Curve::Translation(keys)) => Some(keys),
                _ => None,
            })
        };
        let places = tracks().filter_map(|keys| pose::vector_at(keys, secs));
        let places: Vec<Vec3> = places.filter(|place| place.is_finite()).collect();
        let on_its_way = tracks().flat_map(|keys| {
            let every = keys.times_secs.len().div_ceil(MOST_LOOKS).max(1);
            keys.times_secs.iter().step_by(every).filter_map(|secs| pose::vector_at(keys, *secs))
        });
        let all = places.iter().copied().chain(on_its_way.filter(|place| place.is_finite()));
        let size = Bounds::of(all).map_or(1.0, |bounds| bounds.radius() * 0.1);
        Skeleton { bones: Vec::new(), ends: places.into_iter().map(|place| (place, size)).collect() }
    }

    /// Corners and triangles of solid bones and crosses.
    pub fn solid(&self) -> (Vec<Vec3>, Vec<u32>) {
        let (mut positions, mut indices) = (Vec::new(), Vec::new());
        let mut add = |[tail, head]: [Vec3; 2], ring: [Vec3; 4]| {
            let first = positions.len() as u32;
            positions.extend([tail, head]);
            positions.extend(ring);
            for side in 0..4 {
                let (here, next) = (first + 2 + side, first + 2 + (side + 1) % 4);
                indices.extend([first, next, here, first + 1, here, next]);
            }
        };
        for bone in &self.bones {
            add([bone.from, bone.to], bone.ring());
        }
        for &(place, size) in &self.ends {
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                let ends = Bone { from: place - axis * size, to: place + axis * size };
                let [side, other] = ends.sides();
                let thick = size * 0.2;
                let ring = [side, other, -side, -other].map(|side| place + side * thick);
                add([ends.from, ends.to], ring);
            }
        }
        (positions, indices)
    }

    /// The edges of bones and crosses.
    pub fn edges(&self) -> Vec<[Vec3; 2]> {
        let mut edges = Vec::new();
        for bone in &self.bones {
            let ring = bone.ring();
            let [a, b, c, d] = ring;
            edges.extend(ring.into_iter().flat_map(|corner| [[bone.from, corner], [corner, bone.to]]));
            edges.extend([[a, b], [b, c], [c, d], [d, a]]);
        }
        for &(place, size) in &self.ends {
            edges.extend([Vec3::X, Vec3::Y, Vec3::Z].map(|axis| [place - axis * size, place + axis * size]));
        }
        edges
    }
}

impl Bone {
    /// Two directions across it.
    fn sides(&self) -> [Vec3; 2] {
        let along = unit_or(self.to - self.from, Vec3::Y);
        let across = if along.y.abs() < 0.9 { Vec3::Y } else { Vec3::X };
        let side = unit_or(along.cross(across), Vec3::X);
        [side, along.cross(side)]
    }

    /// The four corners where it is widest.
    fn ring(&self) -> [Vec3; 4] {
        let way = self.to - self.from;
        let [side, other] = self.sides();
        let wide = way.length() * 0.1;
        [side, other, -side, -other].map(|side| self.from + way * 0.15 + side * wide)
    }
}
