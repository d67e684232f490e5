//! How far long work is: a line on standard error that is drawn over, on a terminal only.

use crate::terminal::{is_quiet, visible};
use maquette::progress::{Progress, Step};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const WIDTH: usize = 24;
/// Work that ends sooner shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);
/// A line is drawn this often at most.
const REDRAW: Duration = Duration::from_millis(100);

/// Many files: how many are done, which was last, how fast it goes.
pub struct Many {
    line: Line,
    total: usize,
    done: AtomicUsize,
}

impl Many {
    pub fn new(total: usize) -> Many {
        Many { line: Line::new(), total, done: AtomicUsize::new(0) }
    }

    /// One more is done.
    pub fn step(&self, file: &Path) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let rate = rate(done as f64, self.line.began.elapsed());
        let bar = bar(done, self.total);
        self.line.draw(&format!("[{bar}] {done}/{} {rate} files/s {}", self.total, short_name(file)));
    }

    /// Takes the line away.
    pub fn finish(&self) {
        self.line.clear();
    }
}

/// One file: which stage it is at.
pub struct One {
    line: std::sync::Arc<Line>,
    name: String,
}

impl One {
    pub fn new(file: &Path) -> One {
        One { line: std::sync::Arc::new(Line::new()), name: short_name(file) }
    }

    /// Who the library tells.
    pub fn told(&self) -> Progress {
        let (line, name) = (self.line.clone(), self.name.clone());
        let stage = Mutex::new(("", Instant::now()));
        Progress::new(move |step: Step| {
            let Ok(mut stage) = stage.lock() else { return };
            if stage.0 != step.stage {
                *stage = (step.stage, Instant::now());
            }
            let secs = line.began.elapsed().as_secs();
            line.draw(&match step.total {
                0 => format!("{name}: {} ({secs} s)", step.stage),
                total => {
                    let rate = rate(step.done as f64, stage.1.elapsed());
                    format!("{name}: {} {}/{total}, {rate} a second ({secs} s)", step.stage, step.done)
                }
            });
        })
    }

    /// Takes the line away.
    pub fn finish(&self) {
        self.line.clear();
    }
}

struct Line {
    shown: bool,
    began: Instant,
    drawn: Mutex<Option<Instant>>,
}

impl Line {
    fn new() -> Line {
        let shown = std::io::stderr().is_terminal() && !is_quiet();
        Line { shown, began: Instant::now(), drawn: Mutex::new(None) }
    }

    fn draw(&self, text: &str) {
        if !self.shown || self.began.elapsed() < PATIENCE {
            return;
        }
        let Ok(mut drawn) = self.drawn.lock() else { return };
        if drawn.is_none_or(|last| last.elapsed() >= REDRAW) {
            *drawn = Some(Instant::now());
            // A line that cannot be drawn is no failure of the work. The code clears what is left of the line before.
            drop(std::io::stderr().write_all(format!("\r{text}\x1b[K").as_bytes()));
        }
    }

    fn clear(&self) {
        let was_drawn = self.drawn.lock().is_ok_and(|drawn| drawn.is_some());
        if was_drawn {
            drop(std::io::stderr().write_all(b"\r\x1b[K"));
        }
    }
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
}
