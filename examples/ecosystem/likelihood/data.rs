//! Three sets of data, with what is known of the estimates.
//!
//! In: the tables in `examples/data`, which say where they are from. Out: [`problems`].

use super::model::{Family, Observation, Regression};

/// A regression, and what it should give.
pub struct Problem {
    /// What was observed.
    pub name: &'static str,
    /// The data and the model.
    pub regression: Regression,
    /// A name for each coefficient.
    pub coefficients: Vec<String>,
    /// Where the estimates are known from.
    pub source: &'static str,
    /// Estimates with their standard errors.
    pub known: Vec<(f64, f64)>,
    /// How closely the source gives them.
    pub precision: f64,
}

/// R prints four places behind the point.
const PLACES: f64 = 0.5e-4;
/// A method stops a little before the minimum.
const CLOSED_FORM: f64 = 1e-6;

/// All problems.
pub fn problems() -> [Problem; 3] {
    [challenger(), titanic(), horse_kicks()]
}

/// Thermal distress of O-rings by the temperature of their joints.
fn challenger() -> Problem {
    let observations = Table::parse(include_str!("../../data/challenger.csv"))
        .rows
        .iter()
        .map(|row| Observation {
            x: vec![1.0, number(&row[0])],
            count: number(&row[1]),
            trials: 1.0,
        })
        .collect();
    Problem {
        name: "O-rings of the Space Shuttle by temperature, logistic",
        regression: Regression { family: Family::Binomial, observations },
        coefficients: names(&["1", "temperature"]),
        source: "glm of R",
        known: vec![(15.0429, 7.3786), (-0.2322, 0.1082)],
        precision: PLACES,
    }
}

/// Who was saved from the Titanic.
fn titanic() -> Problem {
    let indicator = |is_so: bool| if is_so { 1.0 } else { 0.0 };
    let observations = Table::parse(include_str!("../../data/titanic.csv"))
        .rows
        .iter()
        .map(|row| {
            let kinds = [(0, "second"), (0, "third"), (0, "crew"), (1, "male"), (2, "child")];
            let kinds = kinds.map(|(column, kind)| indicator(row[column] == kind));
            let (saved, lost) = (number(&row[3]), number(&row[4]));
            Observation { x: [&[1.0], &kinds[..]].concat(), count: saved, trials: saved + lost }
        })
        .collect();
    Problem {
        name: "who was saved from the Titanic by class, sex and age, logistic",
        regression: Regression { family: Family::Binomial, observations },
        coefficients: names(&["1", "second", "third", "crew", "male", "child"]),
        source: "glm of R",
        known: vec![
            (2.0438, 0.1679),
            (-1.0181, 0.1960),
            (-1.7778, 0.1716),
            (-0.8577, 0.1573),
            (-2.4201, 0.1404),
            (1.0615, 0.2440),
        ],
        precision: PLACES,
    }
}

/// Kicks of horses by year and corps.
fn horse_kicks() -> Problem {
    let table = Table::parse(include_str!("../../data/horse-kicks.csv"));
    let counts: Vec<Vec<f64>> =
        table.rows.iter().map(|row| row[1..].iter().map(|cell| number(cell)).collect()).collect();
    let (years, corps) = (counts.len(), counts[0].len());
    let observations = (0..years * corps)
        .map(|i| (i / corps, i % corps))
        .map(|(year, of)| Observation {
            x: two_factors(years, corps, year, of),
            count: counts[year][of],
            trials: 1.0,
        })
        .collect();
    let names = [&["1".to_string()], &table.column(0)[1..], &table.header[2..]].concat();
    Problem {
        name: "kicks of horses by year and corps, Poisson",
        regression: Regression { family: Family::Poisson, observations },
        coefficients: names,
        source: "closed forms",
        known: closed_forms(&counts),
        precision: CLOSED_FORM,
    }
}

/// The predictors of two factors, whose first kinds have none.
fn two_factors(years: usize, corps: usize, year: usize, of: usize) -> Vec<f64> {
    let mut x = vec![0.0; years + corps - 1];
    x[0] = 1.0;
    x[year] = 1.0;
    if of > 0 {
        x[years + of - 1] = 1.0;
    }
    x
}

/// The estimates for two factors, which follow from the sums `r` of rows and `c` of columns and that of all, `n`: the
/// logarithm of `r c / n` for the first row and column, and those of `r / r_0` and `c / c_0` for the others. Their
/// variances are `1/r + 1/c - 1/n`, `1/r + 1/r_0` and `1/c + 1/c_0`.
fn closed_forms(counts: &[Vec<f64>]) -> Vec<(f64, f64)> {
    let by_row: Vec<f64> = counts.iter().map(|row| row.iter().sum()).collect();
    let by_column: Vec<f64> =
        (0..counts[0].len()).map(|j| counts.iter().map(|row| row[j]).sum()).collect();
    let (r, c, n) = (by_row[0], by_column[0], by_row.iter().sum::<f64>());
    let mut known = vec![((r * c / n).ln(), (1.0 / r + 1.0 / c - 1.0 / n).sqrt())];
    for sums in [by_row, by_column] {
        let first = sums[0];
        let others = sums[1..].iter();
        known.extend(others.map(|sum| ((sum / first).ln(), (1.0 / sum + 1.0 / first).sqrt())));
    }
    known
}

/// A table in a file, of which the lines that begin with `#` are comments.
struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn parse(text: &str) -> Self {
        let mut rows = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split(',').map(str::to_string).collect());
        Table { header: rows.next().expect("a line of names"), rows: rows.collect() }
    }

    fn column(&self, column: usize) -> Vec<String> {
        self.rows.iter().map(|row| row[column].clone()).collect()
    }
}

fn number(cell: &str) -> f64 {
    cell.parse().unwrap_or_else(|_| panic!("`{cell}` should be a number"))
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}
