//! What the head of the table says about corners, row by row, exactly.

use super::table;

const INFINITY: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// Points and the partials there.
const CORNERS: &[(&str, &[f64], &[f64])] = &[
    ("abs", &[0.0], &[0.0]),
    ("abs", &[-0.0], &[0.0]),
    ("abs", &[NAN], &[NAN]),
    ("copysign", &[0.0, -1.0], &[0.0, 0.0]),
    ("copysign", &[-0.0, 1.0], &[0.0, 0.0]),
    ("copysign", &[1.5, -0.0], &[-1.0, 0.0]),
    ("copysign", &[-1.5, 0.0], &[-1.0, 0.0]),
    ("copysign", &[-1.5, NAN], &[-1.0, 0.0]),
    ("max", &[1.5, 1.5], &[1.0, 0.0]),
    ("max", &[-0.0, 0.0], &[1.0, 0.0]),
    ("max", &[NAN, 1.5], &[0.0, 1.0]),
    ("max", &[1.5, NAN], &[1.0, 0.0]),
    ("min", &[1.5, 1.5], &[1.0, 0.0]),
    ("min", &[0.0, -0.0], &[1.0, 0.0]),
    ("min", &[NAN, 1.5], &[0.0, 1.0]),
    ("min", &[1.5, NAN], &[1.0, 0.0]),
    ("clamp", &[-1.0, -1.0, 1.0], &[1.0, 0.0, 0.0]),
    ("clamp", &[1.0, -1.0, 1.0], &[1.0, 0.0, 0.0]),
    ("clamp", &[-1.5, -1.0, 1.0], &[0.0, 1.0, 0.0]),
    ("clamp", &[1.5, -1.0, 1.0], &[0.0, 0.0, 1.0]),
    ("clamp", &[1.0, 1.0, 1.0], &[1.0, 0.0, 0.0]),
    ("abs_sub", &[1.5, 1.5], &[0.0, 0.0]),
    ("rem", &[4.0, 2.0], &[1.0, -2.0]),
    ("rem", &[-4.0, 2.0], &[1.0, 2.0]),
    ("rem", &[1.0, 0.1], &[1.0, -9.0]),
    ("rem", &[1.5, INFINITY], &[1.0, 0.0]),
    ("rem_euclid", &[-4.0, 2.0], &[1.0, 2.0]),
    ("rem_euclid", &[-3.0, 2.0], &[1.0, 2.0]),
    ("rem_euclid", &[-3.0, -2.0], &[1.0, -2.0]),
    ("fract", &[2.0], &[1.0]),
    ("powi", &[0.0, 0.0], &[0.0]),
    ("powi", &[0.0, 1.0], &[1.0]),
    ("powi", &[0.0, 2.0], &[0.0]),
    ("powi", &[0.0, -1.0], &[-INFINITY]),
    ("powi", &[-0.0, -2.0], &[INFINITY]),
    ("powi", &[2.0, i32::MIN as f64], &[0.0]),
    ("powi", &[0.5, i32::MAX as f64], &[0.0]),
    ("powf", &[0.0, 0.0], &[0.0, 0.0]),
    ("powf", &[0.0, 0.5], &[INFINITY, 0.0]),
    ("powf", &[0.0, 1.0], &[1.0, 0.0]),
    ("powf", &[0.0, 2.0], &[0.0, 0.0]),
    ("powf", &[-1.5, 2.0], &[-3.0, NAN]),
    ("hypot", &[0.0, 0.0], &[0.0, 0.0]),
    ("atan2", &[0.0, 0.0], &[0.0, 0.0]),
    ("sqrt", &[0.0], &[INFINITY]),
    ("cbrt", &[0.0], &[INFINITY]),
    ("ln", &[0.0], &[INFINITY]),
    ("log2", &[0.0], &[INFINITY]),
    ("log10", &[0.0], &[INFINITY]),
    ("recip", &[0.0], &[-INFINITY]),
    ("asin", &[-1.0], &[INFINITY]),
    ("asin", &[1.0], &[INFINITY]),
    ("acos", &[1.0], &[-INFINITY]),
    ("atanh", &[-1.0], &[INFINITY]),
    ("atanh", &[1.0], &[INFINITY]),
    ("acosh", &[1.0], &[INFINITY]),
    ("ln_1p", &[-1.0], &[INFINITY]),
];

#[test]
fn corners_are_as_the_table_says() {
    let rows = table::all();
    for (name, point, expected) in CORNERS {
        let row = rows.iter().find(|row| row.name == *name).expect(name);
        for evaluation in [&row.double, &row.single] {
            let partials = (evaluation.partials)(point);
            let agree =
                partials.iter().zip(*expected).all(|(a, b)| a == b || a.is_nan() && b.is_nan());
            assert!(agree, "`{name}` at {point:?}: {partials:?} instead of {expected:?}");
        }
    }
}
