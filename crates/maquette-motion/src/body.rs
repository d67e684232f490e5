//! What joints are called: the words that rigs of people, and of much else with arms and legs, have for the same thing.
//!
//! Known are the names of Mixamo, of Valve's and 3ds Max's Biped, of Call of Duty (`j_elbow_le`), of Blender's Rigify, of Unreal's mannequin and of Unity's humanoid, and what is
//! made of the same words.

use crate::rig::Rig;
use std::collections::HashSet;
use std::fmt;

/// A part of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// `left`, `right`, or nothing.
    pub side: &'static str,
    /// `forearm`.
    pub name: &'static str,
    /// Which joint of a finger, counted from the hand; which of the spine or the neck, counted from below.
    pub number: u32,
}

impl Part {
    /// What carries the whole body.
    pub const HIPS: Part = Part { side: "", name: "hips", number: 0 };
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = if self.side.is_empty() { "" } else { " " };
        write!(f, "{}{space}{}", self.side, self.name)?;
        if FINGERS.iter().any(|(_, finger)| *finger == self.name) { write!(f, " {}", self.number) } else { Ok(()) }
    }
}

/// Words that say nothing about the part.
const PREFIXES: [&str; 22] = [
    "mixamorig",
    "valve",
    "biped",
    "bip",
    "j",
    "jnt",
    "joint",
    "jt",
    "b",
    "bn",
    "bone",
    "bind",
    "def",
    "org",
    "cc",
    "base",
    "rig",
    "armature",
    "skeleton",
    "sk",
    "char",
    "character",
];
/// Words of joints that help others and are no part of a body.
const HELPERS: [&str; 24] = [
    "twist",
    "roll",
    "ik",
    "fk",
    "pole",
    "ctrl",
    "control",
    "end",
    "nub",
    "helper",
    "socket",
    "target",
    "effector",
    "tweak",
    "corrective",
    "attach",
    "offset",
    "dummy",
    "pull",
    "bulge",
    "aux",
    "mch",
    "parent",
    "master",
];
const LEFT: [&str; 4] = ["l", "left", "lft", "le"];
const RIGHT: [&str; 4] = ["r", "right", "rgt", "ri"];
const FINGERS: [(&str, &str); 8] = [
    ("thumb", "thumb"),
    ("index", "index finger"),
    ("middle", "middle finger"),
    ("mid", "middle finger"),
    ("ring", "ring finger"),
    ("pinky", "little finger"),
    ("little", "little finger"),
    ("pinkie", "little finger"),
];
/// The fingers of a Biped, by number.
const NUMBERED: [&str; 5] = ["thumb", "index finger", "middle finger", "ring finger", "little finger"];
const ALONE: [(&str, &str); 26] = [
    ("hips", "hips"),
    ("hip", "hips"),
    ("pelvis", "hips"),
    ("mainroot", "hips"),
    ("root", "root"),
    ("tagorigin", "root"),
    ("origin", "root"),
    ("reference", "root"),
    ("trajectory", "root"),
    ("spine", "spine"),
    ("spinelower", "spine"),
    ("spineupper", "spine"),
    ("spinemid", "spine"),
    ("lowerspine", "spine"),
    ("upperspine", "spine"),
    ("abdomen", "spine"),
    ("torso", "spine"),
    ("waist", "spine"),
    ("chest", "spine"),
    ("upperchest", "spine"),
    ("stomach", "spine"),
    ("lowerback", "spine"),
    ("back", "spine"),
    ("neck", "neck"),
    ("head", "head"),
    ("jaw", "jaw"),
];
const PAIRED: [(&str, &str); 31] = [
    ("clavicle", "collarbone"),
    ("collar", "collarbone"),
    ("collarbone", "collarbone"),
    ("shoulder", SHOULDER),
    ("upperarm", "upper arm"),
    ("uparm", "upper arm"),
    ("arm", ARM),
    ("bicep", "upper arm"),
    ("forearm", "forearm"),
    ("lowerarm", "forearm"),
    ("lowarm", "forearm"),
    ("elbow", "forearm"),
    ("hand", "hand"),
    ("wrist", "hand"),
    ("thigh", "thigh"),
    ("upleg", "thigh"),
    ("upperleg", "thigh"),
    ("hip", "thigh"),
    ("femur", "thigh"),
    ("leg", LEG),
    ("calf", "calf"),
    ("shin", "calf"),
    ("lowerleg", "calf"),
    ("lowleg", "calf"),
    ("knee", "calf"),
    ("foot", "foot"),
    ("ankle", "foot"),
    ("toe", "toes"),
    ("toes", "toes"),
    ("ball", "toes"),
    ("toebase", "toes"),
];
/// What is called so is the collarbone or the upper arm, the thigh or the calf: the other names of the rig tell.
const SHOULDER: &str = "shoulder";
const LEG: &str = "leg";
const ARM: &str = "arm";
/// What joints are that are all called so, in their order.
const LIMBS: [(&str, &[&str]); 2] =
    [(LEG, &["thigh", "calf", "foot", "toes"]), (ARM, &["upper arm", "forearm", "hand"])];

/// The part that each joint is; each part once. A rig that is made of names alone will do.
pub fn parts(rig: &Rig) -> Vec<Option<Part>> {
    let order = rig.parents_first();
    let mut found: Vec<Option<Part>> = rig.joints.iter().map(|joint| part(&words(&joint.name))).collect();
    let names: HashSet<&str> = found.iter().flatten().map(|part| part.name).collect();
    let has = |name: &str| names.contains(name);
    let shoulder = if has("collarbone") && !has("upper arm") && !has(ARM) { "upper arm" } else { "collarbone" };
    let spine: Vec<usize> = order
        .iter()
        .copied()
        .filter(|at| found.get(*at).copied().flatten().is_some_and(|part| part.name == "spine"))
        .collect();
    let mut renamed: Vec<(usize, &'static str)> = Vec::new();
    // Rigify calls everything spine, from the hips to the head.
    if !has("hips")
        && (has("thigh") || has(LEG))
        && let [first, rest @ ..] = spine.as_slice()
    {
        renamed.push((*first, "hips"));
        if !has("head")
            && let [.., lower, upper, head] = rest
            && rest.len() >= 6
        {
            renamed.extend([(*lower, "neck"), (*upper, "neck"), (*head, "head")]);
        }
    }
    for (at, name) in renamed {
        if let Some(Some(part)) = found.get_mut(at) {
            part.name = name;
        }
    }
    for (limb, joints) in LIMBS {
        for side in ["left", "right"] {
            let of_side = |at: &usize| found.get(*at).copied().flatten().filter(|part| part.side == side);
            let series: Vec<usize> =
                order.iter().copied().filter(|at| of_side(at).is_some_and(|part| part.name == limb)).collect();
            let known: HashSet<&str> = (0..found.len()).filter_map(|at| of_side(&at)).map(|part| part.name).collect();
            let mut free = joints.iter().filter(|joint| !known.contains(**joint));
            for (place, at) in series.iter().enumerate() {
                // One alone is a lower leg or an upper arm, if those have no names of their own.
                let alone = if limb == LEG { free.clone().find(|joint| **joint == "calf") } else { None };
                let name = alone.filter(|_| place == 0 && series.len() == 1).or_else(|| free.next());
                if let Some(slot) = found.get_mut(*at) {
                    *slot = slot.and_then(|part| Some(Part { name: name?, ..part }));
                }
            }
        }
    }
    let mut taken = HashSet::new();
    let (mut vertebra, mut neck) = (0, 0);
    for &at in order {
        let Some(slot) = found.get_mut(at) else { continue };
        if let Some(part) = slot {
            match part.name {
                SHOULDER => part.name = shoulder,
                "spine" => (part.number, vertebra) = (vertebra, vertebra + 1),
                "neck" => (part.number, neck) = (neck, neck + 1),
                _ => {}
            }
        }
        *slot = slot.filter(|part| taken.insert(*part));
    }
    found
}

fn part(words: &[String]) -> Option<Part> {
    let (mut side, mut numbers, mut rest) = ("", Vec::new(), Vec::new());
    for word in words {
        match word.as_str() {
            helper if HELPERS.contains(&helper) => return None,
            "joint" | "jnt" | "bone" => {}
            word if LEFT.contains(&word) => side = "left",
            word if RIGHT.contains(&word) => side = "right",
            number if number.starts_with(|letter: char| letter.is_ascii_digit()) => numbers.push(number),
            word => rest.push(word),
        }
    }
    let of = |table: &[(&str, &'static str)], word: &str| {
        table.iter().find(|(known, _)| *known == word).map(|found| found.1)
    };
    if let Some(name) =
        rest.iter().find_map(|word| of(&FINGERS, word)).filter(|_| !side.is_empty() && !rest.contains(&"toe"))
    {
        let by_word = [("metacarpal", 0), ("proximal", 1), ("intermediate", 2), ("distal", 3)];
        let named = by_word.iter().find(|(word, _)| rest.contains(word)).map(|(_, number)| *number);
        let number = named.or_else(|| numbers.last()?.parse().ok()).unwrap_or(1);
        return Some(Part { side, name, number });
    }
    let joined = rest.concat();
    if joined == "finger" && !side.is_empty() {
        let mut digits = numbers.first()?.chars().filter_map(|digit| digit.to_digit(10));
        let name = NUMBERED.get(digits.next()? as usize)?;
        return Some(Part { side, name, number: digits.next().unwrap_or(0) + 1 });
    }
    let table: &[_] = if side.is_empty() { &ALONE } else { &PAIRED };
    of(table, &joined).map(|name| Part { side, name, number: 0 })
}

/// The words of a name, without those that every name of a rig begins with, unless it has no others: `mixamorig:LeftUpLeg` is `left`, `up`, `leg`.
pub fn words(name: &str) -> Vec<String> {
    let name = name.rsplit([':', '|']).next().unwrap_or(name);
    let mut words: Vec<String> = Vec::new();
    let letters: Vec<char> = name.chars().collect();
    let mut word = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| letters.get(before)).copied();
        let after = letters.get(at + 1).copied();
        let is_new = before.is_some_and(|before| {
            before.is_ascii_digit() != letter.is_ascii_digit()
                || letter.is_uppercase() && (before.is_lowercase() || after.is_some_and(char::is_lowercase))
        });
        if (is_new || !letter.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    let mut first = 0;
    while let Some(word) = words.get(first) {
        let is_number = first > 0 && word.starts_with(|letter: char| letter.is_ascii_digit());
        if !(PREFIXES.contains(&word.as_str()) || is_number) {
            break;
        }
        first += 1;
    }
    if first < words.len() { words.split_off(first) } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::{Joint, Trs};

    fn named(names: &[&str]) -> Vec<String> {
        let joint =
            |(at, name): (usize, &&str)| Joint { name: (*name).into(), parent: at.checked_sub(1), rest: Trs::IDENTITY };
        let rig = Rig::new(names.iter().enumerate().map(joint).collect());
        parts(&rig).into_iter().map(|part| part.map_or("-".into(), |part| part.to_string())).collect()
    }

    #[test]
    fn the_same_body_in_six_rigs() {
        let wanted = [
            "hips",
            "spine",
            "neck",
            "head",
            "left collarbone",
            "left upper arm",
            "left forearm",
            "left hand",
            "left thumb 1",
            "left index finger 2",
            "right thigh",
            "right calf",
            "right foot",
            "right toes",
        ];
        let rigs: [(&str, [&str; 14]); 7] = [
            (
                "Mixamo",
                [
                    "mixamorig:Hips",
                    "mixamorig:Spine",
                    "mixamorig:Neck",
                    "mixamorig:Head",
                    "mixamorig:LeftShoulder",
                    "mixamorig:LeftArm",
                    "mixamorig:LeftForeArm",
                    "mixamorig:LeftHand",
                    "mixamorig:LeftHandThumb1",
                    "mixamorig:LeftHandIndex2",
                    "mixamorig:RightUpLeg",
                    "mixamorig:RightLeg",
                    "mixamorig:RightFoot",
                    "mixamorig:RightToeBase",
                ],
            ),
            (
                "Mixamo without its colon",
                [
                    "mixamorig1Hips",
                    "mixamorig1Spine",
                    "mixamorig1Neck",
                    "mixamorig1Head",
                    "mixamorig1LeftShoulder",
                    "mixamorig1LeftArm",
                    "mixamorig1LeftForeArm",
                    "mixamorig1LeftHand",
                    "mixamorig1LeftHandThumb1",
                    "mixamorig1LeftHandIndex2",
                    "mixamorig1RightUpLeg",
                    "mixamorig1RightLeg",
                    "mixamorig1RightFoot",
                    "mixamorig1RightToeBase",
                ],
            ),
            (
                "Valve",
                [
                    "ValveBiped.Bip01_Pelvis",
                    "ValveBiped.Bip01_Spine",
                    "ValveBiped.Bip01_Neck1",
                    "ValveBiped.Bip01_Head1",
                    "ValveBiped.Bip01_L_Clavicle",
                    "ValveBiped.Bip01_L_UpperArm",
                    "ValveBiped.Bip01_L_Forearm",
                    "ValveBiped.Bip01_L_Hand",
                    "ValveBiped.Bip01_L_Finger0",
                    "ValveBiped.Bip01_L_Finger11",
                    "ValveBiped.Bip01_R_Thigh",
                    "ValveBiped.Bip01_R_Calf",
                    "ValveBiped.Bip01_R_Foot",
                    "ValveBiped.Bip01_R_Toe0",
                ],
            ),
            (
                "Call of Duty",
                [
                    "j_mainroot",
                    "j_spinelower",
                    "j_neck",
                    "j_head",
                    "j_clavicle_le",
                    "j_shoulder_le",
                    "j_elbow_le",
                    "j_wrist_le",
                    "j_thumb_le_1",
                    "j_index_le_2",
                    "j_hip_ri",
                    "j_knee_ri",
                    "j_ankle_ri",
                    "j_ball_ri",
                ],
            ),
            (
                "Rigify",
                [
                    "DEF-hips",
                    "DEF-spine.001",
                    "DEF-neck",
                    "DEF-head",
                    "DEF-shoulder.L",
                    "DEF-upper_arm.L",
                    "DEF-forearm.L",
                    "DEF-hand.L",
                    "DEF-thumb.01.L",
                    "DEF-f_index.02.L",
                    "DEF-thigh.R",
                    "DEF-shin.R",
                    "DEF-foot.R",
                    "DEF-toe.R",
                ],
            ),
            (
                "Unreal",
                [
                    "pelvis",
                    "spine_01",
                    "neck_01",
                    "head",
                    "clavicle_l",
                    "upperarm_l",
                    "lowerarm_l",
                    "hand_l",
                    "thumb_01_l",
                    "index_02_l",
                    "thigh_r",
                    "calf_r",
                    "foot_r",
                    "ball_r",
                ],
            ),
            (
                "Unity",
                [
                    "Hips",
                    "Spine",
                    "Neck",
                    "Head",
                    "LeftShoulder",
                    "LeftUpperArm",
                    "LeftLowerArm",
                    "LeftHand",
                    "Left Thumb Proximal",
                    "LeftIndexIntermediate",
                    "RightUpperLeg",
                    "RightLowerLeg",
                    "RightFoot",
                    "RightToes",
                ],
            ),
        ];
        for (name, joints) in rigs {
            assert_eq!(named(&joints), wanted, "{name}");
        }
    }

    #[test]
    fn a_spine_from_the_hips_to_the_head() {
        let spine = ["spine", "spine.001", "spine.002", "spine.003", "spine.004", "spine.005", "spine.006", "thigh.L"];
        assert_eq!(named(&spine), ["hips", "spine", "spine", "spine", "neck", "neck", "head", "left thigh"]);
    }

    #[test]
    fn limbs_whose_joints_are_called_alike() {
        let legs = ["torso_1", "leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3", "leg_joint_L_5", "leg_joint_L_6"];
        assert_eq!(named(&legs), ["hips", "left thigh", "left calf", "left foot", "left toes", "-"]);
        let fox = ["b_Hip_01", "b_LeftLeg01_015", "b_LeftLeg02_016", "b_LeftFoot01_017", "b_LeftUpperArm_09"];
        assert_eq!(named(&fox), ["hips", "left thigh", "left calf", "left foot", "left upper arm"]);
        assert_eq!(named(&["arm_r_3", "arm_r_2", "arm_r_1"]), ["right upper arm", "right forearm", "right hand"]);
        assert_eq!(named(&["LeftLeg", "LeftKnee"]), ["left thigh", "left calf"]);
        assert_eq!(named(&["LeftLeg", "LeftFoot"]), ["left calf", "left foot"]);
    }

    #[test]
    fn helpers_and_strangers_are_no_part() {
        let none =
            ["j_elbow_twist_le", "LeftHand_IK", "mixamorig:HeadTop_End", "tail", "", "Finger9", "l", "L_Finger9", "_"];
        assert!(named(&none).iter().all(|part| part == "-"), "{:?}", named(&none));
        assert_eq!(named(&["Hips", "hips"]), ["hips", "-"], "each once");
        assert_eq!(named(&["LHipJoint"]), ["left thigh"]);
    }
}
