//! The joints: where they are at rest, unturned, and what carries them.

use maquette_scene::glam::DVec3;

macro_rules! joints {
    ($($joint:ident $name:literal $parent:ident $at:expr, $other:ident;)*) => {
        /// A joint; its number is its place in the skin.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Joint { $($joint,)* }

        impl Joint {
            pub const ALL: [Joint; [$($name),*].len()] = [$(Joint::$joint),*];

            pub fn name(self) -> &'static str {
                match self { $(Joint::$joint => $name,)* }
            }

            /// What carries it; the root carries itself.
            pub fn parent(self) -> Joint {
                match self { $(Joint::$joint => Joint::$parent,)* }
            }

            /// Where it is at rest, in the space of the model.
            pub fn place(self) -> DVec3 {
                DVec3::from(match self { $(Joint::$joint => $at,)* })
            }

            /// The same joint on the other side of the body.
            pub fn other_side(self) -> Joint {
                match self { $(Joint::$joint => Joint::$other,)* }
            }
        }
    };
}

joints! {
    Root "root" Root [0.0, 0.0, 0.0], Root;
    Hips "hips" Root [0.0, 0.280, -0.28], Hips;
    Spine "spine" Hips [0.0, 0.278, -0.145], Spine;
    Chest "chest" Spine [0.0, 0.289, 0.0], Chest;
    Neck "neck" Chest [0.0, 0.311, 0.10], Neck;
    Head "head" Neck [0.0, 0.337, 0.19], Head;
    EyeL "eye_l" Head [0.146, 0.455, 0.372], EyeR;
    EyeR "eye_r" Head [-0.146, 0.455, 0.372], EyeL;
    GillL "gills_l" Head [0.163, 0.385, 0.19], GillR;
    GillR "gills_r" Head [-0.163, 0.385, 0.19], GillL;
    Bell "bell" Neck [0.0, 0.170, 0.128], Bell;
    UpperArmL "upper_arm_l" Chest [0.13, 0.255, 0.025], UpperArmR;
    LowerArmL "lower_arm_l" UpperArmL [0.245, 0.19, 0.035], LowerArmR;
    HandL "hand_l" LowerArmL [0.27, 0.06, 0.075], HandR;
    UpperArmR "upper_arm_r" Chest [-0.13, 0.255, 0.025], UpperArmL;
    LowerArmR "lower_arm_r" UpperArmR [-0.245, 0.19, 0.035], LowerArmL;
    HandR "hand_r" LowerArmR [-0.27, 0.06, 0.075], HandL;
    UpperLegL "upper_leg_l" Hips [0.12, 0.264, -0.29], UpperLegR;
    LowerLegL "lower_leg_l" UpperLegL [0.245, 0.19, -0.30], LowerLegR;
    FootL "foot_l" LowerLegL [0.273, 0.06, -0.28], FootR;
    UpperLegR "upper_leg_r" Hips [-0.12, 0.264, -0.29], UpperLegL;
    LowerLegR "lower_leg_r" UpperLegR [-0.245, 0.19, -0.30], LowerLegL;
    FootR "foot_r" LowerLegR [-0.273, 0.06, -0.28], FootL;
    Tail1 "tail_01" Hips [0.0, 0.284, -0.405], Tail1;
    Tail2 "tail_02" Tail1 [0.0, 0.289, -0.515], Tail2;
    Tail3 "tail_03" Tail2 [0.0, 0.306, -0.625], Tail3;
    Tail4 "tail_04" Tail3 [0.0, 0.344, -0.73], Tail4;
    Tail5 "tail_05" Tail4 [0.0, 0.40, -0.80], Tail5;
}

impl Joint {
    /// The joints of the tail, from the hips to its tip.
    pub const TAIL: [Joint; 5] = [Joint::Tail1, Joint::Tail2, Joint::Tail3, Joint::Tail4, Joint::Tail5];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_first_and_sides_are_mirrored() {
        for (index, joint) in Joint::ALL.into_iter().enumerate() {
            assert!(joint as usize == index && (joint.parent() as usize) < index.max(1), "{joint:?}");
            let (here, there) = (joint.place(), joint.other_side().place());
            assert_eq!([-here.x, here.y, here.z], there.to_array(), "{joint:?}");
            assert_eq!(joint.parent().other_side(), joint.other_side().parent(), "{joint:?}");
            let swapped = match joint.name().split_at(joint.name().len() - 2) {
                (name, "_l") => format!("{name}_r"),
                (name, "_r") => format!("{name}_l"),
                (name, end) => format!("{name}{end}"),
            };
            assert_eq!(swapped, joint.other_side().name());
        }
    }
}
