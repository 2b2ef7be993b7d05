//! Geometric means over the rows of a table.

use std::fmt::{self, Display, Formatter};

use cotangent_examples::published::Published;
use cotangent_examples::ratios::Ratios;

/// What a group has measured.
#[derive(Default)]
pub struct Means {
    ours: Mean,
    by_hand: Mean,
    ours_to_hand: Mean,
    jvp: Mean,
    ours_to_enzyme: Mean,
}

impl Means {
    /// Takes a row in.
    pub fn take(&mut self, ratios: &Ratios, published: Published) {
        self.ours.take(ratios.ours_to_primal);
        self.jvp.take(ratios.jvp_to_primal);
        if let Some(hand) = ratios.by_hand {
            self.by_hand.take(hand.to_primal);
            self.ours_to_hand.take(hand.ours_to);
        }
        if let Some(enzyme) = published.enzyme {
            self.ours_to_enzyme.take(ratios.ours_to_primal / enzyme);
        }
    }

    /// Takes all rows of another group in.
    pub fn join(&mut self, group: &Means) {
        self.ours.join(&group.ours);
        self.by_hand.join(&group.by_hand);
        self.ours_to_hand.join(&group.ours_to_hand);
        self.jvp.join(&group.jvp);
        self.ours_to_enzyme.join(&group.ours_to_enzyme);
    }

    /// Prints a row of the means, unless there is nothing to take them of. In Enzyme's column is the mean of ours over
    /// Enzyme's.
    pub fn print(&self, title: &str) {
        if self.ours.count == 0.0 {
            return;
        }
        println!(
            "| **{title}, geometric mean** | | {} | {} | {} | {} | {} | | |",
            self.ours, self.by_hand, self.ours_to_hand, self.jvp, self.ours_to_enzyme,
        );
    }
}

/// A geometric mean.
#[derive(Default)]
struct Mean {
    logarithms: f64,
    count: f64,
}

impl Mean {
    fn take(&mut self, number: f64) {
        self.logarithms += number.ln();
        self.count += 1.0;
    }

    fn join(&mut self, other: &Mean) {
        self.logarithms += other.logarithms;
        self.count += other.count;
    }

    fn value(&self) -> f64 {
        (self.logarithms / self.count).exp()
    }
}

/// Two decimals, or nothing.
impl Display for Mean {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        if self.count == 0.0 { Ok(()) } else { write!(formatter, "{:.2}", self.value()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_geometric() {
        let (mut few, mut one) = (Mean::default(), Mean::default());
        few.take(2.0);
        few.take(4.0);
        one.take(27.0);
        few.join(&one);
        assert_eq!((few.to_string(), Mean::default().to_string()), ("6.00".into(), String::new()));
        assert!((few.value() - 6.0).abs() < 1e-14);
    }
}
