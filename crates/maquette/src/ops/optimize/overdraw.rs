//! Groups of triangles that hide others first, so that fewer pixels are shaded in vain.
//!
//! Groups are runs of the order that is best for the cache, cut where starting anew costs little. A group that lies
//! far out and faces outwards is seen from where it faces, and hides what is behind it.

use super::cache::Order;
use super::measure::Cache;
use maquette_scene::glam::Vec3;

/// How much more often vertices may be loaded for it.
const WORSE: f32 = 1.05;

/// The indices with groups sorted.
pub fn order(order: &Order, positions: &[[f32; 3]]) -> Vec<u32> {
    let triangles = order.indices.as_chunks::<3>().0;
    let groups = groups(triangles, &order.cold, positions.len());
    let spans: Vec<Span> = groups.iter().map(|group| Span::of(group, positions)).collect();
    let area: f32 = spans.iter().map(|span| span.area).sum();
    let middle = spans.iter().map(|span| span.centre * span.area).sum::<Vec3>() / area.max(f32::MIN_POSITIVE);
    let mut sorted: Vec<(f32, &[[u32; 3]])> =
        spans.iter().map(|span| (span.centre - middle).dot(span.normal)).zip(groups.iter().copied()).collect();
    sorted.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    sorted.iter().flat_map(|(_, group)| group.iter().flatten().copied()).collect()
}

/// Cuts triangles where the cache is cold, and where the run so far has come near the rate of its whole.
fn groups<'t>(triangles: &'t [[u32; 3]], cold: &[usize], vertices: usize) -> Vec<&'t [[u32; 3]]> {
    let mut cache = Cache::new(vertices);
    let mut groups = Vec::new();
    let ends = cold.iter().copied().skip(1).chain([triangles.len()]);
    for run in cold.iter().zip(ends).filter_map(|(&start, end)| triangles.get(start..end)) {
        cache.empty();
        let loads: u32 = run.iter().map(|&triangle| cache.load(triangle)).sum();
        let good = WORSE * loads as f32 / run.len().max(1) as f32;
        cache.empty();
        let (mut start, mut loads) = (0, 0);
        for (at, &triangle) in run.iter().enumerate() {
            loads += cache.load(triangle);
            if loads as f32 <= good * (at + 1 - start) as f32 {
                groups.extend(run.get(start..=at));
                (start, loads) = (at + 1, 0);
                cache.empty();
            }
        }
        groups.extend(run.get(start..).filter(|rest| !rest.is_empty()));
    }
    groups
}

/// Where a group is and where it faces.
struct Span {
    centre: Vec3,
    normal: Vec3,
    area: f32,
}

impl Span {
    fn of(group: &[[u32; 3]], positions: &[[f32; 3]]) -> Span {
        let place = |index: u32| positions.get(index as usize).map_or(Vec3::ZERO, |&position| Vec3::from(position));
        let mut span = Span { centre: Vec3::ZERO, normal: Vec3::ZERO, area: 0.0 };
        for triangle in group {
            let [a, b, c] = triangle.map(place);
            let facing = (b - a).cross(c - a);
            let area = facing.length();
            span.centre += (a + b + c) / 3.0 * area;
            span.normal += facing;
            span.area += area;
        }
        span.centre /= span.area.max(f32::MIN_POSITIVE);
        span.normal = span.normal.normalize_or_zero();
        span
    }
}
