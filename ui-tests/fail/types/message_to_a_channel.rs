use cotangent::differentiate;
use std::sync::mpsc;

#[differentiate]
fn sent(x: f64) -> f64 {
    let (sender, receiver) = mpsc::channel::<f64>();
    sender.send(x).unwrap();
    receiver.recv().unwrap() * x
}

fn main() {
    let _ = sent(1.0);
}
