//! Methods of a `Result` that are given closures.

use cotangent::differentiate;

#[differentiate]
#[differentiate]
fn root(x: f64) -> Result<f64, String> {
    if x < 0.1 { Err(format!("negative")) } else { Ok(x.sqrt()) }
}

/// An error that others are made into.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Problem {
    Text(String),
    Missing,
}

impl From<String> for Problem {
    fn from(text: String) -> Self {
        Problem::Text(text)
    }
}

#[differentiate]
fn text_as_an_error<'a>(x: f64) -> Result<f64, &'a str> {
    if x < 0.1 { Err("small") } else { Ok(x * x) }
}

#[differentiate]
fn boxed(x: f64) -> Result<f64, Box<dyn std::error::Error>> {
    let y = root(x)?;
    if y > 2.0 {
        return Err("large".into());
    }
    Ok(y * y * y)
}

/// An error that is nothing but one.
pub(crate) struct Bare(&'static str);

#[differentiate]
fn bare(x: f64) -> Result<f64, Bare> {
    if x < 0.1 { Err(Bare("small")) } else { Ok(x * x) }
}

#[differentiate]
fn handed_on(x: &[f64]) -> Result<f64, Bare> {
    let mut sum = 0.0;
    for x in x {
        sum += bare(bare(*x)?)? * x;
    }
    Ok(sum)
}

#[test]
fn errors_need_no_clone() {
    let exact = [5.0 * 2.0_f64.powi(4), 5.0];
    assert_eq!(handed_on::gradient(&[2.0, 1.0]).ok(), Some(exact.to_vec()));
    assert_eq!(handed_on::jvp(&[2.0, 1.0], &[1.0, 0.0]).1, Some(exact[0]));
    assert_eq!(handed_on::gradient(&[2.0, 0.0]).err().map(|error| error.0), Some("small"));
}

#[test]
fn errors_are_of_any_type() {
    assert_eq!(text_as_an_error::gradient(1.5), Ok(3.0));
    assert_eq!(text_as_an_error::gradient(0.05), Err("small"));
    assert!((boxed::gradient(1.5).unwrap() - 1.5 * 1.5_f64.sqrt()).abs() < 1e-15);
    assert_eq!(boxed::gradient(0.05).unwrap_err().to_string(), "negative");
    assert_eq!(boxed::gradient(9.0).unwrap_err().to_string(), "large");
}

corpus! {
    fn converted_by_a_question_mark(x: f64, y: f64) -> Result<f64, Problem> {
        let one = root(x)?;
        if one > 5.0 {
            return Err(Problem::Missing);
        }
        Ok(one * root(y * one)?)
    }
    at (0.7, 1.3), (-0.7, 1.3), (0.7, 0.01);

    fn option_with_an_error(o: Option<f64>, k: f64) -> Result<f64, String> {
        let x = o.ok_or("nothing")?;
        let y = o.map(|x| x * k).ok_or_else(|| String::from("nothing"))?;
        Ok(x * y)
    }
    at (Some(0.7), 1.3), (None, 1.3);

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

    fn in_conditions(x: f64, y: f64) -> Result<f64, String> {
        let mut power = x;
        while root(power)? > 0.9 {
            power *= 0.6;
        }
        if root(y)? > 0.5 && 0.8 < root(x * y)? {
            Ok(power * y)
        } else if power < root(y)? || root(x)?.abs() > y {
            root(x * power)
        } else {
            Ok(y)
        }
    }
    at (1.3, 0.7), (0.6, 0.9), (0.2, 0.3), (3.0, 0.01), (0.01, 0.4);

    fn slices_of_a_result(x: &[f64]) -> Result<f64, String> {
        let roots: Vec<f64> = x.iter().map(|x| root(*x)).collect::<Result<_, _>>()?;
        match roots.as_slice() {
            [first, .., last] => Ok(first * last),
            [only] => Ok(*only),
            [] => Err("none".to_owned()),
        }
    }
    at (&[1.3, 0.7, 0.4]), (&[0.7]), (&[1.3, 0.01]);
}
