//! Ctrl-C, a terminal that is closed, and the system's request to end: temporary files go, then the program ends as it would have without all this.
//!
//! A thread waits for the signal, because a handler itself may do next to nothing. What was being written stays as it was before, see
//! [`maquette::save`]. A second signal ends the program at once. Work that is done in parts says before how much of it is done.

use crate::terminal::notes;
use maquette::save::remove_temporaries;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::{flag, low_level};
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, Once, PoisonError, mpsc};
use std::thread;

const ENDING: [i32; 4] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];

/// What is said when an interruption comes now.
static LAST_WORDS: Mutex<Option<Box<dyn Fn() -> String + Send>>> = Mutex::new(None);

/// While this is there, an interruption says something.
pub struct LastWords(());

/// From here on, an interruption says this line, until what is returned is dropped. Whoever does work must not hold standard error meanwhile.
pub fn last_words(words: impl Fn() -> String + Send + 'static) -> LastWords {
    *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(words));
    LastWords(())
}

impl Drop for LastWords {
    fn drop(&mut self) {
        *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// From here on, an interruption leaves no temporary files. Where there is no thread to be had it does, and all else works.
pub fn watch() {
    static WATCHING: Once = Once::new();
    WATCHING.call_once(begin);
}

fn begin() {
    let (ready, is_ready) = mpsc::channel::<()>();
    let watching = thread::Builder::new().name("interruptions".into()).spawn(move || {
        let signals = listen();
        drop(ready);
        if let Some(signal) = signals.ok().and_then(|mut signals| signals.forever().next()) {
            // Held until the end, so that no other thread begins a file now.
            let _halt = remove_temporaries();
            if let Some(words) = &*LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) {
                crate::progress::clear();
                let mut told = notes();
                // Nobody is left to tell.
                drop(writeln!(told, "{}", words()).and_then(|()| told.flush()));
            }
            let _ = low_level::emulate_default_handler(signal);
        }
    });
    // A file that may not grow any more is an error of whoever writes it, and not the end.
    #[cfg(unix)]
    let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    // The channel closes when the thread listens, or is not there.
    let _ = watching.map(|_| is_ready.recv());
}

fn listen() -> io::Result<Signals> {
    let signals = Signals::new(ENDING)?;
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in ENDING {
        flag::register_conditional_default(signal, Arc::clone(&interrupted))?;
        flag::register(signal, Arc::clone(&interrupted))?;
    }
    Ok(signals)
}
