//! The one binary buffer: bytes, the views into them and the accessors of the views.
//!
//! Every view starts on a multiple of four bytes, and elements are packed: each vertex attribute and each list of indices has
//! a view of its own with its target; what no GPU takes (inverse bind matrices, keys) shares a view with its like. The same
//! data for the same purpose is stored once, however often it is used.

use super::super::schema::{Accessor, BufferView};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

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
    /// Data that is not for the GPU: key times and values, inverse bind matrices, images.
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
    /// One component.
    Scalar,
    /// Two.
    Vec2,
    /// Three.
    Vec3,
    /// Four.
    Vec4,
    /// Sixteen, column-major.
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

/// Whether an accessor states `min` and `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// It does: positions and key times must.
    Stated,
    /// It does not.
    Unstated,
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
    /// Accessors by the hash of what they hold.
    known: HashMap<u64, Vec<usize>>,
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
        let stated = bounds == Bounds::Stated;
        let accessor = Accessor { min: stated.then_some(least), max: stated.then_some(most), ..Accessor::default() };
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

    /// An accessor of indices in a view of its own, as small as the vertices allow. The largest value of a type restarts
    /// a strip and is no index.
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

    /// The accessor of what has been added from `start` on, or of the same made before.
    fn accessor(
        &mut self,
        start: usize,
        component_type: u32,
        kind: Kind,
        component_bytes: usize,
        rest: Accessor,
    ) -> usize {
        self.extend_view();
        let view = self.views.len().saturating_sub(1);
        let offset = start - self.views.last().and_then(|view| view.byte_offset).unwrap_or(0);
        let made = Accessor {
            buffer_view: Some(view),
            byte_offset: (offset > 0).then_some(offset),
            component_type,
            count: (self.bytes.len() - start) / (component_bytes * kind.components()),
            kind: kind.word().into(),
            ..rest
        };
        let mut hasher = DefaultHasher::new();
        self.bytes.get(start..).hash(&mut hasher);
        let hash = hasher.finish();
        let alike = self.known.get(&hash).into_iter().flatten().copied();
        if let Some(known) = alike.into_iter().find(|&known| self.is_same(known, &made, start)) {
            self.take_back(start);
            return known;
        }
        self.accessors.push(made);
        self.known.entry(hash).or_default().push(self.accessors.len() - 1);
        self.accessors.len() - 1
    }

    /// Whether an accessor holds what the new one does, for the same purpose.
    fn is_same(&self, known: usize, new: &Accessor, new_start: usize) -> bool {
        let view_of = |accessor: &Accessor| self.views.get(accessor.buffer_view.unwrap_or(usize::MAX));
        let Some(known) = self.accessors.get(known) else { return false };
        let (Some(known_view), Some(new_view)) = (view_of(known), view_of(new)) else { return false };
        let start = known_view.byte_offset.unwrap_or(0) + known.byte_offset.unwrap_or(0);
        let bytes = self.bytes.get(new_start..).unwrap_or_default();
        let same = Accessor { buffer_view: known.buffer_view, byte_offset: known.byte_offset, ..new.clone() };
        same == *known
            && known_view.target == new_view.target
            && self.bytes.get(start..start + bytes.len()) == Some(bytes)
    }

    /// Takes back what has been added from `start` on, and the view that was opened for it alone.
    fn take_back(&mut self, start: usize) {
        self.bytes.truncate(start);
        if self.views.last().is_some_and(|view| view.target.is_some()) {
            self.views.pop();
        } else {
            self.extend_view();
        }
    }

    fn extend_view(&mut self) {
        if let Some(view) = self.views.last_mut() {
            view.byte_length = self.bytes.len() - view.byte_offset.unwrap_or(0);
        }
    }
}
