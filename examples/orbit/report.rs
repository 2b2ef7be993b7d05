//! What is printed: the laws, the iterations of both shots, what was found, and what the arrival hangs on.

use nalgebra::Vector3;

use super::laws::Law;
use super::mission::{CLOSE_ENOUGH, Shot, rows};
use super::planets::{EARTH, JUPITER, KILOMETRES, METRES_PER_SECOND, PROBE, SATURN, SUN, excess};
use super::system::SystemTangent;
use super::track::{closest, track};
use super::voyage::{BEFORE_SATURN, BEHIND_JUPITER, DAYS_TO_JUPITER, DAYS_TO_SATURN, Voyage};

/// One line a law.
pub fn print_laws(laws: &[Law]) {
    println!("Derivatives of the simulation by positions, velocities, masses, gravity and steps");
    println!("what must hold                              found    allowed");
    println!("------------------------------------------  -------  ------------");
    for Law { name, found, allowed } in laws {
        if *allowed.start() > 0.0 {
            println!("{name:<42}  {found:>7.4}  {} to {}", allowed.start(), allowed.end());
        } else {
            println!("{name:<42}  {found:>7.1e}  {:.0e}", allowed.end());
        }
    }
}

/// The iterations of both shots.
pub fn print_shots(voyage: &Voyage) {
    println!("\nVoyager 2: which velocity on 1977-08-20 leads past Jupiter to Saturn?");
    let place = format!("{} million km behind Jupiter", BEHIND_JUPITER / 1e6);
    print_shot(&voyage.to_jupiter, &place, DAYS_TO_JUPITER);
    let place = format!("{} million km from Saturn", BEFORE_SATURN / 1e6);
    print_shot(&voyage.to_saturn, &place, DAYS_TO_SATURN);
}

fn print_shot(shot: &Shot, place: &str, days: f64) {
    println!("\nshot at a place {place}, {days} days later");
    println!("step       miss (km)  correction (m/s)");
    for (index, iteration) in shot.iterations.iter().enumerate() {
        let share = if iteration.share < 1.0 {
            format!("  {} of Newton's step", iteration.share)
        } else {
            String::new()
        };
        println!(
            "{:>4}  {:>14.3}  {:>16.6}{share}",
            index + 1,
            iteration.miss,
            iteration.correction
        );
    }
    println!(" end  {:>14.3}", shot.miss);
}

/// The flight that was found, beside the one that was flown.
pub fn print_voyage(voyage: &Voyage) {
    let (day, distance) = closest(&voyage.to_saturn.start, &voyage.legs, JUPITER);
    let moments = track(&voyage.to_saturn.start, &voyage.legs, 1);
    let speed = |days: f64| {
        let after = moments.iter().find(|moment| moment.day >= day + days);
        after.map_or(f64::NAN, |moment| moment.speed * METRES_PER_SECOND / 1000.0)
    };
    let departure = excess(&voyage.to_saturn.start) / 1000.0;
    println!("\nThe probe leaves Earth with {departure:.2} km/s and passes Jupiter");
    println!("on day {day:.1} at {:.0} km (Voyager 2: 688.3, 721670 km),", distance * KILOMETRES);
    println!("which turns {:.1} km/s around the Sun into {:.1} km/s.", speed(-30.0), speed(30.0));
}

/// What the place of arrival hangs on.
pub fn print_sensitivities(voyage: &Voyage) {
    let rows = rows(&voyage.to_saturn.start, &voyage.legs, &voyage.saturn);
    let bodies = &voyage.to_saturn.start.bodies;
    let moved = |along: &dyn Fn(&SystemTangent) -> f64| {
        Vector3::from([0, 1, 2].map(|axis| along(&rows[axis]))).norm() * KILOMETRES
    };
    let ahead = |body: usize, derivative: [f64; 3]| {
        Vector3::from(bodies[body].velocity).normalize().dot(&Vector3::from(derivative))
    };
    println!("\nchange at departure                 arrival moves by (km)");
    println!("----------------------------------  ---------------------");
    let faster = moved(&|row| ahead(PROBE, row.bodies[PROBE].velocity));
    print_cause("probe faster by 1 mm/s", faster / METRES_PER_SECOND / 1000.0);
    for (name, body) in [("probe", PROBE), ("Jupiter", JUPITER), ("Saturn", SATURN)] {
        let further = moved(&|row| ahead(body, row.bodies[body].position));
        print_cause(&format!("{name} ahead by 1 km"), further / KILOMETRES);
    }
    for (name, body) in [("Sun", SUN), ("Earth", EARTH), ("Jupiter", JUPITER), ("Saturn", SATURN)] {
        let heavier = moved(&|row| row.bodies[body].mass) * bodies[body].mass;
        print_cause(&format!("{name} heavier by one millionth"), heavier / 1e6);
    }
}

fn print_cause(cause: &str, kilometres: f64) {
    println!("{cause:<34}  {kilometres:>21.2}");
}

/// A message for each law that does not hold and each shot that does not hit.
pub fn failures(laws: &[Law], voyage: &Voyage) -> Vec<String> {
    let laws = laws.iter().filter(|law| !law.holds());
    let laws = laws.map(|law| format!("{}: {:e} is not in {:?}", law.name, law.found, law.allowed));
    let shots = [("Jupiter", &voyage.to_jupiter), ("Saturn", &voyage.to_saturn)];
    let missed = |shot: &Shot| shot.miss.is_nan() || shot.miss > CLOSE_ENOUGH;
    let shots = shots.into_iter().filter(|(_, shot)| missed(shot));
    laws.chain(shots.map(|(planet, shot)| format!("{planet}: missed by {} km", shot.miss)))
        .collect()
}
