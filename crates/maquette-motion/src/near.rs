//! Names that are nearly what was asked for.

/// More are no help.
const MOST: usize = 4;

/// Of these names the nearest to what was asked for, in any case; none, where too much is different for a slip.
pub fn nearest<'n>(asked: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let asked = asked.to_lowercase();
    let slip = asked.chars().count().div_ceil(3).min(3);
    let mut found = (slip, Vec::new());
    for name in names {
        let distance = distance(&asked, &name.to_lowercase());
        if distance < found.0 {
            found = (distance, Vec::new());
        }
        if distance == found.0 && !found.1.contains(&name) {
            found.1.push(name);
        }
    }
    if found.1.len() > MOST { Vec::new() } else { found.1 }
}

/// That nothing is called so, with what is nearly called so, or else with what there is.
pub fn nothing_called<'n>(what: &str, asked: &str, names: impl Iterator<Item = &'n str> + Clone) -> String {
    let near = nearest(asked, names.clone());
    let there: Vec<&str> = names.collect();
    match (near.is_empty(), there.is_empty()) {
        (false, _) => format!("no {what} is called {asked:?}; near is {}", crate::listed(&near)),
        (true, false) => format!("no {what} is called {asked:?}; there are {}", crate::listed(&there)),
        (true, true) => format!("no {what} is called {asked:?}; there are none"),
    }
}

/// How many letters must be added, taken away or changed.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (index, letter) in a.chars().enumerate() {
        let mut left = index + 1;
        let mut above_left = index;
        let mut next = vec![left];
        for (above, other) in row.iter().skip(1).zip(b.chars()) {
            left = (above_left + usize::from(letter != other)).min(left + 1).min(above + 1);
            above_left = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_counted() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "ab", 2),
            ("ab", "", 2),
            ("aem45", "aem0045", 2),
            ("colour", "color", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!((distance(a, b), distance(b, a)), (expected, expected), "{a} {b}");
        }
    }

    #[test]
    fn a_slip_is_mended_and_a_stranger_is_none() {
        let near = |asked| nearest(asked, ["AEM0045", "AEM0044", "vertex colours", "clips", "skins"].into_iter());
        assert_eq!(near("AEM45"), ["AEM0045"]);
        assert_eq!(near("Vertex Color"), ["vertex colours"]);
        assert_eq!(near("clip"), ["clips"]);
        assert!(near("bananas").is_empty() && near("").is_empty() && near("x").is_empty());
    }
}
