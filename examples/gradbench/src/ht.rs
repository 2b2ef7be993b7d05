//! Hand tracking: the distances between measured points and the surface of a hand.
//!
//! In: the angles of a hand, a model of its bones and its skin, and points. Out: the distances, or their Jacobian.
//!
//! The Jacobian has few columns and many rows, so it is computed by tangents. A finger moves by its own four angles alone: the skin
//! is blended finger by finger, with four tangents at a time. All vertices are moved, also those that no point refers to.

use std::array::from_fn;

use cotangent::differentiate;
use serde_json::Value;

use crate::input::{self, Failure, unknown};
use crate::protocol::{Answer, Runs};

/// A matrix that acts on homogeneous coordinates.
pub type Pose = [[f64; 4]; 4];
/// A point in space.
pub type Point = [f64; 3];

/// The pose of the whole hand: an axis with an angle, and a shift.
const GLOBAL: usize = 6;
/// The angles of one finger.
const FINGER: usize = 4;
/// The angles of all fingers.
const FINGERS: usize = 5 * FINGER;
/// All angles and shifts.
const THETA: usize = GLOBAL + FINGERS;
/// The bones that no angle moves: the wrist, the first one of each finger, and the forearm.
const STILL: [usize; 7] = [0, 1, 5, 9, 13, 17, 21];
/// Below this norm, the rotation of the whole hand is left out.
const SMALLEST_ANGLE: f64 = 1e-4;

/// The bones and the skin of a hand.
#[derive(Debug)]
pub struct Hand {
    /// The parent of each bone, which comes before it; for none, a negative number.
    pub parents: Vec<i64>,
    pub relatives: Vec<Pose>,
    pub inverses: Vec<Pose>,
    pub skin: Vec<[f64; 4]>,
    /// For each bone, the weights of all vertices.
    pub weights: Vec<f64>,
    pub is_mirrored: bool,
}

/// Measured points, and where on the skin they are.
#[derive(Debug)]
pub struct Tracking {
    pub hand: Hand,
    pub theta: [f64; THETA],
    /// Where in its triangle each point is. Empty if points are at vertices.
    pub us: Vec<[f64; 2]>,
    /// For each point, the vertices of its triangle, or three times its vertex.
    pub corners: Vec<[usize; 3]>,
    pub points: Vec<Point>,
}

#[differentiate]
fn product(a: &Pose, b: &Pose) -> Pose {
    let mut product = [[0.0; 4]; 4];
    for i in 0..4 {
        for j in 0..4 {
            for k in 0..4 {
                product[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    product
}

/// The rotation about the first axis, and then about the third one.
#[differentiate]
fn bend(first: f64, third: f64) -> Pose {
    let (s, c) = first.sin_cos();
    let (t, d) = third.sin_cos();
    [[d, -t * c, t * s, 0.0], [t, d * c, -d * s, 0.0], [0.0, s, c, 0.0], [0.0, 0.0, 0.0, 1.0]]
}

/// The angles of a bone about the first and the third axis.
#[differentiate]
fn angles(fingers: &[f64], bone: usize) -> [f64; 2] {
    let (finger, joint) = ((bone + 3) >> 2, (bone + 3) & 3);
    if bone == 0 || finger > 5 || joint == 0 {
        return [0.0, 0.0];
    }
    let start = FINGER * (finger - 1);
    if joint == 1 { [fingers[start], fingers[start + 1]] } else { [fingers[start + joint], 0.0] }
}

/// The transformations of all bones, from the position at rest.
#[differentiate(wrt(fingers))]
fn transforms(
    fingers: &[f64],
    parents: &[i64],
    relatives: &[Pose],
    inverses: &[Pose],
) -> Vec<Pose> {
    let bones = parents.len();
    let mut absolutes = vec![[[0.0; 4]; 4]; bones];
    let mut transforms = vec![[[0.0; 4]; 4]; bones];
    for bone in 0..bones {
        let angles = angles(fingers, bone);
        let relative = product(&relatives[bone], &bend(angles[0], angles[1]));
        if parents[bone] < 0 {
            absolutes[bone] = relative;
        } else {
            let parent = absolutes[parents[bone] as usize];
            absolutes[bone] = product(&parent, &relative);
        }
        transforms[bone] = product(&absolutes[bone], &inverses[bone]);
    }
    transforms
}

/// Adds what the bones from `first` on contribute to the positions of all vertices.
#[differentiate(wrt(transforms, positions))]
fn blend(
    transforms: &[Pose],
    first: usize,
    skin: &[[f64; 4]],
    weights: &[f64],
    positions: &mut [Point],
) {
    for v in 0..skin.len() {
        let mut blended = [[0.0; 4]; 3];
        for i in 0..transforms.len() {
            let weight = weights[(first + i) * skin.len() + v];
            for j in 0..3 {
                for c in 0..4 {
                    blended[j][c] += weight * transforms[i][j][c];
                }
            }
        }
        for j in 0..3 {
            for c in 0..4 {
                positions[v][j] += blended[j][c] * skin[v][c];
            }
        }
    }
}

/// The rotation about an axis by its norm.
#[differentiate]
fn rotation(axis: [f64; 3]) -> [[f64; 3]; 3] {
    let angle = (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]).sqrt();
    if angle < SMALLEST_ANGLE {
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    }
    let (s, c) = angle.sin_cos();
    let [x, y, z] = [axis[0] / angle, axis[1] / angle, axis[2] / angle];
    let d = 1.0 - c;
    [
        [x * x * d + c, x * y * d - z * s, x * z * d + y * s],
        [y * x * d + z * s, y * y * d + c, y * z * d - x * s],
        [z * x * d - y * s, z * y * d + x * s, z * z * d + c],
    ]
}

/// A point after the rotation and the shift of the whole hand.
#[differentiate]
fn carried(r: &[[f64; 3]; 3], shift: &[f64; 3], at: &[f64; 3]) -> [f64; 3] {
    [
        r[0][0] * at[0] + r[0][1] * at[1] + r[0][2] * at[2] + shift[0],
        r[1][0] * at[0] + r[1][1] * at[1] + r[1][2] * at[2] + shift[1],
        r[2][0] * at[0] + r[2][1] * at[1] + r[2][2] * at[2] + shift[2],
    ]
}

/// Moves the whole hand.
#[differentiate]
fn place(global: &[f64; GLOBAL], positions: &mut [Point]) {
    let r = rotation([global[0], global[1], global[2]]);
    let shift = [global[3], global[4], global[5]];
    for position in positions {
        let at = *position;
        *position = carried(&r, &shift, &at);
    }
}

/// Moves the whole hand, which is fixed.
#[differentiate(wrt(positions))]
fn carry(r: &[[f64; 3]; 3], shift: &[f64; 3], positions: &mut [Point]) {
    for position in positions {
        let [x, y, z] = *position;
        for j in 0..3 {
            position[j] = r[j][0] * x + r[j][1] * y + r[j][2] * z + shift[j];
        }
    }
}

/// Changes the side of a hand that is mirrored.
#[differentiate]
fn mirror(is_mirrored: bool, positions: &mut [Point]) {
    if is_mirrored {
        for position in positions {
            position[0] = -position[0];
        }
    }
}

/// The distances between points and vertices.
#[differentiate(wrt(positions))]
fn distances(positions: &[Point], corners: &[[usize; 3]], points: &[Point]) -> Vec<f64> {
    let mut distances = vec![0.0; 3 * points.len()];
    for i in 0..points.len() {
        let position = &positions[corners[i][0]];
        for j in 0..3 {
            distances[3 * i + j] = points[i][j] - position[j];
        }
    }
    distances
}

/// The distances between points and the insides of triangles.
#[differentiate(wrt(us, positions))]
fn distances_inside(
    us: &[[f64; 2]],
    positions: &[Point],
    corners: &[[usize; 3]],
    points: &[Point],
) -> Vec<f64> {
    let mut distances = vec![0.0; 3 * points.len()];
    for i in 0..points.len() {
        let [u, v] = us[i];
        let (a, b, c) =
            (&positions[corners[i][0]], &positions[corners[i][1]], &positions[corners[i][2]]);
        for j in 0..3 {
            distances[3 * i + j] = points[i][j] - (u * a[j] + v * b[j] + (1.0 - u - v) * c[j]);
        }
    }
    distances
}

/// The positions of all vertices, with their tangents by each of `theta`. Memory that stays from run to run.
#[derive(Debug, Default)]
pub struct Moved {
    positions: Vec<Point>,
    tangents: Vec<Vec<Point>>,
}

impl Tracking {
    /// The distances.
    pub fn objective(&self) -> Vec<f64> {
        let Hand { parents, relatives, inverses, skin, weights, is_mirrored } = &self.hand;
        let (global, fingers) = self.split();
        let transforms = transforms(fingers, parents, relatives, inverses);
        let mut positions = vec![[0.0; 3]; skin.len()];
        blend(&transforms, 0, skin, weights, &mut positions);
        mirror(*is_mirrored, &mut positions);
        place(&global, &mut positions);
        if self.us.is_empty() {
            distances(&positions, &self.corners, &self.points)
        } else {
            distances_inside(&self.us, &positions, &self.corners, &self.points)
        }
    }

    /// The columns of the Jacobian: by the place in the triangle if there is one, and by `theta`.
    pub fn jacobian(&self, moved: &mut Moved) -> Vec<Vec<f64>> {
        self.blend(moved);
        self.place(moved);
        let Moved { positions, tangents } = moved;
        if self.us.is_empty() {
            self.by_theta(positions, tangents)
        } else {
            self.by_us_and_theta(positions, tangents)
        }
    }

    /// The columns by `theta`, two at a time, of points at vertices.
    fn by_theta(&self, positions: &[Point], tangents: &[Vec<Point>]) -> Vec<Vec<f64>> {
        let columns = |pair: &[Vec<Point>; 2]| {
            distances::jvp_batch(positions, [&pair[0], &pair[1]], &self.corners, &self.points).1
        };
        tangents.as_chunks().0.iter().flat_map(columns).collect()
    }

    /// All columns of points inside of triangles, two at a time.
    fn by_us_and_theta(&self, positions: &[Point], tangents: &[Vec<Point>]) -> Vec<Vec<f64>> {
        let [first, second, none] =
            [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]].map(|us| vec![us; self.points.len()]);
        let columns = |us: [&[[f64; 2]]; 2], pair: [&[Point]; 2]| {
            distances_inside::jvp_batch(&self.us, us, positions, pair, &self.corners, &self.points)
                .1
        };
        let fixed = vec![[0.0; 3]; positions.len()];
        let by_us = columns([&first, &second], [&fixed, &fixed]);
        let pairs = tangents.as_chunks::<2>().0.iter();
        let by_theta = pairs.flat_map(|pair| columns([&none, &none], [&pair[0], &pair[1]]));
        by_us.into_iter().chain(by_theta).collect()
    }

    fn split(&self) -> ([f64; GLOBAL], &[f64]) {
        (from_fn(|i| self.theta[i]), &self.theta[GLOBAL..])
    }

    /// Moves the whole hand, with tangents by its own pose.
    fn place(&self, moved: &mut Moved) {
        let (global, _) = self.split();
        let Moved { positions, tangents } = moved;
        let (by_global, by_fingers) = tangents.split_at_mut(GLOBAL);
        mirror::jvp_batch::<FINGERS>(self.hand.is_mirrored, positions, by_fingers.each_slice());
        let (r, shift) =
            (rotation([global[0], global[1], global[2]]), [global[3], global[4], global[5]]);
        for by_finger in by_fingers.chunks_exact_mut(FINGER) {
            carry::jvp_batch::<FINGER>(&r, &shift, &mut positions.clone(), by_finger.each_slice());
        }
        let unit: [[f64; GLOBAL]; GLOBAL] =
            from_fn(|i| from_fn(|j| if i == j { 1.0 } else { 0.0 }));
        place::jvp_batch(&global, unit.each_ref(), positions, by_global.each_slice());
    }

    /// Blends the skin finger by finger, with tangents by the angles of the finger.
    fn blend(&self, moved: &mut Moved) {
        let Hand { parents, relatives, inverses, skin, weights, .. } = &self.hand;
        let (_, fingers) = self.split();
        let unit: [[f64; FINGERS]; FINGERS] =
            from_fn(|i| from_fn(|j| if i == j { 1.0 } else { 0.0 }));
        let directions = unit.each_ref().map(|direction| &direction[..]);
        let (transforms, by_angles) =
            transforms::jvp_batch(fingers, directions, parents, relatives, inverses);
        let Moved { positions, tangents } = moved;
        clear(positions, skin.len());
        tangents.resize(THETA, Vec::new());
        tangents.iter_mut().for_each(|tangent| clear(tangent, skin.len()));
        for bone in STILL {
            blend(&transforms[bone..bone + 1], bone, skin, weights, positions);
        }
        for (finger, tangents) in tangents[GLOBAL..].chunks_exact_mut(FINGER).enumerate() {
            let (start, end) = (2 + 4 * finger, 5 + 4 * finger);
            let bones = &transforms[start..end];
            let by_finger: [&[Pose]; FINGER] =
                from_fn(|i| &by_angles[FINGER * finger + i][start..end]);
            blend::jvp_batch(
                bones,
                by_finger,
                start,
                skin,
                weights,
                positions,
                tangents.each_slice(),
            );
        }
    }
}

/// Makes all points zero.
fn clear(points: &mut Vec<Point>, count: usize) {
    points.clear();
    points.resize(count, [0.0; 3]);
}

/// Several slices that are borrowed side by side.
trait EachSlice {
    /// Borrows `N` vectors as slices.
    fn each_slice<const N: usize>(&mut self) -> [&mut [Point]; N];
}

impl EachSlice for [Vec<Point>] {
    fn each_slice<const N: usize>(&mut self) -> [&mut [Point]; N] {
        let mut vectors = self.iter_mut();
        from_fn(|_| vectors.next().expect("as many vectors as slices").as_mut_slice())
    }
}

impl Hand {
    fn read(model: &Value) -> Result<Hand, Failure> {
        Ok(Hand {
            parents: input::integers(model, "parents")?,
            relatives: poses(&input::floats(model, "base_relatives")?),
            inverses: poses(&input::floats(model, "inverse_base_absolutes")?),
            skin: input::floats(model, "base_positions")?.as_chunks().0.to_vec(),
            weights: transposed(&input::floats(model, "weights")?, input::rows(model, "parents")?),
            is_mirrored: model["is_mirrored"].as_bool().unwrap_or(false),
        })
    }

    /// Whether a finger's angles move its own bones alone, as the definition says.
    fn has_fingers(&self) -> bool {
        let is_still = |bone: i64| bone < 1 || bone == 21;
        let own = |finger: i64, parent: i64| (4 * finger + 1..4 * finger + 5).contains(&parent);
        let fingers = self.parents.iter().skip(1).take(20).enumerate();
        let mut joints = fingers.map(|(i, &parent)| is_still(parent) || own(i as i64 / 4, parent));
        self.parents.len() == 22 && is_still(self.parents[21]) && joints.all(|is_own| is_own)
    }
}

fn transposed(flat: &[f64], width: usize) -> Vec<f64> {
    (0..width).flat_map(|column| flat[column..].iter().step_by(width)).copied().collect()
}

fn poses(flat: &[f64]) -> Vec<Pose> {
    flat.as_chunks::<4>().0.as_chunks::<4>().0.to_vec()
}

impl Tracking {
    fn read(input: &Value) -> Result<Tracking, Failure> {
        let (data, model) = (&input["data"], &input["data"]["model"]);
        let hand = Hand::read(model)?;
        if !hand.has_fingers() {
            return Err("not a hand: a finger moves by its own angles alone".to_string());
        }
        let us = input::floats(input, "us")?.as_chunks().0.to_vec();
        let places = input::integers(data, "correspondences")?;
        let triangles = input::integers(model, "triangles")?;
        let corner = |&place: &i64| {
            let place = place as usize;
            if us.is_empty() { [place; 3] } else { from_fn(|i| triangles[3 * place + i] as usize) }
        };
        let corners = places.iter().map(corner).collect();
        let points = input::floats(data, "points")?.as_chunks().0.to_vec();
        Ok(Tracking { hand, theta: input::array(input, "theta")?, us, corners, points })
    }
}

/// The rows of a matrix, given by its columns.
fn rows(columns: &[Vec<f64>]) -> Value {
    let row = |i: usize| columns.iter().map(|column| column[i]).collect();
    (0..columns[0].len()).map(row).collect::<Vec<Value>>().into()
}

/// Runs a function of this module.
pub fn evaluate(function: &str, input: Value) -> Result<Answer, Failure> {
    let (runs, tracking) = (Runs::of(&input), Tracking::read(&input)?);
    match function {
        "objective" => {
            Ok(runs.measure(|| tracking.objective(), |distances| Value::from(&distances[..])))
        }
        "jacobian" => {
            let mut moved = Moved::default();
            Ok(runs.measure(|| tracking.jacobian(&mut moved), |columns| rows(columns)))
        }
        _ => Err(unknown(function)),
    }
}
