//! From a pose to a picture: the map of shadows, the depth that hollows are told from, triangles, lines, and bytes at last.

use crate::blend::Sorted;
use crate::geometry::{Moving, buffer};
use crate::layouts::group;
use crate::lines::{Instance, WirePen};
use crate::model::Model;
use crate::pipelines::{Cull, Look, Purpose, Sampling};
use crate::pose::Pose;
use crate::renderer::Renderer;
use crate::target::{
    BlendsKey, BlendsOnDevice, FrameOnDevice, HollowsMaps, Map, PartsKey, PartsOnDevice, SampleMaps, ShadowKey,
    ShadowMap, Target,
};
use crate::uniforms::{FrameNumbers, Ink, LensNumbers, PartNumbers};
use maquette_render::parts::{self, Encoding, Kind, Lens, Pen, Plan, Style};
use maquette_render::{Mode, Shot};
use maquette_scene::glam::Vec3;
use maquette_scene::material::AlphaMode;
use std::collections::{BTreeMap, BTreeSet};
use wgpu::{BindingResource, BufferUsages, CommandEncoder, LoadOp, Operations, RenderPass, StoreOp, TextureView};

/// What a caller adds to a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extras {
    /// Lines over everything else, in the scene. Colours of their pens are in sRGB.
    pub lines: Vec<([Vec3; 2], Pen)>,
    /// Nodes whose meshes are not drawn, by their place in the scene.
    pub hidden: BTreeSet<u32>,
    /// Nodes whose meshes are tinted: a colour in sRGB, and from 0 to 1 how much of it.
    pub tints: BTreeMap<u32, [f32; 4]>,
    /// Which surfaces are drawn.
    pub passes: Passes,
}

/// Which surfaces are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passes {
    /// All.
    #[default]
    Both,
    /// Those that hide what is behind them.
    Opaque,
    /// Those that are mixed with it.
    Transparent,
}

/// How much of a picture is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// All of it.
    Whole,
    /// What hides others, and the first of what mixes, the furthest.
    First,
    /// The next of what mixes.
    Next,
}

/// How far a picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// All is drawn.
    Whole,
    /// Surfaces that mix are still to come, and lines.
    Partly,
}

/// A picture about to be drawn.
struct Drawing<'a> {
    renderer: &'a Renderer,
    model: &'a Model,
    pose: &'a Pose,
    shot: &'a Shot,
    extras: &'a Extras,
    plan: Plan,
    lens: Lens,
    light: Lens,
    sampling: Sampling,
}

/// A part to be drawn: its place among those of the geometry, and how.
struct Item {
    part: usize,
    look: Look,
    cull: Cull,
}

pub(crate) fn draw(
    renderer: &Renderer,
    model: &Model,
    pose: &Pose,
    shot: &Shot,
    extras: &Extras,
    target: &mut Target,
    share: Share,
) -> Progress {
    let shot = &Shot { size: target.size(), ..shot.clone() };
    let materials = pose.geometry.parts.iter().filter_map(|part| Some(&model.material(part.material)?.material));
    let plan = Plan::new(shot, materials);
    let drawing = Drawing {
        renderer,
        model,
        pose,
        shot,
        extras,
        lens: Lens::new(&shot.camera, shot.size, &pose.studio),
        light: parts::shadow_lens(plan.lamps.towards_key, plan.shadow_side.unwrap_or(1)),
        plan,
        sampling: Sampling::of(shot.samples),
    };
    let mut encoder = renderer.device.create_command_encoder(&Default::default());
    if share != Share::Next {
        drawing.write_frames(target);
        drawing.write_parts(target);
        drawing.shadow(&mut encoder, target);
        drawing.hollows(&mut encoder, target);
    }
    let progress = match shot.mode {
        Mode::Wireframe => drawing.depths(&mut encoder, target),
        Mode::Overdraw => {
            drawing.depths(&mut encoder, target);
            drawing.counts(&mut encoder, target)
        }
        _ => drawing.triangles(&mut encoder, target, share),
    };
    if progress == Progress::Whole {
        drawing.lines(&mut encoder, target, &drawing.lines_of_scene());
        if shot.mode == Mode::Wireframe {
            drawing.wire(&mut encoder, target);
        }
        drawing.lines(&mut encoder, target, &drawing.overlays());
    }
    drawing.encode(&mut encoder, target);
    renderer.queue.submit([encoder.finish()]);
    progress
}

/// What becomes of what a texture holds.
fn clear<V>(value: V) -> Operations<V> {
    Operations { load: LoadOp::Clear(value), store: StoreOp::Store }
}

const KEEP: Operations<wgpu::Color> = Operations { load: LoadOp::Load, store: StoreOp::Store };

/// Begins to draw.
fn begin<'e>(
    encoder: &'e mut CommandEncoder,
    label: &str,
    colour: Option<(&TextureView, Option<&TextureView>, Operations<wgpu::Color>)>,
    depth: Option<(&TextureView, Operations<f32>)>,
) -> RenderPass<'e> {
    let colour = colour.map(|(view, resolve_target, ops)| wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target,
        ops,
    });
    let attachments = [colour];
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: if attachments[0].is_some() { &attachments } else { &[] },
        depth_stencil_attachment: depth.map(|(view, ops)| wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(ops),
            stencil_ops: None,
        }),
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    })
}

impl Drawing<'_> {
    fn write_frames(&self, target: &Target) {
        let (shot, plan, pose) = (self.shot, &self.plan, self.pose);
        let numbers = FrameNumbers::new(shot, plan, self.sampling, &self.lens, &self.light, &pose.studio, pose.bounds);
        let small = plan.hollows.map_or(shot.size, |map| map.size);
        let lenses = [numbers.lens, numbers.light, LensNumbers::new(&Lens::new(&shot.camera, small, &pose.studio))];
        for (frame, lens) in target.frames.iter().zip(lenses) {
            self.renderer.queue.write_buffer(&frame.buffer, 0, bytemuck::bytes_of(&numbers.seen_by(lens)));
        }
    }

    fn write_parts(&self, target: &mut Target) {
        let (renderer, pose) = (self.renderer, self.pose);
        let encoding = self.plan.encoding;
        let tint = |[r, g, b, much]: [f32; 4]| {
            let pen = Pen { colour: Vec3::new(r, g, b), opacity: 1.0, hidden: 0.0, width: 1.0 };
            parts::encoded(encoding, pen).colour.extend(much.clamp(0.0, 1.0)).into()
        };
        let tints: Vec<(u32, [f32; 4])> =
            self.extras.tints.iter().map(|(node, colour)| (*node, tint(*colour))).collect();
        let key = Some(PartsKey { pose: pose.number, tints });
        if target.parts.as_ref().is_some_and(|there| there.key == key) {
            return;
        }
        let stride = PartNumbers::stride(&renderer.device);
        let mut bytes = vec![0_u8; stride * pose.shapes.len().max(1)];
        for ((slot, part), shape) in bytes.chunks_mut(stride).zip(&pose.geometry.parts).zip(&pose.shapes) {
            let of_node = |(node, _): &&(u32, [f32; 4])| part.node == Some(*node);
            let tint = key.as_ref().and_then(|key| key.tints.iter().find(of_node)).map_or([0.0; 4], |(_, tint)| *tint);
            let numbers = PartNumbers {
                tint,
                mirrored: u32::from(shape.facing == parts::Facing::Clockwise),
                normals: u32::from(shape.normals),
                tangents: u32::from(shape.tangents),
                sets: part.sets,
            };
            slot.iter_mut().zip(bytemuck::bytes_of(&numbers)).for_each(|(to, from)| *to = *from);
        }
        match &mut target.parts {
            Some(there) if there.buffer.size() >= bytes.len() as u64 => {
                renderer.queue.write_buffer(&there.buffer, 0, &bytes);
                there.key = key;
            }
            there => {
                let buffer = buffer(&renderer.device, "parts", &bytes, BufferUsages::UNIFORM | BufferUsages::COPY_DST);
                let binding = BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: &buffer,
                    offset: 0,
                    size: wgpu::BufferSize::new(size_of::<PartNumbers>() as u64),
                });
                let group = group(&renderer.device, &renderer.pipelines.layouts().part, &[binding]);
                *there = Some(PartsOnDevice { key, buffer, group });
            }
        }
    }

    /// The parts that are not drawn.
    fn hidden(&self) -> Vec<u32> {
        (0..self.pose.geometry.parts.len()).filter(|part| self.is_hidden(*part)).map(|part| part as u32).collect()
    }

    fn is_hidden(&self, part: usize) -> bool {
        let Some(part) = self.pose.geometry.parts.get(part) else { return true };
        let mixes = || {
            let material = self.model.material(part.material);
            material.is_some_and(|on_device| on_device.material.alpha == AlphaMode::Blend)
        };
        let is_left_out = match self.extras.passes {
            Passes::Both => false,
            Passes::Opaque => mixes(),
            Passes::Transparent => !mixes(),
        };
        is_left_out || part.node.is_some_and(|node| self.extras.hidden.contains(&node))
    }

    /// The parts that are drawn, those alike together.
    fn items(&self, style: impl Fn(&parts::Material) -> Option<Style>) -> Vec<Item> {
        let parts = self.pose.geometry.parts.iter().zip(&self.pose.shapes).enumerate();
        let mut items: Vec<Item> = parts
            .filter(|(number, (part, _))| !part.indices.is_empty() && !self.is_hidden(*number))
            .filter_map(|(number, (part, shape))| {
                let style = style(&self.model.material(part.material)?.material)?;
                Some(Item { part: number, look: Look::of(style.kind), cull: Cull::of(style, shape.facing) })
            })
            .collect();
        items.sort_by_key(|item| item.look == Look::Mask);
        items
    }

    fn cull(&self, part: usize) -> Option<Cull> {
        let (part, shape) = (self.pose.geometry.parts.get(part)?, self.pose.shapes.get(part)?);
        Some(Cull::of(self.style(&self.model.material(part.material)?.material)?, shape.facing))
    }

    fn style(&self, material: &parts::Material) -> Option<Style> {
        Some(parts::style(self.shot.mode, material))
    }

    /// Sets what all triangles need.
    fn set_geometry(&self, pass: &mut RenderPass<'_>, frame: &FrameOnDevice) {
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_vertex_buffer(0, self.pose.vertices.slice(..));
        pass.set_vertex_buffer(1, self.pose.geometry.fixed.slice(..));
        pass.set_index_buffer(self.pose.geometry.indices.slice(..), wgpu::IndexFormat::Uint32);
    }

    /// Sets what one part needs.
    fn set_part(&self, pass: &mut RenderPass<'_>, parts: &PartsOnDevice, number: usize) -> Option<()> {
        let part = self.pose.geometry.parts.get(number)?;
        let material = self.model.material(part.material)?;
        pass.set_bind_group(1, &material.group, &[material.offset]);
        pass.set_bind_group(2, &parts.group, &[(PartNumbers::stride(&self.renderer.device) * number) as u32]);
        Some(())
    }

    fn draw_items(
        &self,
        pass: &mut RenderPass<'_>,
        parts: &PartsOnDevice,
        items: &[Item],
        purpose: impl Fn(&Item) -> Purpose,
    ) {
        let mut last = None;
        for item in items.iter().filter(|item| item.look != Look::Blend) {
            let wanted = purpose(item);
            if last != Some(wanted) {
                pass.set_pipeline(&self.renderer.pipelines.get(&self.renderer.device, wanted));
                last = Some(wanted);
            }
            let part = self.pose.geometry.parts.get(item.part);
            if let (Some(part), Some(())) = (part, self.set_part(pass, parts, item.part)) {
                pass.draw_indexed(part.indices.clone(), 0, 0..1);
            }
        }
    }

    fn shadow(&self, encoder: &mut CommandEncoder, target: &mut Target) {
        let (Some(side), Some(parts)) = (self.plan.shadow_side, &target.parts) else { return };
        let map = ShadowMap::ready(&mut target.shadow, self.renderer, side);
        let towards_key = self.plan.lamps.towards_key;
        let key = Some(ShadowKey { pose: self.pose.number, towards_key, side, hidden: self.hidden() });
        if map.key == key {
            return;
        }
        let mut pass = begin(encoder, "shadow", None, Some((&map.view, clear(0.0))));
        let [_, light, _] = &target.frames;
        self.set_geometry(&mut pass, light);
        let items = self.items(|material| parts::casts(self.shot.mode, material));
        self.draw_items(&mut pass, parts, &items, |item| Purpose::Depth(item.look, item.cull, Sampling::One));
        map.key = key;
    }

    fn hollows(&self, encoder: &mut CommandEncoder, target: &mut Target) {
        let (Some(wanted), Some(parts)) = (self.plan.hollows, &target.parts) else { return };
        let (renderer, device) = (self.renderer, &self.renderer.device);
        let maps = HollowsMaps::ready(&mut target.hollows, renderer, wanted.size);
        let [_, _, small] = &target.frames;
        {
            let mut pass = begin(encoder, "distances", None, Some((&maps.depth, clear(0.0))));
            self.set_geometry(&mut pass, small);
            let items = self.items(|material| self.style(material));
            self.draw_items(&mut pass, parts, &items, |item| Purpose::Depth(item.look, item.cull, Sampling::One));
        }
        let steps =
            [(Purpose::FindHollows, &renderer.no_number, &maps.rough), (Purpose::EvenHollows, &maps.rough, &maps.even)];
        for (purpose, from, to) in steps {
            let seen = group(
                device,
                &renderer.pipelines.layouts().hollows,
                &[BindingResource::TextureView(&maps.depth), BindingResource::TextureView(from)],
            );
            let mut pass = begin(encoder, "hollows", Some((to, None, clear(wgpu::Color::WHITE))), None);
            pass.set_pipeline(&renderer.pipelines.get(device, purpose));
            pass.set_bind_group(0, &small.group, &[]);
            pass.set_bind_group(1, &seen, &[]);
            pass.draw(0..3, 0..1);
        }
    }

    fn background(&self) -> wgpu::Color {
        let [r, g, b] = (self.plan.background * self.plan.background_opacity).to_array().map(f64::from);
        wgpu::Color { r, g, b, a: f64::from(self.plan.background_opacity) }
    }

    /// What hides others, then what mixes.
    fn triangles(&self, encoder: &mut CommandEncoder, target: &mut Target, share: Share) -> Progress {
        let renderer = self.renderer;
        if share != Share::Next {
            self.sort_blends(target);
        }
        let shares = target.blends.as_ref().map_or(0, |blends| blends.sorted.shares.len());
        let now = match share {
            Share::Whole => 0..shares,
            Share::First => 0..shares.min(1),
            Share::Next => target.mixed..shares.min(target.mixed + 1),
        };
        target.mixed = now.end;
        let progress = if now.end < shares { Progress::Partly } else { Progress::Whole };
        let size = target.size();
        let samples = SampleMaps::ready(&mut target.samples, renderer, size, self.sampling);
        let Some(parts) = &target.parts else { return Progress::Whole };
        let shadow = match (&target.shadow, self.plan.shadow_side) {
            (Some(map), Some(_)) => &map.view,
            _ => &renderer.no_depth,
        };
        let hollows = match (&target.hollows, self.plan.hollows) {
            (Some(maps), Some(_)) => &maps.even,
            _ => &renderer.no_number,
        };
        let maps = group(
            &renderer.device,
            &renderer.pipelines.layouts().maps,
            &[shadow, hollows, &renderer.reflected].map(BindingResource::TextureView),
        );
        let (load, depth) = match share {
            Share::Whole | Share::First => (LoadOp::Clear(self.background()), clear(0.0)),
            Share::Next => (LoadOp::Load, Operations { load: LoadOp::Load, store: StoreOp::Store }),
        };
        let colour = match &samples.colours {
            Some(colours) => {
                let store = if progress == Progress::Whole { StoreOp::Discard } else { StoreOp::Store };
                (colours, Some(&target.numbers), Operations { load, store })
            }
            None => (&target.numbers, None, Operations { load, store: StoreOp::Store }),
        };
        let mut pass = begin(encoder, "triangles", Some(colour), Some((&samples.depths, depth)));
        let [picture, _, _] = &target.frames;
        self.set_geometry(&mut pass, picture);
        pass.set_bind_group(3, &maps, &[]);
        if share != Share::Next {
            let items = self.items(|material| self.style(material));
            self.draw_items(&mut pass, parts, &items, |item| Purpose::Shade(item.look, item.cull, self.sampling));
        }
        let Some(blends) = &target.blends else { return progress };
        let shares = blends.sorted.shares.get(now).unwrap_or_default();
        let stretches = shares.iter().flat_map(|share| blends.sorted.stretches.get(share.clone()).unwrap_or_default());
        pass.set_index_buffer(blends.buffer.slice(..), wgpu::IndexFormat::Uint32);
        let mut last = None;
        for (number, stretch) in stretches {
            let Some(cull) = self.cull(*number as usize) else { continue };
            if last.replace(cull) != Some(cull) {
                let purpose = Purpose::Shade(Look::Blend, cull, self.sampling);
                pass.set_pipeline(&renderer.pipelines.get(&renderer.device, purpose));
            }
            if self.set_part(&mut pass, parts, *number as usize).is_some() {
                pass.draw_indexed(stretch.clone(), 0, 0..1);
            }
        }
        progress
    }

    /// Puts what mixes in order, where that is not what was drawn last.
    fn sort_blends(&self, target: &mut Target) {
        let mixes = |part: usize| {
            let material = self.pose.geometry.parts.get(part).and_then(|part| self.model.material(part.material));
            let kind = material.map(|on_device| parts::style(self.shot.mode, &on_device.material).kind);
            kind == Some(Kind::Blend) && !self.is_hidden(part)
        };
        if self.pose.blends.is_empty() || !matches!(self.shot.mode, Mode::Shaded | Mode::BaseColour) {
            target.blends = None;
            return;
        }
        let key = BlendsKey { pose: self.pose.number, lens: self.lens, hidden: self.hidden() };
        if target.blends.as_ref().is_some_and(|blends| blends.key == key) {
            return;
        }
        let sorted = Sorted::new(&self.lens, &self.pose.blends, |part| mixes(part as usize));
        let buffer = buffer(&self.renderer.device, "blends", &sorted.indices, BufferUsages::INDEX);
        target.blends = Some(BlendsOnDevice { key, sorted, buffer });
    }

    /// How near everything is, where colours are drawn by other means.
    fn depths(&self, encoder: &mut CommandEncoder, target: &mut Target) -> Progress {
        let size = target.size();
        let samples = SampleMaps::ready(&mut target.samples, self.renderer, size, self.sampling);
        let Some(parts) = &target.parts else { return Progress::Whole };
        {
            let mut pass = begin(encoder, "depths", None, Some((&samples.depths, clear(0.0))));
            let [picture, _, _] = &target.frames;
            self.set_geometry(&mut pass, picture);
            let items = self.items(|material| self.style(material));
            self.draw_items(&mut pass, parts, &items, |item| Purpose::Depth(item.look, item.cull, self.sampling));
        }
        drop(begin(encoder, "background", Some((&target.numbers, None, clear(self.background()))), None));
        Progress::Whole
    }

    /// How many triangles cover each sample.
    fn counts(&self, encoder: &mut CommandEncoder, target: &mut Target) -> Progress {
        let (renderer, size) = (self.renderer, target.size());
        let counts = Map::ready(&mut target.counts, renderer, size, self.sampling);
        let (Some(samples), Some(parts)) = (&target.samples, &target.parts) else { return Progress::Whole };
        let [picture, _, _] = &target.frames;
        {
            let nothing = clear(wgpu::Color::TRANSPARENT);
            let keep = Operations { load: LoadOp::Load, store: StoreOp::Store };
            let depth = Some((&samples.depths, keep));
            let mut pass = begin(encoder, "count", Some((counts, None, nothing)), depth);
            self.set_geometry(&mut pass, picture);
            let items = self.items(|material| self.style(material));
            self.draw_items(&mut pass, parts, &items, |item| Purpose::Count(item.cull, self.sampling));
        }
        let layout = self.sampling.pick(&renderer.pipelines.layouts().counts);
        let seen = group(&renderer.device, layout, &[BindingResource::TextureView(counts)]);
        let mut pass = begin(encoder, "counts", Some((&target.numbers, None, KEEP)), None);
        pass.set_pipeline(&renderer.pipelines.get(&renderer.device, Purpose::ShowCounts(self.sampling)));
        pass.set_bind_group(0, &picture.group, &[]);
        pass.set_bind_group(1, &seen, &[]);
        pass.draw(0..3, 0..1);
        Progress::Whole
    }

    fn instance(&self, ends: [Vec3; 2], pen: &Pen) -> Option<Instance> {
        Instance::new(&self.pose.studio, ends, pen)
    }

    fn lines_of_scene(&self) -> Vec<Instance> {
        let lists = self.pose.lines.iter();
        let shown = lists.filter(|list| list.node.is_none_or(|node| !self.extras.hidden.contains(&node)));
        let of_list = shown.filter_map(|list| {
            let pen = parts::line_pen(self.plan.encoding, &self.model.material(list.material)?.material);
            Some(list.segments.iter().filter_map(move |ends| self.instance(*ends, &pen)))
        });
        of_list.flatten().collect()
    }

    /// What the shot asks for, then what the caller adds.
    fn overlays(&self) -> Vec<Instance> {
        let overlays = parts::overlays(self.shot, self.pose.bounds, || self.pose.bones.clone());
        let segments = overlays.segments.iter();
        let asked = segments.filter_map(|(ends, pen)| self.instance(*ends, overlays.pens.get(*pen as usize)?));
        let encoding: Encoding = self.plan.encoding;
        let added = self.extras.lines.iter();
        let added = added.filter_map(|(ends, pen)| self.instance(*ends, &parts::encoded(encoding, *pen)));
        asked.chain(added).collect()
    }

    fn lines(&self, encoder: &mut CommandEncoder, target: &Target, lines: &[Instance]) {
        let (renderer, device) = (self.renderer, &self.renderer.device);
        let most = (device.limits().max_buffer_size / size_of::<Instance>() as u64).min(u64::from(u32::MAX)) as usize;
        for lines in lines.chunks(most.max(1)) {
            let Some(samples) = &target.samples else { return };
            let instances = buffer(device, "lines", lines, BufferUsages::VERTEX);
            let mut pass = begin(encoder, "lines", Some((&target.numbers, None, KEEP)), None);
            pass.set_pipeline(&renderer.pipelines.get(device, Purpose::Lines(self.sampling)));
            let [picture, _, _] = &target.frames;
            pass.set_bind_group(0, &picture.group, &[]);
            pass.set_bind_group(1, &samples.depth_group, &[]);
            pass.set_vertex_buffer(0, instances.slice(..));
            pass.draw(0..6, 0..lines.len() as u32);
        }
    }

    /// Edges of triangles: how much they cover first, then all in one colour.
    fn wire(&self, encoder: &mut CommandEncoder, target: &mut Target) {
        let (renderer, device, size) = (self.renderer, &self.renderer.device, target.size());
        let most = &Map::number(&mut target.most, renderer, size).clone();
        let edges = self.pose.wire_group(renderer, &target.wire_pen);
        let (Some(samples), Some(edges)) = (&target.samples, edges) else { return };
        let pen = parts::wire_pen(self.plan.encoding, self.shot.background);
        renderer.queue.write_buffer(&target.wire_pen, 0, bytemuck::bytes_of(&WirePen::new(&pen, Moving::WORDS)));
        let ink = Ink { colour: pen.colour.extend(1.0).into() };
        renderer.queue.write_buffer(&target.ink, 0, bytemuck::bytes_of(&ink));
        let [picture, _, _] = &target.frames;
        {
            let mut pass = begin(encoder, "wire", Some((most, None, clear(wgpu::Color::TRANSPARENT))), None);
            pass.set_pipeline(&renderer.pipelines.get(device, Purpose::Wire(self.sampling)));
            pass.set_bind_group(0, &picture.group, &[]);
            pass.set_bind_group(1, &samples.depth_group, &[]);
            pass.set_bind_group(2, &edges, &[]);
            for (number, part) in self.pose.geometry.parts.iter().enumerate() {
                if !self.is_hidden(number) {
                    pass.draw(part.indices.start * 6..part.indices.end * 6, 0..1);
                }
            }
        }
        self.finish(encoder, target, Purpose::LayOver, most, (&target.numbers, KEEP));
    }

    fn encode(&self, encoder: &mut CommandEncoder, target: &Target) {
        let to = (target.view(), clear(wgpu::Color::TRANSPARENT));
        self.finish(encoder, target, Purpose::Encode, &target.numbers, to);
    }

    /// From one whole picture to another.
    fn finish(
        &self,
        encoder: &mut CommandEncoder,
        target: &Target,
        purpose: Purpose,
        from: &TextureView,
        (to, ops): (&TextureView, Operations<wgpu::Color>),
    ) {
        let renderer = self.renderer;
        let seen = group(
            &renderer.device,
            &renderer.pipelines.layouts().finish,
            &[BindingResource::TextureView(from), target.ink.as_entire_binding()],
        );
        let mut pass = begin(encoder, "finish", Some((to, None, ops)), None);
        pass.set_pipeline(&renderer.pipelines.get(&renderer.device, purpose));
        let [picture, _, _] = &target.frames;
        pass.set_bind_group(0, &picture.group, &[]);
        pass.set_bind_group(1, &seen, &[]);
        pass.draw(0..3, 0..1);
    }
}
