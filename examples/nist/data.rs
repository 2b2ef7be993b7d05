//! Reading of a Statistical Reference Dataset for nonlinear regression.
//!
//! In: the text of a `.dat` file. Out: a [`Problem`], or a [`ParseError`](super::lines::ParseError) with file and line.
//! Nothing is skipped or guessed: the line ranges of the file's head, the number of parameters, of
//! predictors, of observations and the degrees of freedom must agree with what is found, and no text
//! may follow the data. Parameters are in order `b1, b2, ..` everywhere.

use super::lines::{Parsed, Reader};

/// The institute's grading of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difficulty {
    /// Most solvers succeed from both starts.
    Lower,
    /// In between.
    Average,
    /// Many solvers fail, above all from the first start.
    Higher,
}

/// One measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// What the model predicts: `y`, or its logarithm where the formula says `log[y]`.
    pub response: f64,
    /// One value a predictor.
    pub predictors: Vec<f64>,
}

/// A data set with starting points and certified solution.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Name of the data set.
    pub name: String,
    /// The institute's grading.
    pub difficulty: Difficulty,
    /// The model on one line, single spaces between its words.
    pub formula: String,
    /// The line where the formula begins.
    pub formula_line: usize,
    /// Whether the observations hold the logarithms of the measured responses.
    pub logarithmic: bool,
    /// The two prescribed starting points.
    pub starts: [Vec<f64>; 2],
    /// The certified parameters, given to 11 digits.
    pub certified: Vec<f64>,
    /// The certified sum of squares, given to 11 digits.
    pub residual_sum_of_squares: f64,
    /// The data.
    pub observations: Vec<Observation>,
}

impl Problem {
    /// Reads the text of `file`, whose name is used in errors only.
    pub fn parse(file: &str, text: &str) -> Parsed<Self> {
        Reader::new(file, text).problem()
    }
}

/// What the `Model` section says.
struct ModelSection {
    line: usize,
    formula: String,
    logarithmic: bool,
    parameters: usize,
}

/// The table of starting and certified values, and the summary below it.
struct Solution {
    starts: [Vec<f64>; 2],
    certified: Vec<f64>,
    residual_sum_of_squares: f64,
}

impl<'a> Reader<'a> {
    fn problem(&self) -> Parsed<Problem> {
        self.expect(1, "NIST/ITL StRD")?;
        let model = self.model()?;
        let solution = self.solution(model.parameters)?;
        Ok(Problem {
            name: self.name()?,
            difficulty: self.difficulty()?,
            observations: self.observations(model.logarithmic)?,
            formula: model.formula,
            formula_line: model.line,
            logarithmic: model.logarithmic,
            starts: solution.starts,
            certified: solution.certified,
            residual_sum_of_squares: solution.residual_sum_of_squares,
        })
    }

    fn name(&self) -> Parsed<String> {
        let line = self.line(2)?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["Dataset", "Name:", name, file] if file == format!("({name}.dat)") => {
                Ok(name.to_owned())
            }
            _ => self.fail(2, "expected `Dataset Name:  NAME  (NAME.dat)`"),
        }
    }

    fn difficulty(&self) -> Parsed<Difficulty> {
        let (line, grade) =
            self.find("Level of Difficulty", |text| text.strip_suffix("Level of Difficulty"))?;
        match grade.trim() {
            "Lower" => Ok(Difficulty::Lower),
            "Average" => Ok(Difficulty::Average),
            "Higher" => Ok(Difficulty::Higher),
            _ => self.fail(line, "expected Lower, Average or Higher"),
        }
    }

    /// `Model:  CLASS`, the number of parameters, then the formula, maybe on two lines.
    fn model(&self) -> Parsed<ModelSection> {
        let (first, _) = self.find("Model:", |text| text.strip_prefix("Model:"))?;
        let (end, _) = self.find("Starting values  Certified Values", |text| {
            (text.starts_with("Starting") && text.ends_with("Certified Values")).then_some(())
        })?;
        let parameters = self.count(first + 1, "Parameters")?;
        let (line, formula) = self.text(first + 2..end)?;
        let logarithmic = match formula.split_once(" = ") {
            Some(("y", _)) => false,
            Some(("log[y]", _)) => true,
            _ => return self.fail(line, "expected `y = ..` or `log[y] = ..`"),
        };
        Ok(ModelSection { line, formula, logarithmic, parameters })
    }

    fn solution(&self, parameters: usize) -> Parsed<Solution> {
        let rows = self.range("Starting Values")?;
        if rows.clone().count() != parameters {
            return self.fail(
                *rows.start(),
                format!("expected {parameters} parameters in lines {rows:?}"),
            );
        }
        let mut solution = Solution {
            starts: [vec![], vec![]],
            certified: vec![],
            residual_sum_of_squares: f64::NAN,
        };
        for (index, line) in rows.enumerate() {
            let [first, second, certified, _deviation] = self.parameter(index, line)?;
            solution.starts[0].push(first);
            solution.starts[1].push(second);
            solution.certified.push(certified);
        }
        solution.residual_sum_of_squares = self.summary(parameters)?;
        Ok(solution)
    }

    /// `b1 =  START  START  CERTIFIED  DEVIATION`
    fn parameter(&self, index: usize, line: usize) -> Parsed<[f64; 4]> {
        let name = format!("b{}", index + 1);
        let numbers = match self.line(line)?.split_once('=') {
            Some((left, right)) if left.trim() == name => self.numbers(line, right)?,
            _ => return self.fail(line, format!("expected `{name} = ..`")),
        };
        numbers.try_into().or_else(|found: Vec<f64>| {
            self.fail(
                line,
                format!("expected two starts, value and deviation, found {} numbers", found.len()),
            )
        })
    }

    /// The sum of squares; the two counts beside it must agree with the rest of the file.
    fn summary(&self, parameters: usize) -> Parsed<f64> {
        let range = self.range("Certified Values")?;
        let entry = |label| self.entry(range.clone(), label);
        let observations = self.range("Data")?.count();
        for (label, count) in [
            ("Degrees of Freedom:", observations.saturating_sub(parameters)),
            ("Number of Observations:", observations),
        ] {
            let (line, text) = entry(label)?;
            if self.number::<usize>(line, text)? != count {
                return self.fail(line, format!("expected {count}"));
            }
        }
        let (line, text) = entry("Residual Sum of Squares:")?;
        self.real(line, text)
    }

    fn observations(&self, logarithmic: bool) -> Parsed<Vec<Observation>> {
        let range = self.range("Data")?;
        let columns = self.columns(*range.start() - 1)?;
        if let Ok((line, _)) = self.text(range.end() + 1..self.end()) {
            return self.fail(line, "text after the data");
        }
        range.map(|line| self.observation(line, columns, logarithmic)).collect()
    }

    /// The number of columns from the line `Data:  y  x`, which must be one response and the
    /// predictors that the description promises.
    fn columns(&self, line: usize) -> Parsed<usize> {
        let names = match self.line(line)?.strip_prefix("Data:") {
            Some(names) => names.split_whitespace().collect::<Vec<_>>(),
            None => return self.fail(line, "expected `Data:  y  x`"),
        };
        let (_, text) = self.find("number of predictors", |text| {
            text.split_once(" Predictor").map(|(count, _)| count)
        })?;
        let known = matches!(names[..], ["y", "x"] | ["y", "x1", "x2"]);
        if !known || text.trim().parse() != Ok(names.len() - 1) {
            return self
                .fail(line, format!("{text} predictor(s) do not fit the columns {names:?}"));
        }
        Ok(names.len())
    }

    fn observation(&self, line: usize, columns: usize, logarithmic: bool) -> Parsed<Observation> {
        let mut numbers = self.numbers(line, self.line(line)?)?;
        if numbers.len() != columns {
            return self.fail(line, format!("expected {columns} numbers, found {}", numbers.len()));
        }
        let measured = numbers.remove(0);
        if logarithmic && measured <= 0.0 {
            return self.fail(line, "a response that is not positive has no logarithm");
        }
        let response = if logarithmic { measured.ln() } else { measured };
        Ok(Observation { response, predictors: numbers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MISRA: &str = include_str!("../data/nist/Misra1a.dat");
    const NELSON: &str = include_str!("../data/nist/Nelson.dat");

    /// The message for a file in which `from` is replaced by `to`.
    fn error(text: &str, from: &str, to: &str) -> String {
        assert!(text.contains(from));
        Problem::parse("file.dat", &text.replacen(from, to, 1)).unwrap_err().to_string()
    }

    #[test]
    fn reads_everything() {
        let problem = Problem::parse("file.dat", MISRA).unwrap();
        assert_eq!(problem.name, "Misra1a");
        assert_eq!(problem.difficulty, Difficulty::Lower);
        assert_eq!(problem.formula, "y = b1*(1-exp[-b2*x]) + e");
        assert_eq!(problem.starts, [vec![500.0, 0.0001], vec![250.0, 0.0005]]);
        assert_eq!(problem.certified, [2.3894212918e2, 5.5015643181e-4]);
        assert_eq!(problem.residual_sum_of_squares, 1.2455138894e-1);
        assert_eq!(problem.observations.len(), 14);
        let last = Observation { response: 81.78, predictors: vec![760.0] };
        assert_eq!(problem.observations[13], last);
    }

    #[test]
    fn a_logarithmic_response_has_its_logarithm_taken() {
        let problem = Problem::parse("file.dat", NELSON).unwrap();
        assert!(problem.logarithmic);
        let first = Observation { response: 15f64.ln(), predictors: vec![1.0, 180.0] };
        assert_eq!(problem.observations[0], first);
    }

    #[test]
    fn errors_name_file_and_line() {
        let start = error(MISRA, "0.0001 ", "0.OOO1 ");
        assert_eq!(start, "file.dat:42: `0.OOO1` is not a number");
        let missing = error(MISRA, "  b1 =   500         250 ", "  b1 =   500 ");
        assert_eq!(
            missing,
            "file.dat:41: expected two starts, value and deviation, found 3 numbers"
        );
        let name = error(MISRA, "  b2 = ", "  b3 = ");
        assert_eq!(name, "file.dat:42: expected `b2 = ..`");
        let datum = error(MISRA, "114.9E0", "NaN");
        assert_eq!(datum, "file.dat:62: `NaN` is not finite");
        let column = error(NELSON, "1E0         180E0", "1E0");
        assert_eq!(column, "file.dat:61: expected 3 numbers, found 2");
    }

    #[test]
    fn counts_must_agree() {
        let freedom = error(MISRA, "                12\n", "                13\n");
        assert_eq!(freedom, "file.dat:46: expected 12");
        let parameters = error(MISRA, "2 Parameters", "3 Parameters");
        assert_eq!(parameters, "file.dat:41: expected 3 parameters in lines 41..=42");
        let short = error(MISRA, "      81.78E0     760.0E0\n", "");
        assert_eq!(short, "file.dat:74: the file ends after 73 lines");
        let long = error(MISRA, "     760.0E0\n", "     760.0E0\n  1 2\n");
        assert_eq!(long, "file.dat:75: text after the data");
        let predictors = error(NELSON, "2 Predictors", "1 Predictors");
        assert!(predictors.starts_with("file.dat:60: 1 predictor(s) do not fit"), "{predictors}");
    }

    #[test]
    fn labels_must_be_there() {
        let difficulty = error(MISRA, "Lower Level", "Some Level");
        assert_eq!(difficulty, "file.dat:28: expected Lower, Average or Higher");
        let model = error(MISRA, "y = b1", "z = b1");
        assert_eq!(model, "file.dat:34: expected `y = ..` or `log[y] = ..`");
        let squares = error(MISRA, "Residual Sum of Squares:", "Sum of Squares:");
        assert_eq!(squares, "file.dat:74: Residual Sum of Squares:: not found");
    }
}
