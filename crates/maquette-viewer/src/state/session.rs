//! The whole of what the window shows: one file or two, the camera, the look, and what was said lately.

use super::camera::{Lens, Orbit};
use super::document::{Context, Document, Progress, Told};
use super::files::{self, Recent};
use super::look::Look;
use super::player::Player;
use super::selection::Thing;
use crate::actions::{Action, Effect};
use crate::work::chart::Chart;
use crate::work::export::{Conversion, Export, Failure, Order};
use crate::work::losses::Previews;
use crate::work::pick::Sight;
use maquette::overwrite::Overwrite;
use maquette_gpu::Passes;
use maquette_render::{Bounds, Framing, Hollows, Mode, Shadow, ToneMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Something said to the user.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// What.
    pub text: String,
    /// Whether something went wrong.
    pub kind: NoticeKind,
    /// When.
    pub since: Instant,
}

/// Whether something went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// It did not.
    Done,
    /// It did.
    Wrong,
}

/// How large two models are shown side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Each fills its picture; cameras move together, in proportion to what they see.
    #[default]
    Own,
    /// Both by one camera.
    Same,
}

/// How long notices are shown.
const NOTICE_TIME: Duration = Duration::from_secs(8);
/// How often files are looked at for changes.
const WATCH_SECS: f32 = 0.5;
/// Radians in a second.
const ROTATION: f32 = 0.6;

/// The whole of what the window shows.
pub struct Session {
    context: Context,
    /// The files that are open: one, or two side by side.
    pub documents: Vec<Document>,
    /// Which of them panels show.
    pub active: usize,
    /// Read anew because their files changed; each takes its place once it can be shown.
    successors: Vec<(usize, Document)>,
    /// Where the first model is seen from; [`Session::orbit_of`] is where each is.
    pub orbit: Orbit,
    /// How large two models are shown.
    pub scale: Scale,
    /// How they are shown.
    pub look: Look,
    /// How fast the camera goes round, in parts of the usual speed; `None` while it does not.
    pub rotation: Option<f32>,
    /// Whether keys and pointer fly.
    pub is_flying: bool,
    /// Files opened lately.
    pub recent: Recent,
    /// What was said lately.
    pub notices: Vec<Notice>,
    /// Whether the page of keys is shown.
    pub shows_help: bool,
    /// Whether panels are shown.
    pub shows_panels: bool,
    /// How large the window is, in points, once that is known.
    pub window: Option<[f32; 2]>,
    /// Whether the window is dark.
    pub is_dark: bool,
    /// The size of the picture of a model, in pixels; `None` before the first one.
    pub size: Option<[u32; 2]>,
    /// How models are converted.
    pub conversion: Conversion,
    /// The ending of the next file that is exported, unless another is chosen.
    pub export_ending: &'static str,
    /// An export that files of others are in the way of, and what was said about it.
    pub refused: Option<(PathBuf, String)>,
    exports: Vec<Export>,
    since_watched_secs: f32,
    /// Whether what is picked next is looked at.
    looks_at_next: bool,
}

impl Session {
    /// With nothing open.
    pub fn new(context: Context) -> Session {
        Session {
            context,
            documents: Vec::new(),
            active: 0,
            successors: Vec::new(),
            orbit: Orbit::default(),
            scale: Scale::default(),
            look: Look::default(),
            rotation: None,
            is_flying: false,
            recent: Recent::default(),
            notices: Vec::new(),
            shows_help: false,
            shows_panels: true,
            window: None,
            is_dark: true,
            size: None,
            conversion: Conversion::default(),
            export_ending: "glb",
            refused: None,
            exports: Vec::new(),
            since_watched_secs: 0.0,
            looks_at_next: false,
        }
    }

    /// The document that panels show.
    pub fn document(&self) -> Option<&Document> {
        self.documents.get(self.active)
    }

    /// The document that panels show, to be changed.
    pub fn document_mut(&mut self) -> Option<&mut Document> {
        self.documents.get_mut(self.active)
    }

    /// What plays in it.
    pub fn player_mut(&mut self) -> Option<&mut Player> {
        self.document_mut()?.player.as_mut()
    }

    /// Opens a file in place of the one that panels show.
    pub fn open(&mut self, path: PathBuf) {
        let mut document = self.begin(path);
        let other = self.documents.iter().enumerate().find(|(place, _)| *place != self.active);
        document.want_framing(framing_beside(other.map(|(_, other)| other)));
        self.successors.retain(|(place, _)| *place != self.active);
        match self.documents.get_mut(self.active) {
            Some(there) => *there = document,
            None => {
                self.documents.push(document);
                self.active = self.documents.len() - 1;
            }
        }
    }

    /// Opens a file beside the first.
    pub fn open_beside(&mut self, path: PathBuf) {
        if self.documents.is_empty() {
            return self.open(path);
        }
        let mut document = self.begin(path);
        document.want_framing(framing_beside(self.documents.first()));
        self.successors.retain(|(place, _)| *place != 1);
        self.documents.truncate(1);
        self.documents.push(document);
        self.active = 1;
    }

    fn begin(&mut self, path: PathBuf) -> Document {
        // By its whole name: dialogs and neighbours begin in its folder.
        let path = std::path::absolute(&path).unwrap_or(path);
        self.recent.add(&path);
        // What was said was about another file.
        self.notices.clear();
        Document::open(path, &self.context)
    }

    /// Opens what was dropped: models, and clips onto the model that is there.
    pub fn drop_files(&mut self, paths: Vec<PathBuf>) {
        for path in paths {
            match self.document_mut().filter(|document| document.staged.is_some()) {
                Some(document) => document.drop_file(path),
                None => self.open(path),
            }
        }
    }

    /// Says something.
    pub fn say(&mut self, text: impl Into<String>, kind: NoticeKind) {
        self.notices.push(Notice { text: text.into(), kind, since: Instant::now() });
        let surplus = self.notices.len().saturating_sub(6);
        self.notices.drain(..surplus);
    }

    /// Time goes on: takes what threads have done, plays, turns.
    pub fn update(&mut self, delta_secs: f32) {
        let size = self.size;
        let mut told = Vec::new();
        for (place, document) in self.documents.iter_mut().enumerate() {
            told.extend(document.update(delta_secs, size).into_iter().map(|told| (place, told)));
        }
        for (place, told) in told {
            self.hear(place, told);
        }
        self.take_successors(delta_secs);
        self.watch(delta_secs);
        if let Some(speed) = self.rotation {
            self.orbit.turn(ROTATION * speed * delta_secs, 0.0);
        }
        self.notices.retain(|notice| notice.since.elapsed() < NOTICE_TIME);
        let mut outcomes = Vec::new();
        self.exports.retain(|export| match export.outcome() {
            Some(outcome) => {
                outcomes.push((export.path.clone(), outcome));
                false
            }
            None => true,
        });
        for (path, outcome) in outcomes {
            match outcome {
                Ok(said) => self.say(said, NoticeKind::Done),
                Err(Failure::InTheWay(why)) => self.refused = Some((path, why)),
                Err(Failure::Other(why)) => self.say(why, NoticeKind::Wrong),
            }
        }
    }

    fn hear(&mut self, place: usize, told: Told) {
        match told {
            Told::Camera(home) => {
                let home = home.with_angle_of(&self.orbit);
                if let Some(document) = self.documents.get_mut(place) {
                    document.home = Some(home);
                }
                if place == 0 {
                    self.orbit = home;
                }
            }
            Told::Picked(Some(point)) if std::mem::take(&mut self.looks_at_next) => {
                self.turn_camera_of(place, |orbit| {
                    orbit.focus = point;
                    orbit.zoom(1.0);
                });
            }
            Told::Picked(_) => {}
            Told::Open(path) => self.open(path),
            Told::Notice(text) => self.say(text, NoticeKind::Done),
            Told::Failure(text) => self.say(text, NoticeKind::Wrong),
        }
    }

    /// Reads files again that were changed.
    fn watch(&mut self, delta_secs: f32) {
        self.since_watched_secs += delta_secs;
        if self.since_watched_secs < WATCH_SECS {
            return;
        }
        self.since_watched_secs = 0.0;
        let outdated = self.documents.iter().enumerate().filter(|(place, document)| {
            let is_read_again = self.successors.iter().any(|(successor, _)| successor == place);
            !is_read_again && document.progress() != Progress::Reading && document.is_outdated()
        });
        let outdated: Vec<usize> = outdated.map(|(place, _)| place).collect();
        for place in outdated {
            self.reload(place);
        }
    }

    fn reload(&mut self, place: usize) {
        let Some(document) = self.documents.get(place) else { return };
        let successor = Document::open(document.path.clone(), &self.context);
        self.successors.retain(|(there, _)| *there != place);
        self.successors.push((place, successor));
    }

    /// What was read anew takes its place once it can be shown, and goes on where the other was.
    fn take_successors(&mut self, delta_secs: f32) {
        let size = self.size;
        for (place, mut successor) in std::mem::take(&mut self.successors) {
            let told = successor.update(delta_secs, size);
            match successor.progress() {
                Progress::Reading | Progress::Staging => self.successors.push((place, successor)),
                Progress::Ready | Progress::Failed => {
                    if let Some(there) = self.documents.get_mut(place) {
                        if let (Some(new), Some(old)) = (&mut successor.player, &there.player) {
                            let clips = new.clips().clone();
                            *new = old.clone();
                            new.set_clips(clips);
                        }
                        successor.selection = std::mem::take(&mut there.selection);
                        successor.home = there.home;
                        *there = successor;
                    }
                    told.into_iter().for_each(|told| self.hear(place, told));
                    let name = self.documents.get(place).map(Document::name).unwrap_or_default();
                    self.say(format!("{name} was changed and is read again"), NoticeKind::Done);
                }
            }
        }
    }

    /// Whether pictures change by themselves.
    pub fn is_moving(&self) -> bool {
        let moving = self.documents.iter().any(Document::is_moving);
        moving || self.rotation.is_some() || !self.notices.is_empty()
    }

    /// Writes the model to a file.
    pub fn export(&mut self, path: PathBuf, overwrite: Overwrite) {
        let Some(document) = self.document() else { return };
        let Some(scene) = document.scene().cloned() else { return };
        let sources = document.input.as_ref().map(|input| input.sources()).unwrap_or_default();
        let order = Order { scene, sources, path, conversion: self.conversion, overwrite };
        self.exports.push(Export::start(order, Arc::clone(&self.context.wake)));
    }

    /// Tells what conversions of the document would lose; begins to find out, the first time and whenever something else is asked for.
    pub fn previews(&mut self) -> Option<&Previews> {
        let (wake, conversion) = (Arc::clone(&self.context.wake), self.conversion);
        let document = self.document_mut()?;
        let scene = Arc::clone(document.scene()?);
        let stem = document.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        document.previews.take_if(|previews| previews.conversion != conversion);
        Some(document.previews.get_or_insert_with(|| Previews::start(scene, stem, conversion, wake)))
    }

    /// The bytes of the document, field by field; begins to go through them, the first time. `None` while there are none.
    pub fn chart(&mut self) -> Option<&mut Chart> {
        let wake = Arc::clone(&self.context.wake);
        let document = self.document_mut()?;
        let input = Arc::clone(document.input.as_ref()?);
        Some(document.chart.get_or_insert_with(|| Chart::start(input, wake)))
    }

    /// Picks what is at a place of a picture, and looks at it.
    pub fn look_at(&mut self, place: usize, at: [f32; 2]) {
        self.looks_at_next = true;
        self.pick(place, at);
        let chosen = self.document().and_then(Document::place_of_selection).filter(|_| self.look.overlays.skeleton);
        if let Some((point, _)) = chosen {
            self.looks_at_next = false;
            self.turn_camera_of(place, |orbit| orbit.focus = point);
        }
    }

    /// Where a model is seen from.
    pub fn orbit_of(&self, place: usize) -> Orbit {
        self.homes(place).map_or(self.orbit, |[first, own]| self.orbit.carried(&first, &own))
    }

    /// Moves the camera of a model, and that of the other with it.
    fn turn_camera_of(&mut self, place: usize, turn: impl FnOnce(&mut Orbit)) {
        let mut orbit = self.orbit_of(place);
        turn(&mut orbit);
        self.orbit = self.homes(place).map_or(orbit, |[first, own]| orbit.carried(&own, &first));
    }

    /// How the first model and another were framed, where each has a scale of its own.
    fn homes(&self, place: usize) -> Option<[Orbit; 2]> {
        let home = |place: usize| self.documents.get(place)?.home;
        (self.scale == Scale::Own && place > 0).then(|| Some([home(0)?, home(place)?])).flatten()
    }

    /// Picks what is at a place of a picture, in pixels: a joint if bones are shown and one is near, or else what is drawn there.
    pub fn pick(&mut self, place: usize, at: [f32; 2]) {
        let Some(size) = self.size.map(|size| size.map(|side| side as f32)) else { return };
        let (orbit, bones) = (self.orbit_of(place), self.look.overlays.skeleton);
        let Some(document) = self.documents.get_mut(place) else { return };
        self.active = place;
        if let Some(joint) = bones.then(|| super::joints::nearest(document, &orbit, at, size)).flatten() {
            document.selection.choose(Thing::Node(joint));
            return;
        }
        let (from, towards) = orbit.ray(at, size);
        document.pick(Sight { from, towards });
    }

    /// Does what an action says; what is left for the window to do.
    pub fn act(&mut self, action: Action) -> Option<Effect> {
        match action {
            Action::Open => return Some(Effect::AskOpen),
            Action::OpenBeside => return Some(Effect::AskOpenBeside),
            Action::AddClips => return Some(Effect::AskClips),
            Action::ChooseBoneMap => return Some(Effect::AskBoneMap),
            Action::Export => return Some(Effect::AskExport),
            Action::Screenshot => return Some(Effect::AskScreenshot),
            Action::Quit => return Some(Effect::Quit),
            Action::ResetPanels => return Some(Effect::ResetPanels),
            Action::ShowPanel(pane) => {
                self.shows_panels = true;
                return Some(Effect::ShowPanel(pane));
            }
            Action::CloseBeside => self.close_beside(),
            Action::OtherSide => self.active = (self.active + 1) % self.documents.len().max(1),
            Action::Reload => self.reload(self.active),
            Action::NextFile => self.open_neighbour(1),
            Action::PreviousFile => self.open_neighbour(-1),
            Action::Fit => self.fit(),
            Action::Focus => self.focus(),
            Action::LookFrom(view) => {
                self.orbit.look_from(view);
                self.fit();
            }
            Action::ToggleLens => {
                self.orbit.lens = match self.orbit.lens {
                    Lens::Perspective => Lens::Orthographic,
                    Lens::Orthographic => Lens::Perspective,
                };
            }
            Action::Wider => self.orbit.set_fov(self.orbit.fov_y * 1.15),
            Action::Narrower => self.orbit.set_fov(self.orbit.fov_y / 1.15),
            Action::ToggleScale => {
                self.scale = if self.scale == Scale::Own { Scale::Same } else { Scale::Own };
                self.fit();
            }
            Action::AutoRotate => self.rotation = if self.rotation.is_some() { None } else { Some(1.0) },
            Action::Fly => self.is_flying = !self.is_flying,
            Action::NextMode => self.look.mode = beside(&Mode::ALL, self.look.mode, 1),
            Action::PreviousMode => self.look.mode = beside(&Mode::ALL, self.look.mode, -1),
            Action::SetMode(mode) => self.look.mode = mode,
            Action::NextToneMap => self.look.tone_map = beside(&ToneMap::ALL, self.look.tone_map, 1),
            Action::SetToneMap(tone_map) => self.look.tone_map = tone_map,
            Action::ToggleSkeleton => flip(&mut self.look.overlays.skeleton),
            Action::ToggleGrid => flip(&mut self.look.overlays.grid),
            Action::ToggleBounds => flip(&mut self.look.overlays.bounds),
            Action::ToggleAxes => flip(&mut self.look.overlays.axes),
            Action::ToggleShadow => {
                self.look.shadow = if self.look.shadow == Shadow::Soft { Shadow::None } else { Shadow::Soft };
            }
            Action::ToggleHollows => {
                self.look.hollows = if self.look.hollows == Hollows::Dark { Hollows::Lit } else { Hollows::Dark };
            }
            Action::NextPasses => {
                let all = [Passes::Both, Passes::Opaque, Passes::Transparent];
                self.look.passes = beside(&all, self.look.passes, 1);
            }
            Action::Brighter => self.look.stops = (self.look.stops + 1.0 / 3.0).min(8.0),
            Action::Darker => self.look.stops = (self.look.stops - 1.0 / 3.0).max(-8.0),
            Action::ResetLook => {
                let (mode, overlays, tone_map) = (self.look.mode, self.look.overlays, self.look.tone_map);
                self.look = Look { mode, overlays, tone_map, ..Look::default() };
            }
            Action::Escape => self.escape(),
            Action::SelectParent | Action::SelectChild | Action::SelectNext | Action::SelectPrevious => {
                if let Some(document) = self.document_mut() {
                    super::joints::step(document, action);
                }
            }
            Action::TogglePanels => flip(&mut self.shows_panels),
            Action::ToggleTheme => flip(&mut self.is_dark),
            Action::Help => flip(&mut self.shows_help),
            play => {
                if let Some(player) = self.player_mut() {
                    act_on(player, play);
                }
            }
        }
        None
    }

    fn close_beside(&mut self) {
        self.documents.truncate(1);
        self.successors.retain(|(place, _)| *place == 0);
        self.active = 0;
    }

    fn open_neighbour(&mut self, steps: isize) {
        let Some(path) = self.document().map(|document| document.path.clone()) else { return };
        match files::neighbour(&path, steps) {
            Some(next) => self.open(next),
            None => self.say("there is no other model in this folder", NoticeKind::Wrong),
        }
    }

    /// Sees all of the model, from the same side.
    fn fit(&mut self) {
        let framing = self.orbit.as_framing();
        match (self.bounds_of_both(), self.size) {
            (Some(both), Some(size)) if self.scale == Scale::Same => {
                self.orbit = Orbit::framing(&both, &framing, size).with_angle_of(&self.orbit);
            }
            _ => self.documents.iter_mut().for_each(|document| document.want_framing(framing)),
        }
    }

    /// The box around both files, where there are two.
    fn bounds_of_both(&self) -> Option<Bounds> {
        let bounds = |document: &Document| document.placed.as_ref()?.bounds;
        let [a, b] = self.documents.as_slice() else { return None };
        Some(bounds(a)?.and(bounds(b)?))
    }

    /// Whether an action would do anything now: menus are grey where it would not.
    pub fn can(&self, action: Action) -> bool {
        let document = self.document();
        match action {
            Action::CloseBeside | Action::OtherSide | Action::ToggleScale => self.documents.len() > 1,
            Action::Focus => document.and_then(Document::place_of_selection).is_some(),
            Action::Reload | Action::NextFile | Action::PreviousFile => document.is_some(),
            Action::AddClips | Action::Export | Action::Screenshot => document.and_then(Document::scene).is_some(),
            Action::SelectParent | Action::SelectChild | Action::SelectNext | Action::SelectPrevious => {
                document.and_then(Document::scene).is_some_and(|scene| !scene.nodes.is_empty())
            }
            Action::Play
            | Action::Rest
            | Action::NextClip
            | Action::PreviousClip
            | Action::NextFrame
            | Action::PreviousFrame
            | Action::Start
            | Action::End
            | Action::ToggleLoop
            | Action::Faster
            | Action::Slower
            | Action::UsualSpeed => {
                let player = document.and_then(|document| document.player.as_ref());
                player.is_some_and(|player| !player.clips().sources.is_empty())
            }
            _ => true,
        }
    }

    /// Whether something that is switched on and off is on; `None` for all else.
    pub fn is_on(&self, action: Action) -> Option<bool> {
        let overlays = self.look.overlays;
        Some(match action {
            Action::ToggleSkeleton => overlays.skeleton,
            Action::ToggleGrid => overlays.grid,
            Action::ToggleBounds => overlays.bounds,
            Action::ToggleAxes => overlays.axes,
            Action::ToggleShadow => self.look.shadow == Shadow::Soft,
            Action::ToggleHollows => self.look.hollows == Hollows::Dark,
            Action::ToggleScale => self.scale == Scale::Same,
            Action::AutoRotate => self.rotation.is_some(),
            Action::Fly => self.is_flying,
            Action::TogglePanels => self.shows_panels,
            Action::Help => self.shows_help,
            Action::ToggleLoop => self.document()?.player.as_ref()?.current()?.is_looping,
            Action::Play => self.document()?.player.as_ref()?.current()?.is_playing,
            _ => return None,
        })
    }

    fn focus(&mut self) {
        match self.document().and_then(Document::place_of_selection) {
            Some((at, radius)) => {
                self.turn_camera_of(self.active, |orbit| {
                    orbit.focus = at;
                    orbit.distance = radius / (orbit.fov_y * 0.5).tan().max(1e-3);
                });
            }
            None => self.fit(),
        }
    }

    fn escape(&mut self) {
        if self.shows_help {
            self.shows_help = false;
        } else if self.is_flying {
            self.is_flying = false;
        } else if let Some(document) = self.document_mut() {
            document.selection.choose(Thing::Nothing);
        }
    }
}

/// How a file is framed that opens beside another: as that was, so that both are seen from one side.
fn framing_beside(other: Option<&Document>) -> Framing {
    other.and_then(|other| other.home).map(|home| home.as_framing()).unwrap_or_default()
}

fn flip(value: &mut bool) {
    *value = !*value;
}

fn beside<T: Copy + PartialEq>(all: &[T], here: T, steps: isize) -> T {
    let place = all.iter().position(|item| *item == here).unwrap_or(0) as isize;
    let next = (place + steps).rem_euclid(all.len().max(1) as isize);
    all.get(next as usize).copied().unwrap_or(here)
}

/// What plays, by actions of its own.
fn act_on(player: &mut Player, action: Action) {
    let count = player.clips().sources.len();
    let here = player.current().map(|channel| channel.clip);
    match action {
        Action::Play => player.toggle(),
        Action::Rest => player.rest(),
        Action::NextClip if count > 0 => player.fade_to(here.map_or(0, |clip| (clip + 1) % count)),
        Action::PreviousClip if count > 0 => player.fade_to(here.map_or(count - 1, |clip| (clip + count - 1) % count)),
        Action::NextFrame => player.step(1),
        Action::PreviousFrame => player.step(-1),
        Action::Start => player.seek(0.0),
        Action::End => player.seek(f32::MAX),
        Action::ToggleLoop => change(player, |channel| flip(&mut channel.is_looping)),
        Action::Faster => change(player, |channel| channel.speed = (channel.speed * 2.0).clamp(-16.0, 16.0)),
        Action::Slower => change(player, |channel| channel.speed *= 0.5),
        Action::UsualSpeed => change(player, |channel| channel.speed = 1.0),
        _ => {}
    }
}

fn change(player: &mut Player, change: impl FnOnce(&mut maquette_anim::mixer::Channel)) {
    let channel = player.channel;
    if let Some(channel) = player.channels_mut().get_mut(channel) {
        change(channel);
    }
}
