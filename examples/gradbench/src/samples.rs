//! Inputs of the suite's sizes, without its harness.
//!
//! In: sizes. Out: inputs of the same shape as the suite's. The numbers are random, since the cost does not depend on them.

use std::array::from_fn;

use crate::ba::Scene;
use crate::gmm::Mixture;
use crate::ht::{Hand, Tracking};
use crate::kmeans::Clusters;
use crate::lstm::Network;

/// Random numbers from 0 to 1, by a linear congruential generator.
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn index(&mut self, count: usize) -> usize {
        (self.next() * count as f64) as usize
    }
}

/// Random numbers from 0 to 1.
pub fn uniform(count: usize) -> Vec<f64> {
    let mut random = Random(31337);
    (0..count).map(|_| random.next()).collect()
}

/// Points and a mixture of Gaussians.
pub fn mixture(d: usize, k: usize, n: usize) -> Mixture {
    let centred = |count: usize| uniform(count).into_iter().map(|x| 2.0 * x - 1.0).collect();
    Mixture {
        d,
        x: centred(n * d),
        m: 0.0,
        gamma: 1.0,
        alpha: centred(k),
        mu: uniform(k * d),
        q: centred(k * d),
        l: centred(k * d * (d - 1) / 2),
    }
}

/// Points, of which the last ones are the centroids.
pub fn clusters(k: usize, n: usize, d: usize) -> Clusters {
    let points = uniform(n * d);
    let centroids = points[(n - k) * d..].to_vec();
    Clusters { points, centroids, d }
}

/// A network, and a sequence of random bits.
pub fn network(layers: usize, characters: usize) -> Network {
    let bits = 14;
    Network {
        main: uniform(8 * layers * bits),
        extra: uniform(3 * bits),
        state: uniform(2 * layers * bits),
        sequence: uniform(characters * bits).into_iter().map(f64::round).collect(),
        bits,
    }
}

/// Cameras and points that are all the same.
pub fn scene(n: usize, m: usize, p: usize) -> Scene {
    let camera = [0.01, -0.02, 0.03, 0.1, -0.2, 0.3, 400.0, 3.0, -5.0, 0.05, 0.01];
    Scene {
        cameras: vec![camera; n],
        points: vec![[1.5, -0.7, 4.0]; m],
        weights: vec![0.8; p],
        features: vec![[0.4, 0.6]; p],
    }
}

/// A hand with the given number of vertices, and points inside of triangles.
pub fn tracking(vertices: usize, points: usize) -> Tracking {
    let mut random = Random(31337);
    let corners = (0..points).map(|_| from_fn(|_| random.index(vertices))).collect();
    let us = (0..points).map(|_| from_fn(|_| 0.5 * random.next())).collect();
    let mut point = || from_fn(|_| random.next());
    let points = (0..points).map(|_| point()).collect();
    let theta = uniform(26).try_into().expect("as many numbers as asked for");
    Tracking { hand: hand(vertices), theta, us, corners, points }
}

fn hand(vertices: usize) -> Hand {
    let mut random = Random(1);
    let bones = 22;
    let mut pose =
        || from_fn(|i| from_fn(|j| if i == 3 { f64::from(j == 3) } else { random.next() }));
    let relatives = (0..bones).map(|_| pose()).collect();
    let inverses = (0..bones).map(|_| pose()).collect();
    let mut vertex = || [random.next(), random.next(), random.next(), 1.0];
    let skin = (0..vertices).map(|_| vertex()).collect();
    let parent = |bone: i64| if bone == 0 { -1 } else { (bone - 1) * i64::from(bone % 4 != 1) };
    Hand {
        parents: (0..22).map(parent).map(|parent| if parent == 20 { 0 } else { parent }).collect(),
        relatives,
        inverses,
        skin,
        weights: uniform(vertices * bones),
        is_mirrored: false,
    }
}
