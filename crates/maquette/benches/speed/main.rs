//! How fast files are parsed and checked, beside what the machine takes to read and to copy the same bytes; and how fast they become
//! scenes (`scenes`).
//!
//! `cargo xtask bench` runs it. What is compared is measured in turn, round after round, in one run, so that the ratios hold on a
//! busy machine; what is printed is the median. Give a format, a size in megabytes, or both, to measure less:
//! `cargo bench -p maquette --bench speed -- aem 100`; or `scenes` for those alone, `scenes keys` for those
//! whose name has this in it.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod big;
mod scenes;

use maquette::formats::format::{self, BUILT_IN, Format, Source};
use maquette::scene::Report;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

const MEGABYTES: [usize; 2] = [1, 100];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let asked = |format: &Format, megabytes: usize| {
        let is_asked = |word: &String| *word == format.id || *word == megabytes.to_string();
        words.iter().all(is_asked)
    };
    if words.is_empty() || words.iter().any(|word| word == "scenes") {
        scenes::report(words.get(1).map_or("", String::as_str));
    }
    let folder = tempfile::tempdir().unwrap();
    println!("times in milliseconds, median; ratios to reading the file into a fresh buffer\n");
    println!(
        "{:<8} {:>6} {:>9} {:>9} {:>9} {:>9}   {:>7} {:>9}",
        "format", "MB", "read", "memcpy", "parse", "+ check", "parse", "+ check"
    );
    for format in BUILT_IN {
        for megabytes in MEGABYTES.into_iter().filter(|&megabytes| asked(format, megabytes)) {
            let Some(bytes) = big::make(format.id, megabytes * 1_000_000) else { continue };
            let path = folder.path().join(format.id);
            std::fs::write(&path, &bytes).unwrap();
            report(format, &bytes, &path);
        }
    }
}

fn report(format: &Format, bytes: &[u8], path: &Path) {
    let mut copy = vec![1; bytes.len()];
    let mut times: [Vec<Duration>; 4] = Default::default();
    let began = Instant::now();
    while goes_on(began, times[0].len()) {
        times[0].push(timed(|| std::fs::read(path).unwrap()));
        times[1].push(timed(|| copy.copy_from_slice(black_box(bytes))));
        times[2].push(timed(|| (format.open)(black_box(bytes), None).unwrap()));
        times[3].push(timed(|| {
            let file = (format.open)(black_box(bytes), None).unwrap();
            let mut findings = Report::default();
            format::check(&*file, &Source::BARE, &mut findings);
            assert!(
                findings.items().iter().all(|finding| finding.severity() < maquette::scene::Severity::Error),
                "{:?}",
                findings.items()
            );
        }));
    }
    let [read, memcpy, parse, check] = times.map(median);
    let ms = |time: Duration| format!("{:.4}", time.as_secs_f64() * 1e3);
    let ratio = |time: Duration| format!("{:.3}", time.as_secs_f64() / read.as_secs_f64());
    println!(
        "{:<8} {:>6} {:>9} {:>9} {:>9} {:>9}   {:>7} {:>9}",
        format.id,
        bytes.len() / 1_000_000,
        ms(read),
        ms(memcpy),
        ms(parse),
        ms(check),
        ratio(parse),
        ratio(check)
    );
}

/// Whether another round is to be measured.
fn goes_on(began: Instant, rounds: usize) -> bool {
    rounds < 7 || (rounds < 200 && began.elapsed() < Duration::from_secs(3))
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let began = Instant::now();
    let result = black_box(work());
    let took = began.elapsed();
    drop(result);
    took
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
