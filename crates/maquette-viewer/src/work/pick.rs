//! What is under the pointer: the first triangle on a line of sight.

use super::Picked;
use maquette::Scene;
use maquette::scene::glam::Vec3;
use maquette::scene::mesh::Topology;
use maquette_render::{Posed, parts};

/// A line of sight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// Where it begins.
    pub from: Vec3,
    /// Where it goes, of unit length.
    pub towards: Vec3,
}

/// The first triangle on a line of sight. Both sides of surfaces count, and so does what can be seen through.
pub fn pick(scene: &Scene, posed: &Posed<'_>, sight: &Sight) -> Option<Picked> {
    let nodes: Vec<_> = scene.nodes.handles().collect();
    let mut nearest: Option<(f32, Picked)> = None;
    for part in parts::of_posed(posed) {
        let Some([node, primitive]) = part.origin else { continue };
        let positions = parts::vertices(posed, part);
        let corner = |index: u32| positions.get(index as usize).copied();
        let Some(&node) = nodes.get(node as usize) else { continue };
        let primitive = primitive as usize;
        let triangles = if part.topology == Topology::Triangles { part.indices.as_chunks::<3>().0 } else { &[] };
        for &[a, b, c] in triangles {
            let (Some(a), Some(b), Some(c)) = (corner(a), corner(b), corner(c)) else { continue };
            let Some(distance) = hit(sight, [a, b, c]) else { continue };
            if nearest.is_none_or(|(before, _)| distance < before) {
                let point = sight.from + sight.towards * distance;
                nearest = Some((distance, Picked { node, primitive, point }));
            }
        }
    }
    nearest.map(|(_, picked)| picked)
}

/// How far along a line a triangle is hit.
fn hit(sight: &Sight, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    let (along, across) = (b - a, c - a);
    let beside = sight.towards.cross(across);
    let volume = along.dot(beside);
    if volume == 0.0 || !volume.is_finite() {
        return None;
    }
    let way = sight.from - a;
    let u = way.dot(beside) / volume;
    let up = way.cross(along);
    let v = sight.towards.dot(up) / volume;
    let distance = across.dot(up) / volume;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_is_hit_inside_and_missed_outside_and_behind() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let sight = |x: f32, y: f32, z: f32| Sight { from: Vec3::new(x, y, 2.0), towards: Vec3::Z * z };
        assert_eq!(hit(&sight(0.25, 0.25, -1.0), corners), Some(2.0));
        assert_eq!(hit(&sight(0.25, 0.25, 1.0), corners), None);
        assert_eq!(hit(&sight(0.75, 0.75, -1.0), corners), None);
        assert_eq!(hit(&Sight { from: Vec3::Z, towards: Vec3::X }, corners), None);
    }
}
