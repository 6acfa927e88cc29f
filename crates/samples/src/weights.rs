//! Skin weights: along a chain by position, between chains by distance to their primitives.
//!
//! A surface point belongs to the chains whose primitives made it, so a thigh never moves the other
//! thigh, and an arm never moves the ribs that it happens to hang beside.

use super::rig::{Rig, on_side};
use super::sdf::smoothstep;
use glam::Vec3;

/// Joints in the order in which they follow each other through a limb.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) name: String,
    joints: Vec<usize>,
    /// For every joint but the first: a plane through it and the half width of the blend across it.
    planes: Vec<(Vec3, Vec3, f32)>,
}

/// A chain as a constant table states it: name, joints with the half width of the blend at each (the
/// first width is not used). `*` stands for the side.
pub(super) type ChainRow = (&'static str, &'static [(&'static str, f32)]);

/// A chain before its joints are looked up.
pub(super) type NamedChain = (String, Vec<(String, f32)>);

/// Named chains from a constant table.
pub(super) fn named(table: &[ChainRow]) -> Vec<NamedChain> {
    let joints = |row: &[(&str, f32)]| row.iter().map(|(j, w)| ((*j).to_owned(), *w)).collect();
    table
        .iter()
        .map(|(name, row)| ((*name).to_owned(), joints(row)))
        .collect()
}

/// The chains of a rig, those with `*` once a side.
pub(super) fn chains(rig: &Rig, table: &[NamedChain]) -> Vec<Chain> {
    let mut chains = Vec::new();
    for (name, joints) in table {
        let sides: &[&str] = if name.contains('*') {
            &rig.sides
        } else {
            &[""]
        };
        for side in sides {
            chains.push(chain(rig, &on_side(name, side), joints, side));
        }
    }
    chains
}

fn chain(rig: &Rig, name: &str, row: &[(String, f32)], side: &str) -> Chain {
    let joints: Vec<usize> = row
        .iter()
        .map(|(joint, _)| rig.joint(&on_side(joint, side)))
        .collect();
    let at = |index: usize| rig.positions[joints[index]];
    let planes = (1..joints.len())
        .map(|index| {
            let before = (at(index) - at(index - 1)).normalize_or_zero();
            let after = if index + 1 < joints.len() {
                (at(index + 1) - at(index)).normalize_or_zero()
            } else {
                before
            };
            let normal = (before + after).normalize_or(before);
            (at(index), normal, row[index].1)
        })
        .collect();
    Chain {
        name: name.to_owned(),
        joints,
        planes,
    }
}

impl Chain {
    /// Weights of the chain's joints at a point, added to `weights` after scaling by `share`.
    fn add_weights(&self, point: Vec3, share: f32, weights: &mut [f32]) {
        let mut left = share;
        for (index, &(origin, normal, width)) in self.planes.iter().enumerate() {
            let beyond = smoothstep(-width, width, (point - origin).dot(normal));
            weights[self.joints[index]] += left * (1.0 - beyond);
            left *= beyond;
        }
        if let Some(&last) = self.joints.last() {
            weights[last] += left;
        }
    }
}

/// The four heaviest joints of a point and their weights, summing to 1.
///
/// `distances` holds the chains near the point with the distance to each one's primitives;
/// `softness` is the distance over which one chain gives way to another.
pub(super) fn top_four(
    chains: &[Chain],
    distances: &[(usize, f32)],
    softness: f32,
    point: Vec3,
    joint_count: usize,
) -> ([u16; 4], [f32; 4]) {
    let nearest = distances
        .iter()
        .fold(f32::INFINITY, |nearest, (_, distance)| {
            nearest.min(*distance)
        });
    let mut weights = vec![0.0; joint_count];
    for &(chain, distance) in distances {
        let beyond = (distance - nearest) / softness;
        let share = (-beyond * beyond).exp();
        if share > 0.004 {
            chains[chain].add_weights(point, share, &mut weights);
        }
    }
    let mut order: Vec<usize> = (0..joint_count).filter(|&j| weights[j] > 0.0).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
    order.truncate(4);
    let total: f32 = order.iter().map(|&joint| weights[joint]).sum();
    let (mut slots, mut shares) = ([0u16; 4], [0.0f32; 4]);
    // Whole 255ths, so that a file may store them in a byte each.
    let mut left = 255.0;
    for (place, &joint) in order.iter().enumerate().rev() {
        let share = if place == 0 {
            left
        } else {
            (255.0 * weights[joint] / total).round().min(left)
        };
        left -= share;
        slots[place] = if share > 0.0 { joint as u16 } else { 0 };
        shares[place] = share / 255.0;
    }
    (slots, shares)
}
