//! Rows of the rule table, operators and methods, on numbers.

use super::data::Datum;
use super::fault::{Fault, Run};
use std::cmp::Ordering;

/// Rows and methods of floats by name, as the standard library has them.
macro_rules! floats {
    ($row:ident, $method:ident, $float:ident) => {
        #[allow(deprecated, reason = "`abs_sub` is a row of the table")]
        fn $row(name: &str, args: &[$float]) -> Option<$float> {
            Some(match (name, args) {
                ("add", [a, b]) => a + b,
                ("sub", [a, b]) => a - b,
                ("mul", [a, b]) => a * b,
                ("div", [a, b]) => a / b,
                ("rem", [a, b]) => a % b,
                ("neg", [a]) => -a,
                ("strong", [direction, factor]) => {
                    if *direction == 0.0 {
                        0.0
                    } else {
                        direction * factor
                    }
                }
                ("recip", [x]) => x.recip(),
                ("sqrt", [x]) => x.sqrt(),
                ("cbrt", [x]) => x.cbrt(),
                ("hypot", [x, y]) => x.hypot(*y),
                ("powf", [x, p]) => x.powf(*p),
                ("exp", [x]) => x.exp(),
                ("exp2", [x]) => x.exp2(),
                ("exp_m1", [x]) => x.exp_m1(),
                ("ln", [x]) => x.ln(),
                ("ln_1p", [x]) => x.ln_1p(),
                ("log", [x, base]) => x.log(*base),
                ("log2", [x]) => x.log2(),
                ("log10", [x]) => x.log10(),
                ("sin", [x]) => x.sin(),
                ("cos", [x]) => x.cos(),
                ("tan", [x]) => x.tan(),
                ("asin", [x]) => x.asin(),
                ("acos", [x]) => x.acos(),
                ("atan", [x]) => x.atan(),
                ("atan2", [y, x]) => y.atan2(*x),
                ("to_degrees", [x]) => x.to_degrees(),
                ("to_radians", [x]) => x.to_radians(),
                ("sinh", [x]) => x.sinh(),
                ("cosh", [x]) => x.cosh(),
                ("tanh", [x]) => x.tanh(),
                ("asinh", [x]) => x.asinh(),
                ("acosh", [x]) => x.acosh(),
                ("atanh", [x]) => x.atanh(),
                ("abs", [x]) => x.abs(),
                ("abs_sub", [a, b]) => a.abs_sub(*b),
                ("copysign", [x, sign]) => x.copysign(*sign),
                ("max", [a, b]) => a.max(*b),
                ("min", [a, b]) => a.min(*b),
                ("clamp", [x, low, high]) if low <= high => x.clamp(*low, *high),
                ("midpoint", [a, b]) => a.midpoint(*b),
                ("mul_add", [a, b, c]) => a.mul_add(*b, *c),
                ("fract", [x]) => x.fract(),
                ("rem_euclid", [a, b]) => a.rem_euclid(*b),
                ("next_up", [x]) => x.next_up(),
                ("next_down", [x]) => x.next_down(),
                _ => return None,
            })
        }

        fn $method(name: &str, args: &[$float], make: fn($float) -> Datum) -> Option<Datum> {
            Some(match (name, args) {
                ("floor", [x]) => make(x.floor()),
                ("ceil", [x]) => make(x.ceil()),
                ("round", [x]) => make(x.round()),
                ("round_ties_even", [x]) => make(x.round_ties_even()),
                ("trunc", [x]) => make(x.trunc()),
                ("signum", [x]) => make(x.signum()),
                ("div_euclid", [a, b]) => make(a.div_euclid(*b)),
                ("is_nan", [x]) => Datum::Bool(x.is_nan()),
                ("is_infinite", [x]) => Datum::Bool(x.is_infinite()),
                ("is_finite", [x]) => Datum::Bool(x.is_finite()),
                ("is_normal", [x]) => Datum::Bool(x.is_normal()),
                ("is_subnormal", [x]) => Datum::Bool(x.is_subnormal()),
                ("is_sign_positive", [x]) => Datum::Bool(x.is_sign_positive()),
                ("is_sign_negative", [x]) => Datum::Bool(x.is_sign_negative()),
                _ => return None,
            })
        }
    };
}

floats!(double_row, double_method, f64);
floats!(single_row, single_method, f32);

/// A row on integers.
fn integer_row(name: &str, args: &[i64]) -> Option<Option<i64>> {
    Some(match (name, args) {
        ("add", [a, b]) => a.checked_add(*b),
        ("sub", [a, b]) => a.checked_sub(*b),
        ("mul", [a, b]) => a.checked_mul(*b),
        ("div", [a, b]) => a.checked_div(*b),
        ("rem", [a, b]) => a.checked_rem(*b),
        ("neg", [a]) => a.checked_neg(),
        ("abs", [a]) => a.checked_abs(),
        ("max", [a, b]) => Some(*a.max(b)),
        ("min", [a, b]) => Some(*a.min(b)),
        ("clamp", [x, low, high]) => (low <= high).then(|| *x.clamp(low, high)),
        ("rem_euclid", [a, b]) => a.checked_rem_euclid(*b),
        _ => return None,
    })
}

/// Operands of one float type: literals take that of the others.
enum Numbers {
    Doubles(Vec<f64>),
    Singles(Vec<f32>),
    Integers(Vec<i64>),
}

fn numbers(args: &[Datum]) -> Option<Numbers> {
    let integer = |arg: &Datum| if let Datum::Integer(number) = arg { Some(*number) } else { None };
    if let Some(integers) = args.iter().map(integer).collect() {
        return Some(Numbers::Integers(integers));
    }
    let is_single = args.iter().any(|arg| matches!(arg, Datum::Single(_)));
    let single = |arg: &Datum| match arg {
        Datum::Double(number) => Some(*number as f32),
        Datum::Single(number) => Some(*number),
        _ => None,
    };
    let double = |arg: &Datum| if let Datum::Double(number) = arg { Some(*number) } else { None };
    Some(match is_single {
        true => Numbers::Singles(args.iter().map(single).collect::<Option<_>>()?),
        false => Numbers::Doubles(args.iter().map(double).collect::<Option<_>>()?),
    })
}

/// A row of the table.
pub(super) fn row(name: &str, args: &[Datum]) -> Run<Datum> {
    if let ("powi", [x, Datum::Integer(exponent)]) = (name, args) {
        return powi(x, *exponent);
    }
    let numbers = numbers(args).ok_or_else(|| Fault::Broken(format!("`{name}` of {args:?}")))?;
    let found = match numbers {
        Numbers::Doubles(args) => double_row(name, &args).map(Datum::Double),
        Numbers::Singles(args) => single_row(name, &args).map(Datum::Single),
        Numbers::Integers(args) => match integer_row(name, &args) {
            Some(None) => return Err(Fault::Panic(format!("`{name}` of {args:?} overflows"))),
            found => found.flatten().map(Datum::Integer),
        },
    };
    match found {
        Some(result) => Ok(result),
        None if name == "clamp" => Err(Fault::Panic(format!("the bounds of {args:?}"))),
        None => Err(Fault::Unsupported(format!("the row `{name}` of {args:?}"))),
    }
}

fn powi(x: &Datum, exponent: i64) -> Run<Datum> {
    let exponent = i32::try_from(exponent)
        .map_err(|_| Fault::Panic(format!("the exponent {exponent} is no `i32`")))?;
    match x {
        Datum::Double(x) => Ok(Datum::Double(x.powi(exponent))),
        Datum::Single(x) => Ok(Datum::Single(x.powi(exponent))),
        other => Err(Fault::Broken(format!("`powi` of {other:?}"))),
    }
}

/// A method without derivative.
pub(super) fn method(name: &str, args: &[Datum]) -> Run<Datum> {
    let unsupported = || Fault::Unsupported(format!("the method `{name}` of {args:?}"));
    if let (Some(op), [a, b]) = (comparison_method(name), args) {
        return compare(op, a, b);
    }
    let found = match numbers(args).ok_or_else(unsupported)? {
        Numbers::Doubles(args) => double_method(name, &args, Datum::Double),
        Numbers::Singles(args) => single_method(name, &args, Datum::Single),
        Numbers::Integers(args) => integer_method(name, &args)?,
    };
    found.map_or_else(|| row(name, args), Ok)
}

fn integer_method(name: &str, args: &[i64]) -> Run<Option<Datum>> {
    let overflows = || Fault::Panic(format!("`{name}` of {args:?} overflows"));
    let number = match (name, args) {
        ("signum", [a]) => a.signum(),
        ("div_euclid", [a, b]) => a.checked_div_euclid(*b).ok_or_else(overflows)?,
        ("pow", [a, b]) => {
            let exponent = u32::try_from(*b).map_err(|_| overflows())?;
            a.checked_pow(exponent).ok_or_else(overflows)?
        }
        ("abs_diff", [a, b]) => (a - b).abs(),
        ("saturating_sub", [a, b]) => (a - b).max(0),
        ("div_ceil", [a, b]) if *b > 0 => (a + b - 1).div_euclid(*b),
        _ => return Ok(None),
    };
    Ok(Some(Datum::Integer(number)))
}

fn comparison_method(name: &str) -> Option<&'static str> {
    Some(match name {
        "eq" => "==",
        "ne" => "!=",
        "lt" => "<",
        "le" => "<=",
        "gt" => ">",
        "ge" => ">=",
        _ => return None,
    })
}

/// An operator without derivative, as it is spelled.
pub(super) fn binary(op: &str, a: &Datum, b: &Datum) -> Run<Datum> {
    let unsupported = || Fault::Unsupported(format!("{a:?} {op} {b:?}"));
    match (op, a, b) {
        ("==" | "!=" | "<" | "<=" | ">" | ">=", ..) => compare(op, a, b),
        ("&&" | "&", Datum::Bool(a), Datum::Bool(b)) => Ok(Datum::Bool(*a && *b)),
        ("||" | "|", Datum::Bool(a), Datum::Bool(b)) => Ok(Datum::Bool(*a || *b)),
        ("^", Datum::Bool(a), Datum::Bool(b)) => Ok(Datum::Bool(a != b)),
        ("&", Datum::Integer(a), Datum::Integer(b)) => Ok(Datum::Integer(a & b)),
        ("|", Datum::Integer(a), Datum::Integer(b)) => Ok(Datum::Integer(a | b)),
        ("^", Datum::Integer(a), Datum::Integer(b)) => Ok(Datum::Integer(a ^ b)),
        ("<<", Datum::Integer(a), Datum::Integer(b)) => {
            let shift = u32::try_from(*b).map_err(|_| unsupported())?;
            a.checked_shl(shift).map(Datum::Integer).ok_or_else(unsupported)
        }
        (">>", Datum::Integer(a), Datum::Integer(b)) => {
            let shift = u32::try_from(*b).map_err(|_| unsupported())?;
            a.checked_shr(shift).map(Datum::Integer).ok_or_else(unsupported)
        }
        ("+", ..) => row("add", &[a.clone(), b.clone()]),
        ("-", ..) => row("sub", &[a.clone(), b.clone()]),
        ("*", ..) => row("mul", &[a.clone(), b.clone()]),
        ("/", ..) => row("div", &[a.clone(), b.clone()]),
        ("%", ..) => row("rem", &[a.clone(), b.clone()]),
        _ => Err(unsupported()),
    }
}

fn compare(op: &str, a: &Datum, b: &Datum) -> Run<Datum> {
    let order = order(a, b)?;
    let is_less = order == Some(Ordering::Less);
    let is_equal = order == Some(Ordering::Equal);
    let is_greater = order == Some(Ordering::Greater);
    Ok(Datum::Bool(match op {
        "==" => is_equal,
        "!=" => !is_equal,
        "<" => is_less,
        "<=" => is_less || is_equal,
        ">" => is_greater,
        _ => is_greater || is_equal,
    }))
}

fn order(a: &Datum, b: &Datum) -> Run<Option<Ordering>> {
    Ok(match (a, b) {
        (Datum::Bool(a), Datum::Bool(b)) => a.partial_cmp(b),
        (Datum::Text(a), Datum::Text(b)) => a.partial_cmp(b),
        _ => match numbers(&[a.clone(), b.clone()]) {
            Some(Numbers::Doubles(pair)) => pair[0].partial_cmp(&pair[1]),
            Some(Numbers::Singles(pair)) => pair[0].partial_cmp(&pair[1]),
            Some(Numbers::Integers(pair)) => pair[0].partial_cmp(&pair[1]),
            None if matches!(a, Datum::Undefined) || matches!(b, Datum::Undefined) => {
                return Err(Fault::Broken("something undefined is compared".to_owned()));
            }
            None => return Err(Fault::Unsupported(format!("a comparison of {a:?} with {b:?}"))),
        },
    })
}

/// A number as one of another type.
pub(super) fn cast(ty: &str, value: &Datum) -> Run<Datum> {
    let unsupported = || Fault::Unsupported(format!("{value:?} as `{ty}`"));
    let number = match value {
        Datum::Double(number) => *number,
        Datum::Single(number) => f64::from(*number),
        Datum::Integer(number) => return integer_as(ty, *number).ok_or_else(unsupported),
        Datum::Bool(holds) => return integer_as(ty, i64::from(*holds)).ok_or_else(unsupported),
        _ => return Err(unsupported()),
    };
    Ok(match ty {
        "f64" => Datum::Double(number),
        "f32" => Datum::Single(number as f32),
        "usize" | "u64" => Datum::Integer(i64::try_from(number as u64).map_err(|_| unsupported())?),
        "i64" | "isize" => Datum::Integer(number as i64),
        "i32" => Datum::Integer(i64::from(number as i32)),
        "u32" => Datum::Integer(i64::from(number as u32)),
        "u16" => Datum::Integer(i64::from(number as u16)),
        "u8" => Datum::Integer(i64::from(number as u8)),
        "i16" => Datum::Integer(i64::from(number as i16)),
        "i8" => Datum::Integer(i64::from(number as i8)),
        _ => return Err(unsupported()),
    })
}

fn integer_as(ty: &str, number: i64) -> Option<Datum> {
    Some(match ty {
        "f64" => Datum::Double(number as f64),
        "f32" => Datum::Single(number as f32),
        "i64" | "isize" | "i128" => Datum::Integer(number),
        "usize" | "u64" | "u128" => Datum::Integer((number >= 0).then_some(number)?),
        "i32" => Datum::Integer(i64::from(number as i32)),
        "u32" => Datum::Integer(i64::from(number as u32)),
        "i16" => Datum::Integer(i64::from(number as i16)),
        "u16" => Datum::Integer(i64::from(number as u16)),
        "i8" => Datum::Integer(i64::from(number as i8)),
        "u8" => Datum::Integer(i64::from(number as u8)),
        _ => return None,
    })
}

/// A constant of the standard library by its path.
pub(super) fn item(path: &str) -> Run<Datum> {
    let words: Vec<&str> =
        path.split("::").filter(|word| !matches!(*word, "" | "std" | "core" | "consts")).collect();
    let number = match words[..] {
        ["f64", "PI"] => std::f64::consts::PI,
        ["f64", "TAU"] => std::f64::consts::TAU,
        ["f64", "E"] => std::f64::consts::E,
        ["f64", "LN_2"] => std::f64::consts::LN_2,
        ["f64", "SQRT_2"] => std::f64::consts::SQRT_2,
        ["f64", "FRAC_PI_2"] => std::f64::consts::FRAC_PI_2,
        ["f64", "INFINITY"] => f64::INFINITY,
        ["f64", "NEG_INFINITY"] => f64::NEG_INFINITY,
        ["f64", "NAN"] => f64::NAN,
        ["f64", "MAX"] => f64::MAX,
        ["f64", "MIN"] => f64::MIN,
        ["f64", "EPSILON"] => f64::EPSILON,
        ["f64", "MIN_POSITIVE"] => f64::MIN_POSITIVE,
        _ => return Err(Fault::Unsupported(format!("the item `{path}`"))),
    };
    Ok(Datum::Double(number))
}
