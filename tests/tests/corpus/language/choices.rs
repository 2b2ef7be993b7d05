//! `match`, `if let`, `let else` and `matches!`: integers, ranges, tuples, guards, bindings.

#[cotangent::differentiate]
#[cotangent::differentiate]
fn picked(kind: &str, x: f64) -> f64 {
    if kind == "sine" { x.sin() } else { x * x }
}

corpus! {
    fn match_on_an_integer(x: f64, n: usize) -> f64 {
        match n {
            0 => x.sin(),
            1 | 2 => x * x,
            3..=5 => x.exp() * n as f64,
            _ => -x,
        }
    }
    at (1.3, 0), (1.3, 1), (1.3, 2), (1.3, 4), (1.3, 9);

    fn match_as_a_statement(x: f64, n: i32) -> f64 {
        let mut y = x;
        match n {
            i32::MIN..0 => y *= x,
            0 => {}
            k => {
                for _ in 0..k {
                    y += x * x;
                }
            }
        }
        y
    }
    at (1.3, -2), (1.3, 0), (1.3, 3);

    fn match_with_guards(x: f64, y: f64) -> f64 {
        match (x > y, x * y) {
            (true, p) if p > 1.0 => p * x,
            (true, p) => p.sin(),
            (false, p) if p < 0.0 => y,
            (false, _) => x - y,
        }
    }
    at (1.3, 0.9), (0.7, 0.6), (-0.5, 0.6), (0.3, 0.6);

    fn match_on_a_tuple(x: f64, i: usize, j: usize) -> f64 {
        match (i, j) {
            (0, 0) => x,
            (0, k) | (k, 0) => x * k as f64,
            (a, b) if a == b => x * x,
            (a, b @ 1..=3) => x.powi(a as i32) * b as f64,
            _ => 1.0 / x,
        }
    }
    at (1.3, 0, 0), (1.3, 0, 4), (1.3, 5, 0), (1.3, 6, 6), (1.3, 2, 3), (1.3, 2, 9);

    fn match_on_an_active_value(x: f64) -> f64 {
        match x {
            v if v < 0.0 => v * v,
            v @ 0.0..=1.0 => v.exp(),
            v => v.ln(),
        }
    }
    at (-1.3), (0.4), (2.5);

    fn match_with_returns(x: &[f64], mode: u8) -> f64 {
        let scale = match mode {
            0 => return x[0],
            1 => 2.0,
            2 => x[1],
            _ => {
                if x[0] > 1.0 {
                    return x[0] * x[1];
                }
                3.0
            }
        };
        scale * x[0]
    }
    at (&[1.3, 0.6], 0), (&[1.3, 0.6], 1), (&[1.3, 0.6], 2), (&[1.3, 0.6], 3), (&[0.3, 0.6], 3);

    fn match_in_loops(x: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..n {
            let mut k = i;
            while k > 0 {
                match k % 3 {
                    0 => {
                        k -= 1;
                        continue;
                    }
                    1 if sum > 10.0 => break,
                    1 => sum += x[i % x.len()] * sum,
                    _ => sum += x[0].sin(),
                }
                k /= 2;
            }
        }
        sum
    }
    at (&[1.3, 0.6], 7), (&[1.3, 0.6], 0);

    fn match_in_an_operand(x: f64, n: usize) -> f64 {
        x * match n {
            0 => 2.0,
            1 => return x,
            _ => x,
        } + 1.0
    }
    at (1.3, 0), (1.3, 1), (1.3, 2);

    fn match_on_an_element(x: &[f64], kinds: &[usize]) -> f64 {
        let mut product = 1.0;
        for i in 0..kinds.len() {
            product *= match kinds[i] {
                0 => x[i],
                1 => x[i].cos(),
                _ => continue,
            };
        }
        product
    }
    at (&[1.3, 0.6, 0.2, 0.4], &[0, 1, 7, 0]);

    fn match_writes_places(x: &mut [f64], n: usize) {
        match n {
            0 => x[0] = x[1],
            1 => x[1] *= x[0],
            _ => {
                x[0] = 0.0;
                x[1] = x[1].sin();
            }
        }
    }
    at (&mut [1.3, 0.6], 0), (&mut [1.3, 0.6], 1), (&mut [1.3, 0.6], 2);

    fn if_let_on_integers(x: f64, n: usize) -> f64 {
        if let 1..=3 = n {
            x * x
        } else if let (k, true) = (n, n > 10) {
            x * k as f64
        } else {
            x
        }
    }
    at (1.3, 2), (1.3, 12), (1.3, 5);

    fn if_let_with_a_condition(x: f64, n: usize) -> f64 {
        let mut y = x;
        if let (k, 0 | 1) = (n, n % 4) && k > 2 && x > 0.0 {
            y *= k as f64;
        }
        y * x
    }
    at (1.3, 5), (1.3, 1), (1.3, 6), (-1.3, 5);

    fn let_else(x: f64, n: usize) -> f64 {
        let (k, true) = (n + 1, n < 4) else {
            return x * x;
        };
        let 1..=3 = k else { return -x };
        x * k as f64
    }
    at (1.3, 9), (1.3, 3), (1.3, 1);

    fn matches_as_a_condition(x: f64, n: usize) -> f64 {
        let small = matches!(n, 0..=2);
        let odd = matches!(n, _ if n % 2 == 1) || !small;
        if small && !matches!(x, 0.0..=0.5) { x * x } else if odd { x } else { x.exp() }
    }
    at (1.3, 2), (0.3, 2), (0.3, 1), (1.3, 5);

    fn constants_in_patterns(x: f64, n: usize) -> f64 {
        const FIRST: usize = 0;
        match n {
            FIRST => x,
            usize::MAX => x * 2.0,
            _ => x * x,
        }
    }
    at (1.3, 0), (1.3, 1), (1.3, usize::MAX);

    fn nested_matches(x: f64, i: usize, j: usize) -> f64 {
        match i {
            0 => match j {
                0 => x,
                k => x.powi(k as i32),
            },
            _ => {
                let y = match j {
                    0 => 2.0 * x,
                    _ => x.sin(),
                };
                y * y
            }
        }
    }
    at (1.3, 0, 0), (1.3, 0, 3), (1.3, 1, 0), (1.3, 1, 2);

    fn state_machine(x: &[f64], steps: usize) -> f64 {
        let (mut state, mut energy) = (0, x[0]);
        for i in 0..steps {
            (state, energy) = match (state, i % 2) {
                (0, 0) => (1, energy * x[1]),
                (0, _) => (2, energy + x[1]),
                (1, _) => (2, energy.sin()),
                (s, _) => (s % 2, energy - x[0]),
            };
        }
        energy
    }
    at (&[1.3, 0.6], 9), (&[1.3, 0.6], 0);

    fn by_a_name(kind: &str, x: f64) -> f64 {
        match kind {
            "sine" => x.sin(),
            "square" | "sq" => x * x,
            other if other.len() > 6 => x,
            _ => 2.0 * x,
        }
    }
    at ("sine", 0.7), ("sq", 0.7), ("something", 0.7), ("any", 0.7);

    fn by_names_that_are_compared(kind: &str, names: &[&str], x: f64) -> f64 {
        let mut y = x;
        for name in names {
            if *name == kind {
                y *= x;
            }
            match *name {
                "a" | "b" => y = y.sin(),
                _ => {}
            }
        }
        if kind.starts_with('s') && kind != "sine" { y + x } else { y }
    }
    at ("sq", &["a", "sq", "c"], 0.7), ("sine", &["sine"], 0.7);

    fn by_names_in_a_loop(kind: &str, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (i, x) in x.iter().enumerate() {
            sum += if i % 2 == 0 { picked("sq", *x) } else { picked(kind, x * x) };
            sum += picked(kind, sum);
        }
        if kind == "sine" { sum } else { sum * sum }
    }
    at ("sine", &[0.7, 0.3, 0.5]), ("sq", &[0.7, 0.3]);
}
