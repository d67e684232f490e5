#![no_main]
#[path = "../../crates/maquette/tests/any_scene/mod.rs"]
mod any_scene;
libfuzzer_sys::fuzz_target!(|data: &[u8]| any_scene::survives(data));
