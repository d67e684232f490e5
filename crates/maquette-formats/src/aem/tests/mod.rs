//! Byte-built cases for what only AEM does: telling its dialects apart, and its mip chains.

mod reading;
mod rules;
mod writing;

use super::mips;
use super::raw::{Dialect, File, Texture};
use super::sample::model;
use crate::format::{Error, RawFile};

/// A header of 44 bytes with these ten counts.
fn header(counts: [u32; 10]) -> Vec<u8> {
    let mut bytes = b"AEM\x01".to_vec();
    bytes.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
    bytes
}

fn code_and_place(result: Result<File<'_>, Error>) -> (&'static str, u64, String) {
    let error = result.err().expect("an error");
    let diagnostic = error.diagnostic().expect("a diagnostic");
    (diagnostic.code.id, diagnostic.offset.expect("an offset"), diagnostic.path.to_string())
}

#[test]
fn an_empty_model_is_a_header() {
    let bytes = header([0; 10]);
    let file = File::parse(&bytes).unwrap();
    assert_eq!((file.dialect, bytes.len()), (Dialect::Document, 44));
    assert_eq!(file.encode(), bytes);
}

#[test]
fn four_billion_vertices_in_44_bytes_are_refused_at_the_vertices() {
    let bytes = header([u32::MAX, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(code_and_place(File::parse(&bytes)), ("AEM0003", 44, "vertices".into()));
    let error = File::parse(&bytes).err().unwrap().to_string();
    assert!(error.contains("4294967295 × 88 = 377957121960 bytes"), "{error}");
}

#[test]
fn counts_that_wrap_in_32_bits_do_not_fit() {
    // 48 806 447 × 88 is 40 modulo 2^32: a loader with 32-bit products takes the file for complete.
    let mut bytes = header([48_806_447, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([0; 40]);
    assert_eq!(48_806_447u32.wrapping_mul(88), 40);
    assert_eq!(code_and_place(File::parse(&bytes)).0, "AEM0003");
}

#[test]
fn a_cut_wide_file_is_spoken_of_as_wide() {
    let mut bytes = model(Dialect::Wide).encode();
    bytes.truncate(bytes.len() - 20);
    let (code, _, path) = code_and_place(File::parse(&bytes));
    assert_eq!((code, path.as_str()), ("AEM0003", "keyframes"));
}

#[test]
fn equal_sizes_are_told_apart_by_the_mip_chains() {
    for dialect in [Dialect::Wide, Dialect::WideCompression] {
        let bytes = model(dialect).encode();
        let file = File::parse(&bytes).unwrap();
        assert_eq!(file.dialect, dialect, "{}", file.evidence());
        assert!(file.evidence.contains("wide, wide-compression"), "{}", file.evidence);
    }
}

#[test]
fn the_chain_of_a_texture_runs_down_to_one_pixel() {
    let texture = |width, height, compression| Texture {
        offset: 0,
        width,
        height,
        wrap_x: 0,
        wrap_y: 0,
        channels: 4,
        compression,
        padding: 0,
    };
    let chain = |texture: Texture| {
        let mut file = model(Dialect::Document);
        file.textures = vec![texture];
        mips::chains(&file)[0].map(|chain| chain.bytes)
    };
    assert_eq!(chain(texture(8, 8, 0)), Some((64 + 16 + 4 + 1) * 4));
    assert_eq!(chain(texture(5, 3, 0)), Some((15 + 2 + 1) * 4), "5 × 3, 2 × 1, 1 × 1");
    assert_eq!(chain(texture(8, 8, 2)), Some((4 + 1 + 1 + 1) * 16));
    assert_eq!(chain(texture(5, 3, 1)), Some((2 + 1 + 1) * 16));
    assert_eq!(chain(texture(0, 3, 0)), Some(0));
    assert_eq!(chain(texture(1, 1, 7)), None);
    assert!(chain(texture(u32::MAX, u32::MAX, 0)) > Some(1 << 65), "no wrap for the largest sizes");
}

#[test]
fn stated_channels_hold_and_blocks_are_never_taken_for_two() {
    let mut file = model(Dialect::Wide);
    file.textures[0].channels = 2;
    assert_eq!(mips::chains(&file)[0].unwrap().channels, 2);
    for chain in mips::chains(&model(Dialect::Document)) {
        assert_eq!(chain.unwrap().channels, 4);
    }
    let early = model(Dialect::WideEarly).encode();
    assert!(File::parse(&early).unwrap().textures.iter().all(|texture| texture.channels == 4));
}

#[test]
fn chains_fill_the_buffer_to_its_end_and_no_further() {
    let mut file = model(Dialect::Document);
    assert!(mips::fill_the_buffer(&file));
    file.image_buffer.to_mut().push(0);
    assert!(!mips::fill_the_buffer(&file), "a byte is left");
    file.image_buffer.to_mut().truncate(371);
    assert!(!mips::fill_the_buffer(&file), "a byte is missing");
}

#[test]
fn padding_is_written_back() {
    let mut file = model(Dialect::WideCompression);
    (file.header_padding, file.textures[1].padding) = (5, 7);
    let bytes = file.encode();
    let again = File::parse_as(&bytes, Dialect::WideCompression).unwrap();
    assert_eq!((again.header_padding, again.textures[1].padding), (5, 7));
}

#[test]
fn tracks_belong_to_an_animation_by_position() {
    let file = model(Dialect::Document);
    assert_eq!(file.tracks_of(0).len(), 3);
    assert!(file.tracks_of(1).is_empty());
    assert!(file.tracks_of(usize::MAX).is_empty());
}

mod scene {
    use super::super::raw::{Dialect, File};
    use super::super::sample::model;
    use super::super::{FORMAT, read::read, write::write};
    use crate::format::{Error, Fitted, ReadOptions, Result, WriteOptions, change_at};
    use crate::specimen;
    use maquette_scene::glam::{Mat4, Quat, Vec3};
    use maquette_scene::image::{ColourSpace, ImageData, PixelFormat};
    use maquette_scene::loss::{LossReport, Lost};
    use maquette_scene::material::{AlphaMode, Pbr, Wrap};
    use maquette_scene::{Scene, pose, valid};

    pub(super) fn try_read(file: &File<'_>, losses: &mut LossReport) -> Result<Scene> {
        read(&File::parse(&file.encode())?, &ReadOptions::default(), losses)
    }

    pub(super) fn scene_of(file: &File<'_>) -> (Scene, LossReport) {
        let mut losses = LossReport::default();
        let scene = try_read(file, &mut losses).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(valid::check(&scene), Ok(()));
        (scene, losses)
    }

    fn try_write(scene: &Scene, dialect: Dialect) -> Result<(Vec<u8>, LossReport)> {
        let mut losses = LossReport::default();
        let options = WriteOptions { dialect: dialect.id(), name: "post.aem", others: &[] };
        let fitted = Fitted::check(scene, &(FORMAT.caps)(dialect.id()))?;
        Ok((write(&fitted, &options, &mut losses)?.main, losses))
    }

    pub(super) fn written(scene: &Scene, dialect: Dialect) -> (Vec<u8>, LossReport) {
        try_write(scene, dialect).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Where the specimen's vertices are at a key, worked out from its definition.
    fn expected(key: usize) -> Vec<Vec3> {
        let (vertices, _) = specimen::geometry();
        let mut world = Mat4::IDENTITY;
        let mut palette = Vec::new();
        for joint in specimen::JOINTS {
            let turn = Quat::from_array(joint.rotations[key]);
            world *= Mat4::from_rotation_translation(turn, Vec3::from(joint.translation));
            palette.push(world * Mat4::from_translation(-Vec3::from(joint.position)));
        }
        let place = |vertex: &specimen::Vertex| {
            let influences = vertex.joints.iter().zip(vertex.weights).filter(|(joint, _)| **joint >= 0);
            influences
                .map(|(&joint, weight)| palette[joint as usize].transform_point3(vertex.position.into()) * weight)
                .sum()
        };
        vertices.iter().map(place).collect()
    }

    #[test]
    fn the_specimen_moves_as_it_was_made_to() {
        for &dialect in Dialect::ALL {
            let (scene, losses) = scene_of(&model(dialect));
            assert!(losses.is_empty(), "{losses:?}");
            let clip = scene.clips.iter().next().unwrap();
            for (key, &secs) in specimen::KEY_TIMES.iter().enumerate() {
                for (found, right) in pose::positions_at(&scene, clip, secs).iter().zip(expected(key)) {
                    assert!(found.distance(right) < 1e-6, "{dialect:?} at {secs}: {found} is not {right}");
                }
            }
            let rest = pose::positions_at_rest(&scene);
            let stored = specimen::geometry().0;
            assert!(rest.iter().zip(&stored).all(|(found, vertex)| found.distance(vertex.position.into()) < 1e-6));
        }
    }

    #[test]
    fn a_scene_goes_back_to_the_bytes_it_came_from() {
        for &dialect in Dialect::ALL {
            let file = model(dialect);
            let (bytes, losses) = written(&scene_of(&file).0, dialect);
            assert!(bytes == file.encode(), "{dialect:?}");
            assert!(losses.is_empty(), "{losses:?}");
        }
    }

    /// Where a scene is not as the writer needs it.
    fn misfit(scene: &Scene, dialect: Dialect) -> String {
        match try_write(scene, dialect) {
            Err(Error::Misfit(invalid)) => invalid.path.to_string(),
            other => panic!("{:?}", other.map(|(bytes, _)| bytes.len())),
        }
    }

    #[test]
    fn textures_are_packed_maps_untouched() {
        for &dialect in Dialect::ALL {
            let file = model(dialect);
            let (scene, _) = scene_of(&file);
            let [material] = scene.materials.iter().collect::<Vec<_>>()[..] else { panic!("one material") };
            let packed = material.packed().unwrap();
            assert_eq!(packed.textures().map(|(_, map)| map.image.index()), [0, 1, 2]);
            assert!(packed.textures().iter().all(|(_, map)| map.wrap == [Wrap::Repeat; 2]));
            let mut stored = Vec::new();
            let mut formats = Vec::new();
            for image in &scene.images {
                let ImageData::Pixels { format, colour_space, levels, .. } = &*image.data else { panic!("{image:?}") };
                assert_eq!(*colour_space, ColourSpace::Linear);
                formats.push(*format);
                stored.extend(levels.concat());
            }
            assert_eq!(stored, *file.image_buffer, "{dialect:?}");
            let blocks = [PixelFormat::Rgba8, PixelFormat::Bc5, PixelFormat::Bc7];
            assert_eq!(formats, if dialect == Dialect::WideEarly { [PixelFormat::Rgba8; 3] } else { blocks });
        }
    }

    #[test]
    fn wrapping_and_transparency_are_kept() {
        let mut file = model(Dialect::Document);
        (file.textures[0].wrap_x, file.textures[0].wrap_y) = (1, 2);
        change_at(&mut file.materials, 0, |material| material.kind = 1.into());
        let (scene, _) = scene_of(&file);
        let material = scene.materials.iter().next().unwrap();
        assert_eq!(material.packed().unwrap().base_colour.wrap, [Wrap::Mirror, Wrap::Clamp]);
        assert_eq!(material.alpha, AlphaMode::Blend);
        assert!(written(&scene, Dialect::Document).0 == file.encode());
    }

    #[test]
    fn every_dialect_can_become_every_other() {
        for &from in Dialect::ALL {
            for &to in Dialect::ALL {
                let (scene, _) = scene_of(&model(from));
                if to == Dialect::WideEarly && from != Dialect::WideEarly {
                    assert_eq!(misfit(&scene, to), "materials[0].surface", "{from:?} has blocks, {to:?} none");
                    continue;
                }
                let (bytes, losses) = written(&scene, to);
                let file = File::parse(&bytes).unwrap();
                assert_eq!(file.dialect, to);
                assert!(losses.is_empty(), "{from:?} to {to:?}: {losses:?}");
                assert_eq!((file.vertices.len(), file.keyframes.len(), file.joints.len()), (28, 21, 3));
            }
        }
    }

    #[test]
    fn a_kind_of_key_that_is_missing_is_what_libaem_takes() {
        let mut file = model(Dialect::Document);
        change_at(&mut file.tracks, 2, |track| track.translation_count = 0.into());
        change_at(&mut file.tracks, 2, |track| track.first_keyframe = 15.into());
        let (scene, _) = scene_of(&file);
        let clip = scene.clips.iter().next().unwrap();
        let tip = scene.nodes.handles().nth(2).unwrap();
        let local = pose::locals(&scene, clip, 0.0)[tip.index()];
        assert_eq!(local.w_axis.truncate(), Vec3::ZERO);
    }

    #[test]
    fn what_breaks_the_scene_is_refused_at_its_place() {
        let refused = |change: fn(&mut File<'_>)| {
            let mut file = model(Dialect::Document);
            change(&mut file);
            let error = try_read(&file, &mut LossReport::default()).err().unwrap();
            let found = error.diagnostic().unwrap();
            assert!(found.offset.is_some(), "{error}");
            (found.code.id, found.path.to_string())
        };
        assert_eq!(
            refused(|file| change_at(&mut file.indices, 4, |i| *i = 99.into())),
            ("AEM0010", "indices[4]".into())
        );
        let cycle = refused(|file| change_at(&mut file.joints, 0, |joint| joint.parent = 2.into()));
        assert_eq!(cycle, ("AEM0046", "joints[0].parent".into()));
        let below_a_cycle = refused(|file| {
            for (joint, parent) in [(0, 1), (1, 2), (2, 1)] {
                change_at(&mut file.joints, joint, |joint| joint.parent = parent.into());
            }
        });
        assert_eq!(below_a_cycle, ("AEM0046", "joints[1].parent".into()), "joint 0 is not its own ancestor");
        let material = refused(|file| change_at(&mut file.meshes, 0, |mesh| mesh.material_index = 7.into()));
        assert_eq!(material, ("AEM0013", "meshes[0].material_index".into()));
        let channels = refused(|file| {
            *file = model(Dialect::Channels);
            file.textures[0].channels = 3;
        });
        assert_eq!(channels, ("AEM0024", "textures[0].channels".into()));
        let bind =
            refused(|file| change_at(&mut file.joints, 1, |joint| joint.inverse_bind_matrix[5] = f32::NAN.into()));
        assert_eq!(bind, ("AEM0048", "joints[1].inverse_bind_matrix".into()));
    }

    /// The specimen with joints bound at these sizes along X.
    fn bound_at(sizes: [f32; 3]) -> File<'static> {
        let mut file = model(Dialect::Document);
        for (index, size) in sizes.into_iter().enumerate() {
            let inverse_bind = Mat4::from_scale(Vec3::new(size.recip(), 1.0, 1.0)).to_cols_array();
            change_at(&mut file.joints, index, |joint| joint.inverse_bind_matrix = inverse_bind.map(Into::into));
        }
        file
    }

    #[test]
    fn a_joint_beyond_what_singles_hold_from_its_parent_rests_where_that_does() {
        let tip = |sizes| {
            let (scene, losses) = scene_of(&bound_at(sizes));
            let size = scene.nodes.iter().nth(2).unwrap().transform.matrix().x_axis.x;
            (size, losses.losses().iter().map(|loss| (loss.what, loss.count)).collect::<Vec<_>>())
        };
        assert_eq!(tip([1.0, 0.125, 8.0]), (64.0, vec![]));
        // Every bind pose has an inverse; but the tip is 1e40 times as large as its parent.
        assert_eq!(tip([1.0, 1e-20, 1e20]), (1.0, vec![(Lost::BindPoses, 1)]));
    }

    #[test]
    fn a_scene_that_was_not_fitted_is_an_error() {
        let (mut scene, _) = scene_of(&model(Dialect::Document));
        scene
            .meshes
            .iter_mut()
            .for_each(|mesh| mesh.primitives.iter_mut().for_each(|primitive| primitive.streams.tangents = None));
        assert_eq!(misfit(&scene, Dialect::Document), "meshes[0].primitives[0].tangents");
        let (mut scene, _) = scene_of(&model(Dialect::Document));
        scene.materials.iter_mut().for_each(|material| material.surface = Pbr::default().into());
        assert_eq!(misfit(&scene, Dialect::Document), "materials[0].surface");
    }
}

#[test]
fn the_summary_counts_the_tracks_that_have_keys() {
    let mut file = model(Dialect::Document);
    let counts = |file: &File<'_>| {
        let summary = file.summary();
        (summary.joints, summary.nodes, summary.clips.iter().map(|clip| (clip.tracks, clip.keys)).collect::<Vec<_>>())
    };
    assert_eq!(counts(&file), (3, 0, vec![(3, 21)]), "joints are no nodes besides");
    let track = &mut file.tracks.to_mut()[1];
    (track.translation_count, track.scale_count) = (0.into(), 0.into());
    assert_eq!(counts(&file), (3, 0, vec![(3, 19)]), "one kind of keys makes a track");
    file.tracks.to_mut()[1].rotation_count = 0.into();
    assert_eq!(counts(&file), (3, 0, vec![(2, 14)]));
    // A second animation whose tracks are not there.
    let again = file.animations[0];
    file.animations.to_mut().push(again);
    assert_eq!(counts(&file), (3, 0, vec![(2, 14), (0, 0)]));
}
