//! scratch
#[test]
fn list() {
    use std::collections::BTreeMap;
    for format in maquette::BUILT_IN.iter() {
        for fault in format.faults {
            let bundle = (fault.make)();
            let name = format!("a.{}", format.extensions[0]);
            let mut files: BTreeMap<String, Vec<u8>> = bundle.companions.into_iter().map(|(n, b)| (n.apply(&name), b)).collect();
            files.insert(name.clone(), bundle.main);
            let input = maquette::Input::from_files(&name, files).unwrap();
            let read = input.read(&Default::default());
            let checked = maquette::check::check(&input, None, Default::default());
            let scene = read.as_ref().ok().map(|r| &r.scene);
            let counts = scene.map(|s| (s.nodes.len(), s.meshes.len(), s.skins.len(), s.materials.len(), s.images.len(), s.clips.len()));
            for f in checked.diagnostics.iter() {
                println!("{} {} {} {:?} {:?} | {}", format.id, f.code, f.path, f.offset, counts, f.name);
            }
        }
    }
}
