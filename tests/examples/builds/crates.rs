//! Crates that are built again and again.
//!
//! In: the text of a library. Out: the seconds that cargo takes for it when all it depends on is built. No
//! state of earlier builds is used: incremental compilation is off.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use cotangent_tests::target;

/// A package of one file.
pub struct Crate {
    root: PathBuf,
    target: PathBuf,
    text: String,
}

/// How it is built.
#[derive(Clone, Copy)]
pub enum Profile {
    /// Only as far as errors are found.
    Check,
    /// Without optimisation.
    Dev,
    /// With.
    Release,
}

impl Profile {
    /// What is typed.
    pub fn command(self) -> &'static str {
        match self {
            Profile::Check => "cargo check",
            Profile::Dev => "cargo build",
            Profile::Release => "cargo build --release",
        }
    }
}

impl Crate {
    /// A crate of this name, in the folder that cargo builds the running program in, whose macros have that level of
    /// optimisation in builds without optimisation.
    pub fn new(name: &str, text: &str, macro_level: u8) -> Crate {
        let target = target::folder();
        let root = target.join("builds").join(name);
        fs::create_dir_all(root.join("src")).expect("the package can be written");
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let manifest = manifest(name, &workspace.join("core"), macro_level);
        fs::write(root.join("Cargo.toml"), manifest).expect("the package can be written");
        // The versions that the workspace uses are there already: nothing is fetched.
        if let Ok(lock) = fs::read_to_string(workspace.join("Cargo.lock")) {
            fs::write(root.join("Cargo.lock"), lock).expect("the package can be written");
        }
        Crate { root, target, text: text.into() }
    }

    /// Builds it, even if it was built before.
    fn seconds(&self, profile: Profile) -> f64 {
        fs::write(self.root.join("src/lib.rs"), &self.text).expect("the package can be written");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let arguments = profile.command().split(' ').skip(1);
        let mut command = Command::new(cargo);
        command.current_dir(&self.root).args(arguments).args(["--offline", "--quiet"]);
        command.arg("--target-dir").arg(&self.target).env("CARGO_INCREMENTAL", "0");
        let start = Instant::now();
        let status = command.status().expect("cargo can be run");
        assert!(status.success(), "the crate does not build");
        start.elapsed().as_secs_f64()
    }
}

/// The shortest times of some crates, built in turns. Before, what they depend on is built.
pub fn shortest<const N: usize>(crates: [&Crate; N], profile: Profile, runs: usize) -> [f64; N] {
    let round = || crates.map(|package| package.seconds(profile));
    round();
    let mut best = [f64::INFINITY; N];
    for _ in 0..runs {
        best.iter_mut().zip(round()).for_each(|(best, seconds)| *best = best.min(seconds));
    }
    best
}

fn manifest(name: &str, core: &Path, macro_level: u8) -> String {
    let core = core.display();
    format!(
        "[package]\nname = \"cotangent-builds-{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [dependencies]\ncotangent = {{ path = '{core}' }}\n\n\
         [workspace]\n\n[profile.dev.build-override]\nopt-level = {macro_level}\n"
    )
}
