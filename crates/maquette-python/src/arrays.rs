//! Memory of a scene as NumPy arrays, and back. The only place with pointers.
//!
//! An array that is lent points at the heap of a vector in the scene, and holds a [`Lease`] of it, which keeps the scene alive. What must hold: that heap stays where it is as long as
//! there is a lease. So a vector that is lent is never dropped, grown or shrunk: one that takes its place retires it ([`Lent::retire`]), arrays that were lent from it see its last values, and with
//! the last of them it goes. Moving the vector itself, as a list of parts does that grows, leaves its heap alone.
//!
//! What reads or writes the values does so with the interpreter held, or on a copy of the scene: then no Python code runs at the same time. NumPy lets go of the interpreter for long work on
//! large arrays, so that two threads of Python can still race over one array, as they can without this package; all that can come of it are other numbers, for no code of the library trusts
//! a number of a scene to be in range.

use crate::scene::store::PyScene;
use maquette::scene::glam::Mat4;
use numpy::ndarray::{ArrayD, ArrayViewMut, IxDyn, ShapeBuilder};
use numpy::{
    Element, PyArray, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods, dtype,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::IntoPyDict;
use std::any::Any;
use std::collections::HashMap;

/// What is lent from a scene.
#[derive(Default)]
pub struct Lent {
    /// Where the vectors begin, and how many arrays point at each.
    leases: HashMap<usize, usize>,
    /// Vectors that others have taken the place of, by where they begin.
    retired: HashMap<usize, Box<dyn Any + Send + Sync>>,
}

impl Lent {
    /// Keeps a vector that no longer belongs to the scene, as long as arrays point at it.
    pub fn retire<T: Send + Sync + 'static>(&mut self, vector: Vec<T>) {
        let place = vector.as_ptr().addr();
        if self.leases.contains_key(&place) {
            self.retired.insert(place, Box::new(vector));
        }
    }

    /// An array is gone.
    fn give_back(&mut self, place: usize) {
        if let Some(arrays) = self.leases.get_mut(&place) {
            *arrays -= 1;
            if *arrays == 0 {
                self.leases.remove(&place);
                self.retired.remove(&place);
            }
        }
    }
}

/// What an array holds that points at a vector of a scene.
#[pyclass(module = "maquette", frozen)]
pub struct Lease {
    scene: Py<PyScene>,
    place: usize,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.scene.get().store().lent.give_back(self.place);
    }
}

/// A stream of rows of so many numbers, as the scene stores it.
pub trait Rows: Send + Sync + Sized + Copy + 'static {
    /// What a row is made of: `f32` or `u32`.
    type Number: Element + Copy;
    /// What comes after the number of rows in the shape: `[3]`; empty for plain numbers.
    const SHAPE: &'static [usize];
    /// The numbers, row by row.
    fn numbers(rows: &[Self]) -> &[Self::Number];
    /// The same, to change them.
    fn numbers_mut(rows: &mut [Self]) -> &mut [Self::Number];
    /// Rows of numbers, of which there are enough.
    fn rows(numbers: &[Self::Number]) -> Vec<Self>;
}

macro_rules! rows {
    ($($number:ty),+) => { $(
        impl Rows for $number {
            type Number = $number;
            const SHAPE: &'static [usize] = &[];
            fn numbers(rows: &[Self]) -> &[$number] { rows }
            fn numbers_mut(rows: &mut [Self]) -> &mut [$number] { rows }
            fn rows(numbers: &[$number]) -> Vec<Self> { numbers.to_vec() }
        }
        impl<const N: usize> Rows for [$number; N] {
            type Number = $number;
            const SHAPE: &'static [usize] = &[N];
            fn numbers(rows: &[Self]) -> &[$number] { rows.as_flattened() }
            fn numbers_mut(rows: &mut [Self]) -> &mut [$number] { rows.as_flattened_mut() }
            fn rows(numbers: &[$number]) -> Vec<Self> { numbers.as_chunks().0.to_vec() }
        }
    )+ };
}
rows!(f32, u32);

/// Memory of a scene that is about to be lent.
pub struct Loan<T> {
    pointer: *mut T,
    shape: Vec<usize>,
    strides: Option<Vec<usize>>,
}

impl Lent {
    /// Lends a stream: an array of one row for each of its rows.
    pub fn lend<R: Rows>(&mut self, rows: &mut [R]) -> Loan<R::Number> {
        let shape = [&[rows.len()], R::SHAPE].concat();
        self.lend_numbers(R::numbers_mut(rows), shape)
    }

    /// Lends numbers in this shape, which has as many.
    pub fn lend_numbers<T>(&mut self, numbers: &mut [T], shape: Vec<usize>) -> Loan<T> {
        let fits = shape.iter().product::<usize>() == numbers.len();
        let shape = if fits { shape } else { vec![numbers.len()] };
        *self.leases.entry(numbers.as_ptr().addr()).or_default() += 1;
        Loan { pointer: numbers.as_mut_ptr(), shape, strides: None }
    }

    /// Lends matrices, which lie column by column, as people write them: row, then column.
    pub fn lend_matrices(&mut self, matrices: &mut [Mat4]) -> Loan<f32> {
        let shape = vec![matrices.len(), 4, 4];
        let loan = self.lend_numbers(columns(matrices), shape);
        Loan { strides: Some(vec![16, 1, 4]), ..loan }
    }

    /// Makes these matrices the list: in their place, where there are as many, and instead of the others, where not.
    pub fn replace_matrices(&mut self, list: &mut Vec<Mat4>, matrices: Vec<Mat4>) {
        if list.len() == matrices.len() {
            list.copy_from_slice(&matrices);
        } else {
            self.retire(std::mem::replace(list, matrices));
        }
    }

    /// Makes these rows the stream: in their place, where there are as many, so that arrays that were lent see them; and instead of the others, where not.
    pub fn replace<R: Rows>(&mut self, stream: &mut Vec<R>, rows: Vec<R>) {
        if stream.len() == rows.len() {
            stream.copy_from_slice(&rows);
        } else {
            self.retire(std::mem::replace(stream, rows));
        }
    }

    /// The same for a stream that may be missing.
    pub fn replace_optional<R: Rows>(&mut self, stream: &mut Option<Vec<R>>, rows: Option<Vec<R>>) {
        match (stream.as_mut(), rows) {
            (Some(stream), Some(rows)) => self.replace(stream, rows),
            (_, rows) => {
                if let Some(old) = std::mem::replace(stream, rows) {
                    self.retire(old);
                }
            }
        }
    }

    /// The same for a list of streams: each in the place of the one before, as far as there are any.
    pub fn replace_list<R: Rows>(&mut self, streams: &mut Vec<Vec<R>>, lists: Vec<Vec<R>>) {
        for gone in streams.drain(lists.len().min(streams.len())..) {
            self.retire(gone);
        }
        for (index, rows) in lists.into_iter().enumerate() {
            match streams.get_mut(index) {
                Some(stream) => self.replace(stream, rows),
                None => streams.push(rows),
            }
        }
    }
}

/// The numbers of matrices, column by column.
fn columns(matrices: &mut [Mat4]) -> &mut [f32] {
    const { assert!(size_of::<Mat4>() == size_of::<[f32; 16]>() && align_of::<Mat4>() >= align_of::<f32>()) };
    let count = matrices.len() * 16;
    // SAFETY: a matrix is sixteen numbers and nothing else (its `AsMut<[f32; 16]>`, and the sizes above), so many of them are so many numbers in one allocation; the borrow is the same.
    #[expect(unsafe_code)]
    unsafe {
        std::slice::from_raw_parts_mut(matrices.as_mut_ptr().cast::<f32>(), count)
    }
}

impl<T: Element> Loan<T> {
    /// The array, which can be written to; the scene must be the one that the memory is of.
    pub fn array<'py>(self, scene: &Bound<'py, PyScene>) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
        let shape = IxDyn(&self.shape);
        let shape = match &self.strides {
            Some(strides) => shape.strides(IxDyn(strides)),
            None => shape.into_shape_with_order().into(),
        };
        let lease = Bound::new(scene.py(), Lease { scene: scene.clone().unbind(), place: self.pointer.addr() })?;
        // SAFETY: the pointer is of a vector with as many numbers as the shape has (`lend_numbers`), which stays where it is as long as the lease does (the module's first words).
        #[expect(unsafe_code)]
        unsafe {
            let view = ArrayViewMut::from_shape_ptr(shape, self.pointer);
            Ok(PyArray::borrow_from_array(&view, lease.into_any()))
        }
    }
}

/// An array of its own, of these numbers in this shape. It is a copy of something in a scene or was worked out: nobody would see a change to it, so it cannot be changed.
pub fn owned<'py, T: Element>(py: Python<'py>, numbers: Vec<T>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let array =
        ArrayD::from_shape_vec(IxDyn(shape), numbers).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let array = PyArray::from_owned_array(py, array).into_any();
    array.call_method("setflags", (), Some(&[("write", false)].into_py_dict(py)?))?;
    Ok(array)
}

/// Matrices as an array of its own: row, then column.
pub fn owned_matrices<'py>(py: Python<'py>, matrices: &[Mat4]) -> PyResult<Bound<'py, PyAny>> {
    let numbers = matrices.iter().flat_map(|matrix| matrix.transpose().to_cols_array()).collect();
    owned(py, numbers, &[matrices.len(), 4, 4])
}

/// The rows of anything that NumPy makes an array of. `what` is said where it has another shape.
pub fn rows<R: Rows>(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<R>> {
    let array = array::<R::Number>(object, what)?;
    match array.shape().split_first() {
        Some((_, row)) if row == R::SHAPE => Ok(R::rows(slice(&array)?)),
        _ => {
            let row: String = R::SHAPE.iter().map(|side| format!(" {side}")).collect();
            Err(shaped(what, array.shape(), &format!("(n,{row})")))
        }
    }
}

/// Where the rows of an array lie, and how many, if it is of just this type and shape and in one piece.
pub fn place<R: Rows>(object: &Bound<'_, PyAny>) -> Option<(usize, usize)> {
    let array = object.cast::<PyArrayDyn<R::Number>>().ok()?;
    let (rows, row) = array.shape().split_first()?;
    (row == R::SHAPE && array.is_c_contiguous()).then(|| (array.data().addr(), *rows))
}

/// The matrices of anything that NumPy makes an array of: row, then column.
pub fn matrices(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<Mat4>> {
    let (numbers, shape) = numbers::<f32>(object, what)?;
    match *shape {
        [_, 4, 4] => Ok(numbers.as_chunks().0.iter().map(|rows| Mat4::from_cols_array(rows).transpose()).collect()),
        _ => Err(shaped(what, &shape, "(n, 4, 4)")),
    }
}

/// What is said about an array of another shape than the one that is wanted.
pub fn shaped(what: &str, shape: &[usize], right: &str) -> PyErr {
    let sides: Vec<String> = shape.iter().map(usize::to_string).collect();
    let sides = match &*sides {
        [one] => format!("({one},)"),
        sides => format!("({})", sides.join(", ")),
    };
    PyValueError::new_err(format!("{what} has the shape {sides}; {right} would be right"))
}

/// The numbers of anything that NumPy makes an array of, row by row, and its shape.
pub fn numbers<T: Element + Copy>(object: &Bound<'_, PyAny>, what: &str) -> PyResult<(Vec<T>, Vec<usize>)> {
    let array = array::<T>(object, what)?;
    Ok((slice(&array)?.to_vec(), array.shape().to_vec()))
}

fn slice<'a, T: Element>(array: &'a PyReadonlyArrayDyn<'_, T>) -> PyResult<&'a [T]> {
    array.as_slice().map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Anything that NumPy makes an array of numbers of, as an array of these in one piece.
fn array<'py, T: Element + Copy>(object: &Bound<'py, PyAny>, what: &str) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    let py = object.py();
    let wanted = dtype::<T>(py);
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (object,))?;
    let kind = array.getattr("dtype")?.getattr("kind")?.extract::<char>()?;
    let fits = if wanted.kind() == b'f' { "fiu" } else { "iu" };
    let is_empty = array.getattr("size")?.extract::<usize>()? == 0;
    if !fits.contains(kind) && !is_empty {
        return Err(PyTypeError::new_err(format!(
            "{what} has numbers of type {}, and {wanted} would be right",
            array.getattr("dtype")?
        )));
    }
    if wanted.kind() == b'u' && !is_empty {
        let (least, most) =
            (array.call_method0("min")?.extract::<i128>()?, array.call_method0("max")?.extract::<i128>()?);
        let limit = (1 << (8 * wanted.itemsize())) - 1;
        if least < 0 || most > limit {
            let wrong = if least < 0 { least } else { most };
            return Err(PyValueError::new_err(format!("{what} has {wrong}, which is not from 0 to {limit}")));
        }
    }
    let array = numpy.call_method1("ascontiguousarray", (array, wanted))?;
    array.extract()
}
