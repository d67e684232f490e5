//! Opens any model, colours its materials red, adds clips of other files by the names of bones, and writes it as GLB and as AEM.
//!
//!     cargo run -p maquette --example edit -- model.pmdl red walk.seanim
//!
//! makes `red.glb` and `red.aem`, and tells what each of them lost.

use maquette::edit::{self, Edits};
use maquette::{Error, Result, ops};

#[allow(clippy::print_stdout)]
fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err(Error::Usage("edit MODEL OUTPUT [CLIP...]".into()));
    };
    let mut model = maquette::read(input)?;
    ops::unpack(&mut model.scene, &mut model.losses)?;
    for pbr in model.scene.materials.iter_mut().filter_map(|material| material.pbr_mut()) {
        pbr.base_colour = [0.8, 0.05, 0.05, 1.0];
    }
    let edits = Edits { clips: arguments.map(Into::into).collect(), ..Edits::default() };
    edit::apply(&mut model.scene, &edits, &mut model.losses)?;
    println!("reading lost {}:\n{}", model.losses.len(), model.losses);
    for ending in ["glb", "aem"] {
        let written = maquette::write(&model.scene, format!("{output}.{ending}"))?;
        println!("{output}.{ending} lost {}:\n{}", written.output.losses.len(), written.output.losses);
    }
    Ok(())
}
