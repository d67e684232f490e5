//! How long a file of 50 MB takes until it can be seen, and a picture after that: `cargo bench -p maquette-viewer`.
//!
//! Without a window; on the device that `maquette_gpu::headless` finds, which may be the processor itself: then the last row is that of a software driver.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, missing_docs)]

use maquette::scene::mesh::{Mesh, Primitive, Streams};
use maquette::scene::scene::{Node, Scene};
use maquette_gpu::{Renderer, Target, headless};
use maquette_viewer::state::document::{Context, Document, Progress};
use maquette_viewer::state::session::Session;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Vertices along each side.
const SIDE: u32 = 950;

fn wave() -> Scene {
    let at = |place: u32| place as f32 / (SIDE - 1) as f32 * 2.0 - 1.0;
    let mut streams = Streams::default();
    let (mut normals, mut uvs) = (Vec::new(), Vec::new());
    for (y, x) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (y, x))) {
        streams.positions.push([at(x), 0.1 * (at(x) * 20.0).sin(), at(y)]);
        normals.push([0.0, 1.0, 0.0]);
        uvs.push([at(x), at(y)]);
    }
    (streams.normals, streams.uvs) = (Some(normals), vec![uvs]);
    let fields = (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| y * SIDE + x));
    let indices = fields.flat_map(|a| [a, a + SIDE, a + 1, a + 1, a + SIDE, a + SIDE + 1]).collect();
    let mut scene = Scene::default();
    let primitive = Primitive { streams, indices, ..Primitive::default() };
    let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    let node = scene.nodes.push(Node { mesh: Some(mesh), ..Node::default() });
    scene.roots.push(node);
    scene
}

/// Opens a file; how long until something is so.
fn until(session: &mut Session, start: Instant, is_so: impl Fn(&Document) -> bool) -> Duration {
    loop {
        session.update(0.0);
        if session.document().is_some_and(&is_so) {
            return start.elapsed();
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

fn measure(path: &Path, renderer: Option<Arc<Renderer>>) {
    let start = Instant::now();
    let bytes = std::fs::read(path).unwrap().len();
    let reading = start.elapsed();
    println!("{:.1} MB; reading its bytes takes {:.0} ms", bytes as f64 / 1e6, millis(reading));
    let mut session = Session::new(Context { renderer: renderer.clone(), wake: Arc::new(|| {}) });
    session.size = Some([960, 600]);
    let start = Instant::now();
    session.open(path.to_path_buf());
    let understood = until(&mut session, start, |document| document.opened.is_some());
    let staged = until(&mut session, start, |document| document.staged.is_some());
    let placed = until(&mut session, start, |document| document.progress() == Progress::Ready);
    for (what, time) in
        [("understood", understood), ("materials and textures ready", staged), ("vertices ready", placed)]
    {
        println!("{what:>30}: {:6.0} ms, {:5.2} of reading", millis(time), time.as_secs_f64() / reading.as_secs_f64());
    }
    let document = session.document().unwrap();
    let model = document.staged.as_ref().and_then(|staged| staged.model.clone());
    let pose = document.placed.as_ref().and_then(|placed| placed.pose.clone());
    let (Some(renderer), Some(model), Some(pose)) = (renderer, model, pose) else { return };
    let mut target = Target::new(&renderer, [960, 600]);
    let shot = session.look.shot(session.orbit.camera(), [960, 600]);
    for what in ["first picture", "second picture"] {
        let start = Instant::now();
        renderer.draw(&model, &pose, &shot, &mut target);
        renderer.read(&target).unwrap();
        println!("{what:>30}: {:6.0} ms", millis(start.elapsed()));
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wave.glb");
    maquette::write(&wave(), &path).unwrap();
    println!("without a device");
    measure(&path, None);
    match headless() {
        Ok((device, queue)) => {
            println!("on {}", device.adapter_info().name);
            measure(&path, Some(Arc::new(Renderer::new(&device, &queue))));
        }
        Err(why) => println!("{why}"),
    }
}
