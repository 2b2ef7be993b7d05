//! One picture of the learning: how losses fall, what is read, what is confused, what is misread.
//!
//! In: the training and the unseen images. Out: an SVG file with four panels. Grey is learned from, blue is
//! unseen.

use std::path::Path;

use cotangent_examples::charts::{
    BLUE, Drawn, GREY, LABEL_SIZE, ORANGE, Panel, Point, TITLE_SIZE, draw_key, draw_lines,
    draw_mesh, frame,
};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::data::{CLASSES, Image, SIDE};
use super::training::{Epoch, Score, Training, confusions};

const SIZE: (u32, u32) = (2400, 1500);
/// Of the images that are drawn in a row.
const COLUMNS: usize = 7;
/// Most rows of images.
const ROWS: usize = 3;
/// Side of a pixel of an image.
const PIXEL: i32 = 15;

/// Draws the picture to `path`.
pub fn draw(training: &Training, unseen: &[Image], path: &Path) -> Drawn {
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let panels = root.split_evenly((2, 2));
    draw_losses(&panels[0], training)?;
    draw_accuracies(&panels[1], training)?;
    draw_confusions(&panels[2], training, unseen)?;
    draw_misread(&panels[3], training, unseen)?;
    root.present()?;
    Ok(())
}

fn draw_losses(panel: &Panel<'_>, training: &Training) -> Drawn {
    let mut chart = frame(panel, "The loss falls")
        .build_cartesian_2d(0.0..last(training), (1e-2..4.0).log_scale())?;
    draw_mesh(&mut chart, "times through the images", "mean cross-entropy")?;
    let loss = |score: Score| score.loss;
    draw_lines(&mut chart, "learned from", GREY, vec![line(training, |e| loss(e.known))])?;
    draw_lines(&mut chart, "unseen", BLUE, vec![line(training, |e| loss(e.unseen))])?;
    draw_key(&mut chart, SeriesLabelPosition::UpperRight)
}

fn draw_accuracies(panel: &Panel<'_>, training: &Training) -> Drawn {
    let title = format!("{:.1} % of unseen digits are read", 100.0 * training.accuracy());
    let mut chart = frame(panel, &title).build_cartesian_2d(0.0..last(training), 70.0..100.5)?;
    draw_mesh(&mut chart, "times through the images", "read as what they are (%)")?;
    let percent = |score: Score| 100.0 * score.accuracy;
    // The chart does not show the network of chance, which reads one of ten.
    let tail = |pick: fn(&Epoch) -> Score| line(training, |e| percent(pick(e))).split_off(1);
    draw_lines(&mut chart, "learned from", GREY, vec![tail(|e| e.known)])?;
    draw_lines(&mut chart, "unseen", BLUE, vec![tail(|e| e.unseen)])?;
    draw_key(&mut chart, SeriesLabelPosition::LowerRight)
}

fn last(training: &Training) -> f64 {
    (training.epochs.len() - 1) as f64
}

fn line(training: &Training, pick: impl Fn(&Epoch) -> f64) -> Vec<Point> {
    training.epochs.iter().enumerate().map(|(k, epoch)| (k as f64, pick(epoch))).collect()
}

/// The matrix of what was taken for what; off the diagonal, in orange.
fn draw_confusions(panel: &Panel<'_>, training: &Training, unseen: &[Image]) -> Drawn {
    let side = CLASSES as f64 - 0.5;
    let mut chart = frame(panel, "What unseen digits are taken for")
        .build_cartesian_2d(-0.5..side, side..-0.5)?;
    draw_mesh(&mut chart, "taken for", "digit")?;
    for (digit, row) in confusions(&training.network, unseen).iter().enumerate() {
        let all: usize = row.iter().sum();
        for (class, &count) in row.iter().enumerate().filter(|(_, count)| **count > 0) {
            let (x, y) = (class as f64, digit as f64);
            let depth = count as f64 / all as f64;
            let fill = if class == digit { BLUE.mix(depth) } else { ORANGE.mix(0.2 + 2.0 * depth) };
            let cell = Rectangle::new([(x - 0.5, y - 0.5), (x + 0.5, y + 0.5)], fill.filled());
            let colour = if class == digit { WHITE } else { BLACK };
            chart.draw_series([cell])?;
            chart.draw_series([Text::new(count.to_string(), (x, y), label(&colour))])?;
        }
    }
    Ok(())
}

/// The first of the images that were misread, and what they were taken for.
fn draw_misread(panel: &Panel<'_>, training: &Training, unseen: &[Image]) -> Drawn {
    let read = unseen.iter().map(|image| (image, training.network.read(&image.pixels)));
    let misread = read.filter(|(image, class)| image.digit != *class);
    let title =
        Text::new("Misread", (600, 44), ("sans-serif", TITLE_SIZE).into_font().color(&BLACK));
    panel.draw(&title)?;
    for (index, (image, class)) in misread.take(COLUMNS * ROWS).enumerate() {
        let (column, row) = ((index % COLUMNS) as i32, (index / COLUMNS) as i32);
        let corner = (60 + column * 160, 110 + row * 210);
        draw_image(panel, image, corner)?;
        let text = format!("{} as {class}", image.digit);
        let below = (corner.0 + SIDE as i32 * PIXEL / 2, corner.1 + SIDE as i32 * PIXEL + 24);
        panel.draw(&Text::new(text, below, label(&BLACK)))?;
    }
    Ok(())
}

fn draw_image(panel: &Panel<'_>, image: &Image, corner: (i32, i32)) -> Drawn {
    for (index, &ink) in image.pixels.iter().enumerate() {
        let (x, y) = ((index % SIDE) as i32, (index / SIDE) as i32);
        let at = (corner.0 + x * PIXEL, corner.1 + y * PIXEL);
        let square = [at, (at.0 + PIXEL, at.1 + PIXEL)];
        panel.draw(&Rectangle::new(square, BLACK.mix(0.06 + 0.94 * ink).filled()))?;
    }
    Ok(())
}

fn label(colour: &RGBColor) -> TextStyle<'static> {
    let middle = Pos::new(HPos::Center, VPos::Center);
    ("sans-serif", LABEL_SIZE).into_font().color(colour).pos(middle)
}
