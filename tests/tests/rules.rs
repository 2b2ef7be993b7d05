//! Every row of the rule table against the function that it is about.
//!
//! In comes the table; out come one test for each row, by its name, and tests of the table as a whole.
//! A row's partials are evaluated as the Rust code that they are and compared with differences of the
//! standard library's function; the traits that stand for a row where types are unknown are compared
//! with the partials.

mod check;
mod corners;
mod differences;
mod extremes;
mod names;

use check::{Axis, Evaluation, Partials, Row, check, check_derivatives, check_single_precision};

/// Functions named as the rows, each of which gives its [`Row`], and `all` of them.
macro_rules! rows {
    ($(
        $name:ident ( $($param:ident $(: $integer:ident)? in $interval:expr),+ ) -> $result:ident: $cost:ident, $slopes:ident
            => $partials:tt $(at [ $($point:tt),+ ])? ;
    )*) => {
        $(pub fn $name() -> Row {
            Row {
                name: stringify!($name),
                axes: vec![$(Axis::new($interval, stringify!($($integer)?))),+],
                corners: vec![$($(coordinates!($point)),+)?],
                double: evaluation!(f64 $name ($($param [$($integer)?]),+) -> $result => $partials),
                single: evaluation!(f32 $name ($($param [$($integer)?]),+) -> $result => $partials),
            }
        })*

        pub fn all() -> Vec<Row> {
            vec![$($name()),*]
        }
    };
}

macro_rules! coordinates {
    (($($coordinate:expr),+)) => { vec![$(f64::from($coordinate)),+] };
}

/// A row's function, partials and traits as functions of a point, in one of the float types.
macro_rules! evaluation {
    ($float:ident $name:ident $params:tt -> $result:ident => [$($partial:expr),+]) => {{
        fn primal(point: &[f64]) -> f64 {
            bind!($float $params point);
            f64::from(call!($name $params))
        }

        fn partials(point: &[f64]) -> Vec<f64> {
            type Float = $float;
            bind!($float $params point);
            let $result: Float = call!($name $params);
            vec![$({
                let partial: Float = $partial;
                f64::from(partial)
            }),+]
        }

        fn products(point: &[f64], direction: f64) -> Vec<[f64; 2]> {
            bind!($float $params point);
            let result: $float = call!($name $params);
            dispatch!($name $params (&result, &(direction as $float)) [$($partial),+])
        }

        Evaluation { primal, partials: Box::new(partials), products }
    }};
}

/// Binds the names of a row's operands to the coordinates of a point.
macro_rules! bind {
    ($float:ident ($($param:ident $integer:tt),+) $point:ident) => {
        let [$($param),+] = *$point else { panic!("the row has not the dimension of {:?}", $point) };
        $(let $param = $param as operand!($integer $float);)+
    };
}

macro_rules! operand {
    ([] $float:ident) => {
        $float
    };
    ([$integer:ident] $float:ident) => {
        $integer
    };
}

macro_rules! call {
    ($name:ident ($receiver:ident [] $(, $operand:ident $integer:tt)*)) => { $receiver.$name($($operand),*) };
}

/// What the traits for unknown types give: for each partial the results of its vjp and its jvp.
macro_rules! dispatch {
    ($name:ident $params:tt $rest:tt [$by_a:expr]) => {
        vec![products!($name vjp_0 jvp_0 $params $rest)]
    };
    ($name:ident $params:tt $rest:tt [$by_a:expr, $by_b:expr]) => {
        vec![products!($name vjp_0 jvp_0 $params $rest), products!($name vjp_1 jvp_1 $params $rest)]
    };
    ($name:ident $params:tt $rest:tt [$by_a:expr, $by_b:expr, $by_c:expr]) => {
        vec![
            products!($name vjp_0 jvp_0 $params $rest),
            products!($name vjp_1 jvp_1 $params $rest),
            products!($name vjp_2 jvp_2 $params $rest),
        ]
    };
}

macro_rules! products {
    ($name:ident $vjp:ident $jvp:ident ($($param:ident $integer:tt),+) ($($rest:expr),+)) => {
        [
            f64::from(::cotangent::__private::rules::$name::$vjp($(&$param,)+ $($rest),+)),
            f64::from(::cotangent::__private::rules::$name::$jvp($(&$param,)+ $($rest),+)),
        ]
    };
}

/// What a row's code is written with: the operators as methods, and no complaints about the rows' style.
macro_rules! table {
    (mod $table:ident { $($content:tt)* }) => {
        #[allow(deprecated, reason = "`abs_sub` is deprecated in the standard library")]
        #[allow(unused_variables, reason = "a partial reads only some of the row's operands")]
        #[allow(
            clippy::approx_constant,
            clippy::excessive_precision,
            clippy::unnecessary_cast,
            clippy::useless_conversion,
            reason = "the rows are written for both float types"
        )]
        mod $table {
            use super::{Axis, Evaluation, Row};
            #[allow(unused_imports, reason = "a table need not have all operators")]
            use std::ops::{Add as _, Div as _, Mul as _, Neg as _, Rem as _, Sub as _};

            $($content)*
        }
    };
}

table! {
    mod table { cotangent_rules::for_each_scalar_rule!(rows); }
}

macro_rules! tests {
    ($($name:ident $params:tt -> $result:ident: $cost:ident, $slopes:ident => $partials:tt $(at $points:tt)?;)*) => {
        /// One test for each row.
        mod row {
            $(#[test]
            fn $name() {
                super::check(&super::table::$name()).unwrap();
            })*
        }
    };
}

cotangent_rules::for_each_scalar_rule!(tests);

// Rows with mistakes that are easily made.
table! {
    mod mistaken {
        rows! {
            cos(x in -3.0..3.0) -> y: call, finite => [x.sin()];
            exp2(x in -2.0..2.0) -> y: call, finite => [y];
            sub(a in -2.0..2.0, b in -2.0..2.0) -> c: call, finite => [1.0, 1.0];
            copysign(x in -2.0..2.0, sign in -2.0..2.0) -> y: call, finite => [sign.signum(), 0.0];
            powi(x in 0.3..2.0, n: i32 in -3..5) -> y: call, finite => [n as Float * x.powi(n)];
            max(a in -2.0..2.0, b in -2.0..2.0) -> c: call, finite => [1.0, if a > b { 0.0 } else { 1.0 }];
        }
    }
}

#[test]
fn a_mistaken_row_fails_its_test_by_name() {
    for row in mistaken::all() {
        let report = check(&row).expect_err(row.name);
        let name = format!("`{}`", row.name);
        assert!(report.contains(&name), "the report does not name {name}: {report}");
    }
}

/// A row's partials, with one of them off by a little.
fn shifted(partials: Partials, operand: usize, shift: f64) -> Partials {
    Box::new(move |point| {
        let mut partials = partials(point);
        partials[operand] += shift;
        partials
    })
}

#[test]
fn no_partial_goes_unchecked() {
    for (index, row) in table::all().iter().enumerate() {
        let floats = row.axes.iter().filter(|axis| !axis.integer).count();
        for operand in 0..floats {
            let mut row = table::all().remove(index);
            row.double.partials = shifted(row.double.partials, operand, 1e-6);
            assert!(
                check_derivatives(&row).is_err(),
                "`{}` in double precision, operand {operand}",
                row.name
            );
            let mut row = table::all().remove(index);
            row.single.partials = shifted(row.single.partials, operand, 1e-3);
            assert!(
                check_single_precision(&row).is_err(),
                "`{}` in single precision, operand {operand}",
                row.name
            );
        }
    }
}

#[test]
fn a_mistake_at_a_corner_alone_is_found() {
    let mut row = table::abs();
    row.double.partials =
        Box::new(|point| vec![if point[0] == 0.0 { 2.0 } else { point[0].signum() }]);
    assert!(check(&row).unwrap_err().contains("`abs` at [0.0]"));
}
