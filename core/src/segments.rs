//! Loops in segments: what `#[checkpoint]` needs to know of iterations.

/// The index that a range has in the iteration of a number.
///
/// # Panics
///
/// When the range is shorter, which emitted code does not ask for.
#[inline]
pub fn nth<I: Iterator>(mut range: I, number: usize) -> I::Item {
    range.nth(number).expect("the loop has an iteration of this number")
}

/// The length of segments that a user gives: at least one iteration.
#[inline]
#[must_use]
pub const fn stride(given: usize) -> usize {
    if given == 0 { 1 } else { given }
}

/// The length of segments of which there are about as many as each has iterations.
#[inline]
#[must_use]
pub const fn root_stride(steps: usize) -> usize {
    stride(steps.isqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_never_empty() {
        assert_eq!((stride(0), stride(7)), (1, 7));
        let strides = [0, 1, 3, 4, 99, 100, usize::MAX].map(root_stride);
        assert_eq!(strides, [1, 1, 1, 2, 9, 10, u32::MAX as usize]);
    }

    #[test]
    fn an_index_is_found_by_its_number() {
        assert_eq!(
            (0..3).map(|number| nth((2..9).rev().step_by(3), number)).sum::<usize>(),
            8 + 5 + 2
        );
    }
}
