//! The thread that knows a file byte by byte: which fields lie around a place, where a path leads, and which object a finding is about.
//!
//! It keeps the parsed file, and goes through it for each question; nothing is kept that grows with the file.

use super::Wake;
use crate::state::fields::Fields;
use crate::state::places::{self, Walked};
use crate::state::selection::Thing;
use maquette::check::Checked;
use maquette::formats::gltf;
use maquette::formats::locate;
use maquette::formats::walk::Walk;
use maquette::scene::Path;
use maquette::{Input, Scene};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// JSON up to this long is told value by value; a longer one is one text, as `maquette explain` has it.
const CLOSELY_UP_TO: usize = 8 << 20;

/// How much is known of the bytes of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Known {
    /// It is being read.
    #[default]
    NotYet,
    /// Every byte.
    Whole,
    /// What there is of a file that breaks off or goes on for too long.
    Part,
    /// None: it is of no known format, or too broken.
    Nothing,
}

enum Ask {
    Around(u64),
    Find(String),
    About { finding: usize, checked: Arc<Checked>, scene: Option<Arc<Scene>> },
}

enum Told {
    Known(Known),
    Fields(Fields),
    Found(Found),
    About(usize, About),
}

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The path that was asked for.
    pub asked: String,
    /// Its bytes, or why it leads nowhere.
    pub bytes: Result<Range<u64>, String>,
}

/// What a finding is about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// The bytes of its field.
    pub bytes: Option<Range<u64>>,
    /// The object of the scene.
    pub thing: Option<Thing>,
}

/// The window's end of the thread.
pub struct Chart {
    asks: Sender<Ask>,
    news: Receiver<Told>,
    /// How much is known of the file.
    pub known: Known,
    /// The fields around the last place that was asked for.
    pub fields: Arc<Fields>,
    /// Where the last path leads that was asked for.
    pub found: Option<Found>,
    /// What findings are about, by their places in the list.
    about: HashMap<usize, Option<About>>,
    asked: Option<u64>,
}

impl Chart {
    /// Starts to go through a file.
    pub fn start(input: Arc<Input>, wake: Wake) -> Chart {
        let (asks, asked) = channel();
        let (tell, news) = channel();
        let thread = std::thread::Builder::new().name("chart".into());
        let spawned = thread.spawn(move || {
            serve(&input, &asked, &|told| {
                let is_heard = tell.send(told).is_ok();
                wake();
                is_heard
            });
        });
        let known = if spawned.is_ok() { Known::NotYet } else { Known::Nothing };
        Chart { asks, news, known, fields: Arc::default(), found: None, about: HashMap::new(), asked: None }
    }

    /// Takes what it has found out since.
    pub fn update(&mut self) {
        for told in self.news.try_iter() {
            match told {
                Told::Known(known) => self.known = known,
                Told::Fields(fields) => {
                    self.fields = Arc::new(fields);
                    self.asked = None;
                }
                Told::Found(found) => self.found = Some(found),
                Told::About(finding, about) => _ = self.about.insert(finding, Some(about)),
            }
        }
    }

    /// Asks for the fields of these bytes, unless they are there or on their way.
    pub fn want(&mut self, bytes: &Range<u64>) {
        let has = |offset: u64| self.fields.bytes.contains(&offset);
        let middle = bytes.start.midpoint(bytes.end);
        if !(has(bytes.start) && has(bytes.end.saturating_sub(1))) && self.asked.is_none() {
            self.asked = Some(middle);
            _ = self.asks.send(Ask::Around(middle));
        }
    }

    /// Asks where a path leads.
    pub fn find(&mut self, path: String) {
        self.found = None;
        _ = self.asks.send(Ask::Find(path));
    }

    /// What a finding is about, once that is known; asks for it the first time.
    pub fn about(&mut self, finding: usize, checked: &Arc<Checked>, scene: Option<&Arc<Scene>>) -> Option<&About> {
        let asks = &self.asks;
        let known = self.about.entry(finding).or_insert_with(|| {
            _ = asks.send(Ask::About { finding, checked: Arc::clone(checked), scene: scene.cloned() });
            None
        });
        known.as_ref()
    }
}

fn serve(input: &Input, asked: &Receiver<Ask>, tell: &dyn Fn(Told) -> bool) {
    let opened = input.open(None).ok();
    let is_gltf = opened.as_ref().is_some_and(|opened| opened.format.id == gltf::FORMAT.id);
    let json = is_gltf.then(|| gltf::File::parse(input.bytes()).ok()).flatten();
    let json = json.filter(|file| file.json.len() <= CLOSELY_UP_TO);
    let closely = json.as_ref().map(gltf::raw::Closely);
    let part = if opened.is_none() { input.open_part(None) } else { None };
    let (file, known): (&dyn Walk, Known) = match (&closely, &opened, &part) {
        (Some(file), ..) => (file, Known::Whole),
        (None, Some(opened), _) => (&*opened.file, Known::Whole),
        (None, None, Some(part)) => (part, Known::Part),
        (None, None, None) => (&Nothing, Known::Nothing),
    };
    if !tell(Told::Known(known)) {
        return;
    }
    let walked = Walked { file, bytes: input.bytes() };
    while let Ok(ask) = asked.recv() {
        let told = match ask {
            Ask::Around(offset) => Told::Fields(Fields::around(file, offset)),
            Ask::Find(path) => Told::Found(Found { bytes: find(&walked, &path), asked: path }),
            Ask::About { finding, checked, scene } => {
                Told::About(finding, about(&walked, finding, &checked, scene.as_deref()))
            }
        };
        if !tell(told) {
            return;
        }
    }
}

/// A file without fields.
struct Nothing;

impl Walk for Nothing {
    fn walk(&self, _: &mut maquette::formats::walk::Walker<'_>) {}
}

fn find(walked: &Walked<'_>, path: &str) -> Result<Range<u64>, String> {
    let path: Path = path.parse().map_err(|error: maquette::scene::path::PathError| error.to_string())?;
    walked.extent(&path).map_err(|miss| {
        let inside = if miss.reached.segments().is_empty() { "the file".into() } else { miss.reached.to_string() };
        match miss.children.is_empty() {
            true => format!("{inside} has no parts"),
            false => format!("there is no {path}: {inside} has {}", miss.children.join(", ")),
        }
    })
}

fn about(walked: &Walked<'_>, finding: usize, checked: &Checked, scene: Option<&Scene>) -> About {
    let Some(finding) = checked.diagnostics.get(finding) else { return About::default() };
    let end = walked.bytes.len() as u64;
    let by_path = || {
        let path: Path = finding.path.parse().ok()?;
        match walked.extent(&path) {
            Ok(bytes) => Some(bytes),
            Err(miss) if miss.reached.segments().is_empty() => None,
            Err(miss) => walked.extent(&miss.reached).ok(),
        }
    };
    let holds =
        |bytes: &Range<u64>| finding.offset.is_none_or(|offset| bytes.contains(&offset) || bytes.start == offset);
    let by_offset = || {
        let offset = finding.offset?;
        let field = locate::field_at(walked.file, offset).map(|found| found.offset..found.offset + found.bytes);
        // Behind the end there is nothing to be shown but the end.
        field.or(Some(offset.min(end)..(offset + 1).min(end)))
    };
    let bytes = by_path().filter(holds).or_else(by_offset).filter(|bytes| bytes.start < end || bytes.is_empty());
    let thing = scene.and_then(|scene| places::thing_in(scene, &finding.path, walked));
    About { bytes, thing }
}
