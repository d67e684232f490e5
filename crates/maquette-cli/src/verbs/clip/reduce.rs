//! `maquette clip reduce`: fewer keys.

use super::files::{Files, each_on_model};
use super::skeleton::{Skeleton, model};
use crate::Verdict;
use clap::Args;
use maquette::Result;
use maquette::clips::Length;
use maquette::motion::ops::{self, Tolerance};

#[derive(Args)]
#[command(
    after_help = "No vertex of the model is off by more than the tolerance, at any moment: that is worked out from every key, not looked for. Without a model, and for bones that move no \
                  vertex, nothing at a distance (--at) from a joint is off by more, by the bone's own values, which is no bound for vertices: what is off adds up along a chain. Weights of shapes that \
                  no mesh of the model has are kept within 0.001. Kept keys are keys of before, splines stay splines.\n\n\
                  Examples:\n  maquette clip reduce fox.glb --tolerance 0.1mm -o smaller.glb\n  \
                  maquette clip reduce *.seanim --tolerance 0.1 --skeleton body.glb -o smaller/"
)]
pub struct ReduceArgs {
    #[command(flatten)]
    pub files: Files,
    /// How far off anything may be: a number in units of the model, or with mm, cm or m where these are metres; 0 removes what is redundant but for the rounding of the stored numbers
    #[arg(long, value_name = "LENGTH", default_value = "0.1mm", allow_hyphen_values = true)]
    tolerance: Length,
    /// How far from a joint its turns and sizes are looked at, in units, where they move no vertex; by default all lengths of bones together that the clip or its model tells
    #[arg(long, value_name = "UNITS", allow_negative_numbers = true)]
    at: Option<f64>,
    /// Also remove tracks that leave their bones at rest, within the tolerance; takes a model
    #[arg(long)]
    drop_rest: bool,
    #[command(flatten)]
    pub skeleton: Skeleton,
}

pub fn run(args: &ReduceArgs) -> Result<Verdict> {
    let tolerance = Tolerance { distance: args.tolerance.0, at: args.at, drop_rest: args.drop_rest };
    let given = args.skeleton.input().map(model).transpose()?;
    each_on_model(&args.files, &|mut motion, rig, model| {
        let (model, rig) = match &given {
            Some((model, rig)) => (Some(model), Some(rig)),
            None => (model, rig),
        };
        ops::reduce(&mut motion, &tolerance, model, rig).map(|did| (vec![motion], did))
    })
}
