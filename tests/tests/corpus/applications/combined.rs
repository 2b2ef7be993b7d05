//! Whole small programs: several features together, as they meet in use.

use cotangent::differentiate;

#[differentiate]
#[differentiate]
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// One gate of the cell: `weights` holds the input's, the state's and the bias.
#[differentiate]
#[differentiate]
fn gate(weights: &[f64], input: f64, state: f64) -> f64 {
    weights[0] * input + weights[1] * state + weights[2]
}

/// A recurrent cell over a sequence; hidden and cell state are overwritten in each step.
#[differentiate]
#[differentiate]
fn lstm(weights: &[[f64; 3]; 4], inputs: &[f64], hidden: &mut f64, cell: &mut f64) -> f64 {
    let mut loss = 0.0;
    for t in 0..inputs.len() {
        let forget = sigmoid(gate(&weights[0], inputs[t], *hidden));
        let ingate = sigmoid(gate(&weights[1], inputs[t], *hidden));
        let outgate = sigmoid(gate(&weights[2], inputs[t], *hidden));
        let change = gate(&weights[3], inputs[t], *hidden).tanh();
        *cell = *cell * forget + ingate * change;
        *hidden = outgate * cell.tanh();
        loss += (*hidden - inputs[t]) * (*hidden - inputs[t]);
    }
    loss
}

#[differentiate]
#[differentiate]
fn velocity(p: [f64; 2], damping: f64) -> [f64; 2] {
    [p[1], -p[0].sin() - damping * p[1]]
}

/// The classical scheme of fourth order for a damped pendulum.
#[differentiate]
#[differentiate]
fn runge_kutta(start: [f64; 2], damping: f64, steps: usize) -> [f64; 2] {
    let h = 0.1;
    let mut p = start;
    for _ in 0..steps {
        let a = velocity(p, damping);
        let b = velocity([p[0] + 0.5 * h * a[0], p[1] + 0.5 * h * a[1]], damping);
        let c = velocity([p[0] + 0.5 * h * b[0], p[1] + 0.5 * h * b[1]], damping);
        let d = velocity([p[0] + h * c[0], p[1] + h * c[1]], damping);
        for i in 0..2 {
            p[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
        }
    }
    p
}

#[differentiate]
#[differentiate]
fn burgers_step(now: &[f64], next: &mut [f64], viscosity: f64, h: f64) {
    let n = now.len();
    for i in 0..n {
        let left = now[(i + n - 1) % n];
        let right = now[(i + 1) % n];
        let upwind = if now[i] > 0.0 { now[i] - left } else { right - now[i] };
        next[i] = now[i] - h * now[i] * upwind + viscosity * h * (left - 2.0 * now[i] + right);
    }
}

/// The two buffers change places after each step.
#[differentiate]
#[differentiate]
fn burgers(u: &mut Vec<f64>, viscosity: f64, steps: usize) -> f64 {
    let mut next = vec![0.0; u.len()];
    for step in 0..steps {
        if step % 2 == 0 {
            burgers_step(u, &mut next, viscosity, 0.1);
        } else {
            burgers_step(&next, u, viscosity, 0.1);
        }
    }
    let mut energy = 0.0;
    for i in 0..u.len() {
        energy += if steps % 2 == 0 { u[i] * u[i] } else { next[i] * next[i] };
    }
    energy
}

checks! {
    lstm at (&[[0.1, 0.2, 0.3], [0.4, -0.5, 0.6], [-0.7, 0.8, 0.9], [1.1, 0.3, -0.2]], &[0.5, -0.4, 0.9], &mut 0.2, &mut 0.6);
    runge_kutta at ([1.3, 0.6], 0.2, 5), ([1.3, 0.6], 0.2, 0);
    burgers at (&mut vec![0.5, -0.3, 0.8, 0.2], 0.1, 3), (&mut vec![0.5, -0.3, 0.8, 0.2], 0.1, 4);
}

corpus! {
    /// A fixed point, by iteration to convergence.
    fn kepler(mean: f64, eccentricity: f64) -> f64 {
        let mut e = mean;
        for _ in 0..50 {
            let step = (e - eccentricity * e.sin() - mean) / (1.0 - eccentricity * e.cos());
            e -= step;
            if step.abs() < 1e-14 {
                break;
            }
        }
        e
    }
    at (1.3, 0.4), (0.2, 0.7);

    fn root_by_bisection(target: f64) -> f64 {
        let mut low = 0.0;
        let mut high = 2.0;
        while high - low > 1e-6 {
            let middle = 0.5 * (low + high);
            if middle * middle < 2.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let x = 0.5 * (low + high);
        x - (x * x - target) / (2.0 * x)
    }
    at (1.3);

    fn simpson(a: f64, b: f64, w: f64, n: usize) -> f64 {
        let h = (b - a) / n as f64;
        let mut sum = (w * a).sin() + (w * b).sin();
        for i in 1..n {
            let factor = if i % 2 == 1 { 4.0 } else { 2.0 };
            sum += factor * (w * (a + i as f64 * h)).sin();
        }
        sum * h / 3.0
    }
    at (0.1, 1.3, 2.0, 6);

    fn gaussian_mixture(x: &[f64], means: &[f64], logs: &[f64], weights: &[f64]) -> f64 {
        let k = means.len();
        let mut total = 0.0;
        let mut terms = vec![0.0; k];
        for i in 0..x.len() {
            let mut largest = f64::NEG_INFINITY;
            for j in 0..k {
                let z = (x[i] - means[j]) * (-logs[j]).exp();
                terms[j] = weights[j] - logs[j] - 0.5 * z * z;
                largest = largest.max(terms[j]);
            }
            let mut sum = 0.0;
            for j in 0..k {
                sum += (terms[j] - largest).exp();
            }
            total += largest + sum.ln();
        }
        total
    }
    at (&[1.3, 0.6, -0.4], &[0.1, 1.2], &[0.2, -0.3], &[0.4, 0.7]);

    /// Rotation about an axis, perspective division, radial distortion.
    fn projection(rotation: &[f64; 3], camera: &[f64; 3], point: &[f64; 3]) -> [f64; 2] {
        let square = rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2];
        let mut p = *point;
        if square > 0.0 {
            let angle = square.sqrt();
            let (s, c) = angle.sin_cos();
            let axis = [rotation[0] / angle, rotation[1] / angle, rotation[2] / angle];
            let dot = axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2];
            let cross = [
                axis[1] * point[2] - axis[2] * point[1],
                axis[2] * point[0] - axis[0] * point[2],
                axis[0] * point[1] - axis[1] * point[0],
            ];
            for i in 0..3 {
                p[i] = point[i] * c + cross[i] * s + axis[i] * dot * (1.0 - c);
            }
        } else {
            p[0] += rotation[1] * point[2] - rotation[2] * point[1];
        }
        let x = p[0] / p[2];
        let y = p[1] / p[2];
        let r = x * x + y * y;
        let distortion = 1.0 + r * (camera[1] + camera[2] * r);
        [camera[0] * distortion * x, camera[0] * distortion * y]
    }
    at (&[0.1, -0.2, 0.3], &[1.5, 0.1, -0.05], &[0.4, 0.6, 2.0]);

    fn natural_cubic_spline(y: &[f64], t: f64) -> f64 {
        let n = y.len();
        let mut c = vec![0.0; n];
        let mut d = vec![0.0; n];
        for i in 1..n - 1 {
            let pivot = 4.0 - c[i - 1];
            c[i] = 1.0 / pivot;
            d[i] = (6.0 * (y[i + 1] - 2.0 * y[i] + y[i - 1]) - d[i - 1]) / pivot;
        }
        let mut m = vec![0.0; n];
        for i in (1..n - 1).rev() {
            m[i] = d[i] - c[i] * m[i + 1];
        }
        let mut k = t as usize;
        if k > n - 2 {
            k = n - 2;
        }
        let s = t - k as f64;
        let r = 1.0 - s;
        r * y[k] + s * y[k + 1] + ((r * r * r - r) * m[k] + (s * s * s - s) * m[k + 1]) / 6.0
    }
    at (&[1.3, 0.6, -0.4, 2.0, 0.1], 1.3), (&[1.3, 0.6, -0.4], 0.7);

    fn hidden_markov(start: &[f64], moves: &[[f64; 2]; 2], emissions: &[[f64; 3]; 2], seen: &[usize]) -> f64 {
        let mut alpha = [0.0; 2];
        for s in 0..2 {
            alpha[s] = start[s] * emissions[s][seen[0]];
        }
        let mut log_likelihood = 0.0;
        for t in 1..seen.len() {
            let mut next = [0.0; 2];
            let mut total = 0.0;
            for s in 0..2 {
                for r in 0..2 {
                    next[s] += alpha[r] * moves[r][s];
                }
                next[s] *= emissions[s][seen[t]];
                total += next[s];
            }
            log_likelihood += total.ln();
            for s in 0..2 {
                alpha[s] = next[s] / total;
            }
        }
        log_likelihood
    }
    at (&[0.6, 0.4], &[[0.7, 0.3], [0.2, 0.8]], &[[0.5, 0.3, 0.2], [0.1, 0.3, 0.6]], &[0, 2, 1, 2]);

    fn edit_distance(costs: &[f64; 3], a: &[i32], b: &[i32]) -> f64 {
        let columns = b.len() + 1;
        let mut d = vec![0.0; (a.len() + 1) * columns];
        for j in 1..columns {
            d[j] = d[j - 1] + costs[0];
        }
        for i in 1..=a.len() {
            d[i * columns] = d[(i - 1) * columns] + costs[1];
            for j in 1..columns {
                let change = if a[i - 1] == b[j - 1] { 0.0 } else { costs[2] };
                let best = (d[(i - 1) * columns + j] + costs[1]).min(d[i * columns + j - 1] + costs[0]);
                d[i * columns + j] = best.min(d[(i - 1) * columns + j - 1] + change);
            }
        }
        d[a.len() * columns + b.len()]
    }
    at (&[1.0, 1.3, 1.7], &[1, 2, 3, 4], &[2, 3, 5]);

    fn bouncing_ball(height: f64, restitution: f64, drag: f64) -> f64 {
        let h = 0.01;
        let mut x = height;
        let mut v = 0.0;
        let mut bounces = 0;
        for _ in 0..200 {
            v -= h * (9.81 + drag * v);
            x += h * v;
            if x < 0.0 {
                x = -restitution * x;
                v = -restitution * v;
                bounces += 1;
                if bounces == 3 {
                    return x + v * h;
                }
            }
        }
        x
    }
    at (1.3, 0.8, 0.1), (1.3, 0.4, 0.1), (30.0, 0.9, 0.1);

    fn brusselator(u: &mut [f64], v: &mut [f64], rates: &[f64; 3], steps: usize) -> f64 {
        let n = u.len();
        for _ in 0..steps {
            let mut du = vec![0.0; n];
            let mut dv = vec![0.0; n];
            for i in 0..n {
                let left = if i == 0 { n - 1 } else { i - 1 };
                let right = if i + 1 == n { 0 } else { i + 1 };
                let reaction = u[i] * u[i] * v[i];
                du[i] = rates[1] + reaction - (rates[0] + 1.0) * u[i] + rates[2] * (u[left] - 2.0 * u[i] + u[right]);
                dv[i] = rates[0] * u[i] - reaction + rates[2] * (v[left] - 2.0 * v[i] + v[right]);
            }
            for i in 0..n {
                u[i] += 0.05 * du[i];
                v[i] += 0.05 * dv[i];
            }
        }
        u[0] * v[n - 1]
    }
    at (&mut [1.1, 0.9, 1.3], &mut [3.0, 2.8, 3.1], &[3.4, 1.0, 0.2], 4);

    fn spring_chain(x: &[f64], stiffness: &[f64], fixed: &[usize]) -> f64 {
        let mut energy = 0.0;
        'springs: for i in 1..x.len() {
            for k in 0..fixed.len() {
                if fixed[k] == i {
                    continue 'springs;
                }
            }
            let stretch = x[i] - x[i - 1] - 1.0;
            energy += 0.5 * stiffness[i - 1] * if stretch > 0.0 { stretch * stretch } else { -stretch };
        }
        energy
    }
    at (&[0.0, 1.3, 1.9, 3.4, 4.0], &[1.0, 2.0, 3.0, 4.0], &[2]);

    fn black_scholes(spot: f64, strike: f64, rate: f64, volatility: f64, time: f64, call: bool) -> f64 {
        let root = time.sqrt();
        let d = ((spot / strike).ln() + (rate + 0.5 * volatility * volatility) * time) / (volatility * root);
        let mut parts = [d, d - volatility * root];
        for i in 0..2 {
            let z = if call { parts[i] } else { -parts[i] };
            let k = 1.0 / (1.0 + 0.2316419 * z.abs());
            let coefficients = [0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
            let mut polynomial = 0.0;
            for j in (0..5).rev() {
                polynomial = (polynomial + coefficients[j]) * k;
            }
            let tail = polynomial * (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
            parts[i] = if z > 0.0 { 1.0 - tail } else { tail };
        }
        let sign = if call { 1.0 } else { -1.0 };
        sign * (spot * parts[0] - strike * (-rate * time).exp() * parts[1])
    }
    at (100.0, 95.0, 0.03, 0.2, 1.5, true), (100.0, 95.0, 0.03, 0.2, 1.5, false);

    fn mandelbrot_distance(cx: f64, cy: f64) -> f64 {
        let (mut x, mut y) = (0.0, 0.0);
        let mut n = 0;
        loop {
            (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
            n += 1;
            if x * x + y * y > 16.0 || n == 40 {
                break;
            }
        }
        0.5 * (x * x + y * y).ln() * n as f64
    }
    at (0.4, 0.5), (-0.1, 0.2), (2.0, 1.0);
}
