//! Maps: entries by key, made, changed, removed, and gone through.

use cotangent::Differentiable;
use std::collections::{BTreeMap, HashMap};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Model {
    pub weights: BTreeMap<String, f64>,
    pub counts: HashMap<usize, f64>,
}

fn map() -> BTreeMap<usize, f64> {
    BTreeMap::from([(1, 0.3), (4, 0.7), (9, 0.5)])
}

fn hash() -> HashMap<usize, f64> {
    HashMap::from([(1, 0.3), (4, 0.7), (9, 0.5)])
}

fn model() -> Model {
    let weights = BTreeMap::from([("a".to_string(), 0.3), ("b".to_string(), 0.4)]);
    Model { weights, counts: hash() }
}

corpus! {
    fn index(m: &BTreeMap<usize, f64>, x: f64) -> f64 {
        m[&1] * x + m[&4] * m[&1]
    }
    at (&map(), 0.4);

    fn get(m: &HashMap<usize, f64>, k: usize, x: f64) -> f64 {
        match m.get(&k) {
            Some(v) => v * x,
            None => x,
        }
    }
    at (&hash(), 4, 0.4), (&hash(), 5, 0.4);

    fn get_or(m: &HashMap<usize, f64>, k: usize, x: f64) -> f64 {
        m.get(&k).copied().unwrap_or(x) * x
    }
    at (&hash(), 4, 0.4), (&hash(), 5, 0.4);

    fn get_mut(m: &mut BTreeMap<usize, f64>, k: usize, x: f64) -> f64 {
        if let Some(v) = m.get_mut(&k) {
            *v *= x;
        }
        m[&4]
    }
    at (&mut map(), 4, 0.4), (&mut map(), 5, 0.4);

    fn insert(m: &mut BTreeMap<usize, f64>, k: usize, x: f64) -> f64 {
        m.insert(k, x * m[&1]);
        m[&k] * m[&4]
    }
    at (&mut map(), 4, 0.4), (&mut map(), 5, 0.4);

    fn local(x: &[f64]) -> f64 {
        let mut m = BTreeMap::new();
        for i in 0..x.len() {
            m.insert(i % 2, x[i] * x[i]);
        }
        m[&0] * m[&1]
    }
    at (&[0.3, 0.4, 0.5]);

    fn entries(x: &[f64]) -> f64 {
        let mut m: HashMap<usize, f64> = HashMap::new();
        for i in 0..x.len() {
            *m.entry(i % 2).or_insert(0.0) += x[i] * x[0];
        }
        m[&0] * m[&1]
    }
    at (&[0.3, 0.4, 0.5]);

    fn iterate(m: &BTreeMap<usize, f64>, x: f64) -> f64 {
        let mut s = 0.0;
        for (k, v) in m {
            s += v * v * x * *k as f64;
        }
        s
    }
    at (&map(), 0.4);

    fn iterate_mut(m: &mut BTreeMap<usize, f64>, x: f64) -> f64 {
        for (_, v) in m.iter_mut() {
            *v *= x;
        }
        for v in m.values_mut() {
            *v += x;
        }
        let mut s = 0.0;
        for v in m.values() {
            s += v * v;
        }
        s
    }
    at (&mut map(), 0.4);

    fn remove(m: &mut BTreeMap<usize, f64>, k: usize, x: f64) -> f64 {
        if let Some(v) = m.remove(&k) { v * x } else { x * x }
    }
    at (&mut map(), 4, 0.4), (&mut map(), 5, 0.4);

    fn fields(m: &Model, name: &str, x: f64) -> f64 {
        m.weights["a"] * x + m.weights[name] * m.counts[&4]
    }
    at (&model(), "b", 0.4);

    fn get_by_name(m: &BTreeMap<String, f64>, name: &str, x: f64) -> f64 {
        let a = m.get("a").copied().unwrap_or(x);
        let b = m.get(name).copied().unwrap_or(x * x);
        let c = match m.get("c") {
            Some(c) => c * x,
            None => x.sin(),
        };
        if let Some(again) = m.get(name) { a * b + c * again } else { a * b * c }
    }
    at (&model().weights, "b", 0.4), (&model().weights, "d", 0.4);

    fn get_of_a_field(m: &Model, x: f64) -> f64 {
        m.weights.get("a").unwrap() * x + m.weights.get("d").copied().unwrap_or(x * x)
    }
    at (&model(), 0.4);

    fn owned_key(m: &BTreeMap<String, f64>, name: String, x: f64) -> f64 {
        if m.contains_key(&name) { m[&name] * x } else { x }
    }
    at (&model().weights, "b".to_string(), 0.4), (&model().weights, "c".to_string(), 0.4);

    fn strings(m: &BTreeMap<String, f64>, x: f64) -> f64 {
        let mut s = 0.0;
        for (name, w) in m.iter() {
            if name.len() == 1 {
                s += w * w * x;
            }
        }
        s
    }
    at (&model().weights, 0.4);
}
