//! How far long work is: a line on standard error that is drawn over, on a terminal only.
//!
//! A thread of its own draws what was told last, so that the seconds go on while a step takes long.

use crate::Verdict;
use crate::terminal::{is_quiet, visible};
use maquette::progress::{Progress, Step};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const WIDTH: usize = 24;
/// Work that ends sooner shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);
/// The line is drawn this often.
const REDRAW: Duration = Duration::from_millis(200);
/// Files at work that are named before the rest is counted.
const NAMED: usize = 2;

/// Many files: how many are done, how fast it goes, and which are worked on.
pub struct Many {
    files: Arc<Mutex<Files>>,
    line: Line,
}

impl Many {
    pub fn new(total: usize) -> Many {
        let files = Arc::new(Mutex::new(Files { total, ..Files::default() }));
        let shown = files.clone();
        let line = Line::new(move |elapsed| locked(&shown).text(elapsed));
        Many { files, line }
    }

    /// Work on a file begins; who the library tells how far it is.
    pub fn begin(&self, file: &Path) -> Progress {
        let at_work = Arc::new(Mutex::new(Stage::default()));
        locked(&self.files).at_work.push((file.to_path_buf(), at_work.clone()));
        Progress::new(move |step| locked(&at_work).take(step))
    }

    /// A file is done, and this came of it.
    pub fn end(&self, file: &Path, verdicts: &[Verdict]) {
        let mut files = locked(&self.files);
        files.done += 1;
        files.at_work.retain(|(other, _)| other != file);
        for verdict in verdicts {
            files.counts.get_mut(*verdict as usize).into_iter().for_each(|count| *count += 1);
        }
    }

    /// What can be said at any time about what was done so far.
    #[cfg(unix)]
    pub fn tally(&self) -> impl Fn() -> String + Send + 'static {
        let files = self.files.clone();
        move || locked(&files).tally()
    }

    /// Takes the line away.
    pub fn finish(self) {
        drop(self.line);
    }
}

#[derive(Default)]
struct Files {
    total: usize,
    done: usize,
    /// How many are fine, refused and failed.
    counts: [usize; 3],
    at_work: Vec<(PathBuf, Arc<Mutex<Stage>>)>,
}

impl Files {
    fn text(&self, elapsed: Duration) -> String {
        let Files { total, done, .. } = self;
        let bar = bar(*done, *total);
        let rate = match done {
            0 => String::new(),
            done => format!(", {} files/s", rate(*done as f64, elapsed)),
        };
        let named = self.at_work.iter().take(NAMED).map(|(file, stage)| locked(stage).of(&short_name(file)));
        let named = named.collect::<Vec<_>>().join("; ");
        let more = match self.at_work.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        format!("[{bar}] {done}/{total}{rate} ({} s) {named}{more}", elapsed.as_secs())
    }

    #[cfg_attr(not(unix), allow(dead_code))]
    fn tally(&self) -> String {
        let [fine, refused, failed] = self.counts;
        let left = self.total - self.done;
        format!("interrupted: {fine} converted, {refused} refused, {failed} failed, {left} not done")
    }
}

/// One file: which stage it is at.
pub struct One {
    stage: Arc<Mutex<Stage>>,
    line: Line,
}

impl One {
    pub fn new(file: &Path) -> One {
        let stage = Arc::new(Mutex::new(Stage::default()));
        let (name, shown) = (short_name(file), stage.clone());
        let line = Line::new(move |elapsed| format!("{} ({} s)", locked(&shown).of(&name), elapsed.as_secs()));
        One { stage, line }
    }

    /// Who the library tells.
    pub fn told(&self) -> Progress {
        let stage = self.stage.clone();
        Progress::new(move |step| locked(&stage).take(step))
    }

    /// Takes the line away.
    pub fn finish(self) {
        drop(self.line);
    }
}

/// What a file is at.
#[derive(Default)]
struct Stage {
    what: &'static str,
    done: u64,
    total: u64,
    began: Option<Instant>,
}

impl Stage {
    fn take(&mut self, Step { stage, done, total, .. }: Step) {
        if self.what != stage {
            *self = Stage { what: stage, began: Some(Instant::now()), ..Stage::default() };
        }
        // Threads may tell their steps in any order.
        (self.done, self.total) = (if done == 0 { 0 } else { self.done.max(done) }, total);
    }

    /// `fox.glb: packing textures 1/3, 0.4 a second`.
    fn of(&self, name: &str) -> String {
        match self {
            Stage { what: "", .. } => name.to_owned(),
            Stage { what, total: 0, .. } => format!("{name}: {what}"),
            Stage { what, done: 0, total, .. } => format!("{name}: {what} 0/{total}"),
            Stage { what, done, total, began } => {
                let rate = rate(*done as f64, began.map_or(Duration::ZERO, |began| began.elapsed()));
                format!("{name}: {what} {done}/{total}, {rate} a second")
            }
        }
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A line that is drawn until it is dropped.
struct Line(Option<(Sender<()>, JoinHandle<()>)>);

impl Line {
    /// The text is asked for again and again, with how long the work has taken. Where there is no thread to be had, nothing is shown.
    fn new(text: impl Fn(Duration) -> String + Send + 'static) -> Line {
        if !std::io::stderr().is_terminal() || is_quiet() {
            return Line(None);
        }
        let (end, ended) = mpsc::channel();
        let began = Instant::now();
        let draw = move || {
            let mut wait = PATIENCE;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                wait = REDRAW;
                send(&drawn(&text(began.elapsed())));
            }
            if wait == REDRAW {
                send("\r\x1b[K");
            }
        };
        Line(thread::Builder::new().name("progress".into()).spawn(draw).ok().map(|drawing| (end, drawing)))
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some((end, drawing)) = self.0.take() {
            drop(end);
            // A line that could not be drawn is no failure of the work.
            let _ = drawing.join();
        }
    }
}

/// The text in the place of the line before. The codes take that away, and keep the terminal from breaking a line that is too long for it.
fn drawn(text: &str) -> String {
    format!("\r\x1b[K\x1b[?7l{text}\x1b[?7h")
}

/// Takes away a line that may stand there.
#[cfg(unix)]
pub fn clear() {
    if std::io::stderr().is_terminal() && !is_quiet() {
        send("\r\x1b[K");
    }
}

fn send(text: &str) {
    drop(std::io::stderr().write_all(text.as_bytes()));
}

fn short_name(file: &Path) -> String {
    visible(&file.file_name().unwrap_or_default().to_string_lossy()).chars().take(40).collect()
}

fn rate(done: f64, elapsed: Duration) -> String {
    let rate = done / elapsed.as_secs_f64().max(1e-9);
    if rate >= 10.0 { format!("{rate:.0}") } else { format!("{rate:.1}") }
}

fn bar(done: usize, total: usize) -> String {
    let filled = WIDTH * done / total.max(1);
    (0..WIDTH).map(|place| if place < filled { '#' } else { '·' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_fills_from_the_left() {
        assert_eq!(bar(0, 8), "·".repeat(24));
        assert_eq!(bar(1, 8), "###·····················");
        assert_eq!(bar(8, 8), "#".repeat(24));
    }

    #[test]
    fn rates_have_two_digits_or_more() {
        assert_eq!(rate(5.0, Duration::from_secs(2)), "2.5");
        assert_eq!(rate(500.0, Duration::from_secs(2)), "250");
    }

    #[test]
    fn a_stage_is_named_before_its_first_step_is_done() {
        let stage = |what, done, total| Stage { what, done, total, began: None };
        assert_eq!(stage("", 0, 0).of("a.glb"), "a.glb");
        assert_eq!(stage("encoding", 0, 0).of("a.glb"), "a.glb: encoding");
        assert_eq!(stage("packing textures", 0, 3).of("a.glb"), "a.glb: packing textures 0/3");
        assert!(stage("packing textures", 2, 3).of("a.glb").starts_with("a.glb: packing textures 2/3, "));
    }

    #[test]
    fn files_that_are_worked_on_are_named_and_those_that_are_done_are_not() {
        let many = Many::new(4);
        let names = ["a.glb", "b.glb", "c.glb", "d.glb"].map(Path::new);
        let text = || locked(&many.files).text(Duration::from_secs(2));
        names.iter().take(3).for_each(|name| drop(many.begin(name)));
        assert_eq!(text(), format!("[{}] 0/4 (2 s) a.glb; b.glb; and 1 more", bar(0, 4)));
        many.end(names[0], &[Verdict::Fine]);
        many.end(names[1], &[Verdict::Failed]);
        drop(many.begin(names[3]));
        assert_eq!(text(), format!("[{}] 2/4, 1.0 files/s (2 s) c.glb; d.glb", bar(2, 4)));
        let tally = locked(&many.files).tally();
        assert_eq!(tally, "interrupted: 1 converted, 0 refused, 1 failed, 2 not done");
    }
}
