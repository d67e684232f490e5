//! How far a long piece of work is: a line on standard error that is drawn over, on a terminal only.

use crate::terminal::{is_quiet, visible};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

const WIDTH: usize = 24;

/// Work of a known number of steps.
pub struct Progress {
    total: usize,
    done: AtomicUsize,
    shown: bool,
}

impl Progress {
    pub fn new(total: usize) -> Progress {
        Progress { total, done: AtomicUsize::new(0), shown: std::io::stderr().is_terminal() && !is_quiet() }
    }

    /// One more is done.
    pub fn step(&self, file: &Path) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let name: String = visible(&name).chars().take(40).collect();
        self.draw(&format!("[{}] {done}/{} {name}", bar(done, self.total), self.total));
    }

    /// Takes the line away.
    pub fn finish(&self) {
        self.draw("");
    }

    fn draw(&self, line: &str) {
        if self.shown {
            // A line that cannot be drawn is no failure of the work. The code clears what is left of the line before.
            drop(write!(std::io::stderr(), "\r{line}\x1b[K"));
        }
    }
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
}
