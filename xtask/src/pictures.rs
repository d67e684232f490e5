//! The pictures of `docs/pictures`, drawn by the library from the creature. They are what documents show, and what a change to the renderer is held against, to the byte.

use maquette::scene::Arena;
use maquette::scene::clip::Clip;
use maquette::{Input, Scene, WriteOptions, sample};
use maquette_render::{
    Camera, Framing, Mode, Overlays, Picture, Posed, Shot, Stage, StageOptions, View, compare, draw, sheet,
};

/// The largest of these files: documents are read by people who wait for them.
const MOST_BYTES: usize = 64 * 1024;

type Made = Result<Picture, String>;
type Maker = (&'static str, fn(&Scene) -> Made);

/// Every picture: its name and its PNG file.
pub fn all() -> impl Iterator<Item = Result<(&'static str, Vec<u8>), String>> {
    let makers: [Maker; 8] = [
        ("creature", creature),
        ("views", views),
        ("surfaces", surfaces),
        ("geometry", geometry),
        ("clips", clips),
        ("overlays", overlays),
        ("bones", bones),
        ("comparison", comparison),
    ];
    let mut scene = None;
    makers.into_iter().map(move |(name, make)| {
        let picture = make(scene.get_or_insert_with(sample::creature))?;
        let file = maquette::texture::png::encode_small(picture.width(), picture.height(), picture.pixels());
        let file = file.ok_or_else(|| format!("{name} cannot be written"))?;
        match file.len() {
            0..=MOST_BYTES => Ok((name, file)),
            bytes => Err(format!("the picture {name} has {bytes} bytes, and is to have {MOST_BYTES} at most")),
        }
    })
}

/// The side from which most of it is seen.
const SIDE: View = View::Orbit { yaw_radians: 0.85, pitch_radians: 0.30 };

fn framing(view: View) -> Framing {
    Framing { view, ..Framing::default() }
}

fn shoot(posed: &Posed<'_>, camera: Camera, shot: Shot) -> Made {
    draw(posed, &Shot { camera, ..shot }).map_err(|refusal| refusal.to_string())
}

/// At rest, from a side.
fn at_rest(scene: &Scene, view: View, shot: Shot) -> Made {
    let stage = Stage::new(scene, &StageOptions { only: Some(shot.mode), ..StageOptions::default() });
    let posed = stage.pose(None);
    let camera = posed.camera(&framing(view), shot.size);
    shoot(&posed, camera, shot)
}

fn on_sheet(cells: Vec<Result<(Picture, String), String>>, columns: u32) -> Made {
    let cells: Result<Vec<_>, String> = cells.into_iter().collect();
    sheet::sheet(&cells?, columns).ok_or_else(|| "a sheet has no room".to_owned())
}

fn creature(scene: &Scene) -> Made {
    at_rest(scene, SIDE, Shot { size: [328, 216], ..Shot::default() })
}

fn views(scene: &Scene) -> Made {
    let words = ["front", "left", "back", "right", "top", "iso"];
    let view = |word: &str| {
        let view = View::from_word(word).ok_or("no such view")?;
        Ok((at_rest(scene, view, Shot { size: [124, 100], ..Shot::default() })?, word.to_owned()))
    };
    on_sheet(words.into_iter().map(view).collect(), 3)
}

/// What surfaces are made of.
fn surfaces(scene: &Scene) -> Made {
    use Mode::{BaseColour, Emissive, Metalness, NormalMap, Occlusion, Opacity, Roughness, Shaded, TexelDensity};
    modes(scene, [Shaded, BaseColour, Opacity, NormalMap, Roughness, Metalness, Occlusion, Emissive, TexelDensity])
}

/// What vertices and triangles hold.
fn geometry(scene: &Scene) -> Made {
    use Mode::{InfluenceCount, Overdraw, UvChecker, Weights, Wireframe};
    use Mode::{VertexBitangent, VertexNormal, VertexPosition, VertexTangent};
    modes(
        scene,
        [
            VertexPosition,
            VertexNormal,
            VertexTangent,
            VertexBitangent,
            UvChecker,
            Weights,
            InfluenceCount,
            Wireframe,
            Overdraw,
        ],
    )
}

fn modes<const COUNT: usize>(scene: &Scene, modes: [Mode; COUNT]) -> Made {
    let mode = |mode: Mode| {
        Ok((at_rest(scene, SIDE, Shot { size: [98, 74], mode, ..Shot::default() })?, mode.word().to_owned()))
    };
    on_sheet(modes.into_iter().map(mode).collect(), 5)
}

fn clips(scene: &Scene) -> Made {
    const COUNT: u32 = 5;
    let stage = Stage::new(scene, &StageOptions { only: Some(Mode::Shaded), ..StageOptions::default() });
    let size = [96, 76];
    let moments = |clip: &Clip| {
        let bounds = stage.bounds_of(clip);
        let camera = bounds.map(|bounds| framing(SIDE).camera(&bounds, size)).unwrap_or_default();
        let steps = if clip.looped == Some(true) { COUNT } else { COUNT - 1 };
        let moment = |step: u32| {
            let secs = clip.duration_secs as f32 * step as f32 / steps as f32;
            let drawn = shoot(&stage.pose(Some((clip, secs))), camera, Shot { size, ..Shot::default() })?;
            Ok((drawn, format!("{} {secs:.2} s", clip.name)))
        };
        (0..COUNT).map(moment).collect::<Vec<_>>()
    };
    on_sheet(scene.clips.iter().flat_map(moments).collect(), COUNT)
}

fn overlays(scene: &Scene) -> Made {
    let nothing = Overlays::default();
    let kinds = [
        ("--skeleton", Overlays { skeleton: true, ..nothing }),
        ("--grid", Overlays { grid: true, ..nothing }),
        ("--bounds --axes", Overlays { bounds: true, axes: true, ..nothing }),
    ];
    let overlay = |(words, overlays): (&str, Overlays)| {
        Ok((at_rest(scene, SIDE, Shot { size: [184, 140], overlays, ..Shot::default() })?, words.to_owned()))
    };
    on_sheet(kinds.into_iter().map(overlay).collect(), 3)
}

/// A moment of a clip: of a skeleton that has no geometry, and of the model.
fn bones(scene: &Scene) -> Made {
    let mut rig = scene.clone();
    rig.meshes = Arena::default();
    rig.nodes.iter_mut().for_each(|node| (node.mesh, node.skin) = (None, None));
    rig.roots.truncate(1);
    let size = [184, 140];
    let cell = |scene: &Scene, words: &str| {
        let clip = scene.clips.iter().find(|clip| clip.name == "walk").ok_or("no walk")?;
        let stage = Stage::new(scene, &StageOptions::default());
        let posed = stage.pose(Some((clip, 0.3)));
        let camera = posed.camera(&framing(SIDE), size);
        Ok((shoot(&posed, camera, Shot { size, ..Shot::default() })?, words.to_owned()))
    };
    on_sheet(vec![cell(&rig, "bones alone"), cell(scene, "walk, 0.3 s")], 2)
}

/// The creature and what AEM holds of it, through one camera.
fn comparison(scene: &Scene) -> Made {
    let aem =
        maquette::encode(scene.clone(), "creature.aem", &WriteOptions::default()).map_err(|error| error.to_string())?;
    let aem = Input::from_bytes("creature.aem", Vec::from(aem.main));
    let aem = aem.read(&Default::default()).map_err(|error| error.to_string())?.scene;
    let size = [164, 132];
    let stages = [scene, &aem]
        .map(|scene| Stage::new(scene, &StageOptions { only: Some(Mode::Shaded), ..StageOptions::default() }));
    let [one, other] = stages.each_ref().map(|stage| stage.pose(None));
    let camera = one.camera(&Framing::default(), size);
    let [one, other] = [one, other].map(|posed| shoot(&posed, camera, Shot { size, ..Shot::default() }));
    let (one, other) = (one?, other?);
    let found = compare::compare(&one, &other).ok_or("two sizes")?;
    let words = [(one, "creature.glb"), (other, "creature.aem"), (found.heat, "difference")];
    on_sheet(words.into_iter().map(|(picture, words)| Ok((picture, words.to_owned()))).collect(), 3)
}
