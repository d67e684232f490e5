#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    maquette_fuzz::one("gltf", data);
    maquette_fuzz::scene("gltf", data);
});
