//! `maquette clip mirror`: left and right change places.

use super::files::{Files, each};
use crate::Verdict;
use clap::{Args, ValueHint};
use maquette::clips::Rig;
use maquette::motion::ops::{self, Axis, Sides};
use maquette::{Error, Result, bone_map};
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Sides are told by names: Left and Right as a word (LeftArm, arm_left), and between separators or at the ends l and r, le and ri, lf and rt, lft and rgt (arm_l, Arm.L.001, \
                        L_Arm, j_elbow_le), in small or capital letters; a letter alone (HandL, lThigh) where the other name is there, too. --map names pairs of bones that are there: `left = right`. Events change sides by the same \
                        rules.\n\n\
                        With the nodes of the file, or --skeleton, everything is mirrored in the space of the model, from bind pose to bind pose, or rest pose where there is no skin, however the axes of each bone lie. Where numbers in \
                        names differ from side to side, bones are paired by what they hang on and where they are, which is told. Without nodes it is assumed that the axes of bones are mirrored as those of the model are. Twice is the clip as it was.\n\n\
                        Examples:\n  maquette clip mirror turn_left.glb -o turn_right.glb\n  \
                        maquette clip mirror turn_left.seanim --axis y --skeleton soldier.glb -o turn_right.seanim"
)]
pub struct MirrorArgs {
    #[command(flatten)]
    pub files: Files,
    /// The axis that goes from one side to the other, in the space of the model
    #[arg(long, value_parser = ["x", "y", "z"], default_value = "x")]
    axis: String,
    /// The model whose pose is mirrored by, for files without nodes
    #[arg(long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    skeleton: Option<PathBuf>,
    /// Bones of one side and those of the other: a file of lines `left = right`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    map: Option<PathBuf>,
}

pub fn run(args: &MirrorArgs) -> Result<Verdict> {
    let skeleton = match &args.skeleton {
        Some(path) => Some(Rig::of_scene(&maquette::read(path)?.scene)),
        None => None,
    };
    let pairs = args.map.as_deref().map(bone_map::read).transpose()?.unwrap_or_default();
    let sides = Sides::new(&pairs).map_err(|why| Error::Usage(why.to_string()))?;
    let axis = match args.axis.as_str() {
        "y" => Axis::Y,
        "z" => Axis::Z,
        _ => Axis::X,
    };
    each(&args.files, &|mut motion, rig| {
        ops::mirror(&mut motion, rig.or(skeleton.as_ref()), axis, &sides).map(|did| (vec![motion], did))
    })
}
