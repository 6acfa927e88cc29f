//! The ways in which a file can be read that does not show by itself how its body stands.

use crate::rig::{ALIGNED_CLIPS, Rig, align_options};
use rebone_model::Clip;
use rebone_model::axes::Axis;
use rebone_setup::align::{AlignOptions, Alignment, align};
use rebone_setup::mapping::RigMap;
use rebone_setup::profile::{Part, Side};

/// A way to read a file.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The rig, read like this.
    pub rig: Rig,
    /// The axis that is up.
    pub up: Axis,
    /// The same in words: which axis is up, and which pose shows how the joints lie.
    pub about: String,
}

/// How a file is read, and then the next best other ways, at most `most` in all. They differ in the axis that is up; those in which
/// the body stands best in the pose that shows how its joints lie come first.
pub fn readings(rig: &Rig, most: usize) -> Vec<Reading> {
    let own = Axis::nearest(rig.alignment.up().as_vec3());
    let clips: Vec<&Clip> = rig.character.clips.iter().take(ALIGNED_CLIPS).collect();
    let mut others: Vec<(f64, Axis, Alignment)> = Axis::ALL
        .into_iter()
        .filter(|&up| up != own)
        .map(|up| {
            let options = AlignOptions {
                chosen_up: Some(up),
                ..align_options(&rig.stated)
            };
            let found = align(&rig.character, &rig.map, &clips, &options);
            (upright(&rig.map, &found), up, found)
        })
        .collect();
    // Stable, so that equal ones keep the order of the axes.
    others.sort_by(|one, other| other.0.total_cmp(&one.0));
    let others = others.into_iter().map(|(_, up, alignment)| {
        let mut read = rig.clone();
        read.realign(alignment);
        (up, read)
    });
    let all = std::iter::once((own, rig.clone())).chain(others);
    all.take(most)
        .map(|(up, rig)| Reading {
            about: about(up, &rig.alignment),
            rig,
            up,
        })
        .collect()
}

/// How upright the trunk is in the reference pose, -1 to 1; 0 where nothing shows it.
fn upright(map: &RigMap, alignment: &Alignment) -> f64 {
    let at = |part| {
        let joint = map.joint_of(part, Side::Center)?;
        Some(alignment.reference[joint].position)
    };
    let top = at(Part::Head).or_else(|| at(Part::Neck));
    let Some(trunk) = top.zip(at(Part::Hips)).map(|(top, hips)| top - hips) else {
        return 0.0;
    };
    let in_file = alignment.canonical_from_pose.conjugate() * trunk.normalize_or_zero();
    (alignment.canonical_from_file * in_file).y
}

fn about(up: Axis, alignment: &Alignment) -> String {
    let stands = 100.0 * alignment.plausibility;
    let pose = alignment.pose_source.describe();
    format!("{up} up; {pose}, {stands:.0} % like a person who stands")
}
