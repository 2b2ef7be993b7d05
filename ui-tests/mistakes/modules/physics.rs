pub fn drag(v: f64) -> f64 {
    0.1 * v * v
}
