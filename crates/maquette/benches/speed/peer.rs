//! What the `gltf` crate does with a file, to compare with: its readers give everything that a scene holds.

/// Everything that a scene holds, in vectors, as the crate's readers give it.
type Everything =
    (Vec<Vec<[f32; 4]>>, Vec<Vec<[f32; 3]>>, Vec<Vec<[f32; 2]>>, Vec<Vec<u32>>, Vec<Vec<[u16; 4]>>, Vec<Vec<f32>>);

pub fn read_all(file: &gltf::Gltf) -> Everything {
    let blob = file.blob.as_deref();
    let data = |buffer: gltf::Buffer<'_>| blob.filter(|_| buffer.index() == 0);
    let mut all = Everything::default();
    for primitive in file.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>()) {
        let reader = primitive.reader(data);
        all.1.extend(reader.read_positions().map(Iterator::collect));
        all.1.extend(reader.read_normals().map(Iterator::collect));
        all.0.extend(reader.read_tangents().map(Iterator::collect));
        all.2.extend(reader.read_tex_coords(0).map(|read| read.into_f32().collect()));
        all.0.extend(reader.read_colors(0).map(|read| read.into_rgba_f32().collect()));
        all.4.extend(reader.read_joints(0).map(|read| read.into_u16().collect()));
        all.0.extend(reader.read_weights(0).map(|read| read.into_f32().collect()));
        all.3.extend(reader.read_indices().map(|read| read.into_u32().collect()));
    }
    for channel in file.animations().flat_map(|animation| animation.channels().collect::<Vec<_>>()) {
        use gltf::animation::util::ReadOutputs;
        let reader = channel.reader(data);
        all.5.extend(reader.read_inputs().map(Iterator::collect));
        match reader.read_outputs() {
            Some(ReadOutputs::Translations(read)) => all.1.push(read.collect()),
            Some(ReadOutputs::Scales(read)) => all.1.push(read.collect()),
            Some(ReadOutputs::Rotations(read)) => all.0.push(read.into_f32().collect()),
            Some(ReadOutputs::MorphTargetWeights(read)) => all.5.push(read.into_f32().collect()),
            None => {}
        }
    }
    all
}
