use cotangent::differentiate;

#[differentiate]
fn parts(x: f64) -> f64 {
    #[cfg(windows)]
    let x = x * x;
    #[cfg_attr(all(), cfg(windows))]
    let x = 2.0 * x;
    match x {
        #[cfg(windows)]
        0.0 => 1.0,
        _ => x * x,
    }
}

#[differentiate]
fn parameters(x: f64, #[cfg(unix)] y: f64, #[cfg_attr(windows, cfg(unix))] z: f64) -> f64 {
    x * y * z
}

#[cfg(unix)]
#[differentiate]
fn whole(x: f64) -> f64 {
    #[cfg(unix)]
    fn inner(x: f64) -> f64 {
        x
    }
    x * inner(2.0)
}

#[cfg(not(unix))]
#[differentiate]
fn whole(x: f64) -> f64 {
    x
}

fn main() {
    let _ = (parts(1.0), whole::gradient(1.0));
}
