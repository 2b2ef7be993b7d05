//! Data as simulations keep it: enums in structs in vectors, changed in place, step after step.

use cotangent::{Differentiable, differentiate};
use std::collections::{BTreeMap, VecDeque};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Vec2 {
    pub x: f64,
    pub y: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) enum Phase {
    Solid { t: f64 },
    Liquid(f64, Vec<f64>),
    Gas(Vec2),
    Mixed(Box<f64>),
    None,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Particle {
    pub pos: Vec2,
    pub vel: Vec2,
    pub phase: Phase,
    pub charge: Option<f64>,
    pub history: Vec<f64>,
    pub id: usize,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct World {
    pub particles: Vec<Particle>,
    pub grid: Vec<Vec<f64>>,
    pub queue: VecDeque<f64>,
    pub params: BTreeMap<String, f64>,
    pub best: Option<(f64, usize)>,
    pub log: Result<f64, String>,
}

fn particle(k: f64) -> Particle {
    Particle {
        pos: Vec2 { x: k, y: 1.0 - k },
        vel: Vec2 { x: 0.3, y: k * k },
        phase: Phase::Liquid(k, vec![k, 0.5]),
        charge: Some(k),
        history: vec![],
        id: 3,
    }
}

fn world() -> World {
    World {
        particles: vec![particle(0.1), particle(0.7), particle(1.9)],
        grid: vec![vec![0.1, 0.2], vec![0.3]],
        queue: VecDeque::from(vec![0.4, 0.8]),
        params: BTreeMap::from([("g".into(), 0.3), ("h".into(), 0.05)]),
        best: None,
        log: Ok(0.2),
    }
}

#[differentiate]
#[differentiate]
fn advance(w: &mut World, h: f64) -> f64 {
    let g = w.params["g"];
    let n = w.particles.len();
    for i in 0..n {
        let p = &mut w.particles[i];
        p.vel.y -= g * h;
        p.pos.x += p.vel.x * h;
        p.pos.y += p.vel.y * h;
        p.history.push(p.pos.y);
        p.phase = match &p.phase {
            Phase::Solid { t } => Phase::Liquid(t * h, vec![*t]),
            Phase::Liquid(t, v) => {
                if v[0] > 1.0 {
                    Phase::Gas(Vec2 { x: *t, y: v[1] })
                } else {
                    Phase::Solid { t: t * v[0] }
                }
            }
            Phase::Gas(v) => Phase::Mixed(Box::new(v.x * v.y)),
            Phase::Mixed(b) => Phase::Solid { t: **b },
            Phase::None => Phase::None,
        };
        if let Some(q) = &mut p.charge {
            *q *= 1.0 - h;
            if *q > 1.0 {
                p.charge = None;
            }
        }
    }
    let mut energy = 0.0;
    for p in &w.particles {
        energy += 0.5 * (p.vel.x * p.vel.x + p.vel.y * p.vel.y) + g * p.pos.y;
        if let Phase::Solid { t } = p.phase {
            energy += t;
        }
        if let Some(q) = p.charge {
            energy -= q * q;
        }
    }
    w.grid[0].push(energy);
    w.grid[1][0] = energy * h;
    w.queue.push_back(energy);
    if let Some(front) = w.queue.pop_front() {
        energy += front;
    }
    match w.best {
        Some((e, _)) if e > energy => {}
        _ => w.best = Some((energy, n)),
    }
    if let Ok(v) = &mut w.log {
        *v += energy;
    }
    energy
}

corpus! {
    fn one_step(w: &mut World, h: f64) -> f64 {
        advance(w, h) * h
    }
    at (&mut world(), 0.1);

    fn many(w: &mut World, h: f64, n: usize) -> f64 {
        let mut e = 0.0;
        for k in 0..n {
            e += advance(w, h * k as f64);
        }
        e
    }
    at (&mut world(), 0.1, 3);

    fn in_place(p: &mut Phase, k: f64) -> f64 {
        match p {
            Phase::Liquid(t, v) if v.len() > 1 => {
                *t = v[0] * k;
                v[1] = *t;
                v.push(k);
                v.len() as f64 * *t
            }
            Phase::Liquid(t, _) => *t,
            Phase::Gas(Vec2 { x, y }) => {
                std::mem::swap(x, y);
                *x * 2.0 - *y
            }
            Phase::Mixed(b) => {
                **b *= k;
                **b
            }
            _ => k,
        }
    }
    at (&mut Phase::Liquid(0.3, vec![0.4, 0.5]), 0.7), (&mut Phase::Liquid(0.3, vec![0.4]), 0.7), (&mut Phase::Gas(Vec2 { x: 0.3, y: 0.4 }), 0.7), (&mut Phase::Mixed(Box::new(0.3)), 0.7), (&mut Phase::None, 0.7);

    fn nested_option(o: Option<Option<f64>>, r: Result<Option<f64>, f64>) -> f64 {
        match (o, r) {
            (Some(Some(a)), Ok(Some(b))) => a * b,
            (Some(None), Err(e)) => e * e,
            (_, Ok(None)) => 1.0,
            (_, Err(e)) | (_, Ok(Some(e))) => e,
        }
    }
    at (Some(Some(0.3)), Ok(Some(0.4))), (Some(None), Err(0.5)), (None, Ok(None)), (None, Err(0.3)), (None, Ok(Some(0.7)));

    fn return_enum(x: f64, n: usize) -> Phase {
        let mut p = Phase::Solid { t: x };
        for i in 0..n {
            p = match p {
                Phase::Solid { t } => Phase::Liquid(t * t, vec![t, x]),
                Phase::Liquid(t, v) => Phase::Gas(Vec2 { x: t, y: v[0] * v[1] }),
                Phase::Gas(g) => Phase::Mixed(Box::new(g.x + g.y)),
                Phase::Mixed(b) => {
                    if *b > 10.0 {
                        return Phase::None;
                    }
                    Phase::Solid { t: *b }
                }
                Phase::None => Phase::None,
            };
        }
        p
    }
    at (0.3, 0), (0.3, 1), (0.3, 2), (0.3, 3), (0.3, 4), (0.3, 7);

    fn take_option(p: &mut Particle, k: f64) -> f64 {
        let q = p.charge.take().unwrap_or(k);
        p.charge = if q > 0.2 { Some(q * q) } else { None };
        q
    }
    at (&mut particle(0.1), 0.7), (&mut particle(0.7), 0.7);

    fn replace_field(p: &mut Particle, k: f64) -> f64 {
        let old = std::mem::replace(&mut p.phase, Phase::Gas(Vec2 { x: k, y: k * k }));
        if let Phase::Liquid(t, v) = old { t * v[0] * k } else { k }
    }
    at (&mut particle(0.1), 0.7);

    fn init_in_branches(x: f64) -> f64 {
        let y;
        let z;
        if x > 0.5 {
            y = x * x;
            z = Some(y);
        } else {
            y = x.sin();
            z = None;
        }
        match z {
            Some(v) => v * y,
            None => y,
        }
    }
    at (0.3), (0.7);

    fn vec_of_enums(x: &[f64]) -> f64 {
        let mut v = Vec::new();
        for i in 0..x.len() {
            if i % 2 == 0 {
                v.push(Phase::Solid { t: x[i] });
            } else {
                v.push(Phase::Gas(Vec2 { x: x[i], y: x[0] }));
            }
        }
        let mut s = 0.0;
        for p in &v {
            s += match p {
                Phase::Solid { t } => t * t,
                Phase::Gas(g) => g.x * g.y,
                _ => 0.0,
            };
        }
        if let Some(Phase::Solid { t }) = v.last_mut() {
            *t *= 2.0;
            s += *t;
        }
        s
    }
    at (&[0.3, 0.4, 0.5]), (&[0.3, 0.4]);

    fn labelled(x: &[f64], k: f64) -> Option<f64> {
        let mut s = k;
        'outer: for i in 0..x.len() {
            for j in 0..x.len() {
                if x[i] * x[j] > 0.5 {
                    break 'outer;
                }
                if i == j {
                    continue 'outer;
                }
                let v = x.get(i + j)?;
                s += v * s;
            }
        }
        Some(s)
    }
    at (&[0.3, 0.4, 0.9], 0.5), (&[0.1, 0.2, 0.3], 0.5), (&[0.1, 0.2], 0.5);

    fn struct_update(p: Particle, k: f64) -> Particle {
        let Particle { pos, charge, .. } = p.clone();
        Particle { pos: Vec2 { x: pos.y * k, ..pos }, charge: charge.map(|q| q * k), ..p }
    }
    at (particle(0.1), 0.7);

    fn rows(a: &mut Vec<Vec<f64>>) -> f64 {
        a.swap(0, 1);
        a[0].push(0.3);
        let r = a.remove(1);
        let l = a.last().unwrap()[0];
        a.push(r.clone());
        a.insert(0, vec![l; 2]);
        a[0][1] * r[0] * a[2][1]
    }
    at (&mut vec![vec![0.3, 0.4], vec![0.5]]);
}
