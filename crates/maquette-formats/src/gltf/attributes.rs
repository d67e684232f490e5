//! Vertex attributes by their semantic: `POSITION`, `TEXCOORD_1`, `_CUSTOM`.

use serde_json::{Map, Value};

/// The semantic of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantic {
    /// Positions.
    Position,
    /// Normals.
    Normal,
    /// Tangents.
    Tangent,
    /// A set of texture coordinates.
    Coordinates(usize),
    /// A set of colours.
    Colours(usize),
    /// Four joints of each vertex.
    Joints(usize),
    /// Their weights.
    Weights(usize),
    /// A custom attribute, or none of the specification's.
    Other,
}

impl Semantic {
    /// The semantic of an attribute name.
    pub fn of(name: &str) -> Semantic {
        let numbered = name.rsplit_once('_').and_then(|(name, set)| Some((name, set.parse().ok()?)));
        match (name, numbered) {
            ("POSITION", _) => Semantic::Position,
            ("NORMAL", _) => Semantic::Normal,
            ("TANGENT", _) => Semantic::Tangent,
            (_, Some(("TEXCOORD", set))) => Semantic::Coordinates(set),
            (_, Some(("COLOR", set))) => Semantic::Colours(set),
            (_, Some(("JOINTS", set))) => Semantic::Joints(set),
            (_, Some(("WEIGHTS", set))) => Semantic::Weights(set),
            _ => Semantic::Other,
        }
    }

    /// How many components an element may have.
    pub fn widths(self) -> &'static [usize] {
        match self {
            Semantic::Position | Semantic::Normal => &[3],
            Semantic::Tangent | Semantic::Joints(_) | Semantic::Weights(_) => &[4],
            Semantic::Coordinates(_) => &[2],
            Semantic::Colours(_) => &[3, 4],
            Semantic::Other => &[1, 2, 3, 4, 9, 16],
        }
    }

    /// The attribute without which this one is ignored.
    pub fn needs(self) -> Option<String> {
        let before = |name: &str, set: usize| set.checked_sub(1).map(|before| format!("{name}_{before}"));
        match self {
            Semantic::Coordinates(set) => before("TEXCOORD", set),
            Semantic::Colours(set) => before("COLOR", set),
            Semantic::Joints(set) => Some(format!("WEIGHTS_{set}")),
            Semantic::Weights(set) => Some(format!("JOINTS_{set}")),
            _ => None,
        }
    }
}

/// The accessor of an attribute.
pub fn accessor_of(attributes: &Map<String, Value>, name: &str) -> Option<usize> {
    attributes.get(name)?.as_u64()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_semantics() {
        assert_eq!(Semantic::of("TEXCOORD_12"), Semantic::Coordinates(12));
        assert_eq!(Semantic::of("_TEXCOORD_0"), Semantic::Other);
        assert_eq!(Semantic::of("COLOR"), Semantic::Other);
        assert_eq!(Semantic::of("JOINTS_1").needs().as_deref(), Some("WEIGHTS_1"));
        assert_eq!(Semantic::of("TEXCOORD_1").needs().as_deref(), Some("TEXCOORD_0"));
        assert_eq!(Semantic::of("TEXCOORD_0").needs(), None);
    }
}
