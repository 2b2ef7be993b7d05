//! Numbers without derivatives that loops change: the way back computes them again, or keeps them where it cannot.

corpus! {
    fn powers_of_a_constant(x: &[f64], n: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let t = -1.0 + i as f64 * 2.0 / (n as f64 - 1.5);
            let (mut power, mut sum) = (1.0, 0.0);
            for j in 0..x.len() {
                sum += x[j] * power;
                power *= t;
            }
            total += (t - sum) * (t - sum);
        }
        0.5 * total
    }
    at (&[0.3, 0.1, -0.4], 4), (&[0.3], 1), (&[0.3, 0.1], 0);

    fn weights_down(x: &[f64], h: f64) -> f64 {
        let (mut weight, mut sum) = (0.25, 0.0);
        for i in (0..x.len()).rev() {
            sum += weight * x[i] * x[i] * h;
            weight = weight * 0.5 + 0.125;
        }
        sum
    }
    at (&[0.3, 0.1, 0.7, 0.9], 0.5), (&[0.3], 0.5);

    fn signs_of_a_set(x: &[f64], set: u32) -> f64 {
        let (mut rest, mut sign, mut sum) = (set, 1.0, 0.0);
        while rest != 0 {
            let k = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            sum += sign * x[k] * x[k];
            sign = -sign;
        }
        sum
    }
    at (&[0.3, 0.1, 0.7, 0.9], 13), (&[0.3, 0.1], 3), (&[0.3], 0);

    fn random_numbers(x: &[f64], n: usize) -> f64 {
        let (mut state, mut total) = (12345_u64, 0.0);
        for _ in 0..n {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let u = (state >> 11) as f64 / 9007199254740992.0;
            total += (x[0] + x[1] * u).powi(3);
        }
        total
    }
    at (&[0.3, 0.1], 7), (&[0.3, 0.1], 0);

    fn a_weight_with_a_derivative(x: &[f64], w: f64) -> f64 {
        let (mut weight, mut sum) = (w, 0.0);
        for x in x {
            sum += x * x * weight;
            weight = 1.0 - weight * w;
        }
        sum
    }
    at (&[0.3, 0.1, 0.7], 0.4);

    fn a_weight_of_the_loop_around(x: &[f64], y: &[f64]) -> f64 {
        let (mut outer, mut sum) = (1.0, 0.0);
        for i in 0..x.len() {
            let mut inner = outer;
            for j in (0..y.len()).step_by(2) {
                sum += x[i] * y[j] * inner * y[j];
                inner += 0.5;
            }
            outer *= 1.5;
        }
        sum
    }
    at (&[0.3, 0.1, 0.7], &[0.2, 0.5, 0.1, 0.6, -0.3]);

    fn calls_whose_results_are_pushed(x: &[f64], n: usize) -> f64 {
        let mut terms = Vec::new();
        for i in 0..n {
            terms.push((x[i] * 0.5).exp());
        }
        let mut total = 0.0;
        for i in 0..n {
            total += terms[i] * terms[i];
        }
        total.ln()
    }
    at (&[0.3, 0.1, -0.4], 3), (&[0.3, 0.1, -0.4], 1);

    fn pushed_and_changed(x: &[f64]) -> f64 {
        let mut terms: Vec<f64> = x.iter().map(|x| x.exp()).collect();
        let total: f64 = terms.iter().sum();
        for term in &mut terms {
            *term /= total;
        }
        terms[0] * terms[1]
    }
    at (&[0.3, 0.1, -0.4]);

    fn pushed_behind_others(x: &[f64]) -> f64 {
        let mut terms = vec![x[0]];
        for i in 0..x.len() {
            terms.push(x[i].exp());
        }
        terms[1] * terms[2] + terms[0]
    }
    at (&[0.3, 0.1, -0.4]);
}
