//! The structures of the headers are those of the library: size, alignment, and the place of each field, as a C compiler sees them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod support;

use aem::layout::{Channel, Error, FirstTexture, Joint, LoadResult, Material, Mesh, MixerResult, Texture};
use std::collections::BTreeMap;
use std::mem::offset_of;
use std::process::Command;
use support::{Link, build, run, source};

/// What a header says, by name.
type Told = BTreeMap<String, Vec<usize>>;

fn told(program: &str) -> Option<Told> {
    let folder = tempfile::tempdir().unwrap();
    let program = build(folder.path(), program, &[source(&format!("{program}.c"))], Link::Static)?;
    let text = run(&mut Command::new(program));
    let line = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        (words[..2].join(" "), words[2..].iter().map(|number| number.parse().unwrap()).collect())
    };
    Some(text.lines().map(line).collect())
}

macro_rules! layouts {
    ($told:expr, $($Type:ident as $name:literal { $($field:ident $(as $c_name:literal)?),* })*) => {
        $(
            assert_eq!($told[concat!("size ", $name)], [size_of::<$Type>(), align_of::<$Type>()], $name);
            $(
                let c_name = [$($c_name,)? stringify!($field)][0];
                let size = {
                    fn size<T, F>(_: fn(&T) -> &F) -> usize { size_of::<F>() }
                    size(|it: &$Type| &it.$field)
                };
                assert_eq!($told[&format!("field {}.{c_name}", $name)], [offset_of!($Type, $field), size], "{} {c_name}", $name);
            )*
        )*
    };
}

fn common(told: &Told) {
    layouts! { told,
        Mesh as "AEMMesh" { first_index, index_count, material_index }
        Material as "AEMMaterial" { base_color_texture_index, normal_texture_index, pbr_texture_index, kind as "type" }
        Joint as "AEMJoint" { name, inverse_bind_matrix, parent_joint_index }
        Error as "AEMError" { offset, code, path, message }
    }
    let values: &[(&str, usize)] = &[
        ("AEM_VERTEX_SIZE", 88),
        ("AEM_INDEX_SIZE", 4),
        ("AEM_STRING_SIZE", 128),
        ("Success", LoadResult::Success as usize),
        ("OutOfMemory", LoadResult::OutOfMemory as usize),
        ("FileNotFound", LoadResult::FileNotFound as usize),
        ("InvalidFileType", LoadResult::InvalidFileType as usize),
        ("InvalidVersion", LoadResult::InvalidVersion as usize),
        ("enum", size_of::<LoadResult>()),
        ("AEMTextureWrapMode_Repeat", 0),
        ("AEMTextureWrapMode_MirroredRepeat", 1),
        ("AEMTextureWrapMode_ClampToEdge", 2),
        ("AEMTextureCompression_None", 0),
        ("AEMTextureCompression_BC5", 1),
        ("AEMTextureCompression_BC7", 2),
        ("AEMMaterialType_Opaque", 0),
        ("AEMMaterialType_Transparent", 1),
    ];
    for (name, value) in values {
        assert_eq!(told[&format!("value {name}")], [*value], "{name}");
    }
}

#[test]
fn the_first_generation_sees_what_is_there() {
    let Some(told) = told("layout_first") else { return };
    common(&told);
    layouts! { told, FirstTexture as "AEMTexture" { offset, width, height, wrap_mode, compression } }
}

#[test]
fn the_later_generation_sees_what_is_there() {
    let Some(told) = told("layout_later") else { return };
    common(&told);
    layouts! { told,
        Texture as "AEMTexture" { offset, width, height, wrap_mode, channel_count, compression }
        Channel as "AEMAnimationChannel" { animation_index, is_playing, is_looping, time, playback_speed, weight }
    }
    assert_eq!(told["value AEMAnimationMixerResult_Success"], [MixerResult::Success as usize]);
    assert_eq!(told["value AEMAnimationMixerResult_OutOfMemory"], [MixerResult::OutOfMemory as usize]);
    for (value, mode) in ["Linear", "Smooth", "Smoother"].iter().enumerate() {
        assert_eq!(told[&format!("value AEMAnimationBlendMode_{mode}")], [value]);
    }
}
