//! The keys of one channel of one bone, kept as the bytes of the file.
//!
//! A key is a frame number and three or four components. How wide the frame is depends on the length of the
//! animation and how wide a component is on a flag, so there are twelve forms ([`Shape`]). [`Keys`] chooses the
//! form once for a whole run; what loops over keys then works on a slice of one [`KeyRecord`] type.

use crate::layout::{Type, Typed};
use crate::record;
use std::borrow::Cow;
use zerocopy::little_endian::{F32, F64, U16, U32};
use zerocopy::{FromBytes, IntoBytes};

/// How many bytes a frame number takes, and a count of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FrameWidth {
    /// One byte.
    One,
    /// Two bytes.
    Two,
    /// Four bytes.
    Four,
}

impl FrameWidth {
    /// The width that holds this number: the rule for frames and for bone indices.
    pub fn holding(largest: u32) -> FrameWidth {
        match largest {
            0..=0xff => FrameWidth::One,
            0x100..=0xffff => FrameWidth::Two,
            _ => FrameWidth::Four,
        }
    }

    /// Size on disk.
    pub fn bytes(self) -> u64 {
        match self {
            FrameWidth::One => 1,
            FrameWidth::Two => 2,
            FrameWidth::Four => 4,
        }
    }

    /// The largest number it holds.
    pub fn largest(self) -> u32 {
        match self {
            FrameWidth::One => 0xff,
            FrameWidth::Two => 0xffff,
            FrameWidth::Four => u32::MAX,
        }
    }
}

/// How wide the components of a value are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// `f32`.
    Single,
    /// `f64`.
    Double,
}

/// How many components a value has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Components {
    /// X, Y, Z: a location or a scale.
    Vector,
    /// X, Y, Z, W: a rotation.
    Quaternion,
}

/// The form of a key on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Of the frame number.
    pub frame: FrameWidth,
    /// Of each component.
    pub precision: Precision,
    /// Of the value.
    pub components: Components,
}

/// A key in any form, widened without loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// The frame it stands on.
    pub frame: u32,
    /// X, Y, Z and W; W is 0 for a vector.
    pub value: [f64; 4],
}

/// An on-disk key of one form.
pub trait KeyRecord: Typed {
    /// The frame it stands on.
    fn frame(&self) -> u32;
    /// X, Y, Z and W; W is 0 for a vector.
    fn value(&self) -> [f64; 4];
    /// The same in single precision, to the nearest.
    fn single(&self) -> [f32; 4];
    /// Whether every component is finite.
    fn is_finite(&self) -> bool;
    /// Whether every component is exactly a single.
    fn is_single(&self) -> bool;
    /// The key in this form. A frame too large for it becomes the largest it holds, a double the nearest single.
    fn nearest(key: Key) -> Self;
}

/// A component of a value.
trait Component: Copy {
    fn widened(self) -> f64;
    fn narrowed(self) -> f32;
    fn is_finite(self) -> bool;
    fn is_single(self) -> bool;
    fn nearest(value: f64) -> Self;
}

impl Component for F32 {
    #[inline]
    fn widened(self) -> f64 {
        f64::from(self.get())
    }

    #[inline]
    fn narrowed(self) -> f32 {
        self.get()
    }

    #[inline]
    fn is_finite(self) -> bool {
        self.get().is_finite()
    }

    #[inline]
    fn is_single(self) -> bool {
        true
    }

    fn nearest(value: f64) -> F32 {
        F32::new(value as f32)
    }
}

impl Component for F64 {
    #[inline]
    fn widened(self) -> f64 {
        self.get()
    }

    #[inline]
    fn narrowed(self) -> f32 {
        self.get() as f32
    }

    #[inline]
    fn is_finite(self) -> bool {
        self.get().is_finite()
    }

    #[inline]
    fn is_single(self) -> bool {
        f64::from(self.get() as f32) == self.get()
    }

    fn nearest(value: f64) -> F64 {
        F64::new(value)
    }
}

/// X, Y, Z and W; W is 0 for a vector.
#[inline]
fn four<C: Component, T: Copy + Default>(components: &[C], value: impl Fn(C) -> T) -> [T; 4] {
    match *components {
        [x, y, z] => [value(x), value(y), value(z), T::default()],
        [x, y, z, w] => [value(x), value(y), value(z), value(w)],
        _ => [T::default(); 4],
    }
}

macro_rules! key_records {
    ($( $Name:ident $width:ident { $Frame:ty, [$Component:ty; $count:literal], $doc:literal, $value_doc:literal } )+) => {
        record! { $(
            #[doc = $doc]
            pub struct $Name {
                /// Offset 0. The frame it stands on, from 0. [doc: SEAnim_BoneData]
                pub frame: $Frame,
                #[doc = $value_doc]
                pub value: [$Component; $count],
            }
        )+ }

        $( impl KeyRecord for $Name {
            #[inline]
            fn frame(&self) -> u32 {
                u32::from(self.frame)
            }

            #[inline]
            fn value(&self) -> [f64; 4] {
                four(&self.value, Component::widened)
            }

            #[inline]
            fn single(&self) -> [f32; 4] {
                four(&self.value, Component::narrowed)
            }

            #[inline]
            fn is_finite(&self) -> bool {
                self.value.iter().fold(true, |all, component| all & Component::is_finite(*component))
            }

            #[inline]
            fn is_single(&self) -> bool {
                self.value.iter().fold(true, |all, component| all & Component::is_single(*component))
            }

            fn nearest(key: Key) -> Self {
                let mut value = [<$Component>::from(0.0); $count];
                for (component, wide) in value.iter_mut().zip(key.value) {
                    *component = Component::nearest(wide);
                }
                // The cast keeps the number: it is cut to what the width holds.
                let frame = key.frame.min(FrameWidth::$width.largest());
                $Name { frame: (frame as key_records!(@plain $width)).into(), value }
            }
        } )+
    };
    (@plain One) => { u8 };
    (@plain Two) => { u16 };
    (@plain Four) => { u32 };
}

key_records! {
    VectorKey8 One { u8, [F32; 3],
        "A location or scale key with a one-byte frame, 13 bytes. [doc: SEAnim_BoneData]",
        "Offset 1. X, Y, Z. [doc: SEAnim_BoneData]" }
    VectorKey16 Two { U16, [F32; 3],
        "A location or scale key with a two-byte frame, 14 bytes. [doc: SEAnim_BoneData]",
        "Offset 2. X, Y, Z. [doc: SEAnim_BoneData]" }
    VectorKey32 Four { U32, [F32; 3],
        "A location or scale key with a four-byte frame, 16 bytes. [doc: SEAnim_BoneData]",
        "Offset 4. X, Y, Z. [doc: SEAnim_BoneData]" }
    DoubleVectorKey8 One { u8, [F64; 3],
        "A location or scale key with a one-byte frame, in doubles, 25 bytes. [doc: SEAnim_BoneData]",
        "Offset 1. X, Y, Z. [doc: SEAnim_BoneData]" }
    DoubleVectorKey16 Two { U16, [F64; 3],
        "A location or scale key with a two-byte frame, in doubles, 26 bytes. [doc: SEAnim_BoneData]",
        "Offset 2. X, Y, Z. [doc: SEAnim_BoneData]" }
    DoubleVectorKey32 Four { U32, [F64; 3],
        "A location or scale key with a four-byte frame, in doubles, 28 bytes. [doc: SEAnim_BoneData]",
        "Offset 4. X, Y, Z. [doc: SEAnim_BoneData]" }
    RotationKey8 One { u8, [F32; 4],
        "A rotation key with a one-byte frame, 17 bytes. [doc: SEAnim_BoneData]",
        "Offset 1. The unit quaternion X, Y, Z, W. [doc: Basic Data Types]" }
    RotationKey16 Two { U16, [F32; 4],
        "A rotation key with a two-byte frame, 18 bytes. [doc: SEAnim_BoneData]",
        "Offset 2. The unit quaternion X, Y, Z, W. [doc: Basic Data Types]" }
    RotationKey32 Four { U32, [F32; 4],
        "A rotation key with a four-byte frame, 20 bytes. [doc: SEAnim_BoneData]",
        "Offset 4. The unit quaternion X, Y, Z, W. [doc: Basic Data Types]" }
    DoubleRotationKey8 One { u8, [F64; 4],
        "A rotation key with a one-byte frame, in doubles, 33 bytes. [doc: SEAnim_BoneData]",
        "Offset 1. The unit quaternion X, Y, Z, W. [doc: Basic Data Types]" }
    DoubleRotationKey16 Two { U16, [F64; 4],
        "A rotation key with a two-byte frame, in doubles, 34 bytes. [doc: SEAnim_BoneData]",
        "Offset 2. The unit quaternion X, Y, Z, W. [doc: Basic Data Types]" }
    DoubleRotationKey32 Four { U32, [F64; 4],
        "A rotation key with a four-byte frame, in doubles, 36 bytes. [doc: SEAnim_BoneData]",
        "Offset 4. The unit quaternion X, Y, Z, W. [doc: Basic Data Types]" }
}

/// Evaluates an expression with `K` standing for the record of a [`Shape`].
macro_rules! with_record {
    ($shape:expr, $K:ident => $body:expr) => {{
        use $crate::seanim::raw::keys::{self, Components::*, FrameWidth::*, Precision::*};
        macro_rules! run {
            ($Record:ident) => {{
                type $K = keys::$Record;
                $body
            }};
        }
        let shape: keys::Shape = $shape;
        match (shape.components, shape.precision, shape.frame) {
            (Vector, Single, One) => run!(VectorKey8),
            (Vector, Single, Two) => run!(VectorKey16),
            (Vector, Single, Four) => run!(VectorKey32),
            (Vector, Double, One) => run!(DoubleVectorKey8),
            (Vector, Double, Two) => run!(DoubleVectorKey16),
            (Vector, Double, Four) => run!(DoubleVectorKey32),
            (Quaternion, Single, One) => run!(RotationKey8),
            (Quaternion, Single, Two) => run!(RotationKey16),
            (Quaternion, Single, Four) => run!(RotationKey32),
            (Quaternion, Double, One) => run!(DoubleRotationKey8),
            (Quaternion, Double, Two) => run!(DoubleRotationKey16),
            (Quaternion, Double, Four) => run!(DoubleRotationKey32),
        }
    }};
}
pub(crate) use with_record;

impl Shape {
    /// Size of a key on disk.
    pub fn bytes(self) -> usize {
        with_record!(self, K => size_of::<K>())
    }

    /// The record of a key, for dumps.
    pub fn ty(self) -> Type {
        with_record!(self, K => K::TYPE)
    }
}

/// The keys of one channel of one bone, in file order. Borrowed from the input until they are changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Keys<'a> {
    shape: Shape,
    bytes: Cow<'a, [u8]>,
}

fn decode<K: KeyRecord>(bytes: &[u8]) -> Key {
    let none = Key { frame: 0, value: [0.0; 4] };
    K::ref_from_bytes(bytes).map_or(none, |key| Key { frame: key.frame(), value: key.value() })
}

impl<'a> Keys<'a> {
    /// No keys yet.
    pub fn new(shape: Shape) -> Self {
        Keys { shape, bytes: Cow::Borrowed(&[]) }
    }

    /// Keys as they stand in a file; `None` where the bytes are no whole number of them.
    pub fn from_bytes(shape: Shape, bytes: Cow<'a, [u8]>) -> Option<Self> {
        bytes.len().is_multiple_of(shape.bytes()).then_some(Keys { shape, bytes })
    }

    /// Their form on disk.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Their bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.shape.bytes()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The keys as records of this form, without copying; `None` if it is another than [`Keys::shape`] says.
    pub fn records<K: KeyRecord>(&self) -> Option<&[K]> {
        let same = with_record!(self.shape, S => std::any::TypeId::of::<S>()) == std::any::TypeId::of::<K>();
        same.then(|| <[K]>::ref_from_bytes(&self.bytes).ok())?
    }

    /// The keys in order. The form is looked up once, not for each key.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Key> + DoubleEndedIterator {
        let decode: fn(&[u8]) -> Key = with_record!(self.shape, K => decode::<K>);
        self.bytes.chunks_exact(self.shape.bytes()).map(decode)
    }

    /// One key.
    pub fn get(&self, index: usize) -> Option<Key> {
        self.iter().nth(index)
    }

    /// The frame of one key.
    pub fn frame(&self, index: usize) -> Option<u32> {
        self.get(index).map(|key| key.frame)
    }

    /// The value of one key: X, Y, Z and W; W is 0 for a vector.
    pub fn value(&self, index: usize) -> Option<[f64; 4]> {
        self.get(index).map(|key| key.value)
    }

    /// Replaces a key. False, and nothing done, where there is no such key or the frame does not fit its width.
    pub fn set(&mut self, index: usize, key: Key) -> bool {
        let bytes = self.shape.bytes();
        if key.frame > self.shape.frame.largest() {
            return false;
        }
        let encoded = with_record!(self.shape, K => K::nearest(key).as_bytes().to_vec());
        match self.bytes.to_mut().chunks_exact_mut(bytes).nth(index) {
            Some(place) => place.copy_from_slice(&encoded),
            None => return false,
        }
        true
    }

    /// Adds a key at the end. A frame that does not fit moves all keys to a width that holds it.
    pub fn push(&mut self, key: Key) {
        let frame = FrameWidth::holding(key.frame).max(self.shape.frame);
        if frame != self.shape.frame {
            *self = self.reshaped(Shape { frame, ..self.shape });
        }
        with_record!(self.shape, K => self.bytes.to_mut().extend_from_slice(K::nearest(key).as_bytes()));
    }

    /// The same keys in another form: exact where it is at least as wide, the nearest otherwise.
    pub fn reshaped(&self, shape: Shape) -> Keys<'static> {
        Keys::nearest(shape, &self.iter().collect::<Vec<_>>())
    }

    /// Keys in this form: exact where they fit, the nearest otherwise.
    pub fn nearest(shape: Shape, keys: &[Key]) -> Keys<'static> {
        let mut bytes = Vec::with_capacity(keys.len() * shape.bytes());
        with_record!(shape, K => keys.iter().for_each(|key| bytes.extend_from_slice(K::nearest(*key).as_bytes())));
        Keys { shape, bytes: Cow::Owned(bytes) }
    }

    /// What a file whose keys have this form holds of them: as they are, or moved to it, and no more than its count
    /// can say.
    pub(crate) fn stored_as(&self, shape: Shape) -> Cow<'_, [u8]> {
        let bytes = match shape == self.shape {
            true => Cow::Borrowed(&*self.bytes),
            false => self.reshaped(shape).bytes,
        };
        let most = (shape.frame.largest() as usize).saturating_mul(shape.bytes());
        match bytes.len() > most {
            true => Cow::Owned(bytes.get(..most).unwrap_or_default().to_vec()),
            false => bytes,
        }
    }
}
