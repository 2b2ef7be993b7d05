//! Rules of what makes rotations of vectors and angles: rotation vectors, axes and Euler angles.
//!
//! With half the vector, `a = v / 2`, and the functions `h` of `x = a·a` ([`wave`]), the quaternion of a rotation
//! vector `v` is `h[0](x) + h[1](x) a` (J. Solà, Quaternion kinematics for the error-state Kalman filter, 2017,
//! equation 101). So its derivative has neither a quotient by the angle nor a branch, and is right where there is no
//! rotation. For a matrix see G. Gallego and A. Yezzi, A compact formula for the derivative of a 3-D rotation in
//! exponential coordinates, 2015.

use nalgebra_0_35::{
    Complex, Isometry2, Isometry3, IsometryMatrix2, IsometryMatrix3, Matrix2, Matrix3, Quaternion,
    RealField, Rotation2, Rotation3, Translation, Unit, UnitComplex, UnitQuaternion, Vector2,
    Vector3,
};

use super::conversions::{OfMatrix as _, OfParts as _, Unchecked as _, Wrapping as _};
use super::methods::ToMatrix as _;
use super::waves::wave;
use crate::nalgebra::components::Components as _;
use crate::nalgebra::construction::{OfFour as _, OfOne};
use crate::{Float, differentiate, primitive};

/// Rotations of vectors and angles.
///
/// ```
/// # use nalgebra_0_35 as nalgebra;
/// use cotangent::differentiate;
/// use cotangent::nalgebra::*;
/// use nalgebra::{UnitQuaternion, Vector3};
///
/// #[differentiate]
/// fn turned(v: Vector3<f64>) -> Vector3<f64> {
///     UnitQuaternion::from_scaled_axis(v) * Vector3::x()
/// }
///
/// // Where there is no rotation, a little of one adds its cross product.
/// let (_, dot) = turned::jvp(Vector3::zeros(), Vector3::z());
/// assert_eq!(dot, Vector3::y());
/// ```
#[differentiate]
#[differentiate]
pub trait Turned<T: Float + RealField> {
    /// The type of vectors of length one.
    type Axis: crate::Differentiable;

    /// About the vector, by its length: `v̄ = Jᵀ r̄` with the derivative `J` of the formula.
    fn from_scaled_axis(axisangle: Vector3<T>) -> Self;

    /// Likewise.
    fn new(axisangle: Vector3<T>) -> Self;

    /// About the axis, by the angle, also of an axis that is not of length one.
    fn from_axis_angle(axis: &Self::Axis, angle: T) -> Self;

    /// By the three angles about the first, the second and the third axis, one after the other.
    fn from_euler_angles(roll: T, pitch: T, yaw: T) -> Self;
}

/// The sine and the cosine.
#[differentiate]
#[differentiate]
fn sine_and_cosine<T: Float>(angle: T) -> (T, T) {
    angle.sin_cos()
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> Turned<T> for UnitQuaternion<T> {
    type Axis = Unit<Vector3<T>>;

    #[primitive(vjp = quaternion_vjp, jvp = quaternion_jvp)]
    fn from_scaled_axis(axisangle: Vector3<T>) -> Self {
        Self::from_scaled_axis(axisangle)
    }

    #[primitive(vjp = quaternion_vjp, jvp = quaternion_jvp)]
    fn new(axisangle: Vector3<T>) -> Self {
        Self::from_scaled_axis(axisangle)
    }

    fn from_axis_angle(axis: &Self::Axis, angle: T) -> Self {
        let (sin, cos) = sine_and_cosine(angle / T::literal(2.0));
        let mut made = Quaternion::<T>::identity();
        made.w = cos;
        made.i = axis.x * sin;
        made.j = axis.y * sin;
        made.k = axis.z * sin;
        Unit::new_unchecked(made)
    }

    fn from_euler_angles(roll: T, pitch: T, yaw: T) -> Self {
        let (sr, cr) = sine_and_cosine(roll * T::literal(0.5));
        let (sp, cp) = sine_and_cosine(pitch * T::literal(0.5));
        let (sy, cy) = sine_and_cosine(yaw * T::literal(0.5));
        let mut made = Quaternion::<T>::identity();
        made.w = cr * cp * cy + sr * sp * sy;
        made.i = sr * cp * cy - cr * sp * sy;
        made.j = cr * sp * cy + sr * cp * sy;
        made.k = cr * cp * sy - sr * sp * cy;
        Unit::new_unchecked(made)
    }
}

fn quaternion_vjp<T: Float + RealField>(
    axisangle: Vector3<T>,
) -> (UnitQuaternion<T>, impl FnOnce(Quaternion<T>) -> Vector3<T> + use<T>) {
    let back = move |bar: Quaternion<T>| {
        let half = axisangle * T::literal(0.5);
        let x = half.norm_squared();
        let (sine, slope) = (wave(1, x), wave(2, x));
        let along = slope * half.dot(&bar.imag()) + sine * bar.w;
        (bar.imag() * sine - half * along) * T::literal(0.5)
    };
    (UnitQuaternion::from_scaled_axis(axisangle), back)
}

#[differentiate]
fn quaternion_jvp<T: Float + RealField>(
    axisangle: Vector3<T>,
    dot: Vector3<T>,
) -> (UnitQuaternion<T>, Quaternion<T>) {
    let half = axisangle.scale(T::literal(0.5));
    let half_dot = dot.scale(T::literal(0.5));
    let (x, along) = (half.norm_squared(), half.dot(&half_dot));
    let (sine, slope) = (wave(1, x), wave(2, x));
    let u_dot = half_dot.scale(sine) - half.scale(slope * along);
    let q_dot = Quaternion::<T>::new(-(sine * along), u_dot.x, u_dot.y, u_dot.z);
    (UnitQuaternion::<T>::from_scaled_axis(axisangle), q_dot)
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> Turned<T> for Rotation3<T> {
    type Axis = Unit<Vector3<T>>;

    #[primitive(vjp = matrix_vjp, jvp = matrix_jvp)]
    fn from_scaled_axis(axisangle: Vector3<T>) -> Self {
        Self::from_scaled_axis(axisangle)
    }

    #[primitive(vjp = matrix_vjp, jvp = matrix_jvp)]
    fn new(axisangle: Vector3<T>) -> Self {
        Self::from_scaled_axis(axisangle)
    }

    #[primitive(vjp = about_axis_vjp, jvp = about_axis_jvp)]
    fn from_axis_angle(axis: &Self::Axis, angle: T) -> Self {
        Self::from_axis_angle(axis, angle)
    }

    fn from_euler_angles(roll: T, pitch: T, yaw: T) -> Self {
        let (sr, cr) = sine_and_cosine(roll);
        let (sp, cp) = sine_and_cosine(pitch);
        let (sy, cy) = sine_and_cosine(yaw);
        let mut made = Matrix3::<T>::identity();
        made.m11 = cy * cp;
        made.m12 = cy * sp * sr - sy * cr;
        made.m13 = cy * sp * cr + sy * sr;
        made.m21 = sy * cp;
        made.m22 = sy * sp * sr + cy * cr;
        made.m23 = sy * sp * cr - cy * sr;
        made.m31 = -sp;
        made.m32 = cp * sr;
        made.m33 = cp * cr;
        Rotation3::<T>::from_matrix_unchecked(made)
    }
}

/// By way of the quaternion.
#[differentiate]
#[differentiate]
fn matrix_of<T: Float + RealField>(axisangle: Vector3<T>) -> Matrix3<T> {
    UnitQuaternion::<T>::from_scaled_axis(axisangle).to_rotation_matrix().into_inner()
}

fn matrix_vjp<T: Float + RealField>(
    axisangle: Vector3<T>,
) -> (Rotation3<T>, impl FnOnce(Matrix3<T>) -> Vector3<T> + use<T>) {
    let (_, back) = matrix_of::vjp(axisangle);
    (Rotation3::from_scaled_axis(axisangle), back)
}

#[differentiate]
fn matrix_jvp<T: Float + RealField>(
    axisangle: Vector3<T>,
    dot: Vector3<T>,
) -> (Rotation3<T>, Matrix3<T>) {
    let (_, matrix_dot) = matrix_of::jvp(axisangle, dot);
    (Rotation3::<T>::from_scaled_axis(axisangle), matrix_dot)
}

/// The formula of O. Rodrigues in the entries, as `nalgebra` has it for angles that are not zero.
#[differentiate]
#[differentiate]
fn about_axis<T: Float + RealField>(axis: &Vector3<T>, angle: T) -> Matrix3<T> {
    let (sin, cos) = sine_and_cosine(angle);
    let rest = T::literal(1.0) - cos;
    let (x, y, z) = (axis.x, axis.y, axis.z);
    let mut made = Matrix3::<T>::identity();
    made.m11 = x * x + (T::literal(1.0) - x * x) * cos;
    made.m12 = x * y * rest - z * sin;
    made.m13 = x * z * rest + y * sin;
    made.m21 = x * y * rest + z * sin;
    made.m22 = y * y + (T::literal(1.0) - y * y) * cos;
    made.m23 = y * z * rest - x * sin;
    made.m31 = x * z * rest - y * sin;
    made.m32 = y * z * rest + x * sin;
    made.m33 = z * z + (T::literal(1.0) - z * z) * cos;
    made
}

fn about_axis_vjp<T: Float + RealField>(
    axis: &Unit<Vector3<T>>,
    angle: T,
) -> (Rotation3<T>, impl FnOnce(&Unit<Vector3<T>>, &mut Vector3<T>, Matrix3<T>) -> T + use<T>) {
    let (_, pullback) = about_axis::vjp(axis.as_ref(), angle);
    let back = |axis: &Unit<Vector3<T>>, axis_bar: &mut Vector3<T>, bar: Matrix3<T>| {
        pullback(axis.as_ref(), axis_bar, bar)
    };
    (Rotation3::from_axis_angle(axis, angle), back)
}

#[differentiate]
fn about_axis_jvp<T: Float + RealField>(
    axis: &Unit<Vector3<T>>,
    axis_dot: &Vector3<T>,
    angle: T,
    angle_dot: T,
) -> (Rotation3<T>, Matrix3<T>) {
    let inner = axis.into_inner();
    let (_, dot) = about_axis::jvp(&inner, axis_dot, angle, angle_dot);
    (Rotation3::<T>::from_axis_angle(axis, angle), dot)
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> OfOne<T> for Rotation2<T> {
    fn new(angle: T) -> Self {
        let (sin, cos) = sine_and_cosine(angle);
        let mut made = Matrix2::<T>::identity();
        made.m11 = cos;
        made.m12 = -sin;
        made.m21 = sin;
        made.m22 = cos;
        Rotation2::<T>::from_matrix_unchecked(made)
    }
}

/// Poses of a translation and a rotation vector.
#[differentiate]
#[differentiate]
pub trait Posed<T: Float + RealField> {
    /// The pose with this translation, turned about the vector by its length.
    fn new(translation: Vector3<T>, axisangle: Vector3<T>) -> Self;
}

macro_rules! posed {
    ($($pose:ident $rotation:ident;)*) => {$(
        #[differentiate]
        #[differentiate]
        impl<T: Float + RealField> Posed<T> for $pose<T> {
            fn new(translation: Vector3<T>, axisangle: Vector3<T>) -> Self {
                let rotation = $rotation::<T>::from_scaled_axis(axisangle);
                $pose::<T>::from_parts(Translation::from(translation), rotation)
            }
        }
    )*};
}

posed! {
    Isometry3 UnitQuaternion;
    IsometryMatrix3 Rotation3;
}

/// Rotations of the plane.
#[differentiate]
#[differentiate]
pub trait TurnedInPlane<T: Float> {
    /// By the angle, `z = cos a + i sin a`: `ā = cos a z̄.im - sin a z̄.re`.
    fn from_angle(angle: T) -> Self;
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> TurnedInPlane<T> for UnitComplex<T> {
    fn from_angle(angle: T) -> Self {
        let (sin, cos) = sine_and_cosine(angle);
        Unit::new_unchecked(Complex { re: cos, im: sin })
    }
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> OfOne<T> for UnitComplex<T> {
    fn new(angle: T) -> Self {
        let (sin, cos) = sine_and_cosine(angle);
        Unit::new_unchecked(Complex { re: cos, im: sin })
    }
}

/// Poses in the plane, of a translation and an angle.
#[differentiate]
#[differentiate]
pub trait PosedInPlane<T: Float + RealField> {
    /// The pose with this translation, turned by the angle.
    fn new(translation: Vector2<T>, angle: T) -> Self;
}

macro_rules! posed_in_plane {
    ($($pose:ident $rotation:ident;)*) => {$(
        #[differentiate]
        #[differentiate]
        impl<T: Float + RealField> PosedInPlane<T> for $pose<T> {
            fn new(translation: Vector2<T>, angle: T) -> Self {
                let rotation = $rotation::<T>::new(angle);
                $pose::<T>::from_parts(Translation::from(translation), rotation)
            }
        }
    )*};
}

posed_in_plane! {
    Isometry2 UnitComplex;
    IsometryMatrix2 Rotation2;
}
