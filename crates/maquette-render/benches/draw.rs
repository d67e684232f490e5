//! How long pictures take.
fn main() {}
