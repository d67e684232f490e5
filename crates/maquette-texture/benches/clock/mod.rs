//! The time that the processor gave this thread, where the system says so: other programs do not count. Else the time of day.

use std::time::Instant;

pub enum Clock {
    Processor(f64),
    Day(Instant),
}

impl Clock {
    pub fn start() -> Clock {
        processor_seconds().map_or_else(|| Clock::Day(Instant::now()), Clock::Processor)
    }

    pub fn seconds(&self) -> f64 {
        match self {
            Clock::Processor(start) => processor_seconds().unwrap_or_default() - start,
            Clock::Day(start) => start.elapsed().as_secs_f64(),
        }
    }
}

fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}
