//! Transforms of sixteen numbers: their order, and whether they are sound.

use super::numbers::all_finite;
use maquette_scene::{Code, Diagnostic, Path, Report};
use zerocopy::little_endian::F32;

/// How the sixteen numbers of a matrix are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixOrder {
    /// Column by column: the translation stands in elements 12 to 14.
    ColumnMajor,
    /// Row by row: the translation stands in elements 3, 7 and 11.
    RowMajor,
}

impl MatrixOrder {
    /// The word used in text and JSON.
    pub fn word(self) -> &'static str {
        match self {
            MatrixOrder::ColumnMajor => "column-major",
            MatrixOrder::RowMajor => "row-major",
        }
    }

    fn translation(self) -> [usize; 3] {
        match self {
            MatrixOrder::ColumnMajor => [12, 13, 14],
            MatrixOrder::RowMajor => [3, 7, 11],
        }
    }

    /// Where the row stands that is 0 0 0 1 in every affine matrix.
    fn projective_row(self) -> [usize; 4] {
        match self {
            MatrixOrder::ColumnMajor => [3, 7, 11, 15],
            MatrixOrder::RowMajor => [12, 13, 14, 15],
        }
    }
}

/// How many matrices have a translation only where one order keeps it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderVotes {
    /// In elements 12 to 14.
    pub column_major: u64,
    /// In elements 3, 7 and 11.
    pub row_major: u64,
}

impl OrderVotes {
    /// Counts these matrices.
    pub fn of<'a>(matrices: impl IntoIterator<Item = &'a [F32; 16]>) -> OrderVotes {
        let mut votes = OrderVotes::default();
        for matrix in matrices {
            let any = |order: MatrixOrder| {
                order.translation().iter().any(|&place| matrix.get(place).is_some_and(|x| x.get().abs() > 1e-6))
            };
            match (any(MatrixOrder::ColumnMajor), any(MatrixOrder::RowMajor)) {
                (true, false) => votes.column_major += 1,
                (false, true) => votes.row_major += 1,
                _ => {}
            }
        }
        votes
    }

    /// The order most matrices speak for; none without a majority.
    pub fn winner(&self) -> Option<MatrixOrder> {
        match self.column_major.cmp(&self.row_major) {
            std::cmp::Ordering::Greater => Some(MatrixOrder::ColumnMajor),
            std::cmp::Ordering::Less => Some(MatrixOrder::RowMajor),
            std::cmp::Ordering::Equal => None,
        }
    }
}

/// A format's codes for these rules.
pub struct MatrixCodes {
    /// A NaN or an infinity.
    pub not_finite: &'static Code,
    /// A projective row that is not 0 0 0 1.
    pub not_affine: &'static Code,
    /// No inverse.
    pub degenerate: &'static Code,
}

/// Reports what is wrong with one transform.
pub fn matrix(report: &mut Report, codes: &MatrixCodes, at: Path, matrix: &[F32; 16], order: MatrixOrder) {
    if !all_finite(matrix) {
        let finding = Diagnostic::new(codes.not_finite, at, "the matrix holds a NaN or an infinity");
        return report.push(finding.expected("finite numbers"));
    }
    let row = order.projective_row();
    let projective = row.map(|place| matrix.get(place).map_or(0.0, |x| x.get()));
    if projective.iter().zip([0.0, 0.0, 0.0, 1.0]).any(|(found, right)| (found - right).abs() > 1e-4) {
        let [a, b, c, d] = row;
        let message = format!("elements {a}, {b}, {c} and {d} are {projective:?}");
        return report
            .push(Diagnostic::new(codes.not_affine, at, message).expected("0, 0, 0 and 1, as in any affine matrix"));
    }
    if flattens(matrix) {
        let finding = Diagnostic::new(codes.degenerate, at, "the matrix has no inverse");
        report.push(finding.expected("three axes that span a volume"));
    }
}

/// Whether the axes span no volume, against the largest that axes of their lengths can span.
fn flattens(matrix: &[F32; 16]) -> bool {
    let [a, b, c, _, d, e, f, _, g, h, i, ..] = matrix.map(|x| f64::from(x.get()));
    let determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
    let length = |axis: [f64; 3]| axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    let spanned = length([a, b, c]) * length([d, e, f]) * length([g, h, i]);
    spanned == 0.0 || determinant.abs() <= 1e-6 * spanned
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::{codes, path};

    codes! {
        /// Not finite.
        NOT_FINITE = "TST0001" "not-finite" Error;
        /// Not affine.
        NOT_AFFINE = "TST0002" "not-affine" Error;
        /// Degenerate.
        DEGENERATE = "TST0003" "degenerate" Error;
    }

    fn found(elements: [f32; 16], order: MatrixOrder) -> Option<&'static str> {
        let codes = MatrixCodes { not_finite: &NOT_FINITE, not_affine: &NOT_AFFINE, degenerate: &DEGENERATE };
        let mut report = Report::default();
        matrix(&mut report, &codes, path!("m"), &elements.map(F32::new), order);
        assert_eq!(CODES.len(), 3);
        report.items().first().map(|item| item.code.name)
    }

    const MOVED: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 5., 6., 7., 1.];

    #[test]
    fn matrices_are_judged_by_order_and_volume() {
        assert_eq!(found(MOVED, MatrixOrder::ColumnMajor), None);
        assert_eq!(found(MOVED, MatrixOrder::RowMajor), Some("not-affine"));
        let flat = [1., 0., 0., 0., 0., 0., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];
        assert_eq!(found(flat, MatrixOrder::ColumnMajor), Some("degenerate"));
        let tiny = [1e-4, 0., 0., 0., 0., 1e-4, 0., 0., 0., 0., 1e-4, 0., 0., 0., 0., 1.];
        assert_eq!(found(tiny, MatrixOrder::ColumnMajor), None, "a small scale is no flattening");
        assert_eq!(found([f32::NAN; 16], MatrixOrder::ColumnMajor), Some("not-finite"));
    }

    #[test]
    fn translations_vote_for_an_order() {
        let votes = OrderVotes::of([&MOVED.map(F32::new)]);
        assert_eq!(votes, OrderVotes { column_major: 1, row_major: 0 });
        assert_eq!(votes.winner(), Some(MatrixOrder::ColumnMajor));
        assert_eq!(OrderVotes::default().winner(), None);
    }
}
