//! Other names for bones, events and clips.

use crate::{Bone, Did, Motion, Refusal, listed, nothing_called};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Which names are changed, and to what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renaming {
    /// What the clip is called.
    pub clip: Option<String>,
    /// Bones, and what each is called. All must be there.
    pub bones: BTreeMap<String, String>,
    /// The same, of which some may be there.
    pub map: BTreeMap<String, String>,
    /// The beginning that is taken off other bones.
    pub prefix_stripped: String,
    /// The beginning that other bones get, after that.
    pub prefix_added: String,
    /// Events, and what each is called. All must be there.
    pub events: BTreeMap<String, String>,
}

impl Renaming {
    /// What a bone is called that is named by itself.
    pub fn named(&self, bone: &str) -> Option<&str> {
        self.bones.get(bone).or_else(|| self.map.get(bone)).map(String::as_str)
    }

    /// What a bone is called.
    pub fn bone(&self, bone: &str) -> String {
        match self.named(bone) {
            Some(name) => name.to_owned(),
            None => format!("{}{}", self.prefix_added, bone.strip_prefix(&self.prefix_stripped).unwrap_or(bone)),
        }
    }

    /// Refuses a bone without a name, a bone that must be there and is not among these, and a map or a prefix that is about none of them.
    pub fn must_suit<'n>(&self, bones: impl Iterator<Item = &'n str>) -> Result<(), Refusal> {
        if let Some((bone, _)) =
            self.bones.iter().chain(&self.map).chain(&self.events).find(|(_, name)| name.is_empty())
        {
            return Err(Refusal(format!("{bone:?} is to be called nothing; write a name behind the sign")));
        }
        let pairs = self.bones.iter().chain(&self.map).chain(&self.events).map(|(_, name)| name);
        if let Some(name) = pairs.chain(&self.clip).chain([&self.prefix_added]).find(|name| name.contains('\0')) {
            return Err(Refusal(format!("{name:?} holds a NUL, at which names end in files; leave it out")));
        }
        let bones: Vec<&str> = bones.collect();
        let there: HashSet<&str> = bones.iter().copied().collect();
        if let Some(bone) = self.bones.keys().find(|bone| !there.contains(bone.as_str())) {
            let none = nothing_called("bone", bone, bones.iter().copied());
            return Err(Refusal(format!("{none}; pairs of which some may be missing go into a file for `--map`")));
        }
        if !self.map.is_empty() && !self.map.keys().any(|bone| there.contains(bone.as_str())) {
            let named: Vec<&String> = self.map.keys().collect();
            return Err(Refusal(format!(
                "no line of the map is about a bone there is: it names {}, and there are {}",
                listed(&named),
                listed(&bones)
            )));
        }
        let prefix = &self.prefix_stripped;
        if !prefix.is_empty() && !bones.iter().any(|bone| bone.starts_with(prefix.as_str())) {
            return Err(Refusal(format!("no bone begins with {prefix:?}; there are {}", listed(&bones))));
        }
        Ok(())
    }
}

/// Two names that would become one, if there are any. Names that are one already stay so.
pub fn clash<'n>(names: impl Iterator<Item = (&'n str, String)>) -> Result<(), Refusal> {
    let mut taken: HashMap<String, &str> = HashMap::new();
    for (before, after) in names {
        match taken.get(&after) {
            Some(other) if *other != before => {
                return Err(Refusal(format!(
                    "{other:?} and {before:?} would both be called {after:?}; give them different names"
                )));
            }
            _ => taken.insert(after, before),
        };
    }
    Ok(())
}

/// Gives bones, events and the clip other names. With `has_nodes`, bones are called as the nodes of their file, which are renamed there.
pub fn rename(motion: &mut Motion, renaming: &Renaming, has_nodes: bool) -> Result<Did, Refusal> {
    let mut did = Did::default();
    let mut parts = Vec::new();
    if let Some(name) = &renaming.clip {
        if motion.on_frames {
            return Err(Refusal("a SEAnim clip has no name but its file's; name the file with -o".into()));
        }
        motion.name.clone_from(name);
        parts.push(format!("is called {name:?}"));
    }
    if !has_nodes {
        renaming.must_suit(motion.bones.iter().map(|bone| &*bone.name))?;
        for is_shape in [false, true] {
            let bones = motion.bones.iter().filter(|bone| bone.is_shape == is_shape);
            clash(bones.map(|bone| (&*bone.name, renaming.bone(&bone.name))))?;
        }
        let mut renamed = 0;
        for Bone { name, .. } in &mut motion.bones {
            let after = renaming.bone(name);
            renamed += u32::from(after != *name);
            *name = after;
        }
        did = did.with("bones renamed", f64::from(renamed), "");
    }
    let events = motion.events.iter().map(|event| &*event.name);
    if let Some(missing) = renaming.events.keys().find(|name| !events.clone().any(|event| event == **name)) {
        return Err(Refusal(nothing_called("event", missing, events)));
    }
    let mut renamed = 0;
    for event in &mut motion.events {
        if let Some(name) = renaming.events.get(&event.name) {
            event.name.clone_from(name);
            renamed += 1;
        }
    }
    if !renaming.events.is_empty() {
        did = did.with("events renamed", f64::from(renamed), "");
    }
    if parts.is_empty() {
        let whose = if has_nodes { "is about nodes of other names" } else { "has other names" };
        parts.push(whose.to_owned());
    }
    Ok(Did { words: parts.join(", "), ..did })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Event;

    fn motion(bones: &[&str]) -> Motion {
        let bones = bones.iter().map(|name| Bone { name: (*name).into(), ..Bone::default() }).collect();
        Motion { bones, events: vec![Event { time_secs: 0.0, name: "step".into() }], ..Motion::default() }
    }

    fn names(motion: &Motion) -> Vec<&str> {
        motion.bones.iter().map(|bone| &*bone.name).collect()
    }

    fn pairs(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
    }

    #[test]
    fn pairs_come_before_prefixes_and_names_can_be_swapped() {
        let mut clip = motion(&["j_hip", "j_a", "b", "c"]);
        let renaming = Renaming {
            bones: pairs(&[("j_a", "b"), ("b", "j_a")]),
            map: pairs(&[("nobody", "x"), ("c", "d")]),
            prefix_stripped: "j_".into(),
            prefix_added: "rig:".into(),
            events: pairs(&[("step", "footstep")]),
            ..Renaming::default()
        };
        let did = rename(&mut clip, &renaming, false).unwrap();
        assert_eq!(names(&clip), ["rig:hip", "b", "j_a", "d"]);
        assert_eq!((&*clip.events[0].name, did.figures[0].value), ("footstep", 4.0));
    }

    #[test]
    fn names_end_at_no_nul() {
        for renaming in [
            Renaming { map: pairs(&[("a", "b\0c")]), ..Renaming::default() },
            Renaming { prefix_added: "\0".into(), ..Renaming::default() },
        ] {
            assert!(rename(&mut motion(&["a"]), &renaming, false).unwrap_err().0.contains("holds a NUL"));
        }
    }

    #[test]
    fn names_that_would_become_one_are_refused() {
        let strip = Renaming { prefix_stripped: "j_".into(), ..Renaming::default() };
        assert!(rename(&mut motion(&["j_a", "a"]), &strip, false).unwrap_err().0.contains("both be called \"a\""));
        rename(&mut motion(&["j_a", "j_a"]), &strip, false).unwrap();
        let absent = Renaming { bones: pairs(&[("c", "d")]), ..Renaming::default() };
        assert!(rename(&mut motion(&["a"]), &absent, false).unwrap_err().0.contains("no bone is called \"c\""));
        let prefix = Renaming { prefix_stripped: "zz_".into(), ..Renaming::default() };
        assert_eq!(
            rename(&mut motion(&["a"]), &prefix, false).unwrap_err().0,
            "no bone begins with \"zz_\"; there are \"a\""
        );
        let map = Renaming { map: pairs(&[("x", "y")]), ..Renaming::default() };
        assert!(
            rename(&mut motion(&["a"]), &map, false).unwrap_err().0.ends_with("it names \"x\", and there are \"a\"")
        );
        let nothing = Renaming { map: pairs(&[("a", "")]), ..Renaming::default() };
        assert!(rename(&mut motion(&["a"]), &nothing, false).is_err());
        let event = Renaming { events: pairs(&[("jump", "hop")]), ..Renaming::default() };
        assert!(rename(&mut motion(&["a"]), &event, false).is_err());
    }
}
