//! Slices, read by index: single elements, index arithmetic, gathers, several slices at once.

corpus! {
    fn single_element(x: &[f64]) -> f64 { x[1] * x[1] }
    at (&[1.3, 0.6, -0.4]) => vec![0.0, 2.0 * x[1], 0.0];

    fn sum_of_elements(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i];
        }
        sum
    }
    at (&[1.3, 0.6, -0.4]), (&[]) => vec![1.0; x.len()];

    fn sum_of_sines(x: &[f64], w: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += (w * x[i]).sin();
        }
        s
    }
    at (&[1.3, 0.6, -0.4], 2.0), (&[], 2.0)
    => (x.iter().map(|x| w * (w * x).cos()).collect::<Vec<_>>(), x.iter().map(|x| x * (w * x).cos()).sum::<f64>());

    fn dot_product(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * y[i];
        }
        sum
    }
    at (&[1.3, 0.6, -0.4], &[2.0, -1.0, 0.5]) => (y.to_vec(), x.to_vec());

    fn norm(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * x[i];
        }
        sum.sqrt()
    }
    at (&[3.0, 4.0]) => vec![0.6, 0.8];

    fn elements_from_both_ends(x: &[f64]) -> f64 {
        let n = x.len();
        let mut sum = 0.0;
        for i in 0..n {
            sum += x[i] * x[n - 1 - i] / (i + 1) as f64;
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 2.0]), (&[1.3, 0.6, -0.4]);

    fn differences_of_neighbours(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 1..x.len() {
            sum += (x[i] - x[i - 1]) * (x[i] - x[i - 1]);
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 2.0]), (&[1.3]);

    fn chained_rosenbrock(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() - 1 {
            let a = 1.0 - x[i];
            let b = x[i + 1] - x[i] * x[i];
            sum += a * a + 100.0 * b * b;
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 2.0]), (&[1.3, 0.6]);

    fn rows_of_a_flat_matrix(a: &[f64], x: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..n {
            for j in 0..n {
                sum += x[i] * a[i * n + j] * x[j];
            }
        }
        sum
    }
    at (&[1.0, 2.0, -1.0, 0.5], &[1.3, 0.6], 2), (&[1.5], &[0.6], 1);

    fn columns_of_a_flat_matrix(a: &[f64], rows: usize, columns: usize) -> f64 {
        let mut product = 1.0;
        for j in 0..columns {
            let mut sum = 0.5;
            for i in 0..rows {
                sum += a[i * columns + j].powi(2);
            }
            product *= sum.sqrt();
        }
        product
    }
    at (&[1.0, 2.0, -1.0, 0.5, 0.3, 0.8], 2, 3), (&[1.0, 2.0, -1.0, 0.5, 0.3, 0.8], 3, 2);

    fn the_same_element_through_two_indices(x: &[f64], i: usize, j: usize) -> f64 { x[i] * x[j] + x[i].sin() }
    at (&[1.3, 0.6], 0, 1), (&[1.3, 0.6], 1, 1);

    fn gather(x: &[f64], indices: &[usize]) -> f64 {
        let mut sum = 1.0;
        for k in 0..indices.len() {
            sum = sum * x[indices[k]] + 0.5;
        }
        sum
    }
    at (&[1.3, 0.6, -0.4], &[2, 0, 0, 1]), (&[1.3], &[]);

    fn gather_twice(x: &[f64], links: &[usize]) -> f64 {
        let mut sum = 0.0;
        for i in 0..links.len() {
            sum += x[links[links[i]]] * x[i];
        }
        sum
    }
    at (&[1.3, 0.6, -0.4], &[2, 0, 1]);

    fn list_walked_by_links(x: &[f64], next: &[usize], steps: usize) -> f64 {
        let mut at = 0;
        let mut value = 1.0;
        for _ in 0..steps {
            value = (value * x[at]).cos();
            at = next[at];
        }
        value
    }
    at (&[1.3, 0.6, -0.4], &[2, 0, 1], 5);

    fn sparse_quadratic_form(values: &[f64], rows: &[usize], columns: &[usize], x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for k in 0..values.len() {
            sum += x[rows[k]] * values[k] * x[columns[k]];
        }
        sum
    }
    at (&[1.0, 2.0, -1.0], &[0, 1, 1], &[0, 0, 1], &[1.3, 0.6]);

    fn slice_of_points(points: &[[f64; 2]]) -> f64 {
        let mut length = 0.0;
        for i in 1..points.len() {
            let dx = points[i][0] - points[i - 1][0];
            let dy = points[i][1] - points[i - 1][1];
            length += (dx * dx + dy * dy).sqrt();
        }
        length
    }
    at (&[[0.0, 1.0], [1.3, 0.6], [-0.4, 2.0]]), (&[[0.0, 1.0]]);

    fn slice_of_points_by_coordinate(points: &[[f64; 3]], axis: usize) -> f64 {
        let mut product = 1.0;
        for i in 0..points.len() {
            product *= points[i][axis] + points[i][(axis + 1) % 3];
        }
        product
    }
    at (&[[0.1, 1.0, 0.4], [1.3, 0.6, -0.3]], 0), (&[[0.1, 1.0, 0.4], [1.3, 0.6, -0.3]], 2);

    fn row_taken_out(points: &[[f64; 2]], i: usize) -> f64 {
        let row = points[i];
        row[0] * row[1] + points.len() as f64 * row[0]
    }
    at (&[[0.1, 1.0], [1.3, 0.6]], 1);

    fn vector_behind_a_reference(x: &Vec<f64>) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * x[0];
        }
        sum
    }
    at (&vec![1.3, 0.6, -0.4]);

    fn vector_of_vectors_behind_a_reference(x: &Vec<Vec<f64>>) -> f64 {
        let mut sum = 1.0;
        for i in 0..x.len() {
            for j in 0..x[i].len() {
                sum = sum * 0.5 + x[i][j] * x[i][0];
            }
        }
        sum
    }
    at (&vec![vec![1.3, 0.6], vec![-0.4], vec![2.0, 0.1, 0.2]]);

    fn slice_of_vectors(x: &[Vec<f64>]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i][x[i].len() - 1] * x[0][0];
        }
        sum
    }
    at (&[vec![1.3, 0.6], vec![-0.4]]);

    fn slices_of_different_lengths(x: &[f64], kernel: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() - kernel.len() + 1 {
            let mut local = 0.0;
            for k in 0..kernel.len() {
                local += x[i + k] * kernel[k];
            }
            sum += local * local;
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 2.0], &[0.5, -1.0]), (&[1.3], &[0.5]);

    fn element_chosen_by_a_value(x: &[f64], t: f64) -> f64 {
        let position = t * (x.len() - 1) as f64;
        let i = position as usize;
        let fraction = position - i as f64;
        x[i] * (1.0 - fraction) + x[i + 1] * fraction
    }
    at (&[1.3, 0.6, -0.4, 2.0], 0.1), (&[1.3, 0.6, -0.4, 2.0], 0.8);

    fn softmax_weight(x: &[f64], k: usize) -> f64 {
        let mut largest = x[0];
        for i in 1..x.len() {
            largest = largest.max(x[i]);
        }
        let mut total = 0.0;
        for i in 0..x.len() {
            total += (x[i] - largest).exp();
        }
        (x[k] - largest).exp() / total
    }
    at (&[1.3, 0.6, -0.4], 1), (&[1.3, 0.6, 2.4], 2);

    fn pairwise_potential(x: &[[f64; 2]]) -> f64 {
        let mut energy = 0.0;
        for i in 0..x.len() {
            for j in 0..i {
                let dx = x[i][0] - x[j][0];
                let dy = x[i][1] - x[j][1];
                let square = dx * dx + dy * dy;
                if square > 9.0 {
                    continue;
                }
                energy += square.recip().powi(6) - square.recip().powi(3);
            }
        }
        energy
    }
    at (&[[0.0, 0.1], [1.2, -0.2], [0.3, 1.4], [5.0, 5.0]]);

    fn single_precision_slices(x: &[f32], y: &[f32]) -> f32 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * y[i].sin();
        }
        sum * x[0]
    }
    at (&[1.3, 0.6], &[0.2, -0.4]);
}
