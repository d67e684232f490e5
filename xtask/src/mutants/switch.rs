//! Texts with all their mutations in them, each behind a switch.

use super::list::Mutation;

/// The variable that names the mutation that is on.
pub const VARIABLE: &str = "MAQUETTE_MUTANT";
/// What stands for the switch in a mutation that is not simply one thing instead of another.
const SWITCH: &str = "MUTANT";

/// A mutation with the number that switches it on.
#[derive(Clone, Copy)]
pub struct Numbered {
    pub number: usize,
    pub mutation: &'static Mutation,
}

impl Numbered {
    /// What takes the place of the text of the mutation.
    fn switched(&self) -> String {
        let Mutation { from, to, .. } = self.mutation;
        let is_on = format!("std::env::var({VARIABLE:?}).is_ok_and(|on| on == \"{}\")", self.number);
        if to.contains(SWITCH) {
            return to.replace(SWITCH, &format!("({is_on})"));
        }
        let choice = format!("if {is_on} {{ {to} }} else {{ {from} }}");
        if from.ends_with(';') { choice } else { format!("({choice})") }
    }
}

/// A text with these mutations in it; an error if the text of one is not there exactly once, or lies in that of another.
pub fn all_into(text: &str, mutations: &[Numbered]) -> Result<String, String> {
    let mut places = Vec::new();
    for numbered in mutations {
        let Mutation { what, from, .. } = numbered.mutation;
        match text.match_indices(from).collect::<Vec<_>>().as_slice() {
            [(at, _)] => places.push((*at, numbered)),
            found => return Err(format!("{what}: {from:?} is there {} times instead of once", found.len())),
        }
    }
    places.sort_by_key(|(at, _)| *at);
    let (mut switched, mut copied) = (String::with_capacity(2 * text.len()), 0);
    for (at, numbered) in places {
        let Some(between) = text.get(copied..at) else {
            return Err(format!("{}: its text lies in that of another", numbered.mutation.what));
        };
        switched += between;
        switched += &numbered.switched();
        copied = at + numbered.mutation.from.len();
    }
    Ok(switched + text.get(copied..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::super::list::mutation;
    use super::*;

    const TEXT: &str = "let a = b + c;\nd(a);\n";

    fn switched(mutations: &'static [Mutation]) -> Result<String, String> {
        let numbered: Vec<_> =
            mutations.iter().zip(1..).map(|(mutation, number)| Numbered { number, mutation }).collect();
        let text = all_into(TEXT, &numbered)?;
        Ok(text.replace("std::env::var(\"MAQUETTE_MUTANT\").is_ok_and(|on| on == ", "is("))
    }

    #[test]
    fn expressions_statements_and_spelt_out_switches_stand_side_by_side() {
        const ALL: &[Mutation] = &[
            mutation("", "statement", "d(a);", ""),
            mutation("", "expression", "b + c", "b - c"),
            mutation("", "spelt out", "let a", "let a: bool = MUTANT; let a"),
        ];
        assert_eq!(
            switched(ALL).unwrap(),
            "let a: bool = (is(\"3\")); let a = (if is(\"2\") { b - c } else { b + c });\nif is(\"1\") {  } else { d(a); }\n"
        );
    }

    #[test]
    fn what_does_not_apply_is_named() {
        let problem = |mutations| switched(mutations).unwrap_err();
        const MISSING: &[Mutation] = &[mutation("", "gone", "x", "y")];
        assert_eq!(problem(MISSING), "gone: \"x\" is there 0 times instead of once");
        const TWICE: &[Mutation] = &[mutation("", "twice", "a", "f")];
        assert!(problem(TWICE).contains("instead of once"));
        const INSIDE: &[Mutation] = &[mutation("", "outer", "b + c", "b"), mutation("", "inner", "+ c", "- c")];
        assert_eq!(problem(INSIDE), "inner: its text lies in that of another");
    }
}
