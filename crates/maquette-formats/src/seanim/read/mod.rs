//! From a file to a scene of one clip and nothing else: bones are known by name, there is no hierarchy and no rest pose.
//!
//! Every run of keys becomes a track (`curves`), every note an event. A modifier becomes the blend of its bone's tracks: what it
//! says about bones below is applied when the clip is put onto a skeleton. What only this format knows goes into the
//! clip's extras.

mod curves;

use super::check::MODIFIER_BONE;
use super::extras::{self, Names, listed};
use super::raw::blend::Trailer;
use super::raw::{ANIM_TYPE_DELTA, Bone, Channel, File, LOOPED, Note, PRESENCE_CUSTOM, PRESENCE_NOTES, Unstored};
use crate::format::{Error, ReadOptions, Result, refuse};
use crate::rules::index_into;
use crate::summary::shown;
use crate::walk;
use curves::Changes;
use maquette_scene::clip::{Blend, Clip, Curve, Event, Target, Track};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::{Diagnostic, Scene, path, valid};

/// What takes the place of a frame rate that gives no times.
const ASSUMED_RATE: f32 = 30.0;

/// Reads a file as a scene that holds one clip.
pub fn read(file: &File<'_>, options: &ReadOptions<'_>, losses: &mut LossReport) -> Result<Scene> {
    let name = options.source.name;
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut scene = Scene::default();
    scene.clips.push(Reader { file, subject: subject("clip", 0, stem), losses }.clip(stem)?);
    // Nothing that was read so can fail; if it does, the place in the file is not known.
    valid::check(&scene).map_err(|invalid| Error::CannotHold(format!("the file makes no sound scene: {invalid}")))?;
    Ok(scene)
}

struct Reader<'r> {
    file: &'r File<'r>,
    subject: String,
    losses: &'r mut LossReport,
}

impl Reader<'_> {
    fn clip(mut self, name: &str) -> Result<Clip> {
        let names = self.names();
        let mut clip = Clip {
            name: name.into(),
            looped: Some(self.file.anim_flags & LOOPED != 0),
            blend: self.blend(),
            ..Clip::default()
        };
        let rate = self.rate();
        clip.frame_rate = Some(rate);
        let blends = self.blends(&names)?;
        let mut changes = Changes::new(rate);
        clip.tracks = self.tracks(&mut changes, &names, &blends)?;
        clip.events = self.events(rate);
        clip.duration_secs = self.duration_secs(&changes);
        changes.report(&self.subject, self.losses);
        self.keep_header(&mut clip);
        self.keep_bones(&mut clip, &names);
        self.keep_modifiers(&mut clip, &names, &blends);
        self.keep_blocks(&mut clip);
        self.unstored();
        Ok(clip)
    }

    /// The bones' names, as text and each once.
    fn names(&mut self) -> Vec<String> {
        let text: Vec<_> = self.file.bones.iter().map(|bone| String::from_utf8_lossy(&bone.name)).collect();
        let mut names = Names::new(text.iter().map(|name| name.to_string()));
        let given: Vec<String> = text.iter().map(|name| names.give(name)).collect();
        let bones = || self.file.bones.iter().zip(&given);
        let not_text: Vec<&str> = bones()
            .filter(|(bone, _)| std::str::from_utf8(&bone.name).is_err())
            .map(|(_, name)| name.as_str())
            .collect();
        let detail = format!("not UTF-8, read as {}", listed(not_text.iter().copied()));
        self.losses.push(LossKind::Renamed, Lost::NodeNames, &*self.subject, detail, not_text.len() as u64);
        let again: Vec<&str> =
            text.iter().zip(&given).filter(|(text, name)| *text != *name).map(|(_, name)| name.as_str()).collect();
        let detail = format!("bones of one name are told apart as {}", listed(again.iter().copied()));
        self.losses.push(LossKind::Renamed, Lost::NodeNames, &*self.subject, detail, again.len() as u64);
        given
    }

    fn blend(&mut self) -> Blend {
        extras::blend_of(self.file.anim_type).unwrap_or_else(|| {
            let detail = format!("type {} has no meaning; values are taken as absolute", self.file.anim_type);
            self.losses.dropped(Lost::Blending, &*self.subject, detail, 1);
            Blend::Absolute
        })
    }

    fn rate(&mut self) -> f32 {
        self.file.usable_framerate().unwrap_or_else(|| {
            let rate = self.file.framerate.get();
            let detail = format!("{rate} frames a second give no times; {ASSUMED_RATE} are assumed");
            self.losses.dropped(Lost::FrameRates, &*self.subject, detail, 1);
            ASSUMED_RATE
        })
    }

    /// The blend of each bone that has one of its own.
    fn blends(&mut self, names: &[String]) -> Result<Vec<Option<Blend>>> {
        let modifiers = &self.file.modifiers;
        let count = self.file.bones.len();
        if let Some(at) = modifiers.iter().position(|modifier| modifier.index as usize >= count) {
            let message = modifiers.get(at).map(|modifier| format!("the bone is {}", modifier.index));
            let finding = Diagnostic::new(&MODIFIER_BONE, path!("modifiers", at, "index"), message.unwrap_or_default());
            return Err(refuse(self.file, finding.expected(index_into(count, "bones"))));
        }
        let known = extras::blends(modifiers.iter().map(|modifier| (modifier.index, modifier.anim_type_override)));
        let unknown =
            modifiers.iter().filter(|modifier| extras::blend_of(modifier.anim_type_override).is_none()).count();
        let detail = "their types have no meaning; the bones are taken like the others";
        self.losses.dropped(Lost::Blending, &*self.subject, detail, unknown as u64);
        let again = modifiers.len() - unknown - known.len();
        let detail = "several name one bone; the last of them holds";
        self.losses.dropped(Lost::Blending, &*self.subject, detail, again as u64);

        let mut lost: Vec<usize> =
            known.keys().map(|&index| index as usize).filter(|&index| !self.has_keys(index)).collect();
        lost.sort_unstable();
        let detail = format!(
            "{} have no keys to take otherwise, and what is below them is not known here",
            listed(lost.iter().filter_map(|&index| names.get(index)).map(String::as_str))
        );
        self.losses.dropped(Lost::Blending, &*self.subject, detail, lost.len() as u64);
        Ok((0..count).map(|index| known.get(&u32::try_from(index).ok()?).copied()).collect())
    }

    fn has_keys(&self, bone: usize) -> bool {
        self.file.bones.get(bone).is_some_and(Bone::has_keys)
    }

    fn tracks<'n>(
        &mut self,
        changes: &mut Changes<'n>,
        names: &'n [String],
        blends: &[Option<Blend>],
    ) -> Result<Vec<Track>> {
        let bones = &self.file.bones;
        let runs = bones.iter().flat_map(|bone| Channel::ALL.map(|channel| bone.keys(channel)));
        let mut tracks = Vec::with_capacity(runs.filter(|keys| !keys.is_empty()).count());
        for (index, ((bone, name), &blend)) in bones.iter().zip(names).zip(blends).enumerate() {
            for channel in Channel::ALL {
                let keys = bone.keys(channel);
                if keys.is_empty() {
                    continue;
                }
                let run = curves::Run { file: self.file, bone: index, channel, keys, name };
                let curve = match channel {
                    Channel::Loc => Curve::Translation(run.curve(changes)?),
                    Channel::Rot => Curve::Rotation(run.curve(changes)?),
                    Channel::Scale => Curve::Scale(run.curve(changes)?),
                };
                tracks.push(Track { target: Target::Name(name.clone()), curve, blend });
            }
        }
        Ok(tracks)
    }

    fn events(&mut self, rate: f32) -> Vec<Event> {
        let notes = &self.file.notes;
        let not_text: Vec<String> = notes
            .iter()
            .filter(|note| std::str::from_utf8(&note.name).is_err())
            .map(|note| shown(&note.name))
            .collect();
        let detail = format!("not UTF-8, read as {}", listed(not_text.iter().map(String::as_str)));
        self.losses.push(LossKind::Renamed, Lost::Events, &*self.subject, detail, not_text.len() as u64);
        let late = notes.iter().map(|note| note.frame).filter(|&frame| frame > curves::LAST_EXACT_FRAME);
        let most = late.clone().map(|frame| curves::time_error(frame, rate)).fold(0.0, f64::max);
        let detail = "frames too far from the start for single-precision seconds";
        let kind = LossKind::Approximated { max_error: most as f32 };
        self.losses.push(kind, Lost::Events, &*self.subject, detail, late.count() as u64);
        let event = |note: &Note<'_>| Event {
            time_secs: note.frame as f32 / rate,
            name: String::from_utf8_lossy(&note.name).into_owned(),
        };
        notes.iter().map(event).collect()
    }

    /// To the end of the frame count, or to the last key or note where an exporter forgot the plus 1.
    fn duration_secs(&self, changes: &Changes<'_>) -> f64 {
        let last = changes.last_frame.max(self.file.notes.iter().map(|note| note.frame).max()).unwrap_or(0);
        f64::from(last.max(self.file.frame_count.saturating_sub(1))) / f64::from(changes.rate)
    }

    fn keep_header(&mut self, clip: &mut Clip) {
        let file = self.file;
        let used = |channel: Channel| file.bones.iter().any(|bone| !bone.keys(channel).is_empty());
        let channels = Channel::ALL.into_iter().filter(|&channel| used(channel)).map(Channel::flag);
        let notes = if file.notes.is_empty() { 0 } else { PRESENCE_NOTES };
        let implied = channels.fold(notes | PRESENCE_CUSTOM, |flags, flag| flags | flag);
        let header = extras::Header {
            framerate: file.usable_framerate(),
            anim_type: extras::blend_of(file.anim_type).is_none().then_some(file.anim_type),
            anim_flags: file.anim_flags & !LOOPED,
            data_presence_flags: file.data_presence_flags & !implied,
            data_property_flags: file.data_property_flags,
            reserved1: file.reserved1,
            reserved2: file.reserved2,
            extra: extras::hex(&file.extra_header),
        };
        extras::set(&mut clip.extras, "header", &header);
    }

    /// The tracks tell the bones and their order, unless one has no keys, flags, or another name in the file. With delta the
    /// first bone has a meaning, so they are kept in any case.
    fn keep_bones(&mut self, clip: &mut Clip, names: &[String]) {
        let bones = self.file.bones.iter().zip(names);
        let is_plain =
            |(bone, name): (&Bone<'_>, &String)| bone.has_keys() && bone.flags == 0 && *bone.name == *name.as_bytes();
        if self.file.anim_type != ANIM_TYPE_DELTA && bones.clone().all(is_plain) {
            return;
        }
        let bone = |(bone, name): (&Bone<'_>, &String)| extras::Bone {
            name: name.clone(),
            raw: (*bone.name != *name.as_bytes()).then(|| extras::hex(&bone.name)),
            flags: bone.flags,
        };
        extras::set(&mut clip.extras, "bones", &bones.map(bone).collect::<Vec<_>>());
    }

    fn keep_modifiers(&mut self, clip: &mut Clip, names: &[String], blends: &[Option<Blend>]) {
        let told = blends.iter().enumerate().filter(|(index, _)| self.has_keys(*index));
        let told = told.filter_map(|(index, blend)| Some((index, extras::type_of((*blend)?))));
        let stored = self.file.modifiers.iter().map(|modifier| (modifier.index as usize, modifier.anim_type_override));
        if told.eq(stored.clone()) {
            return;
        }
        let modifier =
            |(index, anim_type): (usize, u8)| Some(extras::Modifier { bone: names.get(index)?.clone(), anim_type });
        extras::set(&mut clip.extras, "modifiers", &stored.filter_map(modifier).collect::<Vec<_>>());
    }

    fn keep_blocks(&mut self, clip: &mut Clip) {
        let custom = self.file.custom.len() as u64;
        if self.file.data_presence_flags & PRESENCE_CUSTOM != 0 && custom <= extras::MAX_BYTES {
            extras::set(&mut clip.extras, "custom", &extras::hex(&self.file.custom));
        } else {
            let detail = format!("{custom} bytes, too many to keep aside");
            self.losses.dropped(Lost::Extras, &*self.subject, detail, custom);
        }
        let bytes = self.file.trailer.byte_count();
        let shapes = match &self.file.trailer {
            Trailer::None => return,
            Trailer::Blend(shapes) => shapes.len() as u64,
            Trailer::Damaged { .. } => 1,
        };
        if bytes <= extras::MAX_BYTES {
            extras::set(&mut clip.extras, "trailer", &extras::hex(&walk::encode(&self.file.trailer)));
        } else {
            let detail = format!("{bytes} bytes, too many to keep aside");
            self.losses.dropped(Lost::MorphAnimation, &*self.subject, detail, shapes);
        }
    }

    fn unstored(&mut self) {
        let Unstored { bone_count, modifier_count, note_count } = self.file.unstored;
        let count = u64::from(bone_count) + u64::from(modifier_count) + u64::from(note_count);
        let detail = "the header counts what the file does not hold";
        self.losses.dropped(Lost::FormatDetails, &*self.subject, detail, count);
    }
}
