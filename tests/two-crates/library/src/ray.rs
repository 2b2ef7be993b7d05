use cotangent::{Differentiable, differentiate};

/// Light near the axis.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Ray {
    /// Over the axis.
    pub height: f64,
    /// Of the direction.
    pub slope: f64,
}

#[differentiate]
impl Ray {
    /// A ray beside the axis.
    pub fn parallel(height: f64) -> Self {
        Ray { height, slope: 0.0 }
    }

    /// Moves on through empty space.
    pub fn travel(&mut self, distance: f64) {
        self.height += distance * self.slope;
    }

    /// Where it meets the axis.
    pub fn meets_axis(&self) -> f64 {
        -self.height / self.slope
    }
}
