//! Every fuzz target in one libFuzzer binary: `MAQUETTE_FUZZ_TARGET` says which. `cargo xtask fuzz` builds and runs it.

#![no_main]

mod held;

use libfuzzer_sys::fuzz_target;
use maquette_fuzz::Target;
use std::sync::LazyLock;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("MAQUETTE_FUZZ_TARGET").expect("MAQUETTE_FUZZ_TARGET names the target");
    Target::by_name(&name).unwrap_or_else(|| panic!("there is no target {name}"))
});

fuzz_target!(|data: &[u8]| TARGET.run(data));
