//! What was typed, as options of the library.

use crate::args::ConvertArgs;
use maquette::convert::ConvertOptions;
use maquette::edit::Up;
use maquette::fit::{Effort, FitOptions, Limits, TextureOptions};
use maquette::formats::format::{AnimationMatrices, QuaternionOrder, Size};
use maquette::formats::rules::matrices::MatrixOrder;
use maquette::scene::attach::ModifierScope;
use maquette::texture::Quality;

pub fn of(args: &ConvertArgs) -> ConvertOptions {
    let mut options = ConvertOptions::default();
    let (overrides, read) = (&args.overrides, &mut options.read);
    read.dialect.clone_from(&overrides.read_dialect);
    read.matrix_order = overrides.matrix_order.as_deref().map(|word| match word {
        "row-major" => MatrixOrder::RowMajor,
        _ => MatrixOrder::ColumnMajor,
    });
    read.quaternion_order = overrides.quat_order.as_deref().map(|word| match word {
        "wxyz" => QuaternionOrder::Wxyz,
        _ => QuaternionOrder::Xyzw,
    });
    read.animation_matrices = overrides.anim_matrices.as_deref().map(|word| match word {
        "local" => AnimationMatrices::Local,
        _ => AnimationMatrices::Skinning,
    });
    read.size = if overrides.denormalise { Size::Original } else { Size::AsStored };
    let edits = &mut options.edits;
    edits.flip_v = overrides.flip_v;
    edits.select.clone_from(&args.select);
    edits.scale = args.scale;
    edits.up = if args.up == "z" { Up::Z } else { Up::Y };
    edits.clips.clone_from(&args.clips.clip);
    edits.bone_map.clone_from(&args.clips.bone_map);
    edits.attach.prefixes.clone_from(&args.clips.strip_prefix);
    edits.attach.ignore_namespaces = args.clips.ignore_namespace;
    edits.attach.scope = match args.clips.modifier_scope.as_str() {
        "self" => ModifierScope::SelfOnly,
        "children" => ModifierScope::Descendants,
        _ => ModifierScope::Both,
    };
    let write = &mut options.write;
    write.format.clone_from(&args.to);
    write.dialect.clone_from(&args.dialect);
    write.optimize = args.optimize;
    write.fit = FitOptions {
        tolerance: args.tolerance,
        textures: textures(args),
        limits: Limits { vertices: args.max_vertices, pixels: args.max_pixels, tracks: args.max_tracks },
    };
    options
}

fn textures(args: &ConvertArgs) -> TextureOptions {
    let quality = match args.textures.as_str() {
        "none" => None,
        "fast" => Some(Quality::Fast),
        "high" => Some(Quality::High),
        _ => Some(Quality::Default),
    };
    let effort = if args.dry_run { Effort::Predicted } else { Effort::Whole };
    TextureOptions { quality, max_size: args.max_size, effort }
}
