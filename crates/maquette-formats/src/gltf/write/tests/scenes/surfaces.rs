//! Vertices, materials and images of every kind.

use super::*;

/// Normals, tangents, colours and coordinates of every bad kind.
pub fn frames() -> Scene {
    let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut bad = primitive(&positions);
    bad.streams.normals = Some(vec![[0.0, 0.0, 2.0], [0.0; 3], [0.6, 0.0, 0.8]]);
    bad.streams.tangents = Some(vec![[3.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0], [0.0, 1.0, 0.0, 0.25]]);
    bad.streams.uvs = vec![vec![[0.5, f32::NAN], [0.0; 2], [1e9, -4.0]]];
    bad.streams.colours = vec![vec![[1.5, 0.0, -0.25, 1.0], [f32::INFINITY, 0.0, 0.0, 1.0], [0.5; 4]]];
    let mut none = primitive(&positions);
    none.streams.normals = Some(vec![[0.0; 3]; 3]);
    none.streams.tangents = Some(vec![[1.0, 0.0, 0.0, 1.0]; 3]);
    let empty = Primitive::default();
    drawn(Mesh { name: "bad".into(), primitives: vec![bad, none, empty], ..Mesh::default() })
}

/// A material with everything.
pub fn surfaces() -> Scene {
    let mut scene = post();
    let image = scene.materials.iter().next().unwrap().images()[0].1;
    let transform = UvTransform { offset: [0.1, 0.2], rotation: 0.3, scale: [2.0, 1.0] };
    let moved = TextureUse {
        transform: Some(transform),
        wrap: [Wrap::Mirror, Wrap::Clamp],
        filter: Filter { magnify: Some(9729), minify: Some(9987) },
        ..TextureUse::new(image)
    };
    let second_set = TextureUse { uv_set: 1, ..TextureUse::new(image) };
    let everything = Pbr {
        base_colour: [0.1, 0.2, 0.3, 0.4],
        metallic: 0.7,
        roughness: 0.8,
        emissive: [2.0, 1.0, 0.5],
        emissive_strength: 3.0,
        normal_scale: 0.9,
        occlusion_strength: 0.6,
        base_colour_texture: Some(moved.clone()),
        metallic_roughness_texture: Some(TextureUse::new(image)),
        normal_texture: Some(TextureUse::new(image)),
        occlusion_texture: Some(second_set),
        emissive_texture: Some(moved),
    };
    scene.materials.push(Material {
        name: "everything".into(),
        surface: everything.into(),
        alpha: AlphaMode::Mask(0.25),
        double_sided: true,
        unlit: true,
        ..Material::default()
    });
    let odd = Pbr { base_colour: [1.5, 1.0, 1.0, f32::NAN], emissive_strength: 4.0, ..Pbr::default() };
    scene.materials.push(Material { surface: odd.into(), alpha: AlphaMode::Blend, ..Material::default() });
    scene.materials.push(Material { alpha: AlphaMode::Mask(0.5), ..Material::default() });
    let mut primitive = with_frames(primitive(&CORNERS));
    primitive.streams.uvs = vec![vec![[0.0; 2]; 3]];
    primitive.material = Some(Handle::from_index(1));
    scene.meshes.iter_mut().next().unwrap().primitives.push(primitive);
    scene
}

/// Images of every kind but pixels.
pub fn pictures() -> Scene {
    let mut scene = triangle();
    let images = [
        ("checker", ImageData::Encoded { mime: "image/png".into(), bytes: specimen::checker_png().into() }),
        ("dds", ImageData::Encoded { mime: "image/vnd-ms.dds".into(), bytes: b"DDS ....".to_vec().into() }),
        ("misnamed", ImageData::Encoded { mime: "image/jpeg".into(), bytes: specimen::checker_png().into() }),
        ("outside", ImageData::External("textures/brick wall.png".into())),
        ("windows", ImageData::External("textures\\wall.jpg".into())),
        ("absolute", ImageData::External("C:\\textures\\wall.png".into())),
        ("targa", ImageData::External("wall.tga".into())),
    ];
    for (name, data) in images {
        scene.images.push(Image::new(name, data));
    }
    let textures: Vec<Option<TextureUse>> = scene.images.handles().map(|image| Some(TextureUse::new(image))).collect();
    let [checker, dds, misnamed, ..] = &textures[..] else { panic!() };
    let textured = Pbr {
        base_colour_texture: checker.clone(),
        normal_texture: checker.clone(),
        occlusion_texture: dds.clone(),
        emissive_texture: misnamed.clone(),
        ..Pbr::default()
    };
    scene.materials.push(Material { surface: textured.into(), ..Material::default() });
    let material = scene.materials.handles().next();
    scene.meshes.iter_mut().next().unwrap().primitives =
        vec![Primitive { material, ..with_frames(primitive(&CORNERS)) }];
    scene
}

/// Everything that is left out: empty meshes, skins and clips.
pub fn nothing_to_draw() -> Scene {
    let mut scene = drawn(Mesh { primitives: vec![Primitive::default()], ..Mesh::default() });
    scene.skins.push(Skin::default());
    scene.clips.push(Clip { events: vec![Event { time_secs: 0.0, name: "now".into() }], ..Clip::default() });
    let node = scene.roots[0];
    scene.nodes.get_mut(node).unwrap().skin = Some(Handle::from_index(0));
    scene.nodes.get_mut(node).unwrap().morph_weights = vec![1.0];
    let weights = keys(&[0.0], &[vec![1.0]], Interpolation::Linear);
    let tracks = vec![track(node, Curve::MorphWeights(weights))];
    scene.clips.push(Clip { tracks, ..Clip::default() });
    // A mesh that nothing draws, with a vertex that nothing moves.
    let mut primitive = primitive(&CORNERS);
    primitive.streams.influences = Some(Influences { slots: 1, joints: vec![0; 3], weights: vec![1.0, 0.0, 1.0] });
    scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    scene
}
