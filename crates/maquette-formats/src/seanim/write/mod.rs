//! From the clip of a scene to a file.
//!
//! Times become frames (`frames`), tracks the keys of bones (`bones`, `keys`), events notes. What was kept when
//! a file of this format was read is put back where it still agrees with the clip. Everything but the clip is left out.

mod bones;
mod frames;
mod keys;

use super::extras::{self, listed, shortened};
use super::raw::blend::Trailer;
use super::raw::{
    Bone, Channel, Dialect, File, HEADER_BYTES, HeaderSize, LOOPED, Note, PRESENCE_CUSTOM, PRESENCE_NOTES, Unstored,
};
use crate::format::{Bundle, Error, Fitted, Result, WriteOptions};
use bones::Bones;
use frames::Frames;
use maquette_scene::Scene;
use maquette_scene::clip::Clip;
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::scene::Transform;
use std::borrow::Cow;

/// Writes the clip of a scene.
pub fn write(scene: &Fitted<'_>, options: &WriteOptions<'_>, losses: &mut LossReport) -> Result<Bundle> {
    let dialect = Dialect::known(options.dialect)?;
    let Some(clip) = scene.clips.iter().next() else {
        return Err(Error::CannotHold("the scene has no clip, and SEAnim holds nothing else".into()));
    };
    let subject = subject("clip", 0, &clip.name);
    left_out(scene, losses);
    let stem = options.name.rsplit_once('.').map_or(options.name, |(stem, _)| stem);
    if !clip.name.is_empty() && clip.name != stem {
        losses.dropped(Lost::ClipNames, &*subject, "only the name of the file can tell it", 1);
    }
    let mut writer = Writer { scene, clip, dialect, subject: &subject, losses };
    Ok(writer.file()?.into())
}

/// Reports what is not the clip.
fn left_out(scene: &Scene, losses: &mut LossReport) {
    let placed = scene.nodes.iter().filter(|node| node.transform != Transform::default()).count();
    losses.dropped(Lost::RestPoses, "the skeleton", "rest transforms of nodes", placed as u64);
    let skins = scene.skins.iter().map(|skin| skin.name.as_str()).collect();
    let materials = scene.materials.iter().map(|material| material.name.as_str()).collect();
    let images = scene.images.iter().map(|image| image.name.as_str()).collect();
    let named: [(_, _, Vec<&str>); 3] =
        [(Lost::Skins, "skin", skins), (Lost::Materials, "material", materials), (Lost::Images, "image", images)];
    for (what, kind, names) in named {
        let subjects = names.iter().enumerate().map(|(index, name)| subject(kind, index, name));
        let detail = format!("SEAnim holds animation alone: {}", shortened(subjects));
        losses.dropped(what, "the model", detail, names.len() as u64);
    }
}

struct Writer<'w> {
    scene: &'w Scene,
    clip: &'w Clip,
    dialect: Dialect,
    subject: &'w str,
    losses: &'w mut LossReport,
}

impl<'w> Writer<'w> {
    fn extra<T: serde::de::DeserializeOwned>(&mut self, key: &str) -> Option<T> {
        extras::get(&self.clip.extras, key, self.subject, self.losses)
    }

    /// Bytes stored in the extras.
    fn extra_bytes(&mut self, key: &str) -> Option<Vec<u8>> {
        let text: String = self.extra(key)?;
        self.unhex(&text)
    }

    fn unhex(&mut self, text: &str) -> Option<Vec<u8>> {
        let bytes = extras::unhex(text);
        let lost = u64::from(bytes.is_none());
        self.losses.dropped(Lost::Extras, self.subject, "not in hexadecimal digits", lost);
        bytes
    }

    fn file(&mut self) -> Result<Vec<u8>> {
        let header: extras::Header = self.extra("header").unwrap_or_default();
        let frames = Frames::of(self.clip, header.framerate);
        let custom = self.extra_bytes("custom");
        let trailer = self.extra_bytes("trailer").unwrap_or_default();
        let mut file = File {
            dialect: self.dialect,
            evidence: "made as such".into(),
            header_size: HeaderSize::WithItself,
            anim_type: match (header.anim_type, extras::type_of(self.clip.blend)) {
                // A type without a meaning was read as absolute.
                (Some(unknown), 0) => unknown,
                (_, known) => known,
            },
            anim_flags: header.anim_flags & !LOOPED | if self.clip.looped == Some(true) { LOOPED } else { 0 },
            data_presence_flags: header.data_presence_flags & !PRESENCE_CUSTOM,
            data_property_flags: header.data_property_flags,
            reserved1: header.reserved1,
            framerate: frames.rate.into(),
            frame_count: self.frame_count(frames)?,
            reserved2: header.reserved2,
            unstored: Unstored::default(),
            extra_header: self.extra_header(&header),
            bones: Vec::new(),
            modifiers: Vec::new(),
            notes: self.notes(frames)?,
            custom: Cow::Borrowed(custom.as_deref().unwrap_or_default()),
            trailer: self.trailer(&trailer, frames, header.framerate),
            trailing: Cow::default(),
        };
        if !file.notes.is_empty() {
            file.data_presence_flags |= PRESENCE_NOTES;
        }
        if custom.is_some() {
            file.data_presence_flags |= PRESENCE_CUSTOM;
        }
        self.bones(&mut file, frames)?;
        Ok(file.encode())
    }

    fn bones(&mut self, file: &mut File<'_>, frames: Frames) -> Result<()> {
        let stored_bones = self.extra("bones");
        let stored_modifiers = self.extra("modifiers");
        let bones = Bones::of(self.scene, self.clip, stored_bones, self.subject, self.losses)?;
        bones.left_out(self.scene, self.clip, self.losses);
        file.modifiers = bones.modifiers(self.clip, stored_modifiers, self.losses)?;
        if u32::try_from(bones.drafts.len()).is_err() {
            return Err(Error::CannotHold(format!("{} bones are more than can be counted", bones.drafts.len())));
        }
        let mut writer = keys::Writer { frames, dialect: self.dialect, changes: keys::Changes::default() };
        for draft in bones.drafts {
            let mut keys = Channel::ALL.map(|channel| super::raw::keys::Keys::new(file.shape(channel)));
            for (channel, keys) in Channel::ALL.into_iter().zip(&mut keys) {
                let Some(track) = draft.track(channel) else { continue };
                *keys = writer.keys(&track.curve, file.shape(channel), &draft.known_as)?;
                if !keys.is_empty() {
                    file.data_presence_flags |= channel.flag();
                }
            }
            let [loc, rot, scale] = keys;
            file.bones.push(Bone { name: draft.name.into(), flags: draft.flags, loc, rot, scale });
        }
        writer.changes.report(frames, self.subject, self.losses);
        Ok(())
    }

    /// One more than the last frame that anything lies on, or that the clip lasts to.
    fn frame_count(&mut self, frames: Frames) -> Result<u32> {
        let (most, count) = frames.errors(self.clip);
        let kind = LossKind::Approximated { max_error: most as f32 };
        let detail =
            format!("keys and events move to whole frames at {} a second, by up to {:.3} ms", frames.rate, most * 1e3);
        self.losses.push(kind, Lost::KeyTimes, self.subject, detail, count);

        let ends = self.clip.tracks.iter().filter_map(|track| track.curve.times_secs().last());
        let ends = ends.chain(self.clip.events.iter().map(|event| &event.time_secs)).map(|&secs| f64::from(secs));
        let duration = self.clip.duration_secs.max(0.0);
        let last = ends.chain([duration]).try_fold(0, |last, secs| Ok::<u32, Error>(frames.at(secs)?.max(last)))?;
        let off = (f64::from(last) / f64::from(frames.rate) - duration).abs();
        let lost = u64::from(!frames.is_on_frame(duration) || frames.at(duration)? != last);
        let kind = LossKind::Approximated { max_error: off as f32 };
        let count = last + 1;
        let detail = format!("{duration} s become {count} frames, the last of which is {:.3} ms off", off * 1e3);
        self.losses.push(kind, Lost::Durations, self.subject, detail, lost);
        Ok(count)
    }

    fn notes(&mut self, frames: Frames) -> Result<Vec<Note<'w>>> {
        let events = &self.clip.events;
        let renamed: Vec<&str> =
            events.iter().map(|event| event.name.as_str()).filter(|name| name.contains('\0')).collect();
        let detail = format!("names end at a NUL, which is written as `_`: {}", listed(renamed.iter().copied()));
        self.losses.push(LossKind::Renamed, Lost::Events, self.subject, detail, renamed.len() as u64);
        let note = |event: &'w maquette_scene::clip::Event| {
            let name = match event.name.contains('\0') {
                true => Cow::Owned(event.name.replace('\0', "_").into_bytes()),
                false => Cow::Borrowed(event.name.as_bytes()),
            };
            Ok(Note { frame: frames.at(f64::from(event.time_secs))?, name })
        };
        events.iter().map(note).collect()
    }

    fn extra_header(&mut self, header: &extras::Header) -> Cow<'static, [u8]> {
        let extra = self.unhex(&header.extra).unwrap_or_default();
        let fits = extra.len() <= usize::from(u16::MAX - HEADER_BYTES);
        Cow::Owned(if fits { extra } else { Vec::new() })
    }

    /// The blend shapes that were kept. Their frames are those of the rate they were read with.
    fn trailer<'t>(&mut self, bytes: &'t [u8], frames: Frames, read_at: Option<f32>) -> Trailer<'t> {
        match Trailer::read(bytes, 0) {
            Some(Trailer::Blend(shapes)) if read_at != Some(frames.rate) && !shapes.is_empty() => {
                let detail = "their frames are those of another frame rate";
                self.losses.dropped(Lost::MorphAnimation, self.subject, detail, shapes.len() as u64);
                Trailer::None
            }
            Some(trailer) => trailer,
            None => {
                self.losses.dropped(Lost::Extras, self.subject, "the trailer does not begin like one", 1);
                Trailer::None
            }
        }
    }
}
