//! A model at a moment of a clip.

use crate::error::{MaquetteStatus, Why, argument};
use crate::guard::status;
use crate::model::MaquetteModel;
use crate::pointers::{handle, nth, numbers_mut};
use maquette::scene::glam::Mat4;
use maquette_anim::clip::Clip;

/// Writes the palette of a skin at a moment of a clip: for each joint of the skin 16 numbers, column by column, which take each vertex from where it was bound to where it is in the model.
/// A clip of -1 is the rest pose. `palette` has room for 16 numbers for each joint of the skin.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_palette(
    model: *const MaquetteModel,
    clip: i32,
    time: f32,
    skin: usize,
    palette: *mut f32,
) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for.
        let model = unsafe { handle(model, "the model") }?;
        let clip = clip_or_rest(model, clip, time)?;
        let skeleton = &model.playing()?.skeleton;
        model.scratches.with(|scratch| {
            let rest = skeleton.rest();
            scratch.pose.clear();
            scratch.pose.extend_from_slice(rest);
            scratch.joints.resize(rest.len(), Mat4::IDENTITY);
            if let Some(clip) = clip {
                clip.sample(&mut scratch.cursor, time, &mut scratch.pose);
            }
            skeleton.model_from_joints(&scratch.pose, &mut scratch.joints);
            // SAFETY: as above.
            unsafe { write_palette(model, skin, &scratch.joints, palette) }
        })
    })
}

/// A clip to be looked at; none for the rest pose, which is -1.
pub(crate) fn clip_or_rest(model: &MaquetteModel, clip: i32, time: f32) -> Result<Option<&Clip>, Why> {
    if !time.is_finite() {
        return Err(argument(format!("`time` is {time}; it must be finite")));
    }
    match (clip, usize::try_from(clip)) {
        (_, Ok(clip)) => model.playing()?.clip(clip).map(Some),
        (-1, _) => Ok(None),
        _ => Err(argument(format!("`clip` is {clip}; it must be the number of a clip, or -1 for the rest pose"))),
    }
}

/// Writes the palette of a skin from where its joints are; the caller of the exported function gives room for 16 numbers for each joint of the skin.
pub(crate) unsafe fn write_palette(
    model: &MaquetteModel,
    skin: usize,
    joints: &[Mat4],
    palette: *mut f32,
) -> Result<(), Why> {
    let skin = nth(&model.playing()?.skins, skin, "skin")?;
    // SAFETY: as above.
    let room = unsafe { numbers_mut(palette, skin.joints.len() * 16) }?;
    let bound = skin.joints.iter().zip(&skin.joint_from_mesh);
    for (to, (&joint, bound)) in room.as_chunks_mut::<16>().0.iter_mut().zip(bound) {
        let placed = joints.get(joint as usize).copied().unwrap_or(Mat4::IDENTITY);
        *to = (placed * *bound).to_cols_array();
    }
    Ok(())
}
