//! Poses of clips: mirrored, as differences, on the way of a root, and for another skeleton.

use super::asked::{Asked, moment, needed};
use super::edited::PyEdited;
use super::files::Files;
use crate::error::exception;
use crate::json::object;
use crate::keywords::Keywords;
use crate::source;
use crate::threads::free;
use maquette::clips::{Bases, Going, Moment, Pose, Proposed, Refusal, Rig, root_axes};
use maquette::motion::Blend;
use maquette::motion::ops::{self, Axis, Base, Lasts, Reference, RetargetOptions, RootBones, Sides, Translations};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::Path;
use std::sync::Arc;

/// Lets left and right change places. Sides are told by the names of bones, and by `map`, a dict or a file of pairs; `axis` goes from one side to the other.
///
/// `skeleton` is the model whose pose is mirrored by, for files without nodes: a file or a scene.
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, axis='x', skeleton=None, map=None, clips=(), **options)")]
pub fn mirror<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("mirror", options)?;
    let axis = keywords.word("axis", &[("x", Axis::X), ("y", Axis::Y), ("z", Axis::Z)])?.unwrap_or(Axis::X);
    let skeleton = keywords.rig(py)?;
    let pairs = keywords.map(py, "map")?.unwrap_or_default();
    let sides = Sides::new(&pairs).map_err(|why| PyValueError::new_err(why.to_string()))?;
    Files::take(keywords, source, target)?.each(py, &|mut motion, rig| {
        ops::mirror(&mut motion, rig.or(skeleton.as_ref()), axis, &sides).map(|did| (vec![motion], did))
    })
}

/// What values are differences from, or are put onto.
struct Onto {
    pose: Pose,
    bases: Bases,
}

impl Onto {
    /// `rest`, `first`, a file as the command writes it, another source, or one with a moment.
    fn of(
        py: Python<'_>,
        name: &str,
        given: &Bound<'_, PyAny>,
        clip: Option<&str>,
        edited: &Bound<'_, PyAny>,
    ) -> PyResult<Onto> {
        let (given, at) = match given.cast::<PyTuple>() {
            Ok(pair) if pair.len() == 2 => (pair.get_item(0)?, Some(moment(name, &pair.get_item(1)?)?)),
            _ => (given.clone(), None),
        };
        let pose = match given.extract::<String>() {
            Ok(text) if at.is_none() => text.parse().unwrap_or(Pose::Rest),
            Ok(path) => Pose::File(path.into(), at),
            Err(_) => return Onto::read(py, &given, at, clip, edited),
        };
        match &pose {
            Pose::File(path, at) => Onto::read(py, &path.as_path().into_pyobject(py)?.into_any(), *at, clip, edited),
            Pose::Rest | Pose::First if clip.is_some() => Err(PyTypeError::new_err(
                "base_clip is of a file, and none is named: write it in place of rest or first",
            )),
            Pose::Rest | Pose::First => Ok(Onto { pose, bases: Bases::default() }),
        }
    }

    fn read(
        py: Python<'_>,
        given: &Bound<'_, PyAny>,
        at: Option<Moment>,
        clip: Option<&str>,
        edited: &Bound<'_, PyAny>,
    ) -> PyResult<Onto> {
        let input = source::input(given, None, None)?;
        let bases = free(py, || Bases::read(&input, clip, at)).map_err(|error| exception(py, error))?;
        let is_same = match (source::path_of(given)?, source::path_of(edited)?) {
            (Some(one), Some(other)) => same_file(&one, &other),
            _ => false,
        };
        let bases = if is_same { bases.of_edited() } else { bases };
        Ok(Onto { pose: Pose::File(input.label.into(), at), bases })
    }
}

fn same_file(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().ok().is_some_and(|one| Some(one) == other.canonicalize().ok())
}

/// Gives clips the differences from a pose as their values.
///
/// `relative_to` is "rest", "first" (the pose a clip begins with), or a file with a clip: at the same moment, or as a pair with a moment at that one.
/// `base_clip` says which clip of that file.
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, relative_to, base_clip=None, skeleton=None, modifier_scope='both', clips=(), **options)")]
pub fn additive_make<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("additive_make", options)?;
    let relative_to = needed("relative_to", keywords.object("relative_to"))?;
    let clip = keywords.text("base_clip")?;
    let (skeleton, scope) = (keywords.rig(py)?, keywords.scope()?);
    let files = Files::take(keywords, source, target)?;
    let onto = Onto::of(py, "relative_to", &relative_to, clip.as_deref(), source)?;
    files.each(py, &|mut motion, own| {
        let rig = skeleton.as_ref().or(own).or(onto.bases.rig());
        let reference = match (&onto.pose, onto.bases.pose(&motion.name)?) {
            (_, Some((clip, None))) => Reference::Clip(clip),
            (_, Some((clip, Some(secs)))) => Reference::Pose(clip, secs),
            (Pose::First, None) => Reference::Start,
            (_, None) => Reference::Rest,
        };
        ops::make_additive(&mut motion, reference, rig, scope).map(|did| (vec![motion], did))
    })
}

/// Puts additive clips onto the rest pose or another clip.
///
/// `onto` is "rest", or a file with a clip: at the same moment, or as a pair with a moment at that one. `duration` is how long the
/// result is on another clip: as the "base", as the "clip", or as the "longer" of both. `as_` is how the values are meant, whatever the
/// file says: "additive" or "relative".
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, onto, base_clip=None, duration=None, as_=None, skeleton=None, modifier_scope='both', clips=(), **options)")]
pub fn additive_compose<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("additive_compose", options)?;
    let onto = needed("onto", keywords.object("onto"))?;
    let clip = keywords.text("base_clip")?;
    let durations = [("base", Lasts::Base), ("clip", Lasts::Clip), ("longer", Lasts::Longer)];
    let lasts = keywords.word("duration", &durations)?;
    let taken_as = keywords.word("as_", &[("additive", Blend::Additive), ("relative", Blend::Relative)])?;
    let (skeleton, scope) = (keywords.rig(py)?, keywords.scope()?);
    let files = Files::take(keywords, source, target)?;
    let onto = Onto::of(py, "onto", &onto, clip.as_deref(), source)?;
    if onto.pose == Pose::First {
        return Err(PyValueError::new_err(
            "a clip cannot be put onto its own first frame; onto is \"rest\", or a file with a clip",
        ));
    }
    if matches!(lasts, Some(Lasts::Base | Lasts::Clip)) && !matches!(onto.pose, Pose::File(_, None)) {
        return Err(PyValueError::new_err(
            "duration chooses between two clips, and a pose lasts no time; name a file without a moment with onto",
        ));
    }
    let lasts = lasts.unwrap_or(Lasts::Longer);
    files.each(py, &|mut motion, own| {
        let rig = skeleton.as_ref().or(own).or(onto.bases.rig());
        let base = match onto.bases.pose(&motion.name)? {
            Some((clip, None)) => Base::Clip(clip),
            Some((clip, Some(secs))) => Base::Pose(clip, secs),
            None => Base::Rest,
        };
        ops::compose_additive(&mut motion, base, rig, scope, taken_as, lasts).map(|did| (vec![motion], did))
    })
}

/// The options of root motion.
struct Root {
    going: Going,
    skeleton: Option<Rig>,
}

impl Root {
    fn take<'py>(py: Python<'py>, keywords: &mut Keywords<'py>) -> PyResult<Root> {
        Ok(Root { going: keywords.going()?, skeleton: keywords.rig(py)? })
    }

    fn bones<'n>(&'n self, motion: Option<&'n str>) -> RootBones<'n> {
        RootBones { root: self.going.root.as_deref(), motion }
    }
}

/// Moves the motion of the root into a bone of its own, and leaves the root in place.
///
/// `axes` is what is motion, such as "xz,yaw"; by default what goes over the ground, and turning. `into` is the bone that gets it.
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, axes=None, up=None, into=None, root=None, skeleton=None, modifier_scope='both', clips=(), **options)")]
pub fn root_motion_extract<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("root_motion_extract", options)?;
    let root = Root::take(py, &mut keywords)?;
    let into = keywords.text("into")?;
    Files::take(keywords, source, target)?.each(py, &|mut motion, own| {
        let rig = root.skeleton.as_ref().or(own);
        let axes = root_axes(root.going.axes, root.going.up, rig)?;
        let bones = root.bones(into.as_deref());
        ops::extract_root_motion(&mut motion, axes, bones, rig, root.going.scope).map(|did| (vec![motion], did))
    })
}

/// Takes the motion out of the root, which stays in place.
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, axes=None, up=None, root=None, skeleton=None, modifier_scope='both', clips=(), **options)")]
pub fn root_motion_remove<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("root_motion_remove", options)?;
    let root = Root::take(py, &mut keywords)?;
    Files::take(keywords, source, target)?.each(py, &|mut motion, own| {
        let rig = root.skeleton.as_ref().or(own);
        let axes = root_axes(root.going.axes, root.going.up, rig)?;
        ops::remove_root_motion(&mut motion, axes, root.bones(None), rig, root.going.scope)
            .map(|did| (vec![motion], did))
    })
}

/// Puts the motion that a bone, `from_`, has for itself back into the root; the bone goes.
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, from_=None, root=None, skeleton=None, modifier_scope='both', clips=(), **options)")]
pub fn root_motion_bake<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("root_motion_bake", options)?;
    let going = Going { root: keywords.text("root")?, scope: keywords.scope()?, ..Going::default() };
    let root = Root { going, skeleton: keywords.rig(py)? };
    let from = keywords.text("from_")?;
    Files::take(keywords, source, target)?.each(py, &|mut motion, own| {
        let rig = root.skeleton.as_ref().or(own);
        let bones = root.bones(from.as_deref());
        ops::bake_root_motion(&mut motion, bones, rig, root.going.scope).map(|did| (vec![motion], did))
    })
}

/// Gives clips for one skeleton the bones of another.
///
/// `skeleton` is the model that they become for, and `skeleton_from` the one they are for, that of the file by default: files or scenes. Joints are mapped by
/// name, by the words that programs have for them, or by `map`. `translations` are taken over of the "root" and the hips, of all bones in the ratio of the
/// skeletons ("scaled"), or of "all" as they are; `factor` takes the place of that ratio. A model that is written is `skeleton`, with these clips and no others.
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, skeleton, skeleton_from=None, map=None, translations='root', factor=None, modifier_scope='both', clips=(), **options)")]
pub fn retarget<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("retarget", options)?;
    let (scene, to) = needed("skeleton", keywords.model(py, "skeleton")?)?;
    let from = keywords.model(py, "skeleton_from")?.map(|(_, rig)| rig);
    let map = keywords.map(py, "map")?;
    let whose = [("root", Translations::Root), ("scaled", Translations::Scaled), ("all", Translations::All)];
    let options = RetargetOptions {
        map: map.as_ref(),
        translations: keywords.word("translations", &whose)?.unwrap_or(Translations::Root),
        factor: keywords.number("factor")?,
        scope: keywords.scope()?,
    };
    let mut files = Files::take(keywords, source, target)?;
    files.options.onto = Some(Arc::new(scene));
    files.each(py, &|mut motion, own| {
        let no_skeleton =
            || Refusal("its file holds no skeleton; name the model that the clip is for with --skeleton-from".into());
        let from = from.as_ref().or(own).ok_or_else(no_skeleton)?;
        ops::retarget(&mut motion, from, &to, options).map(|did| (vec![motion], did))
    })
}

/// The map of bones that the names of two skeletons suggest, with how sure each line is: what `retarget` goes by without a map.
///
/// The fields are those of `maquette clip retarget --propose --json`.
#[pyfunction]
#[pyo3(signature = (skeleton_from, skeleton))]
pub fn propose<'py>(
    py: Python<'py>,
    skeleton_from: &Bound<'py, PyAny>,
    skeleton: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let given = PyDict::new(py);
    given.set_item("skeleton_from", skeleton_from)?;
    given.set_item("skeleton", skeleton)?;
    let mut keywords = Keywords::new("propose", Some(&given))?;
    let (_, from) = needed("skeleton_from", keywords.model(py, "skeleton_from")?)?;
    let (_, to) = needed("skeleton", keywords.model(py, "skeleton")?)?;
    object(py, &free(py, || Proposed::new(&from, &to)))
}
