//! Parts of bodies that a condition of rustc's leaves out.

corpus! {
    fn configured_result(x: f64) -> f64 {
        #[cfg(test)]
        {
            x.sqrt()
        }
        #[cfg(not(test))]
        {
            x * x
        }
    }
    at (1.3)   => (0.5 / x.sqrt());

    fn configured_statements(x: f64) -> f64 {
        let mut y = x;
        #[cfg(all(test, not(miri)))]
        let factor = 3.0;
        #[cfg(not(all(test, not(miri))))]
        let factor = 4.0;
        #[cfg(any(not(test), miri))]
        return x;
        #[cfg(test)]
        for _ in 0..2 {
            y *= factor * x;
        }
        y
    }
    at (1.3)   => (27.0 * x * x);

    fn configured_arms(x: f64, n: usize) -> f64 {
        match n {
            #[cfg(not(test))]
            0 => x * 100.0,
            #[cfg(test)]
            0 => x * x,
            _ => x,
        }
    }
    at (1.3, 0), (1.3, 1);

    fn condition_as_a_value(x: f64) -> f64 {
        let factor = if cfg!(test) { 3.0 } else { 2.0 };
        if cfg!(not(test)) { x } else { factor * x * x }
    }
    at (1.3)   => (6.0 * x);

    fn calls_what_is_not_there(x: f64) -> f64 {
        #[cfg(not(test))]
        let y = of_another_crate(x);
        #[cfg(test)]
        let y = x.sin();
        y * x
    }
    at (1.3);
}
