//! Programs with limits: of time, and of memory.

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// How much memory a program may take, in units of 1024 bytes.
const MEMORY: usize = 6 << 20;

/// A program with its arguments, with little memory where the system has a shell that can say so.
pub fn limited(program: &str, arguments: &[String]) -> Command {
    if cfg!(unix) {
        let mut command = Command::new("sh");
        command
            .arg("-c")
            .arg(format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\""))
            .arg(program)
            .args(arguments);
        return command;
    }
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// What a program says that is given a text, or nothing where it does not end in time.
///
/// # Panics
///
/// When there is no such program.
pub fn output(command: &mut Command, input: &str, limit: Duration) -> Option<Output> {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program is there");
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.to_owned();
    // A program that has ended does not read.
    std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let id = Pending(child);
    id.wait(limit)
}

struct Pending(Child);

impl Pending {
    fn wait(mut self, limit: Duration) -> Option<Output> {
        let streams = (self.0.stdout.take(), self.0.stderr.take());
        let read = |stream: Option<Box<dyn std::io::Read + Send>>| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                stream.map(|mut stream| stream.read_to_end(&mut bytes));
                bytes
            })
        };
        let stdout = read(streams.0.map(|stream| Box::new(stream) as _));
        let stderr = read(streams.1.map(|stream| Box::new(stream) as _));
        let started = Instant::now();
        loop {
            if let Ok(Some(status)) = self.0.try_wait() {
                let [stdout, stderr] =
                    [stdout, stderr].map(|reader| reader.join().unwrap_or_default());
                return Some(Output { status, stdout, stderr });
            }
            if started.elapsed() > limit {
                let _ = self.0.kill();
                let _ = self.0.wait();
                return None;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
