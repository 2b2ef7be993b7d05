//! Methods of a `Result` that are given closures.

use cotangent::differentiate;

#[differentiate]
#[differentiate]
fn root(x: f64) -> Result<f64, String> {
    if x < 0.1 { Err(format!("negative")) } else { Ok(x.sqrt()) }
}

corpus! {
    fn mapped_and_asked(x: f64, y: f64) -> Result<f64, String> {
        let one = root(x).map(|v| v * y)?;
        let two = root(one).and_then(|v| root(v * y)).map(|v| v + x)?;
        Ok(one * two)
    }
    at (0.7, 1.3), (0.7, 0.2), (-0.7, 1.3);

    fn with_another_error(x: f64, y: f64) -> Result<f64, usize> {
        let one = root(x).map(|v| v * y).map_err(|text| text.len())?;
        Ok(one * x)
    }
    at (0.7, 1.3), (-0.7, 1.3);

    fn without_a_value(x: f64, y: f64) -> f64 {
        let one = root(x).unwrap_or_else(|text| y * text.len() as f64);
        let two = root(y).or_else(|_| root(x * x)).unwrap_or(0.5 * x);
        let three = root(x * y).map_or_else(|_| x + y, |v| v * v * y);
        one * two + three
    }
    at (0.7, 1.3), (-0.7, 1.3), (0.7, -1.3), (-0.7, -1.3);

    fn matched_later(x: f64, y: f64) -> f64 {
        let made = root(x).map(|v| v.sin());
        let kept = root(y).map(|v| v * x);
        match made {
            Ok(v) => v * kept.ok().unwrap_or(y),
            Err(text) => text.len() as f64 * x * y,
        }
    }
    at (0.7, 1.3), (-0.7, 1.3), (0.7, -1.3);

    fn of_a_parameter(r: Result<f64, String>, k: f64) -> f64 {
        let large = r.as_ref().is_ok_and(|v| *v > 0.5);
        let factor = if large { k } else { k * k };
        r.map_or(k, |v| v * factor)
    }
    at (Ok(0.7), 1.3), (Ok(0.3), 1.3);

    fn returned(x: f64) -> Result<f64, String> {
        if x > 5.0 {
            return root(x).map(|v| v * x);
        }
        root(x).and_then(|v| if v > 0.5 { Ok(v * v * v) } else { Err("small".to_owned()) })
    }
    at (0.7), (7.0), (0.2), (0.01);
}
