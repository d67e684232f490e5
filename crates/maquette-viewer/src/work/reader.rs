//! The thread of a document: reads the file, makes it ready to be drawn, then poses it whenever that is asked for.
//!
//! It owns what pictures are made of, so that the window never waits. Of several poses asked for while it was busy, the last one counts.

use super::pick::{self, Sight};
use super::{Failure, Fitting, Match, News, Opened, Picked, Placed, Staged, Wake, poser};
use crate::state::camera::Orbit;
use crate::state::player::{Clips, Moment};
use maquette::edit::{self, Edits};
use maquette::info::Info;
use maquette::scene::diag::ReportOptions;
use maquette::scene::loss::LossReport;
use maquette::{Error, Input, ReadOptions, Scene};
use maquette_gpu::{Extras, Model, Renderer, Share, Target};
use maquette_render::{Bounds, Framing, Instead, Posed, Shot, Stage, StageOptions, parts};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What a document may ask its thread for.
pub enum Request {
    /// Everything where it is at a moment; and a camera that sees it, in a picture of this size.
    Pose(Moment, Option<(Framing, [u32; 2])>),
    /// What is on a line of sight, at the last moment posed.
    Pick(Sight),
    /// Clips of another file, put onto the model by the names of bones.
    AddClips(PathBuf),
    /// The same for a file that was dropped, unless it is a model itself.
    Drop(PathBuf),
    /// All of them again, with bones matched in another way.
    Fit(Fitting),
}

/// The window's end of the thread.
pub struct Reader {
    requests: Sender<Request>,
    news: Receiver<News>,
}

impl Reader {
    /// Starts to read a file.
    pub fn start(path: PathBuf, renderer: Option<Arc<Renderer>>, wake: Wake) -> Reader {
        let (requests, asked) = channel();
        let (tell, news) = channel();
        let teller = Teller { news: tell, wake };
        // A thread that cannot be started reads nothing: the document says so by staying as it is.
        let failed = teller.clone();
        let thread = std::thread::Builder::new().name("reader".into());
        if let Err(error) = thread.spawn(move || read(&path, renderer.as_deref(), &asked, &teller)) {
            failed.tell(News::Failed(Failure::Unread(format!("no thread can be started to read it: {error}"))));
        }
        Reader { requests, news }
    }

    /// Asks for something.
    pub fn ask(&self, request: Request) {
        // A thread that has ended answers nothing more.
        _ = self.requests.send(request);
    }

    /// What it has done since it was last looked at.
    pub fn news(&self) -> impl Iterator<Item = News> {
        self.news.try_iter()
    }
}

/// Tells the window.
#[derive(Clone)]
pub(super) struct Teller {
    news: Sender<News>,
    wake: Wake,
}

impl Teller {
    pub fn tell(&self, news: News) {
        // Nobody listens to a document that was closed.
        if self.news.send(news).is_ok() {
            (self.wake)();
        }
    }
}

fn read(path: &Path, renderer: Option<&Renderer>, asked: &Receiver<Request>, teller: &Teller) {
    // In memory: a file that is mapped and becomes shorter ends the program, and this one stays open.
    let input = match Input::from_path_in_memory(path) {
        Ok(input) => Arc::new(input),
        Err(error) => return teller.tell(News::Failed(Failure::Unread(error.to_string()))),
    };
    teller.tell(News::Bytes(Arc::clone(&input)));
    let scene = match open(&input) {
        Ok(opened) => {
            let scene = Arc::clone(&opened.scene);
            teller.tell(News::Read(Box::new(opened)));
            scene
        }
        Err(failure) => {
            teller.tell(News::Failed(failure));
            return teller.tell(News::Checked(Arc::new(check(&input))));
        }
    };
    // What it looks like comes first; findings are read later anyway.
    let stage = Stage::new(&scene, &StageOptions::default());
    let model = renderer.map(|renderer| Arc::new(renderer.load(&stage)));
    let mut lacking = missing(&scene, &stage);
    lacking.extend(model.iter().flat_map(|model| model.notes().iter().cloned()));
    teller.tell(News::Staged(Staged { model: model.clone(), missing: lacking }));
    let mut server = Server {
        path,
        stage: &stage,
        clips: Clips::of(&scene),
        added: Added::default(),
        renderer,
        model,
        scene: &scene,
        teller,
    };
    let mut posed = server.stage.pose(None);
    server.warm_up(&posed);
    std::thread::scope(|scope| {
        scope.spawn(|| teller.tell(News::Checked(Arc::new(check(&input)))));
        while let Ok(first) = asked.recv() {
            for request in latest(first, asked) {
                server.answer(request, &mut posed);
            }
        }
    });
}

fn open(input: &Input) -> Result<Opened, Failure> {
    let opened = input.open(None).map_err(|error| Failure::Unread(error.to_string()))?;
    let read = input.read_opened(&opened, &ReadOptions::default()).map_err(|error| Failure::unshown(&error))?;
    Ok(Opened {
        info: Info::of(input, &opened),
        clips: Clips::of(&read.scene),
        losses: read.losses.iter().map(ToString::to_string).collect(),
        scene: Arc::new(read.scene),
    })
}

fn check(input: &Input) -> maquette::check::Checked {
    maquette::check::check(input, None, ReportOptions::default())
}

fn missing(scene: &Scene, stage: &Stage<'_>) -> Vec<String> {
    let line = |missing: &maquette_render::Missing| {
        let name = scene.images.get(missing.image).map_or("", |image| &image.name);
        let instead = match missing.instead {
            Instead::Factors => "is not shown",
            Instead::Rest => "is shown as far as it goes",
            Instead::Smaller => "is shown with fewer pixels",
        };
        format!("image {name:?} {instead}: {}", missing.why)
    };
    let left_out = stage.left_out().map(|left_out| left_out.to_string());
    stage.missing().iter().map(line).chain(left_out).collect()
}

/// What is to be answered: of all poses that are waiting only the last, which takes over the camera that an earlier one asked for.
fn latest(first: Request, asked: &Receiver<Request>) -> Vec<Request> {
    let mut requests = Vec::new();
    let (mut last_pose, mut last_fit) = (None, None);
    for request in std::iter::once(first).chain(asked.try_iter()) {
        match request {
            Request::Pose(moment, framing) => {
                let wanted = last_pose.take().and_then(|(_, framing)| framing);
                last_pose = Some((moment, framing.or(wanted)));
            }
            // While somebody types, many come.
            Request::Fit(fitting) => last_fit = Some(fitting),
            other => requests.push(other),
        }
    }
    requests.extend(last_fit.map(Request::Fit));
    // Clips first: the pose may be of one of them. What is picked is picked in the pose that is seen, the one before.
    requests.extend(last_pose.map(|(moment, framing)| Request::Pose(moment, framing)));
    requests
}

/// Clips of other files.
#[derive(Default)]
struct Added {
    files: Vec<PathBuf>,
    fitting: Fitting,
    /// Whether the last file does not fit, as far as is known.
    last_is_amiss: bool,
}

struct Server<'s> {
    path: &'s Path,
    stage: &'s Stage<'s>,
    /// What the stage was made of.
    scene: &'s Scene,
    clips: Clips,
    added: Added,
    renderer: Option<&'s Renderer>,
    model: Option<Arc<Model>>,
    teller: &'s Teller,
}

impl<'s> Server<'s> {
    /// Draws a tiny picture that nobody sees: drivers compile what draws this model the first time that it is drawn, and the window is not to wait for that.
    fn warm_up(&self, posed: &Posed<'_>) {
        let Some((renderer, model)) = self.renderer.zip(self.model.as_deref()) else { return };
        let size = [16, 16];
        let shot = Shot { size, camera: posed.camera(&Framing::default(), size), ..Shot::default() };
        let mut target = Target::new(renderer, size);
        let pose = renderer.pose(model, posed);
        renderer.draw_share(model, &pose, &shot, &Extras::default(), &mut target, Share::First);
        // Only what is read has been drawn.
        _ = renderer.read(&target);
    }

    fn answer(&mut self, request: Request, posed: &mut Posed<'s>) {
        match request {
            Request::Pose(moment, framing) => {
                *posed = poser::pose(self.stage, &self.clips, &moment);
                let pose = self.renderer.zip(self.model.as_deref());
                self.teller.tell(News::Posed(Box::new(Placed {
                    pose: pose.map(|(renderer, model)| Arc::new(renderer.pose(model, posed))),
                    bounds: posed.bounds(),
                    bounds_of_node: bounds_of_nodes(posed),
                    world_from_node: posed.world_from_node().to_vec(),
                    framed: framing.and_then(|(framing, size)| self.framed(posed, &moment, &framing, size)),
                })));
            }
            Request::Pick(sight) => {
                let picked: Option<Picked> = pick::pick(self.scene, posed, &sight);
                self.teller.tell(News::Picked(picked));
            }
            Request::Drop(file) if !holds_clips_alone(&file) => self.teller.tell(News::IsModel(file)),
            Request::AddClips(file) | Request::Drop(file) => {
                if std::mem::replace(&mut self.added.last_is_amiss, true) {
                    self.added.files.pop();
                }
                self.added.files.push(file);
                self.add_clips();
            }
            Request::Fit(fitting) => {
                self.added.fitting = fitting;
                if !self.added.files.is_empty() {
                    self.add_clips();
                }
            }
        }
    }

    /// A camera that sees all of it. Bones alone are seen wherever their clip takes them: there is no model that says how large they are.
    fn framed(&self, posed: &Posed<'_>, moment: &Moment, framing: &Framing, size: [u32; 2]) -> Option<Orbit> {
        let clip = match moment {
            Moment::Clip { clip, .. } if self.scene.meshes.is_empty() => self.clips.sources.get(*clip),
            _ => None,
        };
        match clip.and_then(|clip| self.stage.bounds_of(clip)) {
            Some(bounds) => Some(Orbit::framing(&bounds, framing, size)),
            None => Some(Orbit::of(&posed.camera(framing, size), &posed.bounds()?)),
        }
    }

    /// Puts the clips of all files onto the model, anew.
    fn add_clips(&mut self) {
        self.teller.tell(News::ClipFiles(self.added.files.clone()));
        match self.with_clips() {
            Ok((scene, said, matches)) => {
                self.clips = Clips::of(&scene);
                let is_new = std::mem::take(&mut self.added.last_is_amiss);
                let new = scene.clips.len().checked_sub(1).filter(|_| is_new);
                self.teller.tell(News::Clips { scene: Arc::new(scene), clips: self.clips.clone(), said, new, matches });
            }
            Err(error) => {
                self.teller.tell(News::NoClips(match error {
                    Error::NoBoneMatches { file, bones, nodes } => no_bone_matches(&file, &bones, &nodes),
                    error => error.to_string(),
                }));
            }
        }
    }

    /// The scene with its own clips, and those of all files.
    fn with_clips(&self) -> Result<(Scene, String, Vec<Match>), Error> {
        let mut scene = self.scene.clone();
        let before = scene.clips.len();
        let Added { files, fitting, .. } = &self.added;
        let edits = Edits {
            clips: files.clone(),
            model: self.path.display().to_string(),
            attach: fitting.options(),
            bone_map: fitting.bone_map.clone(),
            ..Edits::default()
        };
        let mut losses = LossReport::default();
        let mut rows = Vec::new();
        let notes = edit::apply_telling(&mut scene, &edits, &mut losses, &mut rows)?;
        let names: Vec<String> = scene.clips.iter().skip(before).map(|clip| format!("{:?}", clip.name)).collect();
        let mut said = vec![format!("{} put onto the model", names.join(", "))];
        said.extend(notes.iter().map(ToString::to_string));
        said.extend(losses.iter().map(ToString::to_string));
        Ok((scene, said.join("\n"), rows.into_iter().map(Match::of).collect()))
    }
}

/// What the window says of a clip that does not fit, and what in the window may help.
fn no_bone_matches(file: &str, bones: &[String], nodes: &[String]) -> String {
    const NAMED: usize = 6;
    let some = |names: &[String]| {
        let named: Vec<String> = names.iter().take(NAMED).map(|name| format!("{name:?}")).collect();
        let more = if names.len() > NAMED { ", ..." } else { "" };
        named.join(", ") + more
    };
    format!(
        "{file} moves no bone of the model: none is called {}; the model has {}. A bone map, prefixes to strip or namespaces to ignore match other names",
        some(bones),
        some(nodes)
    )
}

/// The box around what each node draws.
fn bounds_of_nodes(posed: &Posed<'_>) -> BTreeMap<usize, Bounds> {
    let mut boxes: BTreeMap<usize, Bounds> = BTreeMap::new();
    for part in parts::of_posed(posed) {
        let drawn = Bounds::of(parts::vertices(posed, part).iter().copied());
        let (Some([node, _]), Some(drawn)) = (part.origin, drawn) else { continue };
        boxes.entry(node as usize).and_modify(|before| *before = before.and(drawn)).or_insert(drawn);
    }
    boxes
}

/// Whether a file holds clips and nothing that is drawn. One that cannot be read does not: opening it tells what is wrong.
fn holds_clips_alone(file: &Path) -> bool {
    maquette::read(file).is_ok_and(|read| read.scene.meshes.is_empty() && !read.scene.clips.is_empty())
}
