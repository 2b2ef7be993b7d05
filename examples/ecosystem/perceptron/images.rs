//! The images: 1797 digits written by hand by 13 people, 8 × 8 pixels each.
//!
//! In: lines of 65 whole numbers, 64 pixels from 0 (paper) to 16 (ink), row by row, and the digit. Out: [`Image`]s.
//!
//! They are the test set of "Optical Recognition of Handwritten Digits" by E. Alpaydin and C. Kaynak (UCI Machine
//! Learning Repository, 1998, doi:10.24432/C50P49), under the licence CC BY 4.0.

use cotangent::Differentiable;

/// How many digits there are.
pub const CLASSES: usize = 10;
/// How many pixels an image has.
pub const PIXELS: usize = 64;

/// An image and what it shows. It is a constant everywhere; a function with derivatives hands only what is
/// `Differentiable` to another.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Image {
    /// From 0 to 1, row by row.
    pub pixels: Vec<f64>,
    /// From 0 to 9.
    pub digit: usize,
}

/// The images that are learned from, and every fourth, which is held out.
///
/// # Panics
///
/// When the file is not as the repository gives it.
pub fn read() -> (Vec<Image>, Vec<Image>) {
    let lines = include_str!("../../data/digits.csv").lines().map(image).enumerate();
    let (held_out, known): (Vec<_>, Vec<_>) = lines.partition(|(index, _)| index % 4 == 3);
    let images = |numbered: Vec<(usize, Image)>| numbered.into_iter().map(|(_, image)| image);
    (images(known).collect(), images(held_out).collect())
}

fn image(line: &str) -> Image {
    let numbers = line.split(',').map(|number| number.parse().expect("a small number"));
    let numbers: Vec<u8> = numbers.collect();
    let (&digit, pixels) = numbers.split_last().expect("a digit");
    assert!(pixels.len() == PIXELS && usize::from(digit) < CLASSES, "an image of a digit");
    let pixels = pixels.iter().map(|&pixel| f64::from(pixel) / 16.0).collect();
    Image { pixels, digit: digit.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of images of each digit that the authors state for this set.
    #[test]
    fn everything_is_there() {
        let (known, held_out) = read();
        assert_eq!((known.len(), held_out.len()), (1348, 449));
        let mut counts = [0; CLASSES];
        known.iter().chain(&held_out).for_each(|image| counts[image.digit] += 1);
        assert_eq!(counts, [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]);
    }
}
