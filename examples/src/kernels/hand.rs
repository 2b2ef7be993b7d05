//! Hand tracking: the third of the objectives of ADBench, in its simple form. A chain of small rigid motions.
//!
//! F. Šrajer, Z. Kukelova, A. Fitzgibbon, "A benchmark of selected algorithmic differentiation tools on some problems in
//! computer vision and machine learning", Optimization Methods and Software 33, 2018, section 3.3.

use cotangent::{Differentiable, differentiate};

use crate::inputs::sequence;

/// Angles and offsets of a pose: rotation and place of the hand, and four angles for each of five fingers.
pub const ANGLES: usize = 26;
/// The wrist, and four bones for each finger, the first of which does not move; one is spare, as in the data of ADBench.
pub const BONES: usize = 22;

/// A rigid motion: three rows of rotation and offset.
pub type Motion = [[f64; 4]; 3];

/// The hand at rest, and what of it has been seen.
#[derive(Clone, Debug, Differentiable)]
pub struct Hand {
    /// The bone that each one hangs on. The first hangs on none.
    pub parents: Vec<usize>,
    /// Each bone at rest, as its parent sees it.
    pub relative: Vec<Motion>,
    /// From the hand at rest to what each bone sees.
    pub inverse: Vec<Motion>,
    /// The vertices at rest.
    pub vertices: Vec<[f64; 3]>,
    /// How much each vertex moves with each bone, bone by bone.
    pub weights: Vec<f64>,
    /// Points that were seen.
    pub points: Vec<[f64; 3]>,
    /// The vertex of each point.
    pub correspondences: Vec<usize>,
}

/// The sum of squared distances between points and their vertices, in the pose `theta`.
///
/// # Panics
///
/// If `theta` has fewer than [`ANGLES`] elements or the hand is not of one piece.
#[differentiate(constant(hand))]
pub fn distance(theta: &[f64], hand: &Hand) -> f64 {
    let angles = angles_of_bones(theta);
    let mut absolute: Vec<Motion> = Vec::with_capacity(BONES);
    for bone in 0..BONES {
        let turned = compose(&hand.relative[bone], &euler(angles[bone]));
        if bone == 0 {
            absolute.push(turned);
        } else {
            let whole = compose(&absolute[hand.parents[bone]], &turned);
            absolute.push(whole);
        }
    }
    let mut places = vec![[0.0; 3]; hand.vertices.len()];
    for bone in 0..BONES {
        let motion = compose(&absolute[bone], &hand.inverse[bone]);
        for v in 0..hand.vertices.len() {
            let weight = hand.weights[bone * hand.vertices.len() + v];
            let vertex = hand.vertices[v];
            let (x, y, z) = (vertex[0], vertex[1], vertex[2]);
            for i in 0..3 {
                let moved = motion[i][0] * x + motion[i][1] * y + motion[i][2] * z + motion[i][3];
                places[v][i] += weight * moved;
            }
        }
    }
    let whole = angle_axis([theta[0], theta[1], theta[2]]);
    let mut sum = 0.0;
    for p in 0..hand.points.len() {
        let [x, y, z] = places[hand.correspondences[p]];
        for i in 0..3 {
            let there = whole[i][0] * x + whole[i][1] * y + whole[i][2] * z + theta[3 + i];
            let error = hand.points[p][i] - there;
            sum += error * error;
        }
    }
    sum
}

/// The angles about x, y and z of each bone: three bones of each finger bend, and the first of them also turns aside.
#[differentiate]
fn angles_of_bones(theta: &[f64]) -> [[f64; 3]; BONES] {
    let mut angles = [[0.0; 3]; BONES];
    for finger in 0..5 {
        for joint in 0..3 {
            let bone = 4 * finger + joint + 2;
            if joint == 0 {
                angles[bone][0] = theta[6 + 4 * finger];
                angles[bone][2] = theta[7 + 4 * finger];
            } else {
                angles[bone][0] = theta[7 + 4 * finger + joint];
            }
        }
    }
    angles
}

/// Turns about x, then y, then z.
#[differentiate]
fn euler(angles: [f64; 3]) -> Motion {
    let (sx, cx) = angles[0].sin_cos();
    let (sy, cy) = angles[1].sin_cos();
    let (sz, cz) = angles[2].sin_cos();
    [
        [cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz, 0.0],
        [cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz, 0.0],
        [-sy, sx * cy, cx * cy, 0.0],
    ]
}

/// The turn about an axis by its length.
#[differentiate]
fn angle_axis(axis: [f64; 3]) -> [[f64; 3]; 3] {
    let square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
    let angle = square.sqrt();
    if angle < 1e-4 {
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    }
    let (x, y, z) = (axis[0] / angle, axis[1] / angle, axis[2] / angle);
    let (s, c) = angle.sin_cos();
    let r = 1.0 - c;
    [
        [x * x + (1.0 - x * x) * c, x * y * r - z * s, x * z * r + y * s],
        [x * y * r + z * s, y * y + (1.0 - y * y) * c, y * z * r - x * s],
        [x * z * r - y * s, y * z * r + x * s, z * z + (1.0 - z * z) * c],
    ]
}

/// The second, then the first.
#[differentiate]
fn compose(first: &Motion, second: &Motion) -> Motion {
    let mut both = [[0.0; 4]; 3];
    for i in 0..3 {
        for j in 0..4 {
            for k in 0..3 {
                both[i][j] += first[i][k] * second[k][j];
            }
        }
        both[i][3] += first[i][3];
    }
    both
}

impl Hand {
    /// A hand with so many vertices and points, made of numbers without a pattern.
    #[must_use]
    pub fn generated(vertices: usize, points: usize) -> Self {
        let parents = (0..BONES).map(|bone| if bone % 4 == 2 { 0 } else { bone.saturating_sub(1) });
        let numbers = sequence(6 * BONES, -0.5..0.5);
        let relative: Vec<Motion> = numbers
            .chunks_exact(6)
            .map(|n| {
                let mut motion = euler([n[0], n[1], n[2]]);
                for i in 0..3 {
                    motion[i][3] = n[3 + i];
                }
                motion
            })
            .collect();
        let triples = |count, range| {
            sequence(3 * count, range).chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect()
        };
        let mut weights = sequence(BONES * vertices, 0.0..1.0);
        for v in 0..vertices {
            let all: f64 = (0..BONES).map(|bone| weights[bone * vertices + v]).sum();
            (0..BONES).for_each(|bone| weights[bone * vertices + v] /= all);
        }
        Self {
            parents: parents.collect(),
            inverse: relative.iter().map(inverted).collect(),
            relative,
            vertices: triples(vertices, -1.0..1.0),
            weights,
            points: triples(points, -1.5..1.5),
            correspondences: (0..points).map(|p| p * 5 % vertices).collect(),
        }
    }
}

/// What takes a motion back.
fn inverted(motion: &Motion) -> Motion {
    let mut inverse = [[0.0; 4]; 3];
    for i in 0..3 {
        for k in 0..3 {
            inverse[i][k] = motion[k][i];
            inverse[i][3] -= motion[k][i] * motion[k][3];
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_tester_agrees() {
        let hand = Hand::generated(7, 4);
        cotangent::check!(distance(&sequence(ANGLES, -0.6..0.6), &hand)).unwrap();
    }

    #[test]
    fn a_motion_and_its_inverse_are_none() {
        let motion = Hand::generated(1, 1).relative[3];
        let none = compose(&motion, &inverted(&motion));
        for i in 0..3 {
            for j in 0..4 {
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((none[i][j] - expected).abs() < 1e-15);
            }
        }
    }

    /// Both ways to turn about one axis.
    #[test]
    fn turns_agree() {
        let (about, same) = (angle_axis([0.0, 0.0, 0.4]), euler([0.0, 0.0, 0.4]));
        for i in 0..3 {
            for j in 0..3 {
                assert!((about[i][j] - same[i][j]).abs() < 1e-15);
            }
        }
    }
}
