//! The images: 1797 digits written by hand by 13 people, 8 × 8 pixels each.
//!
//! In: lines of 65 whole numbers, 64 pixels from 0 (paper) to 16 (ink), row by row, and the digit. Out:
//! [`Image`]s, or an error with file and line.
//!
//! They are the test set of "Optical Recognition of Handwritten Digits" by E. Alpaydin and C. Kaynak (UCI
//! Machine Learning Repository, 1998, doi:10.24432/C50P49), under the licence CC BY 4.0.

use std::error::Error;

use cotangent::Differentiable;

/// Pixels in a row of an image, and rows.
pub const SIDE: usize = 8;
/// How many digits there are.
pub const CLASSES: usize = 10;
/// The images, as the repository gives them.
pub const DIGITS: &str = include_str!("../data/digits.csv");

/// So many images are learned from, and the rest is for the judgement.
const KNOWN: usize = 1287;
/// The darkest pixel.
const INK: u8 = 16;

/// An image and what it shows. It is a constant everywhere; a function with derivatives hands only what is
/// `Differentiable` to another.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Image {
    /// From 0 to 1, row by row.
    pub pixels: Vec<f64>,
    /// From 0 to 9.
    pub digit: usize,
}

/// The images that are learned from, and the others. Each form that was filled in begins with the digits in
/// order, and the cut is at such a beginning: nobody's form is in both parts.
pub fn split(images: &[Image]) -> (&[Image], &[Image]) {
    images.split_at(KNOWN.min(images.len()))
}

/// Reads all lines of `text`; `file` is its name, for messages.
pub fn read(file: &str, text: &str) -> Result<Vec<Image>, Box<dyn Error>> {
    let numbered = text.lines().enumerate();
    let image =
        |(index, line)| image(line).map_err(|e| format!("{file}:{}: {e}", index + 1).into());
    numbered.map(image).collect()
}

fn image(line: &str) -> Result<Image, String> {
    let number =
        |word: &str| word.parse::<u8>().map_err(|_| format!("`{word}` is no small number"));
    let numbers: Vec<u8> = line.split(',').map(number).collect::<Result<_, _>>()?;
    let Some((&digit, pixels)) = numbers.split_last() else { return Err("no numbers".into()) };
    if pixels.len() != SIDE * SIDE {
        return Err(format!("{} pixels instead of {}", pixels.len(), SIDE * SIDE));
    }
    if usize::from(digit) >= CLASSES || pixels.iter().any(|&pixel| pixel > INK) {
        return Err(format!("a pixel is above {INK}, or the digit above 9"));
    }
    let pixels = pixels.iter().map(|&pixel| f64::from(pixel) / f64::from(INK)).collect();
    Ok(Image { pixels, digit: digit.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of images of each digit that the authors state for this set.
    #[test]
    fn everything_is_there() {
        let images = read("digits.csv", DIGITS).unwrap();
        let mut counts = [0; CLASSES];
        images.iter().for_each(|image| counts[image.digit] += 1);
        assert_eq!(counts, [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]);
        let (known, unseen) = split(&images);
        assert_eq!((known.len(), unseen.len()), (1287, 510));
        assert!(unseen[..20].iter().enumerate().all(|(k, image)| image.digit == k % 10));
    }

    #[test]
    fn errors_name_file_and_line() {
        let good = DIGITS.lines().next().unwrap();
        let error = |line: &str| read("f", &format!("{good}\n{line}")).unwrap_err().to_string();
        assert_eq!(error("0,1,2"), "f:2: 2 pixels instead of 64");
        assert_eq!(error("x"), "f:2: `x` is no small number");
        assert_eq!(error(","), "f:2: `` is no small number");
        let dark = good.replacen("15", "17", 1);
        assert_eq!(error(&dark), "f:2: a pixel is above 16, or the digit above 9");
    }
}
