//! What the levels of a recursion leave on their tapes: values of all kinds of types, from branches and loops, of
//! functions of all kinds.

use cotangent::{Differentiable, Float, differentiate};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Twig {
    weight: f64,
    twigs: Vec<Twig>,
}

fn twig() -> Twig {
    let bare = |weight| Twig { weight, twigs: vec![] };
    Twig { weight: 0.8, twigs: vec![bare(0.3), Twig { weight: 1.1, twigs: vec![bare(0.7)] }] }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Damper<T> {
    rate: T,
    steps: usize,
}

#[differentiate]
#[differentiate]
impl<T: Float> Damper<T> {
    pub fn settle(&self, x: T, depth: u8) -> T {
        if depth == 0 || self.steps < 2 {
            return x * self.rate;
        }
        let y = (x * self.rate).sin();
        Self::settle(self, y, depth - 1) * y
    }

    pub fn shrink(&mut self, depth: i16) {
        if depth > 0 {
            self.rate = self.rate * self.rate.cos();
            self.shrink(depth - 1);
            self.rate = self.rate + self.rate.sin();
        }
    }

    pub fn scaled<const N: usize>(x: [T; N], depth: usize) -> T {
        if depth >= N {
            return x[0];
        }
        let mut y = x;
        y[depth] = y[depth] * x[0];
        Self::scaled(y, depth + 1) * x[depth]
    }
}

#[differentiate]
#[differentiate]
pub(crate) fn chebyshev<T: Float>(x: T, n: u64) -> T {
    match n {
        0 => T::one(),
        1 => x,
        _ => (x + x) * chebyshev(x, n - 1) - chebyshev(x, n - 2),
    }
}

/// The other instance of a function is another function.
#[differentiate]
#[differentiate]
pub(crate) fn halved<T: Float, const N: usize>(x: [T; N], n: usize) -> T {
    if n == 0 { x[N - 1] } else { halved::<T, N>(x, n - 1) * x[n % N].sin() }
}

#[differentiate]
#[differentiate]
pub(crate) fn doubled_below<const N: usize>(x: f64, n: usize) -> f64 {
    if n == 0 { x * N as f64 } else { doubled_below::<2>(x, n - 1).sin() * x * N as f64 }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Settings {
    limit: usize,
    step: f64,
}

#[differentiate]
#[differentiate(constant(settings))]
pub(crate) fn with_settings(x: f64, settings: Settings, n: usize) -> f64 {
    if n > settings.limit {
        return x;
    }
    with_settings(x.sin() * settings.step, settings, n + 1) * x
}

#[differentiate]
#[differentiate(constant(table, by))]
pub(crate) fn with_a_table(x: &mut [f64], table: &[u32], by: f64, at: usize) -> f64 {
    if at == table.len() {
        return x[0];
    }
    let i = table[at] as usize;
    x[i] *= by;
    let rest = with_a_table(x, table, by + 0.5, at + 1);
    x[0] += rest * x[i];
    rest.cos()
}

#[differentiate]
#[differentiate(constant(scale))]
pub(crate) fn constant_of_a_type_parameter<T: Float>(x: T, scale: T, n: u8) -> T {
    if n == 0 {
        return x * scale;
    }
    constant_of_a_type_parameter(x.sin(), scale, n - 1) * x
}

#[differentiate]
#[differentiate]
pub(crate) fn by_a_constant(x: f64, n: u8) -> f64 {
    constant_of_a_type_parameter(x, 0.9, n) * x
}

/// What the function does to itself before it comes to the end is put back.
#[differentiate]
#[differentiate(constant(scale))]
pub(crate) fn constant_in_another_place(x: f64, scale: f64, n: i32) -> f64 {
    if n <= 0 {
        return x * scale;
    }
    let next = scale * 0.5 + f64::from(n);
    constant_in_another_place(x * scale, next, n - 2) + scale * x
}

checks! {
    with_settings at (0.7, Settings { limit: 4, step: 0.9 }, 1);
    with_a_table at (&mut [0.7, 0.3, 1.1], &[1, 2, 1], 0.5, 0);
    constant_in_another_place at (0.7, 0.9, 5);
    by_a_constant at (0.7, 3);
}

corpus! {
    fn of_a_type_parameter(x: f64) -> f64 {
        chebyshev(x, 5)
    }
    at (0.7) => 80.0 * x.powi(4) - 60.0 * x * x + 5.0;

    fn of_single_precision(x: f32) -> f32 {
        chebyshev(x, 3) + halved([x, 0.5 * x], 2)
    }
    at (0.7);

    fn of_a_number_of_elements(x: [f64; 3]) -> f64 {
        halved(x, 4) * Damper::scaled(x, 0)
    }
    at ([0.7, 0.3, 1.2]);

    fn of_another_number_of_elements(x: f64) -> f64 {
        doubled_below::<3>(x, 0) + doubled_below::<5>(x, 2)
    }
    at (0.7);

    fn of_a_generic_type(damper: &mut Damper<f64>, x: f64) -> f64 {
        damper.shrink(3);
        damper.settle(x, 3)
    }
    at (&mut Damper { rate: 0.8, steps: 3 }, 0.7), (&mut Damper { rate: 0.8, steps: 1 }, 0.7);

    fn result_without_a_tangent(x: &mut f64, depth: usize) -> usize {
        if depth == 0 {
            return 0;
        }
        *x = x.sin();
        1 + result_without_a_tangent(x, depth - 1)
    }
    at (&mut 0.7, 3), (&mut 0.7, 0);

    fn loop_over_calls(x: f64, w: &[f64], depth: u32) -> f64 {
        if depth == 0 {
            return x.sin();
        }
        let mut sum = 0.0;
        for k in 0..w.len() {
            sum += loop_over_calls(x * w[k], w, depth - 1) * w[k];
        }
        sum
    }
    at (0.7, &[0.5, 1.3], 3), (0.7, &[], 2), (0.7, &[0.5], 0);

    /// What each level reads of a slice depends on an index.
    fn elements_of_all_levels(x: &[f64], y: f64, n: usize) -> f64 {
        let mut sum = x[n].sin() * y;
        for k in 0..n {
            sum += elements_of_all_levels(x, sum, k);
        }
        sum
    }
    at (&[1.3, 0.6, 0.9], 0.4, 2);

    fn loops_around_loops(x: &mut [f64], depth: usize) -> f64 {
        let mut sum = x[0];
        for i in 0..depth {
            x[i % 2] *= 1.1;
            for j in (0..=i).rev() {
                sum += loops_around_loops(x, depth - 1 - j.min(depth - 1)) * x[j % 2];
                x[1] += sum;
            }
            sum *= x[1];
        }
        sum
    }
    at (&mut [0.3, 0.4], 2), (&mut [0.3, 0.4], 0);

    fn ended_early(x: f64, depth: usize) -> f64 {
        let mut y = x;
        let mut count = 0;
        while count < 4 {
            count += 1;
            if y > 2.0 {
                break;
            }
            if depth > 0 && count % 2 == 0 {
                y += ended_early(y * 0.7, depth - 1);
                continue;
            }
            y *= 1.3;
            if depth == 1 && y > 1.5 {
                return y * x;
            }
        }
        y.sin()
    }
    at (0.7, 3), (0.2, 2), (2.5, 2);

    fn results_that_nobody_uses(x: &mut [f64], n: usize) -> f64 {
        if n == 0 {
            return x[0] * x[1];
        }
        x[0] = x[0].sin();
        results_that_nobody_uses(x, n - 1);
        let lost = results_that_nobody_uses(&mut [1.0, 2.0], n - 1);
        x[1] += x[0];
        let _ = lost;
        x[0]
    }
    at (&mut [0.7, 0.4], 3);

    fn constants_from_itself(x: f64, n: usize) -> f64 {
        if n == 0 {
            return x;
        }
        let k = constants_from_itself(0.3, n - 1);
        let y = constants_from_itself(x * k, n - 1);
        if k > 0.1 { y * k } else { y }
    }
    at (0.7, 3);

    fn arms_in_arms(x: f64, y: f64, n: usize) -> f64 {
        if n == 0 {
            return x * y;
        }
        if n % 2 == 0 {
            y * arms_in_arms(x * y, y, n - 1)
        } else if x > 0.5 {
            let a = arms_in_arms(x + y, y * 0.9, n - 1);
            if a > 1.0 { a.sqrt() } else { a * x }
        } else {
            x.exp()
        }
    }
    at (0.7, 0.4, 5), (0.7, 0.4, 0), (0.1, 0.4, 3);

    fn much_behind_the_arms(x: f64, n: usize) -> f64 {
        let part = if n > 0 { much_behind_the_arms(x.cos(), n - 1) } else { 1.5 };
        let mut sum = part.sin() * x;
        for i in 0..n {
            sum += part * (i as f64);
        }
        sum.abs().sqrt() + part
    }
    at (0.7, 3);

    fn integers_of_all_kinds(x: f64, n: u8, by: i64, deep: i32) -> f64 {
        if n == 0 {
            return x;
        }
        let wide = i64::from(n) * by + i64::from(deep);
        let power = deep % 3 + 1;
        let shifted = n >> 1;
        let mut sum = 0.0;
        for k in 0..shifted {
            sum += integers_of_all_kinds(x * f64::from(k + 1), shifted - k, wide % 5, power) * wide as f64;
        }
        sum * x.powi(power) + f64::from(shifted) * x
    }
    at (0.7, 5, 3, 4);

    fn values_of_all_kinds(p: (f64, f64), a: [f64; 2], n: usize) -> (f64, f64) {
        if n == 0 {
            return (p.0 * a[0], p.1);
        }
        let mut b = a;
        b[n % 2] *= p.0;
        let list = vec![p.0, b[0], b[1]];
        let q = values_of_all_kinds((list[n % 3], p.1 * b[1]), b, n - 1);
        (q.0 * list[0] + q.1, q.1 * p.0.sin())
    }
    at ((0.7, 0.4), [0.3, 1.2], 3);

    fn lists_up_and_down(x: Vec<f64>, n: usize) -> Vec<f64> {
        if n == 0 {
            return x;
        }
        let mut y: Vec<f64> = x.iter().map(|v| v * v).collect();
        y.push(x[0]);
        let mut back = lists_up_and_down(y, n - 1);
        back[0] *= x[0];
        back
    }
    at (vec![0.7, 0.4], 2), (vec![0.7], 0);

    fn calls_of_others(x: f64, n: usize) -> f64 {
        if n == 0 {
            return x;
        }
        let y = chebyshev(x, 3);
        calls_of_others(y * 0.5, n - 1) * chebyshev(y, 2)
    }
    at (0.7, 3);

    fn twigs(twig: &Twig, x: f64) -> f64 {
        let mut sum = twig.weight.sin() * x;
        for inner in &twig.twigs {
            sum += twigs(inner, sum) * twig.weight;
        }
        sum
    }
    at (&twig(), 0.7);

    fn changed_twigs(twig: &mut Twig, x: f64) {
        twig.weight *= x;
        for inner in &mut twig.twigs {
            changed_twigs(inner, x * 0.9);
            twig.weight += inner.weight;
        }
    }
    at (&mut twig(), 0.7);

    fn beside_another_in_a_body(x: f64, n: usize) -> f64 {
        #[differentiate]
        #[differentiate]
        fn down(y: f64, n: usize) -> f64 {
            const RATE: f64 = 0.8;
            if n == 0 { y * RATE } else { down(y.sin() * RATE, n - 1) + y }
        }
        down(x, n) * x
    }
    at (0.7, 3);

    fn gradient_of_itself_in_a_body(x: f64, n: usize) -> f64 {
        let (value, slope) = of_arms::value_and_gradient(x, n);
        value * slope
    }
    at (0.7, 2);
}

#[differentiate]
#[differentiate]
#[differentiate]
pub(crate) fn of_arms(x: f64, n: usize) -> f64 {
    if n == 0 { x * x } else { of_arms(x * 0.9, n - 1) * x + of_arms(x, n - 1) }
}
