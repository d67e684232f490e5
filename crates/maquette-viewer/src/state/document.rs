//! A file that is open: what is known of it by now, and what was asked of its thread.

use super::camera::Orbit;
use super::player::{Moment, Player};
use super::selection::{Selection, Thing};
use crate::work::chart::Chart;
use crate::work::losses::Previews;
use crate::work::reader::{Reader, Request};
use crate::work::{Failure, Fitting, Match, News, Opened, Placed, Staged, Wake};
use maquette::check::Checked;
use maquette::scene::glam::Vec3;
use maquette::{Input, Scene};
use maquette_gpu::Renderer;
use maquette_render::Framing;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// What documents work with.
#[derive(Clone)]
pub struct Context {
    /// Draws; `None` without a graphics processor, as in tests.
    pub renderer: Option<Arc<Renderer>>,
    /// Wakes the window.
    pub wake: Wake,
}

/// How far a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Its bytes are being read.
    Reading,
    /// They are understood; textures are being decoded.
    Staging,
    /// It can be drawn.
    Ready,
    /// It cannot be understood, or not be shown.
    Failed,
}

/// A file that is open.
pub struct Document {
    /// Which.
    pub path: PathBuf,
    /// Its bytes.
    pub input: Option<Arc<Input>>,
    /// What it holds.
    pub opened: Option<Opened>,
    /// Why there is nothing to be seen of it.
    pub failure: Option<Failure>,
    /// Its materials and textures.
    pub staged: Option<Staged>,
    /// Everything where it is.
    pub placed: Option<Placed>,
    /// Every finding.
    pub checked: Option<Arc<Checked>>,
    /// What plays.
    pub player: Option<Player>,
    /// Files whose clips are on the model, or are to be.
    pub clip_files: Vec<PathBuf>,
    /// How each clip of them fits.
    pub clip_matches: Vec<Match>,
    /// How they are put there.
    pub fitting: Fitting,
    /// Whether that is shown.
    pub shows_fitting: bool,
    /// A camera that sees all of it, as it was last framed.
    pub home: Option<Orbit>,
    /// What is selected.
    pub selection: Selection,
    /// What conversions would lose, once somebody wants to know.
    pub previews: Option<Previews>,
    /// Its bytes field by field, once somebody wants to know.
    pub chart: Option<Chart>,
    reader: Reader,
    stamp: Option<Stamp>,
    asked: Option<Moment>,
    wanted_framing: Option<Framing>,
}

/// What tells that a file was changed.
type Stamp = (SystemTime, u64);

fn stamp(path: &Path) -> Option<Stamp> {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

/// What the session is to know of what a document was told.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// A camera that sees all of it.
    Camera(Orbit),
    /// A sentence for the user.
    Notice(String),
    /// Something went wrong.
    Failure(String),
    /// Something was picked: where.
    Picked(Option<Vec3>),
    /// What was dropped onto the model is a model itself.
    Open(PathBuf),
}

impl Document {
    /// Starts to read a file.
    pub fn open(path: PathBuf, context: &Context) -> Document {
        Document {
            reader: Reader::start(path.clone(), context.renderer.clone(), Arc::clone(&context.wake)),
            stamp: stamp(&path),
            path,
            input: None,
            opened: None,
            failure: None,
            staged: None,
            placed: None,
            checked: None,
            player: None,
            clip_files: Vec::new(),
            clip_matches: Vec::new(),
            fitting: Fitting::default(),
            shows_fitting: false,
            home: None,
            selection: Selection::default(),
            previews: None,
            chart: None,
            asked: None,
            wanted_framing: None,
        }
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        match (&self.failure, &self.opened, &self.placed) {
            (Some(_), ..) => Progress::Failed,
            (_, None, _) => Progress::Reading,
            (_, _, None) => Progress::Staging,
            _ => Progress::Ready,
        }
    }

    /// Its name, without folders.
    pub fn name(&self) -> String {
        self.path
            .file_name()
            .map_or_else(|| self.path.display().to_string(), |name| name.to_string_lossy().into_owned())
    }

    /// What panels say while there is no scene.
    pub fn without_scene(&self) -> &'static str {
        match &self.failure {
            None => "It is being read.",
            Some(Failure::Unread(_)) => "It cannot be read.",
            Some(Failure::Unshown(_)) => "It is not shown: the findings say why.",
        }
    }

    /// The scene, once there is one.
    pub fn scene(&self) -> Option<&Arc<Scene>> {
        self.opened.as_ref().map(|opened| &opened.scene)
    }

    /// Whether the file on disk is another than the one that was read. A file that is gone is not: nothing could be read instead.
    pub fn is_outdated(&self) -> bool {
        stamp(&self.path).is_some_and(|now| self.stamp != Some(now))
    }

    /// Asks for a camera that sees all of it, with the next pose.
    pub fn want_framing(&mut self, framing: Framing) {
        self.wanted_framing = Some(framing);
        self.asked = None;
    }

    /// Asks for what is on a line of sight.
    pub fn pick(&self, sight: crate::work::pick::Sight) {
        self.reader.ask(Request::Pick(sight));
    }

    /// Puts clips of a file onto the model.
    pub fn add_clips(&mut self, file: PathBuf) {
        self.reader.ask(Request::AddClips(file));
    }

    /// Puts all clips of other files onto the model anew.
    pub fn fit_clips(&mut self, fitting: Fitting) {
        self.fitting = fitting.clone();
        self.reader.ask(Request::Fit(fitting));
    }

    /// Puts the clips of a file onto the model, if it holds nothing else; otherwise it is to be opened.
    pub fn drop_file(&self, file: PathBuf) {
        self.reader.ask(Request::Drop(file));
    }

    /// Takes what was done, lets time go on, and asks for the next pose, once it is known how large its picture is to be.
    pub fn update(&mut self, delta_secs: f32, size: Option<[u32; 2]>) -> Vec<Told> {
        let news: Vec<News> = self.reader.news().collect();
        let told: Vec<Told> = news.into_iter().filter_map(|news| self.take(news)).collect();
        if let Some(player) = self.player.as_mut().filter(|player| player.is_playing()) {
            player.advance(delta_secs);
        }
        if let Some(previews) = &mut self.previews {
            previews.update();
        }
        if let Some(chart) = &mut self.chart {
            chart.update();
        }
        if let (Some(player), Some(_), Some(size)) = (&self.player, &self.staged, size) {
            let moment = player.moment();
            if self.asked.as_ref() != Some(&moment) {
                let framing = self.wanted_framing.take().map(|framing| (framing, size));
                self.reader.ask(Request::Pose(moment.clone(), framing));
                self.asked = Some(moment);
            }
        }
        told
    }

    fn take(&mut self, news: News) -> Option<Told> {
        match news {
            News::Bytes(input) => self.input = Some(input),
            News::Read(opened) => {
                let mut player = Player::new(opened.clips.clone());
                if opened.scene.nodes.is_empty() {
                    // Clips alone: there is nothing to be seen but a moment of one.
                    player.play(0);
                    player.toggle();
                }
                self.player = Some(player);
                self.opened = Some(*opened);
            }
            News::Failed(why) => {
                // The picture says it, for as long as the file is open.
                self.failure = Some(why);
            }
            News::Staged(staged) => self.staged = Some(staged),
            News::Posed(placed) => {
                let framed = placed.framed;
                self.placed = Some(*placed);
                return framed.map(Told::Camera);
            }
            News::Checked(checked) => self.checked = Some(checked),
            News::ClipFiles(files) => {
                self.clip_files = files;
                self.shows_fitting = true;
            }
            News::Clips { scene, clips, said, new, matches } => {
                self.clip_matches = matches;
                if let (Some(opened), Some(player)) = (&mut self.opened, &mut self.player) {
                    (opened.scene, opened.clips) = (scene, clips.clone());
                    player.set_clips(clips);
                    if let Some(new) = new {
                        player.play(new);
                        self.selection.choose(Thing::Clip(new));
                    }
                }
                // What is posed may be another now.
                self.asked = None;
                self.previews = None;
                return Some(Told::Notice(said));
            }
            News::IsModel(path) => return Some(Told::Open(path)),
            News::NoClips(why) => {
                self.clip_matches.clear();
                return Some(Told::Failure(why));
            }
            News::Picked(picked) => {
                self.selection.choose(picked.map_or(Thing::Nothing, |picked| Thing::Node(picked.node)));
                return Some(Told::Picked(picked.map(|picked| picked.point)));
            }
        }
        None
    }

    /// Whether it draws other pictures by itself.
    pub fn is_moving(&self) -> bool {
        self.player.as_ref().is_some_and(Player::is_playing)
    }

    /// What is looked at when the selection is: where it is, and how large around it.
    pub fn place_of_selection(&self) -> Option<(Vec3, f32)> {
        let placed = self.placed.as_ref()?;
        let bounds = placed.bounds?;
        let node = self.selection.node()?;
        if let Some(drawn) = placed.bounds_of_node.get(&node.index()) {
            return Some((drawn.centre(), drawn.radius()));
        }
        let at = placed.world_from_node.get(node.index())?.w_axis.truncate();
        at.is_finite().then_some((at, bounds.radius() * 0.25))
    }
}
