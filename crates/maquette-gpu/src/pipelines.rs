//! Pipelines, each made when it is first drawn with: no picture takes all of them.

use crate::geometry::{self, Fixed, Moving};
use crate::layouts::Layouts;
use crate::lines::Instance;
use crate::shader::{SampleShaders, Shaders};
use maquette_render::Samples;
use maquette_render::parts::{Facing, Kind, Style};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use wgpu::{BlendComponent, BlendFactor, BlendOperation, BlendState, TextureFormat};

/// What numbers of pictures are held in before they are encoded.
pub(crate) const NUMBERS: TextureFormat = TextureFormat::Rgba16Float;
/// Numbers by themselves: hollows, counts, how much an edge covers.
pub(crate) const NUMBER: TextureFormat = TextureFormat::R16Float;
pub(crate) const DEPTH: TextureFormat = TextureFormat::Depth32Float;
/// As a PNG has them.
pub(crate) const BYTES: TextureFormat = TextureFormat::Rgba8Unorm;

/// Samples in a pixel, of those that every device has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sampling {
    One,
    Four,
}

impl Sampling {
    pub fn of(samples: Samples) -> Sampling {
        match samples {
            Samples::One => Sampling::One,
            Samples::Four | Samples::Eight => Sampling::Four,
        }
    }

    pub fn count(self) -> u32 {
        match self {
            Sampling::One => 1,
            Sampling::Four => 4,
        }
    }

    /// Of what there is for one and for four.
    pub fn pick<T>(self, [one, four]: &[T; 2]) -> &T {
        match self {
            Sampling::One => one,
            Sampling::Four => four,
        }
    }
}

/// Which triangles are not drawn, by how their corners go around in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cull {
    None,
    Clockwise,
    CounterClockwise,
}

impl Cull {
    pub fn of(style: Style, facing: Facing) -> Cull {
        match (style.double_sided, facing) {
            (true, _) => Cull::None,
            (false, Facing::CounterClockwise) => Cull::Clockwise,
            (false, Facing::Clockwise) => Cull::CounterClockwise,
        }
    }
}

/// What a pipeline is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Purpose {
    /// Colours of triangles.
    Shade(Look, Cull, Sampling),
    /// How near they are.
    Depth(Look, Cull, Sampling),
    /// How many there are.
    Count(Cull, Sampling),
    ShowCounts(Sampling),
    FindHollows,
    EvenHollows,
    Lines(Sampling),
    /// Edges of triangles, into a map of how much they cover.
    Wire(Sampling),
    LayOver,
    Encode,
}

/// [`Kind`], as a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Look {
    Solid,
    Mask,
    Blend,
}

impl Look {
    pub fn of(kind: Kind) -> Look {
        match kind {
            Kind::Solid => Look::Solid,
            Kind::Mask => Look::Mask,
            Kind::Blend => Look::Blend,
        }
    }
}

/// Pipelines that were drawn with.
pub(crate) struct Pipelines {
    shaders: Shaders,
    layouts: Layouts,
    made: Mutex<HashMap<Purpose, wgpu::RenderPipeline>>,
}

/// New colours times their opacity, over what is there.
const OVER: BlendState = BlendState::PREMULTIPLIED_ALPHA_BLENDING;

const fn both(operation: BlendOperation) -> BlendState {
    let part = BlendComponent { src_factor: BlendFactor::One, dst_factor: BlendFactor::One, operation };
    BlendState { color: part, alpha: part }
}

/// What draws pixels, and into what.
type Fragment<'a> = (&'a wgpu::ShaderModule, &'a str, Option<(TextureFormat, Option<BlendState>)>);

/// A pipeline in the terms in which ours differ.
struct Wanted<'a> {
    vertex: (&'a wgpu::ShaderModule, &'a str),
    fragment: Option<Fragment<'a>>,
    groups: Vec<&'a wgpu::BindGroupLayout>,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    cull: Cull,
    /// Whether depth is written, and what is compared.
    depth: Option<(bool, wgpu::CompareFunction)>,
    sampling: Sampling,
}

impl Pipelines {
    pub fn new(device: &wgpu::Device) -> Pipelines {
        Pipelines { shaders: Shaders::new(device), layouts: Layouts::new(device), made: Mutex::default() }
    }

    pub fn layouts(&self) -> &Layouts {
        &self.layouts
    }

    pub fn get(&self, device: &wgpu::Device, purpose: Purpose) -> wgpu::RenderPipeline {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.entry(purpose).or_insert_with(|| self.make(device, purpose)).clone()
    }

    fn samples(&self, sampling: Sampling) -> &SampleShaders {
        match sampling {
            Sampling::One => &self.shaders.one,
            Sampling::Four => &self.shaders.four,
        }
    }

    fn make(&self, device: &wgpu::Device, purpose: Purpose) -> wgpu::RenderPipeline {
        use wgpu::CompareFunction::{Always, Greater, GreaterEqual};
        let (shaders, layouts) = (&self.shaders, &self.layouts);
        let triangles = &shaders.triangles;
        let whole = [
            Some(geometry::layout::<Moving>(&Moving::ATTRIBUTES, wgpu::VertexStepMode::Vertex)),
            Some(geometry::layout::<Fixed>(&Fixed::ATTRIBUTES, wgpu::VertexStepMode::Vertex)),
        ];
        let lines = [Some(geometry::layout::<Instance>(&Instance::ATTRIBUTES, wgpu::VertexStepMode::Instance))];
        let all = [&layouts.frame, &layouts.material, &layouts.part, &layouts.maps];
        let wanted = match purpose {
            Purpose::Shade(look, cull, sampling) => {
                let (entry, blend, depth) = match look {
                    Look::Solid => ("shade_solid", None, (true, Greater)),
                    Look::Mask => ("shade_mask", None, (true, Greater)),
                    Look::Blend => ("shade_blend", Some(OVER), (false, GreaterEqual)),
                };
                Wanted {
                    vertex: (triangles, "place_vertex"),
                    fragment: Some((triangles, entry, Some((NUMBERS, blend)))),
                    groups: all.to_vec(),
                    buffers: &whole,
                    cull,
                    depth: Some(depth),
                    sampling,
                }
            }
            Purpose::Depth(Look::Mask, cull, sampling) => Wanted {
                vertex: (triangles, "place_cut"),
                fragment: Some((triangles, "cut_depth", None)),
                groups: vec![&layouts.frame, &layouts.material, &layouts.part],
                buffers: &whole,
                cull,
                depth: Some((true, Greater)),
                sampling,
            },
            Purpose::Depth(_, cull, sampling) => Wanted {
                vertex: (triangles, "place_depth"),
                fragment: None,
                groups: vec![&layouts.frame, &layouts.material, &layouts.part],
                buffers: &whole,
                cull,
                depth: Some((true, Greater)),
                sampling,
            },
            Purpose::Count(cull, sampling) => Wanted {
                vertex: (triangles, "place_depth"),
                fragment: Some((triangles, "count_one", Some((NUMBER, Some(both(BlendOperation::Add)))))),
                groups: vec![&layouts.frame, &layouts.material, &layouts.part],
                buffers: &whole,
                cull,
                depth: Some((false, Always)),
                sampling,
            },
            Purpose::ShowCounts(sampling) => {
                let module = &self.samples(sampling).counts;
                Wanted::picture(module, "show_counts", NUMBERS, sampling.pick(&layouts.counts), &layouts.frame)
            }
            Purpose::FindHollows => Wanted::picture(&shaders.hollows, "find", NUMBER, &layouts.hollows, &layouts.frame),
            Purpose::EvenHollows => Wanted::picture(&shaders.hollows, "even", NUMBER, &layouts.hollows, &layouts.frame),
            Purpose::Lines(sampling) => {
                let module = &self.samples(sampling).lines;
                Wanted {
                    vertex: (module, "place_line"),
                    fragment: Some((module, "draw_line", Some((NUMBERS, Some(OVER))))),
                    groups: vec![&layouts.frame, sampling.pick(&layouts.depth)],
                    buffers: &lines,
                    cull: Cull::None,
                    depth: None,
                    sampling: Sampling::One,
                }
            }
            Purpose::Wire(sampling) => {
                let module = &self.samples(sampling).wire;
                Wanted {
                    vertex: (module, "place_edge"),
                    fragment: Some((module, "draw_most", Some((NUMBER, Some(both(BlendOperation::Max)))))),
                    groups: [&layouts.frame, sampling.pick(&layouts.depth)].into_iter().chain(&layouts.wire).collect(),
                    buffers: &[],
                    cull: Cull::None,
                    depth: None,
                    sampling: Sampling::One,
                }
            }
            Purpose::LayOver => Wanted {
                fragment: Some((&shaders.finish, "lay_over", Some((NUMBERS, Some(OVER))))),
                ..Wanted::picture(&shaders.finish, "lay_over", NUMBERS, &layouts.finish, &layouts.frame)
            },
            Purpose::Encode => Wanted::picture(&shaders.finish, "encode", BYTES, &layouts.finish, &layouts.frame),
        };
        wanted.make(device, &format!("{purpose:?}"))
    }
}

impl<'a> Wanted<'a> {
    /// What goes over a whole picture.
    fn picture(
        module: &'a wgpu::ShaderModule,
        entry: &'a str,
        format: TextureFormat,
        layout: &'a wgpu::BindGroupLayout,
        frame: &'a wgpu::BindGroupLayout,
    ) -> Wanted<'a> {
        Wanted {
            vertex: (module, "cover"),
            fragment: Some((module, entry, Some((format, None)))),
            groups: vec![frame, layout],
            buffers: &[],
            cull: Cull::None,
            depth: None,
            sampling: Sampling::One,
        }
    }

    fn make(&self, device: &wgpu::Device, label: &str) -> wgpu::RenderPipeline {
        let groups: Vec<_> = self.groups.iter().map(|group| Some(*group)).collect();
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: &groups,
            immediate_size: 0,
        });
        let colour = |format, blend| wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL };
        let targets: Vec<_> = match self.fragment {
            Some((_, _, Some((format, blend)))) => vec![Some(colour(format, blend))],
            _ => Vec::new(),
        };
        let (module, entry) = self.vertex;
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(entry),
                compilation_options: Default::default(),
                buffers: self.buffers,
            },
            primitive: wgpu::PrimitiveState {
                front_face: wgpu::FrontFace::Ccw,
                cull_mode: match self.cull {
                    Cull::None => None,
                    Cull::Clockwise => Some(wgpu::Face::Back),
                    Cull::CounterClockwise => Some(wgpu::Face::Front),
                },
                ..Default::default()
            },
            depth_stencil: self.depth.map(|(write, compare)| wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(write),
                depth_compare: Some(compare),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState { count: self.sampling.count(), ..Default::default() },
            fragment: self.fragment.map(|(module, entry, _)| wgpu::FragmentState {
                module,
                entry_point: Some(entry),
                compilation_options: Default::default(),
                targets: &targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}
