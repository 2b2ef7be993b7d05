//! What the benchmarks have in common.

use std::time::Duration;

use criterion::Criterion;

/// Short runs: the kernels take microseconds.
pub fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(50)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args()
}
