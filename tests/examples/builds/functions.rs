//! The functions of the crates: what users write, in ten forms, each of 20 lines.
//!
//! `NUMBER` stands for the number of the function, and `CONSTANT` for a number that differs from function to
//! function, so that no two are the same.

use proc_macro2::TokenStream;

/// A function with open places.
pub struct Form {
    /// What it is an example of.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// All forms. Later ones call earlier ones of the same number.
pub const FORMS: [Form; 10] = [
    Form {
        name: "branches",
        text: "\
pub fn branches_NUMBER(x: f64, y: f64) -> f64 {
    let distance = (x * x + y * y + CONSTANT).sqrt();
    let angle = y.atan2(x);
    let inner = if distance < 1.0 {
        let a = 1.0 - distance * distance;
        a * a * angle.cos()
    } else if distance < 2.0 {
        let b = 2.0 - distance;
        b * angle.sin() * CONSTANT
    } else {
        0.0
    };
    let outer = match (angle * 2.0) as i32 {
        0 => distance.exp(),
        1 | 2 => distance.ln_1p(),
        _ if x > y => distance.sin(),
        _ => distance,
    };
    inner * y + outer / (1.0 + distance)
}
",
    },
    Form {
        name: "loop",
        text: "\
pub fn loop_NUMBER(x: &[f64], w: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut last = 1.0;
    for i in 0..x.len() {
        let a = x[i] * w[i] - CONSTANT;
        let b = (a * a + 1.0).sqrt();
        if a > 0.0 {
            sum += b.ln() * last;
        } else {
            sum -= a.sin() / b;
        }
        last = 0.5 * (last + b);
    }
    let scale = if sum > 10.0 { 10.0 / sum } else { 1.0 };
    let mut tail = 0.0;
    for value in x {
        tail += scale * value * last;
    }
    sum * scale + tail
}
",
    },
    Form {
        name: "nested loops",
        text: "\
pub fn nested_NUMBER(a: &[f64], b: &[f64], n: usize) -> f64 {
    let mut product = vec![0.0; n * n];
    for i in 0..n {
        for k in 0..n {
            let left = a[i * n + k];
            for j in 0..n {
                product[i * n + j] += left * b[k * n + j];
            }
        }
    }
    let mut trace = 0.0;
    for i in 0..n {
        trace += product[i * n + i];
    }
    let mut square = 0.0;
    for value in &product {
        square += value * value;
    }
    trace / (square + CONSTANT).sqrt()
}
",
    },
    Form {
        name: "structs",
        text: "\
pub fn structs_NUMBER(body: &Body, planet: &Body, dt: f64) -> Body {
    let mut next = body.clone();
    let mut squared = CONSTANT;
    for k in 0..3 {
        let d = planet.position[k] - body.position[k];
        squared += d * d;
    }
    let factor = planet.mass / (squared * squared.sqrt());
    for k in 0..3 {
        let d = planet.position[k] - body.position[k];
        next.velocity[k] += dt * factor * d;
        next.position[k] += dt * next.velocity[k];
    }
    let speed = next.velocity[0].hypot(next.velocity[1]);
    if speed > 10.0 {
        next.velocity = [10.0 / speed; 3];
    }
    next.mass *= (-0.1 * dt).exp();
    next
}
",
    },
    Form {
        name: "in place",
        text: "\
pub fn in_place_NUMBER(now: &mut [f64], next: &mut [f64], rate: f64) {
    let last = now.len() - 1;
    next[0] = now[0];
    next[last] = now[last];
    for i in 1..last {
        let left = now[i - 1] - now[i];
        let right = now[i + 1] - now[i];
        let flux = rate * (left + right);
        let limited = if flux > CONSTANT { CONSTANT } else { flux };
        next[i] = now[i] + limited;
    }
    for i in 1..last {
        next[i] += 0.1 * (0.5 * (next[i - 1] + next[i + 1]) - next[i]);
    }
    now.copy_from_slice(next);
    let mean = now.iter().sum::<f64>() / now.len() as f64;
    for value in now.iter_mut() {
        *value -= mean;
    }
}
",
    },
    Form {
        name: "while",
        text: "\
pub fn while_NUMBER(start: f64, target: f64) -> f64 {
    let mut x = start;
    let mut steps = 0;
    let mut damping = 1.0;
    while (x * x * x - target).abs() > 1e-9 && steps < 40 {
        let value = x * x * x - target;
        let step = value / (3.0 * x * x + CONSTANT);
        if step.abs() > 1.0 {
            damping *= 0.5;
            x -= damping * step.signum();
        } else {
            x -= step;
        }
        steps += 1;
    }
    if steps == 40 {
        return target.cbrt();
    }
    x * damping
}
",
    },
    Form {
        name: "chains",
        text: "\
pub fn chains_NUMBER(x: &[f64], y: &[f64], width: usize) -> f64 {
    let product: f64 = x.iter().zip(y).map(|(a, b)| a * b).sum();
    let largest = x.iter().copied().fold(CONSTANT, f64::max);
    let odds: Vec<f64> = x.iter().map(|a| (a - largest).exp()).collect();
    let total = odds.iter().sum::<f64>();
    let entropy: f64 = odds
        .iter()
        .map(|odd| odd / total)
        .filter(|p| *p > 1e-9)
        .map(|p| -p * p.ln())
        .sum();
    let jumps: f64 = x.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    let rows = x.chunks_exact(width).zip(y.iter());
    let weighted: f64 = rows.map(|(row, weight)| weight * row.iter().sum::<f64>()).sum();
    let mut smooth = 0.0;
    for (k, value) in y.iter().rev().enumerate() {
        smooth = 0.9 * smooth + value / (k + 1) as f64;
    }
    product + entropy + CONSTANT * jumps + weighted * smooth
}
",
    },
    Form {
        name: "enums",
        text: "\
pub fn enums_NUMBER(shapes: &[Shape; 2], scale: f64) -> (f64, f64) {
    let mut area = 0.0;
    let mut edge = 0.0;
    for shape in shapes {
        let (a, e) = match shape {
            Shape::Disc(r) if *r < 0.0 => (0.0, 0.0),
            Shape::Disc(r) => (3.14 * r * r, 6.28 * r),
            Shape::Box { width, height } => {
                let diagonal = width.hypot(*height);
                (width * height, 2.0 * (width + height) + CONSTANT * diagonal)
            }
            Shape::Empty => continue,
        };
        area += a * scale * scale;
        edge += e * scale;
    }
    let ratio = if edge > 0.0 { area / edge } else { 0.0 };
    let rest = area - CONSTANT * edge;
    (ratio, rest)
}
",
    },
    Form {
        name: "collections",
        text: "\
pub fn collections_NUMBER(x: &[f64], threshold: f64) -> f64 {
    let mut stack: Vec<f64> = Vec::new();
    let mut best: Option<f64> = None;
    for &value in x {
        if value > threshold {
            stack.push(value * CONSTANT);
        } else if let Some(top) = stack.pop() {
            stack.push((top * value + threshold).sin());
        }
        best = match best {
            Some(b) if b > value => Some(b),
            _ => Some(value),
        };
    }
    let mut sum = best.unwrap_or(0.0);
    while let Some(top) = stack.pop() {
        sum = 0.5 * sum + top;
    }
    sum
}
",
    },
    Form {
        name: "calls",
        text: "\
pub fn calls_NUMBER(x: &[f64], w: &[f64], n: usize) -> f64 {
    let product = nested_NUMBER(x, w, n);
    let loss = loop_NUMBER(&x[..n], &w[..n]);
    let root = while_NUMBER(1.0, 2.0 + loss * loss);
    let (mut now, mut next) = (x.to_vec(), w.to_vec());
    for _ in 0..3 {
        in_place_NUMBER(&mut now, &mut next, 0.2 * root);
    }
    let body = Body { mass: root, position: [now[0], now[1], 0.0], velocity: [0.0; 3] };
    let planet = Body { mass: CONSTANT, position: [1.0; 3], velocity: [0.0; 3] };
    let moved = structs_NUMBER(&body, &planet, 0.1);
    let disc = Shape::Disc(moved.position[0]);
    let (ratio, area) = enums_NUMBER(&[disc, Shape::Empty], product);
    let angle = branches_NUMBER(moved.velocity[0], moved.velocity[1]);
    let kept = collections_NUMBER(&now, ratio);
    let odds = chains_NUMBER(x, w, 2);
    let total = product + loss + ratio + area + angle + kept + odds;
    let mean = total / 7.0;
    mean.tanh()
}
",
    },
];

/// What the functions take.
const TYPES: &str = "\
#[derive(Clone, Debug)]
pub struct Body {
    pub mass: f64,
    pub position: [f64; 3],
    pub velocity: [f64; 3],
}
#[derive(Clone, Debug)]
pub enum Shape {
    Disc(f64),
    Box { width: f64, height: f64 },
    Empty,
}
";

/// A crate of so many functions, without the attribute.
pub fn plain(count: usize) -> String {
    let functions: String = (0..count).map(function).collect();
    format!("{TYPES}{functions}")
}

/// The same crate, with it.
pub fn differentiated(count: usize) -> String {
    let types = TYPES.replace("Debug)]", "Debug, cotangent::Differentiable)]");
    let functions = (0..count).map(|k| format!("#[cotangent::differentiate]\n{}", function(k)));
    format!("{types}{}", functions.collect::<String>())
}

/// The function of a place in the crate: all forms in turns.
fn function(index: usize) -> String {
    let number = index / FORMS.len();
    let constant = format!("{:?}", 0.25 + 0.5 * number as f64);
    FORMS[index % FORMS.len()]
        .text
        .replace("NUMBER", &number.to_string())
        .replace("CONSTANT", &constant)
}

/// How many of some functions have this form.
pub fn of_form(form: usize, count: usize) -> usize {
    (0..count).filter(|index| index % FORMS.len() == form).count()
}

/// The lines that the attribute adds to a form, printed as rustfmt would.
pub fn emitted_lines(form: &Form) -> usize {
    let text = form.text.replace("NUMBER", "0").replace("CONSTANT", "0.25");
    let tokens: TokenStream = text.parse().expect("a form is a function");
    let emitted = cotangent_compiler::differentiate(TokenStream::new(), tokens);
    let file = syn::parse2(emitted).expect("emitted code is a file");
    prettyplease::unparse(&file).lines().count() - form.text.lines().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_functions_of_20_lines() {
        for form in &FORMS {
            assert_eq!(form.text.lines().count(), 20, "{}", form.name);
            assert!(emitted_lines(form) > 20, "{}", form.name);
        }
    }

    #[test]
    fn forms_take_turns() {
        let text = plain(25);
        assert_eq!(text.matches("pub fn ").count(), 25);
        assert!(text.contains("fn branches_2(") && !text.contains("fn calls_2("));
        assert_eq!((of_form(0, 25), of_form(9, 25)), (3, 2));
    }
}
