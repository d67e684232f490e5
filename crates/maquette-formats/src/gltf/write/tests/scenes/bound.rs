//! Skins, weights and hierarchies of every kind.

use super::*;

/// A strip of two joints with weights of every bad kind.
pub fn influences() -> Scene {
    let mut scene = Scene::default();
    let mut joints = Vec::new();
    for index in 0..7 {
        let turned = Trs { rotation: Quat::from_rotation_z(0.1 * index as f32), ..Trs::IDENTITY };
        let node = scene.nodes.push(Node { name: format!("joint {index}"), ..Node::default() });
        scene.nodes.get_mut(node).unwrap().transform = Transform::Trs(turned);
        match joints.last() {
            Some(&parent) => scene.nodes.get_mut(parent).unwrap().children.push(node),
            None => scene.roots.push(node),
        }
        joints.push(node);
    }
    let matrices = (0..7).map(|index| Mat4::from_translation(Vec3::X * index as f32)).collect();
    let skin = scene.skins.push(Skin { joints: joints.clone(), joint_from_mesh: matrices, ..Skin::default() });
    let lists: [&[(u32, f32)]; 6] = [
        &[(0, 0.5), (1, 0.125), (2, 0.125), (3, 0.125), (4, 0.0625), (5, 0.0625)],
        &[(6, 1.0)],
        &[(1, 0.25), (2, 0.5), (1, 0.25)],
        &[],
        &[(3, 0.0), (2, 1.0)],
        &[(5, 0.7), (6, 0.3)],
    ];
    let mut primitive =
        primitive(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.5, 0.0], [3.0, 0.0, 1.0], [4.0, 0.0, 0.0], [5.0; 3]]);
    primitive.streams.influences = Some(Influences::from_lists(lists.iter().copied()));
    let mesh = scene.meshes.push(Mesh { name: "strip".into(), primitives: vec![primitive], ..Mesh::default() });
    let node = scene.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    scene.roots.push(node);
    let moved = keys(&[0.0, 1.0], &[[0.0; 3], [0.0, 3.0, 0.0]], Interpolation::Linear);
    let tracks = vec![track(joints[0], Curve::Translation(moved))];
    scene.clips.push(Clip { duration_secs: 1.0, tracks, ..Clip::default() });
    scene
}

/// Matrices of every kind, skinned meshes in the middle of things, nodes that no root reaches.
pub fn hierarchy() -> Scene {
    let mut scene = post();
    let [skinned, base] = [scene.roots[1], scene.roots[0]];
    let triangle = scene.meshes.push(Mesh { primitives: vec![primitive(&CORNERS)], ..Mesh::default() });
    let shear = Mat4::from_cols(
        Vec4::new(1.0, 0.0, 0.0, 0.0),
        Vec4::new(0.5, 1.0, 0.0, 0.0),
        Vec4::new(0.0, 0.0, 2.0, 0.0),
        Vec4::new(1.0, 2.0, 3.0, 1.0),
    );
    let turned = Mat4::from_scale_rotation_translation(Vec3::splat(2.0), Quat::from_rotation_x(0.4), Vec3::ONE);
    let huge = Mat4::from_scale_rotation_translation(Vec3::splat(250.0), Quat::from_rotation_z(1.1), Vec3::ZERO);
    let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
    let mut above = None;
    for (name, matrix) in
        [("shear", shear), ("turned", turned), ("huge", huge), ("flat", flat), ("plain", Mat4::IDENTITY)]
    {
        let node =
            Node { name: name.into(), transform: Transform::Matrix(matrix), mesh: Some(triangle), ..Node::default() };
        let node = scene.nodes.push(node);
        match above {
            Some(parent) => scene.nodes.get_mut(parent).unwrap().children.push(node),
            None => scene.roots.push(node),
        }
        above = Some(node);
    }
    let moving = Node { name: "moving".into(), transform: Transform::Matrix(turned), ..Node::default() };
    let moving = scene.nodes.push(Node { mesh: Some(triangle), ..moving });
    scene.roots.push(moving);
    // The skinned mesh is moved below a joint, and another is drawn at a joint that moves.
    scene.roots.retain(|root| *root != skinned);
    scene.nodes.get_mut(skinned).unwrap().transform = at([5.0, 5.0, 5.0]);
    let node = scene.nodes.get(skinned).unwrap().clone();
    let base = scene.nodes.get_mut(base).unwrap();
    base.children.push(skinned);
    (base.mesh, base.skin) = (node.mesh, node.skin);
    let slide = keys(&[0.0, 2.0], &[[0.0; 3], [1.0, 0.0, 0.0]], Interpolation::Linear);
    scene.clips.iter_mut().next().unwrap().tracks.push(track(moving, Curve::Translation(slide)));
    let lost = scene.nodes.push(Node { name: "lost child".into(), ..Node::default() });
    scene.nodes.push(Node { name: "lost".into(), children: vec![lost], mesh: Some(triangle), ..Node::default() });
    scene
}

/// A skin whose joints have no common root, one of them twice.
pub fn two_roots() -> Scene {
    let mut scene = Scene::default();
    let joints: Vec<_> = (0..2)
        .map(|index| {
            let local = at([index as f32, 0.0, 0.0]);
            scene.nodes.push(Node { name: format!("root {index}"), transform: local, ..Node::default() })
        })
        .collect();
    scene.roots = joints.clone();
    let joints = vec![joints[0], joints[1], joints[0]];
    let joint_from_mesh = vec![Mat4::IDENTITY, Mat4::IDENTITY, Mat4::from_translation(Vec3::Y)];
    let skin = scene.skins.push(Skin { joints, joint_from_mesh, ..Skin::default() });
    let mut primitive = primitive(&CORNERS);
    primitive.streams.influences = Some(Influences { slots: 1, joints: vec![0, 1, 2], weights: vec![1.0, 1.0, 1.0] });
    let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    let node = scene.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    scene.roots.push(node);
    let moved = keys(&[0.0, 1.0], &[[0.0; 3], [0.0, 0.0, 3.0]], Interpolation::Linear);
    let tracks = vec![track(scene.roots[0], Curve::Translation(moved))];
    scene.clips.push(Clip { duration_secs: 1.0, tracks, ..Clip::default() });
    scene
}

/// A mesh of a bound and an unbound primitive, drawn with a skin and without one.
pub fn mixed() -> Scene {
    let mut scene = post();
    let mesh = scene.meshes.iter_mut().next().unwrap();
    mesh.primitives.push(primitive(&CORNERS));
    let node = scene.roots[1];
    let (mesh, skin) = (scene.nodes.get(node).unwrap().mesh, scene.nodes.get(node).unwrap().skin);
    scene.nodes.get_mut(node).unwrap().transform = at([0.0, 0.0, 4.0]);
    let bare =
        scene.nodes.push(Node { name: "no skin".into(), mesh, transform: at([1.0, 1.0, 1.0]), ..Node::default() });
    let rigid = scene.meshes.push(Mesh { primitives: vec![primitive(&CORNERS)], ..Mesh::default() });
    let idle = scene.nodes.push(Node { name: "idle skin".into(), mesh: Some(rigid), skin, ..Node::default() });
    scene.roots.extend([bare, idle]);
    scene
}

/// Joints that no root reaches.
pub fn hidden() -> Scene {
    let mut scene = post();
    scene.roots.remove(0);
    scene
}

/// More joints than a byte counts and more vertices than two bytes do.
pub fn many() -> Scene {
    let mut scene = Scene::default();
    let mut skin = Skin::default();
    let root = scene.nodes.push(Node::default());
    scene.roots.push(root);
    for _ in 0..300 {
        let node = scene.nodes.push(Node::default());
        scene.nodes.get_mut(root).unwrap().children.push(node);
        skin.joints.push(node);
        skin.joint_from_mesh.push(Mat4::IDENTITY);
    }
    let positions: Vec<[f32; 3]> = (0..66_000).map(|i| [i as f32, (i % 7) as f32, 0.0]).collect();
    let mut primitive = primitive(&positions);
    let joints = (0..66_000).map(|vertex| vertex % 300).collect();
    primitive.streams.influences = Some(Influences { slots: 1, joints, weights: vec![1.0; 66_000] });
    let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    let skin = scene.skins.push(skin);
    let node = scene.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    scene.roots.push(node);
    scene
}
