//! A length as people write it: `0.1mm`, `2cm`, `0.5m`, or a bare number in units of the model.

use std::str::FromStr;

/// A length in units of the model; one with a unit takes these for metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Length(pub f64);

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Length, String> {
        let units = [("mm", 1000.0), ("cm", 100.0), ("m", 1.0)];
        let (number, parts) = units
            .into_iter()
            .find_map(|(unit, parts)| Some((text.strip_suffix(unit)?.trim_end(), parts)))
            .unwrap_or((text, 1.0));
        let number = number.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
        number.map(|number| Length(number / parts)).ok_or_else(|| {
            "write a length such as 0.1mm, 2cm or 0.5m, or a bare number in units of the model".to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_with_and_without_units() {
        let of = |text: &str| text.parse::<Length>();
        assert_eq!(
            ["0.1mm", "2 cm", "0.5m", "0.25", "0"].map(of),
            [Ok(Length(0.0001)), Ok(Length(0.02)), Ok(Length(0.5)), Ok(Length(0.25)), Ok(Length(0.0))]
        );
        assert!(["", "mm", "-1", "-1mm", "inf", "NaNm", "1 inch", "1km"].into_iter().all(|text| of(text).is_err()));
    }
}
