//! Items inside of bodies: functions that are called with active values, constants and types of inner blocks.

use cotangent::differentiate;

corpus! {
    fn inner_function(x: f64, y: f64) -> f64 {
        fn grad(hash: i64, x: f64) -> f64 {
            let mut slope = 1.0 + (hash & 7) as f64;
            if hash & 8 != 0 {
                slope = -slope;
            }
            slope * x * x
        }
        const PERMUTATION: [u8; 4] = [3, 9, 0, 2];
        fn hash(i: i64) -> u8 {
            PERMUTATION[(i & 3) as usize]
        }
        grad(hash(0) as i64, x) + grad(hash(1) as i64, y)
    }
    at (0.7, 1.3)   => (8.0 * x, -4.0 * y);

    fn inner_function_with_a_loop(x: f64, n: usize) -> f64 {
        fn power(base: f64, n: usize) -> f64 {
            let mut result = 1.0;
            for i in 0..n {
                if i > 10 {
                    return result;
                }
                result *= base;
            }
            result
        }
        power(x, n) + power(power(x, 2), 2)
    }
    at (0.7, 3);

    fn inner_function_that_writes(p: f64) -> f64 {
        fn closer(p: f64, best: &mut f64, left: &mut Option<f64>, t: f64) -> bool {
            if !(0.0..=1.0).contains(&t) {
                return true;
            }
            let distance = (t * t - p) * (t * t - p);
            if left.map(|left| distance < left).unwrap_or(true) {
                *left = Some(distance);
                *best = t;
            }
            false
        }
        let (mut best, mut left, mut is_outside) = (0.0, None, false);
        for &t in &[p * 0.3, p * 0.4, 3.0] {
            is_outside |= closer(p, &mut best, &mut left, t);
        }
        if is_outside { best + left.unwrap() } else { 0.0 }
    }
    at (0.5);

    fn inner_constant_function(x: f64) -> f64 {
        const fn cube(t: f64) -> f64 {
            if t > 0.2 { t * t * t } else { t * 3.0 }
        }
        cube(x) * 2.0
    }
    at (0.7), (0.1);

    fn inner_function_has_its_own_names(x: f64) -> f64 {
        fn shift(y: f64) -> f64 {
            let x = 2.0;
            x * y + FACTOR
        }
        const FACTOR: f64 = 3.0;
        let y = x * x;
        shift(y) * shift(x)
    }
    at (0.7)   => (2.0 * 2.0 * x * (2.0 * x + 3.0) + (2.0 * x * x + 3.0) * 2.0);

    fn constant_of_an_inner_block(x: f64) -> f64 {
        if x > 0.0 {
            const THIRD: f64 = 1.0 / 3.0;
            x * x * THIRD
        } else {
            const TWICE: f64 = 2.0;
            x * TWICE
        }
    }
    at (0.7), (-0.7);

    fn type_of_an_inner_block(xs: &[f64]) -> f64 {
        let mut sum = 0.0;
        for x in xs {
            type Pair = (f64, f64);
            let pair: Pair = (*x, x * x);
            sum += pair.0 * pair.1;
        }
        sum
    }
    at (&[0.7, 1.3]);
}
