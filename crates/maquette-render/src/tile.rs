//! One tile of the picture: what each sample sees, what that looks like, and the mean of it in each pixel.
//!
//! What hides others is drawn first, all of it; then a triangle is shaded once in each pixel that it is seen in, in the middle of the samples that see it. What is mixed with what is behind it is collected and sorted by
//! depth in each pixel, shaded from the front as far as anything is seen through it, and mixed from the back.

use crate::draw::Hit;
use crate::frame::Frame;
use crate::maths::at;
use crate::mode::Mode;
use crate::raster::{Kind, NOTHING, Pattern, Rect, Setup, TILE, Usual, cover};
use crate::shade::{heat, shade};
use crate::triangle::Triangle;
use maquette_scene::glam::Vec3;

/// The pixels of a tile, rows of [`TILE`].
pub(crate) struct Tile {
    pub rect: Rect,
    /// Colours times their opacity, and the opacity.
    pub colours: Vec<[f32; 4]>,
    /// Empty where nobody asked.
    pub hits: Vec<Option<Hit>>,
}

/// Whether what is hit is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hits {
    Told,
    Untold,
}

/// A piece of something that is mixed with what is behind it.
#[derive(Clone, Copy)]
struct Fragment {
    pixel: u16,
    /// Which samples it covers.
    mask: u8,
    depth: f32,
    triangle: u32,
}

/// What a fragment looks like.
struct Look {
    mask: u8,
    colour: Vec3,
    opacity: f32,
}

/// What is seen this little does not count: numbers of a colour have fewer digits.
const UNSEEN: f32 = 1.0 / (1 << 25) as f32;

/// Fragments that are held at once. Where a tile has more, it is drawn in pieces: at last a pixel at a time.
const MOST_FRAGMENTS: usize = 1 << 18;

const PIXELS: usize = TILE * TILE;

struct Samples<'f, const N: usize> {
    frame: &'f Frame<'f>,
    tile: usize,
    rect: Rect,
    depths: Vec<[f32; N]>,
    triangles: Vec<[u32; N]>,
    last: Option<(u32, Triangle<'f>)>,
}

pub(crate) fn draw<const N: usize>(frame: &Frame<'_>, tile: usize, hits: Hits) -> Tile
where
    Usual: Pattern<N>,
{
    let rect = frame.bins.rect(tile, frame.lens.size);
    let b = frame.background * frame.background_opacity;
    let background = [b.x, b.y, b.z, frame.background_opacity];
    let mut drawn = Tile { rect, colours: vec![background; PIXELS], hits: Vec::new() };
    let mut samples = Samples::<N> {
        frame,
        tile,
        rect,
        depths: vec![[f32::NEG_INFINITY; N]; PIXELS],
        triangles: vec![[NOTHING; N]; PIXELS],
        last: None,
    };
    if !frame.bins.is_empty(tile) {
        samples.solid();
        if frame.mode == Mode::Overdraw {
            samples.count(&mut drawn.colours);
        } else {
            samples.shade(background, &mut drawn.colours);
        }
    }
    for lines in frame.lines.iter().filter(|lines| !lines.is_empty(tile)) {
        lines.draw(&frame.lens, tile, rect, &samples.depths, &mut drawn.colours);
    }
    if hits == Hits::Told {
        drawn.hits = samples.hits();
    }
    drawn
}

/// Where in a pixel the samples of a mask have their middle.
fn middle<const N: usize>(mask: u8) -> [f32; 2]
where
    Usual: Pattern<N>,
{
    let (mut sum, mut count) = ([0, 0], 0);
    for (sample, [x, y]) in <Usual as Pattern<N>>::PLACES.into_iter().enumerate() {
        if mask >> sample & 1 == 1 {
            sum = [sum[0] + x, sum[1] + y];
            count += 1;
        }
    }
    sum.map(|sum| sum as f32 / (16 * count.max(1)) as f32)
}

impl<'f, const N: usize> Samples<'f, N>
where
    Usual: Pattern<N>,
{
    /// Draws what hides others.
    fn solid(&mut self) {
        let (frame, rect) = (self.frame, self.rect);
        let (depths, triangles) = (&mut self.depths, &mut self.triangles);
        for setup in frame.bins.of_tile(self.tile) {
            let number = setup.triangle;
            match setup.kind {
                Kind::Solid => cover::<N>(setup, rect, |x, y, outside, new| {
                    let pixel = (y - rect.top) as usize * TILE + (x - rect.left) as usize;
                    let (Some(depths), Some(triangles)) = (depths.get_mut(pixel), triangles.get_mut(pixel)) else {
                        return;
                    };
                    let there = depths.iter_mut().zip(triangles);
                    for ((depth, triangle), (outside, new)) in there.zip(outside.into_iter().zip(new)) {
                        let nearer = outside >= 0 && new > *depth;
                        *depth = if nearer { new } else { *depth };
                        *triangle = if nearer { number } else { *triangle };
                    }
                }),
                Kind::Mask => {
                    let Some(triangle) = Triangle::new(frame.posed, &frame.projected, &frame.bone, number) else {
                        continue;
                    };
                    let stage = frame.posed.stage();
                    rarely(setup, rect, &mut |x, y, outside: [i32; N], new: [f32; N]| {
                        let pixel = (y - rect.top) as usize * TILE + (x - rect.left) as usize;
                        let (Some(depths), Some(triangles)) = (depths.get_mut(pixel), triangles.get_mut(pixel)) else {
                            return;
                        };
                        for (sample, [dx, dy]) in <Usual as Pattern<N>>::PLACES.into_iter().enumerate() {
                            let place = [x as f32 + dx as f32 / 16.0, y as f32 + dy as f32 / 16.0];
                            if at(&outside, sample) >= 0
                                && at(&new, sample) > at(depths, sample)
                                && triangle.is_there(stage, place[0], place[1])
                            {
                                depths.iter_mut().skip(sample).take(1).for_each(|depth| *depth = at(&new, sample));
                                triangles.iter_mut().skip(sample).take(1).for_each(|triangle| *triangle = number);
                            }
                        }
                    });
                }
                Kind::Blend => {}
            }
        }
    }

    /// Colours by how many triangles cover each sample.
    fn count(&self, colours: &mut [[f32; 4]]) {
        let rect = self.rect;
        let mut counts = vec![[0_u32; N]; PIXELS];
        for setup in self.frame.bins.of_tile(self.tile) {
            rarely(setup, rect, &mut |x, y, outside: [i32; N], _: [f32; N]| {
                let pixel = (y - rect.top) as usize * TILE + (x - rect.left) as usize;
                let counts = counts.get_mut(pixel).into_iter().flatten();
                counts.zip(outside).for_each(|(count, outside)| *count += u32::from(outside >= 0));
            });
        }
        for (colour, counts) in
            colours.iter_mut().zip(&counts).filter(|(_, counts)| counts.iter().any(|count| *count > 0))
        {
            let background = *colour;
            let mut sum = [0.0; 4];
            for count in counts {
                let seen = heat(count.saturating_sub(1) as f32 / 7.0);
                let new = if *count == 0 { background } else { [seen.x, seen.y, seen.z, 1.0] };
                sum.iter_mut().zip(new).for_each(|(sum, new)| *sum += new / N as f32);
            }
            *colour = sum;
        }
    }

    fn triangle(&mut self, number: u32) -> Option<&Triangle<'f>> {
        if self.last.as_ref().is_none_or(|(last, _)| *last != number) {
            let frame = self.frame;
            self.last = Some((number, Triangle::new(frame.posed, &frame.projected, &frame.bone, number)?));
        }
        self.last.as_ref().map(|(_, triangle)| triangle)
    }

    /// What a triangle looks like in the middle of these samples of a pixel.
    fn look(&mut self, pixel: usize, number: u32, mask: u8) -> (Vec3, f32) {
        let [dx, dy] = middle::<N>(mask);
        let x = (self.rect.left as usize + pixel % TILE) as f32 + dx;
        let y = (self.rect.top as usize + pixel / TILE) as f32 + dy;
        let frame = self.frame;
        self.triangle(number).map_or((Vec3::ZERO, 0.0), |triangle| shade(frame, triangle, x, y))
    }

    fn shade(&mut self, background: [f32; 4], colours: &mut [[f32; 4]]) {
        let blends = self.frame.bins.of_tile(self.tile).any(|setup| setup.kind == Kind::Blend);
        if blends {
            self.shade_with_blends(self.rect, background, colours);
            return;
        }
        let width = (self.rect.right - self.rect.left) as usize;
        for row in 0..(self.rect.bottom - self.rect.top) as usize {
            for pixel in row * TILE..row * TILE + width {
                let samples = self.pixel(pixel, background);
                let Some(samples) = samples else { continue };
                colours.iter_mut().skip(pixel).take(1).for_each(|colour| *colour = mean(&samples));
            }
        }
    }

    /// What the samples of a pixel see; `None` where that is nothing but the background.
    fn pixel(&mut self, pixel: usize, background: [f32; 4]) -> Option<[[f32; 4]; N]> {
        let numbers = self.triangles.get(pixel).copied()?;
        if self.frame.mode == Mode::Wireframe || numbers.iter().all(|number| *number == NOTHING) {
            return None;
        }
        let mut seen = [background; N];
        let mut left = 0_u8;
        for (sample, number) in numbers.iter().enumerate() {
            left |= u8::from(*number != NOTHING) << sample;
        }
        while left != 0 {
            let (number, mut mask) = largest(&numbers, left);
            left &= !mask;
            if left != 0 {
                let joined = self.neighbours(&numbers, left, number);
                left &= !joined;
                mask |= joined;
            }
            let (colour, _) = self.look(pixel, number, mask);
            for (other, seen) in seen.iter_mut().enumerate() {
                if mask >> other & 1 == 1 {
                    *seen = [colour.x, colour.y, colour.z, 1.0];
                }
            }
        }
        Some(seen)
    }

    /// Which of these samples see triangles that go on smoothly from this one: they share a corner, and look the same there.
    fn neighbours(&mut self, numbers: &[u32; N], left: u8, number: u32) -> u8 {
        let frame = self.frame;
        let Some(&here) = self.triangle(number) else { return 0 };
        let mut joined = 0;
        for (sample, &other) in numbers.iter().enumerate() {
            if left >> sample & 1 == 0 || joined >> sample & 1 == 1 {
                continue;
            }
            if here.goes_on_in(frame.posed, &frame.projected, &frame.places, other) {
                joined |= mask_of(numbers, other) & left;
            }
        }
        joined
    }

    fn shade_with_blends(&mut self, rect: Rect, background: [f32; 4], colours: &mut [[f32; 4]]) {
        let mut fragments = Vec::new();
        if !self.collect(rect, &mut fragments) {
            for half in halves(rect) {
                self.shade_with_blends(half, background, colours);
            }
            return;
        }
        fragments.sort_unstable_by(|a, b| {
            let depth = a.depth.total_cmp(&b.depth);
            a.pixel.cmp(&b.pixel).then(depth).then(a.triangle.cmp(&b.triangle)).then(a.mask.cmp(&b.mask))
        });
        let (mut rest, mut looks) = (fragments.as_slice(), Vec::new());
        for y in rect.top..rect.bottom {
            for x in rect.left..rect.right {
                let pixel = (y - self.rect.top) as usize * TILE + (x - self.rect.left) as usize;
                let count = rest.iter().take_while(|fragment| usize::from(fragment.pixel) == pixel).count();
                let (here, after) = rest.split_at_checked(count).unwrap_or((rest, &[]));
                rest = after;
                let left = self.looks(pixel, here, &mut looks);
                let solid = if left > UNSEEN { self.pixel(pixel, background) } else { None };
                if solid.is_none() && looks.is_empty() {
                    continue;
                }
                let mut samples = solid.unwrap_or([background; N]);
                for look in looks.iter().rev() {
                    let new = [look.colour.x, look.colour.y, look.colour.z, 1.0];
                    let covered = samples.iter_mut().enumerate().filter(|(sample, _)| look.mask >> sample & 1 == 1);
                    for (_, seen) in covered {
                        seen.iter_mut()
                            .zip(new)
                            .for_each(|(seen, new)| *seen = new * look.opacity + *seen * (1.0 - look.opacity));
                    }
                }
                colours.iter_mut().skip(pixel).take(1).for_each(|colour| *colour = mean(&samples));
            }
        }
    }

    /// What fragments of a pixel look like, the nearest first, as far as any sample sees through those before them; and how much of what is behind them all the clearest sample sees.
    fn looks(&mut self, pixel: usize, fragments: &[Fragment], looks: &mut Vec<Look>) -> f32 {
        looks.clear();
        let mut through = [1.0_f32; N];
        for &Fragment { mask, triangle, .. } in fragments.iter().rev() {
            let covered = |sample: usize| mask >> sample & 1 == 1;
            if through.iter().all(|part| *part <= UNSEEN) {
                break;
            }
            if through.iter().enumerate().all(|(sample, part)| !covered(sample) || *part <= UNSEEN) {
                continue;
            }
            let (colour, opacity) = self.look(pixel, triangle, mask);
            looks.push(Look { mask, colour, opacity });
            let parts = through.iter_mut().enumerate().filter(|(sample, _)| covered(*sample));
            parts.for_each(|(_, part)| *part *= 1.0 - opacity);
        }
        through.into_iter().fold(0.0, f32::max)
    }

    /// Pieces of what is mixed, in front of all that hides; false where there are too many for as many pixels as this.
    fn collect(&self, rect: Rect, fragments: &mut Vec<Fragment>) -> bool {
        let is_pixel = rect.right - rect.left <= 1 && rect.bottom - rect.top <= 1;
        for setup in self.frame.bins.of_tile(self.tile).filter(|setup| setup.kind == Kind::Blend) {
            rarely(setup, rect, &mut |x, y, outside: [i32; N], new: [f32; N]| {
                let pixel = (y - self.rect.top) as usize * TILE + (x - self.rect.left) as usize;
                let there = at_samples(&self.depths, pixel);
                let (mut mask, mut sum, mut count) = (0_u8, 0.0, 0.0);
                for (sample, (outside, (new, there))) in outside.into_iter().zip(new.into_iter().zip(there)).enumerate()
                {
                    if outside >= 0 && new >= there {
                        mask |= 1 << sample;
                        sum += new;
                        count += 1.0;
                    }
                }
                if mask != 0 {
                    fragments.push(Fragment {
                        pixel: pixel as u16,
                        mask,
                        depth: sum / count,
                        triangle: setup.triangle,
                    });
                }
            });
            if fragments.len() > MOST_FRAGMENTS && !is_pixel {
                return false;
            }
        }
        true
    }

    /// What is nearest in each pixel.
    fn hits(&self) -> Vec<Option<Hit>> {
        let frame = self.frame;
        let samples = self.depths.iter().zip(&self.triangles);
        let nearest = samples.map(|(depths, triangles)| {
            let there = depths.iter().zip(triangles).filter(|(_, triangle)| **triangle != NOTHING);
            let (depth, number) = there.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
            let parts = &frame.posed.parts;
            let part = parts.get(parts.partition_point(|part| part.first_triangle <= *number).checked_sub(1)?)?;
            Some(Hit {
                distance: (f64::from(frame.lens.distance(*depth)) * frame.unit) as f32,
                triangle: number - part.first_triangle,
                primitive: part.origin.map_or(0, |[_, primitive]| primitive),
                node: part.origin.map(|[node, _]| node),
            })
        });
        nearest.collect()
    }
}

/// [`cover`] for what is less common: compiled once for all of it.
fn rarely<const N: usize>(setup: &Setup, rect: Rect, hit: &mut dyn FnMut(i32, i32, [i32; N], [f32; N]))
where
    Usual: Pattern<N>,
{
    cover::<N>(setup, rect, hit);
}

fn at_samples<const N: usize>(depths: &[[f32; N]], pixel: usize) -> [f32; N] {
    depths.get(pixel).copied().unwrap_or([f32::NEG_INFINITY; N])
}

/// The samples that see a triangle.
fn mask_of<const N: usize>(numbers: &[u32; N], number: u32) -> u8 {
    let same = numbers.iter().enumerate().filter(|(_, other)| **other == number);
    same.fold(0, |mask, (sample, _)| mask | 1 << sample)
}

/// Of the triangles that these samples see, the one that most of them do, and which those are.
fn largest<const N: usize>(numbers: &[u32; N], left: u8) -> (u32, u8) {
    let mut most = (NOTHING, 0);
    for (sample, &number) in numbers.iter().enumerate().filter(|(sample, _)| left >> sample & 1 == 1) {
        let mask = mask_of(numbers, number) & left;
        // Looked at by its first sample only.
        if mask.trailing_zeros() as usize == sample && mask.count_ones() > u8::count_ones(most.1) {
            most = (number, mask);
        }
    }
    most
}

fn mean<const N: usize>(samples: &[[f32; 4]; N]) -> [f32; 4] {
    let mut sum = [0.0; 4];
    for sample in samples {
        sum.iter_mut().zip(sample).for_each(|(sum, sample)| *sum += sample);
    }
    sum.map(|sum| sum * (1.0 / N as f32))
}

/// A rectangle cut in two along its longer side.
fn halves(rect: Rect) -> [Rect; 2] {
    if rect.right - rect.left > rect.bottom - rect.top {
        let middle = (rect.left + rect.right) / 2;
        [Rect { right: middle, ..rect }, Rect { left: middle, ..rect }]
    } else {
        let middle = (rect.top + rect.bottom) / 2;
        [Rect { bottom: middle, ..rect }, Rect { top: middle, ..rect }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Camera, Projection, Shot, Stage, StageOptions};
    use maquette_scene::glam::Mat4;
    use maquette_scene::material::{AlphaMode, Material, Pbr};
    use maquette_scene::mesh::{Mesh, Primitive, Streams};
    use maquette_scene::scene::{Node, Scene};

    /// Triangles that cover a picture of two pixels, one behind the other, and how many of them are shaded in its first one.
    fn shaded(opacity: f32, layers: u32) -> usize {
        let pbr = Pbr { base_colour: [1.0, 0.5, 0.0, opacity], ..Pbr::default() };
        let mut scene = Scene::default();
        let glass = Material { surface: pbr.into(), alpha: AlphaMode::Blend, ..Material::default() };
        let material = Some(scene.materials.push(glass));
        let corners = |layer: u32| [[-9.0, -9.0], [9.0, -9.0], [0.0, 9.0]].map(|[x, y]| [x, y, layer as f32 * 0.01]);
        let streams = Streams { positions: (0..layers).flat_map(corners).collect(), ..Streams::default() };
        let primitive = Primitive { streams, indices: (0..layers * 3).collect(), material, ..Primitive::default() };
        let mesh = Some(scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() }));
        let node = scene.nodes.push(Node { mesh, ..Node::default() });
        scene.roots.push(node);
        let camera = Camera {
            world_from_camera: Mat4::from_translation(Vec3::Z * 100.0),
            projection: Projection::Orthographic { height: 2.0 },
            near: 0.1,
        };
        let stage = Stage::new(&scene, &StageOptions::default());
        let posed = stage.pose(None);
        let frame = Frame::new(&posed, &Shot { size: [2, 2], camera, ..Shot::default() });
        let rect = frame.bins.rect(0, [2, 2]);
        let (depths, triangles) = (vec![[f32::NEG_INFINITY; 4]; PIXELS], vec![[NOTHING; 4]; PIXELS]);
        let mut samples = Samples::<4> { frame: &frame, tile: 0, rect, depths, triangles, last: None };
        let (mut fragments, mut looks) = (Vec::new(), Vec::new());
        assert!(samples.collect(rect, &mut fragments));
        fragments.retain(|fragment| fragment.pixel == 0);
        assert_eq!(fragments.len(), layers as usize);
        fragments.sort_unstable_by(|a, b| a.depth.total_cmp(&b.depth));
        samples.looks(0, &fragments, &mut looks);
        looks.len()
    }

    #[test]
    fn what_cannot_be_seen_through_others_is_not_shaded() {
        assert_eq!(shaded(1.0, 100), 1);
        assert_eq!(shaded(0.5, 100), 25);
        assert_eq!(shaded(0.01, 100), 100);
    }
}
