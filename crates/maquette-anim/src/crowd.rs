//! Many instances of one skeleton, in one call on several threads.

use crate::clip::{Clip, Cursor};
use crate::skeleton::Skeleton;
use crate::transform::Transform;
use glam::Mat4;
use std::num::NonZeroUsize;

/// One of many: which clip, and where in it.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    /// Which of the clips.
    pub clip: usize,
    /// Where it is, in seconds.
    pub time_secs: f32,
    cursor: Cursor,
}

impl Instance {
    /// At a moment of a clip.
    pub fn new(clip: usize, time_secs: f32) -> Instance {
        Instance { clip, time_secs, cursor: Cursor::default() }
    }
}

/// What is the same for all.
#[derive(Clone, Copy, Debug)]
pub struct Crowd<'c> {
    /// What all of them have.
    pub skeleton: &'c Skeleton,
    /// What they may play.
    pub clips: &'c [Clip],
    /// What binds the mesh, one for each joint of the skeleton.
    pub joint_from_mesh: &'c [Mat4],
}

impl Crowd<'_> {
    /// The palettes of all instances, one after the other, each of as many matrices as there are joints. As many threads are used as asked for, or as
    /// there are processors; what comes out does not depend on it.
    pub fn palettes(&self, instances: &mut [Instance], palettes: &mut [Mat4], threads: Option<NonZeroUsize>) {
        let joints = self.skeleton.joint_count();
        let available = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = threads.map_or_else(available, NonZeroUsize::get).min(instances.len().max(1));
        if joints == 0 || instances.is_empty() {
            return;
        }
        if threads == 1 {
            return self.some(instances, palettes);
        }
        // Several pieces for each thread would even out what differs; all instances cost about the same.
        let piece = instances.len().div_ceil(threads);
        std::thread::scope(|scope| {
            let mut pieces = instances.chunks_mut(piece).zip(palettes.chunks_mut(piece * joints));
            let own = pieces.next();
            for (instances, palettes) in pieces {
                scope.spawn(move || self.some(instances, palettes));
            }
            if let Some((instances, palettes)) = own {
                self.some(instances, palettes);
            }
        });
    }

    fn some(&self, instances: &mut [Instance], palettes: &mut [Mat4]) {
        let joints = self.skeleton.joint_count();
        let mut pose = self.skeleton.rest().to_vec();
        let mut model_from_joint = vec![Mat4::IDENTITY; joints];
        for (instance, palette) in instances.iter_mut().zip(palettes.chunks_exact_mut(joints)) {
            pose.copy_from_slice(self.skeleton.rest());
            if let Some(clip) = self.clips.get(instance.clip) {
                clip.sample(&mut instance.cursor, instance.time_secs, &mut pose);
            }
            self.skeleton.palette(self.joint_from_mesh, &pose, &mut model_from_joint, palette);
        }
    }

    /// The pose of one instance, for what is fastened to its joints.
    pub fn pose(&self, instance: &mut Instance, pose: &mut [Transform]) {
        pose.iter_mut().zip(self.skeleton.rest()).for_each(|(to, from)| *to = *from);
        if let Some(clip) = self.clips.get(instance.clip) {
            clip.sample(&mut instance.cursor, instance.time_secs, pose);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::{Builder, Interpolation};
    use crate::skeleton::Joint;
    use glam::Vec3;

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let joint = |parent| Joint { name: String::new(), parent, rest: Transform::IDENTITY };
        let skeleton = Skeleton::new([joint(None), joint(Some(0)), joint(Some(1))]).unwrap();
        let mut builder = Builder::new("", 1.0);
        builder.translation(1, Interpolation::Linear, &[0.0, 1.0], &[Vec3::ZERO, Vec3::X]);
        let clips = [builder.build().unwrap()];
        let crowd = Crowd { skeleton: &skeleton, clips: &clips, joint_from_mesh: &[Mat4::IDENTITY; 3] };
        let made = |threads: Option<usize>| {
            let mut instances: Vec<Instance> = (0..37).map(|it| Instance::new(it % 2, it as f32 / 37.0)).collect();
            let mut palettes = vec![Mat4::ZERO; 37 * 3];
            crowd.palettes(&mut instances, &mut palettes, threads.and_then(NonZeroUsize::new));
            palettes
        };
        let one = made(Some(1));
        assert_eq!(one[4 * 3 + 2].w_axis.x, 4.0 / 37.0);
        assert_eq!(one[5 * 3 + 2], Mat4::IDENTITY, "there is no such clip");
        for threads in [Some(2), Some(5), Some(99), None] {
            assert_eq!(made(threads), one);
        }
        crowd.palettes(&mut [], &mut [], None);
    }
}
