//! The command line.

use cotangent_compiler::Stage;
use lexopt::prelude::*;
use std::path::PathBuf;

/// How it is called.
pub const USAGE: &str = "cotangent-explain FILE [FUNCTION] [--stage STAGE] [--svg OUT]";

/// What `--help` prints.
pub const HELP: &str = "\
What cotangent makes of a source file, without building it.

    cotangent-explain FILE [FUNCTION] [--stage STAGE] [--svg OUT]

Without FUNCTION, lists the functions with derivatives: what is differentiated by, and of each loop
how many bytes an iteration leaves on a tape. FUNCTION is a name or the end of a path, such as
`energy`, `Spring::energy` or `module::Spring::energy`. Its tapes and its derivatives are printed.

    --stage STAGE   prints that stage alone; `all` prints every stage but the picture
                      hir        the function with resolved names
                      primal     the function in SSA form
                      forward    the forward transform's output
                      reverse    the reverse transform's output
                      tape       what each loop keeps for the way back, and why
                      optimized  the derivatives, simplified
                      rust       the emitted code, with source lines as comments
                      graph      the picture, as an SVG
    --svg OUT       writes the picture to a file; `-` is the standard output
    --help          prints this

Errors are those of the macros, as FILE:LINE:COLUMN. Then the exit code is 1.
";

/// What is asked for.
pub struct Options {
    pub file: PathBuf,
    pub function: Option<String>,
    /// The stages that are named.
    stages: Option<Vec<Stage>>,
    pub svg: Option<PathBuf>,
}

impl Options {
    /// Whether something is asked of functions.
    pub fn asks(&self) -> bool {
        self.stages.is_some() || self.svg.is_some()
    }

    /// What is printed of a function.
    pub fn stages(&self) -> Vec<Stage> {
        match &self.stages {
            Some(stages) => stages.clone(),
            None if self.svg.is_some() => Vec::new(),
            None => vec![Stage::Tape, Stage::Rust],
        }
    }
}

/// Reads the command line; nothing where help is asked for.
pub fn parse(mut parser: lexopt::Parser) -> Result<Option<Options>, lexopt::Error> {
    let (mut values, mut stages, mut svg) = (Vec::new(), None, None);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("help") | Short('h') => return Ok(None),
            Long("stage") => stages = Some(named(&parser.value()?.string()?)?),
            Long("svg") => svg = Some(PathBuf::from(parser.value()?)),
            Value(value) if values.len() < 2 => values.push(value),
            other => return Err(other.unexpected()),
        }
    }
    let mut values = values.into_iter();
    let file = values.next().ok_or("a file is missing")?.into();
    let function = values.next().map(ValueExt::string).transpose()?;
    Ok(Some(Options { file, function, stages, svg }))
}

/// The stages of a name.
fn named(name: &str) -> Result<Vec<Stage>, lexopt::Error> {
    if name == "all" {
        return Ok(Stage::ALL.into_iter().filter(|stage| *stage != Stage::Graph).collect());
    }
    let names = Stage::ALL.map(Stage::name).join(", ");
    let stage = Stage::named(name)
        .ok_or_else(|| format!("there is no stage `{name}`; there are: {names}, all"))?;
    Ok(vec![stage])
}
