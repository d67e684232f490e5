//! A model that is harder to play than the sample: parents after their children, several clips, keys at moments of their own, kinds of keys that are missing.

use maquette_formats::aem::raw::{Animation, Joint, Keyframe, Track};
use maquette_formats::aem::{Dialect, File, sample};
use maquette_formats::layout::FixedText;
use std::borrow::Cow;

/// Numbers from -1 to 1 that are the same in every run.
struct Random(u32);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0
    }
}

const PARENTS: [i32; 6] = [3, 0, -1, 2, -1, 3];
const DURATIONS: [f32; 3] = [2.0, 0.75, 0.0];

pub fn figure(dialect: Dialect) -> File<'static> {
    let mut random = Random(7);
    let mut file = sample::model(dialect);
    let joint = |(index, parent): (usize, i32)| {
        let mut matrix = [0.0f32; 16];
        for (at, value) in matrix.iter_mut().enumerate() {
            *value = if at % 4 == 3 { f32::from(at == 15) } else { f32::from(at % 5 == 0) + 0.5 * random.next() };
        }
        Joint {
            name: FixedText::new(&format!("joint {index}")).unwrap(),
            inverse_bind_matrix: matrix.map(Into::into),
            parent: parent.into(),
        }
    };
    file.joints = PARENTS.into_iter().enumerate().map(joint).collect();
    let animation = |(index, duration): (usize, f32)| Animation {
        name: FixedText::new(&format!("clip {index}")).unwrap(),
        duration: duration.into(),
    };
    file.animations = DURATIONS.into_iter().enumerate().map(animation).collect();
    let (mut tracks, mut keys) = (Vec::new(), Vec::new());
    for (clip, duration) in DURATIONS.into_iter().enumerate() {
        for joint in 0..PARENTS.len() {
            let first_keyframe = (keys.len() as u32).into();
            let counts = [0usize, 1, 2].map(|kind| if duration == 0.0 { 1 } else { (3 * clip + joint + 5 * kind) % 6 });
            for (kind, count) in counts.into_iter().enumerate() {
                for key in 0..count {
                    let time = if count == 1 {
                        0.0
                    } else {
                        duration * (key as f32 + 0.3 * random.next().abs()) / count as f32
                    };
                    keys.push(Keyframe { time: time.into(), value: value(kind, &mut random).map(Into::into) });
                }
            }
            let [translation_count, rotation_count, scale_count] = counts.map(|count| (count as u32).into());
            tracks.push(Track { first_keyframe, translation_count, rotation_count, scale_count });
        }
    }
    file.tracks = Cow::Owned(tracks);
    file.keyframes = Cow::Owned(keys);
    file
}

fn value(kind: usize, random: &mut Random) -> [f32; 4] {
    let [x, y, z, w] = [0; 4].map(|_| random.next());
    match kind {
        0 => [x, y, z, 0.0],
        1 => {
            let length = (x * x + y * y + z * z + w * w).sqrt();
            [x, y, z, w].map(|part| part / length)
        }
        _ => [1.0 + 0.4 * x, 1.0 + 0.4 * y, 1.0 + 0.4 * z, 0.0],
    }
}
