//! A function with parameters of all kinds, with the companion that the macros are to emit for it,
//! written by hand.

use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use crate::check::{self, Case, Copied, Mismatch, Report};
use crate::{Differentiable, NoTangent};

/// With `t = Σ wᵢ a(i mod 3)` the value is `(c x t, [k x t + c a₀ + |name|])`; `s₀` is multiplied by
/// `x`, and `x s₀` is appended to `m`.
#[expect(clippy::too_many_arguments, reason = "a parameter of each kind")]
fn f(
    x: f64,
    w: &[f64],
    s: &mut [f64],
    m: &mut Vec<f64>,
    a: [f64; 3],
    n: usize,
    name: &str,
    c: f64,
) -> (f64, Vec<f64>) {
    let t: f64 = w.iter().enumerate().map(|(i, w)| w * a[i % 3]).sum();
    s[0] *= x;
    m.push(x * s[0]);
    let list = (0..n).map(|k| k as f64 * (x * t) + c * a[0] + name.len() as f64).collect();
    (c * (x * t), list)
}

#[expect(non_camel_case_types, reason = "companions bear the name of their function")]
enum f {}

#[expect(clippy::too_many_arguments, reason = "a parameter of each kind")]
impl f {
    fn __jvp(
        x: f64,
        x_dot: f64,
        w: &[f64],
        w_dot: &[f64],
        s: &mut [f64],
        s_dot: &mut [f64],
        m: &mut Vec<f64>,
        m_dot: &mut Vec<f64>,
        a: [f64; 3],
        a_dot: [f64; 3],
        n: usize,
        _: NoTangent,
        name: &str,
        _: &NoTangent,
        c: f64,
        _: f64,
    ) -> ((f64, Vec<f64>), (f64, Vec<f64>)) {
        let t: f64 = w.iter().enumerate().map(|(i, w)| w * a[i % 3]).sum();
        let t_dot: f64 = w
            .iter()
            .zip(w_dot)
            .enumerate()
            .map(|(i, (w, w_dot))| w_dot * a[i % 3] + w * a_dot[i % 3])
            .sum();
        s_dot[0] = s_dot[0] * x + s[0] * x_dot;
        s[0] *= x;
        m_dot.push(x_dot * s[0] + x * s_dot[0]);
        m.push(x * s[0]);
        let u_dot = x_dot * t + x * t_dot;
        let list = (0..n).map(|k| k as f64 * (x * t) + c * a[0] + name.len() as f64).collect();
        let list_dot = (0..n).map(|k| k as f64 * u_dot + c * a_dot[0]).collect();
        ((c * (x * t), list), (c * u_dot, list_dot))
    }

    #[expect(clippy::type_complexity, reason = "the pullback of a function with many references")]
    fn __vjp(
        x: f64,
        w: &[f64],
        s: &mut [f64],
        m: &mut Vec<f64>,
        a: [f64; 3],
        n: usize,
        name: &str,
        c: f64,
    ) -> (
        (f64, Vec<f64>),
        impl FnOnce(
            &[f64],
            &mut [f64],
            &mut [f64],
            &mut [f64],
            &mut Vec<f64>,
            &mut Vec<f64>,
            &str,
            &mut NoTangent,
            (f64, Vec<f64>),
        ) -> (f64, [f64; 3], NoTangent, f64)
        + use<>,
    ) {
        let s_0 = s[0];
        let y = f(x, w, s, m, a, n, name, c);
        (y, move |w, w_bar, s, s_bar, m, m_bar, _, _, (y_bar, list_bar)| {
            let t: f64 = w.iter().enumerate().map(|(i, w)| w * a[i % 3]).sum();
            let u_bar =
                c * y_bar + list_bar.iter().enumerate().map(|(k, bar)| k as f64 * bar).sum::<f64>();
            let mut a_bar = [c * list_bar.iter().sum::<f64>(), 0.0, 0.0];
            let mut x_bar = u_bar * t;
            for i in 0..w.len() {
                w_bar[i] += u_bar * x * a[i % 3];
                a_bar[i % 3] += u_bar * x * w[i];
            }
            let pushed_bar = m_bar.pop().unwrap_or_default();
            m.pop();
            x_bar += pushed_bar * s[0];
            s_bar[0] += pushed_bar * x;
            s[0] = s_0;
            x_bar += s_bar[0] * s[0];
            s_bar[0] *= x;
            (x_bar, a_bar, NoTangent, 0.0)
        })
    }

    #[rustfmt::skip]
    fn __check(
        x: f64, w: &[f64], s: &mut [f64], m: &mut Vec<f64>, a: [f64; 3], n: usize, name: &str, c: f64,
    ) -> Result<Report, Mismatch> {
        Case::new(
            "f",
            &["x", "w", "s", "m", "a", "n", "name", "c"],
            (
                check::value(x),
                check::shared(w),
                check::unique(s),
                check::unique(m),
                check::value(a),
                check::value(n).constant(),
                check::shared(name).constant(),
                check::value(c).constant(),
            ),
            |p| f(
                p.0.get(), p.1.get(), p.2.get(), p.3.get(),
                p.4.get(), p.5.get(), p.6.get(), p.7.get(),
            ),
        )
        .jvp(|p, d| f::__jvp(
            p.0.get(), d.0.get(), p.1.get(), d.1.get(), p.2.get(), d.2.get(), p.3.get(), d.3.get(),
            p.4.get(), d.4.get(), p.5.get(), d.5.get(), p.6.get(), d.6.get(), p.7.get(), d.7.get(),
        ))
        .vjp(|p, d, seed| {
            let (y, pullback) = f::__vjp(
                p.0.get(), p.1.get(), p.2.get(), p.3.get(),
                p.4.get(), p.5.get(), p.6.get(), p.7.get(),
            );
            let y_bar = seed(&y, p, d);
            let bars = pullback(
                p.1.get(), d.1.get(), p.2.get(), d.2.get(), p.3.get(), d.3.get(), p.6.get(), d.6.get(),
                y_bar,
            );
            d.0.put(bars.0);
            d.4.put(bars.1);
            d.5.put(bars.2);
            d.7.put(bars.3);
        })
        .verify()
    }
}

#[test]
fn a_parameter_of_each_kind() {
    let (mut s, mut m) = ([0.7, 3.0], vec![5.0]);
    let report =
        f::__check(1.3, &[0.4, -2.0, 0.9, 1.1], &mut s, &mut m, [1.0, 0.5, -0.3], 3, "name", 2.0)
            .unwrap();
    assert_eq!((s, m), ([0.7, 3.0], vec![5.0]), "the caller's places are not touched");
    assert!(report.forward() && report.reverse() && !report.accumulate());
    assert_eq!(report.directions(), 7, "two joint directions, one for each active parameter");
    assert!(report.largest_difference() < 1e-8, "{report}");
    assert!(report.largest_disagreement() < 1e-14, "{report}");
}

#[test]
fn a_report_is_one_line() {
    let report = f::__check(1.0, &[], &mut [2.0], &mut vec![], [3.0; 3], 0, "", 4.0).unwrap();
    let line = report.to_string();
    assert!(line.starts_with("`f`: 5 directions; jvp within "), "{line}");
    assert!(line.contains(" of differences; vjp within "), "{line}");
    assert!(!line.contains('\n'));
}

/// A state of which no copies can be made.
struct Fixed {
    level: f64,
}

impl Differentiable for Fixed {
    type Tangent = f64;

    fn zero_tangent(&self) -> f64 {
        0.0
    }

    fn perturb(&mut self, direction: &f64, step: f64) {
        self.level += step * direction;
    }

    fn visit(&self, visitor: &mut dyn crate::Visitor) {
        self.level.visit(visitor);
    }

    crate::floats::floats_of_fields!(level);
}

/// What is emitted compiles although the parameters are not `Clone`, as long as nobody calls it.
#[expect(dead_code, reason = "that it compiles is the test")]
fn check_of_fixed(state: &mut Fixed, states: &[Fixed], own: Fixed) -> Result<Report, Mismatch>
where
    for<'a> Fixed: Copied<'a>,
{
    let point = (check::unique(state), check::shared(states), check::value(own));
    Case::new("levels", &["state", "states", "own"], point, |p| {
        let (state, states, own): (&mut Fixed, &[Fixed], Fixed) = (p.0.get(), p.1.get(), p.2.get());
        state.level * states[0].level * own.level
    })
    .verify()
}

/// `Σ g(xᵢ)`, with a function and a counter as parameters.
fn apply<G: Fn(f64) -> f64>(g: &G, power: fn(f64) -> f64, count: &mut Counter, x: f64) -> f64 {
    count.0 += 1;
    g(power(x))
}

#[derive(Clone)]
struct Counter(usize);

#[test]
fn parameters_without_tangents() {
    let (double, square): (_, fn(f64) -> f64) = (|x: f64| 2.0 * x, |x| x * x);
    let mut count = Counter(0);
    let point = (
        check::opaque_shared(&double),
        check::opaque(square),
        check::opaque_unique(&mut count),
        check::value(3.0),
    );
    let report = Case::new("apply", &["g", "power", "count", "x"], point, |p| {
        apply(p.0.get(), p.1.get(), p.2.get(), p.3.get())
    })
    .jvp(|p, d| {
        let NoTangent = *d.0.get();
        let NoTangent = d.1.get();
        let NoTangent = *d.2.get();
        let (x, x_dot) = (p.3.get(), d.3.get());
        (apply(p.0.get(), p.1.get(), p.2.get(), x), 4.0 * x * x_dot)
    })
    .verify()
    .unwrap();
    assert!(report.forward() && !report.reverse());
    assert_eq!(count.0, 0);
    assert!(format!("{report}").ends_with("of differences"));
}
