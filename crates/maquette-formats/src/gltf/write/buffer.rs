//! The one binary buffer: bytes, the views into them and the accessors of the views.
//!
//! Every view starts on a multiple of four bytes, and elements are packed: each vertex attribute and each list of indices has
//! a view of its own with its target; what no GPU takes (inverse bind matrices, keys) shares a view with its like.

use super::super::schema::{Accessor, BufferView};
use std::collections::HashMap;

/// `componentType`
const U8: u32 = 5121;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// What a view is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A vertex attribute.
    Vertices,
    /// Indices.
    Indices,
    /// Nothing that a GPU takes as it is.
    Other,
}

impl Purpose {
    fn target(self) -> Option<u32> {
        match self {
            Purpose::Vertices => Some(34962),
            Purpose::Indices => Some(34963),
            Purpose::Other => None,
        }
    }
}

/// `type`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One number.
    Scalar,
    /// Two.
    Vec2,
    /// Three.
    Vec3,
    /// Four.
    Vec4,
    /// Sixteen, column by column.
    Mat4,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Scalar => "SCALAR",
            Kind::Vec2 => "VEC2",
            Kind::Vec3 => "VEC3",
            Kind::Vec4 => "VEC4",
            Kind::Mat4 => "MAT4",
        }
    }

    fn components(self) -> usize {
        match self {
            Kind::Scalar => 1,
            Kind::Vec2 => 2,
            Kind::Vec3 => 3,
            Kind::Vec4 => 4,
            Kind::Mat4 => 16,
        }
    }
}

/// Whether an accessor says its smallest and largest values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// It does: positions and times must.
    Told,
    /// It does not.
    Untold,
}

/// The buffer while it grows.
#[derive(Debug, Default)]
pub struct Buffer {
    /// Its bytes so far.
    pub bytes: Vec<u8>,
    /// The views so far.
    pub views: Vec<BufferView>,
    /// The accessors so far.
    pub accessors: Vec<Accessor>,
    times: HashMap<Vec<u32>, usize>,
}

impl Buffer {
    /// Opens a view; what is added from now on is in it.
    pub fn begin(&mut self, purpose: Purpose) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let offset = self.bytes.len();
        self.views.push(BufferView {
            byte_offset: (offset > 0).then_some(offset),
            target: purpose.target(),
            ..BufferView::default()
        });
        self.views.len() - 1
    }

    /// A view of its own with these bytes.
    pub fn file(&mut self, bytes: &[u8]) -> usize {
        let view = self.begin(Purpose::Other);
        self.bytes.extend_from_slice(bytes);
        self.extend_view();
        view
    }

    /// An accessor of floats in the open view.
    pub fn floats(&mut self, kind: Kind, values: impl IntoIterator<Item = f32>, bounds: Bounds) -> usize {
        let start = self.bytes.len();
        let mut least = vec![f32::INFINITY; kind.components()];
        let mut most = vec![f32::NEG_INFINITY; kind.components()];
        let mut component = 0;
        for value in values {
            self.bytes.extend_from_slice(&value.to_le_bytes());
            if let (Some(least), Some(most)) = (least.get_mut(component), most.get_mut(component)) {
                *least = least.min(value);
                *most = most.max(value);
            }
            component = (component + 1) % kind.components();
        }
        let told = bounds == Bounds::Told;
        let accessor = Accessor { min: told.then_some(least), max: told.then_some(most), ..Accessor::default() };
        self.accessor(start, F32, kind, 4, accessor)
    }

    /// An accessor of vertices' joints, four each, in the open view; as bytes where they fit.
    pub fn joints(&mut self, joints: &[u32]) -> usize {
        let start = self.bytes.len();
        if joints.iter().all(|&joint| u8::try_from(joint).is_ok()) {
            self.bytes.extend(joints.iter().map(|&joint| joint as u8));
            return self.accessor(start, U8, Kind::Vec4, 1, Accessor::default());
        }
        self.bytes.extend(joints.iter().flat_map(|&joint| (joint as u16).to_le_bytes()));
        self.accessor(start, U16, Kind::Vec4, 2, Accessor::default())
    }

    /// An accessor of indices in a view of its own, as small as the vertices allow. The largest number of a type ends a
    /// strip and is no index.
    pub fn indices(&mut self, indices: &[u32], vertex_count: usize) -> usize {
        self.begin(Purpose::Indices);
        let start = self.bytes.len();
        if vertex_count <= usize::from(u16::MAX) {
            self.bytes.extend(indices.iter().flat_map(|&index| (index as u16).to_le_bytes()));
            return self.accessor(start, U16, Kind::Scalar, 2, Accessor::default());
        }
        self.bytes.extend(indices.iter().flat_map(|index| index.to_le_bytes()));
        self.accessor(start, U32, Kind::Scalar, 4, Accessor::default())
    }

    /// The accessor of these times, made in the open view or made before.
    pub fn times(&mut self, times: &[f32]) -> usize {
        let key: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(&known) = self.times.get(&key) {
            return known;
        }
        let made = self.floats(Kind::Scalar, times.iter().copied(), Bounds::Told);
        self.times.insert(key, made);
        made
    }

    fn accessor(&mut self, start: usize, type_: u32, kind: Kind, component_bytes: usize, rest: Accessor) -> usize {
        self.extend_view();
        let offset = start - self.views.last().and_then(|view| view.byte_offset).unwrap_or(0);
        self.accessors.push(Accessor {
            buffer_view: Some(self.views.len().saturating_sub(1)),
            byte_offset: (offset > 0).then_some(offset),
            component_type: type_,
            count: (self.bytes.len() - start) / (component_bytes * kind.components()),
            kind: kind.word().into(),
            ..rest
        });
        self.accessors.len() - 1
    }

    fn extend_view(&mut self) {
        if let Some(view) = self.views.last_mut() {
            view.byte_length = self.bytes.len() - view.byte_offset.unwrap_or(0);
        }
    }
}
