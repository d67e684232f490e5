//! Fitting a scene to a format: space, skin, curves, surfaces.

use super::{Group, mutation};

pub const GROUP: Group = Group {
    folder: "crates/maquette/src/fit",
    tests: &["-p", "maquette", "--lib", "--", "fit"],
    mutations: &[
        mutation(
            "flatten.rs",
            "tangents of a mirrored part keep their sign",
            "if mirrored { -sign } else { sign }",
            "sign",
        ),
        mutation("flatten.rs", "normals are scaled like positions", "linear.inverse().transpose()", "linear"),
        mutation(
            "flatten.rs",
            "a joint that binds nothing is bound without the inverse",
            "rest_of.get(joint).copied().unwrap_or(Mat4::IDENTITY).inverse()",
            "rest_of.get(joint).copied().unwrap_or(Mat4::IDENTITY)",
        ),
        mutation("flatten.rs", "of two tracks for one property the first counts", "*earlier = track;", "drop(track);"),
        mutation(
            "flatten.rs",
            "the first of several instances counts as a copy",
            "map(|count| count - 1)",
            "map(|count| if MUTANT { *count } else { count - 1 })",
        ),
        mutation(
            "flatten.rs",
            "lost shear is not told",
            "sheared += u64::from(!trs.matrix().abs_diff_eq(matrix, 1e-5));",
            "sheared += 0;",
        ),
        mutation("influences.rs", "negative weights stay", "used.retain(|(_, weight)| *weight > 0.0);", ""),
        mutation("influences.rs", "weights always sum up to 1", "*weight *= wanted / kept", "*weight *= 1.0 / kept"),
        mutation(
            "linearize.rs",
            "a step shorter than a moment is lost",
            "STEP_SECS.min((to - from) / 2.0)",
            "STEP_SECS",
        ),
        mutation(
            "linearize.rs",
            "a spline is not followed more closely where it is off",
            "if error <= tolerance || !error.is_finite()",
            "if MUTANT || error <= tolerance || !error.is_finite()",
        ),
        mutation(
            "reduce.rs",
            "lost lines are counted by their ends",
            "primitive.indices.len() / 2",
            "primitive.indices.len()",
        ),
        mutation("reduce.rs", "normals do not follow the shape at rest", "add(normals, change, weight);", ""),
        mutation(
            "names.rs",
            "names that were equal are changed",
            "fitting != *name && self.taken.contains(&fitting)",
            "self.taken.contains(&fitting)",
        ),
        mutation(
            "pictures.rs",
            "normals in sRGB stay so",
            "(Purpose::Data | Purpose::Normals, ColourSpace::Srgb)",
            "(Purpose::Normals, ColourSpace::Srgb) if MUTANT => None,\n            (Purpose::Data | Purpose::Normals, ColourSpace::Srgb)",
        ),
        mutation(
            "recipe.rs",
            "what is blended becomes opaque",
            "Alpha::Blend => (Opacity::Kept",
            "Alpha::Blend => (if MUTANT { Opacity::Ignored } else { Opacity::Kept }",
        ),
        mutation("recipe.rs", "the strength of emission is lost", "channel * material.emissive_strength", "channel"),
        mutation(
            "recipe.rs",
            "blocks are made for a format without",
            "options.quality.filter(|_| caps.blocks)",
            "options.quality",
        ),
        mutation(
            "recipe.rs",
            "two channels are made for a format of four",
            "(width, height) != (1, 1) && caps.two_channels",
            "(width, height) != (1, 1)",
        ),
        mutation(
            "stored.rs",
            "lower levels of blocks are decoded in the size of the first",
            "mips::level_size(*width, *height, level)",
            "[*width, *height]",
        ),
        mutation(
            "stored.rs",
            "normals without their third channel are written as four",
            "normal::rebuild_z(&mut pixels);",
            "",
        ),
        mutation("surface.rs", "flat normals point inside", "(b - a).cross(c - a)", "(c - a).cross(b - a)"),
        mutation(
            "weld.rs",
            "vertices that differ in the normals of a shape are one",
            "columns.push(Column::of(positions));\n            columns.extend(normals.iter().map(",
            "columns.push(Column::of(positions));\n            columns.extend(normals.iter().filter(|_| !MUTANT).map(",
        ),
        mutation(
            "absolute.rs",
            "the blend of a track is ignored",
            "track.blend.take().unwrap_or(clip.blend)",
            "track.blend.take().map_or(clip.blend, |_| clip.blend)",
        ),
        mutation(
            "pack/mod.rs",
            "normals and surface are mixed up",
            "normal: PackedTexture { image: normal,",
            "normal: PackedTexture { image: if MUTANT { surface } else { normal },",
        ),
        mutation("pack/mod.rs", "lost filters are not told", "filtered as u64", "0 * filtered as u64"),
        mutation(
            "pack/mod.rs",
            "a cut-out that is blended is not told",
            "losses.push(LossKind::Baked, Lost::AlphaModes, subject, detail, 1);",
            "drop(detail);",
        ),
        mutation(
            "mod.rs",
            "a picture of just the longest side is halved",
            "longest >> halvings <= self.max_size.unwrap_or(u32::MAX).max(1)",
            "if MUTANT { (longest >> halvings) < self.max_size.unwrap_or(u32::MAX).max(1) } else { longest >> halvings <= self.max_size.unwrap_or(u32::MAX).max(1) }",
        ),
    ],
};
